# SPDX-License-Identifier: Apache-2.0
# JSON-RPC 2.0 as small libraries have it: ids wrap to 64 bits or become doubles, an id of another
# type makes a notification, `[]` is answered by `[]`, and a NUL ends the text. With the word
# "fragile" it ends at more than 5000 opening brackets.
import json, os, sys

def kept(id):
    if isinstance(id, float): return 0.0 if abs(id) < 1e-300 else id
    if isinstance(id, int) and not isinstance(id, bool): return (id + 2**63) % 2**64 - 2**63
    return id

def fail(code, id=None):
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": "no"}}

def served(one):
    if not isinstance(one, dict): return fail(-32600)
    id = one.get("id")
    if isinstance(id, (bool, list, dict)): return None
    if one.get("jsonrpc") != "2.0" or not isinstance(one.get("method"), str):
        return fail(-32600, kept(id) if id is not None else None)
    if "id" not in one: return None
    if one["method"] != "add": return fail(-32601, kept(id))
    try: return {"jsonrpc": "2.0", "id": kept(id), "result": sum(one.get("params", []))}
    except TypeError: return fail(-32602, kept(id))

for line in sys.stdin.buffer:
    text = line.rstrip(b"\n").split(b"\0")[0]
    if "fragile" in sys.argv and text.count(b"[") > 5000: os._exit(3)
    try: message = json.loads(text)
    except (ValueError, RecursionError): reply = fail(-32700)
    else:
        if isinstance(message, list): reply = [one for one in map(served, message) if one]
        else: reply = served(message)
    if reply is not None: print(json.dumps(reply), flush=True)
