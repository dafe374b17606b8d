--- The language client: started for CIVL buffers, restarted without losing anything.
---
--- Neovim 0.11 and newer start it through `vim.lsp.enable`, 0.10 through a FileType autocommand; both end in the same
--- configuration.
local M = {}

local NAME = "civl"
local CRASHES = { most = 3, seconds = 180 }

local group = vim.api.nvim_create_augroup("civl", {})
--- Clients that we stopped on purpose.
local expected = {}
--- When the server died unasked.
local crashes = {}
--- What was said already; the same refusal is not repeated for every buffer.
local said = {}

local function options()
  return require("civl").options
end

local function has_enable()
  return vim.fn.has("nvim-0.11") == 1
end

--- Later, because an error message inside an autocommand would abort it.
function M.say(text, level)
  vim.schedule(function()
    vim.notify(text, level or vim.log.levels.INFO, { title = "civl" })
  end)
end

local function say_once(text)
  if not said[text] then
    said[text] = true
    M.say(text, vim.log.levels.ERROR)
  end
end

--- The path of the program, or nothing after a message that says what to do.
local function ready()
  local cmd = M.resolved().cmd
  if type(cmd) ~= "table" then
    return true
  end
  local path, message = require("civl.binary").find(cmd[1])
  if not path then
    say_once(message)
  end
  return path ~= nil
end

local function root_of(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  local root = vim.fs.root(buffer, options().root_markers)
  return root or (name ~= "" and vim.fs.dirname(name)) or vim.uv.cwd()
end

local function handlers()
  local standing = require("civl.standing")
  return {
    ["civl/obligations"] = function(_, result, context)
      standing.obligations(result, context.client_id)
    end,
    ["civl/status"] = function(_, result)
      standing.status(result)
    end,
  }
end

--- The windows of the editor show nothing but the message of a problem, so the server puts all words there.
local function capabilities()
  local all = vim.lsp.protocol.make_client_capabilities()
  all.textDocument.publishDiagnostics.relatedInformation = false
  return all
end

--- The configuration of the client, for `vim.lsp.config` and `vim.lsp.start` alike.
function M.config()
  local settings = vim.tbl_isempty(options().settings) and vim.empty_dict() or options().settings
  return {
    name = NAME,
    cmd = options().cmd,
    filetypes = { "civl" },
    init_options = settings,
    settings = { civl = settings },
    handlers = handlers(),
    capabilities = capabilities(),
    on_exit = function(code, signal, id)
      vim.schedule(function()
        require("civl.standing").disconnected()
        M.ended(code, signal, id)
      end)
    end,
    -- No client is started unless `on_root` is called.
    root_dir = function(buffer, on_root)
      if vim.bo[buffer].buftype == "" and ready() then
        on_root(root_of(buffer))
      end
    end,
  }
end

--- The configuration with what the user put on top.
function M.resolved()
  return has_enable() and vim.lsp.config[NAME] or M.config()
end

--- Attaches a buffer, with a new client if there is none yet.
function M.attach(buffer)
  local config = vim.deepcopy(M.resolved())
  config.root_dir(buffer, function(root)
    config.root_dir = root
    vim.lsp.start(config, { bufnr = buffer })
  end)
end

---@return integer[] loaded buffers with CIVL programs
function M.buffers()
  return vim.tbl_filter(function(buffer)
    return vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == "civl" and vim.bo[buffer].buftype == ""
  end, vim.api.nvim_list_bufs())
end

---@param buffer? integer
---@return vim.lsp.Client?
function M.client(buffer)
  return vim.lsp.get_clients({ name = NAME, bufnr = buffer })[1]
end

--- Sends one of our own requests and hands the answer on; problems are said.
function M.request(buffer, method, params, on_answer)
  local client = M.client(buffer)
  if not client then
    return M.say("civl: the server is not running in this buffer; `:checkhealth civl` says why", vim.log.levels.WARN)
  end
  local answered = function(problem, result)
    if problem then
      M.say("civl: " .. (problem.message or vim.inspect(problem)), vim.log.levels.WARN)
    elseif on_answer then
      on_answer(result, client)
    end
  end
  if has_enable() then
    client:request(method, params, answered, buffer)
  else
    client.request(method, params, answered, buffer)
  end
end

local function stop(client, force)
  expected[client.id] = true
  if has_enable() then
    client:stop(force)
  else
    client.stop(force)
  end
end

local function attach_all()
  for _, buffer in ipairs(M.buffers()) do
    M.attach(buffer)
  end
end

--- Calls `go_on` when Neovim has forgotten the clients; before that it would use them again. After two seconds they
--- are killed, after five nobody waits any longer.
local function when_gone(ids, go_on)
  local began = vim.uv.now()
  local function look()
    local left = vim.tbl_filter(function(client)
      return vim.list_contains(ids, client.id)
    end, vim.lsp.get_clients({ name = NAME }))
    local waited = vim.uv.now() - began
    if #left == 0 or waited > 5000 then
      return go_on()
    end
    if waited > 2000 then
      vim.iter(left):each(function(client)
        stop(client, true)
      end)
    end
    vim.defer_fn(look, 20)
  end
  look()
end

--- Ends the server and starts it again for all buffers.
function M.restart()
  said, crashes = {}, {}
  local ids = {}
  for _, client in ipairs(vim.lsp.get_clients({ name = NAME })) do
    table.insert(ids, client.id)
    stop(client, false)
  end
  when_gone(ids, attach_all)
end

--- Ends the server until `:Civl restart`.
function M.stop()
  for _, client in ipairs(vim.lsp.get_clients({ name = NAME })) do
    stop(client, false)
  end
end

--- A server that died unasked is started again, but not for ever.
function M.ended(code, signal, id)
  if expected[id] or vim.v.exiting ~= vim.NIL then
    return
  end
  local now = vim.uv.now() / 1000
  crashes = vim.tbl_filter(function(at)
    return now - at < CRASHES.seconds
  end, crashes)
  table.insert(crashes, now)
  local how = signal ~= 0 and ("signal %d"):format(signal) or ("exit code %d"):format(code)
  if #crashes > CRASHES.most then
    M.say(("civl: the server stopped %d times (%s) and stays off. `:Civl log` shows what it said, `:Civl restart` tries again"):format(#crashes, how), vim.log.levels.ERROR)
  else
    M.say(("civl: the server stopped (%s) and is started again"):format(how), vim.log.levels.WARN)
    when_gone({ id }, attach_all)
  end
end

--- What an earlier server had found is asked for again, which the store of verdicts answers.
local function on_attach(buffer)
  local standing = require("civl.standing")
  standing.connected()
  if standing.left_behind(buffer) then
    M.request(buffer, "civl/verify", { uri = vim.uri_from_bufnr(buffer) })
  end
  if options().hints then
    vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  end
  if options().lenses then
    M.refresh_lenses(buffer)
  end
end

--- Since 0.12 Neovim keeps code lenses fresh by itself.
function M.refresh_lenses(buffer)
  if not options().lenses then
    return
  end
  if vim.fn.has("nvim-0.12") == 1 then
    vim.lsp.codelens.enable(true, { bufnr = buffer })
  else
    vim.lsp.codelens.refresh({ bufnr = buffer })
  end
end

--- The options have changed: Neovim 0.11+ reads `lsp/civl.lua` again, and what the user put on top stays on top.
function M.configure()
  if has_enable() then
    vim.lsp.config(NAME, {})
  end
end

--- Sets everything up; nothing is started before a CIVL buffer is there.
function M.register()
  vim.api.nvim_create_autocmd("LspAttach", {
    group = group,
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if client and client.name == NAME then
        on_attach(event.buf)
      end
    end,
  })
  vim.api.nvim_create_autocmd("BufReadCmd", {
    group = group,
    pattern = { "civl://library/*", "civl://codes/*" },
    callback = function(event)
      require("civl.views").document(event.buf, event.match)
    end,
  })
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    pattern = "civl",
    callback = function(event)
      if not has_enable() then
        M.attach(event.buf)
      elseif vim.bo[event.buf].buftype == "" then
        -- Neovim would pass over a missing program in silence.
        ready()
      end
    end,
  })
  if has_enable() then
    vim.lsp.enable(NAME)
  end
end

return M
