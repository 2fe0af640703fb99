# SPDX-License-Identifier: Apache-2.0
# Requests of features by a seed, for model_agreement_test.py: made of what a server lists, most of
# them with one thing about them changed.
import json
import random

LISTS = {"tools/list": ("tools", "name"), "resources/list": ("resources", "uri"),
         "resources/templates/list": ("resourceTemplates", "uriTemplate"),
         "prompts/list": ("prompts", "name")}
LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
ODD = [5, -1, 0.5, True, None, [], {}, "", ["x"], {"a": 1}]
# They take their time, or say nothing until somebody answers them.
NOT_CALLED = ("slow", "sleep", "wait", "sampling", "elicit", "roots", "stream", "task", "ask", "batch",
              "progress", "cancel", "long", "hang", "delay")


class FeatureMessages:
    """Texts of requests; `meta` goes into the params of each."""

    def __init__(self, profile, seed, meta):
        self.profile, self.random, self.next = profile, random.Random(f"features {profile} {seed}"), 50_000
        self.meta, self.offer, self.cursors, self.tasks = meta, {}, {}, ["none-1", "none-2"]

    def opening(self):
        """Requests to be asked before all others, and answered one by one with heard()."""
        for method in LISTS:
            cursor, pages = None, 0
            while pages < 20:
                params = {} if cursor is None else {"cursor": cursor}
                reply = yield self.request(method, params)
                result = (reply or {}).get("result") or {}
                items = result.get(LISTS[method][0])
                self.offer.setdefault(method, []).extend(items if isinstance(items, list) else [])
                cursor, pages = result.get("nextCursor"), pages + 1
                if not isinstance(cursor, str):
                    break
                self.cursors[method] = cursor

    def request(self, method, params):
        self.next += 1
        body = {"jsonrpc": "2.0", "id": self.next, "method": method}
        if params is not None:
            body["params"] = {**params, **({"_meta": self.meta} if self.meta else {})}
        return json.dumps(body).encode()

    def text(self):
        return self.request(*self.random.choice(
            [self.call, self.call, self.call, self.read, self.read, self.get, self.get, self.listing,
             self.listing, self.complete, self.level, self.subscribe, self.task])())

    def spoilt(self, params):
        """The params with one of them gone, of another kind, or beside one nobody knows."""
        params = dict(params)
        kind = self.random.randrange(8)
        if kind < 2 and params:
            params.pop(self.random.choice(list(params)))
        elif kind < 4 and params:
            params[self.random.choice(list(params))] = self.random.choice(ODD)
        elif kind == 4:
            params["nobody_knows_this"] = self.random.choice(ODD)
        return params

    def one_of(self, method):
        items = [item for item in self.offer.get(method, []) if isinstance(item, dict)]
        return self.random.choice(items) if items else {}

    def odd_name(self, name):
        return self.random.choice([name + "x", name.swapcase(), name[:-1], "", "no_such_7301",
                                   "rpcspec-nobody", "no-such-thing", "../" + name])

    def value(self, schema):
        """A value that fits, as far as it is easy to say."""
        if not isinstance(schema, dict):
            return "x"
        for word in ("const", "default"):
            if word in schema:
                return schema[word]
        if schema.get("enum"):
            return self.random.choice(schema["enum"])
        kind = schema.get("type", "string")
        kind = kind[0] if isinstance(kind, list) else kind
        if kind == "object":
            return self.arguments(schema)
        if kind == "array":
            return [self.value(schema.get("items", {}))] * schema.get("minItems", 1)
        if kind in ("integer", "number"):
            return max(schema.get("minimum", 1), min(3, schema.get("maximum", 3)))
        return {"boolean": True, "null": None}.get(kind, "text".ljust(schema.get("minLength", 0), "x"))

    def arguments(self, schema):
        properties = schema.get("properties", {}) if isinstance(schema, dict) else {}
        required = schema.get("required", []) if isinstance(schema, dict) else []
        return {name: self.value(one) for name, one in properties.items()
                if name in required or self.random.random() < 0.3}

    def call(self):
        tools = [tool for tool in self.offer.get("tools/list", [])
                 if not any(word in json.dumps(tool).lower() for word in NOT_CALLED)]
        tool = self.random.choice(tools) if tools else {"name": "none", "inputSchema": {}}
        arguments = self.arguments(tool.get("inputSchema", {}))
        pick = self.random.random()
        if pick < 0.4:
            arguments = self.spoilt(arguments)
        params = {"name": tool["name"], "arguments": arguments}
        if pick > 0.8:
            params["name"] = self.odd_name(tool["name"])
        return "tools/call", self.spoilt(params) if 0.4 < pick < 0.6 else params

    def read(self):
        uri = self.one_of("resources/list").get("uri", "nosuch:7302")
        pick = self.random.random()
        if pick < 0.2:
            template = self.one_of("resources/templates/list").get("uriTemplate", "nosuch:{x}")
            uri = template.replace("{", "").replace("}", "")
        elif pick < 0.5:
            uri = self.random.choice([uri + "/no-such-resource-7301", "nosuch:7301", "not a uri", "",
                                      "nosuch://no-such-7301"])
        params = {"uri": uri}
        return "resources/read", self.spoilt(params) if pick > 0.8 else params

    def get(self):
        prompt = self.one_of("prompts/list")
        wanted = prompt.get("arguments") or []
        arguments = {one["name"]: self.random.choice(["x", "text", ""] + ODD[:3]) for one in wanted
                     if one.get("required") or self.random.random() < 0.5}
        pick = self.random.random()
        params = {"name": prompt.get("name", "none"),
                  "arguments": self.spoilt(arguments) if pick < 0.4 else arguments}
        if 0.4 < pick < 0.6:
            params["name"] = self.odd_name(params["name"])
        return "prompts/get", self.spoilt(params) if pick > 0.8 else params

    def listing(self):
        method = self.random.choice(list(LISTS))
        known = list(self.cursors.values())
        cursor = self.random.choice([None, None, "no such cursor 7", "7", "", *ODD[:4], *known, *known])
        return method, {} if cursor is None else {"cursor": cursor}

    def complete(self):
        prompt = self.one_of("prompts/list")
        wanted = prompt.get("arguments") or [{"name": "a"}]
        ref = self.random.choice([
            {"type": "ref/prompt", "name": prompt.get("name", "none")},
            {"type": "ref/prompt", "name": "no-such-prompt-7304"},
            {"type": "ref/resource", "uri": self.one_of("resources/templates/list").get("uriTemplate", "x:{y}")},
            {"type": "ref/nothing", "name": "x"}, {"type": "ref/prompt"}, {}, 5])
        argument = self.random.choice([{"name": wanted[0]["name"], "value": ""}] * 3 +
                                      [{"name": "a"}, {"value": ""}, {"name": 5, "value": ""},
                                       {"name": "a", "value": None}, []])
        params = {"ref": ref, "argument": argument}
        return "completion/complete", self.spoilt(params) if self.random.random() < 0.2 else params

    def level(self):
        return "logging/setLevel", self.spoilt({"level": self.random.choice(
            LEVELS + ["loud", "INFO", ""] + ODD[:3])})

    def subscribe(self):
        params = {"uri": self.random.choice([self.one_of("resources/list").get("uri", "x:y"), "nosuch:7", 5])}
        return (self.random.choice(["resources/subscribe", "resources/unsubscribe"]),
                self.spoilt(params) if self.random.random() < 0.3 else params)

    def task(self):
        method = self.random.choice(["tasks/get", "tasks/result", "tasks/cancel", "tasks/list", "tasks/update"])
        if method == "tasks/list":
            return method, self.random.choice([{}, {"cursor": "none-7"}, {"cursor": 5}])
        params = {"taskId": self.random.choice(self.tasks + [5, "rpcspec-none"])}
        if method == "tasks/update":
            params["inputResponses"] = {}
        return method, self.spoilt(params) if self.random.random() < 0.3 else params
