# SPDX-License-Identifier: Apache-2.0
# MCP 2025-11-25. Answers one method with what the argument says: {"method": …, "before": [messages],
# "reply": {"result": …}}; else it is a plain server with tools and resources.
import json, sys
told = json.loads(sys.argv[1])
def say(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message or "method" not in message: continue
    method = message["method"]
    if method == told["method"]:
        for one in told.get("before", []): say(one)
        say({"id": message["id"], **told["reply"]})
    elif method == "initialize":
        say({"id": message["id"], "result": {
            "protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "resources": {}},
            "serverInfo": {"name": "saying", "version": "1"}}})
    elif method == "ping": say({"id": message["id"], "result": {}})
    elif method == "tools/list":
        tool = {"name": "any", "inputSchema": {"type": "object"}}
        say({"id": message["id"], "result": {"tools": [tool]}})
    elif method == "resources/list":
        say({"id": message["id"], "result": {"resources": [{"uri": "test://any", "name": "any"}]}})
    elif method == "resources/templates/list":
        say({"id": message["id"], "result": {"resourceTemplates": []}})
    else: say({"id": message["id"], "error": {"code": -32601, "message": "no such method"}})
