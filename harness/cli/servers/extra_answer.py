# SPDX-License-Identifier: Apache-2.0
# MCP over HTTP: PORT. Each answer is followed by another one on the connection, which nobody asked
# for.
import http.server, json, sys
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *words): pass
    def say(self, status, value):
        body = b"" if value is None else json.dumps(value).encode()
        head = "HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        answer = (head % (status, len(body))).encode() + body
        self.wfile.write(answer + (answer if status == 200 else b""))
    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"] or 0))
        fail = lambda id, code: {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": "no"}}
        try: message = json.loads(text)
        except (ValueError, RecursionError): return self.say(400, fail(None, -32700))
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            return self.say(400, fail(None, -32600))
        if "id" not in message: return self.say(202, None)
        results = {"ping": {}, "initialize": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "serverInfo": {"name": "extra_answer", "version": "1"}}}
        result = results.get(message["method"])
        self.say(200, fail(message["id"], -32601) if result is None else
                 {"jsonrpc": "2.0", "id": message["id"], "result": result})
    def do_GET(self): self.say(405, None)
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
