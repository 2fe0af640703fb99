# SPDX-License-Identifier: Apache-2.0
# MCP over HTTP: PORT. A sound server of few words, whose 202 has the body null.
import http.server, json, sys
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *words): pass
    def say(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"] or 0))
        fail = lambda id, code: {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": "no"}}
        try: message = json.loads(text)
        except ValueError: return self.say(400, fail(None, -32700))
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            return self.say(400, fail(None, -32600))
        if "id" not in message: return self.say(202, None)
        results = {"ping": {}, "initialize": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "serverInfo": {"name": "null_body", "version": "1"}}}
        result = results.get(message["method"])
        self.say(200, fail(message["id"], -32601) if result is None else
                 {"jsonrpc": "2.0", "id": message["id"], "result": result})
    def do_GET(self): self.say(405, None)
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
