# SPDX-License-Identifier: Apache-2.0
# A naive server in jq, which prints each answer over several lines. See README.md.
def answer(body): {jsonrpc: "2.0", id: .id} + body;

def tools: [{
  name: "to_miles", description: "Kilometres as miles.", annotations: {readOnlyHint: true},
  inputSchema: {type: "object", properties: {km: {type: "number"}}, required: ["km"]}
}];

if .method == "initialize" then
  answer({result: {protocolVersion: "2025-06-18", capabilities: {tools: {}},
                   serverInfo: {name: "units", version: "1"}}})
elif .method == "ping" then
  answer({result: {}})
elif .method == "tools/list" then
  answer({result: {tools: tools, nextCursor: null}})
elif .method == "tools/call" then
  (.params.arguments.km * 0.62137 | tostring) as $text
  | answer({result: {content: [{type: "text", text: $text}], isError: "false"}})
elif (.method // "") | startswith("notifications/") then
  empty
else
  answer({error: {code: -32601, message: "Method not found"}})
end
