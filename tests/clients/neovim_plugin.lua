-- The plugin of editors/neovim in a headless Neovim: everything a person does with it, once.
-- Prints "ok: ..." for each thing that held and "FAILED: ..." for the first that did not; the Rust test counts.
local PATIENCE = 30000

local function out(text)
  io.stdout:write(text .. "\n")
end

local function wait(what, condition)
  local last
  local held = vim.wait(PATIENCE, function()
    local fine, value, seen = pcall(condition)
    last = seen or value
    return fine and value
  end, 20)
  if not held then
    error(("%s (last: %s)"):format(what, vim.inspect(last)))
  end
  out("ok: " .. what)
end

local function codes(buffer)
  local found = vim.tbl_map(function(d)
    return ("%s@%d"):format(d.code, d.lnum + 1)
  end, vim.diagnostic.get(buffer))
  table.sort(found)
  return table.concat(found, " ")
end

local function sign_on(buffer, pattern)
  local marks = vim.api.nvim_buf_get_extmarks(buffer, vim.api.nvim_get_namespaces().civl, 0, -1, { details = true })
  for _, mark in ipairs(marks) do
    local line = vim.api.nvim_buf_get_lines(buffer, mark[2], mark[2] + 1, false)[1]
    if line:find(pattern, 1, true) then
      return vim.trim(mark[4].sign_text or "")
    end
  end
  return "none"
end

local function line_of(buffer, text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    if line:find(text, 1, true) then
      return number
    end
  end
  error("no line with " .. text)
end

local said = {}
vim.notify = function(text)
  table.insert(said, text)
end

local function was_said(text)
  return table.concat(said, "\n"):find(text, 1, true) ~= nil
end

local function find_view(prefix)
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local buffer = vim.api.nvim_win_get_buf(window)
    if vim.startswith(vim.api.nvim_buf_get_name(buffer), prefix) then
      return buffer, table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n"), window
    end
  end
end

local source = vim.api.nvim_get_current_buf()

local function close_views()
  vim.cmd("silent! tabonly")
  vim.cmd("silent! only")
  vim.api.nvim_set_current_buf(source)
end

local civl = require("civl")
local client = require("civl.client")

local steps = {}

function steps.attach()
  assert(vim.bo[source].filetype == "civl", vim.bo[source].filetype)
  wait("the server is attached", function()
    return client.client(source) ~= nil
  end)
  wait("diagnostics appear", function()
    return codes(source) == "yield-sufficiency@19", codes(source)
  end)
  assert(vim.fn.synIDattr(vim.fn.synID(4, 1, 1), "name") == "civlMover", "the syntax file is used")
end

function steps.hover()
  vim.api.nvim_win_set_cursor(0, { line_of(source, "call bump"), 8 })
  vim.lsp.buf.hover()
  wait("hover opens a window that shows the procedure", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      local text = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), "\n")
      if vim.api.nvim_win_get_config(window).relative ~= "" and text:find("yield procedure", 1, true) then
        vim.api.nvim_win_close(window, true)
        return true
      end
    end
  end)
end

function steps.code_action()
  vim.api.nvim_win_set_cursor(0, { 19, 3 })
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.title:find("call Anything()", 1, true) ~= nil
    end,
  })
  wait("the code action is applied", function()
    return vim.api.nvim_buf_get_lines(source, 18, 19, false)[1] == "  call Anything();"
  end)
  wait("and repairs", function()
    return codes(source) == "", codes(source)
  end)
end

function steps.verify_on_save()
  vim.cmd("silent write")
  wait("saving verifies", function()
    return codes(source) == "assertion@25", codes(source)
  end)
  wait("the status says how it stands", function()
    return civl.statusline():find("^civl ✗ %d+/%d+$") ~= nil, civl.statusline()
  end)
  wait("signs tell failed from proved by shape", function()
    return sign_on(source, "assert i") == "✗" and sign_on(source, "procedure P") == "↓" and sign_on(source, "twice()") == "✓"
  end)
  vim.cmd("Civl status")
  wait("and so does :Civl status", function()
    return was_said("failed: 1")
  end)
end

function steps.trace()
  vim.api.nvim_win_set_cursor(0, { 25, 3 })
  vim.cmd("Civl trace")
  wait("the trace opens in a split", function()
    local _, text = find_view("civl://trace/")
    return text and text:find("line 25", 1, true) and text:find("i = ", 1, true)
  end)
  local view, _, window = find_view("civl://trace/")
  assert(not vim.bo[view].modifiable and #vim.api.nvim_list_wins() == 2)
  vim.api.nvim_win_call(window, function()
    vim.fn.search("line 25")
  end)
  vim.api.nvim_set_current_win(window)
  vim.api.nvim_feedkeys(vim.keycode("<CR>"), "xt", false)
  assert(vim.api.nvim_get_current_buf() == source and vim.api.nvim_win_get_cursor(0)[1] == 25)
  out("ok: enter in the trace goes to the line")
  close_views()
end

function steps.views()
  vim.cmd("Civl layer 1")
  wait("the layer view opens", function()
    local buffer, text = find_view("civl://layer/1/")
    return buffer and text:find("twice", 1, true) and vim.bo[buffer].filetype == "civl" and not client.client(buffer)
  end)
  close_views()
  vim.cmd("Civl diff 0 1")
  wait("two layers open in diff mode", function()
    local low, _, first = find_view("civl://layer/0/")
    local high, _, second = find_view("civl://layer/1/")
    return low and high and vim.wo[first].diff and vim.wo[second].diff
  end)
  close_views()
  vim.cmd("Civl movers")
  wait("the movers open", function()
    local _, text = find_view("civl://movers")
    return text and text:find("bump", 1, true)
  end)
  close_views()
  vim.cmd("Civl obligations")
  local _, list = find_view("civl://obligations")
  assert(list:find("✗ failed", 1, true) and list:find("✓ proved", 1, true), list)
  close_views()
  vim.cmd("Civl explain assertion")
  wait("a manual page opens", function()
    local _, text = find_view("civl://explain/assertion")
    return text and #text > 100
  end)
  close_views()
  vim.cmd.edit("civl://library/base.bpl")
  wait("a library can be read", function()
    return vim.fn.search("datatype Option", "w") > 0
  end)
  vim.api.nvim_set_current_buf(source)
end

function steps.completion()
  local function completed(line)
    return table.concat(vim.fn.getcompletion(line, "cmdline"), " ")
  end
  assert(completed("Civl re") == "restart", completed("Civl re"))
  assert(completed("Civl verify s") == "symbol", completed("Civl verify s"))
  assert(completed("Civl layer ") == "0 1", completed("Civl layer "))
  assert(completed("Civl trace "):find("P", 1, true), completed("Civl trace "))
  vim.cmd("Civl nonsense")
  wait("commands are completed, unknown ones refused", function()
    return was_said("there is no `:Civl nonsense`")
  end)
end

function steps.lenses_and_hints()
  wait("code lenses show", function()
    return #vim.lsp.codelens.get(vim.fn.has("nvim-0.12") == 1 and { bufnr = source } or source) > 0
  end)
  assert(vim.lsp.inlay_hint.is_enabled({ bufnr = source }))
end

local function process_of_server()
  for _, pid in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
    if (vim.api.nvim_get_proc(pid) or { name = "" }).name:find("^civl") then
      return pid
    end
  end
end

function steps.restart()
  vim.cmd("silent vsplit " .. vim.fn.fnameescape(vim.env.CIVL_SECOND))
  local second = vim.api.nvim_get_current_buf()
  wait("a second buffer is attached", function()
    return client.client(second) and client.client(second).id == client.client(source).id
  end)
  vim.cmd("close")
  -- Unsaved text must survive, too.
  vim.api.nvim_buf_set_lines(source, -1, -1, false, { "const unsaved: nowhere;" })
  wait("an unsaved edit is checked", function()
    return codes(source):find("undeclared-type@27", 1, true), codes(source)
  end)
  local old = client.client(source).id
  vim.cmd("Civl restart")
  wait("a new server runs for all buffers", function()
    local new = client.client(source)
    return new and new.id ~= old and client.client(second) and client.client(second).id == new.id
  end)
  wait("diagnostics of the unsaved text come back", function()
    return codes(source):find("undeclared-type@27", 1, true), codes(source)
  end)
  vim.api.nvim_buf_set_lines(source, -2, -1, false, {})
  vim.cmd("Civl verify")
  wait("proofs come back", function()
    return codes(source) == "assertion@25" and sign_on(source, "assert i") == "✗", codes(source)
  end)
  old = client.client(source).id
  vim.cmd("Civl restart")
  wait("a restart asks for proofs by itself", function()
    local new = client.client(source)
    return new and new.id ~= old and codes(source) == "assertion@25" and sign_on(source, "assert i") == "✗"
  end)
end

function steps.crash()
  local old = client.client(source).id
  vim.uv.kill(process_of_server(), "sigkill")
  wait("a killed server is started again", function()
    local new = client.client(source)
    return new and new.id ~= old
  end)
  wait("and that is said", function()
    return was_said("is started again")
  end)
  wait("and its diagnostics come back", function()
    return codes(source) == "assertion@25", codes(source)
  end)
end

function steps.proved()
  vim.api.nvim_buf_set_lines(source, 24, 25, false, { "  assert i == i;" })
  vim.cmd("silent write")
  wait("after the repair everything is proved", function()
    return codes(source) == "" and civl.statusline():find("^civl ✓ (%d+)/%1$") ~= nil, civl.statusline()
  end)
  wait("and the signs say so", function()
    return sign_on(source, "procedure P") == "✓", sign_on(source, "procedure P")
  end)
end

function steps.health()
  vim.cmd("checkhealth civl")
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  assert(text:find("is civl %d") and text:find("server %d+ runs for 2 buffer"), text)
  assert(not text:find("ERROR"), text)
  out("ok: checkhealth is content")
end

local function run()
  for _, name in ipairs({
    "attach", "hover", "code_action", "verify_on_save", "trace", "views", "completion", "lenses_and_hints",
    "restart", "crash", "proved", "health",
  }) do
    local fine, problem = xpcall(steps[name], debug.traceback)
    if not fine then
      out(("FAILED: %s: %s\nsaid: %s"):format(name, problem, vim.inspect(said)))
      return
    end
    out("step: " .. name)
  end
  out("all steps held")
end

vim.schedule(function()
  run()
  vim.cmd("qa!")
end)
