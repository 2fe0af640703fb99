#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# What findings of the fuzzer claim: true as worded, one for each bug, the worst first. And `triage`.
#
#   finding_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import glob
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import toy

EMPTY = "jsonrpc.batch.empty-array"
LARGE = "jsonrpc.id.beyond-safe-integer"
FRACTION = "jsonrpc.id.fractional"
TYPE = "jsonrpc.id.invalid-type"
BIG = '{"jsonrpc":"2.0","id":18446744073709551615,"method":"add","params":[1]}'
TINY = '{"jsonrpc":"2.0","id":1e-400,"method":"add","params":[1]}'
ODD = '{"jsonrpc":"2.0","id":{},"method":"add","params":[1]}'

# Scripts whose replies were taken for those of other messages once: what is wrong, and with what.
MISREAD = {
    "an empty array, then what is refused": (["[]", "0", "1"], [(EMPTY, "[]")]),
    "no id behind a colon, then one that wraps": (["id:", BIG], [(LARGE, BIG)]),
    "an id that becomes that of the next": ([TINY, '{"id":0}'], [(FRACTION, TINY)]),
    "neither is a request": (['{"id":1e-400}', '{"id":0}'], []),
    "no request behind a request": (['{"jsonrpc":"2.0","id":0,"method":"add","params":[1]}',
                                     '{"id":1e-400}'], []),
    "what is passed over, then what is refused": ([ODD, '{"jsonrpc":0,"id":null,"method":0}'],
                                                  [(TYPE, ODD)]),
    "a NUL behind the message": (
        ['!frame "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":303266,\\"method\\":\\"add\\"}\\x00"', "1"], []),
}


class FindingTest(testkit.RpcspecTest):
    USUAL_CODE = None

    def claims(self, script):
        """(requirement, the message of ours that proves it) of what a play of the script shows."""
        self.rpcspec("replay", script, "--level", "should", "--profile", "jsonrpc-2.0", "--timeout",
                     "5", "--report", "json=r.json", "--", *toy("lenient"))
        found = []
        for finding in self.load("r.json")["cases"][0].get("findings", []):
            sent = [frame["text"] for frame in finding["frames"] if frame["direction"] == "sent"]
            found.append((finding["requirement"], sent[0] if sent else None))
        return found

    def test_message_by_message_each_reply_is_that_of_its_message(self):
        for name, (messages, claims) in MISREAD.items():
            with self.subTest(name):
                self.write("apart.script", "\n!sync\n".join(messages) + "\n")
                self.assertEqual(self.claims("apart.script"), claims)

    def test_what_is_reduced_claims_nothing_else(self):
        """Whatever their order in flight shows, what is left shows so message by message, or nothing is."""
        for name, (messages, claims) in MISREAD.items():
            with self.subTest(name):
                self.write("flight.script", "\n".join(messages) + "\n")
                if os.path.exists(self.path("least.script")):
                    os.remove(self.path("least.script"))
                self.rpcspec("shrink", "flight.script", "-o", "least.script", "--profile",
                             "jsonrpc-2.0", "--", *toy("lenient"))
                if not os.path.exists(self.path("least.script")):
                    continue
                clauses = {clause for clause, _ in self.claims("least.script")}
                wrong = {clause for clause, _ in claims}
                if TYPE in wrong:
                    wrong.add("jsonrpc.request.method-missing")  # what is less has none either
                self.assertTrue(clauses and clauses <= wrong, (clauses, claims))

    def test_each_bug_is_one_finding_and_the_worst_comes_first(self):
        """A server with few bugs, and a depth that it cannot take, which no mutator makes."""
        said = self.rpcspec("fuzz", "--execs", "700", "--seed", "1", "--profile", "jsonrpc-2.0", "--",
                            *toy("lenient", "fragile"), code=1)
        found = said.split("the worst first:\n")[1].split()
        found = [one for one in found if os.path.isdir(self.path("findings/" + one))]
        self.assertTrue(found[0].startswith("crash-"), found)
        self.assertEqual([one.startswith("crash-") for one in found].count(True), 1, found)
        facts, scripts = [], []
        for name in found:
            facts.append(self.load(f"findings/{name}/finding.json"))
            scripts.append(self.read(f"findings/{name}/script"))
        self.assertEqual([one["weight"] for one in facts], sorted(one["weight"] for one in facts))
        self.assertRegex(facts[0]["met"]["made_by"], "search for size limits|stateful check")
        least = 5001  # levels; a sixteenth more makes sure that it shows on a stack that lies otherwise
        self.assertEqual(scripts[0].count("["), least + least // 16)
        causes = [cause for one in facts for cause in one["causes"]]
        self.assertEqual(len(causes), len(set(causes)), causes)
        self.assertIn("what is no id to the server gets nothing", causes)
        self.assertFalse([one for one in facts if one.get("in_flight")], found)
        self.assertLessEqual(len(found), 7, found)


class TriageTest(testkit.RpcspecTest):
    """Of a program that takes a file and aborts where `boom` is in it, and ends with 3 where `oops` is."""
    PROGRAM = ["--", "sh", "-c", 'grep -q boom "$1" && kill -ABRT $$; grep -q oops "$1" && exit 3; exit 0',
               "program", "@@", "last"]

    def test_inputs_from_anywhere_become_a_folder_a_bug(self):
        os.mkdir(self.path("met"))
        self.write("met/one", 'first\n{"x":"boom","y":[1,2,3]}\nlast\n')
        self.write("met/two", '{"x":"boom"}')
        self.write("met/three", "[oops]")
        self.write("well", "fine")
        said = self.rpcspec("triage", "met", "well", *self.PROGRAM, code=1)
        self.assertIn("4 files, 1 of them show nothing; 2 bugs in findings\n", said)
        self.assertIn("well  shows nothing\n", said)
        (boom,) = glob.glob(self.path("findings/crash-SIGABRT-*/"))
        name = os.path.relpath(boom, self.folder)
        self.assertEqual(self.read(name + "/script"), "boom")
        self.assertEqual(len(os.listdir(boom + "met")), 2)
        fact = self.load(name + "/finding.json")
        self.assertEqual((fact["class"], fact["times"]), ("crash", 2))
        self.assertIn(f"program {name}/script last\n", self.read(name + "/README.md"))
        # What is known is met again, and named as that.
        again = self.rpcspec("triage", "met/three", *self.PROGRAM, code=1)
        self.assertIn("2 bugs in findings", again)
        self.assertNotIn("new:", again)
        self.assertIn("0 bugs in other", self.rpcspec("triage", "well", "--findings", "other", *self.PROGRAM, code=0))

    def test_bad_usage_is_one_sentence(self):
        self.write("well", "fine")
        for words, told in ((["well"], "the program is missing"), (["nowhere", *self.PROGRAM], "no such file or folder"),
                            (["well", "--", "/nowhere/program"], "cannot start /nowhere/program")):
            self.rpcspec("triage", *words, code=2)
            self.assertIn(told, self.complaint)
            self.assertEqual(self.complaint.count("\n"), 1)


if __name__ == "__main__":
    testkit.main()
