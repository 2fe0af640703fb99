#!/usr/bin/env lua
-- SPDX-License-Identifier: Apache-2.0
-- A naive server of tasks over stdio (2025-11-25): a JSON reader of its own, empty tables are lists, pages go in a circle. See README.md.
io.stdout:setvbuf("line")
print("lua-tasks MCP server ready")

-- tiny JSON ---------------------------------------------------------------
local function encode(v)
  local t = type(v)
  if t == "table" then
    if #v > 0 or next(v) == nil then
      local out = {}
      for i, x in ipairs(v) do out[i] = encode(x) end
      return "[" .. table.concat(out, ",") .. "]"
    end
    local out = {}
    for k, x in pairs(v) do out[#out + 1] = encode(tostring(k)) .. ":" .. encode(x) end
    return "{" .. table.concat(out, ",") .. "}"
  elseif t == "string" then
    return '"' .. v:gsub("\\", "\\\\"):gsub('"', '\\"'):gsub("\n", "\\n") .. '"'
  elseif t == "nil" then return "null"
  else return tostring(v) end
end

local function decode(s)
  local pos = 1
  local value
  local function ws() pos = s:find("%S", pos) or #s + 1 end
  local function str()
    local out = {}
    pos = pos + 1
    while true do
      local c = s:sub(pos, pos)
      if c == "" then error("unterminated string") end
      if c == '"' then pos = pos + 1; return table.concat(out) end
      if c == "\\" then
        local e = s:sub(pos + 1, pos + 1)
        if e == "u" then
          local n = tonumber(s:sub(pos + 2, pos + 5), 16)
          out[#out + 1] = n < 128 and string.char(n) or "?"
          pos = pos + 6
        else
          out[#out + 1] = ({ n = "\n", t = "\t", r = "\r", b = "\b", f = "\f" })[e] or e
          pos = pos + 2
        end
      else out[#out + 1] = c; pos = pos + 1 end
    end
  end
  function value()
    ws()
    local c = s:sub(pos, pos)
    if c == "{" then
      local t = {}
      pos = pos + 1; ws()
      if s:sub(pos, pos) == "}" then pos = pos + 1; return t end
      while true do
        ws(); local k = str(); ws()
        if s:sub(pos, pos) ~= ":" then error("colon expected") end
        pos = pos + 1; t[k] = value(); ws()
        local d = s:sub(pos, pos); pos = pos + 1
        if d == "}" then return t elseif d ~= "," then error("comma expected") end
      end
    elseif c == "[" then
      local t = {}
      pos = pos + 1; ws()
      if s:sub(pos, pos) == "]" then pos = pos + 1; return t end
      while true do
        t[#t + 1] = value(); ws()
        local d = s:sub(pos, pos); pos = pos + 1
        if d == "]" then return t elseif d ~= "," then error("comma expected") end
      end
    elseif c == '"' then return str()
    elseif s:sub(pos, pos + 3) == "true" then pos = pos + 4; return true
    elseif s:sub(pos, pos + 4) == "false" then pos = pos + 5; return false
    elseif s:sub(pos, pos + 3) == "null" then pos = pos + 4; return nil
    end
    local n = s:match("^[%d%.eE+-]+", pos)
    if not n then error("unexpected " .. c) end
    pos = pos + #n
    return tonumber(n)
  end
  return value()
end

-- server ------------------------------------------------------------------
local tasks = { "write tests", "fix bug", "release", "sleep", "repeat" }
local handlers = {}
handlers["initialize"] = function()
  return { protocolVersion = "2025-11-25", serverInfo = { name = "lua-tasks", version = "1.0" },
    capabilities = { tools = {}, resources = {} } }
end
handlers["ping"] = function() return {} end
handlers["tools/list"] = function()
  return { tools = {
    { name = "list_tasks", description = "All tasks", inputSchema = { type = "object", properties = {} },
      annotations = { readOnlyHint = true } },
    { name = "get_task", description = "One task", annotations = { readOnlyHint = true },
      inputSchema = { type = "object", properties = { n = { type = "integer" } }, required = { "n" } } },
  } }
end
handlers["tools/call"] = function(p)
  if p.name == "list_tasks" then
    return { content = { { type = "text", text = table.concat(tasks, "\n") } } }
  elseif p.name == "get_task" then
    local t = tasks[p.arguments.n]
    if not t then return { content = "no such task", isError = true } end
    return { content = { { type = "text", text = t } } }
  end
  error({ code = -32602, message = "Unknown tool" })
end
handlers["resources/list"] = function(p)
  local from = tonumber(p.cursor or "") or 1
  local r = {}
  for i = from, math.min(from + 1, #tasks) do r[#r + 1] = { uri = "task://" .. i, name = tasks[i] } end
  return { resources = r, nextCursor = from + 2 <= #tasks and tostring(from + 2) or "" }
end
handlers["resources/read"] = function(p)
  local i = tonumber((p.uri:match("task://(%d+)")))
  return { contents = { { uri = p.uri, text = tasks[i] } } }
end

for line in io.lines() do
  local ok, msg = pcall(decode, line)
  if not ok then
    print('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}')
  elseif msg.id then
    local h = handlers[msg.method]
    local reply = { jsonrpc = "2.0", id = msg.id }
    if not h then reply.error = { code = -32601, message = "Method not found" }
    else
      local good, res = pcall(h, msg.params or {})
      if good then reply.result = res
      elseif type(res) == "table" then reply.error = res
      else reply.error = { code = -32603, message = res } end
    end
    print(encode(reply))
  end
end
