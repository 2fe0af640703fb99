#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Surfaces from outside: what is written, and how single changes of it are graded.
#
#   surface_test.py RPCSPEC REFERENCE_SERVER
import copy
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import SERVER

B, A, M = "BREAKING", "ADDITIVE", "METADATA"


def tool(name):
    return lambda s: next(one for one in s["tools"] if one["name"] == name)


def takes(name):
    return lambda s: tool(name)(s)["inputSchema"]


def prompt(name):
    return lambda s: next(one for one in s["prompts"] if one["name"] == name)


def change(at, **members):
    """Sets members of what `at` finds; None removes one."""
    def edit(surface):
        place = at(surface)
        for name, value in members.items():
            if value is None:
                del place[name]
            else:
                place[name] = value
    return edit


def argument(name, argument_name, **members):
    return change(lambda s: takes(name)(s)["properties"][argument_name], **members)


def without(kind, name):
    return lambda s: s[kind].remove(next(one for one in s[kind] if name in one.values()))


greet, slow, add = takes("greet"), takes("slow_operation"), tool("add")
CHANGES = [  # what is changed, its grade, the words that name it
    (without("tools", "greet"), B, "tool greet is gone"),
    (lambda s: s["tools"].append({"name": "zip", "inputSchema": {"type": "object"}}), A,
     "tool zip is new"),
    (change(tool("greet"), name="welcome"), B, "tool greet is called welcome now"),
    (change(greet, required=["name", "greeting"]), B, "argument greeting is now required"),
    (change(greet, required=[]), A, "argument name is now optional"),
    (lambda s: greet(s)["properties"].pop("greeting"), B, "argument greeting is gone"),
    (lambda s: greet(s)["properties"].update(tone={"type": "string"}), A, "argument tone is new"),
    (lambda s: (greet(s)["properties"].update(tone={"type": "string"}),
                greet(s)["required"].append("tone")), B, "argument tone is new and required"),
    (argument("greet", "name", type="integer"), B, 'type was "string" and is "integer"'),
    (argument("greet", "name", type=["string", "null"]), A, "argument name type was"),
    (argument("add", "a", type="integer"), B, 'type was "number" and is "integer"'),
    (argument("slow_operation", "durationMs", type="number"), A, 'and is "number"'),
    (argument("greet", "manner", enum=["warm"]), B, 'value "cool" is no longer allowed'),
    (argument("greet", "manner", enum=["warm", "cool", "odd"]), A, 'value "odd" is new'),
    (argument("greet", "manner", enum=None), A, "argument manner any value is allowed"),
    (argument("greet", "name", const="you"), B, "only certain values are allowed"),
    (argument("slow_operation", "durationMs", maximum=500), B, "maximum was 10000 and is 500"),
    (argument("slow_operation", "durationMs", maximum=20000), A, "maximum was 10000"),
    (argument("slow_operation", "durationMs", minimum=1), B, "minimum was 0 and is 1"),
    (argument("slow_operation", "durationMs", minimum=None), A, "minimum was 0 and is none"),
    (argument("greet", "name", maxLength=20), B, "maxLength was none and is 20"),
    (argument("greet", "name", pattern="^[a-z]+$"), B, "pattern is new"),
    (change(greet, additionalProperties=None), A, "other members are allowed"),
    (change(slow, additionalProperties=False), B, "other members are forbidden"),
    (lambda s: takes("json_schema_2020_12_tool")(s)["$defs"]["address"]["properties"].pop("city"),
     B, "argument address, argument city is gone"),
    (argument("greet", "name", description="Whom to greet"), M, "description is new"),
    (change(tool("greet"), description="Says hello."), M, "tool greet description changed"),
    (change(add, outputSchema=None), B, "outputSchema was removed"),
    (change(tool("greet"), outputSchema={"type": "object"}), A, "outputSchema was added"),
    (lambda s: add(s)["outputSchema"]["properties"].pop("sum"), B, "result, member sum is gone"),
    (lambda s: add(s)["outputSchema"]["properties"].update(note={"type": "string"}), A,
     "result, member note is new"),
    (lambda s: add(s)["outputSchema"].update(required=[]), B, "member sum is now optional"),
    (lambda s: add(s)["outputSchema"]["properties"]["sum"].update(type=["number", "null"]), B,
     "member sum type was"),
    (change(tool("greet"), annotations={"readOnlyHint": False}), B, "readOnlyHint is false now"),
    (change(tool("test_update_resource"), annotations={"readOnlyHint": False}), B,
     "destructiveHint is true now"),
    (change(tool("greet"), annotations={"readOnlyHint": True, "openWorldHint": False}), A,
     "openWorldHint is false now"),
    (change(tool("slow_operation"), execution={"taskSupport": "required"}), B,
     "taskSupport was optional and is required"),
    (change(tool("greet"), execution={"taskSupport": "optional"}), A, "taskSupport was forbidden"),
    (without("prompts", "spoken_note"), B, "prompt spoken_note is gone"),
    (lambda s: prompt("test_prompt_optional")(s)["arguments"][0].update(required=True), B,
     "argument topic is now required"),
    (lambda s: prompt("spoken_note")(s).update(arguments=[{"name": "voice"}]), A,
     "argument voice is new"),
    (without("resources", "static-text"), B, "resource test://static-text is gone"),
    (change(lambda s: next(one for one in s["resources"] if one["name"] == "static-text"),
            mimeType="text/html"), B, "mimeType was text/plain and is text/html"),
    (without("resource_templates", "template-echo"), B,
     "resource template test://echo/{text} is gone"),
    (change(lambda s: s["capabilities"], completions=None), B, "capability completions is gone"),
    (change(lambda s: s["capabilities"]["resources"], subscribe=False), B,
     "capability resources, subscribe is gone"),
    (change(lambda s: s["capabilities"], experimental={}), A, "capability experimental is new"),
    (change(lambda s: s, revisions=["2025-06-18", "2025-11-25"]), A,
     "revision 2025-06-18 is now spoken"),
    (change(lambda s: s, revisions=[]), B, "revision 2025-11-25 is no longer supported"),
    (change(lambda s: s["server"], version="9"), M, "server changed its name, version or title"),
]


class SurfaceTest(testkit.RpcspecTest):
    def target(self, profile="mcp-2025-11-25"):
        return ["--", SERVER, "--profile", profile]

    def compared(self, before, after, code):
        self.write("before.json", json.dumps(before))
        self.write("after.json", json.dumps(after))
        out = self.rpcspec("compare", "--surface", "--format", "json", "before.json", "after.json",
                           code=code)
        return [(one["grade"], one["where"] + " " + one["what"])
                for one in json.loads(out)["changes"]]

    def test_each_change_is_graded(self):
        self.rpcspec("surface", "-o", "surface.json", *self.target(), code=0)
        before = self.load("surface.json")
        for edit, grade, words in CHANGES:
            with self.subTest(words=words):
                after = copy.deepcopy(before)
                edit(after)
                changes = self.compared(before, after, 1 if grade == B else 0)
                self.assertEqual([one[0] for one in changes], [grade], changes)
                self.assertIn(words, changes[0][1])

    def test_order_is_no_change(self):
        self.rpcspec("surface", "-o", "surface.json", *self.target(), code=0)
        before = self.load("surface.json")
        after = copy.deepcopy(before)
        for kind in ("tools", "prompts", "resources", "resource_templates"):
            self.assertGreater(len(after[kind]), 1)
            after[kind].reverse()
        greet(after)["properties"] = dict(reversed(greet(after)["properties"].items()))
        self.assertEqual(self.compared(before, after, 0), [])

    def test_a_server_is_held_against_the_file(self):
        self.rpcspec("surface", "-o", "surface.json", *self.target(), code=0)
        out = self.rpcspec("surface", "--against", "surface.json", *self.target(), code=0)
        self.assertEqual(out, "the surface is unchanged\n")
        out = self.rpcspec("surface", "--against", "surface.json", *self.target("mcp-2025-06-18"),
                           code=1)
        self.assertIn("BREAKING  tool long_report is gone\n", out)
        self.assertRegex(out, r"\n\d+ breaking, \d+ additive, \d+ metadata\n$")

    def test_the_methods_of_a_contract_belong_to_it(self):
        self.rpcspec("surface", "-o", "surface.json", *self.target("jsonrpc-2.0"), code=0)
        before = self.load("surface.json")

        def method(name):
            return lambda s: next(one for one in s["methods"] if one["name"] == name)

        def minuend(surface):
            params = subtract(surface)["params"]
            return params["definitions"][params["properties"]["minuend"]["$ref"].split("/")[-1].replace("~1", "/")]

        subtract = method("subtract")
        self.assertEqual(subtract(before)["positions"], ["minuend", "subtrahend"])
        for edit, grade, words in [
                (without("methods", "subtract"), B, "method subtract is gone"),
                (lambda s: s["methods"].append({"name": "zip", "params": {"type": "object"}}), A, "method zip is new"),
                (change(minuend, type="string"), B, "argument minuend type was"),
                (lambda s: subtract(s)["params"]["required"].remove("minuend"), A, "argument minuend is now optional"),
                (lambda s: subtract(s)["params"]["properties"].pop("minuend"), B, "argument minuend is gone"),
                (change(subtract, result={"type": "string"}), B, "method subtract, result type was"),
                (change(subtract, result=None), B, "is a notification now"),
                (change(subtract, structure="by-name"), B, "no longer takes params by-position"),
                (lambda s: subtract(s)["positions"].reverse(), B, "the order of its params changed"),
                (lambda s: subtract(s)["errors"].append(7), A, "error 7 is new")]:
            with self.subTest(words=words):
                after = copy.deepcopy(before)
                edit(after)
                changes = self.compared(before, after, 1 if grade == B else 0)
                self.assertEqual({one[0] for one in changes}, {grade}, changes)
                self.assertIn(words, " ".join(one[1] for one in changes))
        # Written in another order it is the same document.
        document = json.loads(subprocess.check_output(
            self.target("jsonrpc-2.0")[1:], input='{"jsonrpc": "2.0", "id": 1, "method": "rpc.discover"}\n',
            text=True, timeout=60))["result"]
        document["methods"].reverse()
        self.write("document.json", json.dumps(document))
        self.assertEqual(self.rpcspec("surface", "--against", "surface.json", "--openrpc", "document.json",
                                      *self.target("jsonrpc-2.0"), code=0), "the surface is unchanged\n")

    def gated(self, code, *words):
        return self.rpcspec("run", "--select", "mcp/ping/result", "--report", "json=r.json", "--report", "markdown=r.md",
                            "--report", "html=r.html", *words, code=code)

    def test_a_breaking_change_fails_a_run(self):
        self.rpcspec("surface", "-o", "surface.json", *self.target(), code=0)
        self.assertIn("gate passed", self.gated(0, "--surface", "surface.json", *self.target()))
        self.assertNotIn("surface", self.load("r.json"))
        shutil.copy(self.path("r.json"), self.path("before.json"))
        before = self.load("surface.json")
        greet(before)["properties"]["gone"] = {"type": "string"}
        tool("greet")(before)["description"] = "otherwise"
        self.write("surface.json", json.dumps(before))
        said = self.gated(1, "--surface", "surface.json", *self.target())
        self.assertIn("BREAKING tool greet, argument gone is gone", said)
        self.assertIn("gate failed: 1 breaking change of the surface", said)
        self.assertEqual([(one["grade"], one["where"]) for one in self.load("r.json")["surface"]],
                         [(B, "tool greet, argument gone"), (M, "tool greet")])
        self.assertIn("argument gone is gone", self.read("r.md"))
        self.assertIn('"surface":', self.read("r.html"))
        # A report that is read again says the same, and so does the comparison of two sides.
        self.rpcspec("report", "r.json", "--to", "json=again.json", code=None)
        self.assertEqual(self.load("again.json")["surface"], self.load("r.json")["surface"])
        self.assertIn("argument gone is gone", self.rpcspec("compare", "before.json", "r.json", code=1))
        self.rpcspec("compare", "r.json", "r.json", code=0)
        # In a project.
        self.write("rpcspec.yaml", json.dumps({"targets": {"ours": {
            "command": [SERVER, "--profile", "mcp-2025-11-25"], "select": ["mcp/ping/result"],
            "surface": "surface.json"}}}))
        self.assertIn("gate failed: 1 breaking change", self.rpcspec("run", code=1))
        self.write("rpcspec.yaml", self.read("rpcspec.yaml").replace("surface.json", "no.json"))
        self.assertRegex(self.refused("run"), r"rpcspec\.yaml:1:\d+: there is no file no\.json; .*rpcspec surface --target")
        self.assertIn("name one profile", self.refused("run", "--profile", "all", "--surface", "surface.json", *self.target()))

    def test_a_schema_that_contains_itself_ends(self):
        node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"},
                                                 "other": {"$ref": "#/$defs/node"}}}
        entry = {"name": "walk", "inputSchema": {"$ref": "#/$defs/node", "$defs": {"node": node}}}
        before = {"format": "rpcspec-surface/1", "tools": [entry]}
        after = copy.deepcopy(before)
        after["tools"][0]["inputSchema"]["$defs"]["node"]["properties"].pop("other")
        self.assertEqual(self.compared(before, after, 1),
                         [(B, "tool walk, argument other is gone")])

    def test_bad_files_are_one_sentence(self):
        self.write("list.json", "[]")
        self.write("text.json", "{")
        for name, words in (("list.json", "this is not a surface"), ("text.json", "this is not JSON"),
                            ("nowhere.json", "nowhere.json")):
            self.rpcspec("surface", "--against", name, *self.target(), code=2)
            self.assertIn(words, self.complaint)
            self.assertEqual(len(self.complaint.splitlines()), 1)


if __name__ == "__main__":
    testkit.main()
