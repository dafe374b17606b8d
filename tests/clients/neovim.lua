-- Headless Neovim (0.7 or newer) with its built-in client: prints what it was told, then quits.
local out = function(text) io.stdout:write(text .. "\n") end
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({
  name = "civl",
  cmd = { vim.env.CIVL, "lsp" },
  root_dir = vim.fn.getcwd(),
})
vim.lsp.buf_attach_client(buffer, client)
vim.wait(20000, function() return #vim.diagnostic.get(buffer) > 0 end, 50)
for _, d in ipairs(vim.diagnostic.get(buffer)) do
  local code = d.code or (d.user_data and d.user_data.lsp and d.user_data.lsp.code)
  out("DIAGNOSTIC " .. tostring(code) .. " " .. (d.lnum + 1))
end
local params = {
  textDocument = vim.lsp.util.make_text_document_params(buffer),
  position = { line = 0, character = 10 },
}
local answers = vim.lsp.buf_request_sync(buffer, "textDocument/hover", params, 10000) or {}
for _, answer in pairs(answers) do
  if answer.result then
    for line in answer.result.contents.value:gmatch("[^\n]+") do out("HOVER " .. line) end
  end
end
vim.lsp.stop_client(client)
vim.cmd("qa!")
