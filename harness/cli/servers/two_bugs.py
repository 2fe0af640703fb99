# SPDX-License-Identifier: Apache-2.0
# JSON-RPC 2.0 with two bugs: a reply to params that are not empty has a result and an error, and one
# to a method with a name of less than three letters lacks its version.
import json
import sys


def reply(message):
    if not isinstance(message, dict) or not isinstance(message.get("method"), str):
        return {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "no request"}}
    if "id" not in message:
        return None
    out = {"jsonrpc": "2.0", "id": message["id"]}
    out["error"] = {"code": -32601, "message": "no such method"}
    if message.get("params"):
        out["result"] = 0
    if len(message["method"]) < 3:
        del out["jsonrpc"]
    return out


for line in sys.stdin:
    try:
        answer = reply(json.loads(line))
    except ValueError:
        answer = {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "no JSON"}}
    if answer:
        print(json.dumps(answer), flush=True)
