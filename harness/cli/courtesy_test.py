#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# A server that keeps few sessions, or asks for time now and then, gets the verdicts it would get
# otherwise; and what is open at one time stays within the bounds.
#
#   courtesy_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import SERVER, toy

PROFILE = "mcp-2025-11-25"
MOST = {"sessions": 4, "connections": 6}


class CourtesyTest(testkit.RpcspecTest):
    def judged(self, mode, *words):
        """The verdicts of a run against the sound server behind a counter, and what that counted:
        one count for each process that was started."""
        counted = os.path.join(self.folder, mode + "-{port}.json")
        self.rpcspec("run", "--profile", PROFILE, "--report", "json=r.json", *words,
                     "--url", "http://127.0.0.1:{port}/mcp", "--",
                     *toy("counting", "{port}", mode, counted, "--", SERVER, "--profile", PROFILE,
                          "--transport", "http", "--port", "BEHIND"))
        report = json.loads(self.read("r.json"))
        # Whether a call is still worked on when its connection breaks depends on time.
        verdicts = {case["id"]: case["verdict"] for case in report["cases"]
                    if case["id"] != "mcp/http/resume"}
        names = [name for name in os.listdir(self.folder) if name.startswith(mode + "-")]
        counts = [json.loads(self.read(name)) for name in names]
        for name in names:
            os.remove(os.path.join(self.folder, name))
        return verdicts, counts

    def test_bounds_hold_and_the_verdicts_do(self):
        usual, counts = self.judged("plain")
        self.assertGreater(list(usual.values()).count("pass"), 200)
        self.assertEqual(len(counts), 1, "processes")
        for counted in counts:
            for what, most in MOST.items():
                self.assertGreater(counted[what], 0, counts)
                self.assertLessEqual(counted[what], most, counts)
            self.assertEqual(counted["left"], 0, counts)

        few, counts = self.judged("few")
        self.assertEqual(few, usual)
        for counted in counts:
            self.assertEqual(counted["refused"], 0, counts)

        busy, counts = self.judged("busy")
        self.assertEqual(busy, usual)
        self.assertGreater(sum(counted["busy"] for counted in counts), 50, counts)
        for counted in counts:
            self.assertLessEqual(counted["connections"], MOST["connections"], counts)

    def test_one_process_is_started_where_nothing_is_to_go_on_beside_a_case(self):
        verdicts, counts = self.judged("plain", "--jobs", "1", "--select", "mcp/*",
                                       "--exclude", "mcp/tasks/*")
        self.assertGreater(list(verdicts.values()).count("pass"), 100)
        self.assertEqual(len(counts), 1, counts)

    def test_a_case_that_opens_as_many_as_may_be_open_has_them_to_itself(self):
        # Alone: no other case takes the session that the target was met on.
        verdicts, counts = self.judged("plain", "--select", "mcp/http/session-ids-differ")
        self.assertEqual(verdicts, {"mcp/http/session-ids-differ": "pass"})
        self.assertEqual(len(counts), 1, counts)
        self.assertLessEqual(counts[0]["sessions"], MOST["sessions"], counts)

    def test_who_never_gets_all_the_room_is_played_all_the_same(self):
        # One holds a session for longer than the other, which wants all connections, waits for it.
        self.write("own/mine/holds.yaml", """\
title: The server answers after a long pause
covers: [mcp.base.response-same-id]
session: fresh
steps:
  - pause: 7
  - call: {method: ping}
    reply: normal
""")
        verdicts, _ = self.judged("plain", "--cases", "own", "--select", "mine/*",
                                  "--select", "mcp/cancel/race")
        self.assertEqual(verdicts, {"mine/holds": "pass", "mcp/cancel/race": "pass"})


if __name__ == "__main__":
    testkit.main()
