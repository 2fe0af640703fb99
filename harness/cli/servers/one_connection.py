# SPDX-License-Identifier: Apache-2.0
# PORT: MCP over HTTP; PORT lines: plain JSON-RPC over TCP. It keeps a connection open and meanwhile
# looks at no other.
import contextlib, http.server, json, socket, sys
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *words): pass
    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        result = {"protocolVersion": "2025-11-25", "capabilities": {},
                  "serverInfo": {"name": "one_connection", "version": "1"}}
        answer = {"result": result} if message["method"] == "initialize" else {
            "error": {"code": -32601, "message": "no"}}
        body = json.dumps({"jsonrpc": "2.0", "id": message.get("id"), **answer}).encode()
        if "id" not in message: body = b""
        self.send_response(200 if body else 202)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
def serve_lines(listener):
    while True:
        with listener.accept()[0] as connection, contextlib.suppress(OSError):
            for line in connection.makefile():
                if not line.startswith("{"): continue
                message = json.loads(line)
                error = {"code": -32601, "message": "no"}
                answer = json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "error": error}) + "\n"
                if "id" in message: connection.sendall(answer.encode())
if sys.argv[2:] == ["lines"]: serve_lines(socket.create_server(("127.0.0.1", int(sys.argv[1]))))
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
