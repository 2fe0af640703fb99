# SPDX-License-Identifier: Apache-2.0
# Plain JSON-RPC. Whether it has the method "coin" is decided by a coin, as often as it is asked.
import json, random, sys
for line in sys.stdin:
    try:
        message = json.loads(line)
    except ValueError:
        print(json.dumps({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "no"}}), flush=True)
        continue
    if not isinstance(message, dict) or "id" not in message:
        continue
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    if message.get("method") == "coin" and random.random() < 0.5:
        reply["result"] = 1
    else:
        reply["error"] = {"code": -32601, "message": "no"}
    print(json.dumps(reply), flush=True)
