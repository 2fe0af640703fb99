#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A sound MCP server over stdio with one deep fault (faults.py), written from the specification.

    server.py [--fault NAME] [--starts SECONDS] | --list
"""
import argparse
import collections
import json
import os
import sys
import time

import faults

PARSE, INVALID, NO_METHOD, PARAMS, NO_RESOURCE = -32700, -32600, -32601, -32602, -32002
DEEPEST = 200
TEXT = {"type": "string"}
TOOLS = [
    {"name": "echo", "description": "Says the text again",
     "inputSchema": {"type": "object", "properties": {"text": TEXT}, "required": ["text"]}},
    {"name": "add", "description": "Adds two integers",
     "inputSchema": {"type": "object", "required": ["a", "b"],
                     "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}},
    {"name": "set_mode", "description": "Tells of a mode",
     "inputSchema": {"type": "object", "required": ["mode"], "properties": {
         "mode": {"type": "string", "enum": list(faults.MODES)}}}},
]
for tool in TOOLS:
    tool["annotations"] = {"readOnlyHint": True}
RESOURCES = [{"uri": uri, "name": uri[-1], "mimeType": "text/plain"} for uri in faults.URIS]
PROMPTS = [{"name": "greeting", "arguments": [{"name": "who", "required": True}, {"name": "how"}]}]


class Refused(Exception):
    def __init__(self, code, message, data=None):
        super().__init__(message)
        self.error = {"code": code, "message": message}
        if data is not None:
            self.error["data"] = data


class Spelled(float):
    """A number that goes back as it came."""

    def __new__(cls, spelling):
        number = super().__new__(cls, spelling)
        number.spelling = spelling
        return number


def constant(name):
    raise ValueError(name + " is no JSON")


def integer(spelling):
    return Spelled(spelling) if spelling == "-0" or len(spelling) > 4000 else int(spelling)


def members(pairs):
    """The last of a repeated name counts. An object whose names repeat remembers it."""
    out = dict(pairs)
    if len(out) < len(pairs) and list(out) == ["a"]:
        out["\0again"] = True
    return out


def depth(value):
    deepest, todo = 0, [(value, 1)]
    while todo:
        one, level = todo.pop()
        if isinstance(one, (dict, list)):
            deepest = max(deepest, level)
            todo.extend((x, level + 1) for x in (one.values() if isinstance(one, dict) else one))
    return deepest


def read(line):
    text = line.decode("utf-8")
    value = json.loads(text, parse_int=integer, parse_float=Spelled, parse_constant=constant,
                       object_pairs_hook=members)
    if depth(value) > DEEPEST:
        raise ValueError("nested too deeply")
    return value


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool) or (
        isinstance(value, Spelled) and value.is_integer())


def is_id(value):
    return isinstance(value, str) or is_integer(value)


def wants(condition, what):
    if not condition:
        raise Refused(PARAMS, "Invalid params: " + what)


class Server:
    def __init__(self, fault):
        self.does, self.check = faults.FAULTS[fault][1:] if fault else ("", None)
        self.ready = False
        self.seen = collections.Counter()
        self.seen.update({"requests": 0})
        self.past = {"ids": set(), "cancelled": [], "level": "info"}

    # ------------------------------------------------------------------ messages

    def line(self, line):
        try:
            message = read(line)
        except (ValueError, RecursionError):
            return self.say(None, error={"code": PARSE, "message": "Parse error"})
        broken = self.is_broken(message)
        if broken == "dies":
            raise RuntimeError("the fault")
        if isinstance(message, dict):
            self.remember(message)
        if broken == "silent":
            return None
        if not isinstance(message, dict):
            return self.refuse(None, "a message is an object")
        rid = message.get("id")
        known = rid if is_id(rid) else None
        if broken:
            known = None if broken == "no-id" or not isinstance(known, int) else known + 1
        if "method" not in message and "id" in message and ("result" in message) != (
                "error" in message) and message.get("jsonrpc") == "2.0":
            return None  # a response to nothing
        if message.get("jsonrpc") != "2.0":
            return self.refuse(known, "jsonrpc has to be 2.0")
        if "id" in message and not is_id(rid):
            return self.refuse(None, "an id is a text or an integer")
        if not isinstance(message.get("method"), str):
            return self.refuse(known, "method has to be a text")
        if "params" in message and not isinstance(message["params"], (dict, list)):
            return self.refuse(known, "params have to be an object")
        if "id" not in message:
            return None
        try:
            self.say(known, result=self.answer(message["method"], message.get("params", {})))
        except Refused as why:
            self.say(known, error=why.error)

    def is_broken(self, message):
        if not self.check or not isinstance(message, dict):
            return ""
        now = collections.Counter(self.seen)
        now[message["method"] if isinstance(message.get("method"), str) else ""] += 1
        now["requests"] += "id" in message
        seen = {**collections.defaultdict(int, now), **self.past}
        seen = collections.defaultdict(int, seen)
        if message.get("method") == "notifications/cancelled":
            seen["cancelled"] = self.past["cancelled"] + [
                repr(faults.params(message).get("requestId"))]
        return self.does if self.check(message, seen) else ""

    def remember(self, message):
        method = message.get("method")
        if not isinstance(method, str):
            return
        self.seen[method] += 1
        self.seen["requests"] += "id" in message
        if is_id(message.get("id")):
            self.past["ids"].add(message["id"])
        if method == "notifications/cancelled":
            self.past["cancelled"].append(repr(faults.params(message).get("requestId")))
        if method == "logging/setLevel" and faults.params(message).get("level") in faults.LEVELS:
            self.past["level"] = faults.params(message)["level"]

    def refuse(self, rid, why):
        self.say(rid, error={"code": INVALID, "message": "Invalid request: " + why})

    def say(self, rid, **outcome):
        spelled = rid.spelling if isinstance(rid, Spelled) else json.dumps(rid)
        body = json.dumps(outcome)[1:]
        data = ('{"jsonrpc":"2.0","id":' + spelled + "," + body + "\n").encode()
        while data:
            data = data[os.write(1, data):]

    # ------------------------------------------------------------------- methods

    def answer(self, method, params):
        if not self.ready and method not in ("initialize", "ping"):
            raise Refused(INVALID, "The session is not initialized")
        handler = getattr(self, "on_" + method.replace("/", "_"), None)
        if handler is None or "_" in method or method not in METHODS:
            raise Refused(NO_METHOD, "Method not found")
        wants(isinstance(params, dict), "an object")
        meta = params.get("_meta", {})
        wants(isinstance(meta, dict), "_meta is an object")
        wants("progressToken" not in meta or is_id(meta["progressToken"]), "progressToken")
        return handler(params)

    def on_initialize(self, params):
        if self.ready:
            raise Refused(INVALID, "The session is initialized")
        client = params.get("clientInfo")
        wants(isinstance(params.get("protocolVersion"), str), "protocolVersion")
        wants(isinstance(params.get("capabilities"), dict), "capabilities")
        wants(isinstance(client, dict) and isinstance(client.get("name"), str)
              and isinstance(client.get("version"), str), "clientInfo")
        self.ready = True
        return {"protocolVersion": faults.REVISION,
                "capabilities": {"tools": {}, "resources": {"subscribe": True}, "prompts": {},
                                 "logging": {}, "completions": {}},
                "serverInfo": {"name": "deep", "version": "1"}}

    def on_ping(self, params):
        return {}

    def listed(self, params, name, items):
        wants("cursor" not in params, "no such cursor")
        return {name: items}

    def on_tools_list(self, params):
        return self.listed(params, "tools", TOOLS)

    def on_resources_list(self, params):
        return self.listed(params, "resources", RESOURCES)

    def on_resources_templates_list(self, params):
        return self.listed(params, "resourceTemplates", [])

    def on_prompts_list(self, params):
        return self.listed(params, "prompts", PROMPTS)

    def on_tools_call(self, params):
        name, given = params.get("name"), params.get("arguments", {})
        wants(isinstance(name, str), "name is a text")
        tool = next((one for one in TOOLS if one["name"] == name), None)
        wants(tool is not None, "no such tool")
        wants(isinstance(given, dict), "arguments are an object")
        schema = tool["inputSchema"]
        for one in schema["required"]:
            wants(one in given, one + " is missing")
        for one, kind in schema["properties"].items():
            right = isinstance(given[one], str) if kind["type"] == "string" else is_integer(given[one])
            wants(right and given[one] in kind.get("enum", [given[one]]), one)
        says = given.get("text", given.get("mode"))
        if name == "add":
            says = "added"
        return {"content": [{"type": "text", "text": says}]}

    def resource(self, params):
        uri = params.get("uri")
        wants(isinstance(uri, str), "uri is a text")
        if uri not in faults.URIS:
            raise Refused(NO_RESOURCE, "Resource not found", {"uri": uri})
        return uri

    def on_resources_read(self, params):
        uri = self.resource(params)
        return {"contents": [{"uri": uri, "mimeType": "text/plain", "text": "a note"}]}

    def on_resources_subscribe(self, params):
        self.resource(params)
        return {}

    def on_resources_unsubscribe(self, params):
        self.resource(params)
        return {}

    def on_prompts_get(self, params):
        given = params.get("arguments", {})
        wants(params.get("name") == "greeting", "no such prompt")
        wants(isinstance(given, dict) and all(isinstance(one, str) for one in given.values()),
              "arguments are texts")
        wants("who" in given, "who is missing")
        return {"messages": [{"role": "user", "content": {"type": "text", "text": given["who"]}}]}

    def on_logging_setLevel(self, params):
        wants(isinstance(params.get("level"), str) and params["level"] in faults.LEVELS, "level")
        return {}

    def on_completion_complete(self, params):
        ref, argument = params.get("ref"), params.get("argument")
        wants(isinstance(ref, dict) and isinstance(argument, dict), "ref and argument")
        wants(isinstance(argument.get("name"), str) and isinstance(argument.get("value"), str),
              "argument has a name and a value")
        context = params.get("context", {})
        wants(isinstance(context, dict) and isinstance(context.get("arguments", {}), dict),
              "context is an object")
        wants(all(isinstance(one, str) for one in context.get("arguments", {}).values()),
              "arguments of the context are texts")
        known = ref.get("type") == "ref/prompt" and ref.get("name") == "greeting" or (
            ref.get("type") == "ref/resource" and isinstance(ref.get("uri"), str)
            and ref["uri"] in faults.URIS)
        wants(known, "ref is not known")
        return {"completion": {"values": []}}


METHODS = {name[3:].replace("resources_templates_", "resources/templates/").replace("_", "/", 1)
           if "templates" not in name else "resources/templates/list"
           for name in dir(Server) if name.startswith("on_")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fault", choices=faults.FAULTS)
    parser.add_argument("--starts", type=float, default=0)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        for name, (kind, does, _) in faults.FAULTS.items():
            print(name, kind, does)
        return
    time.sleep(options.starts)
    server, rest = Server(options.fault), b""
    while chunk := os.read(0, 1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if line.strip():
                server.line(line)
    if rest.strip():
        server.line(rest)


if __name__ == "__main__":
    main()
