#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Servers of several revisions: what went unjudged is said, and each is judged in one run.
#
#   revisions_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import json
import os
import sys
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import SERVER, flat

ALL = ["mcp-2026-07-28", "mcp-2025-11-25", "mcp-2025-06-18", "mcp-2025-03-26", "mcp-2024-11-05"]
OLDER = ALL[1:]
FEW = ["--select", "mcp/lifecycle/*", "--select", "jsonrpc/id/*", "--select", "mcp/versioning/*"]
# Batches are part of 2025-03-26 alone.
BATCH = ["--fault", "batch-notification-answered"]
BATCHES = ["--select", "jsonrpc/batch/*"]


class RevisionsTest(testkit.RpcspecTest):
    def report(self, *words, code=0, server=()):
        """The JSON report of a run of the reference server."""
        self.rpcspec("run", "--report", "json=r.json", *words, "--", SERVER, *server, code=code)
        return self.load("r.json")

    def names(self, report):
        return [run["name"] for run in report.get("runs", [])]


class UnjudgedTest(RevisionsTest):
    def test_auto_says_which_revisions_it_speaks_as_well(self):
        wanted = ["--report", "json=r.json", "--report", "html=r.html", "--report", "markdown=r.md"]
        # Most cases are left away; a selection is somebody's who knows what is left out.
        text = self.rpcspec("run", "--exclude", "mcp/*", "--exclude", "json*", *wanted, "--", SERVER,
                            code=None)
        said = "not judged: " + ", ".join(OLDER)
        self.assertIn(said, flat(text))
        self.assertEqual(self.load("r.json")["unjudged"], OLDER)
        self.assertIn(OLDER[0], self.read("r.md"))
        self.assertIn('"unjudged":["mcp-2025-11-25"', self.read("r.html"))

    def test_nothing_is_said_of_a_server_of_one_revision(self):
        words = ["--exclude", "mcp/*", "--exclude", "json*"]
        report = self.report(*words, server=["--profile", "mcp-2025-06-18"], code=None)
        self.assertEqual((report["profile"], report["unjudged"]), ("mcp-2025-06-18", []))

    def test_a_profile_that_was_asked_for_is_all_there_is(self):
        report = self.report("--profile", "2025-06-18", "--select", "jsonrpc/id/integer-echo")
        self.assertEqual(report["unjudged"], [])


class AllTest(RevisionsTest):
    def test_each_revision_is_judged(self):
        wanted = [word for one in ("html=r.html", "junit=r.xml", "markdown=r.md", "tap=r.tap")
                  for word in ("--report", one)]
        report = self.report("--profile", "all", *FEW, *wanted)
        self.assertEqual(self.names(report), ALL)
        self.assertEqual(report["unjudged"], [])
        self.assertTrue(all(run["gate"]["passed"] and run["summary"]["pass"] > 10
                            for run in report["runs"]))
        (row,) = [row for row in report["coverage"]
                  if row["requirement"] == "jsonrpc.id.string-echo"]
        self.assertEqual(row["runs"], {name: "pass" for name in ALL})
        suites = {suite.get("name").split("/")[0]
                  for suite in ElementTree.parse(self.path("r.xml")).getroot()}
        self.assertEqual(suites, set(ALL))
        self.assertIn("`mcp-2024-11-05` | passed", self.read("r.md"))
        # Later, of the JSON report, the same.
        self.rpcspec("report", "r.json", "--to", "junit=again.xml", "--to", "markdown=again.md")
        self.assertEqual(self.read("again.xml"), self.read("r.xml"))
        self.assertEqual(self.read("again.md"), self.read("r.md"))

    def test_a_fault_in_one_revision_fails_that_one(self):
        report = self.report("--profile", "all", *BATCHES, *FEW, code=1, server=BATCH)
        self.assertEqual({run["name"] for run in report["runs"] if not run["gate"]["passed"]},
                         {"mcp-2025-03-26"})
        (broken,) = [case["id"] for case in report["cases"] if case["verdict"] == "fail"]
        self.assertTrue(broken.startswith("mcp-2025-03-26/jsonrpc/batch/"))
        (cause,) = [cause for cause in report["causes"] if cause["verdict"] == "fail"]
        self.assertIn("--profile mcp-2025-03-26 --select jsonrpc/batch", cause["replay"])
        text = self.rpcspec("report", "r.json")
        self.assertRegex(text, r"jsonrpc/batch +(\d+ passed +){3}1 failed +\d+ passed\n")
        self.assertRegex(text, r"gate +(passed +){3}failed +passed\n")
        self.assertRegex(text, r"under +2025-03-26\n")

    def test_a_baseline_holds_for_all_of_them(self):
        words = ["--profile", "all", *BATCHES]
        report = self.report(*words, code=1, server=BATCH)
        (broken,) = [case["id"] for case in report["cases"] if case["verdict"] == "fail"]
        self.write("known.yaml", f"known:\n  - case: {broken.split('/', 1)[1]}\n    reason: known\n")
        report = self.report(*words, "--baseline", "known.yaml", server=BATCH)
        self.assertEqual(report["stale"], [])
        report = self.report(*words, "--baseline", "known.yaml", code=1)
        self.assertEqual(len(report["stale"]), 1)
        self.assertIn("stale", report["gate"]["reason"])
        self.rpcspec("run", "--profile", "2025-03-26,2025-06-18", "--write-baseline", "new.yaml",
                     "--", SERVER, *BATCH)
        self.report(*words, "--baseline", "new.yaml", server=BATCH)

    def test_a_server_of_one_revision_has_a_report_as_ever(self):
        report = self.report("--profile", "all", *FEW, server=["--profile", "mcp-2025-06-18"])
        self.assertEqual((self.names(report), report["profile"]), ([], "mcp-2025-06-18"))
        self.assertIn("mcp/lifecycle/initialize-first", [case["id"] for case in report["cases"]])

    def test_over_http(self):
        self.rpcspec("run", "--profile", "all", *FEW, "--report", "json=r.json", "--url",
                     "http://127.0.0.1:{port}/mcp", "--", SERVER, "--transport", "http", "--port",
                     "{port}", code=0)
        # Streamable HTTP came with 2025-03-26.
        self.assertEqual(sorted(self.names(self.load("r.json"))), sorted(ALL))

    def test_no_mcp_is_judged_as_ever(self):
        text = self.rpcspec("run", "--profile", "all", "--select", "jsonrpc/id/*", "--report",
                            "json=r.json", "--", SERVER, "--profile", "jsonrpc-2.0", code=0)
        self.assertEqual(self.load("r.json")["profile"], "jsonrpc-2.0", text)


class SeveralTest(RevisionsTest):
    def test_two_that_are_named(self):
        report = self.report("--profile", "2025-06-18,mcp-2024-11-05", *FEW)
        self.assertEqual(self.names(report), ["mcp-2025-06-18", "mcp-2024-11-05"])

    def test_one_that_it_does_not_speak(self):
        text = self.rpcspec("run", "--profile", "2025-06-18,2024-11-05", *FEW, "--report",
                            "json=r.json", "--", SERVER, "--profile", "mcp-2025-06-18", code=3)
        self.assertIn("does not speak mcp-2024-11-05", flat(text))
        spoken, other = self.load("r.json")["runs"]
        self.assertTrue(spoken["gate"]["passed"])
        self.assertFalse(other["gate"]["passed"])

    def test_a_selection_that_leaves_nothing_of_one(self):
        report = self.report("--profile", "2026-07-28,2025-06-18", "--select", "mcp/lifecycle/*")
        self.assertEqual(report["profile"], "mcp-2025-06-18")
        text = self.refused("run", "--profile", "2025-06-18,2024-11-05", "--select", "mcp/nothing",
                            "--", SERVER)
        self.assertIn("matches no case", text)

    def test_what_makes_no_sense_is_refused(self):
        for words, said in [("all,2025-06-18", "`all` stands alone"),
                            ("2025-06-18,mcp-2025-06-18", "is named twice"),
                            ("2025-06-18,2025-06-19", "there is no profile `2025-06-19`"), (",", "needs a value")]:
            self.assertIn(said, self.refused("run", "--profile", words, "--", SERVER))
        self.assertIn("no profile `all`",
                      self.refused("inspect", "--profile", "all", "--", SERVER))


class EachTest(RevisionsTest):
    def test_a_failure_is_told_in_each_with_its_command(self):
        case = "mcp/lifecycle/ping-before-initialized"
        report = self.report("--profile", ",".join(OLDER[:2]), "--select", case,
                             server=["--fault", "ping-before-initialize-refused"])
        failed = [one for one in report["cases"] if one["verdict"] == "warn"]
        self.assertEqual([one["id"] for one in failed],
                         sorted(f"{name}/{case}" for name in OLDER[:2]))
        for one in failed:
            self.assertIn("--profile " + one["id"].split("/")[0], one["replay"])
            self.assertTrue(one["findings"][0]["frames"])
        (cause,) = report["causes"]
        self.assertEqual(len(cause["findings"]), 2)


class BoundsTest(RevisionsTest):
    def test_the_time_limit_is_that_of_all_runs_together(self):
        self.rpcspec("run", "--profile", ",".join(OLDER), "--timeout", "300ms", "--max-time", "1s",
                     "--select", "jsonrpc/*", "--report", "json=r.json", "--", SERVER, "--fault",
                     "unknown-method-silent", code=None, seconds=60)
        runs = self.load("r.json")["runs"]
        self.assertEqual(len(runs), len(OLDER))
        # The first runs use it up; there is none left for the last.
        self.assertIn("the time limit of 1 s was reached", json.dumps(self.load("r.json")))


if __name__ == "__main__":
    testkit.main()
