#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# rpcspec.yaml: `rpcspec init` writes it, `rpcspec run` alone plays it. Its mistakes are sentences with
# a place; secrets by command are asked for and hidden; who fuzzes another machine says so and is held
# to a rate.
#
#   project_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import json
import os
import re
import stat
import subprocess
import sys
import time

import yaml

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import SERVER, flat, toy

FEW = "jsonrpc/id/*"
PLAIN = f"command: ['{SERVER}', --profile, jsonrpc-2.0]"


def project(**targets):
    """A project of targets, each the lines of one, with few cases."""
    out = f"select: {FEW}\ntargets:\n"
    for name, lines in targets.items():
        out += f"  {name}:\n" + "".join(f"    {line}\n" for line in lines)
    return out + "reports:\n  json: out/report.json\n  junit: out/report.xml\n"


class ProjectTest(testkit.RpcspecTest):
    def test_all_targets_and_profiles_are_played_and_make_one_report(self):
        self.write("rpcspec.yaml", project(
            plain=[PLAIN, "profile: jsonrpc-2.0"],
            mcp=[f"command: ['{SERVER}']", "profiles: ['2025-06-18', mcp-2025-11-25]"]))
        out = self.rpcspec("run")
        self.assertIn("gate passed", flat(out))
        self.assertIn("3 of 3", self.complaint)
        report = self.load("out/report.json")
        self.assertEqual([(one["target"], one["profile"]) for one in report["runs"]],
                         [("plain", "jsonrpc-2.0"), ("mcp", "mcp-2025-06-18"),
                          ("mcp", "mcp-2025-11-25")])
        self.assertTrue(all(one["gate"]["passed"] for one in report["runs"]))
        self.assertIn("plain/jsonrpc-2.0/jsonrpc/id/string-echo",
                      [case["id"] for case in report["cases"]])
        self.assertTrue(os.path.exists(self.path("out/report.xml")))

    def test_one_red_run_makes_the_whole_red_and_its_replay_command_works(self):
        self.write("rpcspec.yaml", project(
            good=[PLAIN, "profile: jsonrpc-2.0"],
            bad=[PLAIN[:-1] + ", --fault, id-string-uppercased]", "profile: jsonrpc-2.0"]))
        self.rpcspec("run", "--report", "html=more.html", code=1)
        report = self.load("out/report.json")
        self.assertEqual([one["gate"]["passed"] for one in report["runs"]], [True, False])
        self.assertTrue(os.path.exists(self.path("more.html")))
        (replay,) = {cause["replay"] for cause in report["causes"] if cause["verdict"] == "fail"}
        self.assertIn("--target rpcspec.yaml#bad", replay.replace("'", ""))
        again = subprocess.run(["bash", "-c", replay], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(again.returncode, 1, again.stderr)

    def test_a_target_that_cannot_be_started_is_red_and_the_others_are_played(self):
        self.write("rpcspec.yaml", project(gone=["command: [/no/such/program]"], there=[
            PLAIN, "profile: jsonrpc-2.0"]))
        self.rpcspec("run", code=3)
        report = self.load("out/report.json")
        self.assertEqual([one["gate"]["passed"] for one in report["runs"]], [False, True])
        self.assertIn("/no/such/program", report["runs"][0]["gate"]["reason"])
        self.rpcspec("run", "--project", "rpcspec.yaml#there")

    def test_a_single_run_is_as_if_it_had_been_typed(self):
        self.write("rpcspec.yaml", project(only=[PLAIN, "profile: jsonrpc-2.0"]))
        out = self.rpcspec("run")
        typed = self.rpcspec("run", "--target", "rpcspec.yaml#only", "--select", FEW)
        without_times = lambda text: re.sub(r"[\d.]+ m?s", "", text)
        self.assertEqual(without_times(out), without_times(typed))
        self.assertNotIn("runs", self.load("out/report.json"))

    def test_paths_start_at_the_folder_of_the_file(self):
        self.write("sub/rpcspec.yaml", project(
            here=["command: [python3, server.py]", "profile: jsonrpc-2.0", "baseline: known.yaml"]))
        self.write("sub/known.yaml", "known: []\n")
        self.write("sub/server.py", f"import os\nos.execv('{SERVER}', ['s', '--profile', "
                                    "'jsonrpc-2.0'])\n")
        self.rpcspec("run", "--project", "sub/rpcspec.yaml")
        self.assertTrue(os.path.exists(self.path("sub/out/report.json")))

    def test_a_campaign_is_part_of_the_report(self):
        self.write("rpcspec.yaml", project(
            fuzzed=[f"command: ['{SERVER}', --profile, jsonrpc-2.0, --fault, id-string-uppercased]",
                    "profile: jsonrpc-2.0", "fuzz: {minutes: 0.1, seed: 7, findings: found}"]))
        self.rpcspec("run", code=1)
        report = self.load("out/report.json")
        self.assertEqual(len(report["runs"]), 2)
        found = os.listdir(self.path("found"))
        self.assertFalse([name for name in found if "string-echo" in name], "the run has reported it")
        self.assertTrue({*found, "campaign"} & {case["id"] for case in report["cases"]}, found)

    def test_each_campaign_has_findings_of_its_own(self):
        fault = f"command: ['{SERVER}', --fault, id-string-uppercased]"
        profiles = "profiles: [mcp-2025-06-18, mcp-2025-11-25]"
        self.write("rpcspec.yaml", project(
            a=[fault, profiles, "fuzz: {minutes: 0.1, seed: 7, findings: found}"],
            b=[fault, profiles, "fuzz: {minutes: 0.1, seed: 7}"]))
        self.rpcspec("run", code=1)
        for folder in ("found", "rpcspec-findings/b"):
            self.assertEqual(sorted(os.listdir(self.path(folder))),
                             ["mcp-2025-06-18", "mcp-2025-11-25"])

    def test_mistakes_have_a_place(self):
        for text, sentence in [
                ("target: {}", r"rpcspec.yaml:1:1: a project must have targets; write targets: .*init"),
                ("targets: []", r"rpcspec.yaml:1:10: 'targets' must be a mapping of names"),
                ("targets: {a: {comand: [x]}}", r"rpcspec.yaml:1:15: unknown key 'comand'.*'command'"),
                ("targets: {a: {command: [x], levels: should}}", r"rpcspec.yaml:1:29: .*'level'"),
                ("targets: {a: {command: [x]}}\nreport: {}", r"rpcspec.yaml:2:1: .*`reports`"),
                ("targets: {a: {command: [x]}}\nreports: {htm: x}", r"rpcspec.yaml:2:11: .*'html'"),
                ("targets: {a: {command: [x]}}\nreports: {html: /no/such/}", r"--report|/no/such"),
                ("targets: {a: {command: [x], profiles: [mcp-2025-06-81]}}",
                 r"rpcspec.yaml:1:39: there is no profile 'mcp-2025-06-81'.*mcp-2025-06-18"),
                ("targets: {a: {command: [x], level: high}}", r"rpcspec.yaml:1:36: .*must or should"),
                ("targets: {a: {command: [x]}}\nselect: [nothing/like/it]",
                 r"rpcspec.yaml:2:9: `nothing/like/it` matches no case"),
                ("targets: {a: {command: [x], timeout: soon}}", r"rpcspec.yaml:1:38: .*is not a duration"),
                ("targets: {a: {command: [x], baseline: gone.yaml}}",
                 r"rpcspec.yaml:1:39: there is no file gone.yaml; .*--write-baseline gone.yaml"),
                ("targets: {a: {command: [x], fuzz: 5}}", r"rpcspec.yaml:1:35: .*fuzz: {minutes: 5}"),
                ("targets: {a: {command: [x], fuzz: {minutes: 0}}}", r"rpcspec.yaml:1:45: 'minutes'"),
                ("targets: {a: {command: [x], fuzz: {minuets: 1}}}",
                 r"rpcspec.yaml:1:36: .*'minuets'"),
                ("targets: {a: {url: 'http://example.com/mcp', fuzz: {minutes: 1}}}",
                 r"rpcspec.yaml:1:52: .*not an address of this machine.*--yes-fuzz-remote")]:
            with self.subTest(text):
                self.write("rpcspec.yaml", text + "\n")
                self.assertRegex(self.refused("run"), sentence)

    def test_options_of_a_target_are_refused_beside_a_project(self):
        self.write("rpcspec.yaml", project(a=[PLAIN]))
        self.assertRegex(self.refused("run", "--baseline", "x.yaml"),
                         r"^--baseline: .*rpcspec.yaml.*--target 'rpcspec.yaml#a'$")
        self.assertIn("--target rpcspec.yaml`", self.refused("inspect"))
        self.assertRegex(self.refused("run", "--project", "rpcspec.yaml", "--url", "http://a/"),
                         r"^--project: ")
        self.assertRegex(self.refused("run", "--project", "rpcspec.yaml#b"), r"no target 'b'")
        os.remove(self.path("rpcspec.yaml"))
        self.assertIn("a target is missing", self.refused("run"))


# What the loader and the schema for editors say of a file, on top of targets: {a: {command: [x]}}.
LAWFUL = [
    "{}",
    "{level: should, strict: true, jobs: 4, timeout: 500ms, max-time: 1.5m}",
    "{timeout: 3, max-time: 0, select: 'jsonrpc/*', exclude: ['mcp/*', 'lsp/*']}",
    "{reports: {html: r.html, badge-json: b.json, sarif: out/r.sarif}}",
    "{profiles: '2025-06-18', requirements: '1.0'}",
    "{profiles: [auto, jsonrpc-2.0, '2025-11-25', mcp-2025-11-25@1.0]}",
    "{targets: {a: {command: [x], profile: auto, level: must, fuzz: {minutes: 0.5, seed: 1}}}}",
    "{targets: {a: {command: [x], fuzz: {minutes: 5, findings: f, corpus: c, jobs: 2, rate: 9}}}}",
    "{targets: {a: {command: [x], jobs: 64}, b: {url: 'ws://127.0.0.1:1/', timeout: 1h}}}",
]
WRONG = [
    "[]", "{target: {}}", "{targets: {}}", "{targets: []}", "{targets: {a: {}}}",
    "{targets: {a: {comand: [x]}}}", "{targets: {a: {command: x}}}", "{targets: {a: [x]}}",
    "{targets: {a: {command: [x], reports: {html: x}}}}",
    "{targets: {a: {command: [x], profile: auto, profiles: [auto]}}}",
    "{targets: {a: {command: [x], level: high}}}", "{level: [must]}", "{strict: 1}", "{strict: 'yes'}",
    "{jobs: 0}", "{jobs: 65}", "{jobs: many}", "{jobs: 1.5}", "{timeout: soon}", "{timeout: 3w}",
    "{timeout: 0.001}", "{max-time: [1]}", "{select: 1}", "{select: [1]}", "{exclude: {a: b}}",
    "{cases: true}", "{baseline: [a]}", "{baseline: ''}", "{requirements: 1.0}", "{profiles: {a: b}}",
    "{profiles: [1]}", "{expected-failures: [x]}", "{reports: [html]}", "{reports: {htm: x}}",
    "{reports: {html: [x]}}", "{reports: {html: ''}}", "{fuzz: 5}", "{fuzz: {}}", "{fuzz: {minutes: 0}}",
    "{fuzz: {minutes: long}}", "{fuzz: {minuets: 1}}", "{fuzz: {minutes: 1, seed: 0}}",
    "{fuzz: {minutes: 1, jobs: 65}}", "{fuzz: {minutes: 1, rate: 1000001}}",
    "{fuzz: {minutes: 1, timeout: soon}}", "{fuzz: {minutes: 1, corpus: [c]}}",
]


class CheckTest(testkit.RpcspecTest):
    def whole(self, text):
        value = yaml.safe_load(text)
        if isinstance(value, dict) and not {"target", "targets"} & set(value):
            return {"targets": {"a": {"command": ["x"]}}, **value}
        return value

    def test_the_loader_and_the_schema_for_editors_agree(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        schema = json.loads(self.rpcspec("check", "--schema", "project"))
        jsonschema.Draft202012Validator.check_schema(schema)
        fits = jsonschema.Draft202012Validator(schema).is_valid
        for text in LAWFUL + WRONG:
            with self.subTest(text):
                value = self.whole(text)
                self.write("rpcspec.yaml", json.dumps(value))
                self.rpcspec("check", "rpcspec.yaml", code=0 if text in LAWFUL else 2)
                if text in WRONG:
                    self.assertRegex(self.complaint, r"^rpcspec: rpcspec.yaml:1:\d+: ")
                self.assertEqual(fits(value), text in LAWFUL)

    def test_it_says_what_would_be_played_and_starts_nothing(self):
        self.write("rpcspec.yaml", "targets:\n  a:\n    command: [touch, started]\n"
                                   "    profiles: [2025-06-18, 2025-11-25]\n    fuzz: {minutes: 2}\n"
                                   "reports: {html: out/r.html}\n")
        self.assertEqual(self.rpcspec("check", "."),
                         "./rpcspec.yaml: a project\n  run   a over stdio, mcp-2025-06-18\n"
                         "  run   a over stdio, mcp-2025-11-25\n  fuzz  a over stdio, for 2m\n"
                         "  fuzz  a over stdio, for 2m\n  write html=./out/r.html\n")
        self.assertEqual(os.listdir(self.folder), ["rpcspec.yaml"])

    def test_projects_and_cases_are_checked_together(self):
        self.write("mine/rpcspec.yaml", "targets: {a: {command: [x], levels: must}}\n")
        self.write("mine/case.yaml", "title: One\n")
        self.refused("check", "mine")
        self.assertRegex(self.complaint, r"mine/rpcspec.yaml:1:\d+: .*'level'")
        self.assertRegex(self.complaint, r"mine/case.yaml:1:1: ")

    def test_schemas_are_named(self):
        for name, title in [("case", "rpcspec case"), ("target", "rpcspec target")]:
            self.assertEqual(json.loads(self.rpcspec("check", "--schema", name))["title"], title)
        self.assertIn("rpcspec check rpcspec.yaml", self.refused("check"))


class SecretTest(testkit.RpcspecTest):
    def test_a_secret_by_command_reaches_the_server_and_nothing_else(self):
        self.write("ask.sh", "#!/bin/sh\necho asked >> asked.log\necho s3cret-of-the-store\n")
        os.chmod(self.path("ask.sh"), stat.S_IRWXU)
        self.write("rpcspec.yaml",
                   "targets:\n  a:\n    command: " + json.dumps(toy("secret_everywhere")) +
                   "\n    env: {API: {secret: {command: [./ask.sh]}}}\n"
                   "    select: mcp/tools/*\n"
                   "reports: {json: r.json, html: r.html}\n")
        out = self.rpcspec("run", code=None)
        self.assertEqual(self.read("asked.log"), "asked\n")
        for text in (out, self.complaint, self.read("r.json"), self.read("r.html")):
            self.assertNotIn("s3cret-of-the-store", text)
        self.assertIn("«secret ask.sh»", self.read("r.json"))

    def test_a_command_that_fails_is_told_with_its_place(self):
        self.write("rpcspec.yaml", "targets:\n  a:\n    url: http://127.0.0.1:1/\n"
                                   "    auth: {type: bearer, token: {secret: {command: 'false'}}}\n")
        self.assertRegex(self.refused("run"), r"^rpcspec.yaml:4:42|^rpcspec.yaml:4:\d+: the command "
                                              r"false ended with 1; run it by hand")


class InitTest(testkit.RpcspecTest):
    def test_what_it_writes_is_played_as_it_is(self):
        out = self.rpcspec("init", "--", SERVER)
        self.assertIn("wrote rpcspec.yaml: mcp-2026-07-28 over stdio", out)
        text = self.read("rpcspec.yaml")
        self.assertIn("  stdio:", text)
        self.assertRegex(text, r"speaks 2024-11-05, .*2025-11-25")
        self.write("rpcspec.yaml", text + f"select: '{FEW}'\n")
        self.rpcspec("run")
        for report in ("rpcspec-report.html", "rpcspec-report.xml"):
            self.assertTrue(os.path.exists(self.path(report)))

    def test_what_it_leaves_to_be_filled_in_can_be_uncommented(self):
        self.rpcspec("init", "--", SERVER)
        text = self.read("rpcspec.yaml")
        for line in re.findall(r"^    # (allow: .*|fuzz: .*)$", text, re.M):
            text = text.replace("# " + line, line)
        self.write("rpcspec.yaml", text.replace("minutes: 5", "minutes: 0.2") + f"select: '{FEW}'\n")
        self.rpcspec("run")

    def test_it_writes_addresses_secrets_and_tools_as_they_were_said(self):
        words = ["--url", "http://127.0.0.1:{port}/mcp", "--allow-tools", "add,any thing", "--",
                 "API_TOKEN=s3cret-value", "MODE=on", SERVER, "--transport", "http", "--port", "{port}"]
        self.rpcspec("init", *words)
        text = self.read("rpcspec.yaml")
        self.assertIn('url: "http://127.0.0.1:{port}/mcp"', text)
        self.assertIn("API_TOKEN: {secret: $API_TOKEN}", text)
        self.assertIn('MODE: "on"', text)
        self.assertIn('allow: {tools: [add, "any thing"]}', text)
        self.assertNotIn("s3cret-value", text)
        self.write("rpcspec.yaml", text + f"select: '{FEW}'\n")
        self.rpcspec("run", environment={"API_TOKEN": "s3cret-value"})

    def test_it_writes_over_nothing_and_nothing_of_what_it_could_not_ask(self):
        self.write("rpcspec.yaml", "mine\n")
        self.assertRegex(self.refused("init", "--", SERVER), r"^rpcspec.yaml: .*--force")
        self.assertEqual(self.read("rpcspec.yaml"), "mine\n")
        self.rpcspec("init", "--force", "--", SERVER)
        os.remove(self.path("rpcspec.yaml"))
        self.rpcspec("init", "--", "/no/such/program", code=3)
        self.assertFalse(os.path.exists(self.path("rpcspec.yaml")))


class RemoteTest(testkit.RpcspecTest):
    def test_another_machine_is_fuzzed_by_those_only_who_say_so(self):
        for url in ("http://example.com/mcp", "wss://10.0.0.1/", "tcp://[2001:db8::1]:7"):
            with self.subTest(url):
                self.assertRegex(self.refused("fuzz", "--execs", "1", "--url", url),
                                 r"^--yes-fuzz-remote: .*not an address of this machine")
        # and then it is asked for: nobody is there
        self.rpcspec("fuzz", "--execs", "1", "--yes-fuzz-remote", "--timeout", "100ms", "--url",
                     "tcp://0.0.0.0:1", code=3)

    def test_a_rate_is_obeyed(self):
        began = time.monotonic()
        out = self.rpcspec("fuzz", "--for", "4s", "--rate", "40", "--seed", "3", "--", SERVER,
                           "--profile", "jsonrpc-2.0", code=None)
        took = time.monotonic() - began
        (frames,) = re.findall(r"([\d,]+) frames", out.splitlines()[-3] + out)[:1] or [("0")]
        sent = int(frames.replace(",", ""))
        self.assertGreater(sent, 5)
        # What is a script goes at once, so one may be beyond.
        self.assertLess(sent, 40 * took + 300)


if __name__ == "__main__":
    testkit.main()
