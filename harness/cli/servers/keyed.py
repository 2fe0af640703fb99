# SPDX-License-Identifier: Apache-2.0
# Plain JSON-RPC over HTTP: PORT. Only who sends the header X-Key is answered.
import http.server, json, sys
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *words): pass
    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"]))
        body, status = b"", 401
        if self.headers["X-Key"] == "s3cret-key":
            status = 200
            body = json.dumps({"jsonrpc": "2.0", "id": json.loads(text).get("id"),
                               "error": {"code": -32601, "message": "no"}}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
