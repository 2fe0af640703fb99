#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A sound server of an almanac over stdio (2025-11-25) with lawful habits that are rare: it starts slowly, logs much on stderr,
replies in any order, and lists 300 tools by pages. It must not get a finding. See README.md."""
import base64
import json
import random
import sys
import threading
import time

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
PAGE = 40
DAYS = 300
out_lock = threading.Lock()
session = {"level": "info", "ready": False, "version": None}
running = {}  # spelling of an id -> event that is set when it is cancelled


class Refused(Exception):
    def __init__(self, code, message, data=None):
        super().__init__(message)
        self.error = {"message": message, "code": code}
        if data is not None:
            self.error["data"] = data


def write(message):
    text = json.dumps(message, sort_keys=True, separators=(" , ", " : "))
    with out_lock:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


def log(level, text):
    print(time.strftime("%H:%M:%S"), level.upper(), text, "\u2026", file=sys.stderr, flush=True)
    if session["ready"] and LEVELS.index(level) >= LEVELS.index(session["level"]):
        write({"jsonrpc": "2.0", "method": "notifications/message",
               "params": {"level": level, "logger": "almanac/main", "data": {"text": text, "at": time.time()}}})


def tool(day):
    return {"name": "day_%03d" % day, "title": "Day %d" % day, "description": "What is known of day %d \u2600" % day,
            "inputSchema": {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "additionalProperties": False,
                            "properties": {"detail": {"type": "integer", "minimum": 0, "maximum": 3}}},
            "outputSchema": {"type": "object", "properties": {"day": {"type": "integer"}, "length": {"type": "number"}},
                             "required": ["day", "length"]},
            "annotations": {"readOnlyHint": True, "openWorldHint": False}, "x-shelf": [day % 7]}


def page_of(params, items, name):
    cursor = params.get("cursor")
    start = 0
    if cursor is not None:
        try:
            word, start = base64.b64decode(cursor, validate=True).decode().split("/")
            start = int(start)
            if word != name or not 0 < start < len(items):
                raise ValueError
        except (ValueError, TypeError, AttributeError):
            raise Refused(-32602, "Invalid cursor")
    result = {name: items[start:start + PAGE], "x-total": len(items)}
    if start + PAGE < len(items):
        result["nextCursor"] = base64.b64encode(b"%s/%d" % (name.encode(), start + PAGE)).decode()
    return result


def call(params, cancelled, token):
    name, args = params.get("name"), params.get("arguments", {})
    if name not in ["day_%03d" % day for day in range(DAYS)]:
        raise Refused(-32602, "Unknown tool: %s" % json.dumps(name)[:60])
    if not isinstance(args, dict):
        raise Refused(-32602, "arguments is an object")
    detail = args.get("detail", 0) if not set(args) - {"detail"} else None
    if type(detail) is not int or not 0 <= detail <= 3:
        return {"content": [{"type": "text", "text": "detail must be an integer from 0 to 3, and nothing else is known"}], "isError": True}
    for step in range(4):
        if cancelled.wait(0.004):
            return None
        if token is not None:
            write({"jsonrpc": "2.0", "method": "notifications/progress",
                   "params": {"progressToken": token, "progress": step + 0.5, "message": "leafing"}})
    day = int(name[4:])
    found = {"day": day, "length": 12 - 4 * (1 - day / 150)}
    return {"content": [{"type": "text", "text": json.dumps(found)}], "structuredContent": found, "_meta": {"example.org/source": "almanac"}}


def serve(method, params, cancelled):
    if method == "initialize":
        version, info = params.get("protocolVersion"), params.get("clientInfo")
        if not isinstance(version, str) or not isinstance(params.get("capabilities"), dict) or not isinstance(info, dict):
            raise Refused(-32602, "initialize needs protocolVersion, capabilities and clientInfo")
        if session["version"] is not None:
            raise Refused(-32600, "already initialized")
        session["version"] = version if version in VERSIONS else VERSIONS[-1]
        return {"protocolVersion": session["version"], "capabilities": {"logging": {}, "tools": {}, "experimental": {"x/shelves": {}}},
                "serverInfo": {"name": "almanac", "title": "Almanac \u2600", "version": "1"}, "instructions": "", "x-motto": None}
    if method == "ping":
        return {}
    if session["version"] is None:
        raise Refused(-32600, "initialize comes first")
    if method == "tools/list":
        return page_of(params, [tool(day) for day in range(DAYS)], "tools")
    if method == "tools/call":
        return call(params, cancelled, params.get("_meta", {}).get("progressToken"))
    if method == "logging/setLevel":
        if params.get("level") not in LEVELS:
            raise Refused(-32602, "level must be one of " + ", ".join(LEVELS))
        session["level"] = params["level"]
        return {}
    raise Refused(-32601, "Method not found", {"method": method[:100]})


def answer(rid, method, params, cancelled):
    if method == "tools/call":
        time.sleep(random.random() * 0.02)
    try:
        result = serve(method, params, cancelled)
        if result is None or cancelled.is_set():
            log("notice", "cancelled")
        else:
            write({"result": result, "id": rid, "jsonrpc": "2.0"})
    except Refused as e:
        write({"error": e.error, "id": rid, "jsonrpc": "2.0"})
    finally:
        running.pop(json.dumps(rid), None)
    log("debug", "done with " + method[:100])


def number(text):
    if "." in text or "e" in text.lower():
        return float(text)
    return int(text) if len(text) < 400 else float("inf")


def constant(name):
    raise ValueError(name)


def take(line):
    try:
        message = json.loads(line.decode("utf-8"), parse_constant=constant, parse_int=number)
    except (ValueError, RecursionError):
        return write({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}})
    if not isinstance(message, dict):
        return write({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "A message is an object"}})
    rid, method, params = message.get("id"), message.get("method"), message.get("params", {})
    good_id = type(rid) in (int, str)
    if "method" not in message and ("result" in message or "error" in message):
        return log("debug", "a response that nobody asked for")
    if message.get("jsonrpc") != "2.0" or not isinstance(method, str) or ("id" in message and not good_id):
        return write({"jsonrpc": "2.0", "id": rid if good_id else None, "error": {"code": -32600, "message": "Invalid Request"}})
    meta = params.get("_meta", {}) if isinstance(params, dict) else None
    if "id" not in message:
        if method == "notifications/initialized":
            session["ready"] = True
            log("info", "ready")
        elif method == "notifications/cancelled" and isinstance(params, dict) and json.dumps(params.get("requestId")) in running:
            running[json.dumps(params["requestId"])].set()
        return None
    if not isinstance(meta, dict) or type(meta.get("progressToken", 0)) not in (int, str):
        return write({"jsonrpc": "2.0", "id": rid, "error": {"code": -32602, "message": "params and _meta are objects, a token is a text or an integer"}})
    cancelled = threading.Event()
    if method != "tools/call":
        return answer(rid, method, params, cancelled)
    running[json.dumps(rid)] = cancelled
    return threading.Thread(target=answer, args=(rid, method, params, cancelled)).start()


time.sleep(2)
print("almanac is open", file=sys.stderr)
for raw in sys.stdin.buffer:
    if raw.strip():
        take(raw)
