#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A naive server of notes over stdio (2025-06-18): an id that is false is none, any revision is good. See README.md."""
import base64
import json
import sys

NOTES = {
    "shopping": "milk, eggs, bread",
    "ideas": "write a novel\nlearn to juggle",
    "café": "réserver une table",
}
PIXEL = base64.b64encode(bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6300010000000500010d0a2db40000000049454e44ae426082")).decode()

TOOLS = [
    {
        "name": "add_note",
        "description": "Add a note",
        "inputSchema": {
            "type": "object",
            "properties": {"title": {"type": "string"}, "body": {"type": "string"}},
            "required": ["title", "body"],
        },
    },
    {
        "name": "count_words",
        "description": "Count the words of a note",
        "inputSchema": {
            "type": "object",
            "properties": {"title": {"type": "string"}},
            "required": ["title"],
        },
        "outputSchema": {
            "type": "object",
            "properties": {"title": {"type": "string"}, "words": {"type": "integer"}},
            "required": ["title", "words"],
        },
        "annotations": {"readOnlyHint": True},
    },
    {
        "name": "thumbnail",
        "description": "Get a picture of the board",
        "inputSchema": {"type": "object", "properties": {}},
        "annotations": {"readOnlyHint": True},
    },
]


def send(obj):
    sys.stdout.write(json.dumps(obj, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def text(s, **kw):
    return {"content": [{"type": "text", "text": s}], **kw}


def call_tool(name, args):
    if name == "add_note":
        NOTES[args["title"]] = args["body"]
        return text("Saved " + args["title"])
    if name == "count_words":
        title = args.get("title", "")
        n = len(NOTES.get(title, "").split())
        return text(f"{n} words", structuredContent={"title": title, "words": str(n)})
    if name == "thumbnail":
        return {"content": [{"type": "image", "mimeType": "image/png",
                             "data": "data:image/png;base64," + PIXEL}]}
    return text("Unknown tool: " + str(name), isError=True)


def handle(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}, "resources": {}},
            "serverInfo": {"name": "notes", "version": "0.1.0"},
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return call_tool(params.get("name"), params.get("arguments") or {})
    if method == "resources/list":
        return {"resources": [{"uri": "note:///" + t, "name": t, "mimeType": "text/plain"}
                              for t in NOTES]}
    if method == "resources/read":
        uri = params.get("uri", "")
        title = uri.replace("note:///", "")
        if title in NOTES:
            return {"contents": [{"uri": uri, "mimeType": "text/plain", "text": NOTES[title]}]}
        return {"contents": []}
    raise LookupError(method)


def main():
    for line in sys.stdin:
        line = line.strip()
        if not line:
            continue
        try:
            msg = json.loads(line)
        except json.JSONDecodeError as e:
            print(f"Error: could not parse message: {e}", flush=True)
            continue
        method = msg.get("method")
        msg_id = msg.get("id")
        if not msg_id:  # notification
            continue
        try:
            result = handle(method, msg.get("params") or {})
            send({"jsonrpc": "2.0", "id": msg_id, "result": result})
        except LookupError as e:
            send({"jsonrpc": "2.0", "id": msg_id,
                  "error": {"code": -32601, "message": f"Method not found: {e}"}})
        except Exception as e:
            send({"jsonrpc": "2.0", "id": msg_id,
                  "error": {"code": -32603, "message": f"Internal error: {e}"}})


if __name__ == "__main__":
    main()
