-- Read by Neovim 0.11 and newer when `vim.lsp.enable("civl")` is called; `vim.lsp.config("civl", {...})` goes on top.
return require("civl.client").config()
