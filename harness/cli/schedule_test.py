#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# rpcspec fuzz --schedules from outside: planted races are found from a fixed seed and replay; a sound
# server shows nothing.
#
#   schedule_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import glob
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import SERVER


class ScheduleTest(testkit.RpcspecTest):
    USUAL_CODE = None
    SECONDS = 400  # it waits for what never comes, longer on a busy machine

    def server(self, *faults, profile="mcp-2025-06-18", transport="stdio"):
        command = [SERVER, "--profile", profile, "--transport", transport]
        for fault in faults:
            command += ["--fault", fault]
        if transport == "stdio":
            return ["--profile", profile, "--", *command]
        return ["--profile", profile, "--url", "http://127.0.0.1:{port}/mcp", "--", *command,
                "--port", "{port}"]

    def explore(self, *words, seed=1, execs=600, code=None):
        findings = self.path("findings")
        said = self.rpcspec("fuzz", "--schedules", "--seed", str(seed), "--execs", str(execs),
                            "--findings", findings, "--stop-at-first", *words, code=code)
        return said, glob.glob(os.path.join(findings, "*", "finding.json"))

    def test_races_are_found_and_replay(self):
        # What no script that shows it can do without; when the second of two calls under way ends before
        # the third begins, a busy machine may see to that by itself.
        for fault, transport, needed in (
                ("planted-race-late-answer", "stdio", r"!release last\n"),
                ("planted-race-freed-slot", "stdio", r"(?s)tools/call.*tools/call.*tools/call"),
                ("planted-race-cut-session", "http", r"!cut\n")):
            with self.subTest(fault):
                said, found = self.explore(*self.server(fault, transport=transport), code=1)
                self.assertEqual(len(found), 1, said)
                with open(found[0], encoding="utf-8") as text:
                    finding = json.load(text)
                self.assertIn(finding["plays"]["shown"], range(1, finding["plays"]["of"] + 1))
                self.assertLessEqual(finding["plays"]["of"], 20)
                self.assertTrue(finding.get("in_flight"), finding)
                script = os.path.join(os.path.dirname(found[0]), "script")
                with open(script, encoding="utf-8") as text:
                    self.assertRegex(text.read(), needed)
                self.rpcspec("replay", script, *self.server(fault, transport=transport), code=1)
                self.rpcspec("replay", script, *self.server(transport=transport), code=0)
                for file in glob.glob(os.path.join(os.path.dirname(found[0]), "*")):
                    os.unlink(file)
                os.rmdir(os.path.dirname(found[0]))

    def test_a_sound_server_shows_nothing_in_flight(self):
        for transport, execs in (("stdio", 250), ("http", 60)):
            with self.subTest(transport):
                said, found = self.explore(*self.server(transport=transport), execs=execs, code=0)
                self.assertEqual(found, [], said)
                self.assertIn("no findings", said)

    def test_what_has_no_meaning_for_schedules_is_told(self):
        said = self.rpcspec("fuzz", "--schedules", "--jobs", "2", *self.server(), code=2)
        self.assertIn("--schedules", said + self.complaint)

    def test_a_server_elsewhere_is_asked_for_consent(self):
        said = self.rpcspec("fuzz", "--schedules", "--findings", self.path("findings"), "--url",
                            "http://192.0.2.1/mcp", code=2)
        self.assertIn("--yes-fuzz-remote", said + self.complaint)
        self.assertFalse(os.path.exists(self.path("findings")))


if __name__ == "__main__":
    testkit.main(verbosity=1)
