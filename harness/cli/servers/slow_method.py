# SPDX-License-Identifier: Apache-2.0
# Plain JSON-RPC in lines, or by POST when a PORT is given, several messages side by side; the
# method "slow" takes a while in lines.
import http.server, json, sys, threading, time
def answer(text):
    try:
        message = json.loads(text)
    except ValueError:
        return {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "no"}}
    if not isinstance(message, dict) or "id" not in message:
        return None
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    if message.get("method") == "slow":
        time.sleep(0 if len(sys.argv) > 1 else 1.5)
        return {**reply, "result": 1}
    return {**reply, "error": {"code": -32601, "message": "no"}}
class Post(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        reply = answer(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps(reply).encode() if reply else b""
        self.send_response(200 if reply else 202)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *words):
        pass
if len(sys.argv) > 1:
    http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Post).serve_forever()
speaking = threading.Lock()
def serve(line):
    reply = answer(line)
    with speaking:
        if reply:
            print(json.dumps(reply), flush=True)
for line in sys.stdin:
    threading.Thread(target=serve, args=(line,)).start()
