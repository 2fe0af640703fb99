#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Targets as their operators describe them: what is called and what is not, state that is brought back,
# headers, files of other programs, and what `inspect` tells of a target.
#
#   target_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from cli_test import IDS, PLAIN, CliTest
from testkit import SERVER, flat, toy

# What a server takes is not known to a build from POSIX alone.
RESIDENT = () if os.environ.get("RPCSPEC_PORTABLE") == "1" else ("MB resident",)

CALLS_EVERY_TOOL = """\
title: Every tool answers
covers: [mcp.base.response-same-id]
for_each: {tool: tools}
steps:
  - call: {method: tools/call, params: {name: "${tool.name}", arguments: {n: 1}}}
    reply: {result: {content: $array}}
"""
CALLS_ONE_TOOL = """\
title: The eraser answers
covers: [mcp.base.response-same-id]
steps:
  - frame: '{"jsonrpc":"2.0","id":${id},"method":"tools\\/call","params":{"name":"\\u0065rase","arguments":{"n":1}}}'
    reply: {result: {content: $array}}
"""
CALLS_ONE_TOOL_IN_PIECES = """\
title: The eraser answers
covers: [mcp.base.response-same-id]
steps:
  - bytes: '{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"er'
  - bytes: "ase\\",\\"arguments\\":{\\"n\\":1}}}\\n"
  - call: {method: ping}
    reply: {result: $object}
"""
FRESH_CASE = """\
title: A fresh session answers
covers: [mcp.base.response-same-id]
session: fresh
steps:
  - call: {method: ping}
    reply: {result: $object}
"""


class TargetCase(CliTest):
    def described(self, **more):
        self.write("t.yaml", json.dumps({"command": toy("marking"), "cwd": ".", **more}))
        return ["--target", "t.yaml"]

    def marks(self, name):
        return len(self.read(name)) if os.path.exists(self.path(name)) else 0


class PermissionTest(TargetCase):
    def setUp(self):
        super().setUp()
        self.write("own/every.yaml", CALLS_EVERY_TOOL)
        self.write("own/one.yaml", CALLS_ONE_TOOL)
        self.own = ["--cases", "own", "--select", "every", "--select", "one"]

    def test_only_what_is_read_only_is_called(self):
        out = self.rpcspec("run", *self.described(), *self.own, "--verbose")
        self.assertEqual(self.marks("called-erase") + self.marks("called-odd"), 0)
        self.assertGreater(self.marks("called-look"), 0)
        self.assertIn("erase (not annotated readOnlyHint)", flat(out))
        self.assertIn("allow: {tools: [erase]}", flat(out))  # the case about that tool alone

    def test_no_call_is_put_together_from_pieces(self):
        self.write("own/pieces.yaml", CALLS_ONE_TOOL_IN_PIECES)
        own = ["--cases", "own", "--select", "pieces"]
        out = self.rpcspec("run", *self.described(), *own)
        self.assertEqual(self.marks("called-erase"), 0)
        self.assertIn("allow: {tools: [erase]}", flat(out))
        self.rpcspec("run", *self.described(allow={"tools": ["erase"]}), *own)
        self.assertEqual(self.marks("called-erase"), 1)

    # The server is a simple one and breaks this and that; what counts is what it was asked for.
    def test_no_built_in_case_calls_it(self):
        self.rpcspec("run", *self.described(), "--cases", "own", code=1)
        self.assertGreater(self.marks("called-look"), 0)
        self.assertEqual(self.marks("called-erase") + self.marks("called-odd"), 0)

    def test_what_the_operator_allows_is_called(self):
        self.rpcspec("run", *self.described(allow={"call_tools": "any"}), *self.own)
        self.assertGreater(self.marks("called-erase"), 0)

    def test_what_is_allowed_on_the_command_line_is_called(self):
        out = self.rpcspec("run", "--allow-tools", "look,erase", *self.described(), *self.own)
        self.assertEqual(self.marks("called-erase"), 2)
        self.assertEqual(self.marks("called-odd"), 0)
        self.assertIn("not called: odd (not annotated readOnlyHint); allow with --allow-tools NAME,… or "
                      "any", flat(out))
        out = self.rpcspec("run", "--allow-tools", "any", *self.described(), *self.own)
        self.assertGreater(self.marks("called-odd"), 0)
        self.assertNotIn("not called:", flat(out))
        self.assertIn("not called with valid arguments: odd (its pattern (?=x) cannot be checked)", flat(out))

    def test_a_name_that_many_tools_have_allows_nothing(self):
        out = self.rpcspec("run", "--profile", "mcp-2024-11-05", "--select", "mcp/tools/*", "--",
                           SERVER, "--profile", "mcp-2024-11-05")
        called = flat(out).partition("not called: ")[2]
        self.assertIn("echo", called)  # no annotations in this revision
        self.assertNotIn("test_simple_text", called)

    def test_an_address_takes_the_place_of_that_of_a_description(self):
        self.write("t.yaml", json.dumps({
            "command": [SERVER, "--transport", "http", "--port", "{port}", *PLAIN],
            "url": "http://127.0.0.1:1/mcp"}))
        self.rpcspec("run", "--target", "t.yaml", "--url", "http://127.0.0.1:{port}/mcp",
                     "--select", "jsonrpc/id/*")

    def test_what_the_operator_lists_is_called(self):
        self.rpcspec("run", *self.described(allow={"call_tools": "listed", "tools": ["erase"]}),
                     *self.own)
        self.assertGreater(self.marks("called-erase"), 0)
        self.assertEqual(self.marks("called-look"), 0)


class StateTest(TargetCase):
    def setUp(self):
        super().setUp()
        for name in ("a", "b", "c"):
            self.write(f"own/{name}.yaml", FRESH_CASE)
        self.own = ["--cases", "own", "--select", "a", "--select", "b", "--select", "c"]

    def test_a_reset_command_runs_before_each_fresh_session(self):
        self.write("reset.sh", "#!/bin/sh\nprintf x >> reset\n")
        os.chmod(self.path("reset.sh"), 0o755)
        self.rpcspec("run", *self.described(reset=["./reset.sh"]), *self.own)
        self.assertEqual(self.marks("reset"), 3)

    def test_a_reset_request_is_sent_before_each_fresh_session(self):
        self.rpcspec("run", *self.described(reset={"method": "state/reset"}), *self.own)
        self.assertEqual(self.marks("reset"), 3)

    def test_a_reset_that_fails_is_told(self):
        out = self.rpcspec("run", *self.described(reset=["sh", "-c", "echo broken disk; exit 3"]),
                           *self.own, "--verbose", code=3)
        self.assertIn("ended with exit 3; it printed: broken disk", flat(out))
        self.write("t.yaml", "")
        out = self.rpcspec("run", *self.described(reset={"method": "state/rest"}), *self.own,
                           "--verbose", code=3)
        self.assertIn("the reset request state/rest got no result", flat(out))

    def test_each_case_gets_a_process_of_its_own(self):
        self.write("own/d.yaml", FRESH_CASE.replace("session: fresh\n", ""))
        self.write("own/e.yaml", FRESH_CASE.replace("session: fresh\n", ""))
        own = [*self.own, "--select", "d", "--select", "e"]
        self.rpcspec("run", *self.described(), *own)
        shared = self.marks("started")
        os.remove(self.path("started"))
        self.rpcspec("run", *self.described(restart="each-case"), *own)
        self.assertGreater(self.marks("started"), shared)
        self.assertGreaterEqual(self.marks("started"), 5)

    def test_a_server_behind_a_url_is_started_again_for_each_case(self):
        self.write("start.sh", '#!/bin/sh\nprintf x >> started\nexec "$@"\n')
        os.chmod(self.path("start.sh"), 0o755)
        self.write("t.yaml", json.dumps({
            "command": ["./start.sh", SERVER, "--transport", "http", "--port", "{port}", *PLAIN],
            "cwd": ".", "url": "http://127.0.0.1:{port}/mcp", "profile": "jsonrpc-2.0",
            "restart": "each-case"}))
        out = self.rpcspec("run", "--target", "t.yaml", "--select", "jsonrpc/id/string-echo",
                           "--select", "jsonrpc/id/zero-echo")
        self.assertTrue(out.endswith("\ngate passed\n"), out)
        self.assertGreaterEqual(self.marks("started"), 3)


class FileTest(TargetCase):
    def test_headers_reach_the_server_and_nobody_else(self):
        url = "http://127.0.0.1:{port}/"
        command = toy("keyed", "{port}")
        os.environ["RPCSPEC_TEST_KEY"] = "s3cret-key"
        self.addCleanup(os.environ.pop, "RPCSPEC_TEST_KEY")
        self.write("t.json", json.dumps({"mcpServers": {"a": {
            "type": "http", "url": url, "headers": {"X-Key": "${RPCSPEC_TEST_KEY}"}}}}))
        self.write("u.yaml", json.dumps({"url": url, "headers": {"X-Key": "$RPCSPEC_TEST_KEY"}}))
        for target in ("t.json#a", "u.yaml"):
            with self.subTest(target=target):
                out = self.rpcspec("run", "--profile", "jsonrpc-2.0", "--select", "jsonrpc/id/zero-echo",
                                   "--target", target, "--report", "json=r.json", "--transcripts", "kept",
                                   "--verbose", "--", *command)
                self.assertTrue(out.endswith("\ngate passed\n"), out)
                kept = "".join(self.read(os.path.join(folder, name))
                               for folder, _, names in os.walk(self.path("kept")) for name in names)
                self.assertIn("jsonrpc", kept)
                self.assertNotIn("s3cret-key", out + self.read("r.json") + kept)

    def test_the_configuration_file_of_a_tutorial(self):
        self.write("c.json", json.dumps({
            "transport": {"type": "stdio", "encoding": "utf-8", "bufferSize": 8192},
            "logging": {"level": "info"}}))
        out = self.rpcspec("run", *IDS, "--target", "c.json", "--", SERVER, *PLAIN)
        self.assertTrue(out.endswith("\ngate passed\n"), out)
        self.assertIn("name the command after --", self.refused("run", "--target", "c.json"))
        self.write("d.yaml", "command: [a]")
        self.assertEqual(self.refused("run", "--target", "d.yaml", "--", "b"),
                         "d.yaml:1:10: both the description and the command line name a command; "
                         "leave one of them out")


class InspectTest(TargetCase):
    def test_tells_what_the_server_is_and_what_would_be_sent(self):
        out = self.rpcspec("inspect", *self.described())
        self.assertEqual(self.marks("called-erase") + self.marks("called-odd") + self.marks("called-look"),
                         0)
        for words in ("server marker 7 T\\x1b[2J", "judged as mcp-2025-11-25", "speaks 2025-11-25",
                      "does not 2024-11-05 (it answers with 2025-11-25)",
                      "2026-07-28 (no such method)", "capabilities tools", "ms, median round trip",
                      *RESIDENT, "look may be called: annotated readOnlyHint arguments {\"n\":1}",
                      "erase is not called: not annotated readOnlyHint arguments {\"n\":1}",
                      "no arguments: its pattern (?=x) cannot be checked",
                      'allow: {tools: ["erase", "odd"]}', "tool.slow: {arguments: …, name: …}"):
            self.assertIn(words, flat(out))

    def test_json_has_the_same(self):
        out = json.loads(self.rpcspec("inspect", "--format", "json", *self.described()))
        self.assertEqual(out["format"], "rpcspec-inspection/1")
        self.assertEqual(out["server"]["name"], "marker")
        self.assertEqual([row["revision"] for row in out["revisions"] if row["speaks"]], ["2025-11-25"])
        look, erase, odd = out["tools"]
        self.assertEqual((look["called"], erase["called"]), (True, False))
        self.assertEqual((look["valid"], look["minimal"]), ({"n": 1}, {"n": 1}))
        self.assertGreater(look["broken"], 3)
        self.assertNotIn("valid", odd)
        if RESIDENT:
            self.assertGreater(out["memory_bytes"], 1_000_000)
        self.assertGreater(out["latency_us"], 0)
        self.assertGreater(out["start_ms"], 0)
        self.assertIn("tool.slow", [row["affordance"] for row in out["missing"]])

    def test_every_era_of_the_reference_server(self):
        for profile in ("mcp-2024-11-05", "mcp-2025-11-25", "mcp-2026-07-28", "mcp-all", "jsonrpc-2.0"):
            with self.subTest(profile=profile):
                out = json.loads(self.rpcspec("inspect", "--format", "json", "--", SERVER,
                                              "--profile", profile))
                spoken = [row["revision"] for row in out["revisions"] if row["speaks"]]
                if profile == "mcp-all":
                    self.assertEqual(len(spoken), 5)
                    self.assertTrue(out["dual_era"])
                elif profile == "jsonrpc-2.0":
                    self.assertEqual(out["profile"], profile)
                else:
                    self.assertIn(profile[4:], spoken)
                    self.assertEqual(out["profile"], profile)
                for tool in out["tools"]:
                    self.assertEqual(tool["refused"], [], tool)
                    self.assertIn("valid", tool)

    def test_a_server_behind_a_url(self):
        out = self.rpcspec("inspect", "--url", "http://127.0.0.1:{port}/mcp", "--", SERVER,
                           "--transport", "http", "--port", "{port}", "--profile", "mcp-2025-11-25")
        for words in ("median round trip", *RESIDENT):
            self.assertIn(words, out)

    def test_exit_codes(self):
        self.rpcspec("inspect", "--", "no-such-program", code=3)
        self.assertIn("no-such-program", self.complaint)
        self.refused("inspect", "--format", "xml", "--", "true")
        self.refused("inspect", "--profile", "mcp", "--", "true")
        self.refused("inspect")


class MethodTest(testkit.RpcspecTest):
    """Methods of a plain JSON-RPC server, of which nobody knows one."""

    SERVED = ["--", SERVER, "--profile", "jsonrpc-2.0"]

    def test_a_pass_without_methods_of_its_own_is_partial_in_every_report(self):
        out = self.rpcspec("run", "--quick", "--openrpc", "none", *PLAIN, "--report", "json=r.json", "--report",
                           "markdown=r.md", "--report", "junit=r.xml", "--report", "console",
                           *self.SERVED)
        for text in (out, self.read("r.md"), self.read("r.xml"), self.read("r.json")):
            self.assertIn("passed in part: methods of the server were not called", text.replace("\\", ""))
        self.assertEqual(flat(out).count("Add --method NAME:PARAMS, such as --method 'add:[1, 2]'"), 1)

    def test_methods_are_called_as_the_command_line_and_the_file_name_them(self):
        own = ["--select", "jsonrpc/request/own-methods", "--report", "json=r.json"]
        self.write("t.yaml", f"command: [{SERVER}, --profile, jsonrpc-2.0]\n"
                             "methods: {subtract: [42, 23], echo: {text: hi}}\n")
        for words in ([*PLAIN, "--method", "subtract:[42,23]", "--method", 'echo:{"text": "hi"}',
                       *self.SERVED], [*PLAIN, "--target", "t.yaml"]):
            self.rpcspec("run", *own, *words)
            (case,) = [one for one in self.load("r.json")["cases"] if "own-methods" in one["id"]]
            self.assertEqual((case["verdict"], case["rows"]), ("pass", 2))
        self.assertIn("--method 'add:[1, 2]'", self.refused("run", "--method", "add:[1", *self.SERVED))

    def test_init_asks_for_them(self):
        out = self.rpcspec("init", "--openrpc", "none", *PLAIN, *self.SERVED)
        self.assertIn("The only methods called are examples of JSON-RPC 2.0: sum, subtract, get_data. ", flat(out))
        self.assertIn("# methods: {", self.read("rpcspec.yaml"))
        self.rpcspec("init", "--force", *PLAIN, "--method", "echo:[]", *self.SERVED)
        self.assertIn("methods: {echo: []}", self.read("rpcspec.yaml"))


if __name__ == "__main__":
    testkit.main()
