vim.bo.commentstring = "// %s"
vim.bo.comments = "s1:/*,mb:*,ex:*/,:///,://"
vim.bo.expandtab = true
vim.bo.shiftwidth = 2
vim.bo.suffixesadd = ".bpl,.civl"
vim.b.undo_ftplugin = "setlocal commentstring< comments< expandtab< shiftwidth< suffixesadd<"
