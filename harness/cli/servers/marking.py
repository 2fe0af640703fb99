# SPDX-License-Identifier: Apache-2.0
# MCP 2025-11-25 with three tools. In the current folder it leaves a mark for each tool that is
# called, each start and each reset.
import json, sys
def mark(name):
    with open(name, "a") as file: file.write("x")
schema = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}, "required": ["n"]}
tools = [{"name": "look", "inputSchema": schema, "annotations": {"readOnlyHint": True}},
         {"name": "erase", "title": "E\u001b[2J", "inputSchema": schema},
         {"name": "odd", "inputSchema": {"type": "object", "properties": {
             "a": {"type": "string", "pattern": "(?=x)"}}, "required": ["a"]}}]
mark("started")
for line in sys.stdin:
    try: asked = json.loads(line)
    except ValueError:
        print(json.dumps({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "no"}}), flush=True)
        continue
    method, params = asked.get("method"), asked.get("params") or {}
    if "id" not in asked: continue
    reply = {"error": {"code": -32601, "message": "no such method"}}
    if method == "initialize":
        reply = {"result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                            "serverInfo": {"name": "marker", "version": "7", "title": "T\u001b[2J"}}}
    if method == "ping": reply = {"result": {}}
    if method == "state/reset":
        mark("reset"); reply = {"result": {}}
    if method == "tools/list": reply = {"result": {"tools": tools}}
    if method == "tools/call":
        reply = {"error": {"code": -32602, "message": "no such tool"}}
        if params.get("name") in ("look", "erase", "odd"):
            mark("called-" + params["name"])
            reply = {"result": {"content": [{"type": "text", "text": "done"}]}}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **reply}), flush=True)
