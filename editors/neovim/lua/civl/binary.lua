--- Is the program that `cmd` names really `civl`, and new enough?
---
--- A wrong answer here costs the user an hour, so every refusal says what was found and what to do.
local M = {}

local OLDEST = { 0, 1 }
local ADVICE = "Install it (`cargo install --path server` in civl-analyzer), or name it: "
  .. 'require("civl").setup({ cmd = { "/path/to/civl", "lsp" } }); then `:Civl restart`'

---@type table<string, string> path and time of change to version
local known = {}

local function identity(path)
  local stat = vim.uv.fs_stat(path)
  return stat and ("%s %d %d"):format(path, stat.mtime.sec, stat.size) or path
end

--- Runs `path --version`; it gets five seconds.
local function ask(path)
  local started, process = pcall(vim.system, { path, "--version" }, { text = true, timeout = 5000 })
  if not started then
    return nil, "cannot be started"
  end
  local done = process:wait()
  local first = vim.split(vim.trim((done.stdout or "") .. (done.stderr or "")), "\n")[1]
  local version = first:match("^civl (%d+%.%d+%.?%d*)")
  if not version then
    return nil, first == "" and "says nothing when asked for its version" or ("calls itself `%s`"):format(first:sub(1, 60))
  end
  return version
end

--- The full path and the version of the program, or nothing and a message for the user.
---@param program string
---@return string? path, string version_or_message
function M.find(program)
  local path = vim.fn.exepath(program)
  if path == "" then
    return nil, ("civl: the program `%s` was not found. %s"):format(program, ADVICE)
  end
  local key = identity(path)
  local version, problem = known[key], nil
  if not version then
    version, problem = ask(path)
  end
  if not version then
    return nil, ("civl: `%s` is not civl: it %s. %s"):format(path, problem, ADVICE)
  end
  known[key] = version
  if vim.version.lt(vim.version.parse(version), OLDEST) then
    return nil, ("civl: `%s` is version %s, this plugin needs %d.%d. %s"):format(path, version, OLDEST[1], OLDEST[2], ADVICE)
  end
  return path, version
end

return M
