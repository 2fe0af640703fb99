# SPDX-License-Identifier: Apache-2.0
# MCP 2025-11-25 as first written: notifications are answered, and every error is -32000. "strings": ids come
# back as strings; "null": errors carry a null id.
import json, sys
stage = sys.argv[1]
TOOL = {"name": "look", "inputSchema": {"type": "object", "properties": {"what": {"type": "string"}}}}
RESULTS = {"initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                          "serverInfo": {"name": "naive", "version": "1"}},
           "ping": {}, "tools/list": {"tools": [TOOL]}, "tools/call": {"content": []}}
for line in sys.stdin.buffer:
    id_ = None
    try:
        message = json.loads(line.decode("utf-8"))
        id_ = message.get("id")
        if message["method"].startswith("notifications/"):
            reply = {"result": {}}
        else:
            reply = {"result": RESULTS[message["method"]]}
    except Exception as failure:
        reply = {"error": {"code": -32000, "message": repr(failure)[:200]}}
    if stage == "strings" and id_ is not None:
        id_ = str(id_)
    if stage == "null" and "error" in reply:
        id_ = None
    print(json.dumps({"jsonrpc": "2.0", "id": id_, **reply}), flush=True)
