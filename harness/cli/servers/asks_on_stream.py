# SPDX-License-Identifier: Apache-2.0
# MCP over HTTP: PORT. A sound server that asks for roots before it serves the tool "look". It asks
# on the stream that a client opens with GET, and without one it waits.
import http.server, json, queue, sys, threading
answered, asking = threading.Event(), queue.Queue()
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *words): pass
    def say(self, status, value=None):
        body = b"" if value is None else json.dumps({"jsonrpc": "2.0", **value}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def do_POST(self):
        try: message = json.loads(self.rfile.read(int(self.headers["Content-Length"] or 0)))
        except ValueError: return self.say(400, {"id": None, "error": {"code": -32700, "message": "no"}})
        if "id" not in message: return self.say(202)
        if "method" not in message:
            answered.set()
            return self.say(202)
        if message["method"] == "tools/call":
            answered.clear()
            asking.put({"jsonrpc": "2.0", "id": 1, "method": "roots/list"})
            answered.wait()
        result = {"ping": {}, "tools/call": {"content": [{"type": "text", "text": "seen"}]},
                  "tools/list": {"tools": [{"name": "look", "inputSchema": {"type": "object"},
                                            "annotations": {"readOnlyHint": True}}]},
                  "initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                                 "serverInfo": {"name": "asks_on_stream", "version": "1"}}}.get(
                      message["method"])
        self.say(200, {"id": message["id"], **({"result": result} if result is not None else {
            "error": {"code": -32601, "message": "no"}})})
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        while True:
            self.wfile.write(b"data: %s\n\n" % json.dumps(asking.get()).encode())
            self.wfile.flush()
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
