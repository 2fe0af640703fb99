#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A naive server of lights over HTTP+SSE (2024-11-05), a thread for each request (lights.py PORT): each response is given twice."""
import json, queue, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlparse, parse_qs

SESSIONS = {}          # number: queue
LIGHTS = {"hall": "on", "stairs": "off"}
counter = 0

TOOLS = [{"name": "light", "description": "Is a light on?", "annotations": {"readOnlyHint": True},
          "inputSchema": {"type": "object", "properties": {"where": {"type": "string"}}, "required": ["where"]}}]

def handle(msg):
    method, p = msg["method"], msg.get("params") or {}
    if method == "initialize":
        return {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}, "resources": {"subscribe": True}},
                "serverInfo": {"name": "lights", "version": "1"}}
    if method == "ping": return {}
    if method == "tools/list": return {"tools": TOOLS}
    if method == "tools/call":
        if p["name"] != "light": raise LookupError("unknown tool " + p["name"])
        return {"content": [{"type": "text", "text": LIGHTS[p["arguments"]["where"]]}]}
    if method == "resources/list":
        return {"resources": [{"uri": f"light://{k}", "name": k} for k in LIGHTS]}
    if method == "resources/read":
        return {"contents": [{"uri": p["uri"], "text": LIGHTS[p["uri"][8:]]}]}
    if method in ("resources/subscribe", "resources/unsubscribe"):
        return {"success": True}
    if method.startswith("notifications/"): return None
    raise NotImplementedError(method)

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *a): pass
    def do_GET(self):
        global counter
        if urlparse(self.path).path != "/sse":
            self.send_response(404); self.send_header("Content-Length", "0"); self.end_headers(); return
        counter += 1
        number = counter
        SESSIONS[number] = q = queue.Queue()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(f"event: endpoint\ndata: /messages?session={number}\n\n".encode())
        try:
            while True:
                try:
                    self.wfile.write(f"event: message\ndata: {q.get(timeout=5)}\n\n".encode())
                except queue.Empty:
                    self.wfile.write(b"event: ping\ndata: \n\n")
        except OSError: pass
        self.close_connection = True
    def do_POST(self):
        number = int(parse_qs(urlparse(self.path).query)["session"][0])
        q = SESSIONS[number]
        body = self.rfile.read(int(self.headers["Content-Length"]))
        msg = json.loads(body)
        try:
            answer = {"jsonrpc": "2.0", "id": msg.get("id"), "result": handle(msg)}
        except NotImplementedError as e:
            answer = {"jsonrpc": "2.0", "id": msg.get("id"), "error": {"code": -32601, "message": f"no method {e}"}}
        except Exception as e:
            answer = {"jsonrpc": "2.0", "id": msg.get("id"), "error": {"code": -32603, "message": repr(e)}}
        text = json.dumps(answer)
        if msg.get("id") is not None:
            q.put(text)
        out = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(out)))
        self.end_headers()
        self.wfile.write(out)

ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
