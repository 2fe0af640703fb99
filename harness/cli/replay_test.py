#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# What stands below a cause is true: its replay fails again for the same clause, and the messages that are
# shown belong together.
#
#   replay_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import json
import os
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import SERVER, toy

NEW = ["--profile", "mcp-2025-11-25"]
# A sample of those that are shown by cases, by oracles, and by both.
FAULTS = ["id-string-uppercased", "id-number-as-string", "notification-answered",
          "result-and-error"]


SOME = [word for one in ("jsonrpc/error/*", "jsonrpc/id/integer-echo", "jsonrpc/id/string-echo",
                         "json/valid/string-escapes") for word in ("--select", one)]


class ReplayTest(testkit.RpcspecTest):

    def causes(self, *words):
        """The causes that fail the gate, and the clauses that their findings break."""
        self.rpcspec("run", "--report", "json=r.json", *words, code=None)
        report = self.load("r.json")
        found = {one["id"]: one["findings"] for one in report["cases"]}
        out = []
        for cause in report["causes"]:
            if cause["verdict"] == "fail":
                first = cause["findings"][0]
                clause = found[first["case"]][first["finding"]]["requirement"]
                out.append((cause, {clause, cause["requirement"]}))
        return out

    def check(self, *words):
        causes = self.causes(*words)
        self.assertTrue(causes, "nothing failed")
        shown = 0
        for cause, clauses in causes:
            if not cause["replay"]:
                self.assertTrue(cause["replay_note"], cause["title"])
                continue
            shown += 1
            again = shlex.split(cause["replay"])
            self.assertEqual(again[1], "run")
            seen = {clause for _, some in self.causes(*again[2:]) for clause in some}
            report = self.load("r.json")
            seen |= {one["requirement"] for result in report["cases"] for one in result["findings"]
                     if result["verdict"] == "fail"}
            self.assertTrue(clauses & seen, f"{cause['title']}: {cause['replay']} shows {seen}")
        self.assertGreater(shown, 0)
        return causes

    def test_of_each_cause_of_a_naive_server(self):
        for stage in "strings", "null":
            with self.subTest(stage):
                self.check(*SOME, *NEW, "--", *toy("naive", stage))

    def test_of_each_cause_of_a_fault(self):
        for fault in FAULTS:
            with self.subTest(fault):
                self.check("--select", "jsonrpc/notification/*", *SOME, *NEW, "--", SERVER, "--fault", fault)

    def test_the_plainest_pair_is_shown_and_its_reply_is_its_own(self):
        causes = self.check(*SOME, *NEW, "--", *toy("naive", "strings"))
        cause = next(cause for cause, clauses in causes if "mcp.base.response-same-id" in clauses)
        sent, came = (json.loads(one["text"]) for one in cause["frames"])
        self.assertIsInstance(sent["id"], int)
        self.assertEqual(came["id"], str(sent["id"]))


if __name__ == "__main__":
    testkit.main()
