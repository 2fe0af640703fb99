#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A naive MCP server over HTTP (kitchen.py PORT; 2025-06-18): lengths in characters, streams written line by line. See README.md."""
import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

RECIPES = {"crepe": ["flour", "milk", "egg"], "soup": ["water", "salt"]}
SESSIONS = {}
TOOLS = [
    {"name": "find_recipe", "description": "Find a recipe (crepe)",
     "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
     "annotations": {"readOnlyHint": True}},
    {"name": "all_recipes", "description": "List all recipes",
     "inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnlyHint": True}},
    {"name": "report", "description": "A long report",
     "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}},
]


class NotFound(Exception):
    pass


def call(params):
    name, args = params.get("name"), params.get("arguments", {})
    if name == "find_recipe":
        r = RECIPES.get(args.get("name"))
        if r is None:
            return {"content": [{"type": "text", "text": "not found"}], "isError": True}
        return {"content": [{"type": "text", "text": ", ".join(r)}]}
    if name == "all_recipes":
        return {"content": [{"type": "text", "text": json.dumps(list(RECIPES))}],
                "structuredContent": list(RECIPES)}
    if name == "report":
        return {"content": [{"type": "text", "text": f"{len(RECIPES)} recipes\nall fine"}]}
    raise ValueError("unknown tool")


def dispatch(method, params):
    if method == "initialize":
        return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                "serverInfo": {"name": "recipes", "title": "Recettes", "version": "2.0"}}
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return call(params)
    raise NotFound(method)


class H(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *a):
        pass

    def json(self, status, obj, **headers):
        body = json.dumps(obj, ensure_ascii=False)
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", len(body))
        for k, v in headers.items():
            self.send_header(k.replace("_", "-"), v)
        self.end_headers()
        self.wfile.write(body.encode()[:len(body)])

    def sse(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def do_GET(self):
        self.sse()
        self.wfile.write(b"data: connected\n\n")
        self.wfile.flush()
        time.sleep(2)

    def do_DELETE(self):
        SESSIONS.pop(self.headers.get("Mcp-Session-Id"), None)
        self.json(200, {"ok": True})

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers.get("Origin", "http://localhost") != "http://localhost":
            return self.json(403, {"detail": "Forbidden"})
        if self.headers.get("Accept") != "application/json, text/event-stream":
            return self.json(406, {"detail": "Not Acceptable"})
        try:
            msg = json.loads(raw)
            method, params = msg["method"], msg.get("params", {})
        except (ValueError, KeyError, TypeError):
            return self.json(400, {"detail": "Bad Request"})
        if method == "initialize":
            sid = f"session {len(SESSIONS) + 1}"
            SESSIONS[sid] = True
            return self.json(200, {"jsonrpc": "2.0", "id": msg.get("id"), "result": dispatch(method, params)},
                             Mcp_Session_Id=sid)
        if self.headers.get("Mcp-Session-Id") not in SESSIONS:
            return self.json(404, {"detail": "Session not found"})
        if "id" not in msg:
            self.send_response(204)
            self.end_headers()
            return
        try:
            reply = {"jsonrpc": "2.0", "id": msg["id"], "result": dispatch(method, params)}
        except NotFound:
            return self.json(404, {"detail": "Not Found"})
        except Exception as e:
            reply = {"jsonrpc": "2.0", "id": msg["id"], "error": {"code": -32603, "message": str(e)}}
        if method == "tools/call":
            indent = 2 if params.get("name") == "report" else None
            self.sse()
            self.wfile.write(f"event: message\ndata: {json.dumps(reply, indent=indent)}\n\n".encode())
            self.wfile.flush()
            time.sleep(1)
            return
        self.json(200, reply)


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8805), H).serve_forever()
