# SPDX-License-Identifier: Apache-2.0
# A naive server in awk: it tells on stdout what it does, and its errors are texts. See README.md.
# The text of the first member of that name, quotes and all.
function member(name,    text) {
  if (!match($0, "\"" name "\" *: *(\"[^\"]*\"|[^,}]*)")) return ""
  text = substr($0, RSTART, RLENGTH)
  sub("^\"" name "\" *: *", "", text)
  return text
}

function say(body) { print "{\"id\":" id "," body "}" }

{
  id = member("id")
  method = member("method")
  gsub("\"", "", method)
}

method == "notifications/initialized" { print "=== greet 1.0 is ready ==="; next }
id == "" { next }

method == "initialize" {
  say("\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}}," \
      "\"serverInfo\":{\"name\":\"greet\",\"version\":\"1.0\"}}")
  next
}
method == "ping" { say("\"result\":{}"); next }
method == "tools/list" {
  say("\"result\":{\"tools\":[{\"name\":\"greet\",\"description\":\"Says hello.\"," \
      "\"annotations\":{\"readOnlyHint\":true},\"inputSchema\":{\"type\":\"object\"," \
      "\"properties\":{\"who\":{\"type\":\"string\"}},\"required\":[\"who\"]}}]}")
  next
}
method == "tools/call" {
  who = member("who")
  gsub("\"", "", who)
  print "greeting " who
  say("\"result\":\"Hello " who "\"")
  next
}
{ say("\"error\":\"unknown method\"") }
