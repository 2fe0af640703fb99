#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A naive MCP server over HTTP with event streams (radio.py PORT): events do not end. See README.md."""
import http.server
import json
import sys

STATIONS = {"one": "Bach", "two": "Miles Davis"}
TOOLS = [{"name": "playing", "description": "What a station plays.",
          "annotations": {"readOnlyHint": True},
          "inputSchema": {"type": "object", "properties": {"station": {"type": "string"}},
                          "required": ["station"]}}]


def call(params):
    if params["name"] == "playing":
        text = STATIONS.get(params["arguments"]["station"], "nothing")
        return {"content": [{"type": "text", "text": text}]}


def answer(message):
    method, reply = message["method"], {"jsonrpc": "2.0", "id": message["id"]}
    if method == "initialize":
        reply["result"] = {"protocolVersion": "2025-03-26", "capabilities": {"tools": {}},
                           "serverInfo": {"name": "radio", "version": "1"}}
    elif method == "ping":
        reply["result"] = {}
    elif method == "tools/list":
        reply["result"] = {"tools": TOOLS}
    elif method == "tools/call":
        reply["result"] = call(message["params"])
    else:
        reply["error"] = {"code": 404, "message": "Not found: " + method}
    return reply


class Radio(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if isinstance(message, list):
            message = message[0]
        if message["method"].startswith("notifications/"):
            self.send_response(202)
            return self.end_headers()
        text = json.dumps(answer(message))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Mcp-Session-Id", "1")
        self.end_headers()
        self.wfile.write(f"event: message\ndata: {text}\n".encode())


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Radio).serve_forever()
