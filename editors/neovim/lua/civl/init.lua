--- civl-analyzer in Neovim: what a person can choose, and the text for a statusline.
---
--- The plugin works without `setup`. Everything that can be computed is computed by the server (`civl lsp`); this
--- side starts it and shows what it says.
local M = {}

---@class civl.Options
M.options = {
  --- How the server is started; the first word is the program.
  cmd = { "civl", "lsp" },
  --- What marks the root of a workspace.
  root_markers = { "civl.toml", ".git" },
  --- Settings of the server, sent as they are: verify, timeLimit, jobs, cache, lens, hints.
  settings = {},
  --- Show inlay hints and code lenses in CIVL buffers.
  hints = true,
  lenses = true,
  --- Shapes in the sign column, one or two cells each; `context` marks the declaration around a failed line.
  --- `false` instead of a shape, or of the table, shows nothing.
  signs = {
    failed = "✗",
    context = "↓",
    timeout = "◷",
    unknown = "?",
    stale = "~",
    running = "▸",
    queued = "·",
    skipped = "-",
    trusted = "=",
    proved = "✓",
  },
  --- How a view opens: any window command, such as "botright 15new" or "vnew".
  split = "botright new",
}

--- Changes options. Options of the client itself can also be given with `vim.lsp.config("civl", {...})` (0.11+).
---@param options? table
function M.setup(options)
  M.options = vim.tbl_deep_extend("force", M.options, options or {})
  if vim.fn.has("nvim-0.10") == 1 then
    require("civl.client").configure()
  end
end

--- One short text for a statusline, about the current buffer; empty outside of CIVL buffers.
---@return string
function M.statusline()
  return require("civl.standing").text(vim.api.nvim_get_current_buf())
end

return M
