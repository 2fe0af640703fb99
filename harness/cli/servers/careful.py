# SPDX-License-Identifier: Apache-2.0
# MCP 2025-06-18 with the tool "erase", of which nobody said that it may be called, and the read-
# only "look". Notes calls of "erase" in the file that is given.
import json, sys
for line in sys.stdin:
    try:
        message = json.loads(line)
    except ValueError:
        print(json.dumps({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}}), flush=True)
        continue
    for one in message if isinstance(message, list) else [message]:
        if not isinstance(one, dict):
            continue
        method, params = one.get("method"), one.get("params")
        if method == "tools/call" and isinstance(params, dict) and params.get("name") == "erase":
            open(sys.argv[1], "a").write(line)
        if not isinstance(one.get("id"), (str, int)) or not isinstance(method, str):
            continue
        reply = {"jsonrpc": "2.0", "id": one["id"]}
        if method == "initialize":
            reply["result"] = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                               "serverInfo": {"name": "careful", "version": "1"}}
        elif method == "ping":
            reply["result"] = {}
        elif method == "tools/list":
            reply["result"] = {"tools": [{"name": "erase", "inputSchema": {"type": "object"}},
                                         {"name": "look", "inputSchema": {"type": "object"},
                                          "annotations": {"readOnlyHint": True}}]}
        elif method == "tools/call":
            reply["result"] = {"content": []}
        else:
            reply["error"] = {"code": -32601, "message": "Method not found"}
        print(json.dumps(reply), flush=True)
