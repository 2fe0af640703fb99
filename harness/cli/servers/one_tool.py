# SPDX-License-Identifier: Apache-2.0
# MCP 2025-06-18 with one tool: LOG harmless|other NAME. Notes calls of it in LOG; "harmless"
# annotates it readOnlyHint.
import json, sys
log, kind, name = sys.argv[1:]
for line in sys.stdin:
    try:
        message = json.loads(line)
    except ValueError:
        message = None
    if not isinstance(message, dict) or not isinstance(message.get("id"), (str, int)):
        continue
    method = message.get("method")
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    if method == "initialize":
        reply["result"] = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                           "serverInfo": {"name": "careful", "version": "1"}}
    elif method == "ping":
        reply["result"] = {}
    elif method == "tools/list":
        reply["result"] = {"tools": [{"name": name, "inputSchema": {"type": "object"},
                                      "annotations": {"readOnlyHint": kind == "harmless"}}]}
    elif method == "tools/call":
        params = message.get("params")
        if isinstance(params, dict) and params.get("name") == name:
            open(log, "a").write(line)
        reply["result"] = {"content": []}
    else:
        reply["error"] = {"code": -32601, "message": "no"}
    print(json.dumps(reply), flush=True)
