# SPDX-License-Identifier: Apache-2.0
# JSON-RPC 2.0 over tcp with no method of its own: PORT METHOD [MORE]. Ends when it is asked for
# METHOD, or so many messages later.
import json, os, socket, sys, threading
left = None
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
def reply_to(one):
    sound = (isinstance(one, dict) and one.get("jsonrpc") == "2.0" and isinstance(one.get("method"), str)
             and type(one.get("id", 0)) in (str, int) and isinstance(one.get("params", []), (list, dict)))
    error = {"code": -32601 if sound else -32600, "message": "no"}
    return None if sound and "id" not in one else {"jsonrpc": "2.0", "id": one["id"] if sound else None, "error": error}
def serve(connection):
    global left
    stream = connection.makefile("rwb")
    for line in stream:
        if left is not None:
            left -= 1
        elif b'"method":"' + sys.argv[2].encode() + b'"' in line:
            left = int(sys.argv[3]) if len(sys.argv) > 3 else 0
        if left == 0:
            os._exit(3)
        try:
            said = json.loads(line.decode())
        except ValueError:
            reply = {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "no"}}
        else:
            many = isinstance(said, list) and said
            reply = [one for one in map(reply_to, said) if one] if many else reply_to(said)
        if reply:
            stream.write(json.dumps(reply).encode() + b"\n")
            stream.flush()
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
