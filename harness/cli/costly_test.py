#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Servers that cost whoever talks to them: those of servers/costly.py. Whatever they do, the work of a
# run is bounded, counted in what the server saw of it and in bytes that are kept, and the run says
# what was broken (exit 1) or why nothing more could be judged (exit 3). It never passes.
#
#   costly_test.py RPCSPEC [REFERENCE_SERVER] [--part I/N | TEST...]
import os
import pathlib
import signal
import subprocess
import sys
import threading
import uuid

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "servers"))
import costly
import testkit
from testkit import RPCSPEC, WORDS, marked, toy

MEBIBYTE = 1 << 20
# Peak resident size of rpcspec; a sanitizer adds its own.
MEBIBYTES = 256 * int(os.environ.get("RPCSPEC_MEMORY_FACTOR", "1"))
SELECT = ["json/valid/*", "jsonrpc/id/*", "mcp/ping/*"]
STARTS = 150      # of the server: one a case, one more to look again, and those of a table
# That it got in each case that was begun: 2,000 answers to requests of its own, and what cases ask;
# how many are begun before the time is up depends on the machine.
MESSAGES = 2100
KEPT = 16         # MiB of the report, and of the transcripts here

BROKEN, UNJUDGED = 1, 3
# What the first failing cause cites, where the bytes show a breach; where they show none: 3.
LAWFUL = {"markup"}  # a result may have members that nobody knows
CODES = {
    "always_invalid_utf8": (BROKEN, "mcp.base.utf8"),
    "always_nul_bytes": (BROKEN, "json.output.grammar"),
    "dies_at_bad_line": (BROKEN, None),
}


class CostlyTest(testkit.RpcspecTest):
    def played(self, mode):
        mark, tally = uuid.uuid4().hex, self.path("tally")
        words = [RPCSPEC, "run", "--profile", "mcp-2025-11-25", "--timeout", "1", "--max-time", "4",
                 "--report", "json=report.json", "--report", "console", "--transcripts", "kept",
                 *(word for pattern in SELECT for word in ("--select", pattern))]
        if mode.startswith(("http_", "ws_")):
            scheme = "http" if mode.startswith("http_") else "ws"
            words += ["--url", scheme + "://127.0.0.1:{port}/mcp", "--",
                      *toy("costly", mode, "{port}")]
        else:
            words += ["--", *toy("costly", mode)]
        with subprocess.Popen(words, cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=os.environ | {"COSTLY_MARK": mark, "COSTLY_TALLY": tally}) as run:
            watchdog = threading.Timer(180, run.kill)
            watchdog.start()
            self.output = run.stdout.read()
            _, status, usage = os.wait4(run.pid, 0)
            run.returncode = os.waitstatus_to_exitcode(status)
            watchdog.cancel()
        self.peak = usage.ru_maxrss / 1024
        self.counted = pathlib.Path(tally).read_bytes()
        self.left = marked(mark, 3)
        for pid in self.left:
            os.kill(pid, signal.SIGKILL)
        return run.returncode

    def check(self, mode):
        code = self.played(mode)
        text = self.output.decode("utf-8", "strict")
        report = self.load("report.json")
        told = f"{mode}: exit {code}, {self.peak:.0f} MiB\n{text[-3000:]}"
        self.assertIn(code, (0,) if mode in LAWFUL else (BROKEN, UNJUDGED), told)
        self.assertEqual(report["gate"]["passed"], mode in LAWFUL, told)
        failing = [cause for cause in report["causes"] if cause["verdict"] == "fail"]
        wanted, clause = CODES.get(mode, (code, None))
        self.assertEqual(code, wanted, told)
        if code == BROKEN:
            self.assertTrue(failing, told)
            self.assertIn(clause or failing[0]["requirement"],
                          [cause["requirement"] for cause in failing], told)
            self.assertTrue(failing[0]["frames"] or failing[0]["findings"], told)
        elif code == UNJUDGED:
            self.assertRegex(text, "not played|could not be judged|was not", told)
        # Work, as the server saw it, and what is kept of it.
        self.assertLessEqual(self.counted.count(b"s"), STARTS, told)
        begun = [case for case in report["cases"] if "time limit" not in (case["reason"] or "")]
        self.assertLessEqual(self.counted.count(b"m"), MESSAGES * max(8, len(begun) + 1), told)
        kept = sum(file.stat().st_size for file in pathlib.Path(self.path("kept")).rglob("*.jsonl"))
        self.assertLess(kept, 64 * MEBIBYTE, told)
        self.assertLess(os.path.getsize(self.path("report.json")), KEPT * MEBIBYTE, told)
        self.assertLess(self.peak, MEBIBYTES, told)
        self.assertEqual(self.left, [], f"processes left; {told}")
        self.assertNotRegex(text, r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", told)


for name in costly.MODES:
    setattr(CostlyTest, f"test_{name}", lambda self, mode=name: self.check(mode))

if __name__ == "__main__":
    testkit.main()
