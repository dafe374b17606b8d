--- How the proofs stand, as the server says it: the latest `civl/obligations` of each program and `civl/status`.
---
--- Everything drawn from it (signs, statusline, lists) is drawn here or asks here; nothing is computed twice.
local M = {}

--- Worst first: what a line or a program with several obligations shows.
M.ORDER = { "failed", "context", "timeout", "unknown", "running", "queued", "stale", "trusted", "skipped", "proved" }

local HIGHLIGHTS = {
  failed = "DiagnosticError",
  context = "DiagnosticError",
  timeout = "DiagnosticWarn",
  unknown = "DiagnosticWarn",
  running = "DiagnosticInfo",
  queued = "NonText",
  stale = "NonText",
  trusted = "DiagnosticWarn",
  skipped = "NonText",
  proved = "DiagnosticOk",
}

local RANK = {}
for rank, state in ipairs(M.ORDER) do
  RANK[state] = rank
end

local namespace = vim.api.nvim_create_namespace("civl")
--- The latest message about each document.
local latest = {}
local status = { phase = "idle", done = 0, total = 0 }

local function sign_group(state)
  return "CivlSign" .. state:sub(1, 1):upper() .. state:sub(2)
end

--- What an obligation shows: an old verdict is stale, whatever it was.
local function shown(message, entry)
  local state = RANK[entry.state] and entry.state or "unknown"
  local waiting = state == "running" or state == "queued"
  return (message.gone or entry.stale) and not waiting and "stale" or state
end

local function worse(a, b)
  return (a == nil or RANK[b] < RANK[a]) and b or a
end

--- Line of the declaration that an obligation is about.
local function line_of(entry)
  return type(entry.nameRange) == "table" and entry.nameRange.start.line or nil
end

--- Line to state. A failure is marked where it shows and, differently, at its declaration.
local function states_by_line(message)
  local states = {}
  local function mark(line, state)
    states[line] = worse(states[line], state)
  end
  for _, entry in ipairs(message.obligations) do
    local state, line = shown(message, entry), line_of(entry)
    local failures = state == "failed" and entry.failures or {}
    for _, range in ipairs(failures) do
      mark(range.start.line, "failed")
    end
    if line then
      mark(line, #failures > 0 and "context" or state)
    end
  end
  return states
end

local function draw_signs()
  local signs = require("civl").options.signs
  for _, buffer in ipairs(require("civl.client").buffers()) do
    vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
    local message = latest[vim.uri_from_bufnr(buffer)]
    for line, state in pairs(signs and message and states_by_line(message) or {}) do
      if signs[state] and line < vim.api.nvim_buf_line_count(buffer) then
        vim.api.nvim_buf_set_extmark(buffer, namespace, line, 0, {
          sign_text = signs[state],
          sign_hl_group = sign_group(state),
          -- Below the signs of diagnostics.
          priority = 8,
        })
      end
    end
  end
end

local function changed()
  draw_signs()
  vim.api.nvim_exec_autocmds("User", { pattern = "CivlStatus", modeline = false, data = status })
  vim.cmd.redrawstatus({ bang = true })
end

--- `civl/obligations` arrived.
function M.obligations(message, client_id)
  latest[message.uri] = message
  changed()
  if message.finished then
    for buffer in pairs((vim.lsp.get_client_by_id(client_id) or {}).attached_buffers or {}) do
      require("civl.client").refresh_lenses(buffer)
    end
  end
end

--- `civl/status` arrived.
function M.status(message)
  status = message
  changed()
end

--- The server is gone: what it was doing is not being done any more. Verdicts stay as they are, marked as old.
function M.disconnected()
  status = { phase = "off", done = 0, total = 0 }
  for _, message in pairs(latest) do
    message.gone = true
  end
  changed()
end

--- A new server speaks.
function M.connected()
  if status.phase == "off" then
    status = { phase = "idle", done = 0, total = 0 }
    changed()
  end
end

--- Is what is shown in a buffer from a server that is gone?
function M.left_behind(buffer)
  local message = latest[vim.uri_from_bufnr(buffer)]
  return message ~= nil and message.gone == true
end

--- Obligations about declarations of a buffer, each with the state it shows, in the order of the server.
function M.list(buffer)
  local message = latest[vim.uri_from_bufnr(buffer)]
  return vim.tbl_map(function(entry)
    return { id = entry.id, state = shown(message, entry), failed = entry.state == "failed", reason = entry.reason, failures = entry.failures, line = line_of(entry) }
  end, message and message.obligations or {})
end

--- How many obligations show each state, and the worst of them.
function M.count(buffer)
  local counts, worst = {}, nil
  for _, entry in ipairs(M.list(buffer)) do
    counts[entry.state] = (counts[entry.state] or 0) + 1
    worst = worse(worst, entry.state)
  end
  return counts, worst
end

function M.shape(state)
  local signs = require("civl").options.signs
  return signs and signs[state] or state
end

--- One short text: `civl ▸ 3/12` while proving, `civl ✗ 10/12` afterwards, `civl off` without a server.
function M.text(buffer)
  if vim.bo[buffer].filetype ~= "civl" or vim.bo[buffer].buftype ~= "" then
    return ""
  elseif not require("civl.client").client(buffer) then
    return "civl off"
  elseif status.phase == "verifying" then
    return ("civl %s %d/%d"):format(M.shape("running"), status.done, status.total)
  end
  local counts, worst = M.count(buffer)
  if not worst then
    return "civl"
  end
  local total = vim.iter(vim.tbl_values(counts)):fold(0, function(sum, n)
    return sum + n
  end)
  local settled = (counts.proved or 0) + (counts.skipped or 0)
  return ("civl %s %d/%d"):format(M.shape(worst), settled, total)
end

--- Several lines for `:Civl status`.
function M.report(buffer)
  local client = require("civl.client").client(buffer)
  if not client then
    return { "The server is not running in this buffer; `:checkhealth civl` says why." }
  end
  local lines = { ("phase: %s"):format(status.phase) }
  if status.solver then
    table.insert(lines, "solver: " .. status.solver)
  end
  local counts = M.count(buffer)
  for _, state in ipairs(M.ORDER) do
    if counts[state] then
      table.insert(lines, ("%s %s: %d"):format(M.shape(state), state, counts[state]))
    end
  end
  if vim.tbl_isempty(counts) then
    table.insert(lines, "nothing asked yet: save the file or use `:Civl verify`")
  end
  return lines
end

for state, link in pairs(HIGHLIGHTS) do
  vim.api.nvim_set_hl(0, sign_group(state), { link = link, default = true })
end

return M
