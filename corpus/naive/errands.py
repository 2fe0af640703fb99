#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A naive server of errands over stdio (2025-11-25), one asyncio task for each message: it invents progress tokens. See README.md."""
import asyncio
import json
import sys

ERRANDS = {1: "post the letter", 2: "buy bread"}
waiting = {}
running = {}
counter = 0
level = "info"

TOOLS = [
    {"name": "list_errands", "description": "All errands",
     "inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnlyHint": True}},
    {"name": "walk", "description": "Walks for some tenths of a second",
     "inputSchema": {"type": "object", "properties": {"steps": {"type": "integer", "minimum": 1, "maximum": 30}}, "required": ["steps"]},
     "annotations": {"readOnlyHint": True}},
    {"name": "ask_when", "description": "Asks the user when an errand is to be run",
     "inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnlyHint": True}},
]


class Fail(Exception):
    pass


def write(msg):
    sys.stdout.write(json.dumps(msg) + "\n")
    sys.stdout.flush()


def log(severity, text):
    write({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": severity, "logger": "errands", "text": text}})


async def ask_client(method, params):
    global counter
    counter += 1
    future = asyncio.get_running_loop().create_future()
    waiting[counter] = future
    write({"jsonrpc": "2.0", "id": counter, "method": method, "params": params})
    return await future


async def call_tool(rid, params):
    name = params.get("name")
    args = params.get("arguments", {})
    if not isinstance(args, dict):
        raise Fail(-32602, "arguments must be an object")
    log("debug", "calling %s" % name)
    if name == "list_errands":
        return {"content": [{"type": "text", "text": text} for text in ERRANDS.values()]}
    if name == "walk":
        steps = args.get("steps")
        if type(steps) is not int or not 1 <= steps <= 30:
            return {"content": [{"type": "text", "text": "steps must be an integer from 1 to 30"}], "isError": True}
        for step in range(steps):
            await asyncio.sleep(0.1)
            write({"jsonrpc": "2.0", "method": "notifications/progress",
                   "params": {"progressToken": "walk-%s" % rid, "progress": step + 1, "total": steps}})
        return {"content": [{"type": "text", "text": "walked %d steps" % steps}]}
    if name == "ask_when":
        reply = await ask_client("elicitation/create", {"message": "When?", "requestedSchema": {
            "type": "object", "properties": {"when": {"type": "object", "properties": {"day": {"type": "string"}}}}}})
        return {"content": [{"type": "text", "text": "at %s" % reply["content"]["when"]}]}
    raise Fail(-32602, "Unknown tool: %s" % name)


async def serve(rid, method, params):
    global level
    if method == "initialize":
        version = params.get("protocolVersion")
        if not isinstance(version, str):
            raise Fail(-32602, "protocolVersion is missing")
        return {"protocolVersion": version if version in ("2025-06-18", "2025-11-25") else "2025-11-25",
                "capabilities": {"tools": {}, "logging": {}, "prompts": {}},
                "serverInfo": {"name": "errands", "version": "0.1.0"}}
    if method == "ping":
        return {}
    if method == "logging/setLevel":
        if params.get("level") not in ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"):
            raise Fail(-32602, "unknown level")
        level = params["level"]
        return {"level": level, "ok": True}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return await call_tool(rid, params)
    if method == "prompts/list":
        return {"prompts": [{"name": "plan", "description": "Plan the day", "arguments": [{"name": "day", "required": "true"}]}]}
    if method == "prompts/get":
        if params.get("name") != "plan":
            raise Fail(-32602, "unknown prompt")
        return {"messages": [{"role": "user", "content": [{"type": "text", "text": "Plan my " + params["arguments"]["day"]}]}]}
    raise Fail(-32601, "Method not found")


async def handle(msg):
    rid = msg["id"]
    try:
        write({"jsonrpc": "2.0", "id": rid, "result": await serve(rid, msg["method"], msg.get("params") or {})})
    except Fail as e:
        write({"jsonrpc": "2.0", "id": rid, "error": {"code": e.args[0], "message": e.args[1]}})
    except asyncio.CancelledError:
        write({"jsonrpc": "2.0", "id": rid, "error": {"code": -32800, "message": "Request cancelled"}})
    finally:
        running.pop(rid, None)


async def main():
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        try:
            msg = json.loads(line)
        except ValueError:
            write({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}})
            continue
        if not isinstance(msg, dict) or msg.get("jsonrpc") != "2.0":
            write({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "Invalid Request"}})
        elif "method" not in msg and "id" in msg:
            future = waiting.pop(msg["id"], None)
            if future:
                future.set_result(msg["result"])
        elif "id" in msg:
            running[msg["id"]] = loop.create_task(handle(msg))
        elif msg.get("method") == "notifications/cancelled":
            task = running.get(msg.get("params", {}).get("requestId"))
            if task:
                task.cancel()

asyncio.run(main())
