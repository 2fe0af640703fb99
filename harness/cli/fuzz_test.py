#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Campaigns from outside: what they find, what they write, what they leave alone, how they end.
#
#   fuzz_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

RPCSPEC = ""
SERVER = ""

# Speaks MCP 2025-06-18 with one tool nobody said may be called, and tells by a file when it was.
CAREFUL_SERVER = r'''
import json, sys
for line in sys.stdin:
    try:
        message = json.loads(line)
    except ValueError:
        print(json.dumps({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}}), flush=True)
        continue
    for one in message if isinstance(message, list) else [message]:
        if not isinstance(one, dict):
            continue
        method, params = one.get("method"), one.get("params")
        if method == "tools/call" and isinstance(params, dict) and params.get("name") == "erase":
            open(sys.argv[1], "a").write(line)
        if not isinstance(one.get("id"), (str, int)) or not isinstance(method, str):
            continue
        reply = {"jsonrpc": "2.0", "id": one["id"]}
        if method == "initialize":
            reply["result"] = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                               "serverInfo": {"name": "careful", "version": "1"}}
        elif method == "ping":
            reply["result"] = {}
        elif method == "tools/list":
            reply["result"] = {"tools": [{"name": "erase", "inputSchema": {"type": "object"}},
                                         {"name": "look", "inputSchema": {"type": "object"},
                                          "annotations": {"readOnlyHint": True}}]}
        elif method == "tools/call":
            reply["result"] = {"content": []}
        else:
            reply["error"] = {"code": -32601, "message": "Method not found"}
        print(json.dumps(reply), flush=True)
'''


class FuzzTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="rpcspec-fuzz-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def rpcspec(self, *words, code=None, seconds=120):
        done = subprocess.run(["timeout", "-s", "KILL", str(seconds), RPCSPEC, *words],
                              cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=seconds + 20)
        out, self.complaint = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
        if code is not None:
            self.assertEqual(done.returncode, code, f"{words}\n{out[-3000:]}\n{self.complaint[-3000:]}")
        return out

    def server(self, *faults, profile="mcp-2025-11-25"):
        words = ["--", SERVER, "--profile", profile]
        for fault in faults:
            words += ["--fault", fault]
        return words

    def findings(self):
        return sorted(glob.glob(self.path("findings/*/")))

    def left_over(self):
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    if f"RPCSPEC_FUZZ_TEST={self.folder}".encode() in file.read():
                        found.append(pid)
            except OSError:
                pass
        return found

    def test_a_bug_becomes_one_finding_that_replays_and_a_case(self):
        self.rpcspec("fuzz", "--execs", "1500", "--seed", "1", *self.server("params-array-kills"),
                     code=1)
        signatures = {}
        for folder in self.findings():
            with open(folder + "signature", encoding="utf-8") as file:
                signatures[file.read().strip()] = folder
        ended = [one for one in signatures if one.startswith("ended|exit 1|")]
        self.assertEqual(len(ended), 1, signatures)
        folder = signatures[ended[0]]
        with open(folder + "script", encoding="utf-8") as file:
            frames = [line for line in file.read().splitlines() if not line.startswith("#")]
        self.assertEqual(len(frames), 1, frames)
        self.assertIn('"params":[]', frames[0])
        with open(folder + "README.md", encoding="utf-8") as file:
            readme = file.read()
        for words in ("- expected:", "- seen:", "reproducible: seen in 3 of 3", " replay --profile ",
                      " run --profile ", "← "):
            self.assertIn(words, readme)
        for _ in range(10):
            self.rpcspec("replay", folder + "script", *self.server("params-array-kills"), code=1)
        self.rpcspec("replay", folder + "script", *self.server(), code=0)
        select = ["run", "--cases", folder, "--select", "*", "--profile", "mcp-2025-11-25"]
        self.rpcspec(*select, *self.server("params-array-kills"), code=1)
        fixed = self.rpcspec("run", "--cases", folder, "--profile", "mcp-2025-11-25", "--select",
                             "case", *self.server())
        self.assertIn("1 passed", fixed)
        self.rpcspec("judge", folder + "transcript.jsonl", code=1)
        # What is known is not found again.
        again = self.rpcspec("fuzz", "--execs", "300", "--seed", "1",
                             *self.server("params-array-kills"))
        self.assertEqual(len([f for f in self.findings() if "survives-invalid" in f or
                              "server-closes" in f]), 1, again)

    def test_the_same_seed_makes_the_same_scripts(self):
        digests = set()
        for _ in range(2):
            out = self.rpcspec("fuzz", "--execs", "300", "--seed", "7",
                               *self.server(profile="jsonrpc-2.0"))
            digests.add(re.search(r"\(scripts ([0-9a-f]{16})\)", out).group(1))
        self.assertEqual(len(digests), 1)
        other = self.rpcspec("fuzz", "--execs", "300", "--seed", "8",
                             *self.server(profile="jsonrpc-2.0"))
        self.assertNotIn(digests.pop(), other)

    def test_a_corpus_is_grown_and_read(self):
        self.rpcspec("fuzz", "--execs", "400", "--seed", "2", "--corpus", "c", *self.server())
        kept = os.listdir(self.path("c"))
        self.assertGreater(len(kept), 20)
        self.rpcspec("fuzz", "--execs", "500", "--seed", "3", "--corpus", "c", *self.server())
        self.assertGreaterEqual(len(os.listdir(self.path("c"))), len(kept))
        self.rpcspec("replay", "c", *self.server(), code=0)

    def test_workers_side_by_side(self):
        out = self.rpcspec("fuzz", "--execs", "300", "--seed", "2", "--jobs", "2", *self.server())
        self.assertIn("2 workers", out)
        self.assertIn("--execs 300 ", out)

    def test_no_tool_is_called_that_may_not_be(self):
        with open(self.path("careful.py"), "w", encoding="utf-8") as file:
            file.write(CAREFUL_SERVER)
        self.rpcspec("fuzz", "--for", "8s", "--seed", "4", "--", sys.executable,
                     self.path("careful.py"), self.path("erased"))
        self.assertFalse(os.path.exists(self.path("erased")))

    def test_an_interrupt_ends_it_in_order(self):
        env = {**os.environ, "RPCSPEC_FUZZ_TEST": self.folder}
        with open(self.path("out"), "wb") as out:
            running = subprocess.Popen([RPCSPEC, "fuzz", "--jobs", "2", *self.server()],
                                       cwd=self.folder, stdin=subprocess.DEVNULL, stdout=out,
                                       stderr=subprocess.DEVNULL, env=env)
            time.sleep(3)
            running.send_signal(signal.SIGINT)
            self.assertIn(running.wait(30), (0, 1))
        with open(self.path("out"), encoding="utf-8") as file:
            self.assertIn("the same again: --seed", file.read())
        for _ in range(50):
            if not self.left_over():
                break
            time.sleep(0.1)
        self.assertEqual(self.left_over(), [])

    def test_a_killed_campaign_leaves_nothing_running(self):
        env = {**os.environ, "RPCSPEC_FUZZ_TEST": self.folder}
        running = subprocess.Popen([RPCSPEC, "fuzz", "--jobs", "2", *self.server()],
                                   cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
        time.sleep(2)
        running.kill()
        running.wait(10)
        for _ in range(50):
            if not self.left_over():
                break
            time.sleep(0.1)
        self.assertEqual(self.left_over(), [])

    def test_other_transports(self):
        for transport, url in (("http", "http://127.0.0.1:{port}/mcp"),
                               ("ws", "ws://127.0.0.1:{port}/mcp"), ("tcp", "tcp://127.0.0.1:{port}")):
            out = self.rpcspec("fuzz", "--execs", "120", "--seed", "1", "--url", url, "--", SERVER,
                               "--profile", "mcp-2025-11-25", "--transport", transport, "--port",
                               "{port}")
            self.assertIn("--execs 120 ", out)

    def test_bad_usage_is_one_sentence(self):
        for words, says in ((["--for", "soon"], "--for: `soon` is no duration"),
                            (["--jobs", "0"], "--jobs: it is a number from 1 to 64"),
                            (["--profile", "nope"], "--profile: there is no profile `nope`"),
                            (["--level", "x"], "--level: there is no level `x`"),
                            (["--timeout", "0"], "--timeout: it is a number of seconds above 0")):
            self.rpcspec("fuzz", *words, *self.server(), code=2)
            self.assertEqual(len(self.complaint.splitlines()), 1, self.complaint)
            self.assertIn(says, self.complaint)
        self.rpcspec("replay", self.path("nowhere"), *self.server(), code=2)
        self.assertIn("the script cannot be read", self.complaint)

    def test_a_target_that_is_none_is_named(self):
        for words in (["--", "/bin/false"], ["--url", "http://127.0.0.1:9/mcp"]):
            self.rpcspec("fuzz", "--execs", "10", *words, code=3)
            self.assertEqual(len(self.complaint.splitlines()), 1, self.complaint)


if __name__ == "__main__":
    RPCSPEC, SERVER = (os.path.abspath(path) for path in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
