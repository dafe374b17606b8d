-- Neovim 0.7 only looks here with `g:do_filetype_lua`; it gets a message from plugin/civl.lua anyway.
if vim.filetype then
  vim.filetype.add({ extension = { bpl = "civl", civl = "civl" } })
end
