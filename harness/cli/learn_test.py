#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# rpcspec learn from outside: a life cycle is learnt, drawn, compared, and broken.
#
#   learn_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import SERVER


class LearnTest(testkit.RpcspecTest):
    USUAL_CODE = None

    def server(self, *faults):
        command = [SERVER, "--profile", "mcp-2025-06-18", "--transport", "stdio"]
        for fault in faults:
            command += ["--fault", fault]
        return ["--profile", "mcp-2025-06-18", "--", *command]

    def learn(self, *words, code=None):
        return self.rpcspec("learn", *words, code=code)

    def test_a_life_cycle_is_learnt_and_drawn(self):
        dot, mermaid = self.path("old.dot"), self.path("old.mmd")
        said = self.learn("--to", "dot=" + dot, "--to", "mermaid=" + mermaid, "--to", "text",
                          *self.server(), code=0)
        self.assertIn("2 states", said)
        self.assertIn("did not refute it", said)
        self.assertRegex(said, r"s0, at the beginning\n  initialize +> s1  result")
        with open(mermaid, encoding="utf-8") as text:
            self.assertTrue(text.read().startswith("stateDiagram-v2\n  [*] --> s0\n"))
        same = self.learn("--diff", dot, *self.server(), code=0)
        self.assertIn("no difference", same)

    def test_a_broken_life_cycle_is_a_finding_and_a_change(self):
        dot = self.path("old.dot")
        self.learn("--to", "dot=" + dot, *self.server(), code=0)
        changed = self.learn("--diff", dot, *self.server("early-request-kills"), code=1)
        self.assertRegex(changed, r"\* at the start, `tools/list`: was error -32600, is closed")
        self.assertIn("learn", changed)
        played = self.learn("--play", "ping tools/list", *self.server("early-request-kills"),
                            code=1)
        self.assertRegex(played, r"ping +result\ntools/list +closed, exit 1")

    def test_mistakes_of_learn_are_told(self):
        for words, told in ((["--to", "png=x"], "the formats are dot, mermaid and text"),
                            (["--symbols", "nix"], "there is no symbol `nix`"),
                            (["--diff", SERVER], "give a file that"),
                            (["--level", "may"], "write must or should")):
            with self.subTest(words):
                said = self.learn(*words, *self.server(), code=2)
                self.assertIn(told, said + self.complaint)

    def test_a_server_elsewhere_is_asked_for_consent(self):
        said = self.learn("--url", "http://192.0.2.1/mcp", code=2)
        self.assertIn("--yes-fuzz-remote", said + self.complaint)


if __name__ == "__main__":
    testkit.main(verbosity=1)
