# SPDX-License-Identifier: Apache-2.0
# Stands in front of a server of MCP over HTTP and counts: connections and sessions that are open at
# one time. What it counted is in FILE, as JSON.
#
#   counting.py PORT MODE FILE -- COMMAND…      BEHIND in COMMAND is its port
#
#   plain  passes everything on
#   few    keeps four sessions, and answers 503 to one more
#   busy   answers each ninth request with 429 and Retry-After
import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys

PORT, MODE, FILE = int(sys.argv[1]), sys.argv[2], sys.argv[3]
COMMAND = sys.argv[5:]
MOST_SESSIONS = 4
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.I)
SESSION = re.compile(rb"\r\nmcp-session-id: *([^\r]+)\r\n", re.I)

open_connections, sessions = set(), set()
count = {"connections": 0, "sessions": 0, "refused": 0, "busy": 0, "left": 0}
posts = 0


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


BEHIND = free_port()


def tell():
    count["left"] = len(sessions)
    with open(FILE + ".new", "w", encoding="utf-8") as out:
        json.dump(count, out)
    os.replace(FILE + ".new", FILE)


def whole(request):
    """Whether this is one request from its first byte to its last."""
    head, end, body = request.partition(b"\r\n\r\n")
    length = LENGTH.search(head + b"\r\n")
    return bool(end) and length is not None and len(body) == int(length[1])


def answer(status, more=""):
    return f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n{more}\r\n".encode()


def refusal(request):
    """What is said in place of the server, if anything."""
    global posts
    if not request.startswith(b"POST ") or not whole(request):
        return None
    posts += 1
    if MODE == "busy" and posts > 3 and posts % 9 == 0:
        count["busy"] += 1
        return answer("429 Too Many Requests", "Retry-After: 0\r\n")
    if MODE == "few" and b'"method":"initialize"' in request and len(sessions) >= MOST_SESSIONS:
        count["refused"] += 1
        return answer("503 Service Unavailable")
    return None


async def serve(reader, writer):
    open_connections.add(writer)
    await asyncio.sleep(0.005)  # those that have been closed are seen by then
    count["connections"] = max(count["connections"], len(open_connections))
    server_reader, server_writer = await asyncio.open_connection("127.0.0.1", BEHIND)
    initializes = False

    async def back():
        while answered := await server_reader.read(1 << 16):
            session = SESSION.search(answered)
            if initializes and session:
                sessions.add(session[1])
                count["sessions"] = max(count["sessions"], len(sessions))
            writer.write(answered)
            await writer.drain()
        writer.close()

    answers = asyncio.ensure_future(back())
    try:
        while asked := await reader.read(1 << 16):
            if said := refusal(asked):
                writer.write(said)
                continue
            initializes = b'"method":"initialize"' in asked
            if asked.startswith(b"DELETE ") and (session := SESSION.search(asked)):
                sessions.discard(session[1])
            server_writer.write(asked)
            await server_writer.drain()
    except OSError:
        pass
    open_connections.discard(writer)
    server_writer.close()
    writer.close()
    answers.cancel()
    tell()


async def main():
    behind = subprocess.Popen([word.replace("BEHIND", str(BEHIND)) for word in COMMAND])
    try:
        for _ in range(500):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", BEHIND)) == 0:
                    break
            await asyncio.sleep(0.02)
        server = await asyncio.start_server(serve, "127.0.0.1", PORT)
        ended = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
        await ended.wait()
        server.close()
    finally:
        behind.terminate()
        tell()


asyncio.run(main())
