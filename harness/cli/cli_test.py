#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# rpcspec as its users meet it: the built program, a folder of their own, exit codes, and the words on
# the screen. One class a theme. What is judged and how is other tests' business.
#
#   cli_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import uuid
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import RPCSPEC, SERVER, flat, marked, toy

MARK = "RPCSPEC_CLI_MARK"
PLAIN = ["--profile", "jsonrpc-2.0"]
IDS = ["--select", "jsonrpc/id/*"]
UPPERCASE = ["--fault", "id-string-uppercased"]  # breaks a MUST
ROUNDED = ["--fault", "id-big-rounded"]          # breaks a SHOULD only
OWN_CASE = """\
title: My own id comes back
covers: [jsonrpc.id.string-echo]
steps:
  - frame: '{"jsonrpc":"2.0","id":"mine-1","method":"${canary.method}","params":${canary.params}}'
    reply: normal
"""
OWN_CLAUSE = """\
- id: own.clause
  level: MUST
  revisions: ["jsonrpc-2.0"]
  transports: [all]
  requires: []
  statement: "It works."
  source: "rpcspec"
  observable: "yes"
  probe: "look"
"""


class CliTest(testkit.RpcspecTest):
    def run_server(self, *words, faults=(), server=("--profile", "jsonrpc-2.0"), code=0):
        return self.rpcspec("run", *words, "--", SERVER, *server, *faults, code=code)


class GateTest(CliTest):
    def test_sound_server_passes(self):
        out = self.run_server(*PLAIN)
        self.assertTrue(out.endswith("\ngate passed\n"), out)
        self.assertNotIn("FAIL", out)
        out = self.run_server("--openrpc", "none", *PLAIN)
        self.assertRegex(out, r"\n\d+ cases in [\d.]+ m?s: \d+ passed, \d+ inconclusive\n")
        self.assertTrue(out.endswith("\ngate passed in part: methods of the server were not called\n"), out)
        self.assertNotIn("FAIL", out)

    def test_broken_must_is_shown_with_its_proof_and_can_be_replayed(self):
        out = self.run_server(*IDS, faults=UPPERCASE, code=1)
        text = flat(out)
        for part in ("FAIL Replies do not carry the string ids of their requests MUST "
                     "jsonrpc.id.string-echo · JSON-RPC 2.0 §5",
                     "in jsonrpc/id/string-echo, row own = a",
                     "gate failed: a MUST is broken"):
            self.assertIn(part, text)
        self.assertRegex(text, r'→ stdin #\d+ \{"jsonrpc":"2.0","id":"a".*'
                               r'← stdout #\d+ \{"jsonrpc":"2.0","id":"A"')
        commands = re.findall(r"^ +replay +(.*)$", out, re.M)
        self.assertEqual(out.count("\nFAIL"), 1, "one fault, one cause")
        program, *words = shlex.split(commands[-1])
        self.assertEqual(program, RPCSPEC)
        again = self.rpcspec(*words, code=1)
        self.assertIn("MUST jsonrpc.id.string-echo", again)
        self.assertRegex(again, r"\n[12] cases? in ", "it, and the oracle that saw it")

    def test_broken_should_warns_and_fails_under_level_should(self):
        beyond = ["--select", "jsonrpc/id/beyond-safe-integer"]
        out = self.run_server(*beyond, faults=ROUNDED)
        self.assertIn("Warnings: 1 recommendation is not followed (--warnings lists them)", out)
        self.assertTrue(out.endswith("\ngate passed\n"), out)
        out = self.run_server(*beyond, "--level", "should", faults=ROUNDED, code=1)
        self.assertIn("gate failed: a SHOULD is broken (--level should)", flat(out))

    def test_the_command_it_prints_judges_alike(self):
        out = self.run_server("--select", "jsonrpc/id/beyond-safe-integer", "--level", "should",
                              "--timeout", "7", faults=ROUNDED, code=1)
        words = shlex.split(re.search(r"^ +replay +(.*)$", out, re.M)[1])
        self.assertRegex(" ".join(words), "--timeout 7s? --level should ")
        self.assertIn("gate failed: a SHOULD is broken", self.rpcspec(*words[1:], code=1))

    def test_strict_fails_what_could_not_be_exercised(self):
        out = self.run_server(*IDS)
        self.assertIn("Inconclusive: 1 case asks for affordances: method.slow", flat(out))
        out = self.run_server(*IDS, "--strict", code=1)
        self.assertIn("gate failed: not everything could be tested (--strict)", flat(out))

    def test_run_that_exercises_nothing_is_no_success(self):
        out = self.run_server("--select", "jsonrpc/error/invalid-params-code", "--openrpc", "none",
                              "--report", "json=r.json", code=3)
        self.assertIn("gate failed: nothing could be tested", flat(out))
        self.assertEqual(self.complaint, "rpcspec: nothing could be tested: every case is not "
                                         "applicable or inconclusive\n")
        self.assertFalse(self.load("r.json")["gate"]["passed"])
        out = self.run_server("--select", "mcp/*", *PLAIN, code=3)
        self.assertNotIn("gate passed", out)
        self.assertEqual(self.complaint,
                         "rpcspec: no case fits this selection, profile and transport\n")


class UsageTest(CliTest):
    def test_mistakes_on_the_command_line(self):
        server = ["--", SERVER]
        for words, sentence in (
                (["run", "--bogus", *server],
                 "run: there is no option `--bogus`; see `rpcspec help run`"),
                (["run", SERVER], "run: the command of a server needs `--` in front: "
                                  f"write `rpcspec run -- {SERVER}`"),
                (["call", "tools/call", "search", '{"query": "x"}', *server],
                 "call: JSON needs an option: write --arguments '{\"query\": \"x\"}', or --params for the whole "
                 "params"),
                (["run"], "a target is missing; add `-- COMMAND ARG...`, `--url URL` or "
                          "`--target FILE`"),
                (["run", "--"], "--: no command follows it; write `-- COMMAND ARG...`"),
                (["run", "--profile", "jsonrpc-2.1", *server],
                 "--profile: there is no profile `jsonrpc-2.1`; did you mean `jsonrpc-2.0`?"),
                (["run", "--select", "nope/*", *server],
                 "--select: `nope/*` matches no case; `rpcspec list cases` names them"),
                (["run", "--report", "jsn=x", *server],
                 "--report: unknown report format 'jsn'; did you mean 'json'?"),
                (["run", "--level", "may", *server],
                 "--level: `may` is not a level; write must or should"),
                (["run", "--timeout", "0", *server],
                 "--timeout: `0` is not a duration from 10ms to 1h"),
                (["run", "--shard", "4/3", *server],
                 "--shard: '4/3' is not a shard; write I/N with I from 1 to N, such as 2/5"),
                (["run", "--write-baseline", "no/such/b.yaml", *server],
                 "no/such/b.yaml: the folder 'no/such' does not exist; create it, or name a file in an "
                 "existing folder"),
                (["run", "--write-baseline", "b.yaml", *IDS, *server],
                 "--write-baseline: a filtered run does not see every failure; "
                 "leave out --select, --exclude, --shard and --quick"),
                (["run", "--url", "ftp://x"],
                 "--url: `ftp://x` is not an address that this build supports; "
                 "use http(s)://HOST:PORT/PATH, ws(s)://HOST:PORT/PATH, tcp://HOST:PORT, unix:/PATH, "
                 "or a command for stdio"),
                (["list", "oracle"], "list: there is no kind `oracle`; did you mean `oracles`?"),
                (["surface", "--format", "xml", *server], "--format: there is no `xml`; write one of text, json"),
                (["compare", "a.json"], "NEW.json is missing; see `rpcspec help compare`"),
                (["run", "--auth", "logn", "--url", "http://127.0.0.1:1/"],
                 "--auth: its form is unknown; write bearer:NAME, basic:NAME (USER:PASSWORD) or api_key:HEADER:NAME, where NAME is an "
                 "environment variable without its dollar sign, or @FILE; or login, or issuer"),
        ):
            with self.subTest(words=words[:-2]):
                self.assertEqual(self.refused(*words), sentence)

    def test_numbers_and_durations_are_held_to_bounds(self):
        server = ["--", SERVER, *PLAIN]
        twins = ["diff", "--a", SERVER, "--b", SERVER]
        self.write("one.script", "[]\n")
        count, time = "is not a whole number from", "is not a duration"
        for words, said in (
                (["fuzz", "--execs", "-5"], f"--execs: `-5` {count} 1 to 1000000000000"),
                (["fuzz", "--execs", "0"], f"--execs: `0` {count} 1 to 1000000000000"),
                (["fuzz", "--execs", "1.5"], f"--execs: `1.5` {count} 1 to 1000000000000"),
                (["fuzz", "--seed", "-1"], f"--seed: `-1` {count} 1 to 18446744073709551615"),
                (["fuzz", "--for", "500ms"], f"--for: `500ms` {time} from 1s to 1000d"),
                (["fuzz", "--findings", ""], "--findings: it is empty"),
                (["fuzz", "--corpus", ""], "--corpus: it is empty"),
                ([*twins, "--execs", "-5"], f"--execs: `-5` {count} 0 to 1000000000000"),
                ([*twins, "--seed", "x"], f"--seed: `x` {count} 0 to 18446744073709551615"),
                (["shrink", "one.script", "--for", "nan"],
                 f"--for: `nan` {time} such as 500ms, 10s, 2m, 1h or 1d"),
                *(([*command, "--timeout", text], f"--timeout: `{text}` {time} {what}")
                  for command in (["run"], ["fuzz"], ["inspect"], ["replay", "one.script"], twins)
                  for text, what in (("nan", "such as 500ms, 10s, 2m, 1h or 1d"),
                                     ("1e300", "such as 500ms, 10s, 2m, 1h or 1d"),
                                     ("10y", "such as 500ms, 10s, 2m, 1h or 1d"),
                                     ("0.0001", "from 10ms to 1h"), ("-1s", "from 10ms to 1h"),
                                     ("2h", "from 10ms to 1h")))):
            with self.subTest(words=words):
                target = [] if words[0] == "diff" else server
                self.assertEqual(self.refused(*words, *target), said)
        for text in ("3", "2500ms", "2.5s", "0.1m"):
            self.assertIn("gate passed", self.rpcspec("replay", "--timeout", text, "one.script", *server))
        self.rpcspec("shrink", "--for", "10s", "one.script", *server)

    def test_a_finding_says_which_command_showed_it(self):
        self.write("one/script", "[]\n")
        self.write("one/finding.json", '{"replay": "rpcspec replay one -- ./server"}')
        self.assertIn("the finding was shown by\n  rpcspec replay one -- ./server",
                      self.refused("replay", "one"))
        self.write("other/script", "[]\n")
        self.assertNotIn("shown by", self.refused("replay", "other/script"))

    def test_mistakes_in_a_case_name_the_place_and_the_remedy(self):
        run = ["run", "--cases", "mine", "--", SERVER]
        self.write("mine/own/a.yaml", OWN_CASE.replace("steps", "stepz"))
        self.assertEqual(self.refused(*run),
                         "mine/own/a.yaml:3:1: unknown key in the case 'stepz'; did you mean "
                         "'steps'?\nmine/own/a.yaml:1:1: the case has no 'steps'; add 'steps'")
        self.write("mine/own/a.yaml", "title: T\nsteps:\n  - frame: [\n")
        self.assertEqual(self.refused(*run),
                         "mine/own/a.yaml:4:1: this is not YAML: end of sequence flow not found; "
                         "check the indentation and the quotes around here")
        self.write("mine/own/a.yaml", OWN_CASE.replace("string-echo", "string-eco"))
        sentence = self.refused(*run)
        self.assertTrue(sentence.startswith("mine/own/a.yaml:2:10: "), sentence)
        self.assertIn("jsonrpc.id.string-echo", sentence)

    def test_mistakes_in_a_baseline(self):
        run = ["run", "--baseline", "b.yaml", "--", SERVER]
        self.assertEqual(self.refused(*run), "--baseline: there is no file b.yaml; check the path, or "
                                             "write the file with --write-baseline")
        self.write("b.yaml", "nope: 1\n")
        self.assertEqual(self.refused(*run),
                         "b.yaml:1:1: a baseline must be a mapping with the list `known`; "
                         "write `known: []`, or let --write-baseline write the file")
        self.write("b.yaml", "known:\n  - case: a\n    reasn: b\n")
        self.assertEqual(self.refused(*run),
                         "b.yaml:3:5: unknown field `reasn`; did you mean `reason`?")

    def test_mistakes_in_a_target_description(self):
        self.assertEqual(self.refused("run", "--target", "t.yaml"),
                         "t.yaml: the file cannot be opened; check the path and its permissions")
        self.write("t.yaml", "comand: [x]\n")
        self.assertEqual(self.refused("run", "--target", "t.yaml"),
                         "t.yaml:1:1: unknown key 'comand' in the target description; "
                         "did you mean 'command'?")

    def test_words_that_are_almost_right_are_recognised(self):
        server = ["--", SERVER]
        for words, meant in (
                (["rnu"], "did you mean `run`?"),
                (["inspekt"], "did you mean `inspect`?"),
                (["fuzzzz"], "did you mean `fuzz`?"),
                (["whatever"], "`rpcspec --help` lists them"),
                (["help", "rnu"], "did you mean `run`?"),
                (["--profile", "auto"], "write the command before"),
                (["run", "--proflie", "auto", *server], "did you mean `--profile`?"),
                (["run", "--profil=auto", *server], "did you mean `--profile`?"),
                (["run", "--profile", "2025-06-19", *server], "`2025-06-19`"),
                (["run", "--profile", "jsonrpc", *server], "did you mean `jsonrpc-2.0`?"),
                (["judge", "--profile", "jsonrpc-2", "a"], "did you mean `jsonrpc-2.0`?"),
                (["coverage", "--profile", "mcp-2025-06-81"], "did you mean `mcp-2025-06-18`?"),
                (["run", "--select", "jsonrpc/id/string-eco", *server],
                 "did you mean `jsonrpc/id/string-echo`?"),
                (["run", "--select", "jsonrpc.id.string-eco", *server],
                 "did you mean `jsonrpc.id.string-echo`?"),
                (["tools/list", *server], "did you mean `rpcspec call tools/list`?"),
                (["tools/lst"], "did you mean `rpcspec call tools/list`?"),
                (["ping"], "did you mean `rpcspec call ping`?"),
                (["./ping", *server], "did you mean `rpcspec run -- ./ping`?"),
                (["new", "cas", "x"], "new: there is no command `new cas`; did you mean `case`?"),
                (["call", "ping", "--args", "{}", *server], "did you mean `--arguments`?"),
                (["run", "--skip", "a", *server], "did you mean `--exclude`?"),
                (["inspect", "--skip", "a", *server], "see `rpcspec help inspect`"),
                (["run", "--exclude", "jsonrpc/id/*,nope", *server], "--exclude: `nope` matches no"),
                (["run", "--timeout", "1s", "--timeout", "2s", *server], "--timeout is given twice"),
                (["run", "--profile", "auto", "--profile", "all", *server], "`auto` stands alone"),
                (["run", "--report", "json=a,html=b", *server], "write --report for each"),
                (["run", "--report", "htlm=b", *server], "did you mean 'html'?"),
                (["run", "http://127.0.0.1:9/mcp"], "write `rpcspec run --url http://127.0.0.1:9/mcp`"),
                (["run", "t.yaml"], "write `rpcspec run --target t.yaml`"),
                (["fuzz", "node", "server.js", "--port", "1"],
                 "write `rpcspec fuzz -- node server.js --port 1`"),
                (["coverage", "more"], "unexpected argument `more`"),
                (["run", "--url", "127.0.0.1:3000/mcp"], "write `--url http://127.0.0.1:3000/mcp`"),
                (["run", "--url", "localhost:3000"], "write `--url http://localhost:3000`"),
                (["inspect", "--url", "example.org/mcp"], "write `--url https://example.org/mcp`"),
                (["run", "--url", "/tmp/socket"], "write `--url unix:/tmp/socket`"),
                (["run", "--url", "htp://x/"], "write `--url http://x/`"),
                (["run", "--", "API_KEY=1"], "no command follows 'API_KEY=…'")):
            with self.subTest(words=words):
                said = self.refused(*words)
                self.assertIn(meant, said)
                self.assertNotIn("\n", said)
        self.write("t.yaml", f"command: [{SERVER}]\naffordances: {{tool.slwo: {{name: a}}}}\n")
        self.assertEqual(self.refused("run", "--target", "t.yaml"),
                         "t.yaml:2:15: no case uses the affordance `tool.slwo`; "
                         "did you mean `tool.slow`?")
        self.assertIn("did you mean `tool.slow`?", self.refused("inspect", "--target", "t.yaml"))
        self.write("t.yaml", f"command: [{SERVER}, --profile, mcp-2025-06-18]\n"
                             "affordances: {tool.of_my_own: {name: a}}\n")
        self.rpcspec("run", *IDS, "--target", "t.yaml")  # for cases that are not played now

    def test_a_revision_alone_is_that_of_mcp(self):
        self.assertIn("mcp-2025-06-18 over stdio",
                      self.run_server("--profile", "2025-06-18", *IDS, server=("--profile", "mcp-all")))

    def test_variables_in_front_of_the_command_are_its_environment(self):
        out = self.rpcspec("run", *PLAIN, "--select", "jsonrpc/id/string-echo", "--", "WHICH=" + SERVER,
                           "_b2=a b=c", "sh", "-c",
                           'test "$_b2" = "a b=c" && exec "$WHICH" --profile jsonrpc-2.0', code=0)
        self.assertIn("1 passed", out)
        out = self.rpcspec("run", *PLAIN, *IDS, "--", "FAULT=id-string-uppercased", "sh", "-c",
                           f'exec {SERVER} --profile jsonrpc-2.0 --fault "$FAULT"', code=1)
        replay = re.search(r"replay +(.*)$", out, re.M)[1]
        self.rpcspec(*shlex.split(replay)[1:], code=1)

    def test_help_has_groups_and_examples(self):
        self.assertEqual(self.rpcspec(code=2), "")
        self.assertEqual(len(re.findall(r"(?m)^  rpcspec ", self.complaint)), 3, self.complaint)
        out = self.rpcspec("--help")
        self.assertEqual(out, self.rpcspec("help"))
        for heading in ("Judge a server:", "Fuzz a server:", "Look something up:", "Write cases:"):
            self.assertEqual(out.count("\n" + heading + "\n"), 1, heading)
        commands = re.findall(r"(?m)^  ([a-z]+)  ", out)
        self.assertGreater(len(commands), 12)
        for command in commands:
            with self.subTest(command=command):
                page = self.rpcspec("help", command)
                self.assertEqual(page, self.rpcspec(command, "--help"))
                self.assertRegex(page, r"\nExamples:\n  \S")
        page = self.rpcspec("help", "run")
        self.assertLess(page.index("\nTarget:\n"), page.index("\nGate:\n"))
        self.assertIn("Usage: rpcspec run ", page)
        self.assertIn("--covers", self.rpcspec("help", "new", "case"))

    def test_help_fits_a_screen_and_rare_options_stand_under_help_all(self):
        for command in re.findall(r"(?m)^  ([a-z]+)  ", self.rpcspec("--help")):
            with self.subTest(command=command):
                short, long = self.rpcspec(command, "--help"), self.rpcspec(command, "--help-all")
                self.assertLessEqual(len(short.splitlines()), 45)
                self.assertLessEqual(max(len(line) for line in long.splitlines()), 100)
                named = [set(re.findall(r"(?m)^  (--[a-z-]+)", page)) for page in (short, long)]
                self.assertLessEqual(named[0], named[1])
                self.assertEqual("--help-all" in short, named[0] != named[1])
        self.assertNotIn("--shard", self.rpcspec("run", "--help"))
        self.assertIn("  --shard I/N  ", self.rpcspec("run", "--help-all"))
        self.assertRegex(self.rpcspec("run", "--help"), r"--max-time TIME .*\(default: 2m\)")


class ShellTest(CliTest):
    """What the table of options is made into. The shells that are there try it."""

    def completed(self, *words):
        """What bash offers for the last word."""
        self.write("c.bash", self.rpcspec("completion", "bash"))
        array = " ".join(shlex.quote(word) for word in (RPCSPEC, *words))
        script = (f"source c.bash; COMP_WORDS=({array}); COMP_CWORD={len(words)}; "
                  # The shell itself tells a function which word it is at; compopt works only there.
                  "compopt() { :; }; _rpcspec; printf '%s\\n' \"${COMPREPLY[@]}\"")
        done = subprocess.run(["bash", "--norc", "-c", script], cwd=self.folder, text=True,
                              capture_output=True, timeout=30, check=True)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_bash_completes(self):
        self.assertEqual(self.completed("ru"), ["run"])
        self.assertEqual(self.completed("help", "insp"), ["inspect"])
        self.assertIn("--write-baseline", self.completed("run", "--"))
        self.assertEqual(self.completed("run", "--verb"), ["--verbose"])
        self.assertEqual(self.completed("run", "--profile", "mcp-2025-0"),
                         ["mcp-2025-03-26", "mcp-2025-06-18"])
        self.assertEqual(self.completed("run", "--level", ""), ["must", "should"])
        self.assertEqual(self.completed("run", "--strict", "--lev"), ["--level"])
        self.assertEqual(self.completed("run", "--framing", "c"), ["content-length"])
        self.assertEqual(self.completed("list", "req"), ["requirements"])
        self.assertEqual(self.completed("completion", ""), ["bash", "zsh", "fish"])
        self.assertEqual(self.completed("new", "c"), ["case"])
        self.assertEqual(self.completed("new", "case", "own/x", "--cov"), ["--covers"])
        self.assertIn("mcp/errors/standard-codes", self.completed("explain", "mcp/errors/st"))
        self.assertIn("jsonrpc.id.string-echo", self.completed("run", "--select", "jsonrpc.id.str"))
        self.write("known.yaml", "")
        self.assertEqual(self.completed("run", "--baseline", "know"), ["known.yaml"])
        self.assertIn("bash", self.completed("run", "--", "bas"))
        registered = subprocess.run(
            ["bash", "--norc", "-c", f"source <({shlex.quote(RPCSPEC)} completion bash); "
                                     "complete -p rpcspec"],
            capture_output=True, text=True, timeout=30, check=True).stdout
        self.assertEqual(registered, "complete -F _rpcspec rpcspec\n")

    def test_scripts_for_other_shells_can_be_read(self):
        for shell, words in (("zsh", ["zsh", "-n"]), ("fish", ["fish", "--no-execute"])):
            with self.subTest(shell=shell):
                script = self.rpcspec("completion", shell)
                for option in ("profile", "write-baseline", "findings"):
                    self.assertIn(option, script)
                self.assertIn("mcp-2025-06-18", script)
                if shutil.which(shell):
                    self.write("script", script)
                    done = subprocess.run([*words, self.path("script")], capture_output=True,
                                          text=True, timeout=30)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.refused("completion", "tcsh"), "completion: there is no script for "
                                                             "`tcsh`; write bash, zsh or fish")

    def test_the_manual_has_every_option(self):
        page = self.rpcspec("man").replace("\\-", "-")
        self.assertTrue(page.startswith(".TH RPCSPEC 1 "), page[:40])
        for command in re.findall(r"(?m)^  ([a-z]+)  ", self.rpcspec("--help")):
            self.assertIn(f".SS rpcspec {command}\n", page)
            for option in re.findall(r"(?m)^ +(--[a-z-]+)", self.rpcspec(command, "--help-all")):
                self.assertIn(f"\\fB{option}\\fR", page)
        self.assertIn("\\fB--covers\\fR", page)  # of `new case`
        self.assertIn(".SH EXIT STATUS", page)
        if shutil.which("groff"):
            self.write("rpcspec.1", self.rpcspec("man"))
            done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", self.path("rpcspec.1")],
                                  capture_output=True, text=True, timeout=30)
            self.assertEqual((done.returncode, done.stderr), (0, ""))


class CasesTest(CliTest):
    def test_own_case_is_played_beside_the_others(self):
        self.write("mine/own/a.yaml", OWN_CASE)
        own = ["--cases", "mine", "--select", "own/a"]
        self.assertIn("1 case in", self.run_server(*own))
        out = self.run_server(*own, faults=UPPERCASE, code=1)
        self.assertIn("FAIL  A string id does not come back as the same string\n", out)
        replay = re.search(r"replay +(.*)$", out, re.M).group(1)
        self.assertIn("--cases mine", replay)
        self.assertIn("FAIL  A string id does not come back", self.rpcspec(*shlex.split(replay)[1:], code=1))

    def test_own_case_has_a_name_of_its_own(self):
        self.write("mine/jsonrpc/id/string-echo.yaml", OWN_CASE)
        self.assertEqual(self.refused("run", "--cases", "mine", "--", SERVER),
                         "mine/jsonrpc/id/string-echo.yaml: there is another case "
                         "'jsonrpc/id/string-echo'; rename the file, its folder or the case")

    def test_bytes_go_out_in_a_flight_as_they_are_written(self):
        self.write("mine/own/a.yaml", """\
title: A line in two pieces is one message
covers: [jsonrpc.id.string-echo]
steps:
  - pipelined:
      - bytes: '{"jsonrpc":"2.0","id":"in two",'
      - bytes: "\\"method\\":\\"no.such\\"}\\n"
      - call: {method: "${canary.method}", params: "${canary.params}"}
        reply: normal
  - expect: {message: {id: in two}}
""")
        self.assertIn("1 passed", self.run_server(*PLAIN, "--cases", "mine", "--select", "own/a"))

    def ids(self, *words):
        self.run_server(*PLAIN, *words, "--report", "json=r.json")
        cases = [case["id"] for case in self.load("r.json")["cases"]]
        return [id for id in cases if not id.startswith("oracle/")]

    def test_shards_make_up_the_whole(self):
        whole = self.ids()
        parts = [self.ids("--shard", f"{i}/3") for i in (1, 2, 3)]
        self.assertTrue(all(parts))
        self.assertEqual(sorted(sum(parts, [])), sorted(whole))

    def test_a_list_is_written_with_commas_or_by_repeating_the_option(self):
        one, two = "jsonrpc/id/string-echo", "jsonrpc/id/zero-echo"
        for words in (["--select", f"{one},{two}"], ["--select", one, "--select", two],
                      ["--select", "jsonrpc/id/zero-echo,jsonrpc/id/*string-echo", "--exclude",
                       "jsonrpc/id/long*,jsonrpc/id/empty*"]):
            with self.subTest(words=words):
                self.assertEqual(self.ids(*words), [one, two])
        self.run_server("--select", two, "--profile", "jsonrpc-2.0", "--profile", "2025-06-18",
                        "--report", "json=r.json", code=None)
        self.assertEqual(len(self.load("r.json")["runs"]), 2)

    def test_select_and_exclude(self):
        ids = self.ids(*IDS, "--exclude", "jsonrpc/id/z*")
        self.assertIn("jsonrpc/id/string-echo", ids)
        self.assertTrue(all(id.startswith("jsonrpc/id/") for id in ids), ids)
        self.assertNotIn("jsonrpc/id/zero-echo", ids)
        self.assertIn("jsonrpc/id/zero-echo", self.ids(*IDS))


class BaselineTest(CliTest):
    def test_known_failures_pass_and_the_list_cannot_rot(self):
        out = self.run_server(*PLAIN, "--write-baseline", "b.yaml", faults=UPPERCASE)
        self.assertTrue(out.endswith("\ngate passed: what fails is written as known failures\n"), out)
        self.assertRegex(self.read("b.yaml"), r'known:\n  - cause: ".*"\n    reason: ""\n'
                                              r'    findings:\n')
        self.assertRegex(self.read("b.yaml"), r'requirement: jsonrpc\.id\.string-echo\n'
                                              r'        answer: error -32601\n'
                                              r'        case:\n          - "jsonrpc/id/string-echo"\n')
        out = self.run_server(*PLAIN, "--baseline", "b.yaml", faults=UPPERCASE)
        self.assertRegex(out, r"\ngate passed( in part: .*)?\n\Z")
        self.assertRegex(out, r"\d+ baselined|known")

        out = flat(self.run_server(*PLAIN, "--baseline", "b.yaml", code=1))
        self.assertIn("gate failed: the baseline has stale entries", out)
        self.assertRegex(out, r"b\.yaml:\d+:\d+: “[^”]+” no longer fails like this; remove the entry, or "
                              r"let --prune do it")

    def test_prune_drops_what_no_longer_fails_and_adds_nothing(self):
        self.write("b.yaml", "known:\n  - {case: jsonrpc/id/renamed, reason: r}\n"
                             "  - {case: jsonrpc/id/zero-echo, reason: r}\n")
        out = flat(self.run_server(*PLAIN, "--baseline", "b.yaml", "--prune", faults=UPPERCASE, code=1))
        self.assertIn("gate failed: a MUST is broken", out)
        self.assertNotIn("stale", out)
        self.assertIn("rpcspec: wrote b.yaml: 0 known failures in 0 cases; dropped 2 that no longer "
                      "fail\n", self.complaint)
        self.assertIn("\nknown: []\n", self.read("b.yaml"))
        self.assertIn("--prune: it drops what no longer fails from a baseline; name the file: "
                      "--baseline FILE", self.refused("run", "--prune", "--", SERVER))

    def test_another_class_of_answer_is_a_new_failure(self):
        self.run_server(*PLAIN, "--write-baseline", "b.yaml", faults=UPPERCASE)
        entries = self.read("b.yaml")
        changed = re.sub(r"(requirement: jsonrpc.id.string-echo\n +answer: ).*", r"\1no reply",
                         entries)
        self.assertNotEqual(changed, entries)
        self.write("b.yaml", changed)
        out = self.run_server(*PLAIN, "--baseline", "b.yaml", faults=UPPERCASE, code=1)
        self.assertIn("gate failed: a MUST is broken", flat(out))
        self.assertIn("MUST jsonrpc.id.string-echo", out)
        self.assertNotIn("MUST jsonrpc.id.unicode-echo", out)

    def test_what_was_written_is_said_and_a_reason_is_asked_for(self):
        write = [*PLAIN, "--write-baseline", "b.yaml"]
        self.run_server(*write, faults=UPPERCASE)
        self.assertRegex(self.complaint, r"rpcspec: wrote b\.yaml: \d+ known failures in \d+ cases; "
                                         r"\d+ have no reason: ")
        self.run_server(*PLAIN, "--baseline", "b.yaml", faults=UPPERCASE)
        self.assertRegex(self.complaint, r"WARNING: b\.yaml:5:5: .* no reason; write in `reason` why")
        self.run_server(*write, "--reason", "release 1 does so", faults=UPPERCASE)
        self.assertRegex(self.complaint, r"known failures in \d+ cases\n")
        self.assertIn('reason: "release 1 does so"\n', self.read("b.yaml"))
        self.assertNotIn('reason: ""', self.read("b.yaml"))
        self.assertIn("--reason: it is for the entries that --write-baseline writes",
                      self.refused("run", "--reason", "x", "--", SERVER))

    def test_expired_entries_fail_the_gate_with_their_line(self):
        self.run_server(*PLAIN, "--write-baseline", "b.yaml", "--reason", "r", faults=UPPERCASE)
        self.write("b.yaml", self.read("b.yaml").replace("    reason:",
                                                         "    expires: 2020-01-31\n    reason:", 1))
        out = flat(self.run_server(*PLAIN, "--baseline", "b.yaml", faults=UPPERCASE, code=1))
        self.assertRegex(out, r"b\.yaml:5:5: .* expired with 2020-01-31; fix the failure")

    def test_entry_of_a_case_that_does_not_exist_is_stale(self):
        self.write("b.yaml", "known:\n  - case: jsonrpc/id/renamed\n")
        out = flat(self.run_server(*PLAIN, "--baseline", "b.yaml", code=1))
        self.assertIn("b.yaml:2:5: jsonrpc/id/renamed was not played; "
                      "remove the entry or correct the id", out)


class UnreachableTest(CliTest):
    def test_program_that_does_not_exist(self):
        self.rpcspec("run", "--", "/no/such/program", code=3)
        self.assertEqual(self.complaint,
                         "rpcspec: cannot start '/no/such/program': no such file; check the path; "
                         "it is relative to the directory the target is started in\n")

    def test_directory_that_does_not_exist(self):
        """The next processes are started ahead; one that cannot be is not tried for ever."""
        with open(os.path.join(self.folder, "t.yaml"), "w", encoding="utf-8") as file:
            file.write("command: [sh, -c, cat]\ncwd: nowhere\nprofile: jsonrpc-2.0\n")
        self.rpcspec("run", "--target", "t.yaml", code=3)
        self.assertIn("cannot start 'sh': its directory", self.complaint)
        self.assertIn("set `cwd` to a directory that exists", self.complaint)

    def test_program_that_ends_at_once_shows_its_last_words(self):
        self.rpcspec("run", "--report", "junit=j.xml", "--", "sh", "-c",
                     "echo first >&2; echo dying words >&2; exit 7", code=3)
        self.assertIn("the target ended before it answered anything (dying words): it ended with exit 7; "
                      "run the same command", flat(self.complaint))
        self.assertIn("its stderr ends with: first dying words", flat(self.complaint))
        self.assertEqual(ElementTree.parse(self.path("j.xml")).getroot().tag, "testsuites")

    def test_refused_connection(self):
        self.rpcspec("run", "--url", "http://127.0.0.1:9/", code=3)
        self.assertEqual(self.complaint, "rpcspec: cannot reach http://127.0.0.1:9: nothing listens "
                                         "there; start the server, or check the port in the url\n")

    def test_who_reads_both_outputs_together_reads_the_reason_once(self):
        words = [RPCSPEC, "run", "--url", "http://127.0.0.1:9/"]
        for more, times in ([], 1), (["--report", "json=r.json"], 1), (["--format", "tap"], 2):
            done = subprocess.run([*words, *more], cwd=self.folder, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
            self.assertEqual(done.returncode, 3)
            self.assertEqual(flat(done.stdout).count("nothing listens"), times, done.stdout)

    def test_server_that_answers_nothing(self):
        self.rpcspec("run", *PLAIN, "--timeout", "1", "--", "sleep", "100", code=3)
        self.assertIn("rpcspec: the target does not answer a plain JSON-RPC request;",
                      self.complaint)


WAVERING_CASE = """\
title: Nobody wavers
covers: [jsonrpc.id.string-echo]
steps:
  - call: {method: waver}
    reply: {pass: [{result: good}], warn: [{result: odd}]}
"""


class OddServerTest(CliTest):
    def waver(self, words, *more, code=0):
        self.write("words", words)
        self.write("mine/own/waver.yaml", WAVERING_CASE)
        return self.rpcspec("run", *PLAIN, "--cases", "mine", "--select", "own/*", *more, "--",
                            *toy("wavering"), code=code)

    def test_what_failed_once_is_reported_as_it_was_when_played_again(self):
        self.assertIn("FLAKY Nobody wavers", self.waver("bad good"))
        self.assertIn("FAIL  A string id does not come back", self.waver("bad worse", code=1))
        self.assertIn("WARN  A string id does not come back",
                      self.waver("bad odd", "--verbose"))
        self.waver("bad odd", "--level", "should", code=1)

    def test_a_server_may_take_longer_to_start_than_to_answer(self):
        # Cases that get a process of their own, without a handshake that would wait for it.
        for profile, case in (("jsonrpc-2.0", "jsonrpc/id/number-lexical-form"),
                              ("mcp-2026-07-28", "json/*")):
            out = self.rpcspec("run", "--timeout", "2", "--profile", profile, "--select", case,
                               "--", "sh", "-c", f"sleep 2.5; exec {SERVER} --profile {profile}")
            self.assertRegex(out, r"\n(\d+) cases? in [\d.]+ m?s: \1 passed\n")

    def test_a_slow_method_is_called_for_itself_alone(self):
        out = self.rpcspec("run", *PLAIN, "--method", "slow", "--select", "jsonrpc/id/integer-echo",
                           "--select", "jsonrpc/request/own-methods", "--transcripts", "t", "--",
                           *toy("slow_method"))
        self.assertRegex(out, r"\n2 cases in [\d.]+ m?s: 2 passed\n")
        with open(self.path("t/jsonrpc/id/integer-echo.jsonl"), encoding="utf-8") as file:
            said = file.read()
        self.assertIn("rpcspec.no_such_method", said)
        self.assertEqual(said.count('\\"slow\\"'), 2)  # to find out

    def test_refusals_that_come_late_are_waited_for(self):
        out = self.rpcspec("run", *PLAIN, "--select", "json/invalid/b*", "--select", "json/invalid/m*",
                           "--select", "json/invalid/t*", "--", *toy("late", "0.05"))
        self.assertRegex(out, r"\n(\d+) cases in [\d.]+ m?s: \1 passed\n")

    def test_refusals_that_come_very_late_are_heard_when_a_failure_is_judged_again(self):
        out = self.rpcspec("run", *PLAIN, "--select", "json/invalid/b*", "--", *toy("late", "0.4"))
        self.assertRegex(out, r"\n(\d+) cases in [\d.]+ m?s: \1 passed\n")

    def test_refusals_that_never_come_are_failures(self):
        out = self.rpcspec("run", *PLAIN, "--select", "json/invalid/bad-e*", "--",
                           *toy("late", "never"), code=1)
        self.assertIn("no reply, although a later request was answered", flat(out))
        self.assertIn("json/invalid (2)", out)

    def test_answers_that_nobody_can_read_are_judged(self):
        out = self.rpcspec("run", "--profile", "mcp-2025-11-25", "--", *toy("garbled"), code=1)
        self.assertIn("FAIL  The server writes a byte order mark before its text", out)
        self.assertIn("no byte order mark before the text", flat(out))
        self.assertIn("not played: the target does not answer initialize", flat(out))
        self.assertIn("gate failed: a MUST is broken", out)


class SignalTest(CliTest):
    def stopped(self, number, processes=3):
        """Runs against the slow server, sends the signal, returns (exit code, marked processes)."""
        mark = uuid.uuid4().hex
        process = subprocess.Popen(
            [RPCSPEC, "run", *PLAIN, "--report", "json=r.json", "--report", "junit=j.xml",
             "--", *toy("slow_replies")],
            cwd=self.folder, env=os.environ | {MARK: mark}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            until = time.monotonic() + 60
            # rpcspec, a server and what that leaves behind; and its first results.
            while len(marked(mark, 0)) < processes or not os.path.exists(self.path("r.json")):
                self.assertIsNone(process.poll())
                self.assertLess(time.monotonic(), until, "no case is played")
                time.sleep(0.05)
            process.send_signal(number)
            self.told = process.communicate(timeout=60)[0].decode()
        finally:
            process.kill()
            process.wait()
        left = marked(mark)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        return process.returncode, left

    def test_interrupt_writes_the_reports_and_ends_the_target(self):
        code, left = self.stopped(signal.SIGINT)
        self.assertEqual(code, 130)
        self.assertEqual(left, [])
        report = self.load("r.json")
        self.assertTrue(report["gate"]["interrupted"])
        self.assertFalse(report["gate"]["passed"])
        self.assertEqual(ElementTree.parse(self.path("j.xml")).getroot().tag, "testsuites")

    def test_kill_leaves_no_process_of_the_target_and_what_was_judged(self):
        code, left = self.stopped(signal.SIGKILL)
        self.assertEqual(code, -signal.SIGKILL)
        self.assertEqual(left, [])
        self.assertEqual(self.load("r.json")["gate"]["reason"], "failed: the run did not come to its end")

    def test_a_signal_that_ends_rpcspec_is_a_bug_of_it(self):
        code, left = self.stopped(signal.SIGSEGV, processes=1)
        self.assertEqual(code, 4)
        self.assertEqual(left, [])
        self.assertIn("rpcspec: this is a bug in rpcspec: signal 11 ended it", self.told)
        self.assertTrue(self.load("r.json")["gate"]["interrupted"])


class ReportTest(CliTest):
    def test_several_reports_agree(self):
        self.run_server(*IDS, "--report", "json=r.json", "--report", "junit=j.xml",
                        faults=UPPERCASE, code=1)
        report = self.load("r.json")
        self.assertEqual((report["format"], report["profile"]), ("rpcspec-report/1", "jsonrpc-2.0"))
        failed = [case for case in report["cases"] if case["verdict"] == "fail"]
        self.assertEqual(report["summary"]["fail"], len(failed))
        (string_echo,) = [case for case in failed if case["id"] == "jsonrpc/id/string-echo"]
        self.assertEqual(string_echo["findings"][0]["requirement"], "jsonrpc.id.string-echo")
        suites = ElementTree.parse(self.path("j.xml")).getroot()
        self.assertEqual(int(suites.get("failures")), len(failed))

    def test_transcripts_can_be_judged(self):
        self.run_server(*IDS, "--transcripts", "sound")
        out = self.rpcspec("judge", "sound/jsonrpc/id/string-echo.jsonl")
        told = re.findall(r"(\d+) cases", out)
        self.assertGreater(len(told), 1)
        self.assertEqual(len(set(told)), 1, out)
        self.assertTrue(out.endswith("\ngate passed\n"), out)
        self.run_server(*IDS, "--transcripts", "broken", faults=UPPERCASE, code=1)
        out = self.rpcspec("judge", "broken/jsonrpc/id/string-echo.jsonl", code=1)
        self.assertIn("oracle/replies", out)
        self.assertIn("MUST jsonrpc.id.string-echo", out)

    def test_judge_refuses_what_is_no_recording(self):
        self.assertEqual(self.refused("judge", "none.jsonl"),
                         "none.jsonl: the recording cannot be read; "
                         "`rpcspec run --transcripts DIR` writes recordings")
        self.write("bad.jsonl", "{nonsense\n")
        self.assertTrue(self.refused("judge", "bad.jsonl").startswith("bad.jsonl:1"))

    def test_text_of_the_target_never_reaches_the_terminal_raw(self):
        out = self.rpcspec("run", *PLAIN, *IDS, "--", *toy("terminal"), code=1)
        self.assertIn("owned", out)
        self.assertNotRegex(out + self.complaint, r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


class LookingUpTest(CliTest):
    KINDS = ["cases", "requirements", "profiles", "methods", "actions", "matchers", "oracles",
             "mutators", "reporters", "faults"]

    def test_every_kind_is_listed_as_text_and_as_json(self):
        for kind in self.KINDS:
            with self.subTest(kind=kind):
                lines = self.rpcspec("list", kind).splitlines()
                items = json.loads(self.rpcspec("list", kind, "--format", "json"))
                self.assertGreater(len(items), 2)
                self.assertTrue(all(item["id"] and item["help"] for item in items))
                self.assertEqual(len(lines), len(items))
                for line, item in zip(lines, items):
                    self.assertTrue(line.startswith(item["id"]), line)

    def test_list_knows_own_cases(self):
        self.write("mine/own/a.yaml", OWN_CASE)
        self.assertRegex(self.rpcspec("list", "cases", "--cases", "mine"),
                         r"(?m)^own/a +My own id comes back$")

    def test_explain(self):
        for name, part in (("jsonrpc/id/string-echo", "A string id comes back as the same string"),
                           ("jsonrpc.id.string-echo", "covered by jsonrpc/id/string-echo"),
                           ("mcp.progress.increasing", "follows from mcp.progress.shape, "),
                           ("mcp.meta.no-assumptions", "one with mcp.meta.unknown-keys-tolerated, "),
                           ("oracle/replies", "covers"),
                           ("tools/list", "tools an array of Tool"),
                           ("tools/list", '"method":"tools/list"'),
                           ("Tool", "inputSchema"),
                           ("-32601", "Method not found")):
            with self.subTest(name=name):
                self.assertIn(part, flat(self.rpcspec("explain", name)))
        for typed, meant in (("jsonrpc/id/string-ech", "jsonrpc/id/string-echo"),
                             ("tools/lists", "tools/list"),
                             ("jsonrpc.id.string-ehco", "jsonrpc.id.string-echo")):
            self.assertEqual(self.refused("explain", typed),
                             f"explain: there is nothing named `{typed}`; did you mean `{meant}`?")
        self.assertIn("`rpcspec list cases`", self.refused("explain", "what"))

    def test_a_clause_says_why_servers_break_it_and_what_to_change(self):
        page = self.rpcspec("explain", "jsonrpc.error.parse-error-code")
        self.assertIn("\n              https://www.jsonrpc.org/specification#error_object\n", page)
        for language in ("TypeScript", "Python", "Go", "C++"):
            self.assertRegex(page, rf"(?m)^    {re.escape(language)}\n(      .*\n){{1,3}}")
        self.assertRegex(page, r"(?m)^  usual cause\n    \w")
        self.assertRegex(flat(page), r"known from .*jayson [\d.]+ \(jayson-tcp, jayson-unix\): json/")
        page = self.rpcspec("explain", "mcp.stdio.stdout-only-messages")
        self.assertIn("\n              https://modelcontextprotocol.io/specification/2024-11-05/basic/"
                      "transports#stdio\n", page)
        self.assertRegex(page, r"fastmcp [\d.]+ \(fastmcp-stdio\): oracle/stdout, rpcspec fuzz")
        # Another tree has advice of its own, or none, and no servers.
        self.write("tree/requirements/a.yaml", OWN_CLAUSE)
        page = self.rpcspec("explain", "own.clause", "--suite", "tree")
        self.assertNotIn("usual cause", page)
        self.write("tree/advice.yaml", "- {clauses: [own.claus], cause: a, typescript: a, python: a, "
                                       "go: a, cpp: a}\n")
        self.assertEqual(self.refused("explain", "own.clause", "--suite", "tree"),
                         "tree/advice.yaml:1:14: there is no requirement `own.claus`")
        self.write("tree/requirements/a.yaml", OWN_CLAUSE + "  follows: [own.other]\n")
        self.assertEqual(self.refused("list", "requirements", "--suite", "tree"),
                         "cases/requirements/a.yaml:10:13: there is no requirement 'own.other'")

    def test_what_servers_are_known_for_names_the_versions_that_are_installed(self):
        servers = os.path.join(testkit.TOP, "corpus", "servers")
        with open(os.path.join(servers, "README.md"), encoding="utf-8") as file:
            rows = dict(re.findall(r"(?m)^\| ([\w.-]+) \| (.*?) \|", file.read()))
        for server in os.listdir(servers):
            package = os.path.join(servers, server, "package.json")
            if not os.path.exists(package):
                continue
            with open(package, encoding="utf-8") as file:
                versions = json.load(file)["dependencies"]
            named = [name for name, version in versions.items()
                     if f"{name} {version}" in rows[server]]
            self.assertTrue(named, f"{server}: {versions} and {rows[server]}")

    def test_a_case_is_shown_with_its_rows_and_steps(self):
        page = self.rpcspec("explain", "jsonrpc/id/string-echo")
        self.assertRegex(page, r"(?m)^  rows: all steps are played with each of 8\n     1\. \{own: a\}$")
        self.assertRegex(page, r"(?m)^     1\. frame: \{id: .*\n        reply\n          pass  normal$")
        self.assertRegex(page, r"(?m)^    frame +Text sent as one frame")
        # What a named set of outcomes means stands below.
        page = self.rpcspec("explain", "json/invalid/bad-escape")
        self.assertRegex(page, r"(?m)^  parse-error\n    pass  \{error: \{code: -32700\}, id: \$null\}$")
        self.write("mine/own/a.yaml", OWN_CASE)
        self.assertRegex(self.rpcspec("explain", "own/a", "--cases", "mine"),
                         r"(?s)mine/own/a\.yaml.*1\. frame: .*pass  normal")

    def test_a_code_says_who_means_what_by_it(self):
        page = self.rpcspec("explain", "32602")  # the sign is easily lost
        self.assertTrue(page.startswith("-32602  Invalid params\n"), page)
        self.assertIn("jsonrpc.error.invalid-params-code (MUST; jsonrpc-2.0)", page)
        self.assertEqual(self.rpcspec("explain", "-32602"), page)
        page = self.rpcspec("explain", "-32002")
        for part in ("mcp-tutorial", "MCP up to 2025-11-25", "LSP", "Ethereum",
                     "mcp.errors.retired-32002"):
            self.assertIn(part, page)
        self.assertIn("leaves -32099 to -32000 to servers", self.rpcspec("explain", "-32050"))
        self.assertIn("is not defined", flat(self.rpcspec("explain", "-32200")))
        self.assertIn("so the application defines", self.rpcspec("explain", "404"))

    def test_a_word_in_the_plural_is_explained(self):
        for word in ("finding", "affordance", "cause"):
            self.assertEqual(self.rpcspec("explain", word + "s"), self.rpcspec("explain", word))

    def test_what_the_fuzzer_finds_is_explained(self):
        for word in ("crash", "exit", "hang", "silence", "close", "flood", "wrong-answer", "stack-trace",
                     "lists", "growth", "leak", "cost", "spelling", "isolation", "flaky"):
            with self.subTest(word=word):
                self.assertRegex(self.rpcspec("explain", word).splitlines()[0],
                                 rf"\b{word}\b.*: a kind of finding of `rpcspec fuzz`$")
        self.write("findings/a-1/finding.json", json.dumps({
            "requirement": "jsonrpc.robust.survives-parse-error", "level": "MUST",
            "expected": "the process to keep running", "seen": "it ended (signal 6)\x1b[2J",
            "oracle": "process", "profile": "jsonrpc-2.0", "transport": "stdio",
            "repeats": "reproducible", "signature": "ended|signal 6|terminate",
            "replay": "rpcspec replay findings/a-1/script -- ./server"}))
        page = self.rpcspec("explain", "findings/a-1")
        self.assertRegex(page, r"(?m)^  seen +it ended \(signal 6\)")
        self.assertRegex(page, r"(?m)^  class +crash ")
        self.assertRegex(page, r"(?m)^  play again +rpcspec replay findings/a-1/script -- \./server$")
        self.assertIn("\njsonrpc.robust.survives-parse-error\n", page)
        self.assertIn("usual cause", page)
        self.assertEqual(self.rpcspec("explain", "findings/a-1/finding.json"), page)
        self.write("findings/a-2/finding.json", "nonsense")
        self.assertIn("this is not a finding", self.refused("explain", "findings/a-2"))

    def test_names_that_are_almost_right_are_recognised(self):
        for typed, said in (("crahs", "did you mean `crash`?"),
                            ("parse-error", "names that contain it: `jsonrpc."),
                            ("surrogate", "`json.valid.surrogate-pair`"),
                            ("zzzz", "`rpcspec list cases` and `rpcspec list requirements`")):
            with self.subTest(typed=typed):
                self.assertIn(said, self.refused("explain", typed))

    def test_methods_say_who_sends_them_and_in_which_profiles(self):
        methods = {row["id"]: row
                   for row in json.loads(self.rpcspec("list", "methods", "--format", "json"))}
        self.assertEqual(methods["tools/batch_call"]["profiles"], ["mcp-tutorial"])
        self.assertEqual(methods["roots/list"]["capabilities"], ["client.roots"])
        self.assertTrue(methods["ping"]["from_client"] and methods["ping"]["from_server"])

    def test_check_of_an_openrpc_document(self):
        contracts = os.path.join(os.path.dirname(__file__), "..", "..", "corpus", "contracts")
        sound = os.path.join(contracts, "bookshop.openrpc.json")
        self.assertIn("10 methods, 0 flaws", self.rpcspec("check", "--openrpc", sound, code=0))
        told = self.rpcspec("check", "--openrpc", os.path.join(contracts, "bookshop-flawed.openrpc.json"),
                            code=1).splitlines()
        self.assertEqual(len([one for one in told if " openrpc.document." in one]), 17)
        self.assertRegex(told[0], r"flawed\.openrpc\.json:2:13 /openrpc: fail openrpc\.document\.version: ")
        self.assertIn('not judged: stock.level: its result: minimum is "0"', told)
        self.write("odd.json", '{"openrpc": "1.3.2",\n "methods" []}')
        self.assertIn("odd.json:2:12: the text is not readable JSON: a colon was expected",
                      self.refused("check", "--openrpc", "odd.json"))
        self.assertIn("none.json", self.refused("check", "--openrpc", "none.json"))

    def test_run_of_a_server_that_describes_its_methods(self):
        plain = ["--", SERVER, "--profile", "jsonrpc-2.0"]
        told = flat(self.rpcspec("run", "--select", "openrpc/*", "--report", "json=r.json",
                                 "--report", "markdown=r.md", *plain, "--fault",
                                 "described-method-missing", code=0))
        self.assertIn("10 of 13 methods of rpc.discover may be called (10 by example), 2 have no sound example, "
                      "1 changes state: --methods NAME allows more", told)
        report = self.load("r.json")
        methods = {one["name"]: one for one in report["methods"]}
        self.assertEqual(methods["shelf.tree"]["clauses"]["openrpc.method.served"], "warn")
        self.assertEqual(methods["book.get"]["clauses"]["openrpc.method.served"], "tried")
        self.assertEqual(methods["book.get"]["why"], "example")
        self.assertFalse(methods["admin.reset"]["called"])
        self.assertEqual(methods["admin.reset"]["clauses"], {})
        self.assertIn("| `shelf.tree` | example | 1 |", self.read("r.md"))
        # A method that nobody permitted is sent by no case.
        self.rpcspec("run", "--transcripts", "t", *plain, code=0)
        for folder, _, names in os.walk(self.path("t")):
            for name in names:
                sent = self.read(os.path.join(folder, name)).replace("\\", "")
                self.assertNotIn('"method":"admin.reset"', sent)
        # One of the operator's own takes the place of what the server says.
        self.write("own.json", json.dumps({"openrpc": "1.3.2", "info": {"title": "t", "version": "1"},
            "methods": [{"name": "subtract", "paramStructure": "by-position", "params": [],
                         "result": {"name": "r", "schema": {"type": "string"}}}]}))
        told = flat(self.rpcspec("run", "--select", "openrpc/*", "--openrpc", "own.json", *plain, code=None))
        self.assertIn("0 of 1 methods of own.json may be called", told)
        self.assertNotIn("may be called", flat(self.rpcspec("run", "--quick", "--openrpc", "none", *plain,
                                                         code=0)))
        self.assertIn("it has no list of methods", self.refused("run", "--openrpc", self.write("e.json", "{}"),
                                                                *plain))
        self.assertIn("http://127.0.0.1:1/b", self.refused("run", "--openrpc", "http://127.0.0.1:1/b", *plain))

    def test_check_and_new(self):
        path = self.rpcspec("new", "case", "own/fresh", "--covers", "jsonrpc.id.string-echo",
                            "--in", "mine").strip()
        self.assertEqual(path, os.path.join("mine", "own/fresh.yaml"))
        told = flat(self.rpcspec("check", path))
        self.assertIn("covers jsonrpc.id.string-echo", told)
        self.assertIn("the file exists",
                      self.refused("new", "case", "own/fresh", "--in", "mine"))
        self.assertIn("did you mean `jsonrpc.id.string-echo`?",
                      self.refused("new", "case", "own/other", "--covers", "jsonrpc.id.string-ecko",
                                   "--in", "mine"))
        self.write("mine/own/wrong.yaml", "title: T\ncovers: [jsonrpc.id.string-echo]\nsteps:\n"
                                          "  - {cal: {method: m}}\n  - {canary: 1}\n")
        self.assertIn("own/fresh.yaml", self.rpcspec("check", "mine", code=2))
        complaints = self.complaint.splitlines()
        self.assertEqual(len(complaints), 2, complaints)
        self.assertRegex(complaints[0], r"own/wrong\.yaml:4:\d+: .*did you mean 'call'\?")
        self.assertRegex(complaints[1], r"own/wrong\.yaml:5:\d+: ")

    def test_explain_frame(self):
        def explained(frame, *more):
            return self.rpcspec("explain", "--frame", frame, *more)
        broken = explained("{oops", "--profile", "jsonrpc-2.0")
        self.assertRegex(broken, r"(?m)^  not-json: ")
        self.assertRegex(broken, r"jsonrpc\.error\.parse-error-code \(MUST\)")
        self.assertRegex(broken, r"(?m)^  -32700 +lawful$")
        self.assertRegex(broken, r"(?m)^  silence +wrong$")
        unknown = '{"jsonrpc":"2.0","id":1,"method":"tools/nope"}'
        mcp = explained(unknown, "--profile", "mcp-2025-06-18", "--transport", "http")
        self.assertRegex(mcp, r"mcp\.base\.unknown-method \(MUST\)")
        self.assertRegex(mcp, r"(?m)^  result +wrong$")
        self.assertRegex(mcp, r"(?m)^  http 4xx +lawful$")
        early = explained(unknown, "--profile", "mcp-2025-06-18", "--before-handshake")
        self.assertRegex(early, r"(?m)^  result +lawful$")
        batch = explained(f"[{unknown},1]", "--profile", "mcp-2025-03-26")
        self.assertRegex(batch, r"(?s)element 0.*method-unknown.*element 1.*primitive")
        self.assertEqual(explained('{"jsonrpc":"2.0","method":"x"}', "--profile", "jsonrpc-2.0"),
                         '{"jsonrpc":"2.0","method":"x"}\n\n  the message is valid\n\n'
                         "  nothing    allowed; a notification gets no response\n")
        self.assertIn("--profile", self.refused("explain", "--frame", "1", "--profile", "none"))
        self.assertIn("no transport", self.refused("explain", "--frame", "1", "--profile",
                                                   "jsonrpc-2.0", "--transport", "pigeon"))

    def test_coverage(self):
        out = self.rpcspec("coverage")
        self.assertRegex(out, r"MUST +jsonrpc\.id\.string-echo +jsonrpc/id/string-echo")
        self.assertRegex(out, r"mcp\.")
        plain = self.rpcspec("coverage", *PLAIN)
        self.assertNotRegex(plain, r"(?m)^\w[\w ]* +mcp\.")
        missing = self.rpcspec("coverage", *PLAIN, "--missing")
        self.assertRegex(missing, r"MAY +jsonrpc\.response\.result-any-json +it allows every JSON")
        self.assertNotIn("jsonrpc.id.string-echo", missing)
        self.assertIn("requirements are covered", missing)
        self.assertRegex(missing, r"(?m)^ *(\d+) of \1 +MUST$")
        self.assertTrue(json.loads(self.rpcspec("coverage", "--format", "json")))

    def test_coverage_against_the_official_suite(self):
        rows = json.loads(self.rpcspec("coverage", "--against", "official", "--format", "json"))
        ping = [row for row in rows if row["scenario"] == "ping"]
        self.assertEqual([row["check"] for row in ping], ["ping"])
        self.assertIn("mcp/ping/result", ping[0]["cases"])
        self.assertEqual(len({row["scenario"] for row in rows if row["scenario"]}), 65)
        # Each has a case or says why not.
        self.assertEqual([row for row in rows if not row["cases"] and not row.get("reason")], [])
        self.assertRegex(self.rpcspec("coverage", "--against", "official"),
                         r"\nping\n  ping +mcp/ping/result")
        listed = json.loads(self.rpcspec("list", "requirements", "--format", "json"))
        self.assertIn([2575], [one["seps"] for one in listed
                               if one["id"] == "mcp.versioning.unsupported-version"])
        self.assertIn((["mcp.progress.token-type-preserved",
                         "mcp.http26.sse-notifications-related"], []),
                      [(one["follows"], one["one_with"]) for one in listed
                       if one["id"] == "mcp.progress.only-with-token"])

    def test_sep_as_selection(self):
        for name in ("sep-2575", "sep-2575-server-unsupported-version-error"):
            self.run_server("--profile", "mcp-2026-07-28", "--select", name, "--report",
                            "json=r.json", server=("--profile", "mcp-all"))
            self.assertIn("mcp/versioning/unsupported-version",
                          [case["id"] for case in self.load("r.json")["cases"]])


class TargetTest(CliTest):
    def profile_of(self, *words, **more):
        self.run_server("--select", "jsonrpc/id/string-echo", "--report", "json=r.json", *words,
                        **more)
        report = self.load("r.json")
        self.assertEqual(report["summary"]["pass"], 1)
        return report["profile"]

    def test_auto_finds_what_the_server_speaks(self):
        for server, profile in (("jsonrpc-2.0", "jsonrpc-2.0"),
                                ("mcp-2024-11-05", "mcp-2024-11-05"),
                                ("mcp-2025-11-25", "mcp-2025-11-25"),
                                ("mcp-2026-07-28", "mcp-2026-07-28"),
                                ("mcp-all", "mcp-2026-07-28")):
            with self.subTest(server=server):
                self.assertEqual(self.profile_of(server=("--profile", server)), profile)

    def test_profile_can_be_chosen(self):
        self.assertEqual(self.profile_of("--profile", "mcp-2025-06-18",
                                         server=("--profile", "mcp-all")), "mcp-2025-06-18")

    def test_url_with_a_command_and_a_free_port(self):
        out = self.rpcspec("run", *IDS, "--url", "http://127.0.0.1:{port}/mcp", "--", SERVER,
                           "--transport", "http", "--port", "{port}", "--profile",
                           "mcp-2025-11-25")
        self.assertIn("mcp-2025-11-25 over http,", out)
        self.assertTrue(out.endswith("\ngate passed\n"), out)

    def test_streams_and_framings(self):
        for framing in ("line", "content-length"):
            with self.subTest(framing=framing):
                out = self.rpcspec("run", *IDS, "--url", "tcp://127.0.0.1:{port}", "--framing",
                                   framing, "--", SERVER, "--transport", "tcp", "--port", "{port}",
                                   "--framing", framing, *PLAIN)
                self.assertIn("jsonrpc-2.0 over tcp,", out)
                self.assertTrue(out.endswith("\ngate passed\n"), out)
        out = self.rpcspec("run", *IDS, "--framing", "content-length", "--", SERVER, "--framing",
                           "content-length", *PLAIN)
        self.assertIn("jsonrpc-2.0 over stdio+content-length,", out)
        out = self.rpcspec("run", *IDS, "--url", "unix:" + self.path("s"), "--", SERVER,
                           "--transport", "unix", "--path", self.path("s"), *PLAIN)
        self.assertIn("jsonrpc-2.0 over unix,", out)
        self.refused("run", "--framing", "lsp", "--", SERVER)
        self.refused("run", "--framing", "line", "--url", "http://127.0.0.1:9/")

    def test_an_event_stream_with_an_endpoint(self):
        server = ["--url", "http://127.0.0.1:{port}/sse", "--", SERVER, "--transport", "sse", "--port",
                  "{port}", "--profile", "mcp-2024-11-05"]
        out = self.rpcspec("run", *IDS, "--transport", "sse", *server)
        self.assertIn("mcp-2024-11-05 over http+sse,", out)
        self.assertTrue(out.endswith("\ngate passed\n"), out)
        # Found out, and said.
        out = self.rpcspec("run", "--select", "json*", *server)
        self.assertIn("mcp-2024-11-05 over http+sse,", out)
        self.assertIn("(--transport sse)", self.complaint)
        self.rpcspec("run", *IDS, "--transport", "http", *server, code=3)
        self.assertIn("HTTP 405", self.complaint)
        self.assertIn("--transport sse", self.complaint)
        self.refused("run", "--transport", "smoke", "--url", "http://127.0.0.1:9/")
        self.refused("run", "--transport", "sse", "--", SERVER)

    # A parse error may leave a server that reads JSON as a stream nowhere to go on.
    def test_a_connection_closed_after_a_parse_error_is_no_failure(self):
        case = ["--select", "json/invalid/single-quotes"]
        server = ["--url", "tcp://127.0.0.1:{port}", "--", *toy("closing", "{port}")]
        out = self.rpcspec("run", "--profile", "jsonrpc-2.0", "--verbose", *case, *server)
        self.assertIn("WARN", out)
        self.assertIn("jsonrpc.robust.survives-parse-error", out)
        self.assertIn("a new connection is served", out)
        out = self.rpcspec("run", "--profile", "jsonrpc-2.0", *case, *server, "dies", code=1)
        self.assertIn("FAIL", out)

    # One headline says so; everything else is asked on a connection of its own.
    def test_a_server_of_one_message_a_connection_is_judged(self):
        cases = ["--select", "jsonrpc/id/string-echo", "--select", "jsonrpc/request/pipelined"]
        server = ["--url", "tcp://127.0.0.1:{port}", "--", *toy("closing", "{port}", "each")]
        out = self.rpcspec("run", "--profile", "jsonrpc-2.0", "--report", "json=r.json", *cases,
                           *server, code=1)
        self.assertIn("FAIL  The connection is closed after one message", out)
        report = json.loads(self.read("r.json"))
        self.assertEqual([cause["requirement"] for cause in report["causes"]],
                         ["jsonrpc.request.pipelined"])
        verdicts = {case["id"]: case["verdict"] for case in report["cases"]}
        self.assertEqual(verdicts["jsonrpc/id/string-echo"], "pass")
        self.assertEqual(verdicts["jsonrpc/request/pipelined"], "fail")

    def test_target_description(self):
        self.write("t.yaml", json.dumps({
            "name": "mine", "command": [SERVER, *PLAIN], "profile": "jsonrpc-2.0"}))
        out = self.rpcspec("run", *IDS, "--target", "t.yaml")
        self.assertRegex(out, r"^rpcspec \S+ mine\njsonrpc-2\.0 over stdio, seed \d+\n(.|\n)*\n20 cases in ")

    def test_servers_of_a_client(self):
        self.write("c.json", json.dumps({"mcpServers": {
            "sound": {"command": SERVER, "args": ["--profile", "mcp-2025-06-18"]},
            "broken": {"command": SERVER, "args": ["--profile", "mcp-2025-06-18", *UPPERCASE]}}}))
        self.assertIn("mcp-2025-06-18 over stdio",
                      self.rpcspec("run", *IDS, "--target", "c.json#sound"))
        self.rpcspec("run", *IDS, "--target", "c.json#broken", code=1)
        sentence = self.refused("run", "--target", "c.json#brokn")
        self.assertIn("broken", sentence)


if __name__ == "__main__":
    testkit.main()
