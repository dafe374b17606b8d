--- `:checkhealth civl`
local M = {}

function M.check()
  local health = vim.health
  health.start("civl")
  if vim.fn.has("nvim-0.10") == 0 then
    return health.error("Neovim 0.10 or newer is needed")
  end
  local way = vim.fn.has("nvim-0.11") == 1 and "vim.lsp.enable" or "vim.lsp.start"
  health.ok(("Neovim %s, the client is started with %s"):format(tostring(vim.version()), way))

  local client = require("civl.client")
  local cmd = client.resolved().cmd
  if type(cmd) == "table" then
    local path, said = require("civl.binary").find(cmd[1])
    if path then
      health.ok(("%s is civl %s"):format(path, said))
    else
      health.error(said)
    end
  end

  local running = vim.lsp.get_clients({ name = "civl" })
  if #running == 0 then
    health.info("no server is running; it starts with the first CIVL buffer")
  end
  for _, one in ipairs(running) do
    local count = vim.tbl_count(one.attached_buffers)
    health.ok(("server %d runs for %d buffer(s) in %s"):format(one.id, count, one.config.root_dir or one.root_dir or "?"))
  end
  for _, buffer in ipairs(client.buffers()) do
    if not client.client(buffer) then
      health.warn(("buffer %d is not attached; `:Civl restart` attaches it"):format(buffer))
    end
  end
  if require("civl").options.signs and vim.o.signcolumn == "no" then
    health.warn("'signcolumn' is off, so the states of obligations are not shown")
  end
end

return M
