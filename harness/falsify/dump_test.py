#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# What is told of a sample of the Faults is what golden.jsonl says; and dumps are compared in a way
# that misses nothing.
#
#   dump_test.py RPCSPEC_FALSIFY
import copy
import glob
import io
import json
import os
import re
import sys
import unittest

import yaml

sys.dont_write_bytecode = True  # tests leave nothing in the source folder
import dump
import dump_diff
import dump_form

PLAY = {
    "fault": "tools-null", "server": "mcp-2025-11-25", "judged_by": "mcp-2025-11-25",
    "transport": "stdio", "profile": "mcp-2025-11-25", "gate": "failed: a MUST is broken",
    "verdicts": {"a/first": "fail", "a/second": "fail", "a/third": "pass"},
    "reasons": {"a/fourth": "nobody asks"},
    "findings": [
        {"case": "a/first", "requirement": "x.one", "severity": "fail", "row": "7",
         "expected": "a list", "seen": "null"},
        {"case": "a/second", "requirement": "x.two", "severity": "fail",
         "expected": "an id", "seen": "no id"}],
    "causes": [
        {"requirement": "x.one", "level": "MUST", "verdict": "fail", "title": "Lists are null",
         "sentence": "Expected a list; seen null", "by_clause": True,
         "findings": [["a/first", "x.one", "7"]]},
        {"requirement": "x.two", "level": "MUST", "verdict": "fail", "title": "Ids are lost",
         "sentence": "Expected an id; seen none", "by_clause": False,
         "findings": [["a/second", "x.two"]]}],
}
FALSIFY = ""


def read(*parts):
    with open(os.path.join(dump.TOP, *parts), encoding="utf-8") as file:
        return file.read()


class DiffTest(unittest.TestCase):
    def differs(self, change, *wanted):
        """`change` is made to a copy; `wanted` are the groups of what is told then, and a word."""
        after = copy.deepcopy(PLAY)
        change(after)
        told = list(dump_diff.of_play(PLAY, after))
        self.assertEqual([group for group, _ in told], [group for group, _ in wanted], told)
        for (_, text), (_, word) in zip(told, wanted):
            self.assertIn(word, text)

    def test_equal_plays_differ_in_nothing(self):
        self.differs(lambda play: None)

    def test_each_kind_of_difference_is_told_apart(self):
        self.differs(lambda play: play["verdicts"].update({"a/third": "warn"}),
                     ("verdicts", "a/third: pass → warn"))
        self.differs(lambda play: play["verdicts"].pop("a/third"),
                     ("verdicts", "a/third: pass → (none)"))
        self.differs(lambda play: play["findings"].pop(), ("lost", "a/second x.two"))
        self.differs(lambda play: play["findings"].append(play["findings"][0]),
                     ("gained", "a/first [7] x.one"))
        self.differs(lambda play: play["causes"].pop(0), ("causes", "- x.one: Lists are null"))
        self.differs(lambda play: play["causes"][0].update(requirement="x.three"),
                     ("clauses", "'x.one' → 'x.three'"))
        self.differs(lambda play: play["causes"][0].update(verdict="warn"),
                     ("clauses", "x.one: verdict: 'fail' → 'warn'"))
        self.differs(lambda play: play["causes"][0].update(title="No lists"),
                     ("titles", "x.one: Lists are null  →  No lists"))
        self.differs(lambda play: play["causes"].reverse(), ("order", "x.one | x.two"))
        self.differs(lambda play: play["causes"][0]["findings"].append(["a/second", "x.two"]),
                     ("parts", "+ a/second x.two"))
        self.differs(lambda play: play["causes"][1].update(sentence="No id"),
                     ("texts", "Expected an id; seen none  →  No id"))
        self.differs(lambda play: play["findings"][1].update(seen="nothing"),
                     ("texts", "seen: no id  →  nothing"))
        self.differs(lambda play: play["reasons"].clear(), ("texts", "a/fourth: nobody asks"))

    def test_a_finding_of_another_severity_is_another(self):
        self.differs(lambda play: play["findings"][0].update(severity="warn"),
                     ("lost", "fail"), ("gained", "warn"))

    def test_one_difference_of_many_plays_is_told_once(self):
        before = {str(number): PLAY for number in range(9)}
        after = copy.deepcopy(before)
        for play in after.values():
            play["causes"][0]["title"] = "No lists"
        after["new"] = PLAY
        found = dump_diff.differences(before, after)
        self.assertEqual([len(names) for names in found["titles"].values()], [9])
        self.assertEqual(dict(found["plays"]), {"only after": ["new"]})
        out = io.StringIO()
        dump_diff.tell(found, 2, out)
        self.assertIn("9×  0, 1, and 7 more", out.getvalue())


class TitlesTest(unittest.TestCase):
    def test_what_stands_behind_fail_is_the_breach_and_not_the_rule(self):
        """All titles of causes: of clauses, of the table of causes, and as golden.jsonl has them."""
        titles = {}
        for text in yaml.safe_load(read("cases", "breaches.yaml")).values():
            titles[text] = "cases/breaches.yaml"
        for path in glob.glob(os.path.join(dump.TOP, "harness", "causes", "*.cc")):
            if path.endswith("_test.cc"):
                continue
            for text in re.findall(r'\.title = "((?:[^"\\]|\\.)+)"', read(path)):
                titles[text] = path
        self.assertGreater(sum(where.endswith(".cc") for where in titles.values()), 20)
        for line in read("harness", "falsify", "golden.jsonl").splitlines():
            for cause in json.loads(line)["causes"]:
                titles[cause["title"]] = "golden.jsonl"
        rules = {title.strip("'\"") for path in
                 glob.glob(os.path.join(dump.TOP, "cases", "suite", "**", "*.yaml"), recursive=True)
                 for title in re.findall(r"(?m)^title: (.*)$", read(path))}
        for path in glob.glob(os.path.join(dump.TOP, "cases", "requirements", "*.yaml")):
            rules |= {one.rstrip(".") for one in re.findall(r"(?m)^ *statement: (.*)$", read(path))}
        self.assertGreater(len(rules), 1500)
        for text, where in titles.items():
            self.assertNotIn(text, rules, where)
            self.assertNotRegex(text, r"(?i)\b(should|shall|ought)\b|^(?!.*\b(what|that)\b).*\bmust\b|\.$", where)


class FormTest(unittest.TestCase):
    def test_what_varies_is_masked(self):
        for text, masked in [("id 100002 at 127.0.0.1:80", "id # at 127.0.0.1:PORT"),
                             ("error -32601 and 4096", "error -32601 and 4096"),
                             ("2026-11-27T10:00:00.123Z", "TIME"),
                             ("no-mqaxjripmaezhkkx and no_mqa … (9 bytes)", "no-# and no_# … (9 bytes)"),
                             ("746f6f6c733a3132.1e3254486957d95e", "#.#"),
                             ("8b0e3c5a-6b7f-4f64-9d3a-0123456789ab", "#")]:
            self.assertEqual(dump_form.masked({"seen": [text]}), {"seen": [masked]})

    def test_a_report_is_turned_into_a_play(self):
        path = os.path.join(dump.TOP, "reports", "golden", "report.json")
        (play,) = dump_form.read(path).values()
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual(play["verdicts"], {case["id"]: case["verdict"] for case in report["cases"]})
        self.assertEqual([cause["title"] for cause in play["causes"]],
                         [cause["title"] for cause in report["causes"]])
        self.assertEqual(play["causes"][0]["findings"][0][1], "jsonrpc.parse.code")
        self.assertEqual(len(play["findings"]), sum(len(case["findings"]) for case in report["cases"]))
        self.assertEqual(list(dump_diff.of_play(play, play)), [])


class GoldenTest(unittest.TestCase):
    def test_what_is_told_of_a_sample_is_golden(self):
        plays = dump.in_memory(FALSIFY, os.path.join(dump.TOP, "cases"), dump.SAMPLE, 2)
        sound = [play for play in plays if not play["fault"]]
        self.assertEqual(len(sound), 3)
        for play in sound:
            self.assertGreater(len(play["verdicts"]), 100)
            self.assertEqual((play["causes"], play["findings"]), ([], []), "the sound server")
        self.assertEqual(dump.hold_against_golden(plays, bless=False), 0, "see above")


if __name__ == "__main__":
    FALSIFY = sys.argv.pop(1)
    unittest.main()
