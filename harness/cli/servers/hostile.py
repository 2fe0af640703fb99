# SPDX-License-Identifier: Apache-2.0
# Servers that misbehave on purpose, over stdio and, those called http_, over HTTP: MODE [PORT].
import json
import os
import signal
import socket
import sys
import threading
import time


def write(data):
    os.write(1, data) if len(data) <= 512 else sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def requests():
    """The requests that can be read from stdin; a sound server would do more about the rest."""
    for line in sys.stdin.buffer:
        try:
            message = json.loads(line)
        except ValueError:
            continue
        if isinstance(message, dict) and "id" in message:
            yield message


def answer(request, **changes):
    reply = {"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "no"}}
    if request.get("method") == "initialize" and changes.pop("mcp", False):
        del reply["error"]
        reply["result"] = {"protocolVersion": request["params"]["protocolVersion"],
                           "capabilities": {}, "serverInfo": {"name": "hostile", "version": "1"}}
    write(json.dumps(reply | changes).encode() + b"\n")


def stay():
    while True:
        time.sleep(60)


def flood():
    while True:
        sys.stdout.buffer.write(b'{"jsonrpc":"2.0","method":"notifications/more"}\n' * 1000)


def flood_garbage():
    while True:
        sys.stdout.buffer.write(b"garbage " * 8000 + b"\n")


def mute():
    stay()


def mute_after_handshake():
    for request in requests():
        answer(request, mcp=True)
        break
    stay()


def stops_answering():
    for count, request in enumerate(requests()):
        if count < 4:
            answer(request)


def gibibyte_line():
    for _ in requests():
        write(b'{"jsonrpc":"2.0","result":"')
        for _ in range(1024):
            write(b"x" * (1 << 20))
        write(b'"}\n')


def long_text_line():
    for request in requests():
        answer(request, error={"code": "x", "message": "y" * 10_000_000})


def many_values_line():
    for request in requests():
        write(b'{"jsonrpc":"2.0","id":%s,"result":[%s1]}\n'
              % (json.dumps(request["id"]).encode(), b"1," * 5_000_000))


def many_values_in_many_lines():
    line = b'{"jsonrpc":"2.0","method":"x","params":[' + b"1," * 200_000 + b"1]}\n"
    while True:
        write(line)


def brackets():
    for _ in requests():
        write(b"[" * 1_000_000 + b"\n")


def closes_stdout():
    for count, request in enumerate(requests()):
        if count < 3:
            answer(request)
        else:
            os.close(1)
            stay()


def exits_in_the_middle():
    for count, request in enumerate(requests()):
        if count == 3:
            os.write(1, b'{"jsonrpc":"2.0","id')
            os._exit(9)
        answer(request)


def ignores_sigterm():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for request in requests():
        answer(request, id="ghost")
    stay()


def ignores_end_of_input():
    for request in requests():
        answer(request, error={"code": "x"})
    stay()


def leaves_children():
    for _ in range(3):
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            stay()
    for request in requests():
        answer(request, jsonrpc="3.0")


def garbage():
    for request in requests():
        write(b"\x1b[31mred\x1b]0;owned\x07 \xff\xfe\x00\xc3\x28 \x9b2J\n")
        answer(request, error={"code": -32601, "message": "\x1b[2J\x9b\u202e"})


def stderr_flood():
    def pour():
        while True:
            os.write(2, b"\x1b[5mnoise " * 1000 + b"\n")
    threading.Thread(target=pour, daemon=True).start()
    for request in requests():
        answer(request, id=None)


def replies_twice():
    for request in requests():
        answer(request)
        answer(request)


def id_zero_always():
    for request in requests():
        answer(request, id=0)


def http_target(respond):
    """Serves `respond(connection)` to every connection, after the head of a request was read."""
    listener = socket.create_server(("127.0.0.1", int(sys.argv[2])), backlog=64)

    def serve(connection):
        try:
            connection.recv(65536)
            respond(connection)
        except OSError:
            pass
        connection.close()

    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()


def http_endless_body():
    def respond(connection):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                           b"Transfer-Encoding: chunked\r\n\r\n")
        while True:
            connection.sendall(b"10000\r\n" + b"[" * 0x10000 + b"\r\n")
    http_target(respond)


def http_endless_headers():
    def respond(connection):
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        while True:
            connection.sendall(b"X-More: " + b"h" * 1000 + b"\r\n")
    http_target(respond)


def http_endless_events():
    def respond(connection):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        while True:
            connection.sendall(b'data: {"jsonrpc":"2.0","method":"x"}\n\n' * 500)
    http_target(respond)


def http_never_answers():
    http_target(lambda connection: time.sleep(1000))


def http_drips():
    def respond(connection):
        for byte in b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + b"X: " + b"d" * 9999:
            connection.sendall(bytes([byte]))
            time.sleep(0.2)
    http_target(respond)


def sse_target(begin, forever=b""):
    def respond(connection):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + begin)
        while forever:
            connection.sendall(forever)
        stay()
    http_target(respond)


def http_sse_without_endpoint():
    sse_target(b": nothing yet\n\n")


def http_sse_endpoint_elsewhere():
    sse_target(b"event: endpoint\ndata: http://rpcspec.example/messages\n\n")


def http_sse_endless_line():
    sse_target(b"event: endpoint\ndata: /mcp\n\ndata: ", b"x" * 65536)


def http_sse_endless_events():
    sse_target(b"event: endpoint\ndata: /mcp\n\n",
               b'data: {"jsonrpc":"2.0","method":"x"}\n\n' * 500)


def http_sse_drips():
    http_drips()


if __name__ == "__main__":
    try:
        globals()[sys.argv[1]]()
    except (BrokenPipeError, KeyboardInterrupt):
        pass
    os._exit(0)
