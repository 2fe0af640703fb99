# SPDX-License-Identifier: Apache-2.0
# MCP 2025-11-25 with one tool, sound, its JSON written in one of the lawful ways: python (as json.dumps),
# blanks, reversed (members), escaped (all characters) or utf8. "mute": as python, and tools are not answered.
import json, sys
style = sys.argv[1]


def text(value):
    if style == "escaped":
        return '"' + "".join(f"\\u{ord(c):04x}" for c in value) + '"'
    return json.dumps(value, ensure_ascii=style != "utf8")


def written(value):
    comma, colon, gap = {"blanks": ("\t, ", " :\t", " "), "reversed": (",", ":", ""),
                         "escaped": (",", ":", ""), "utf8": (",", ":", "")}.get(style, (", ", ": ", ""))
    if isinstance(value, dict):
        members = list(value.items())
        if style == "reversed":
            members.reverse()
        return "{" + gap + comma.join(text(k) + colon + written(v) for k, v in members) + gap + "}"
    if isinstance(value, list):
        return "[" + gap + comma.join(map(written, value)) + gap + "]"
    return text(value) if isinstance(value, str) else json.dumps(value)


TOOLS = [{"name": "look", "description": "Looks something up ✓", "annotations": {"readOnlyHint": True},
          "inputSchema": {"type": "object", "properties": {"what": {"type": "string"}}, "required": ["what"]}}]


def error(code, message):
    return {"error": {"code": code, "message": message}}


def served(method, params):
    if method == "initialize":
        lacks = [one for one in ("clientInfo", "capabilities") if one not in params]
        if not isinstance(params.get("protocolVersion"), str) or lacks:
            return error(-32602, "Invalid params")
        return {"result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                           "serverInfo": {"name": "styled", "version": "1"}}}
    if method == "ping":
        return {"result": {}}
    if method == "tools/list":
        return error(-32602, "Unknown cursor") if "cursor" in params else {"result": {"tools": TOOLS}}
    if method == "tools/call":
        arguments = params.get("arguments", {})
        if params.get("name") != "look" or not isinstance(arguments, dict):
            return error(-32602, "Unknown tool, or no arguments")
        good = isinstance(arguments.get("what"), str)
        return {"result": {"content": [{"type": "text", "text": "here" if good else "what has to be a string"}],
                           "isError": not good}}
    return error(-32601, "Method not found")


for line in sys.stdin.buffer:
    try:
        message = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        print(written({"jsonrpc": "2.0", "id": None, **error(-32700, "Parse error")}), flush=True)
        continue
    known = isinstance(message, dict) and message.get("jsonrpc") == "2.0"
    if known and "method" not in message and ("result" in message or "error" in message):
        continue
    id_ = message.get("id") if isinstance(message, dict) else None
    usable = isinstance(id_, (str, int, float)) and not isinstance(id_, bool)
    params = message.get("params", {}) if known else {}
    sound = known and isinstance(message.get("method"), str) and isinstance(params, dict)
    if not sound or ("id" in message and not usable):
        reply = error(-32600, "Invalid Request")
    elif not usable:
        continue
    elif style == "mute" and message["method"] == "tools/call":
        continue
    else:
        reply = served(message["method"], params)
    print(written({"jsonrpc": "2.0", "id": id_ if usable else None, **reply}), flush=True)
