-- The entry: says what is missing, or registers the command, the autocommands and the client.
if vim.g.loaded_civl then
  return
end
vim.g.loaded_civl = true

if vim.fn.has("nvim-0.10") == 0 then
  local v = vim.version()
  local have = ("%d.%d.%d"):format(v.major, v.minor, v.patch)
  vim.notify(
    "civl: this plugin needs Neovim 0.10 or newer, this is " .. have
      .. ". Update Neovim, or use the command line: civl verify FILE",
    vim.log.levels.ERROR
  )
  return
end

require("civl.commands").register()
require("civl.client").register()
