#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# rpcspec mcp: what its tools say of a server, what it answers meanwhile, what ends; and rpcspec
# judges it.
#
#   mcp_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import json
import os
import queue
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import RPCSPEC, SERVER, toy

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}}
FAULTY = [SERVER, "--profile", "mcp-2025-11-25", "--fault", "ping-refused"]


class McpTest(testkit.RpcspecTest):
    def begin(self, *words, hello=True):
        self.server = subprocess.Popen([RPCSPEC, "mcp", *words], cwd=self.folder, stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.lines = queue.Queue()

        def read():
            for line in self.server.stdout:
                self.lines.put(json.loads(line))
            self.lines.put(None)

        reader = threading.Thread(target=read)
        reader.start()
        self.addCleanup(reader.join)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.stdout.close)
        self.addCleanup(self.server.kill)
        self.addCleanup(self.server.stdin.close)
        self.last = 0
        if hello:
            self.ask("initialize", **HELLO)
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.server.stdin.write(json.dumps(message) + "\n")
        self.server.stdin.flush()

    def post(self, method, **params):
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        return self.last

    def next(self):
        return self.lines.get(timeout=60)

    def ask(self, method, **params):
        """The reply; what came before it is in self.before."""
        wanted, self.before = self.post(method, **params), []
        while (message := self.next()).get("id") != wanted:
            self.before.append(message)
        return message

    def call(self, tool, _meta=None, **arguments):
        more = {"_meta": _meta} if _meta else {}
        return self.ask("tools/call", name=tool, arguments=arguments, **more)["result"]

    def test_a_run_tells_its_causes_and_how_far_it_is(self):
        self.begin()
        result = self.call("run", {"progressToken": "p"}, command=FAULTY,
                           select=["mcp/ping/result", "jsonrpc/id/zero-echo"])
        outcome = result["structuredContent"]
        self.assertEqual(json.loads(result["content"][0]["text"]), outcome)
        self.assertFalse(outcome["passed"])
        (cause,) = outcome["causes"]
        self.assertEqual((cause["number"], cause["clause"], cause["case"], cause["verdict"]),
                         (1, "mcp.ping.result", "mcp/ping/result", "fail"))
        self.assertIn('"method":"ping"', cause["frames"][0])
        self.assertIn("--select mcp/ping/result", cause["replay"])
        told = [message["params"] for message in self.before]
        self.assertEqual({one["progressToken"] for one in told}, {"p"})
        self.assertEqual([one["progress"] for one in told], list(range(1, len(told) + 1)))
        # The same by the report.
        read = self.ask("resources/read", uri="rpcspec://report")["result"]["contents"][0]
        report = json.loads(read["text"])
        self.assertEqual(report["causes"][0]["title"], cause["title"])
        self.assertEqual(report["summary"]["fail"], outcome["summary"]["fail"])
        prompt = self.ask("prompts/get", name="fix_first_cause")["result"]["messages"][0]["content"]["text"]
        self.assertIn(cause["title"], prompt)
        again = self.call("replay", cause=1)["structuredContent"]
        self.assertEqual([one["title"] for one in again["causes"]], [cause["title"]])
        self.assertIn("the last run has no cause 2", self.call("replay", cause=2)["content"][0]["text"])

    def test_it_answers_beside_a_run_and_a_run_can_be_cancelled(self):
        self.begin()
        run = self.post("tools/call", name="run", arguments={"command": toy("slow_replies")})
        self.ask("ping")
        self.assertEqual(self.before, [])  # the run goes on
        self.assertIn("mcp.ping.result", self.call("explain", name="mcp.ping.result")["content"][0]["text"])
        self.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": run}})
        self.ask("ping")
        self.assertEqual(self.before, [], "nothing is said of what was cancelled")

    def test_what_is_named_by_the_operator_is_judged_alone(self):
        self.begin("--", *FAULTY)
        (run,) = [tool for tool in self.ask("tools/list")["result"]["tools"] if tool["name"] == "run"]
        self.assertNotIn("command", run["inputSchema"]["properties"])
        self.assertTrue(self.call("run", command=["true"])["isError"])
        self.assertEqual(self.call("run", select=["mcp/ping/result"])["structuredContent"]["summary"]["fail"], 1)

    def test_tools_that_look_things_up(self):
        self.begin()
        listed = self.call("list", kind="profiles", containing="2026")["structuredContent"]["text"]
        self.assertRegex(listed, r"^mcp-2026-07-28 ")
        self.assertEqual(listed.count("\n"), 1)
        self.assertTrue(self.call("explain", name="no.such.clause")["isError"])
        self.assertTrue(self.call("explain", name="--suite=/")["isError"])
        self.assertIn("-32602", self.call("explain", name="-32602")["structuredContent"]["text"])
        checked = self.call("check_case", yaml="title: A\nsteps: [{cal: {}}]\n")["structuredContent"]
        self.assertEqual((checked["ok"], checked["text"][:11]), (False, "case.yaml:1"))
        sound = ("title: A ping is answered\ncovers: [mcp.ping.result]\nprofiles: [mcp]\n"
                 "steps:\n  - call: {method: ping}\n    reply: {result: {}}\n")
        self.assertTrue(self.call("check_case", yaml=sound)["structuredContent"]["ok"])
        clause = self.ask("resources/read", uri="rpcspec://clauses/mcp.ping.result")["result"]["contents"][0]
        self.assertIn("mcp.ping.result", clause["text"])
        self.assertEqual(self.ask("resources/read", uri="rpcspec://clauses/nope")["error"]["code"], -32002)

    def test_both_eras_are_served_at_once(self):
        self.begin(hello=False)
        self.assertEqual(self.ask("tools/list")["error"]["code"], -32602)
        found = self.ask("server/discover", _meta=META)["result"]
        self.assertEqual((found["supportedVersions"], found["resultType"]), (["2026-07-28"], "complete"))
        self.ask("initialize", **HELLO)
        self.assertNotIn("resultType", self.ask("tools/list")["result"])
        self.assertEqual(self.ask("tools/list", _meta=META)["result"]["cacheScope"], "public")

    def test_it_ends_with_its_input_and_what_it_started_does_too(self):
        mark = f"RPCSPEC_MARK={os.getpid()}-{time.monotonic_ns()}"
        self.begin("--", "env", mark, *toy("slow_replies"))
        self.post("tools/call", name="run", arguments={})
        until = time.monotonic() + 30
        while not testkit.marked(mark, 0) and time.monotonic() < until:
            time.sleep(0.05)
        self.server.stdin.close()
        self.assertEqual(self.server.wait(30), 0)
        self.assertEqual(testkit.marked(mark), [])

    def test_rpcspec_finds_nothing(self):
        self.rpcspec("run", "--profile", "all", "--level", "should", "--quick", "--report", "json=r.json", "--",
                     RPCSPEC, "mcp")
        report = self.load("r.json")
        self.assertEqual([cause["title"] for cause in report["causes"]], [])
        self.assertEqual(len(report["runs"]), 5)
        self.assertGreater(report["summary"]["pass"], 100)


if __name__ == "__main__":
    testkit.main()
