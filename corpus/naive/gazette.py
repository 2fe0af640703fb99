#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A naive server of news over HTTP+SSE (2024-11-05), by hand on asyncio (gazette.py PORT): one stream for all."""
import asyncio
import json
import sys
import traceback
import uuid

streams = {}
last = None
NEWS = {"news://1": "It rains", "news://2": "It snows"}
TOOLS = [{"name": "headline", "description": "The headline of today",
          "inputSchema": {"properties": {}}, "annotations": {"readOnlyHint": True}}]


def run(method, params):
    if method == "initialize":
        return {"protocolVersion": "2024-11-05", "capabilities": {"tools": {}, "resources": {}},
                "serverInfo": {"name": "gazette", "version": "0.3"}}
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        if params.get("name") == "headline":
            return {"content": [{"type": "text", "text": "It rains"}]}
        return None
    if method == "resources/list":
        return {"resources": [{"uri": u, "name": u[7:], "mimeType": "text/plain"} for u in NEWS]}
    if method == "resources/read":
        uri = params.get("uri")
        return {"contents": [{"uri": u, "text": t} for u, t in NEWS.items() if u == uri]}
    if method == "resources/templates/list":
        return {"resourceTemplates": []}
    raise LookupError(method)


def answer(message):
    try:
        return {"jsonrpc": "2.0", "id": message.get("id"), "result": run(message["method"], message.get("params") or {})}
    except LookupError as e:
        return {"jsonrpc": "2.0", "id": message.get("id"), "error": {"code": -32601, "message": "Method not found: " + str(e)}}


def head(status, kind, length=None):
    text = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n"
    text += f"Content-Length: {length}\r\n\r\n" if length is not None else "Cache-Control: no-cache\r\n\r\n"
    return text.encode()


async def client(reader, writer):
    global last
    try:
        while True:
            line = (await reader.readline()).decode().split()
            if not line:
                break
            headers = {}
            while (row := (await reader.readline()).decode().strip()):
                key, _, value = row.partition(":")
                headers[key.lower()] = value.strip()
            verb, path = line[0], line[1]
            if verb == "GET" and path == "/sse":
                session = uuid.uuid4().hex
                streams[session] = last = writer
                writer.write(head("200 OK", "text/event-stream"))
                writer.write(f"event: endpoint\ndata: /messages?session={session}\n\n".encode())
                await writer.drain()
                await reader.read()
                streams.pop(session, None)
                break
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            if verb != "POST" or not path.startswith("/messages"):
                writer.write(head("404 Not Found", "text/plain", 0))
                continue
            try:
                reply = answer(json.loads(body))
            except Exception:
                page = traceback.format_exc().encode()
                writer.write(head("500 Internal Server Error", "text/plain", len(page)) + page)
                await writer.drain()
                continue
            writer.write(head("202 Accepted", "text/plain", 8) + b"Accepted")
            await writer.drain()
            last.write(f"event: message\ndata: {json.dumps(reply)}\n\n".encode())
            await last.drain()
    except (ConnectionError, asyncio.IncompleteReadError):
        pass
    writer.close()


async def main():
    server = await asyncio.start_server(client, "127.0.0.1", int(sys.argv[1]))
    async with server:
        await server.serve_forever()

asyncio.run(main())
