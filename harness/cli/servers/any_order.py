# SPDX-License-Identifier: Apache-2.0
# Plain JSON-RPC 2.0 over stdio out of a pool of threads: each line is answered when its turn comes,
# so answers overtake each other. It has no methods.
import json, random, sys, threading, time
lock = threading.Lock()
def error(ident, code, text):
    return {"jsonrpc": "2.0", "id": ident, "error": {"code": code, "message": text}}
def reply_to(message):
    if not isinstance(message, dict): return error(None, -32600, "no object")
    ident = message.get("id")
    if isinstance(ident, (bool, dict, list)): return error(None, -32600, "no id")
    if message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
        return error(ident, -32600, "no request")
    if not isinstance(message.get("params", []), (dict, list)):
        return error(ident, -32600, "no params")
    return error(ident, -32601, "no such method") if "id" in message else None
def answer(line):
    time.sleep(random.random() * 0.005)
    try: message = json.loads(line.decode("utf-8"), parse_constant=lambda word: 1 / 0)
    except (ValueError, ZeroDivisionError, RecursionError): reply = error(None, -32700, "no JSON")
    else:
        batch = isinstance(message, list) and message
        replies = [one for one in map(reply_to, message) if one] if batch else None
        reply = (replies or None) if batch else reply_to(message)
    if reply is None: return
    with lock:
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()
for line in sys.stdin.buffer:
    if line.strip(): threading.Thread(target=answer, args=(line,), daemon=True).start()
