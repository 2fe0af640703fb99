#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# What others agreed on: frozen sets of requirements, the official suite's lists of expected failures,
# its check ids in reports, and vectors for libraries in other languages.
#
#   official_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import json
import os
import re
import subprocess
import sys

import yaml

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import SERVER, TOP, flat, toy

NEW = ["--profile", "mcp-2025-11-25"]
PING = ["--select", "mcp/ping/result"]
FAULTY_PING = ["--", SERVER, "--fault", "ping-refused"]  # breaks mcp.ping.result
OWN_CASE = """title: A ping is answered with an empty result
covers: [mcp.ping.result]
profiles: [mcp]
steps:
  - call: {method: ping}
    reply: {result: {$shape: an object with no members but _meta and resultType}}
"""


def data(name):
    with open(os.path.join(TOP, "cases", name), encoding="utf-8") as file:
        return yaml.safe_load(file)


# The proposals that were Final in August 2026.
FINAL = (414, 932, 973, 985, 986, 990, 991, 994, 1024, 1034, 1036, 1046, 1302, 1303, 1319, 1330, 1577,
         1613, 1686, 1699, 1730, 1850, 1865, 2085, 2106, 2133, 2148, 2149, 2164, 2207, 2243, 2260, 2322,
         2468, 2484, 2549, 2567, 2575, 2577, 2596, 2663)


class SepTest(testkit.RpcspecTest):
    """--select sep-N"""

    def played(self, name, *words):
        self.rpcspec("run", *NEW, "--select", name, *words, "--report", "json=r.json", "--", SERVER, *NEW)
        return [case["id"] for case in self.load("r.json")["cases"] if not case["id"].startswith("oracle/")]

    def test_every_final_proposal_stands_at_a_clause_or_binds_no_server(self):
        official = data("official.yaml")
        named = {sep for clause in official["clauses"].values() for sep in clause["sep"]}
        others = official["binds_no_server"]
        self.assertEqual(named & set(others), set())
        self.assertEqual([sep for sep in FINAL if sep not in named and sep not in others], [])

    def test_cases_of_its_clauses_are_played(self):
        self.assertIn("mcp/elicitation/page-opened", self.played("sep-1036"))

    def test_where_only_oracles_judge_sessions_are_played(self):
        # Forms are judged in the sessions of their area; icons have no area of their own.
        played = self.played("sep-1034")
        self.assertIn("mcp/elicitation", {os.path.dirname(case) for case in played})
        self.assertNotIn("mcp/tools", {os.path.dirname(case) for case in played})
        self.assertIn("mcp.elicitation.form-default has no case: oracles judge it in other sessions", flat(self.complaint))
        self.assertTrue(self.played("mcp.icons.array"))

    def test_a_proposal_that_selects_nothing_says_why(self):
        self.assertEqual(self.refused("run", "--select", "sep-1302", "--", SERVER),
                         "--select: `sep-1302` binds no server: it is about the working groups of the project")
        self.assertRegex(self.refused("run", "--select", "sep-2577", "--", SERVER),
                         "^--select: `sep-2577` has no case: it applies to new implementations")
        self.assertRegex(self.refused("run", "--select", "sep-9999", "--", SERVER),
                         "^--select: `sep-9999` matches no case")


class CheckoutTest(testkit.RpcspecTest):
    """coverage --against CHECKOUT"""

    def checkout(self):
        self.write("suite/src/seps/sep-2575.yaml", """sep: 2575
requirements:
  - check: sep-2575-server-implements-discover
    text: A server has it
  - check: sep-2575-brand-new
    text: A server is new
  - text: Nobody can see this
    excluded: because nobody can
""")

    def test_both_sides_of_the_difference(self):
        self.checkout()
        rows = json.loads(self.rpcspec("coverage", "--against", "suite", "--format", "json"))
        by_check = {row["check"]: row for row in rows if row["check"]}
        self.assertEqual({row["scenario"] for row in rows}, {"sep-2575"})
        both = by_check["sep-2575-server-implements-discover"]
        self.assertTrue(both["cases"])
        self.assertNotIn("reason", both)
        self.assertEqual((by_check["sep-2575-brand-new"]["cases"], by_check["sep-2575-brand-new"]["reason"]),
                         ([], "not known to this rpcspec: A server is new"))
        self.assertEqual(by_check["sep-2575-missing-capability-http-400"]["reason"], "not in the checkout")
        ours = [row["clauses"][0] for row in rows if not row["check"]]
        self.assertIn("mcp.versioning.unsupported-version", ours)
        self.assertTrue(set(ours).isdisjoint(both["clauses"]))
        text = self.rpcspec("coverage", "--against", "suite")
        self.assertRegex(text, r"(?m)^sep-2575: 1 of 2 checks have a case, 1 are not known here; \d+ of our clauses")
        missing = self.rpcspec("coverage", "--against", "suite", "--missing")
        self.assertIn("sep-2575-brand-new", missing)
        self.assertNotIn("sep-2575-server-implements-discover", missing)

    def test_what_is_no_checkout_is_told(self):
        self.assertEqual(self.refused("coverage", "--against", "none"),
                         "--against: there is no none/src/seps/*.yaml; write official, or the folder of a checkout "
                         "of https://github.com/modelcontextprotocol/conformance")
        self.write("suite/src/seps/sep-1.yaml", "sep: 1\nrequirements: none\n")
        self.assertRegex(self.refused("coverage", "--against", "suite"),
                         r"^suite/src/seps/sep-1.yaml:1:1: a proposal has `sep`, a number, and `requirements`, a list")
        self.write("suite/src/seps/sep-1.yaml", "sep: [\n")
        self.assertRegex(self.refused("coverage", "--against", "suite"), r"^suite/src/seps/sep-1.yaml:\d+:\d+: ")


class FrozenTest(testkit.RpcspecTest):
    def test_every_case_and_scenario_of_a_set_is_there(self):
        here = {line.split()[0] for line in self.rpcspec("list", "cases").splitlines() if line.strip()}
        here |= {"oracle/" + line.split()[0]
                 for line in self.rpcspec("list", "oracles").splitlines() if line.strip()}
        frozen = data("frozen.yaml")
        for name, cases in frozen["cases"].items():
            self.assertEqual(set(cases) - here, set(), f"cases of the frozen set {name} are gone")
        scenarios = set(data("official.yaml")["scenarios"])
        for name, one in frozen["official"].items():
            self.assertEqual(set(one["scenarios"]) - scenarios, set(), name)

    def test_what_a_set_holds_gates(self):
        for words in (["--profile", "2025-11-25@1.0"], ["--requirements", "1.0", *NEW],
                      ["--requirements", "2025-11-25"]):
            with self.subTest(words):
                self.rpcspec("run", *words, *PING, *FAULTY_PING, code=1)

    def test_what_came_later_is_played_and_reported_and_does_not_gate(self):
        self.write("mine/own/later.yaml", OWN_CASE)
        words = ["--cases", "mine", "--select", "own/later", "--report", "json=r.json"]
        self.rpcspec("run", *NEW, *words, *FAULTY_PING, code=1)
        self.rpcspec("run", "--profile", "mcp-2025-11-25@1.0", *words, *FAULTY_PING)
        (case,) = self.load("r.json")["cases"]
        self.assertEqual((case["id"], case["verdict"]), ("own/later", "fail"))
        self.assertTrue(case["findings"])
        self.assertIn("not in the frozen set 1.0: it is reported but does not gate", case["notes"])

    def test_a_clause_the_official_set_does_not_ask_for_does_not_gate(self):
        fault = ["--", SERVER, "--fault", "unknown-method-code-32603"]
        words = ["--select", "mcp/errors/standard-codes", "--report", "json=r.json"]
        plain = self.rpcspec("run", *NEW, *words, *fault, code=None)
        self.rpcspec("run", "--requirements", "2025-11-25", *words, *fault)
        self.assertTrue(self.load("r.json")["gate"]["passed"], plain)

    def test_a_set_that_is_none_is_told_with_those_there_are(self):
        self.assertRegex(self.refused("run", "--requirements", "2.0", "--", SERVER),
                         r"^--requirements: there is no frozen set `2.0`; did you mean `1.0`")
        self.assertRegex(self.refused("run", "--profile", "mcp-2025-11-25@9", "--", SERVER),
                         r"^--profile: there is no frozen set `9`")
        self.assertRegex(
            self.refused("run", *NEW, "--requirements", "2026-07-28", "--", SERVER),
            r"^--requirements: 2026-07-28 is a set for mcp-2026-07-28, not for mcp-2025-11-25")
        self.assertRegex(self.refused("fuzz", "--profile", "mcp-2025-11-25@1.0", "--", SERVER),
                         r"there is no profile `mcp-2025-11-25@1.0`")


class ExpectedFailuresTest(testkit.RpcspecTest):
    def test_what_is_listed_is_known_and_nothing_else(self):
        for entry in ("ping", "ping:ping"):
            self.write("expected.yaml", f"server:\n  - {entry}\nclient:\n  - auth/whatever\n")
            self.rpcspec("run", *NEW, *PING, "--expected-failures", "expected.yaml", *FAULTY_PING)
        self.write("expected.yaml", "server:\n  - tools-list\n")
        self.rpcspec("run", *NEW, *PING, "--expected-failures", "expected.yaml", *FAULTY_PING, code=1)

    def test_an_entry_that_no_longer_fails_is_told(self):
        self.write("expected.yaml", "server:\n  - tools-list\n  - ping\n")
        out = self.rpcspec("run", *NEW, *PING, "--expected-failures", "expected.yaml", "--", SERVER,
                           code=1)
        self.assertIn("expected.yaml:3:5: ping no longer fails; remove the entry", flat(out))
        self.assertNotIn("tools-list no longer", flat(out))  # it was not judged

    def test_what_is_written_makes_the_run_pass_and_is_read_back(self):
        self.rpcspec("run", *NEW, *PING, "--write-expected-failures", "e.yaml", *FAULTY_PING, code=1)
        self.assertRegex(self.complaint, r"wrote e.yaml: 1 expected failures")
        listed = yaml.safe_load(self.read("e.yaml"))["server"]
        self.assertEqual(listed, ["ping:ping"])
        scenarios = data("official.yaml")["scenarios"]
        for entry in listed:
            scenario, check = entry.split(":")
            self.assertIn(check, scenarios[scenario])
        self.rpcspec("run", *NEW, *PING, "--expected-failures", "e.yaml", *FAULTY_PING)

    def test_mistakes_have_a_place(self):
        for text, sentence in [
                ("server: [pong]", r"^e.yaml:1:10: there is no scenario `pong`; did you mean `ping`"),
                ("server: [ping:pong]", r"^e.yaml:1:10: the scenario ping has no check `pong`"),
                ("server: [{ping: ping}]", r"^e.yaml:1:10: .*without a space after the colon"),
                ("server: ping", r"^e.yaml:1:9: `server` is a list"),
                ("known: []", r"^e.yaml:1:1: expected failures are lists under `server`")]:
            with self.subTest(text):
                self.write("e.yaml", text + "\n")
                self.assertRegex(
                    self.refused("run", *NEW, "--expected-failures", "e.yaml", "--", SERVER), sentence)
        self.write("e.yaml", "server: [ping]\n")
        self.assertRegex(self.refused("run", *NEW, "--baseline", "e.yaml", "--", SERVER),
                         r"official suite; give it as --expected-failures")


class DisputedTest(testkit.RpcspecTest):
    def test_we_judge_the_bytes_as_the_list_says(self):
        listed = data("official_disputed.yaml")["disputed"]
        self.assertGreaterEqual(len(listed), 5)
        checks = {check for scenario in data("official.yaml")["scenarios"].values()
                  for check in scenario}
        for one in listed:
            with self.subTest(one["check"], why=one["why"]):
                self.assertIn(one["check"], checks)
                self.rpcspec("explain", one["clause"])
                said = {key: one[key] for key in ("method", "before", "reply") if key in one}
                out = self.rpcspec("call", one["method"], *NEW, "--params",
                                   json.dumps(one.get("params", {})), "--allow-tools", "any", "--",
                                   *toy("saying", json.dumps(said)),
                                   code=0 if one["lawful"] else 1)
                self.assertEqual("this exchange breaks no clause of" in out, one["lawful"], out)
                if not one["lawful"]:
                    self.assertIn(one["clause"], out)


class MarksTest(testkit.RpcspecTest):
    def test_reports_name_proposals_and_checks(self):
        self.rpcspec("run", *NEW, *PING, "--report", "json=r.json", "--report", "junit=r.xml",
                     "--report", "html=r.html", *FAULTY_PING, code=1)
        (row,) = [row for row in self.load("r.json")["coverage"]
                  if row["requirement"] == "mcp.ping.result"]
        self.assertIn("ping", row["checks"])
        seps = [row for row in self.load("r.json")["coverage"] if row.get("sep")]
        self.assertTrue(all(re.fullmatch(r"SEP-\d+", sep) for row in seps for sep in row["sep"]))
        self.assertRegex(self.read("r.xml"), r"official checks: .*ping")
        self.assertRegex(self.read("r.html"), r'"official":"[^"]*official checks: [^"]*ping')


class VectorsTest(testkit.RpcspecTest):
    def play(self, profile, *words):
        """The vectors of a profile, and those that the server answers wrongly. It is all that a test
        in another language needs."""
        self.rpcspec("export", "--profile", profile, "--output", "vectors.json")
        suite = self.load("vectors.json")
        server = subprocess.Popen([SERVER, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        with server:
            say = lambda frame: (server.stdin.write(frame.encode() + b"\n"), server.stdin.flush())
            hear = lambda: json.loads(server.stdout.readline())
            for frame in suite["opening"]:
                say(frame)
                if "id" in json.loads(frame):
                    hear()
            wrong = []
            for vector in suite["vectors"]:
                say(vector["frame"])
                say(suite["canary"])
                came, replies = None, vector["replies"]
                while (reply := hear()).get("id") != "canary":
                    if "method" not in reply:
                        came = reply
                if came is None:
                    grade = replies["silence"]
                elif "error" in came:
                    code = str(came["error"]["code"])
                    grade = replies["error"].get(code, replies["error"]["other"])
                else:
                    grade = replies["result"]
                if came is not None and "ids" in vector and came.get("id") not in vector["ids"]:
                    grade = "wrong"
                if grade == "wrong":
                    wrong.append((vector["name"], came))
            server.stdin.close()
        return suite, wrong

    def test_the_reference_server_answers_each_as_it_may(self):
        for profile in ("jsonrpc-2.0", "mcp-2024-11-05", "mcp-2025-11-25", "mcp-2026-07-28"):
            with self.subTest(profile):
                suite, wrong = self.play(profile, "--profile", profile)
                self.assertEqual(suite["format"], "rpcspec-vectors/1")
                self.assertEqual(suite["profile"], profile)
                self.assertGreater(len(suite["vectors"]), 50)
                self.assertEqual(wrong, [])
                cited = [one for vector in suite["vectors"] for one in vector["clauses"]]
                self.assertGreater(len({one["id"] for one in cited}), 5)
                self.assertTrue(all(one["level"] and one["source"] for one in cited))

    def test_a_broken_server_does_not(self):
        for fault in ("id-number-as-string", "unknown-method-empty-result"):
            with self.subTest(fault):
                self.assertTrue(self.play("jsonrpc-2.0", "--profile", "jsonrpc-2.0", "--fault",
                                          fault)[1])

    def test_a_profile_is_asked_for(self):
        self.assertRegex(self.refused("export", "--profile", "mcp"), r"there is no profile `mcp`|none")


if __name__ == "__main__":
    testkit.main()
