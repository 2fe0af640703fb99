#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# rpcspec diff from outside: a sound server does not differ from itself, over no pair of transports;
# a Fault is a difference, reduced to the least; what is accepted, stale, bad or random.
#
#   diff_test.py RPCSPEC REFERENCE_SERVER [--part I/N | TEST...]
import json
import os
import re
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import SERVER, toy


PROFILES = ["jsonrpc-2.0", "mcp-2024-11-05", "mcp-2025-03-26", "mcp-2025-06-18", "mcp-2025-11-25",
            "mcp-2026-07-28", "mcp-tutorial"]


class DiffTest(testkit.RpcspecTest):
    USUAL_CODE = None

    def server(self, *faults, profile="mcp-2025-11-25", transport="stdio"):
        command = f"-- '{SERVER}' --profile {profile} --transport {transport}"
        for fault in faults:
            command += f" --fault {fault}"
        if transport == "stdio":
            return command
        if transport == "unix":
            path = self.path("socket-{port}")
            return f"--url unix:{path} {command} --path {path}"
        command += " --port {port}"
        url = {"http": "http://127.0.0.1:{port}/mcp", "ws": "ws://127.0.0.1:{port}/mcp",
               "tcp": "tcp://127.0.0.1:{port}",
               "sse": "http://127.0.0.1:{port}/sse"}[transport]
        return ("--transport sse " if transport == "sse" else "") + f"--url {url} {command}"

    def diff(self, a, b, *words, code=None):
        return self.rpcspec("diff", "--a", a, "--b", b, *words, code=code)

    def document(self, a, b, *words, code=None):
        return json.loads(self.diff(a, b, "--format", "json", *words, code=code))

    def signatures(self, document):
        return [one["signature"] for one in document["differences"]]

    # --- a sound server and itself

    def same(self, profile, one, other, execs=60):
        with self.subTest(profile=profile, a=one, b=other):
            out = self.diff(self.server(profile=profile, transport=one),
                            self.server(profile=profile, transport=other),
                            "--profile", profile, "--execs", str(execs), code=0)
            self.assertRegex(out, r"\n\d+ scripts on both: no difference")
            self.assertGreater(int(re.search(r"\n(\d+) scripts on both", out).group(1)), execs)

    def itself_and_over_other_transports(self, profile):
        self.same(profile, "stdio", "stdio", 200)
        self.same(profile, "stdio", "ws")
        self.same(profile, "stdio", "tcp")
        if profile != "mcp-tutorial":  # its tools take longer than a stream is waited for
            self.same(profile, "http", "stdio")

    def test_a_late_reply_is_not_laid_to_a_later_request_with_the_same_id(self):
        call = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"%s","arguments":{}}}\n'
        with open(self.path("again.script"), "w", encoding="utf-8") as file:
            file.write(call % "test_tool_with_progress" + "!sync\n" + call % "nobody")
        for one, other in (("http", "stdio"), ("stdio", "http"), ("stdio", "ws")):
            self.diff(self.server(transport=one), self.server(transport=other), "again.script",
                      code=0)

    def test_no_other_transports_differ(self):
        self.same("mcp-2025-11-25", "http", "ws")
        self.same("mcp-2025-06-18", "tcp", "unix")
        self.same("mcp-2025-03-26", "http", "http")
        self.same("jsonrpc-2.0", "ws", "tcp")
        self.same("mcp-2024-11-05", "sse", "stdio")
        self.same("mcp-2024-11-05", "sse", "sse")

    # --- a Fault

    def test_a_fault_is_the_difference_and_reduced(self):
        document = self.document(self.server(), self.server("unknown-method-code-32603"), code=1)
        self.assertEqual(self.signatures(document), ["method-unknown: error -32601 | error -32603"])
        one = document["differences"][0]
        self.assertEqual(len(one["script"].splitlines()), 2, one["script"])  # a header, a message
        self.assertEqual(json.loads(one["script"].splitlines()[1]),
                         {"jsonrpc": "2.0", "id": 1, "method": "rpcspec"})
        self.assertEqual((one["lawful"], one["a"]["breaks"]), (False, []))
        self.assertEqual(one["b"]["breaks"][0]["requirement"], "mcp.base.unknown-method")
        self.assertGreater(one["scripts"], 3)

    def test_each_kind_of_fault_is_told_for_what_it_is(self):
        self.write("all.script", """{"jsonrpc":"2.0","id":1,"method":"subtract","params":[42,23]}
{"id":"x","method":"subtract","params":[42,23],"more":[1,2,3]}
!sync
{"jsonrpc":"2.0","id":0,"method":"subtract","params":{"minuend":42,"subtrahend":23}}
{"jsonrpc":"2.0","method":"update","params":[1,2]}
{"jsonrpc": "2.0", "id": 7, "method": "subtract", "params": [1, 2
!sync
{"jsonrpc":"2.0","id":8,"method":"fail_nowhere","params":{"a":{"b":[1]}}}
""")
        for fault, signature, message in [
                ("parse-error-silent", "not-json: error -32700 | nothing", None),
                ("jsonrpc-member-unchecked", "version-missing: error -32600 | result", None),
                ("id-zero-dropped", "subtract: result | nothing", None),
                ("unknown-method-code-32603", "method-unknown: error -32601 | error -32603",
                 '{"jsonrpc":"2.0","id":8,"method":"rpcspec"}'),
                ("notification-answered", "a notification: nothing | result", None),
                ("reply-twice", "a message: the reply | the same reply several times", None)]:
            with self.subTest(fault=fault):
                sound = self.server(profile="jsonrpc-2.0")
                broken = self.server(fault, profile="jsonrpc-2.0")
                document = self.document(sound, broken, "all.script", code=1)
                self.assertEqual(self.signatures(document), [signature])
                one = document["differences"][0]
                steps = one["script"].splitlines()[1:]
                self.assertEqual(len(steps), 1, steps)
                self.assertLess(len(steps[0]), 100)
                if message:
                    self.assertEqual(steps, [message])
                self.assertEqual(one["a"]["breaks"], [])
                if fault in ("jsonrpc-member-unchecked", "unknown-method-code-32603", "notification-answered"):
                    self.assertNotEqual(one["b"]["breaks"], [], fault)
                other_way = self.document(broken, sound, one["file"], code=1)
                self.assertEqual(other_way["differences"][0]["b"]["breaks"], [])

    def test_the_command_it_prints_shows_it_again(self):
        out = self.diff(self.server(), self.server("unknown-method-code-32603"), "--execs", "0", code=1)
        self.assertIn("\nmethod-unknown: error -32601 | error -32603\n"
                      "      A       error -32601\n"
                      "      B       error -32603\n"
                      "              breaks a ", out)
        self.assertEqual(len(os.listdir(self.path("differences"))), 1)
        again = re.search(r"\n      again   (.*)\n", out).group(1)
        done = subprocess.run(["sh", "-c", again], cwd=self.folder, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 1, done)
        self.assertIn(b"1 script on both: 1 difference\n", done.stdout)

    def test_a_fault_of_one_transport_is_found_against_another(self):
        document = self.document(self.server(profile="jsonrpc-2.0"),
                                 self.server("parse-error-silent", profile="jsonrpc-2.0",
                                             transport="ws"), "--execs", "0", code=1)
        self.assertEqual(self.signatures(document), ["not-json: error -32700 | nothing"])

    def test_given_scripts_are_all_that_is_played(self):
        self.write("one.script", '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
        out = self.diff(self.server(), self.server("unknown-method-code-32603"), "one.script", code=0)
        self.assertIn("\n1 script on both: no difference\n", out)

    def test_the_same_seed_plays_the_same(self):
        words = [self.server(), self.server("unknown-method-code-32603"), "--execs", "40", "--seed", "7"]
        one, other = self.document(*words, code=1), self.document(*words, code=1)
        self.assertEqual(self.signatures(one), self.signatures(other))
        self.assertEqual([d["script"] for d in one["differences"]],
                         [d["script"] for d in other["differences"]])

    # --- accepted differences

    def test_the_ledger_accepts_what_it_lists_until_it_is_gone(self):
        broken = self.server("unknown-method-code-32603")
        words = ["--execs", "0"]
        self.diff(self.server(), broken, "--write-accepted", "l.yaml", *words, code=1)
        self.diff(self.server(), broken, "--accepted", "l.yaml", *words, code=2)
        self.assertEqual(self.complaint, "rpcspec: l.yaml:5:5: the entry gives no reason; write in "
                                         "`reason` why the difference is accepted\n")
        with open(self.path("l.yaml"), encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(text.count("signature:"), 1)
        self.write("l.yaml", text.replace('reason: ""', 'reason: mended in the next release'))
        out = self.diff(self.server(), broken, "--accepted", "l.yaml", *words, code=0)
        self.assertIn("\naccepted before\n      method-unknown: error -32601 | error -32603 "
                      "(mended in the next release)\n", out)
        self.assertIn(": no difference, 1 accepted", out)
        # Written again it keeps its reasons.
        self.diff(self.server(), broken, "--accepted", "l.yaml", "--write-accepted", "m.yaml", *words, code=0)
        self.diff(self.server(), broken, "--accepted", "m.yaml", *words, code=0)
        # Gone: stale.
        out = self.diff(self.server(), self.server(), "--accepted", "l.yaml", *words, code=1)
        self.assertIn("\naccepted, but no longer there\n      l.yaml:4:5: method-unknown: error -32601 | error -32603"
                      " is no longer there; remove the entry\n", out)
        # Another difference is none of it.
        out = self.diff(self.server(), self.server("unknown-method-code-32603", "reply-twice"),
                        "--accepted", "l.yaml", *words, code=1)
        self.assertIn("a message: the reply | the same reply several times", out)

    # --- what goes wrong

    def test_mistakes_are_told_in_one_sentence(self):
        server = self.server()
        self.write("bad.yaml", "comand: [x]\n")
        self.write("bad-accepted.yaml", "accepted:\n  - signatur: a\n")
        self.write("a.yaml", f"command: ['{SERVER}']\nprofile: jsonrpc-2.0\n")
        self.write("b.yaml", f"command: ['{SERVER}']\nprofile: mcp-2025-06-18\n")
        for words, said in [
                ([server, "bad.yaml"], "bad.yaml:1:1: unknown key 'comand' in the target description; "),
                ([server, server, "--accepted", "bad-accepted.yaml"],
                 "bad-accepted.yaml:2:5: unknown field `signatur`; did you mean `signature`?"),
                ([server, server, "--accepted", "none.yaml"], "none.yaml"),
                ([server, server, "none.script"], "none.script: the script cannot be read; "),
                (["-- 'x", server], "--a: a quote in it is not closed"),
                ([server, "--url nowhere"], "--b --url: `nowhere` does not begin with a known scheme; "),
                ([server, "--urk x"], "--b: The following argument"),
                ([server, ""], "--b: a target is missing; "),
                (["a.yaml", "b.yaml"], "--profile: A is described as jsonrpc-2.0 and B as mcp-2025-06-18; "),
                ([server, server, "--profile", "mcp"], "--profile: there is no profile `mcp`; "),
                ([server, server, "--write-accepted", "no/such/x"],
                 "no/such/x: the folder 'no/such' does not exist; create it, or name a file in an existing "),
                ([server, server, "--format", "xml"], "--format: there is no format `xml`; "),
                ([server, server, "--", "x"], "--: each of the two targets is one argument here; ")]:
            with self.subTest(said=said):
                self.diff(*words, code=2)
                self.assertTrue(self.complaint.startswith("rpcspec: " + said), self.complaint)
                self.assertEqual(self.complaint.count("\n"), 1, self.complaint)

    def test_a_target_that_cannot_be_driven_is_named(self):
        self.diff(self.server(), "-- ./no-such-server", code=3)
        self.assertTrue(self.complaint.startswith("rpcspec: --b: "), self.complaint)
        self.diff("-- false", self.server(), code=3)
        self.assertTrue(self.complaint.startswith("rpcspec: --a: "), self.complaint)
        self.diff(self.server(profile="jsonrpc-2.0"), self.server(), "--profile", "mcp-2025-06-18", code=3)

    def test_the_newest_profile_both_speak_is_found(self):
        for a, b in [("mcp-all", "mcp-2025-03-26"), ("mcp-2025-03-26", "mcp-all")]:
            document = self.document(self.server(profile=a), self.server(profile=b), "--execs", "0")
            self.assertEqual(document["profile"], "mcp-2025-03-26")

    # --- what is not called

    def test_only_what_both_operators_allow_is_called(self):
        called = self.path("called")
        harmless, other = (shlex.join(toy("one_tool", called, kind, "erase"))
                           for kind in ("harmless", "other"))
        self.diff(harmless, other, "--execs", "50")
        self.diff(other, harmless, "--execs", "50")
        self.assertFalse(os.path.exists(called))
        self.diff(harmless, harmless, "--execs", "10", code=0)
        self.assertTrue(os.path.exists(called))

    def test_what_one_side_alone_offers_is_a_difference(self):
        erase, wipe = (shlex.join(toy("one_tool", self.path("called"), "harmless", name))
                       for name in ("erase", "wipe"))
        document = self.document(erase, wipe, "--execs", "0", code=1)
        self.assertIn("the tool erase: offered | not offered", self.signatures(document))
        self.assertIn("the tool wipe: not offered | offered", self.signatures(document))

    # --- what is no difference

    def test_a_server_that_differs_from_itself_is_masked(self):
        fickle = shlex.join(toy("fickle"))
        self.write("coin.script", '{"jsonrpc":"2.0","id":1,"method":"coin"}\n' * 1)
        words = ["--profile", "jsonrpc-2.0"] + ["coin.script"] * 12
        out = self.diff(fickle, fickle, *words, code=0)
        self.assertRegex(out, r"no difference; \d more did not repeat on fresh sessions of both")

    def test_what_is_slow_on_a_stream_is_not_taken_for_silence(self):
        self.write("slow.script", '{"jsonrpc":"2.0","id":1,"method":"slow"}\n')
        in_lines = shlex.join(toy("slow_method"))
        by_post = "--url http://127.0.0.1:{port}/ -- " + in_lines + " {port}"
        out = self.diff(in_lines, by_post, "--profile", "jsonrpc-2.0", "slow.script", code=0)
        self.assertRegex(out, "no difference; 1 more did not repeat")


for name in PROFILES:  # a test each, so that they can be run side by side
    setattr(DiffTest, f"test_{name}_does_not_differ_from_itself",
            lambda self, name=name: self.itself_and_over_other_transports(name))


if __name__ == "__main__":
    testkit.main()
