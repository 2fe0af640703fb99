-- SPDX-License-Identifier: Apache-2.0
-- A naive server in Lua: a JSON reader of its own, tables that may be lists, and a buffer that nobody empties. See README.md.
local function read(s)
  local pos, value = 1
  local escapes = { n = "\n", t = "\t", r = "\r", b = "\b", f = "\f", ['"'] = '"', ["\\"] = "\\", ["/"] = "/" }
  local function space() pos = s:find("[^ \t\r\n]", pos) or #s + 1 end
  local function text()
    local out = ""
    pos = pos + 1
    while true do
      local run, c = s:match('^([^"\\]*)(.?)', pos)
      out, pos = out .. run, pos + #run + 1
      if c == "" then error("unterminated string") elseif c == '"' then return out end
      c, pos = s:sub(pos, pos), pos + 1
      if c == "u" then
        c, pos = utf8.char(tonumber(s:sub(pos, pos + 3), 16) or error("bad escape")), pos + 4
      else c = escapes[c] or error("bad escape") end
      out = out .. c
    end
  end
  function value()
    space()
    local c = s:sub(pos, pos)
    if c == "{" or c == "[" then
      local t, n, close = {}, 0, c == "{" and "}" or "]"
      local function step() pos = pos + 1; space() end
      step()
      while s:sub(pos, pos) ~= close do
        local key = n + 1
        n = key
        if c == "{" then
          key = s:sub(pos, pos) == '"' and text() or error("name expected")
          space()
          if s:sub(pos, pos) ~= ":" then error("colon expected") end
          step()
        end
        t[key] = value()
        space()
        local d = s:sub(pos, pos)
        if d == "," then step() elseif d ~= close then error("comma expected") end
      end
      pos = pos + 1
      return t
    elseif c == '"' then return text() end
    local word = s:match("^[%w.+-]+", pos) or error("value expected")
    pos = pos + #word
    if word == "null" then return nil elseif word == "true" or word == "false" then return word == "true" end
    return tonumber(word) or error("what is " .. word)
  end
  return value()
end

local function write(v)
  if type(v) == "number" then return string.format("%.14g", v)
  elseif type(v) == "string" then return '"' .. v:gsub('[\\"]', "\\%0"):gsub("\n", "\\n") .. '"'
  elseif type(v) ~= "table" then return tostring(v) end
  local out = {}
  local list = #v > 0 or next(v) == nil
  for k, x in pairs(v) do out[#out + 1] = (list and "" or write(k) .. ":") .. write(x) end
  return (list and "[" or "{") .. table.concat(out, ",") .. (list and "]" or "}")
end
local function say(id, member, v) io.write('{"jsonrpc":"2.0","id":', write(id), ',"', member, '":', write(v), "}\n") end
local function refuse(id, code, message) say(id, "error", { code = code, message = message }) end
local function reply(id, result) say(id, "result", result); io.flush() end
local tools = {
  { name = "balance", description = "What is in the till.", annotations = { readOnlyHint = true },
    inputSchema = { type = "object", properties = {} } },
  { name = "label", description = "A label with that text.", annotations = { readOnlyHint = true },
    inputSchema = { type = "object", properties = { text = { type = "string" } }, required = { "text" } } },
}

local function call(id, p)
  local text
  if p.name == "balance" then text = "12.50"
  elseif p.name ~= "label" then return refuse(id, -32602, "no such tool")
  elseif type(p.arguments) ~= "table" or type(p.arguments.text) ~= "string" then return refuse(id, -32602, "text is missing")
  else text = "== " .. p.arguments.text .. " ==" end
  reply(id, { content = { { type = "text", text = text } } })
end
for line in io.lines() do
  local good, m = pcall(read, line)
  if not good then refuse(nil, -32700, "Parse error")
  elseif type(m) ~= "table" or type(m.method) ~= "string" then refuse(type(m) == "table" and m.id or nil, -32600, "Invalid Request")
  elseif m.id == nil then -- a notification
  elseif m.method == "initialize" then
    reply(m.id, { protocolVersion = "2025-06-18", capabilities = { tools = {} }, serverInfo = { name = "ledger", version = "1.0" } })
  elseif m.method == "ping" then reply(m.id, {})
  elseif m.method == "tools/list" then reply(m.id, { tools = tools })
  elseif m.method == "tools/call" and type(m.params) == "table" then call(m.id, m.params)
  else refuse(m.id, m.method == "tools/call" and -32602 or -32601, "Method not found: " .. m.method) end
end
