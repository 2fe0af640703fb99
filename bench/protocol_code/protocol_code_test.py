#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Tests what bench/reach and bench/code_mutants compute without a server.
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import protocol_code  # noqa: E402
from changes import candidates, changed, difference, sampled, seen_in, sorted_as, together  # noqa: E402
from protocol_code import Coverage, Reached, idle, reason_for, unexecuted, wanted  # noqa: E402

CODE = '''var Server = class extends Base {
  run(a) {
    if (a && !this.busy) return code(a, -32600);
    throw new Error("busy");
  }
};
setHandler("tools/list", async (r) => ({ kind: "page", more: true, page: await next(r) }));
'''
ACORN = protocol_code.TOP / "build" / "bench" / "js" / "node_modules" / "acorn"


def functions(*ranges):
    return [{"ranges": [dict(zip(("startOffset", "endOffset", "count"), one)) for one in ranges]}]


class Executed(unittest.TestCase):
    def test_the_innermost_range_counts(self):
        seen = Coverage(functions((0, 100, 1)) + functions((10, 50, 2), (20, 30, 0)) + functions((60, 70, 0)))
        self.assertEqual([at for at in range(0, 120, 5) if seen.executed(at)],
                         [0, 5, 10, 15, 30, 35, 40, 45, 50, 55, 70, 75, 80, 85, 90, 95])

    def test_ranges_that_begin_or_end_together_nest(self):
        seen = Coverage(functions((0, 100, 1), (0, 40, 0), (80, 100, 0)))
        self.assertEqual([seen.executed(at) for at in (0, 39, 40, 79, 80, 99, 100)],
                         [False, False, True, True, False, False, False])

    def test_what_any_process_executed_is_reached(self):
        reached = Reached({"/a.js": [5, 25], "/b.js": [5]})
        for executed in ((0, 10, 1), (20, 30, 1)):
            reached.add({"result": [{"url": "file:///a.js", "functions": functions((0, 100, 0), executed)},
                                    {"url": "node:internal", "functions": functions((0, 9, 1))}]})
        self.assertEqual(reached.executed, {"/a.js": {5, 25}, "/b.js": set()})

    def test_functions_and_the_reasons_for_them(self):
        code = {"/m/p.js": {"statements": [{"start": 1, "line": 1, "region": "", "function": "P.send"},
                                           {"start": 2, "line": 2, "region": "", "function": "P.send"},
                                           {"start": 3, "line": 3, "region": "../core/src/a/b.ts", "function": "f"}]}}
        rows = unexecuted(code, {"/m/p.js": {1}})
        self.assertEqual(rows, [("p.js", "P.send", 2, [2]), ("a/b.ts", "f", 1, [3])])
        reasons = {"nobody calls it": ["P.*"], "other files": ["q.js *", "a/b.ts f"]}
        self.assertEqual([reason_for(file, function, reasons) for file, function, *_ in rows],
                         ["nobody calls it", "other files"])
        self.assertEqual(idle(rows, reasons), ["q.js *"])

    def test_what_is_left_out_does_not_count(self):
        code = {"/m/p.mjs": {"statements": [{"function": "Client.send", "region": "src/a.ts"}, {"function": "Server.send", "region": "src/a.ts"},
                                            {"function": "f", "region": "src/ajv.ts"}]}}
        found = protocol_code.counted(code, {"regions": ["src/*", "!*/ajv.ts"], "left_out": {"of the client": ["Client.*"]}})
        self.assertEqual([one["function"] for one in found["/m/p.mjs"]["statements"]], ["Server.send"])

    def test_globs_with_alternatives_and_exceptions(self):
        globs = ["sdk/{server,shared}/*.js", "!*/auth.js"]
        self.assertEqual([wanted(name, globs) for name in ("sdk/server/a.js", "sdk/client/a.js", "sdk/shared/auth.js")],
                         [True, False, False])


class Changes(unittest.TestCase):
    def test_a_change_counts_utf_16_units(self):
        self.assertEqual(changed('"\U0001f600"; a()', {"start": 6, "end": 9, "to": "b()"}), '"\U0001f600"; b()')
        self.assertEqual(difference("a\nb\nc\n", {"start": 2, "end": 3, "to": "x"}), ["@@ -1,3 +1,3 @@", " a", "-b", "+x", " c"])

    def test_only_executed_code_is_changed(self):
        change = {"kind": "k", "start": 3, "end": 4, "to": "x", "line": 1, "region": "", "function": "f"}
        code = {"/s/jayson/node_modules/j/a.js": {"changes": [change, {**change, "start": 8, "end": 9}]}}
        found = candidates("jayson", code, {"/s/jayson/node_modules/j/a.js": {3}}, "/s")
        self.assertEqual([(one["file"], one["id"]) for one in found], [("j/a.js", "jayson j/a.js 3-4 x")])

    def test_a_sample_has_rare_kinds_and_comes_again(self):
        changes = [{"kind": kind, "id": f"{kind}{number:03}"} for kind, count in (("often", 90), ("rare", 2), ("once", 1))
                   for number in range(count)]
        first = sampled(changes, 9, random.Random("1 a"))
        self.assertEqual(first, sampled(reversed(changes), 9, random.Random("1 a")))
        self.assertEqual(sorted(one["kind"] for one in first), ["often"] * 6 + ["once"] + ["rare"] * 2)
        self.assertEqual(len(sampled(changes, 200, random.Random(1))), 93)

    def test_a_mutant_is_sorted_by_what_is_new(self):
        def seen(*findings, judged=("a", "b")):
            cases = [{"id": id_, "verdict": "pass", "findings": []} for id_ in judged]
            causes = [{"title": f"The {title}", "level": level, "requirement": clause}
                      for verdict, level, clause, code, title in findings]
            return seen_in({"causes": causes, "cases": cases + [
                {"id": title, "verdict": verdict, "title": title,
                 "findings": [{"requirement": clause, "level": level, "seen": f'"error":{{"code":{code}}}'}]}
                for verdict, level, clause, code, title in findings]})
        known, old = ("fail", "MUST", "r", -1, "known"), ("warn", "SHOULD", "s", -1, "old")
        sound = together([seen(known, old), seen(known, old)])
        self.assertEqual(sound["causes"], ["The known (MUST r)", "The old (SHOULD s)"] * 2)
        self.assertEqual(sorted_as(1, seen(known, old), sound), ("survives", []))
        self.assertEqual(sorted_as(1, seen(known, old, ("fail", "MUST NOT", "r", -2, "new")), sound), ("fails", ["new"]))
        self.assertEqual(sorted_as(1, seen(known, old, ("fail", "SHOULD", "t", -1, "x")), sound), ("warned", ["x"]))
        self.assertEqual(sorted_as(1, seen(known, old, ("fail", "MUST", "r", -1, "again")), sound), ("fails", ["again"]))
        self.assertEqual(sorted_as(0, seen(known, old, ("warn", "MUST", "r", -1, "known")), sound), ("survives", []))
        self.assertEqual(sorted_as(0, seen(known, old, judged=["a"]), sound), ("inconclusive", ["b"]))
        self.assertEqual(sorted_as(3, seen(known, old), sound), ("inconclusive", []))
        self.assertEqual(sorted_as(3, seen(judged=()), sound), ("unreachable", []))
        self.assertEqual(sorted_as(3, None, sound), ("unreachable", []))


@unittest.skipUnless(ACORN.is_dir() and shutil.which("node"), "bench/reach was never played here: no acorn")
class Code(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "code.mjs"
            path.write_text(CODE)
            cls.read = json.loads(subprocess.check_output(["node", HERE / "code.mjs", ACORN, path]))[str(path)]

    def test_statements_are_those_inside_functions(self):
        self.assertEqual([(one["line"], one["function"]) for one in self.read["statements"]],
                         [(3, "Server.run"), (3, "Server.run"), (4, "Server.run"), (7, "setHandler(tools/list)")])

    def test_changes_are_code_that_can_be_parsed(self):
        kinds = {one["kind"] for one in self.read["changes"]}
        self.assertEqual(kinds, {"negated condition", "condition always true", "condition never true", "removed condition",
                                 "lost result", "other code", "removed statement", "swapped boolean", "dropped await",
                                 "changed constant"})
        for one in self.read["changes"]:
            mutant = changed(CODE, one)
            self.assertNotEqual(mutant, CODE)
            subprocess.run(["node", "--input-type=module", "--check"], input=mutant, text=True, check=True)


if __name__ == "__main__":
    unittest.main(verbosity=2)
