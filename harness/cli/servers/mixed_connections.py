# SPDX-License-Identifier: Apache-2.0
# PORT all|last: plain JSON-RPC over TCP. Sends each response to all connections, or to the one that
# was opened last.
import contextlib, json, socketserver, sys
open_ones = []
class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        open_ones.append(self)
        for line in self.rfile:
            with contextlib.suppress(ValueError):
                message = json.loads(line)
                if "id" not in message: continue
                answer = {"jsonrpc": "2.0", "id": message["id"],
                          "error": {"code": -32601, "message": "no"}}
                self.send(json.dumps(answer).encode() + b"\n")
    def finish(self):
        open_ones.remove(self)
    def send(self, line):
        for one in list(open_ones) if sys.argv[2] == "all" else open_ones[-1:]:
            with contextlib.suppress(OSError): one.wfile.write(line)
class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True
Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
