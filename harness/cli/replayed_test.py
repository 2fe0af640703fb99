#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# The command that a report prints for a cause shows that cause again: it fails for the same clause.
# Of a sample of the Faults, one in three commits, and of servers written by hand in the folder that
# RPCSPEC_NAIVE names
# (greeter.py, notes.mjs, …), where there is one.
#
#   replayed_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import os
import shlex
import shutil
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import RPCSPEC, SERVER
from turn import is_turn

SAMPLE = [("jsonrpc-2.0", "batch-reply-repeated-alone"), ("jsonrpc-2.0", "id-percent-decoded"),
          ("mcp-2025-11-25", "tool-input-schema-missing"), ("mcp-2026-07-28", "image-data-uri")]
NAIVE = os.environ.get("RPCSPEC_NAIVE", "")
STARTS = {".py": ["python3"], ".mjs": ["node"], ".sh": ["bash"], ".pl": ["perl"]}


class ReplayedTest(testkit.RpcspecTest):
    SECONDS = 400

    def replayed(self, *words):
        """Plays the command of each cause; returns how many there were."""
        self.rpcspec("run", "--quiet", *words, code=None)
        causes = [cause for cause in self.load("r.json")["causes"]
                  if cause["verdict"] == "fail" and not cause["baselined"]]
        tried = 0
        for cause in causes:
            if not cause["replay"]:
                self.assertTrue(cause["replay_note"], cause["title"])
                continue
            if "replay_note" in cause:
                continue  # it says that nobody tried it
            command = shlex.split(cause["replay"])
            self.assertEqual(command[0], RPCSPEC)
            at = command.index("run") + 1
            self.rpcspec(*command[1:at], "--quiet", "--report", "json=again.json", *command[at:], code=None)
            shown = {finding["requirement"] for case in self.load("again.json")["cases"]
                     for finding in case["findings"] if finding["severity"] == "fail"}
            first = cause["findings"][0]
            (case,) = [case for case in self.load("r.json")["cases"] if case["id"] == first["case"]]
            clause = case["findings"][first["finding"]]["requirement"]
            self.assertIn(clause, shown, f"{cause['title']}: {cause['replay']}")
            tried += 1
        return tried

    def test_the_command_of_each_cause_shows_it_again(self):
        chosen = [one for part, one in enumerate(SAMPLE) if is_turn(part, 3 * len(SAMPLE))]
        if not chosen:
            self.skipTest("one commit in three plays a Fault of the sample")
        for profile, fault in chosen:
            with self.subTest(fault=fault):
                self.assertGreater(self.replayed(
                    "--profile", profile, "--report", "json=r.json", "--", SERVER, "--profile",
                    profile, "--fault", fault), 0)

    @unittest.skipUnless(os.path.isdir(NAIVE), "RPCSPEC_NAIVE names no folder")
    def test_so_do_those_of_servers_written_by_hand(self):
        for name in sorted(os.listdir(NAIVE)):
            start = STARTS.get(os.path.splitext(name)[1])
            if not start or not shutil.which(start[0]) or name == "check.py":
                continue
            words = ["--", *start, os.path.join(NAIVE, name)]
            if name in ("sums.mjs", "todo.py"):  # over HTTP
                words = ["--url", "http://127.0.0.1:{port}/", *words, "{port}"]
            with self.subTest(server=name):
                self.assertGreater(self.replayed("--report", "json=r.json", *words), 0)


if __name__ == "__main__":
    testkit.main()
