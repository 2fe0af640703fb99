# SPDX-License-Identifier: Apache-2.0
# Plain JSON-RPC over tcp: PORT. Closes a connection that brings what is no JSON; with "dies"
# behind the port it ends then, with "each" it closes each behind its first answer.
import json, os, socketserver, sys
class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            try:
                reply = {"id": json.loads(line)["id"], "error": {"code": -32601, "message": "no"}}
            except ValueError:
                reply = {"id": None, "error": {"code": -32700, "message": "no"}}
            self.wfile.write(json.dumps({"jsonrpc": "2.0", **reply}).encode() + b"\n")
            if reply["id"] is None and "dies" in sys.argv: os._exit(1)
            if reply["id"] is None or "each" in sys.argv: return
socketserver.ThreadingTCPServer.daemon_threads = True
socketserver.ThreadingTCPServer.allow_reuse_address = True
socketserver.ThreadingTCPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
