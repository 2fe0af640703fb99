# SPDX-License-Identifier: Apache-2.0
# Plain JSON-RPC on stdin and stdout, sound but for one thing: nobody's methods get -32000.
import json, math, sys
PARSE, INVALID, OWN = -32700, -32600, -32000
def refuse(id, code): return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": "no"}}
def is_id(id): return id is None or isinstance(id, (str, int, float)) and not isinstance(id, bool)
def constant(word): raise ValueError(word)
def answer(one):
    if not isinstance(one, dict): return refuse(None, INVALID)
    id, params = one.get("id"), one.get("params", {})
    if "method" not in one and ("result" in one or "error" in one): return None
    sound = (one.get("jsonrpc") == "2.0" and isinstance(one.get("method"), str) and
             is_id(id) and isinstance(params, (dict, list)))
    if not sound: return refuse(id if is_id(id) else None, INVALID)
    return refuse(id, OWN) if "id" in one else None
for line in sys.stdin.buffer:
    try:
        message = json.loads(line.decode("utf-8"), parse_constant=constant)
    except (ValueError, RecursionError):
        reply = refuse(None, PARSE)
    else:
        batch = isinstance(message, list) and message != []
        replies = [r for r in map(answer, message if batch else [message]) if r]
        reply = replies if batch else replies[0] if replies else None
    if reply: print(json.dumps(reply), flush=True)
