#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Each planted bug is there: a script of as many messages as its row says shows it, on a server with
# it and on no other. Then the fuzzer has to find a few of them by itself, from a fixed seed. A commit
# tries half of them.
#
#   planted_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import glob
import os
import subprocess
import sys

import yaml

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import reference_runs
import testkit
import turn
from testkit import RPCSPEC, SERVER

HERE = os.path.dirname(os.path.abspath(__file__))
# How many scripts are played in search of each: about ten times as many as it mostly takes.
SOUGHT = {"planted-empty-batch-within": 300, "planted-initialize-after-call": 300,
          "planted-token-fraction": 6000, "planted-state-elsewhere": 300,
          "planted-long-uri": 8000, "planted-call-between-lists": 8000}


def turn_of(rows):
    """One in three; the others with other commits."""
    return {name: row for i, (name, row) in enumerate(rows.items()) if turn.is_turn(i % 3, 3)}


class PlantedTest(testkit.RpcspecTest):
    USUAL_CODE = None
    SECONDS = 120

    @classmethod
    def setUpClass(cls):
        cls.runs = reference_runs.Rpcspec(RPCSPEC, SERVER)
        cls.rows = {row["id"]: row["planted"] for row in cls.runs.listing("faults")
                    if "planted" in row}

    def target(self, name, fault):
        about = self.rows[name]
        setting = reference_runs.Setting(about["profile"], about["profile"], about["transport"])
        path = os.path.join(self.folder, f"{name}-{bool(fault)}.yaml")
        with open(path, "w", encoding="utf-8") as out:
            yaml.safe_dump(self.runs.description(setting, fault, self.folder), out)
        return ["--profile", about["profile"], "--target", path]

    def shows(self, name, fault, script):
        """Whether something is wrong, be it a SHOULD, and what was said."""
        said = self.rpcspec("replay", script, *self.target(name, fault))
        self.assertIn(self.code, (0, 1), said[-2000:] + self.complaint)
        return " passed" not in said.splitlines()[-2], said[-2000:]

    def test_a_script_as_long_as_the_row_says_shows_each(self):
        self.assertGreaterEqual(len(self.rows), 30)
        scripts = os.path.join(self.folder, "scripts")
        subprocess.run([os.path.join(HERE, "../../fuzz/targets/seeds.py"),
                        os.path.join(HERE, "planted.scripts"), scripts], check=True)
        self.assertEqual(set(os.listdir(scripts)), set(self.rows))
        for name, about in turn_of(self.rows).items():
            script = os.path.join(scripts, name)
            with self.subTest(name):
                self.assertEqual(reference_runs.frames_of(script), about["frames"])
                shown, said = self.shows(name, name, script)
                self.assertTrue(shown, said)
                shown, said = self.shows(name, None, script)
                self.assertFalse(shown, said)

    def test_the_fuzzer_finds_some_of_them(self):
        for name, execs in turn_of(SOUGHT).items():
            with self.subTest(name):
                findings = os.path.join(self.folder, name)
                self.rpcspec("fuzz", "--seed", "1", "--execs", str(execs), "--stop-at-first",
                             "--findings", findings,
                             *self.target(name, name), code=1)
                for script in glob.glob(os.path.join(findings, "*", "script")):
                    shown, said = self.shows(name, name, script)
                    self.assertTrue(shown, said)


if __name__ == "__main__":
    testkit.main(verbosity=1)
