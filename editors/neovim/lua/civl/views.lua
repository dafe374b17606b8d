--- Read-only buffers: traces, the program at a layer, movers, obligations, manual pages, library sources.
local M = {}

local client = require("civl.client")

local function fill(buffer, text, filetype)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(text, "\n", { trimempty = true }))
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].modified = false
  if vim.bo[buffer].filetype ~= filetype then
    vim.bo[buffer].filetype = filetype
  end
end

--- Shows text in a window of its own, opened with `split`; a view of the same name is used again.
---@return integer buffer
function M.show(name, text, filetype, split)
  local old = vim.fn.bufnr("^" .. vim.fn.escape(name, "[]*?{}\\") .. "$")
  local window = old > 0 and vim.fn.bufwinid(old) or -1
  if window > 0 then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd(split or require("civl").options.split)
  end
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].buftype = "nofile"
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].swapfile = false
  if buffer ~= old then
    vim.api.nvim_buf_set_name(buffer, name)
  end
  fill(buffer, text, filetype)
  vim.keymap.set("n", "q", "<Cmd>close<CR>", { buffer = buffer, nowait = true, desc = "Close this view" })
  return buffer
end

--- `<CR>` on a line goes to the place in `source` that the line names.
local function jump_on_enter(buffer, source, line_of)
  vim.keymap.set("n", "<CR>", function()
    local line = line_of(vim.api.nvim_get_current_line(), vim.api.nvim_win_get_cursor(0)[1])
    if not line then
      return
    end
    local window = vim.fn.bufwinid(source)
    if window > 0 then
      vim.api.nvim_set_current_win(window)
    else
      vim.cmd.sbuffer(source)
    end
    vim.api.nvim_win_set_cursor(0, { math.min(line, vim.api.nvim_buf_line_count(source)), 0 })
    vim.cmd.normal({ "zv", bang = true })
  end, { buffer = buffer, desc = "Go to this line of the program" })
end

local function trace_of(source, id)
  local params = { uri = vim.uri_from_bufnr(source), obligation = id }
  client.request(source, "civl/trace", params, function(answer)
    local view = M.show("civl://trace/" .. id, answer.text, "civltrace")
    jump_on_enter(view, source, function(text)
      return tonumber(text:match("line (%d+)"))
    end)
  end)
end

--- The obligation that fails on the cursor's line.
local function at_cursor(source)
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  for _, entry in ipairs(require("civl.standing").list(source)) do
    for _, range in ipairs(entry.failed and entry.failures or {}) do
      if range.start.line <= line and line <= range["end"].line then
        return entry.id
      end
    end
  end
end

--- Ids of obligations that have something to show.
function M.traceable(source)
  local ids = {}
  for _, entry in ipairs(require("civl.standing").list(source)) do
    if entry.failed then
      table.insert(ids, entry.id)
    end
  end
  return ids
end

--- How a failure comes about: the one named, the one at the cursor, the only one, or a choice.
function M.trace(source, id)
  id = id or at_cursor(source)
  local ids = M.traceable(source)
  if id or #ids == 1 then
    return trace_of(source, id or ids[1])
  elseif #ids == 0 then
    return client.say("civl: nothing has failed so far; `:Civl verify` asks")
  end
  vim.ui.select(ids, { prompt = "Trace of" }, function(chosen)
    if chosen then
      trace_of(source, chosen)
    end
  end)
end

--- The program as it is at a layer.
function M.layer(source, layer, split, on_shown)
  local uri = vim.uri_from_bufnr(source)
  client.request(source, "civl/layerView", { uri = uri, layer = layer }, function(answer)
    local name = vim.fn.fnamemodify(vim.uri_to_fname(uri), ":t")
    local view = M.show(("civl://layer/%d/%s"):format(layer, name), answer.text, "civl", split)
    if on_shown then
      on_shown(view)
    end
  end)
end

--- Two layers side by side in diff mode.
function M.diff(source, low, high)
  M.layer(source, low, "tabnew", function()
    vim.cmd.diffthis()
    M.layer(source, high, "rightbelow vnew", function()
      vim.cmd.diffthis()
    end)
  end)
end

function M.movers(source, layer)
  client.request(source, "civl/movers", { uri = vim.uri_from_bufnr(source), layer = layer }, function(answer)
    M.show("civl://movers" .. (layer and "/" .. layer or ""), answer.text, "civlmovers")
  end)
end

--- Every obligation of the program with its shape; `<CR>` goes to its declaration.
function M.obligations(source)
  local standing = require("civl.standing")
  local list = standing.list(source)
  if #list == 0 then
    return client.say("civl: nothing asked yet; save the file or use `:Civl verify`")
  end
  local lines = vim.tbl_map(function(entry)
    local reason = entry.reason and entry.reason ~= vim.NIL and "  " .. entry.reason or ""
    return ("%s %-8s %s%s"):format(standing.shape(entry.state), entry.state, entry.id, reason:gsub("\n.*", ""))
  end, list)
  local view = M.show("civl://obligations", table.concat(lines, "\n"), "civlobligations")
  jump_on_enter(view, source, function(_, number)
    local line = list[number] and list[number].line
    return line and line + 1
  end)
end

--- The manual page of a diagnostic code, by default of the one at the cursor.
function M.explain(source, code)
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  code = code or (vim.diagnostic.get(source, { lnum = line })[1] or {}).code
  local cmd = client.resolved().cmd
  if type(cmd) ~= "table" then
    return
  end
  vim.system({ cmd[1], "explain", code }, { text = true }, function(done)
    vim.schedule(function()
      if done.code == 0 then
        M.show("civl://explain/" .. (code or "codes"), done.stdout, "markdown")
      else
        client.say(vim.trim(done.stderr), vim.log.levels.WARN)
      end
    end)
  end)
end

--- Fills a buffer with a document of the server: a library (`civl://library/base.bpl`) or a manual page.
function M.document(buffer, uri)
  vim.bo[buffer].buftype = "nofile"
  vim.bo[buffer].swapfile = false
  local any = client.client()
  local source = any and next(any.attached_buffers)
  if not source then
    return client.say("civl: the server is not running, so its document cannot be shown", vim.log.levels.WARN)
  end
  local filled = false
  client.request(source, "civl/libraryText", { uri = uri }, function(answer)
    if vim.api.nvim_buf_is_valid(buffer) then
      fill(buffer, answer.text, vim.endswith(uri, ".md") and "markdown" or "civl")
    end
    filled = true
  end)
  -- Whoever opened the buffer wants to go to a line of it next.
  vim.wait(2000, function()
    return filled
  end, 5)
end

return M
