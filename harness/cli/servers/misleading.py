# SPDX-License-Identifier: Apache-2.0
# MCP over stdio, with one thing wrong that makes many others look broken: KIND [LIMIT]. Kinds
# `delays` and `batch-late` are sound: what is an error, or a batch, is answered LIMIT seconds
# later than what is asked behind it.
import json, sys, threading, time
kind = sys.argv[1]
limit = float(sys.argv[2]) if len(sys.argv) > 2 else 0
lock = threading.Lock()
previous = None
wedged = False
TOOL = {"name": "say", "annotations": {"readOnlyHint": True},
        "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}}
def fail(code, text): return {"error": {"code": code, "message": text}}
def unread(code, text): return {"jsonrpc": "2.0", "id": None, **fail(code, text)}
def write(value):
    text = json.dumps(value)
    with lock:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
def answer(method, params):
    if not isinstance(params, dict):
        return fail(-32602 if isinstance(params, list) else -32600, "no object")
    if method == "initialize":
        asked = params.get("protocolVersion")
        if not isinstance(asked, str): return fail(-32602, "no version")
        return {"result": {
            "protocolVersion": asked if asked in ("2025-03-26", "2025-11-25") else "2025-11-25",
            "capabilities": {"tools": {}}, "serverInfo": {"name": "misleading", "version": "1"}}}
    if method == "ping": return {"result": {}}
    if method == "tools/list": return {"result": {"tools": [TOOL]}}
    if method == "tools/call":
        if params.get("name") != "say": return fail(-32602, "no such tool")
        if not isinstance(params.get("arguments", {}), dict): return fail(-32602, "no object")
        return {"result": {"content": [{"type": "text", "text": "said"}]}}
    return fail(-32601, "no such method")
def reply_to(message):
    """None: there is none."""
    global wedged
    if not isinstance(message, dict): return unread(-32600, "no request")
    if "method" not in message and ("result" in message or "error" in message): return None
    id = message.get("id")
    odd = "id" in message and (isinstance(id, (dict, list, bool)) or id is None)
    if odd or message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
        own = id if isinstance(id, (int, str)) and not odd else None
        return {**unread(-32600, "no request"), "id": own}
    if "id" not in message: return None
    params = message.get("params", {})
    if kind == "wedge" and isinstance(params, dict):
        wedged = wedged or isinstance(params.get("arguments"), str)
    return {"jsonrpc": "2.0", "id": id, **answer(message["method"], params)}
def take(message):
    global previous
    if isinstance(message, list) and message and kind == "batch-late":
        replies = [reply for reply in map(reply_to, message) if reply]
        if replies: threading.Timer(limit, write, (replies,)).start()
        return
    reply = reply_to(message)
    if wedged or not reply: return
    if kind == "previous-id" and reply["id"] is not None: reply["id"], previous = previous, reply["id"]
    late = kind == "delays" and "error" in reply
    threading.Timer(limit, write, (reply,)).start() if late else write(reply)
for line in sys.stdin.buffer:
    if kind in ("limit", "deaf") and len(line) - 1 > limit:
        if kind == "limit": sys.exit(1)
        continue
    if not line.strip(): continue
    try: message = json.loads(line)
    except (ValueError, RecursionError):
        if not wedged: write(unread(-32700, "no JSON"))
        continue
    take(message)
time.sleep(2 * limit if kind in ("delays", "batch-late") else 0.5)
