--- `:Civl SUBCOMMAND`, and the commands that code lenses of the server name.
local M = {}

local function client()
  return require("civl.client")
end

local function views()
  return require("civl.views")
end

local function uri(buffer)
  return vim.uri_from_bufnr(buffer)
end

local function position(buffer)
  local encoding = (client().client(buffer) or {}).offset_encoding or "utf-16"
  return vim.lsp.util.make_position_params(0, encoding).position
end

--- Layers that occur in the text; for completion only.
local function layers(buffer)
  local found = {}
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    for numbers in line:gmatch("{:layer ([%d, ]+)") do
      for number in numbers:gmatch("%d+") do
        found[number] = true
      end
    end
  end
  local sorted = vim.tbl_keys(found)
  table.sort(sorted, function(a, b)
    return tonumber(a) < tonumber(b)
  end)
  return sorted
end

local function a_layer(text)
  local layer = tonumber(text)
  if not layer then
    client().say("civl: name a layer, such as `:Civl layer 1`", vim.log.levels.WARN)
  end
  return layer
end

local SCOPES = {
  file = function(buffer)
    return { uri = uri(buffer) }
  end,
  symbol = function(buffer)
    return { uri = uri(buffer), position = position(buffer) }
  end,
  all = function()
    return vim.empty_dict()
  end,
}

local function verify(buffer, arguments)
  local scope = SCOPES[arguments[1] or "file"]
  if scope then
    client().request(buffer, "civl/verify", scope(buffer))
  else
    client().request(buffer, "civl/verify", { uri = uri(buffer), obligation = arguments[1] })
  end
end

local function ids_of_all(buffer)
  return vim.tbl_map(function(entry)
    return entry.id
  end, require("civl.standing").list(buffer))
end

--- Name, help, what it does, what its arguments can be.
M.SUBCOMMANDS = {
  verify = {
    help = "prove: file (default), symbol at the cursor, all, or one obligation",
    run = verify,
    complete = function(buffer)
      return vim.list_extend({ "file", "symbol", "all" }, ids_of_all(buffer))
    end,
  },
  cancel = {
    help = "stop proving",
    run = function(buffer)
      client().request(buffer, "civl/cancel", vim.empty_dict())
    end,
  },
  trace = {
    help = "how a failure comes about, in a split",
    run = function(buffer, arguments)
      views().trace(buffer, arguments[1])
    end,
    complete = function(buffer)
      return views().traceable(buffer)
    end,
  },
  layer = {
    help = "the program as it is at a layer",
    run = function(buffer, arguments)
      local layer = a_layer(arguments[1])
      if layer then
        views().layer(buffer, layer)
      end
    end,
    complete = layers,
  },
  diff = {
    help = "two layers side by side",
    run = function(buffer, arguments)
      local low = a_layer(arguments[1])
      if low then
        views().diff(buffer, low, tonumber(arguments[2]) or low + 1)
      end
    end,
    complete = layers,
  },
  movers = {
    help = "which calls move past which",
    run = function(buffer, arguments)
      views().movers(buffer, tonumber(arguments[1]))
    end,
    complete = layers,
  },
  obligations = {
    help = "every obligation and how it stands",
    run = function(buffer)
      views().obligations(buffer)
    end,
  },
  explain = {
    help = "the manual page of a code, by default of the one at the cursor",
    run = function(buffer, arguments)
      views().explain(buffer, arguments[1])
    end,
  },
  status = {
    help = "what the server is doing and how the proofs stand",
    run = function(buffer)
      client().say(table.concat(require("civl.standing").report(buffer), "\n"))
    end,
  },
  restart = {
    help = "end the server and start it again",
    run = function()
      client().restart()
    end,
  },
  stop = {
    help = "end the server",
    run = function()
      client().stop()
    end,
  },
  log = {
    help = "what the server and Neovim's client logged",
    run = function()
      vim.cmd.split(vim.fn.fnameescape(vim.lsp.get_log_path and vim.lsp.get_log_path() or vim.lsp.log.get_filename()))
    end,
  },
}

local function starting_with(words, prefix)
  return vim.tbl_filter(function(word)
    return vim.startswith(word, prefix)
  end, words)
end

--- Completion of the command line up to the cursor.
function M.complete(lead, line)
  local words = vim.split(line, "%s+", { trimempty = true })
  local before = #words - (lead ~= "" and 1 or 0)
  if before <= 1 then
    local names = vim.tbl_keys(M.SUBCOMMANDS)
    table.sort(names)
    return starting_with(names, lead)
  end
  local subcommand = M.SUBCOMMANDS[words[2]]
  local candidates = subcommand and subcommand.complete and subcommand.complete(vim.api.nvim_get_current_buf())
  return starting_with(candidates or {}, lead)
end

function M.run(arguments)
  local name = table.remove(arguments, 1) or "status"
  local subcommand = M.SUBCOMMANDS[name]
  if not subcommand then
    local names = vim.tbl_keys(M.SUBCOMMANDS)
    table.sort(names)
    return client().say(("civl: there is no `:Civl %s`; there are %s"):format(name, table.concat(names, ", ")), vim.log.levels.ERROR)
  end
  subcommand.run(vim.api.nvim_get_current_buf(), arguments)
end

--- Commands of code lenses that only a client can carry out.
local LENSES = {
  ["civl.showLayer"] = function(buffer, argument)
    views().layer(buffer, argument.layer)
  end,
}

function M.register()
  vim.api.nvim_create_user_command("Civl", function(command)
    M.run(command.fargs)
  end, { nargs = "*", complete = M.complete, desc = "civl-analyzer; see :help civl" })
  for name, run in pairs(LENSES) do
    vim.lsp.commands[name] = function(command, context)
      run(context.bufnr or vim.api.nvim_get_current_buf(), (command.arguments or {})[1] or {})
    end
  end
end

return M
