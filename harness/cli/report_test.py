#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Reports of real runs: every format at once and how long that takes, `rpcspec report` from JSON, one
# report of several, `rpcspec compare`.
#
#   report_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import json
import os
import sys
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import SERVER, flat

PLAIN = ["--profile", "jsonrpc-2.0"]
IDS = ["--select", "jsonrpc/id/*"]
UPPERCASE = ["--fault", "id-string-uppercased"]  # breaks a MUST
ROUNDED = ["--fault", "id-big-rounded"]          # breaks a SHOULD only


class ReportTest(testkit.RpcspecTest):
    def run_server(self, file, *words, faults=(), profile="jsonrpc-2.0", code=0):
        self.rpcspec("run", "--profile", profile, *words, "--report", f"json={file}", "--",
                     SERVER, "--profile", profile, *faults, code=code)

    def formats(self):
        return [row.split()[0] for row in self.rpcspec("list", "reporters").splitlines()]

    def text(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()


class FromJsonTest(ReportTest):
    def test_every_format_is_as_if_the_run_had_written_it(self):
        formats = [name for name in self.formats() if name != "console"]
        self.assertGreaterEqual(len(formats), 7)
        wanted = [word for name in formats for word in ("--report", f"{name}=run.{name}")]
        self.run_server("r.json", *IDS, *wanted, faults=UPPERCASE, code=1)
        wanted = [word for name in formats for word in ("--to", f"{name}=again.{name}")]
        self.rpcspec("report", "r.json", *wanted)
        for name in formats:
            with self.subTest(format=name):
                self.assertEqual(self.text(f"again.{name}"), self.text(f"run.{name}"))
        self.assertIn("FAIL", self.rpcspec("report", "r.json"))

    def test_a_finding_is_shown_at_the_script_of_the_server(self):
        with open(self.path("server.py"), "w", encoding="utf-8") as file:
            file.write(f"import os\nos.execv({SERVER!r}, ['s', '--profile', 'jsonrpc-2.0', "
                       f"*{UPPERCASE!r}])\n")
        self.rpcspec("run", *PLAIN, "--select", "jsonrpc/id/string-echo", "--report", "sarif=r.sarif",
                     "--report", "json=r.json", "--", "python3", "server.py", code=1)
        self.rpcspec("report", "r.json", "--to", "sarif=again.sarif")
        for name in ("r.sarif", "again.sarif"):
            (run,) = self.load(name)["runs"]
            self.assertEqual({result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
                              for result in run["results"]}, {"server.py"})

    def test_formats_say_what_failed(self):
        self.run_server("r.json", *IDS, faults=UPPERCASE, code=1)
        self.rpcspec("report", "r.json", "--to", "sarif=r.sarif", "--to", "badge-json=b.json",
                     "--to", "tap=r.tap", "--to", "markdown=r.md")
        clause = "jsonrpc.id.string-echo"
        (run,) = self.load("r.sarif")["runs"]
        self.assertIn(clause, [result["ruleId"] for result in run["results"]])
        (rule,) = [rule for rule in run["tool"]["driver"]["rules"] if rule["id"] == clause]
        self.assertTrue(rule["helpUri"].startswith("https://www.jsonrpc.org/"))
        for result in run["results"]:  # of a program that is no file of the repository
            where = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            self.assertTrue(where.startswith("rpcspec/"), where)
        self.assertIn("not ok", self.text("r.tap"))
        self.assertIn(clause, self.text("r.md"))
        self.assertRegex(self.load("b.json")["message"], r"\d+ of \d+ failed")

    def test_latency_is_told_by_method(self):
        self.run_server("r.json", "--select", "mcp/tools/*", profile="mcp-2025-11-25")
        rows = {row["method"]: row for row in self.load("r.json")["latency"]}
        self.assertIn("tools/list", rows)
        times = rows["tools/list"]["times_us"]
        self.assertEqual(times, sorted(times))
        self.assertGreaterEqual(rows["tools/list"]["count"], len(times))

    def test_what_is_wrong_is_said_in_a_sentence(self):
        self.write("no.json", "{}")
        for words, said in (
                (["none.json"], "none.json"),
                (["no.json"], "this is JSON, but not a report of rpcspec"),
                (["no.json", "--to", "htm=x"], "--to: unknown report format 'htm'"),
                (["no.json", "--to", "json="], "no file after 'json='")):
            with self.subTest(words=words):
                self.rpcspec("report", *words, code=2)
                self.assertIn(said, flat(self.complaint))


class SeveralTest(ReportTest):
    def test_shards_make_one_report(self):
        self.run_server("whole.json", faults=UPPERCASE, code=1)
        for shard in (1, 2, 3):
            self.rpcspec("run", *PLAIN, "--shard", f"{shard}/3", "--report", f"json={shard}.json",
                         "--", SERVER, *PLAIN, *UPPERCASE, code=None)
        self.rpcspec("report", "1.json", "2.json", "3.json", "--to", "json=all.json", "--to",
                     "junit=all.xml")
        whole, joined = self.load("whole.json"), self.load("all.json")

        def verdicts(report):
            return {case["id"]: case["verdict"] for case in report["cases"]}

        self.assertEqual(verdicts(joined), verdicts(whole))
        self.assertEqual({cause["requirement"] for cause in joined["causes"]},
                         {cause["requirement"] for cause in whole["causes"]})
        self.assertEqual({row["requirement"]: row["status"] for row in joined["coverage"]},
                         {row["requirement"]: row["status"] for row in whole["coverage"]})
        self.assertFalse(joined["gate"]["passed"])
        self.assertEqual(len(joined["runs"]), 3)
        suites = ElementTree.parse(self.path("all.xml")).getroot()
        self.assertEqual(int(suites.get("tests")), len(whole["cases"]))

    def test_runs_under_several_profiles_stay_apart(self):
        for profile in ("jsonrpc-2.0", "mcp-2025-11-25"):
            self.rpcspec("run", "--profile", profile, "--select", "jsonrpc/id/string-echo",
                         "--report", f"json={profile}.json", "--", SERVER, "--profile",
                         "mcp-2025-11-25", code=None)
        self.rpcspec("report", "jsonrpc-2.0.json", "mcp-2025-11-25.json", "--to", "json=all.json")
        names = {case["id"] for case in self.load("all.json")["cases"]}
        self.assertLessEqual({"jsonrpc-2.0/jsonrpc/id/string-echo",
                              "mcp-2025-11-25/jsonrpc/id/string-echo"}, names)
        self.rpcspec("report", "all.json", "--to", "json=again.json")
        self.assertEqual(self.text("again.json"), self.text("all.json"))


class CompareTest(ReportTest):
    def setUp(self):
        super().setUp()
        self.run_server("sound.json", *IDS)

    def test_a_newly_broken_must_is_worse_and_its_repair_better(self):
        self.run_server("broken.json", *IDS, faults=UPPERCASE, code=1)
        out = self.rpcspec("compare", "sound.json", "broken.json", code=1)
        self.assertIn("WORSE jsonrpc/id/string-echo (pass → fail)", flat(out))
        self.assertIn("MUST jsonrpc.id.string-echo", out)
        self.assertIn("--select jsonrpc/id/string-echo", out)
        out = self.rpcspec("compare", "broken.json", "sound.json")
        self.assertIn("BETTER jsonrpc/id/string-echo (fail → pass)", flat(out))
        self.assertIn("BETTER oracle/replies", out)  # which is told only where it finds something
        self.assertIn("0 worse, ", out)
        self.assertIn("0 worse, 0 better", self.rpcspec("compare", "sound.json", "sound.json"))

    def test_a_newly_broken_should_counts_when_asked(self):
        self.run_server("rounded.json", *IDS, faults=ROUNDED)
        self.rpcspec("compare", "sound.json", "rounded.json")
        self.rpcspec("compare", "sound.json", "rounded.json", "--level", "should", code=1)

    def test_programs_can_read_it(self):
        self.run_server("broken.json", *IDS, faults=UPPERCASE, code=1)
        found = json.loads(self.rpcspec("compare", "sound.json", "broken.json", "--format", "json",
                                        code=1))
        self.assertEqual(found["format"], "rpcspec-comparison/1")
        self.assertIn("jsonrpc/id/string-echo", [change["case"] for change in found["worse"]])
        self.assertEqual(found["better"], [])

    def test_a_file_that_is_no_report_is_no_comparison(self):
        self.write("no.json", "[]")
        self.rpcspec("compare", "sound.json", "no.json", code=2)
        self.assertIn("no.json: this is JSON, but not a report of rpcspec", flat(self.complaint))


if __name__ == "__main__":
    testkit.main()
