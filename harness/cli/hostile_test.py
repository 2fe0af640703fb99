#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Servers that misbehave on purpose, over stdio and HTTP. Whatever they do, rpcspec ends by itself
# with a verdict, in bounded time and memory, and leaves none of their processes behind. They are
# in servers/hostile.py.
#
#   hostile_test.py RPCSPEC [TEST...]
import concurrent.futures
import os
import signal
import subprocess
import sys
import threading
import time
import unittest
import uuid

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import RPCSPEC, WORDS, flat, marked, toy

SECONDS = 60        # a run of a few cases
# Peak resident size of rpcspec; a sanitizer adds its own.
MEBIBYTES = 256 * int(os.environ.get("RPCSPEC_MEMORY_FACTOR", "1"))
MARK = "RPCSPEC_HOSTILE_MARK"
FEW = ["jsonrpc/id/string-echo", "jsonrpc/id/zero-echo"]


class Run:
    """One run of rpcspec against a mode: exit code, output, peak memory, time, processes left."""

    def __init__(self, mode, options):
        mark = uuid.uuid4().hex
        target = toy("hostile", mode)
        if mode.startswith("http_"):
            target = ["--url", "http://127.0.0.1:{port}/mcp", "--", *target, "{port}"]
        else:
            target = ["--", *target]
        began = time.monotonic()
        with subprocess.Popen([RPCSPEC, "run", "--timeout", "1", *options, *target],
                              env=os.environ | {MARK: mark}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            watchdog = threading.Timer(SECONDS + 30, process.kill)
            watchdog.start()
            self.output = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            watchdog.cancel()
        self.seconds = time.monotonic() - began
        self.code = process.returncode
        self.mebibytes = usage.ru_maxrss / 1024
        self.left = marked(mark)
        for pid in self.left:
            os.kill(pid, signal.SIGKILL)


# Mode → what the run is given, its exit code, and what its output has to say.
BROKEN = 1
UNREACHABLE = 3
SSE = ["--transport", "sse"]
PLAIN = ["--profile", "jsonrpc-2.0"]
SELECT = [word for case in FEW for word in ("--select", case)]
MODES = {
    "flood": (PLAIN + SELECT, UNREACHABLE, "does not answer a plain JSON-RPC request"),
    "flood_garbage": (PLAIN + SELECT, UNREACHABLE, "does not answer a plain JSON-RPC request"),
    "mute": (PLAIN + SELECT, UNREACHABLE, "does not answer a plain JSON-RPC request"),
    "mute_after_handshake": (SELECT, BROKEN, "no reply at all"),
    "stops_answering": (PLAIN + ["--select", "jsonrpc/id/*", "--max-time", "40"], BROKEN,
                        "is not answered, or too late"),
    "gibibyte_line": (PLAIN + SELECT, UNREACHABLE, "does not answer a plain JSON-RPC request"),
    "long_text_line": (PLAIN + SELECT, BROKEN, "jsonrpc/id/zero-echo"),
    "many_values_line": (PLAIN + SELECT, UNREACHABLE, "does not answer a plain JSON-RPC request"),
    "many_values_in_many_lines": (PLAIN + SELECT, UNREACHABLE, "does not answer"),
    "brackets": (PLAIN + SELECT, UNREACHABLE, "does not answer a plain JSON-RPC request"),
    "closes_stdout": (PLAIN + SELECT, BROKEN, "jsonrpc/id/string-echo"),
    "exits_in_the_middle": (PLAIN + SELECT, BROKEN, "exit 9"),
    "ignores_sigterm": (PLAIN + SELECT, BROKEN, "ghost"),
    "ignores_end_of_input": (PLAIN + SELECT, BROKEN, '"code": "x"'),
    "leaves_children": (PLAIN + SELECT, BROKEN, '"3.0"'),
    "garbage": (PLAIN + SELECT, BROKEN, "red"),
    "stderr_flood": (PLAIN + SELECT, BROKEN, '"id": null'),
    "replies_twice": (PLAIN + SELECT, BROKEN, "oracle/replies"),
    "id_zero_always": (PLAIN + SELECT, BROKEN, "jsonrpc/id/string-echo"),
    "http_endless_body": (PLAIN + SELECT, UNREACHABLE, "does not answer a plain JSON-RPC request"),
    "http_endless_headers": (PLAIN + SELECT, UNREACHABLE, "does not answer"),
    "http_endless_events": (PLAIN + SELECT, UNREACHABLE, "does not answer"),
    "http_never_answers": (PLAIN + SELECT, UNREACHABLE, "does not answer"),
    "http_drips": (PLAIN + SELECT, UNREACHABLE, "does not answer"),
    "http_sse_without_endpoint": (PLAIN + SELECT + SSE, UNREACHABLE, "no endpoint in time"),
    "http_sse_endpoint_elsewhere": (PLAIN + SELECT + SSE, UNREACHABLE, "another origin"),
    "http_sse_endless_line": (PLAIN + SELECT + SSE, UNREACHABLE, "does not answer"),
    "http_sse_endless_events": (PLAIN + SELECT + SSE, UNREACHABLE, "does not answer"),
    "http_sse_drips": (PLAIN + SELECT + SSE, UNREACHABLE, "was not answered"),
}


class HostileTest(unittest.TestCase):
    """One test a mode; most of a run is waiting, so several are under way at a time."""

    @classmethod
    def setUpClass(cls):
        cls.pool = concurrent.futures.ThreadPoolExecutor(max_workers=3)
        cls.runs = {}

    @classmethod
    def tearDownClass(cls):
        cls.pool.shutdown(cancel_futures=True)

    def run_of(self, mode):
        if not self.runs:  # the first test starts them all
            wanted = [name for name in MODES if not WORDS or any(name in word for word in WORDS)]
            for name in sorted(wanted):
                self.runs[name] = self.pool.submit(Run, name, MODES[name][0])
        return self.runs[mode].result()

    def check(self, mode):
        _, code, says = MODES[mode]
        run = self.run_of(mode)
        text = run.output.decode("utf-8", "strict")
        told = f"{mode}: exit {run.code}, {run.seconds:.1f} s, {run.mebibytes:.0f} MiB\n{text[-3000:]}"
        self.assertEqual(run.code, code, told)
        self.assertIn(says, flat(text), told)
        self.assertIn("gate failed", text, told)
        self.assertLess(run.seconds, SECONDS, told)
        self.assertLess(run.mebibytes, MEBIBYTES, told)
        self.assertEqual(run.left, [], f"processes left; {told}")
        self.assertNotRegex(text, r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", told)


for name in MODES:
    setattr(HostileTest, f"test_{name}",
            lambda self, mode=name: self.check(mode))


class WholeSuiteTest(testkit.RpcspecTest):
    def test_server_that_is_mute_after_the_handshake_is_not_asked_for_ever(self):
        run = Run("mute_after_handshake",
                  ["--max-time", "20", "--report", f"json={self.path('report.json')}"])
        report = self.load("report.json")
        text = run.output.decode()
        self.assertEqual(run.code, 1, text[-3000:])
        self.assertGreaterEqual(report["summary"]["fail"], 2)
        reasons = [case["reason"] for case in report["cases"] if case["verdict"] == "inconclusive"]
        why = "not played: the time limit of 20 s was reached"
        self.assertGreater(sum(reason.startswith(why) for reason in reasons), 50, set(reasons))
        self.assertLess(run.seconds, SECONDS)
        self.assertLess(run.mebibytes, MEBIBYTES)
        self.assertEqual(run.left, [])


if __name__ == "__main__":
    testkit.main()
