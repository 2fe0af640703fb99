#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A naive MCP server over HTTP, by hand on asyncio (diary.py PORT): sessions named by the clock, streams that stay open. See README.md."""
import asyncio
import datetime
import json
import sys

PAGES = {"monday": "Rain. Stayed in.", "tuesday": "Sun, at last!"}
TOOLS = [{"name": "page", "description": "The page of a day.", "annotations": {"readOnlyHint": True},
          "inputSchema": {"type": "object", "properties": {"day": {"type": "string", "enum": list(PAGES)}}, "required": ["day"]}}]
REASONS = {200: "OK", 202: "Accepted", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Not Allowed", 406: "Not Acceptable"}
sessions = set()
streams = []  # those that are open

def serve(method, params):
    if method == "initialize":
        return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "diary", "version": "1.0"}}
    if method in ("ping", "tools/list"):
        return {"tools": TOOLS} if method == "tools/list" else {}
    if method != "tools/call":
        raise LookupError(-32601, f"Method not found: {method}")
    if params.get("name") != "page":
        raise LookupError(-32602, "Unknown tool")
    day = (params.get("arguments") or {}).get("day")
    return {"content": [{"type": "text", "text": PAGES.get(day, f"No page of {day}")}], "isError": day not in PAGES}

def head(writer, status, **headers):
    lines = [f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items()]
    writer.write((f"HTTP/1.1 {status} {REASONS[status]}\r\n" + "".join(lines) + "\r\n").encode())

def say(writer, status, value=None, **headers):
    body = b"" if value is None else json.dumps(value).encode()
    head(writer, status, Content_Type="application/json", Content_Length=len(body), **headers)
    writer.write(body)


def stream(writer):
    head(writer, 200, Content_Type="text/event-stream", Cache_Control="no-cache")
    streams.append(writer)

def post(writer, headers, body):
    trusted = headers.get("origin", "http://localhost").startswith(("http://localhost", "http://127.0.0.1"))
    if not trusted or headers.get("accept") != "application/json, text/event-stream":
        return say(writer, 406 if trusted else 403)
    try:
        message = json.loads(body)
    except ValueError:
        return say(writer, 400, {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}})
    response = isinstance(message, dict) and "method" not in message and ("result" in message or "error" in message)
    if not response and (not isinstance(message, dict) or not isinstance(message.get("method"), str)):
        return say(writer, 400, {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "Invalid Request"}})
    method = message.get("method")
    if method != "initialize" and headers.get("mcp-session-id") not in sessions:
        return say(writer, 404)
    if response or "id" not in message:
        return say(writer, 202)
    reply, more = {"jsonrpc": "2.0", "id": message["id"]}, {}
    try:
        reply["result"] = serve(method, message.get("params") or {})
    except LookupError as error:
        reply["error"] = {"code": error.args[0], "message": error.args[1]}
    if method == "initialize":
        more["Mcp_Session_Id"] = datetime.datetime.now().isoformat(" ", "seconds")
        sessions.add(more["Mcp_Session_Id"])
    if method != "tools/call":
        return say(writer, 200, reply, **more)
    stream(writer)
    for one in streams:
        one.write(f"id: 1\r\nevent: reply\r\ndata: {json.dumps(reply)}\r\n\r\n".encode())

async def connected(reader, writer):
    while line := await reader.readline():
        verb, headers = line.split()[0], {}
        while line := (await reader.readline()).decode().strip():
            name, value = line.split(":", 1)
            headers[name.lower()] = value.strip()
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        if verb == b"POST":
            post(writer, headers, body)
        elif verb == b"GET" and "text/event-stream" in headers.get("accept", ""):
            stream(writer)
        else:
            say(writer, 200 if verb == b"DELETE" else 405)
    writer.close()

async def main():
    await (await asyncio.start_server(connected, "127.0.0.1", int(sys.argv[1]))).serve_forever()

asyncio.run(main())
