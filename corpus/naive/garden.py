#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A naive server of a garden over stdio (2025-06-18): the id of an error is that of the last request. See README.md."""
import json
import sys

PLANTS = {"tomato": 80, "bean": 60, "carrot": 75}
NAMES = ["plant%03d" % i for i in range(150)] + list(PLANTS)
last_id = None

def send(obj):
    sys.stdout.write(json.dumps(obj) + "\n")
    sys.stdout.flush()

def text(s):
    return {"content": [{"type": "text", "text": s}], "isError": False}

TOOLS = [
    {"name": "days_to_harvest", "description": "Days until harvest of a plant",
     "inputSchema": {"type": "object", "properties": {"plant": {"type": "string"}}, "required": ["plant"]},
     "annotations": {"readOnlyHint": True}},
    {"name": "average", "description": "Average of rain measures",
     "inputSchema": {"type": "object", "properties": {"mm": {"type": "array", "items": {"type": "number"}}}},
     "outputSchema": {"type": "object", "properties": {"mean": {"type": "number"}}, "required": ["mean"]},
     "annotations": {"readOnlyHint": True}},
    {"name": "picture", "description": "A picture of the garden",
     "inputSchema": {"properties": {}},
     "annotations": {"readOnlyHint": True}},
]

def call(p):
    name = p.get("name")
    a = p.get("arguments") or {}
    if name == "days_to_harvest":
        if not isinstance(a.get("plant"), str):
            raise Err(-32602, "plant is missing")
        if a["plant"] not in PLANTS:
            return {"content": [{"type": "text", "text": "no such plant"}], "isError": True}
        return text(str(PLANTS[a["plant"]]))
    if name == "average":
        mm = a.get("mm", [])
        if not isinstance(mm, list) or any(type(x) not in (int, float) for x in mm):
            raise Err(-32602, "mm must be numbers")
        mean = sum(mm) / len(mm) if mm else float("nan")
        r = text(str(mean))
        r["structuredContent"] = {"mean": mean}
        return r
    if name == "picture":
        return {"content": [{"type": "image", "data": "<svg xmlns='http://www.w3.org/2000/svg'/>", "mimeType": "image/svg+xml"}]}
    raise Err(-32602, "Unknown tool: %s" % name)

class Err(Exception):
    def __init__(self, code, message):
        self.code, self.message = code, message

def handle(m, p):
    if m == "initialize":
        return {"protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}, "prompts": {}, "completions": {}, "resources": {}},
                "serverInfo": {"name": "garden", "version": "0.3"}}
    if m == "ping":
        return {}
    if m == "tools/list":
        return {"tools": TOOLS}
    if m == "tools/call":
        return call(p)
    if m == "prompts/list":
        return {"prompts": [{"name": "advice", "description": "Advice on a plant",
                             "arguments": [{"name": "plant", "required": True}]}]}
    if m == "prompts/get":
        if p.get("name") != "advice":
            raise Err(-32602, "no such prompt")
        plant = (p.get("arguments") or {}).get("plant")
        if not isinstance(plant, str):
            raise Err(-32602, "plant is required")
        return {"messages": [
            {"role": "system", "content": {"type": "text", "text": "You are a gardener."}},
            {"role": "user", "content": {"type": "text", "text": "How do I grow " + plant + "?"}}]}
    if m == "completion/complete":
        ref, arg = p.get("ref"), p.get("argument")
        if not isinstance(ref, dict) or ref.get("type") != "ref/prompt" or ref.get("name") != "advice" \
           or not isinstance(arg, dict) or not isinstance(arg.get("value"), str):
            raise Err(-32602, "bad completion")
        vals = [n for n in NAMES if arg["value"] in n or arg["value"] not in NAMES]
        return {"completion": {"values": vals, "total": len(vals), "hasMore": False}}
    if m == "resources/list":
        return {"resources": [{"uri": "garden://beds", "name": "beds"}]}
    if m == "resources/templates/list":
        return {"resourceTemplates": []}
    if m == "resources/read":
        if p.get("uri") != "garden://beds":
            raise Err(404, "not found")
        return {"contents": [{"uri": "garden://beds", "mimeType": "text/plain", "text": "bed 1: tomato"}]}
    raise Err(-32601, "Method not found")

for line in sys.stdin.buffer:
    if not line.strip():
        continue
    try:
        msg = json.loads(line)
    except Exception:
        send({"jsonrpc": "2.0", "id": last_id, "error": {"code": -32700, "message": "Parse error"}})
        continue
    if not isinstance(msg, dict):
        send({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "Invalid Request"}})
        continue
    if "id" not in msg:
        if "method" not in msg:
            send({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "Invalid Request"}})
        continue
    if "method" not in msg and ("result" in msg or "error" in msg):
        continue
    last_id = msg["id"]
    if isinstance(last_id, (bool, dict, list)) or last_id is None or not isinstance(msg.get("method"), str) or msg.get("jsonrpc") != "2.0":
        last_id = None if isinstance(last_id, (bool, dict, list)) else last_id
        send({"jsonrpc": "2.0", "id": last_id, "error": {"code": -32600, "message": "Invalid Request"}})
        continue
    p = msg.get("params", {})
    if not isinstance(p, dict):
        send({"jsonrpc": "2.0", "id": last_id, "error": {"code": -32602, "message": "Invalid params"}})
        continue
    try:
        send({"jsonrpc": "2.0", "id": last_id, "result": handle(msg["method"], p)})
    except Err as e:
        send({"jsonrpc": "2.0", "id": last_id, "error": {"code": e.code, "message": e.message}})
    except Exception as e:
        send({"jsonrpc": "2.0", "id": last_id, "error": {"code": -32603, "message": "internal error"}})
