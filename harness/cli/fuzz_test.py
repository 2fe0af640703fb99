#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Campaigns from outside: what they find, what they write, what they leave alone, how they end.
#
#   fuzz_test.py RPCSPEC REFERENCE_SERVER [--part I/N | TEST...]
import base64
import glob
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import RPCSPEC, SERVER, marked, toy


class FuzzTest(testkit.RpcspecTest):
    USUAL_CODE = None

    def server(self, *faults, profile="mcp-2025-11-25"):
        words = ["--", SERVER, "--profile", profile]
        for fault in faults:
            words += ["--fault", fault]
        return words

    def findings(self):
        return sorted(glob.glob(self.path("findings/*/")))

    def left_over(self):
        return marked(f"RPCSPEC_FUZZ_TEST={self.folder}")

    def test_it_ends_with_the_first_finding_where_that_is_asked_for(self):
        server = self.server("params-array-kills")
        said = self.rpcspec("fuzz", "--stop-at-first", "--execs", "100000", "--seed", "1",
                            "--report", "json=r.json", "--report", "junit=r.xml", *server, code=1)
        self.assertLess(int(re.search(r"--execs (\d+) ", said)[1]), 100000)
        self.assertEqual(len(self.findings()), 1)
        folder = self.findings()[0]
        with open(folder + "finding.json", encoding="utf-8") as file:
            facts = json.load(file)
        report = self.load("r.json")
        self.assertEqual((report["seed"], report["profile"]), (1, "mcp-2025-11-25"))
        self.assertEqual(report["gate"], {"passed": False, "reason": "failed: 1 finding"})
        self.assertEqual((report["summary"]["fail"], len(report["cases"])), (1, 1))
        case = report["cases"][0]
        self.assertEqual(case["id"], os.path.basename(folder[:-1]))
        self.assertEqual(case["replay"], facts["replay"])
        finding = case["findings"][0]
        for member in ("requirement", "level", "severity", "expected", "seen", "oracle"):
            self.assertEqual(finding[member], facts[member])
        self.assertEqual([frame["seq"] for frame in finding["frames"]], facts["frames"])
        with open(folder + "script", encoding="utf-8") as file:
            self.assertEqual(report["campaign"]["scripts"], [{"case": case["id"], "text": file.read()}])
        curve = report["campaign"]["curve"]
        self.assertEqual(curve[-1]["findings"], 1)
        self.assertGreater(curve[-1]["behaviours"], 0)
        self.assertEqual([point["execs"] for point in curve],
                         sorted(point["execs"] for point in curve))
        with open(folder + "README.md", encoding="utf-8") as file:
            readme = file.read()
        for member in ("requirement", "level", "expected", "seen", "signature", "replay", "run"):
            self.assertIn(facts[member], readme)
        self.assertEqual(re.findall(r"(?m)^\* \S+ \S+ +#(\d+) ", readme), [str(n) for n in facts["frames"]])
        with open(self.path("r.xml"), encoding="utf-8") as file:
            self.assertIn(f'<failure message="{facts["requirement"]}: expected ', file.read())

    def test_a_campaign_that_finds_nothing_is_reported_as_such(self):
        out = self.rpcspec("fuzz", "--execs", "200", "--seed", "7", "--report", "json=r.json",
                           "--report", "console", *self.server(), code=0)
        self.assertIn("1 passed", out)
        report = self.load("r.json")
        self.assertEqual((report["seed"], report["gate"]["passed"]), (7, True))
        case, = report["cases"]
        self.assertEqual((case["id"], case["verdict"]), ("campaign", "pass"))
        self.assertRegex(case["title"], r"^200 scripts, \d+ frames, nothing found$")

    def test_a_bug_becomes_one_finding_that_replays_and_a_case(self):
        said = self.rpcspec("fuzz", "--execs", "1500", "--seed", "1",
                            *self.server("params-array-kills"), code=1)
        signatures = {}
        for folder in self.findings():
            self.assertEqual(said.count(f"found {os.path.basename(folder[:-1])}: expected "), 1, said)
            with open(folder + "signature", encoding="utf-8") as file:
                signatures[file.read().strip()] = folder
        ended = [one for one in signatures if one.startswith("ended|exit 1|")]
        self.assertEqual(len(ended), 1, signatures)
        folder = signatures[ended[0]]
        with open(folder + "script", encoding="utf-8") as file:
            frames = [line for line in file.read().splitlines() if not line.startswith("#")]
        self.assertEqual(len(frames), 1, frames)
        self.assertIn('"params":[]', frames[0])
        with open(folder + "README.md", encoding="utf-8") as file:
            readme = file.read()
        for words in ("- expected:", "- seen:", "reproducible: seen in 3 of 3", " replay --profile ",
                      " run --profile ", " --select case ", "← "):
            self.assertIn(words, readme)
        for _ in range(10):
            self.rpcspec("replay", folder + "script", *self.server("params-array-kills"), code=1)
        self.rpcspec("replay", "--report", "json=replayed.json", folder + "script", "--profile",
                     "auto", *self.server(), code=0)
        select = ["run", "--cases", folder, "--select", "case", "--profile", "mcp-2025-11-25"]
        self.rpcspec(*select, *self.server("params-array-kills"), code=1)
        fixed = self.rpcspec(*select, *self.server())
        self.assertIn("1 passed", fixed)
        self.rpcspec("judge", folder + "transcript.jsonl", code=1)
        # What is known is not found again.
        again = self.rpcspec("fuzz", "--execs", "300", "--seed", "1",
                             *self.server("params-array-kills"))
        self.assertEqual(len([f for f in self.findings() if "survives-invalid" in f or
                              "server-closes" in f]), 1, again)
        self.assertNotIn(f"found {os.path.basename(folder[:-1])}: ", again)
        known = self.rpcspec("fuzz", "--execs", "1", "--seed", "1",
                             *self.server("params-array-kills"), code=0)
        self.assertIn(f"no new findings; {len(self.findings())} known, in ", known)

    def test_a_reduced_script_shows_no_finding_that_the_whole_did_not(self):
        """Of two bugs that lie close: params wrongly answered, and methods with a short name."""
        server = ["--profile", "jsonrpc-2.0", "--", *toy("two_bugs")]
        self.write("one.script", '{"jsonrpc":"2.0","id":1,"method":"sum","params":["abc",{"d":2}]}\n')
        self.rpcspec("shrink", "one.script", "-o", "least.script", *server, code=1)
        shown = [re.findall(r"(?m)^(?:FAIL|WARN).*", self.rpcspec("replay", script, *server, code=1))
                 for script in ("one.script", "least.script")]
        self.assertEqual(shown[1], shown[0])
        with open(self.path("least.script"), encoding="utf-8") as file:
            kept = [json.loads(line) for line in file if not line.startswith(("#", "!"))]
        self.assertEqual([(one["method"], len(one["params"])) for one in kept], [("sum", 1)])

    def test_a_request_that_is_passed_over_is_a_finding(self):
        """Though the server answers whatever is asked after it."""
        server = self.server("unknown-method-silent")
        with open(self.path("long.script"), "w", encoding="utf-8") as file:
            for i in range(1, 9):
                method = "rpcspec/x" if i == 5 else "ping"
                file.write('{"jsonrpc":"2.0","id":%d,"method":"%s"}\n' % (i, method))
        self.rpcspec("shrink", "long.script", "-o", "short.script", *server, code=1)
        with open(self.path("short.script"), encoding="utf-8") as file:
            kept = [line for line in file if not line.startswith(("#", "!"))]
        self.assertEqual(len(kept), 1, kept)
        for script in ("long.script", "short.script"):
            self.rpcspec("replay", script, *server, code=1)
            self.rpcspec("replay", script, *self.server(), code=0)

    def test_what_a_check_cannot_measure_because_it_ends_the_server_is_a_finding(self):
        """No mutator of this level makes 100 levels; the check of what depth costs does."""
        for faults, found in ([], 0), (["planted-deep-echo"], 1):
            command = self.server(*faults, profile="jsonrpc-2.0")[1:]
            self.write("target.yaml", json.dumps(
                {"name": "server", "command": command, "affordances": {
                    "known_method": {"method": "echo", "params": ["a"]}}}))
            out = self.rpcspec("fuzz", "--execs", "600", "--seed", "1", "--mutators", "envelope",
                               "--profile", "jsonrpc-2.0", "--target", "target.yaml", code=found)
            self.assertEqual(len(re.findall("found crash-", out)), found, out)

    def test_a_request_without_an_answer_is_a_finding_over_http(self):
        """Whether its exchange stays open or its connection is closed without a response."""
        self.write("one.script", '{"jsonrpc":"2.0","id":1,"method":0}\n')
        where = ["--url", "http://127.0.0.1:{port}/mcp"]
        over = ["--transport", "http", "--port", "{port}"]
        for fault, seen in (("invalid-request-never-answered", "seen      nothing"),
                            ("invalid-request-hung-up-on", "closed without a response")):
            shown = self.rpcspec("replay", "--level", "should", "one.script", *where,
                                 *self.server(fault), *over, code=1)
            self.assertIn(seen, shown)
            out = self.rpcspec("fuzz", "--execs", "6", "--seed", "1", "--findings", fault, *where,
                               *self.server(fault), *over, code=1)
            self.assertRegex(out, "found [a-z-]+-jsonrpc[.]")
        self.rpcspec("replay", "one.script", *where, *self.server(), *over, code=0)

    def test_a_connection_that_is_closed_with_a_request_unanswered_is_a_finding(self):
        """Though the server goes on to take others."""
        self.write("one.script", '{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        for faults, code in ((["crashes-on-request"], 1), ([], 0)):
            shown = self.rpcspec("replay", "one.script", "--url", "tcp://127.0.0.1:{port}",
                                 *self.server(*faults), "--transport", "tcp", "--port", "{port}",
                                 code=code)
            self.assertEqual("the connection was closed (eof)" in shown, bool(faults), shown)

    def test_the_first_refusal_is_not_taken_for_the_last_reply(self):
        """On a connection where no id has come back yet, in profiles without a handshake."""
        self.write("two.script", '[]\n""\n')
        for profile in ("jsonrpc-2.0", "mcp-2026-07-28"):
            for transport, url in (("tcp", "tcp://127.0.0.1:{port}"), ("stdio", "")):
                where = ["--url", url] if url else []
                port = ["--port", "{port}"] if url else []
                for faults, verdict in ((["primitive-message-code-32700"], "1 warned"),
                                        ([], "1 passed")):
                    out = self.rpcspec("replay", "--profile", profile, "two.script", *where,
                                       *self.server(*faults, profile=profile), "--transport",
                                       transport, *port)
                    self.assertIn(verdict, out, (profile, transport, faults))

    def test_a_header_may_lie_of_the_length_as_well(self):
        """Where replies come on a stream nobody can tell what a server makes of it."""
        self.write("header.script", '!header Content-Length: 1000\n.0","method":\n!sync\n')
        with open(self.path("sse.yaml"), "w", encoding="utf-8") as file:
            json.dump({"name": "sse", "transport": "sse", "url": "http://127.0.0.1:{port}/sse",
                       "command": [SERVER, "--profile", "mcp-2024-11-05", "--transport", "sse",
                                   "--port", "{port}", "--request-timeout", "1"],
                       "affordances": {"server.request_timeout": {"seconds": 2.5}}}, file)
        out = self.rpcspec("replay", "--profile", "mcp-2024-11-05", "header.script", "--target",
                           "sse.yaml")
        self.assertIn("1 passed", out)

    def test_a_broken_should_ends_with_1_where_that_is_asked_for(self):
        self.write("one.script", '""\n')
        words = ["--profile", "jsonrpc-2.0", "one.script"]
        server = self.server("primitive-message-code-32700", profile="jsonrpc-2.0")
        self.assertIn("gate passed", self.rpcspec("replay", *words, *server, code=0))
        said = self.rpcspec("replay", "--level", "should", *words, *server, code=1)
        self.assertIn("gate failed: a SHOULD is broken (--level should)", said)
        self.rpcspec("replay", "--level", "may", *words, *server, code=2)
        self.assertIn("--level: `may` is not a level; write must or should", self.complaint)

    def test_the_same_seed_makes_the_same_scripts(self):
        digests = set()
        for _ in range(2):
            out = self.rpcspec("fuzz", "--execs", "300", "--seed", "7",
                               *self.server(profile="jsonrpc-2.0"))
            digests.add(re.search(r"\(scripts ([0-9a-f]{16})\)", out).group(1))
        self.assertEqual(len(digests), 1)
        other = self.rpcspec("fuzz", "--execs", "300", "--seed", "8",
                             *self.server(profile="jsonrpc-2.0"))
        self.assertNotIn(digests.pop(), other)

    def test_how_long_a_server_takes_changes_no_script(self):
        """To start, or now and then to read; beyond what a session holds, and what is tried first."""
        digests = set()
        server = self.server(profile="jsonrpc-2.0")[1:]
        for start in (server, ["sh", "-c", 'sleep 0.2; exec "$0" "$@"', *server],
                      [*toy("acceptor", "jittery"), *server]):
            out = self.rpcspec("fuzz", "--execs", "2500", "--seed", "7", "--profile", "jsonrpc-2.0",
                               "--", *start, code=0)
            digests.add(re.search(r"--execs 2500 \(scripts ([0-9a-f]{16})\)", out)[1])
        self.assertEqual(len(digests), 1)

    def test_when_a_server_says_more_changes_no_script(self):
        """Lines of stderr and messages that nobody asked for come when they come."""
        digests = set()
        server = self.server(profile="jsonrpc-2.0")[1:]
        for _ in range(2):
            out = self.rpcspec("fuzz", "--execs", "600", "--seed", "7", "--profile", "jsonrpc-2.0",
                               "--", *toy("acceptor", "chatty"), *server, code=0)
            digests.add(re.search(r"--execs 600 \(scripts ([0-9a-f]{16})\)", out)[1])
        self.assertEqual(len(digests), 1)

    def test_starts_that_take_long_take_a_part_of_the_time_only(self):
        """A fifth, a second, and what the last one took, which is a few times the mean at most."""
        server = self.server(profile="jsonrpc-2.0")[1:]
        out = self.rpcspec("fuzz", "--for", "8s", "--seed", "7", "--profile", "jsonrpc-2.0", "--",
                           "sh", "-c", 'echo >> starts; sleep 0.4; exec "$0" "$@"', *server, code=0)
        last = re.findall(r"(?m)^(\d+) s: .*, starts (\d+) %", out)[-1]
        whole, part = int(last[0]), int(last[1])
        self.assertGreater(part, 0, out)
        taken, starts = whole * part / 100, self.read("starts").count("\n")
        self.assertLess(taken, whole / 5 + 1 + 4 * taken / starts + 0.5, out)

    def test_a_script_that_starts_servers_is_not_looked_at_again_for_being_slow(self):
        ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
        self.write("c/one", ping + "!close\n" + ping + "!close\n" + ping)
        self.rpcspec("fuzz", "--execs", "300", "--seed", "1", "--profile", "jsonrpc-2.0", "--corpus",
                     "c", "--", *toy("acceptor", "waking", self.path("starts")),
                     *self.server(profile="jsonrpc-2.0")[1:], code=0)
        with open(self.path("starts"), encoding="utf-8") as file:
            starts = len(file.readlines())
        # Three for the script, and for what is made of it; another look would be three more each.
        self.assertTrue(3 <= starts <= 12, starts)

    def test_no_more_scripts_are_played_than_are_asked_for(self):
        """Those a campaign begins with count, and so do those of a corpus."""
        self.rpcspec("fuzz", "--execs", "400", "--seed", "2", "--corpus", "c", *self.server())
        for words in (["--execs", "30"], ["--execs", "31", "--jobs", "2", "--corpus", "new"],
                      ["--execs", "30", "--corpus", "c"]):
            out = self.rpcspec("fuzz", "--seed", "1", *words, *self.server(), code=0)
            self.assertIn(f"to repeat: --seed 1 --execs {words[1]} ", out)
        out = self.rpcspec("fuzz", "--seed", "1", "--execs", "1", "--jobs", "2", *self.server(), code=0)
        self.assertIn("to repeat: --seed 1 --execs 1 ", out)

    def test_a_server_that_ends_a_session_gets_as_many_scripts_as_are_asked_for(self):
        """Though what was written behind the one it ended at has to be played again."""
        for _ in range(2):
            out = self.rpcspec("fuzz", "--execs", "300", "--seed", "1",
                               *self.server("params-array-kills"))
            self.assertIn("to repeat: --seed 1 --execs 300 ", out)

    def test_a_corpus_is_grown_and_read(self):
        said = self.rpcspec("fuzz", "--execs", "400", "--seed", "2", "--corpus", "c", *self.server())
        self.assertIn(", with the corpus as it was before\n", said)
        kept = os.listdir(self.path("c"))
        self.assertGreater(len(kept), 20)
        self.rpcspec("fuzz", "--execs", "500", "--seed", "3", "--corpus", "c", *self.server())
        self.assertGreaterEqual(len(os.listdir(self.path("c"))), len(kept))
        self.rpcspec("replay", "c", *self.server(), code=0)

    def test_a_script_is_shrunk_to_the_least_that_shows_it(self):
        lines = ['{"jsonrpc":"2.0","id":%d,"method":"ping"}' % i for i in range(1, 30)]
        lines.insert(17, '{"jsonrpc":"2.0","id":77,"method":"ping","params":[1,{"a":["b"]},"c"]}')
        self.write("long.script", "\n".join(lines) + "\n")
        server = self.server("params-array-kills")
        out = self.rpcspec("shrink", "long.script", "-o", "short.script", *server, code=1)
        self.assertEqual(out, "")
        self.assertIn("shown by 3 of 3 plays", self.complaint)
        with open(self.path("short.script"), encoding="utf-8") as file:
            kept = [line for line in file if not line.startswith(("#", "!"))]
        self.assertEqual(len(kept), 1, kept)
        self.assertIn("[]", kept[0])
        said = self.rpcspec("replay", "short.script", *server, code=1)
        self.assertRegex(said, r"1 case in (?!0 ms)")
        self.rpcspec("shrink", "short.script", *self.server(), code=0)
        self.assertIn("it breaks no clause", self.complaint)
        self.rpcspec("shrink", "missing.script", *server, code=2)
        self.assertIn("missing.script: the script cannot be read", self.complaint)

    def test_of_findings_only_the_scripts_are_played(self):
        ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
        for finding in ("f/one", "f/two"):
            self.write(f"{finding}/script", ping)
            for other in ("signature", "README.md", "case.yaml", "transcript.jsonl", "journal"):
                self.write(f"{finding}/{other}", "no script\n")
        self.write("f/README.md", "kept for these reasons\n")
        self.write("f/not-reproducible.txt", "ended|exit 1\n")
        for what, scripts in (("f", ["f/one/script", "f/two/script"]), ("f/one", ["f/one/script"]),
                              ("f/two/", ["f/two/script"])):
            out = self.rpcspec("replay", "--verbose", what, *self.server(), code=0)
            self.assertIn(f"{len(scripts)} passed", out)
            for script in scripts:
                self.assertIn(f"    {script}\n", out)
        self.rpcspec("shrink", "f/one", *self.server(), code=0)
        # Plain scripts go on being played, whatever they are called.
        self.write("c/b.script", ping)
        self.write("c/script", ping)
        self.assertIn("2 passed", self.rpcspec("replay", "c", *self.server(), code=0))

    def test_a_finding_is_shown_by_itself_only(self):
        """Not by anything else that is wrong by now."""
        clause, server = "mcp.base.unknown-method", self.server("unknown-method-silent")
        same = {"requirement": clause, "answer": "no reply", "flaw": "method-unknown", "trigger": 1}
        other = "jsonrpc.id.echo-on-error"
        kept = [({"requirement": clause}, "fail"), (same, "fail"),
                ({"requirement": other}, "inconclusive"),
                ({**same, "requirement": other}, "inconclusive"), ({**same, "answer": "error -32603"}, "pass"), ({**same, "flaw": "id"}, "pass"),
                ({**same, "trigger": 2}, "pass")]
        for i, (facts, _) in enumerate(kept):
            self.write(f"f/{i}/script", '{"jsonrpc":"2.0","id":1,"method":"rpcspec/x"}\n')
            self.write(f"f/{i}/signature", f"{i}\n")
            self.write(f"f/{i}/finding.json", json.dumps({"severity": "fail", **facts}))
        self.rpcspec("replay", "--report", "json=r.json", "f", *server, code=1)
        self.assertEqual(self.complaint.count(": the finding was not shown again; its script shows "), 3)
        for (facts, verdict), case in zip(kept, self.load("r.json")["cases"]):
            self.assertEqual(case["verdict"], verdict, facts)
            self.assertEqual(f"not the finding, but {clause}: expected " in str(case.get("notes")),
                             verdict != "fail", case)
            if verdict == "inconclusive":
                self.assertEqual(case["reason"], "the finding cannot be compared: it was kept under "
                                 f"{other}, and its script breaks {clause} now")
        # Nothing passed, and nothing failed.
        out = self.rpcspec("replay", "f/2", *server, code=3)
        self.assertIn("the finding cannot be compared: it was kept under ", testkit.flat(out))
        self.assertNotIn("gate passed", out)

    def test_an_end_is_shown_again_whatever_clause_it_was_kept_under(self):
        """Which clause fits what was sent last, a later rpcspec may tell better."""
        self.write("f/one/script", '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}\n')
        self.write("f/one/signature", "ended|exit 1|\n")
        facts = {"severity": "fail", "requirement": "robust.client-gone", "oracle": "process", "flaw": "",
                 "answer": "the connection ended", "trigger": 1}
        for answer, code in ("the connection ended", 1), ("error -32603", 0):
            self.write("f/one/finding.json", json.dumps({**facts, "answer": answer}))
            self.rpcspec("replay", "f", *self.server("params-array-kills"), code=code)

    def test_scripts_are_played_side_by_side_and_told_in_their_order(self):
        for i in range(7):
            self.write(f"s/{i}", '{"jsonrpc":"2.0","id":1,"method":"ping"}\n' * (i + 1))
        out = self.rpcspec("replay", "s", "--jobs", "3", "--verbose", *self.server(), code=0)
        told = re.findall(r"A script of (\d) step", out)
        self.assertEqual(told, [str(i + 1) for i in range(7)], out)
        self.assertIn("7 cases", out)
        self.rpcspec("replay", "s", "--jobs", "0", *self.server(), code=2)
        self.assertIn("--jobs", self.complaint)

    def test_a_folder_without_scripts_is_told(self):
        os.mkdir(self.path("empty"))
        self.write("none/README.md", "nothing yet\n")
        self.write("none/not-reproducible.txt", "ended|exit 1\n")
        for folder in ("empty", "none"):
            for words in (["replay"], ["shrink"], ["diff", "--a", SERVER, "--b", SERVER]):
                target = [] if words[0] == "diff" else self.server()
                self.rpcspec(*words, folder, *target, code=2)
                self.assertEqual(self.complaint, f"rpcspec: {folder}: it contains no script; name scripts, "
                                 "a folder of them, a finding or the folder of findings\n")

    def test_the_command_it_prints_judges_alike(self):
        self.write("c/one.script", '""\n')
        given = ["--profile", "jsonrpc-2.0", "--timeout", "20", "--level", "should"]
        server = self.server("primitive-message-code-32700", profile="jsonrpc-2.0")
        out = self.rpcspec("replay", *given, "--report", "console", "--report", "json=r.json",
                           "c/one.script", *server, code=1)
        again = re.search(r"replay +(.* replay .*)\n", out)[1]
        with open(self.path("r.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["cases"][0]["replay"], again)
        words = shlex.split(again)
        self.assertEqual(words[0], RPCSPEC)
        for option, value in zip(given[::2], given[1::2]):
            self.assertEqual(words[words.index(option) + 1].replace("20s", "20"), value, again)
        self.assertIn("gate failed: a SHOULD is broken", self.rpcspec(*words[1:], code=1))

    def test_a_script_is_judged_by_the_profile_it_names(self):
        ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
        server = self.server(profile="mcp-all")
        self.write("c/a", "#! profile: mcp-2025-03-26\n" + ping)
        self.write("c/b", ping)
        judged = lambda *words: self.rpcspec("replay", *words, *server, code=0).splitlines()[1]
        self.assertIn("mcp-2025-03-26 over stdio", judged("c"))
        self.assertIn("mcp-2025-06-18 over stdio", judged("c", "--profile", "mcp-2025-06-18"))
        self.assertIn("mcp-2026-07-28 over stdio", judged("c/b"))
        with open(self.path("t.yaml"), "w", encoding="utf-8") as file:
            json.dump({"command": server[1:], "profile": "mcp-2024-11-05"}, file)
        for script, profile in (("c/a", "mcp-2025-03-26"), ("c/b", "mcp-2024-11-05")):
            out = self.rpcspec("replay", script, "--target", "t.yaml", code=0)
            self.assertIn(profile + " over stdio", out)
        # Those that do not agree, and names of nothing.
        self.write("c/c", "# A remark.\r\n#! profile: jsonrpc-2.0\r\n" + ping)
        for nonsense in ("mcp-1999-01-01", "any of them", ""):
            self.write("bad", f"{ping}#! profile: {nonsense}\n")
            for words in (["replay", "bad", *server], ["shrink", "bad", *server],
                          ["diff", "--a", SERVER, "--b", SERVER, "bad"]):
                self.rpcspec(*words, code=2)
                self.assertEqual(self.complaint, f"rpcspec: bad:2: there is no profile `{nonsense}`; "
                                 "write one of `rpcspec list profiles`, or name another with "
                                 "--profile\n")
        self.assertIn("mcp-2026-07-28 over stdio", judged("bad", "--profile", "auto"))
        self.rpcspec("replay", "c", *server, code=2)
        self.assertEqual(self.complaint, "rpcspec: c/c:2: it is for jsonrpc-2.0, and c/a for "
                         "mcp-2025-03-26; name one profile for all of them with --profile; auto "
                         "negotiates one\n")

    def test_workers_side_by_side(self):
        out = self.rpcspec("fuzz", "--execs", "300", "--seed", "2", "--jobs", "2", *self.server())
        self.assertIn("2 workers", out)
        self.assertIn("--execs 300 --jobs 2 (scripts ", out)

    def test_an_interrupt_ends_shrinking_with_the_least_so_far(self):
        lines = ['{"jsonrpc":"2.0","id":%d,"method":"ping"}' % i for i in range(1, 90)]
        lines[60] = '{"jsonrpc":"2.0","id":77,"method":"ping","params":[1,{"a":["b"]},"c"]}'
        self.write("d/long.script", "\n".join(lines) + "\n")
        server = ["--", *toy("acceptor", "noting", self.path("starts")),
                  *self.server("params-array-kills")[1:]]
        running = subprocess.Popen([RPCSPEC, "shrink", "d/long.script", "-o", "d/short.script", *server],
                                   cwd=self.folder, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        def starts():
            if not os.path.exists(self.path("starts")):
                return 0
            with open(self.path("starts"), encoding="utf-8") as file:
                return len(file.readlines())
        until = time.time() + 60
        while starts() < 8 and running.poll() is None and time.time() < until:
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        said = running.communicate(timeout=60)[1].decode()
        self.assertEqual(running.returncode, 130, said)
        self.assertRegex(said, r"^\d+ steps? of 89, after \d+ plays; shown by 3 of 3 plays; interrupted, "
                         "so it may be longer than necessary; ")
        kept = [line for line in self.read("d/short.script").splitlines() if line[0] not in "#!"]
        self.assertLess(len(kept), 89)
        self.rpcspec("replay", "d/short.script", *self.server("params-array-kills"), code=1)

    def test_mistakes_are_told_before_anything_is_shrunk(self):
        self.write("s/one", '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}\n')
        server = self.server("params-array-kills")
        for words, said in (
                (["--requirement", "nope"], "--requirement: there is no requirement `nope`; `rpcspec list "
                 "requirements` names them"),
                (["--requirement", "jsonrpc.id.string-ecko"], "--requirement: there is no requirement "
                 "`jsonrpc.id.string-ecko`; did you mean `jsonrpc.id.string-echo`?"),
                (["-o", "no/such/x"], "no/such/x: the folder 'no/such' does not exist; create it, or name a "
                 "file in an existing folder")):
            self.assertEqual(self.rpcspec("shrink", "s/one", *words, *server, code=2), "")
            self.assertEqual(self.complaint, f"rpcspec: {said}\n")
        self.rpcspec("shrink", "s/one", "--requirement", "jsonrpc.id.string-echo", *server, code=0)
        self.assertIn("it does not break this requirement", self.complaint)

    def test_what_was_withheld_did_not_pass(self):
        call = ('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":{}}}\n')
        self.write("s/erase", call % "erase")
        self.write("s/look", call % "look")
        server = ["--", *toy("careful", self.path("erased"))]
        for check in ([], ["--check", "spelling"]):
            out = self.rpcspec("replay", *check, "s/erase", "--report", "console", "--report",
                               "json=r.json", *server, code=3)
            self.assertIn("Inconclusive: 1 case: add allow: {tools: [erase]}, if it is safe to call\n",
                          out)
            self.assertIn(": 1 inconclusive\ngate failed: nothing could be tested\n", out)
            self.assertIn("nothing could be played: ", self.complaint)
            with open(self.path("r.json"), encoding="utf-8") as file:
                case, = json.load(file)["cases"]
            self.assertEqual((case["verdict"], case["reason"]),
                             ("inconclusive", "tools are not allowed: erase (not annotated readOnlyHint)"))
        out = self.rpcspec("replay", "s", *server, code=0)
        self.assertIn(": 1 passed, 1 inconclusive\ngate passed\n", out)
        self.write("both", call % "erase" + call.replace('"id":1', '"id":2') % "look")
        out = self.rpcspec("replay", "--verbose", "both", *server, code=0)
        self.assertIn(": 1 passed\n", out)
        self.assertIn("1 message was left out: tools are not allowed: erase (not annotated "
                      "readOnlyHint)", " ".join(out.split()))
        self.assertFalse(os.path.exists(self.path("erased")))

    def test_no_script_is_longer_than_is_asked_for(self):
        self.rpcspec("fuzz", "--execs", "2000", "--seed", "2", "--max-len", "90", "--corpus",
                     self.path("short"), *self.server())
        sizes = [os.path.getsize(file) for file in glob.glob(self.path("short") + "/*")]
        self.assertGreater(len(sizes), 10)
        self.assertLessEqual(max(sizes), 90)

    def test_no_tool_is_called_that_may_not_be(self):
        self.rpcspec("fuzz", "--execs", "1500", "--seed", "4", "--",
                     *toy("careful", self.path("erased")))
        self.assertFalse(os.path.exists(self.path("erased")))

    def recorded(self, *words):
        """Every byte that a campaign sends to the plain reference server."""
        record = ["sh", "-c", 'tee -a "$0" | exec "$@"', self.path("sent"), SERVER, "--profile",
                  "jsonrpc-2.0"]
        self.rpcspec("fuzz", "--seed", "5", *words, "--", *record)
        with open(self.path("sent"), "rb") as file:
            return file.read()

    def test_no_described_method_is_called_that_nobody_permitted(self):
        # However it is spelled, wherever it stands: by no mutator, no search and no check.
        sent = self.recorded("--execs", "6000")
        self.assertGreater(len(sent), 1_000_000)
        plain = re.sub(rb"\\u00([0-7][0-9a-fA-F])", lambda m: bytes([int(m[1], 16)]), sent)
        self.assertEqual(plain.lower().count(b"admin.reset"), 0)
        for method in (b"book.get", b"price.total", b"shelf.tree", b"book.touched"):
            self.assertGreater(sent.count(b'"method":"' + method + b'"'), 100, method)
        self.assertEqual(sent.count(b'"method":"sleep"'), 0)  # it has no example

    def test_what_two_frames_spell_together_is_withheld(self):
        self.write("s.script", '{"jsonrpc":"2.0","id":1,"method":"subtract","params":[1,2]}\n'
                               '!eol none\n{"jsonrpc":"2.0","id":2,"method":"admin.re\n'
                               'set"}\n')
        out = self.rpcspec("replay", "--verbose", "s.script", "--", SERVER, "--profile", "jsonrpc-2.0")
        self.assertIn("1 message was left out", " ".join(out.split()))

    def test_a_described_method_is_called_where_the_operator_names_it(self):
        sent = self.recorded("--execs", "1500", "--methods", "admin.reset")
        self.assertGreater(sent.count(b'"method":"admin.reset"'), 10)

    def test_bugs_behind_described_methods_are_found(self):
        shop = [sys.executable, os.path.join(testkit.TOP, "bench", "described", "shop.py")]
        for bug in ("beyond-maximum", "by-name", "linked-quote"):
            with self.subTest(bug):
                found = self.path(bug)
                self.rpcspec("fuzz", "--seed", "1", "--execs", "4000", "--stop-at-first",
                             "--findings", found, "--", *shop, "--bug", bug, code=1)
                (script,) = glob.glob(found + "/*/script")
                self.rpcspec("replay", script, "--", *shop, code=0)

    def signatures(self):
        found = {}
        for folder in self.findings():
            with open(folder + "signature", encoding="utf-8") as file:
                found[file.read().strip()] = folder
        return found

    def test_secrets_are_kept_out_of_all_that_is_written(self):
        secret = "correct-horse-battery-41"
        with open(self.path("target.yaml"), "w", encoding="utf-8") as file:
            file.write(f"name: telltale\ncommand: {json.dumps(toy('telltale'))}\n"
                       "env: {THE_TOKEN: {secret: $RPCSPEC_FUZZ_SECRET}}\n")
        os.environ["RPCSPEC_FUZZ_SECRET"] = secret
        said = self.rpcspec("fuzz", "--execs", "100", "--seed", "5", "--corpus", "c", "--target",
                            "target.yaml")
        said += self.complaint
        del os.environ["RPCSPEC_FUZZ_SECRET"]
        self.assertIn("--execs 100 ", said)
        written = said
        for folder in ("c", "findings"):
            for where, _, files in os.walk(self.path(folder)):
                for name in files:
                    with open(os.path.join(where, name), encoding="utf-8", errors="replace") as file:
                        written += name + file.read()
        self.assertIn("«secret", written)  # it was met
        for spelling in (secret, base64.b64encode(secret.encode()).decode(), secret.encode().hex(),
                         "".join(f"%{b:02X}" for b in secret.encode())):
            self.assertNotIn(spelling, written)
            self.assertNotIn(spelling[:16], written)

    def test_credentials_that_come_back_are_a_finding(self):
        os.environ["RPCSPEC_REFERENCE_SECRET"] = "correct-horse-battery-42"
        self.rpcspec("fuzz", "--execs", "60", "--seed", "1", "--auth",
                     "bearer:RPCSPEC_REFERENCE_SECRET", "--url", "http://127.0.0.1:{port}/mcp",
                     *self.server("auth-echoes-token"), "--transport", "http", "--port", "{port}",
                     "--auth", "bearer", code=1)
        del os.environ["RPCSPEC_REFERENCE_SECRET"]
        self.assertTrue([one for one in self.signatures() if one.startswith("credentials|")])

    def test_what_a_baseline_accepts_is_not_reported_again(self):
        with open(self.path("known.yaml"), "w", encoding="utf-8") as file:
            file.write("known:\n  - {requirement: robust.no-stack-trace, reason: r}\n")
        out = self.rpcspec("fuzz", "--execs", "300", "--seed", "1", "--baseline", "known.yaml",
                           *self.server("stack-trace-in-error-data"), code=0)
        self.assertIn(" 0 findings,", out)
        self.assertEqual(self.findings(), [])
        # The report of a run does as well.
        server = self.server("id-string-uppercased", profile="jsonrpc-2.0")
        self.rpcspec("run", "--profile", "jsonrpc-2.0", "--report", "json=run.json", *server, code=1)
        self.rpcspec("fuzz", "--execs", "300", "--seed", "1", "--baseline", "run.json", *server, code=None)
        self.assertFalse([one for one in self.signatures() if "jsonrpc.id.string-echo" in one])
        # And so does the survey, which a campaign begins with where no count limits it.
        for words, played in ((["--for", "1s", "--survey"], True), (["--for", "1s"], False),
                              (["--execs", "9"], False)):
            out = self.rpcspec("fuzz", *words, "--seed", "1", *server, code=None)
            self.assertEqual("survey: playing the cases of `rpcspec run --quick`\n" in out, played, out)
        out = self.rpcspec("fuzz", "--survey", "--execs", "300", "--seed", "1", *server, code=None)
        self.assertRegex(out, r"(?m)^survey: \d+ problems? (is|are) left out, after \d+ s$")
        self.assertFalse([one for one in self.signatures() if "jsonrpc.id.string-echo" in one])
        self.rpcspec("fuzz", "--survey", "--rate", "9", "--execs", "9", *server, code=2)
        # Which message ends a process is not in a baseline.
        with open(self.path("known.yaml"), "w", encoding="utf-8") as file:
            file.write("known:\n  - {requirement: jsonrpc.robust.survives-invalid-request, reason: r}\n")
        self.rpcspec("fuzz", "--stop-at-first", "--execs", "100000", "--seed", "1", "--baseline",
                     "known.yaml", *self.server("params-array-kills"), code=1)
        self.rpcspec("fuzz", "--baseline", "missing.yaml", *self.server(), code=2)

    def test_a_limit_of_depth_that_the_survey_reports_is_left_out(self):
        """Wherever a campaign finds a deep value; which clause is cited depends on that place."""
        server = self.server("dies-on-deep-nesting", profile="jsonrpc-2.0")
        for words, code in (["--survey"], 0), (["--no-survey"], 1):
            self.rpcspec("fuzz", *words, "--execs", "420", "--seed", "1", *server, code=code)

    def test_a_stack_trace_is_a_finding(self):
        self.rpcspec("fuzz", "--execs", "300", "--seed", "1",
                     *self.server("stack-trace-in-error-data"), code=1)
        (signature, folder), = self.signatures().items()
        self.assertTrue(signature.startswith("stack-trace|robust.no-stack-trace|"), signature)
        with open(folder + "README.md", encoding="utf-8") as file:
            self.assertIn("SHOULD NOT, rpcspec; CWE-209", file.read())
        self.rpcspec("replay", folder + "script", *self.server(), code=0)

    def finds(self, fault, signature, *words, execs=4000, seed=1, code=1, profile="mcp-2025-11-25"):
        """The folder of the one finding of a campaign; its stateful check shows it again, not without the Fault."""
        url = words and ["--url", words[0]] or []
        # With time for an answer, so that a busy machine does not hide what is slow.
        self.rpcspec("fuzz", "--execs", str(execs), "--seed", str(seed), "--timeout", "20", *url,
                     *self.server(fault, profile=profile), *words[1:], code=code)
        found = self.signatures()
        self.assertEqual([one for one in found if one.startswith(signature)], list(found), found)
        folder = found.popitem()[1]
        with open(folder + "README.md", encoding="utf-8") as file:
            readme = file.read()
        check = signature.split("|")[0]
        self.assertIn(f" --timeout 20s --check {check} ", readme)
        self.assertIn("seen in 3 of 3", readme)
        again = ["replay", "--timeout", "20", "--check", check, folder + "script", *url]
        for faults, verdict in ((fault,), " warned"), ((), " passed"):
            out = self.rpcspec(*again, *self.server(*faults, profile=profile), *words[1:], code=0)
            self.assertIn("1" + verdict, out)
        # The finding says which check shows it.
        out = self.rpcspec("replay", "--timeout", "20", folder, *url,
                           *self.server(fault, profile=profile), *words[1:], code=0)
        self.assertIn("1 warned", out)
        return folder

    def proves(self, folder, fault):
        """The case of a finding fails with the Fault, and passes without it."""
        run = ["run", "--cases", folder, "--select", "case", "--profile", "mcp-2025-11-25",
               "--level", "should"]
        self.assertIn("1 warned", self.rpcspec(*run, *self.server(fault), code=1))
        self.assertIn("1 passed", self.rpcspec(*run, *self.server(), code=0))

    def test_a_list_that_errors_change_is_a_finding(self):
        folder = self.finds("error-loses-tool", "lists|robust.error-without-effect|tools/list|",
                            execs=9000)
        self.proves(folder, "error-loses-tool")

    def test_an_answer_that_changes_with_the_spelling_is_a_finding(self):
        folder = self.finds("name-behind-arguments-unknown",
                            "spelling|robust.same-message-same-answer|members inside")
        self.proves(folder, "name-behind-arguments-unknown")

    def test_what_is_answered_late_is_no_finding(self):
        self.rpcspec("fuzz", "--execs", "1200", "--seed", "1", "--profile", "mcp-2025-06-18", "--",
                     *toy("acceptor", "slow"),
                     *self.server(profile="mcp-2025-06-18")[1:], code=0)
        self.assertEqual(self.findings(), [])

    def test_growth_under_errors_is_a_finding(self):
        """In JSON-RPC 2.0 the request that is known to be answered is refused as well."""
        for profile in ("jsonrpc-2.0", "mcp-2025-06-18"):
            said = self.rpcspec("fuzz", "--execs", "3000", "--seed", "1", "--profile", profile,
                                "--findings", self.path(profile),
                                *self.server("error-leaks-descriptor", profile=profile))
            found = [os.path.basename(folder) for folder in glob.glob(self.path(profile + "/*"))]
            self.assertEqual(len(found), 1, found)
            self.assertIn("no-growth", found[0])
            # No case can measure.
            self.assertEqual(glob.glob(self.path(profile + "/*/case.yaml")), [])
            self.assertIn("each has a README.md and a script to replay, no case\n", said)

    def test_a_proof_that_takes_long_is_put_off(self):
        """A leak in a slow server is proved when there is time for it; until then scripts go on."""
        out = self.rpcspec("fuzz", "--for", "10s", "--seed", "1", "--profile", "jsonrpc-2.0", "--",
                           *toy("acceptor", "sluggish"),
                           *self.server("error-leaks-memory", profile="jsonrpc-2.0")[1:])
        self.assertGreater(int(re.search(r"--execs (\d+)", out)[1]), 10, out)

    def test_growth_is_seen_in_a_script(self):
        self.write("error.script", '{"jsonrpc":"2.0","id":1,"method":"rpcspec.no_such_method"}\n')
        for fault, of in (("error-leaks-memory", "memory"), ("error-leaks-descriptor", "descriptors"),
                          ("error-leaks-thread", "threads"), ("keeps-last-errors", None),
                          (None, None)):
            if of == "memory" and "RPCSPEC_SANITIZED" in os.environ:
                of = None
            out = self.rpcspec("replay", "--check", "growth", "error.script",
                               *self.server(*filter(None, [fault])), code=0)
            self.assertIn("1 warned" if of else "1 passed", out)
            self.assertIn(of or "", out)
            self.assertNotRegex(out, r"grown by .*e\+")

    def test_what_ended_sessions_keep_is_seen_in_a_script(self):
        """As long as the server says that it ends them: with a session that may live on, nothing."""
        self.write("session.script", '{"jsonrpc":"2.0","id":1,"method":"ping"}\n!close\n')
        url = ["--profile", "mcp-2025-06-18", "--url", "http://127.0.0.1:{port}/mcp"]
        fault = "ended-session-keeps-memory"
        sanitized = "RPCSPEC_SANITIZED" in os.environ
        for faults, found in (([fault], not sanitized), ([], False), ([fault, "delete-500"], False)):
            out = self.rpcspec("replay", "--check", "renewal", "session.script", *url,
                               *self.server(*faults, profile="mcp-2025-06-18"), "--transport",
                               "http", "--port", "{port}", code=0)
            self.assertIn("1 warned" if found else "1 passed", out)

    def test_what_left_streams_keep_is_seen_in_a_script(self):
        self.write("stream.script", '!http-method GET\n!frame ""\n')
        for profile, fault, found in (("mcp-2025-06-18", "left-stream-keeps-memory", True),
                                      ("mcp-2025-06-18", None, False),
                                      ("mcp-2026-07-28", None, False)):
            out = self.rpcspec("replay", "--check", "streams", "stream.script", "--profile", profile,
                               "--url", "http://127.0.0.1:{port}/mcp",
                               *self.server(*filter(None, [fault]), profile=profile), "--transport",
                               "http", "--port", "{port}", code=0)
            found &= "RPCSPEC_SANITIZED" not in os.environ
            self.assertIn("1 warned" if found else "1 passed", out)

    def test_what_ended_subscriptions_keep_is_seen_in_a_script(self):
        """A campaign looks for it as well, when the machine is quick enough to prove it in its time."""
        ask = '{"jsonrpc":"2.0","id":0,"method":"resources/%s","params":{"uri":"test://static-text"}}\n'
        self.write("subscription.script", ask % "subscribe" + "!sync\n" + ask % "unsubscribe")
        for faults in (["ended-subscription-keeps-memory"], []):
            out = self.rpcspec("replay", "--timeout", "20", "--check", "renewal",
                               "subscription.script",
                               *self.server(*faults, profile="mcp-2025-06-18"), code=0)
            found = faults and "RPCSPEC_SANITIZED" not in os.environ
            self.assertIn("1 warned" if found else "1 passed", out)

    def test_what_ended_tasks_and_streams_keep_is_seen_in_a_script(self):
        """Where they are ended: a stream that is never left may well keep something."""
        call = '{"jsonrpc":"2.0","id":0,"method":"%s","params":{%s}}\n'
        named = '"taskId":"${1/result/task/taskId}"'
        task = (call % ("tools/call", '"name":"slow_operation","task":{"ttl":1}') + "!sync\n" +
                call % ("tasks/cancel", named) + "!sync\n!pause 10\n" + call % ("tasks/get", named))
        listen = call % ("subscriptions/listen", '"notifications":{},"_meta":{'
                         '"io.modelcontextprotocol/protocolVersion":"2026-07-28",'
                         '"io.modelcontextprotocol/clientCapabilities":{}}')
        left = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}\n'
        for fault, profile, script, found in (
                ("ended-task-keeps-memory", "mcp-2025-11-25", task, True),
                (None, "mcp-2025-11-25", task, False),
                ("ended-listen-keeps-memory", "mcp-2026-07-28", listen + left, True),
                ("ended-listen-keeps-memory", "mcp-2026-07-28", listen, False),
                (None, "mcp-2026-07-28", listen + left, False)):
            self.write("ended.script", script)
            out = self.rpcspec("replay", "--check", "renewal", "--profile", profile, "ended.script",
                               *self.server(*filter(None, [fault]), profile=profile), code=0)
            found &= "RPCSPEC_SANITIZED" not in os.environ
            self.assertIn("1 warned" if found else "1 passed", out)

    def test_cost_out_of_proportion_is_seen_in_a_script(self):
        """One look may prove nothing on a busy machine; of the sound server none ever does."""
        self.write("text.script", '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"text":"a"}}\n')
        for faults, least, most in ((("long-text-costs-square",), 6, 8), ((), 0, 0)):
            looks = [self.rpcspec("replay", "--timeout", "20", "--check", "cost", "text.script",
                                  *self.server(*faults), code=0) for _ in range(8)]
            seen = sum("1 warned" in look for look in looks)
            self.assertTrue(least <= seen <= most, seen)

    def test_a_body_that_never_comes_holds_nobody_up(self):
        """A server that reads one body after the other may wait for what was announced."""
        with open(self.path("lie.script"), "w", encoding="utf-8") as file:
            file.write('!length +100\n{"jsonrpc":"2.0","id":7,"method":"ping"}\n'
                       '{"jsonrpc":"2.0","id":8,"method":"ping"}\n')
        out = self.rpcspec("replay", "lie.script", "--profile", "mcp-2025-11-25", "--verbose",
                           "--url", "http://127.0.0.1:{port}/mcp",
                           *self.server("unfinished-body-blocks"), "--transport", "http", "--port",
                           "{port}", code=0)
        self.assertIn("1 passed", out)

    def test_an_end_behind_a_body_that_we_left_unfinished_is_told_as_such(self):
        self.write("lie.script", '!length +100\n{"jsonrpc":"2.0","id":7,"method":\n')
        for fault, code in (["unfinished-body-ends"], 1), ([], 0):
            out = self.rpcspec("replay", "lie.script", "--profile", "mcp-2025-11-25", "--url",
                               "http://127.0.0.1:{port}/mcp", *self.server(*fault), "--transport",
                               "http", "--port", "{port}", code=code)
            self.assertEqual("robust.client-gone" in out, bool(fault), out)

    def test_words_of_another_session_are_a_finding(self):
        self.finds("errors-quote-other-session", "isolation|robust.connections-apart|",
                   "ws://127.0.0.1:{port}/mcp", "--transport", "ws", "--port", "{port}", execs=1500)
        # HTTP refuses some of what is found above before the server sees it.
        self.write("unknown.script", '{"jsonrpc":"2.0","id":1,"method":"a"}\n')
        for faults, verdict in ((("errors-quote-other-session",), " warned"), ((), " passed")):
            out = self.rpcspec("replay", "--check", "isolation", "unknown.script", "--url",
                               "http://127.0.0.1:{port}/mcp", *self.server(*faults), "--transport",
                               "http", "--port", "{port}", code=0)
            self.assertIn("1" + verdict, out)

    def test_stateful_checks_find_nothing_on_a_sound_server(self):
        for faults in ((), ("keeps-last-errors",)):
            self.rpcspec("fuzz", "--execs", "5000", "--seed", "9", *self.server(*faults), code=0)
            self.assertEqual(self.findings(), [])

    def started(self, *words):
        """A campaign in the background; what it says is in the file `out`."""
        os.makedirs(self.path("tmp"), exist_ok=True)
        env = {**os.environ, "RPCSPEC_FUZZ_TEST": self.folder, "TMPDIR": self.path("tmp")}
        with open(self.path("out"), "wb") as out:
            return subprocess.Popen([RPCSPEC, "fuzz", *words], cwd=self.folder,
                                    stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                    env=env, start_new_session=True)

    def said(self):
        with open(self.path("out"), encoding="utf-8") as file:
            return file.read()

    def test_an_interrupt_ends_it_in_order(self):
        """Whoever is told: the program alone, as kill(1) does, or its whole group."""
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup(1) has it ignored
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for tell in (os.kill, os.killpg):
                corpus = tempfile.mkdtemp(dir=self.folder)
                running = self.started("--jobs", "2", "--corpus", corpus, *self.server())
                while not ("over stdio" in self.said() and os.listdir(corpus)):
                    self.assertIsNone(running.poll(), self.said())
                    time.sleep(0.05)
                tell(running.pid, number)
                self.assertEqual(running.wait(60), 130, self.said())
                self.assertIn("to repeat: --seed", self.said())
                self.assertNotIn("mistake", self.said())
                self.assertEqual(os.listdir(self.path("tmp")), [])
                self.assertEqual(self.left_over(), [])

    def hanging_server(self):
        return ["--profile", "jsonrpc-2.0", "--", *toy("acceptor", "hanging", self.path("hung")),
                *self.server(profile="jsonrpc-2.0")[1:]]

    def asked(self):
        """A corpus with the method that such a server never comes back from."""
        self.write("c/asked.script", '{"jsonrpc":"2.0","id":1,"method":"rpc.foo"}\n')
        return ["--corpus", "c"]

    def test_what_was_not_reproducible_leaves_its_script(self):
        server = ["--profile", "jsonrpc-2.0", "--", *toy("acceptor", "once", self.path("happened")),
                  *self.server(profile="jsonrpc-2.0")[1:]]
        said = self.rpcspec("fuzz", "--execs", "300", "--seed", "1", *self.asked(), *server, code=0)
        self.assertIn("1 more was seen once but not again on a fresh session: not-reproducible-*.script in "
                      "findings, for `rpcspec replay`\n", said)
        self.assertIn("no findings\n", said)
        kept, = glob.glob(self.path("findings/not-reproducible-*.script"))
        signature = self.read("findings/not-reproducible.txt")
        self.assertTrue(signature.startswith("ended|exit 3|"), signature)
        with open(kept, encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("# " + signature))
        # It shows what it is kept for, whenever that happens again; so does the folder.
        for what in (kept, "findings"):
            os.remove(self.path("happened"))
            self.assertIn("ended", self.rpcspec("replay", what, *server, code=1))
            self.rpcspec("replay", what, *server, code=0)
        # Beside a finding it is none.
        self.write("findings/one/script", '{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        self.write("findings/one/signature", "x\n")
        os.remove(self.path("happened"))
        self.assertIn("1 passed", self.rpcspec("replay", "findings", *server, code=0))

    def test_a_suspect_is_looked_at_when_time_is_up(self):
        """It is a finding, and what time is left for it is bounded."""
        said = self.rpcspec("fuzz", "--for", "12s", "--seed", "1", "--timeout", "1s", *self.asked(),
                            *self.hanging_server(), code=1)
        (signature, folder), = self.signatures().items()
        self.assertTrue(signature.startswith("silent|"), signature)
        with open(folder + "README.md", encoding="utf-8") as file:
            readme = file.read()
        self.assertIn("seen in 3 of 3 plays", readme)
        self.assertIn("1 finding in findings", said)
        self.assertNotIn("not confirmed", said)

    def test_a_suspect_is_kept_when_nothing_is_waited_for(self):
        running = self.started("--seed", "1", "--report", "json=r.json", *self.asked(),
                               *self.hanging_server())
        until = time.monotonic() + 60
        while not os.path.exists(self.path("hung")) or os.path.getsize(self.path("hung")) < 2:
            self.assertLess(time.monotonic(), until, self.said())
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        while "(Ctrl-C stops at once)" not in self.said():
            self.assertIsNone(running.poll(), self.said())
            time.sleep(0.05)
        time.sleep(1)  # what comes sooner is the same wish
        running.send_signal(signal.SIGINT)
        self.assertEqual(running.wait(20), 130, self.said())  # it would be examined for 25 s
        self.assertIn("1 suspect not confirmed: not-confirmed-*.script in findings", self.said())
        self.assertEqual(self.findings(), [])
        report = self.load("r.json")
        self.assertEqual(report["gate"], {"passed": False, "reason": "failed: 1 suspect was not confirmed",
                                          "interrupted": True})
        self.assertEqual([(one["id"], one["verdict"]) for one in report["cases"]],
                         [("campaign", "inconclusive")])
        kept, = glob.glob(self.path("findings/not-confirmed-*.script"))
        self.assertEqual(os.listdir(self.path("tmp")), [])
        self.assertEqual(self.left_over(), [])
        self.rpcspec("replay", kept, *self.hanging_server(), code=1)

    def test_a_killed_campaign_leaves_nothing_running(self):
        running = self.started("--jobs", "2", "--corpus", "c", *self.server())
        while not (os.path.isdir(self.path("c")) and os.listdir(self.path("c"))):  # a worker plays
            self.assertIsNone(running.poll(), self.said())
            time.sleep(0.05)
        running.kill()
        running.wait()
        self.assertEqual(self.left_over(), [])

    def test_other_transports(self):
        for transport, url in (("http", "http://127.0.0.1:{port}/mcp"),
                               ("ws", "ws://127.0.0.1:{port}/mcp"), ("tcp", "tcp://127.0.0.1:{port}")):
            out = self.rpcspec("fuzz", "--execs", "120", "--seed", "1", "--url", url, "--", SERVER,
                               "--profile", "mcp-2025-11-25", "--transport", transport, "--port",
                               "{port}")
            self.assertIn("--execs 120 ", out)

    def kept_alive(self, deadly, lives=1000):
        """A server that somebody else starts, and starts again when it ends: its url."""
        port = testkit.free_port()
        words = toy("mortal", str(port), deadly)
        script = 'for _ in $(seq "$0"); do "$@"; sleep 0.3; done'
        keeper = subprocess.Popen(["sh", "-c", script, str(lives), *words], start_new_session=True,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(keeper.wait)
        self.addCleanup(os.killpg, keeper.pid, signal.SIGKILL)
        self.assertTrue(testkit.wait_for_port(port), "nobody listens")
        return f"tcp://127.0.0.1:{port}"

    def test_a_server_that_somebody_starts_again_is_waited_for(self):
        url = self.kept_alive("rpc.foo")
        self.rpcspec("fuzz", "--profile", "jsonrpc-2.0", "--execs", "20", "--seed", "1",
                            *self.asked(), "--url", url, code=1)
        ended = [one for one in self.signatures() if one.startswith("ended|refuses connections|")]
        self.assertEqual(len(ended), 1, self.signatures())
        script = self.signatures()[ended[0]] + "script"
        self.rpcspec("replay", script, "--profile", "jsonrpc-2.0", "--url", url, code=1)
        sound = self.kept_alive("nothing")
        self.rpcspec("replay", script, "--profile", "jsonrpc-2.0", "--url", sound, code=0)

    def test_a_server_that_nobody_starts_again_leaves_a_suspect(self):
        url = self.kept_alive("rpc.foo", lives=1)
        said = self.rpcspec("fuzz", "--profile", "jsonrpc-2.0", "--execs", "20", "--seed", "1",
                            *self.asked(), "--url", url, code=1)
        self.assertIn("1 suspect not confirmed: ", said)
        self.assertIn("went down and did not come back within 10 s", self.complaint)
        self.assertEqual(len(glob.glob(self.path("findings/not-confirmed-*.script"))), 1)

    def test_bad_usage_is_one_sentence(self):
        for words, says in ((["--for", "soon"], "--for: `soon` is not a duration"),
                            (["--jobs", "0"], "--jobs: it is a number from 1 to 64"),
                            (["--profile", "nope"], "--profile: there is no profile `nope`"),
                            (["--mutators", "x"], "--mutators: there is no level `x`"),
                            (["--report", "junt=x"], "--report: unknown report format 'junt'"),
                            (["--keep-going"], "fuzz: `--keep-going` is gone; leave it out"),
                            (["--suite", "x"], "fuzz: `--suite` is gone; only run, check, new, list"),
                            (["--max-len", "9"], "--max-len: it is a number of bytes from 32"),
                            (["--timeout", "0"], "--timeout: `0` is not a duration from 10ms to 1h")):
            self.rpcspec("fuzz", *words, *self.server(), code=2)
            self.assertEqual(len(self.complaint.splitlines()), 1, self.complaint)
            self.assertIn(says, self.complaint)
        self.rpcspec("replay", self.path("nowhere"), *self.server(), code=2)
        self.assertIn("the script cannot be read", self.complaint)
        self.rpcspec("replay", "--check", "nope", self.path("nowhere"), *self.server(), code=2)
        self.assertIn("--check: there is no stateful check `nope`", self.complaint)

    def test_a_folder_nothing_can_be_written_to_is_refused_at_once(self):
        for words in (["--findings", "/proc"], ["--corpus", "/proc"]):
            self.assertEqual(self.rpcspec("fuzz", "--execs", "10", *words, *self.server(), code=2), "")
            self.assertEqual(len(self.complaint.splitlines()), 1, self.complaint)
            self.assertIn("/proc: it is not writable", self.complaint)

    def test_a_target_that_never_answers_is_no_target(self):
        self.rpcspec("fuzz", "--for", "1s", "--timeout", "200ms", "--profile", "jsonrpc-2.0", "--",
                     "sleep", "100", code=3)
        self.assertEqual(len(self.complaint.splitlines()), 1, self.complaint)
        self.assertIn("no script could be played: the target did not answer", self.complaint)

    def test_a_target_that_is_none_is_named(self):
        for words in (["--", "/bin/false"], ["--url", "http://127.0.0.1:9/mcp"]):
            self.rpcspec("fuzz", "--execs", "10", *words, code=3)
            self.assertEqual(len(self.complaint.splitlines()), 1, self.complaint)

    def test_messages_of_one_write_stay_together_in_the_case(self):
        os.mkdir(self.path("corpus"))
        with open(self.path("corpus/race"), "w", encoding="utf-8") as file:
            file.write('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":'
                       '{"name":"test_tool_with_progress"}}\n{"jsonrpc":"2.0","method":'
                       '"notifications/cancelled","params":{"requestId":7}}\n')
        bug = self.server("planted-cancel-race", profile="mcp-2025-06-18")
        said = self.rpcspec("fuzz", "--corpus", "corpus", "--execs", "200", "--seed", "1", *bug, code=1)
        self.assertIn("1 finding in findings; each has a README.md and a script to replay, and a case\n",
                      said)
        select = ["run", "--cases", self.findings()[0], "--select", "case"]
        self.rpcspec(*select, *bug, code=1)
        self.rpcspec(*select, *self.server(profile="mcp-2025-06-18"), code=0)


if __name__ == "__main__":
    testkit.main()
