#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Runs the steps of CI.yml, action.yml and CI.gitlab.yml for real, as a workflow runner would: bash
# -eo pipefail, the environment of the file, one scratch folder as the checkout of a server project.
# What we ask others to copy must do what it says.
#
#   ci_yml_test.py RPCSPEC REFERENCE_SERVER
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import unittest
import xml.etree.ElementTree as ElementTree

import yaml

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import RPCSPEC, SERVER, TOP, toy

# Enough to see the gate open and close; the whole suite is other tests' business.
FEW_CASES = "--select 'jsonrpc/id/*'"
WRITE_BASELINE = "--write-baseline rpcspec-baseline.yaml"  # of a whole run only
SOUND = f"-- '{SERVER}' --profile jsonrpc-2.0"
BROKEN = "-- " + shlex.join(toy("shouting"))
STEPS = ["Get rpcspec", "Set up the server", "Judge the server", "Fuzz the server"]


def load(name):
    with open(os.path.join(TOP, name), encoding="utf-8") as file:
        return yaml.safe_load(file)


def workflow(settings):
    """CI.yml as (name, script, environment)."""
    file = load("CI.yml")
    env = {key: str(value) for key, value in file["env"].items()} | settings
    (job,) = file["jobs"].values()
    return [(step["name"], step["run"], env) for step in job["steps"] if "run" in step]


def action(settings):
    """action.yml, whose inputs are named otherwise."""
    file = load("action.yml")
    inputs = {name: str(one.get("default", "")) for name, one in file["inputs"].items()}
    named = {}  # variable → input
    steps = [step for step in file["runs"]["steps"] if "run" in step]
    for step in steps:
        for variable, text in step["env"].items():
            (named[variable],) = re.fullmatch(r"\$\{\{ inputs\.(\S+) \}\}", text).groups()
    inputs |= {named[variable]: value for variable, value in settings.items()}
    return [(step["name"], step["run"],
             {variable: inputs[named[variable]] for variable in step["env"]}) for step in steps]


def gitlab(settings):
    """CI.gitlab.yml, whose script has no names, and runs in one shell."""
    (job,) = load("CI.gitlab.yml").values()
    env = {key: str(value) for key, value in job["variables"].items()} | settings
    return list(zip(STEPS, job["script"], [env] * len(STEPS), strict=True))


class CiTest(testkit.RpcspecTest):
    def play(self, kind=workflow, environment=None, **overrides):
        """Returns the steps that ran as (name, exit code, output); stops where a runner would."""
        settings = {"TARGET": SOUND, "PROFILE": "jsonrpc-2.0", "RPCSPEC_OPTIONS": FEW_CASES,
                    "RPCSPEC_FROM": RPCSPEC} | overrides
        played = []
        for name, script, env in kind(settings):
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
                cwd=self.folder, env=os.environ | env | (environment or {}), text=True, timeout=600,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            played.append((name, done.returncode, done.stdout))
            if done.returncode != 0:
                break
        return played

    def judged(self, *words, **more):
        """The exit code of the last step, which is the judgement."""
        name, code, output = self.play(*words, **more)[-1]
        if code != 0:
            self.assertEqual(name, "Judge the server", output)
        return code

    def report(self, name):
        return self.path(os.path.join("rpcspec-reports", name))


class EachOfThem(CiTest):
    def test_the_scripts_are_the_same_in_all_three(self):
        scripts = [[script for _, script, _ in kind({})] for kind in (workflow, action, gitlab)]
        scripts[2][0] = scripts[2][0].removeprefix("set -euo pipefail\n")
        for number, name in enumerate(STEPS):
            texts = {one[number].strip() for one in scripts}
            self.assertEqual(len(texts), 1, name)
        self.assertEqual([name for name, _, _ in workflow({})], STEPS)
        self.assertEqual([name for name, _, _ in action({})], STEPS)

    def test_a_sound_server_passes_and_leaves_its_reports(self):
        for kind in (workflow, action, gitlab):
            with self.subTest(kind.__name__):
                played = self.play(kind)
                self.assertEqual([code for _, code, _ in played], [0, 0, 0, 0], played)
                suites = ElementTree.parse(self.report("rpcspec.xml")).getroot()
                self.assertGreater(int(suites.get("tests")), 0)
                self.assertEqual(suites.get("failures"), "0")
                with open(self.report("rpcspec.json"), encoding="utf-8") as file:
                    report = json.load(file)
                self.assertEqual(report["format"], "rpcspec-report/1")
                self.assertTrue(report["gate"]["passed"])
                for name in ("rpcspec.html", "rpcspec.sarif", "rpcspec.md"):
                    self.assertTrue(os.path.exists(self.report(name)), name)
                shutil.rmtree(self.path("rpcspec-reports"))

    def test_a_broken_server_fails_the_step_and_still_leaves_the_reports(self):
        for kind in (workflow, action, gitlab):
            with self.subTest(kind.__name__):
                self.assertEqual(self.judged(kind, TARGET=BROKEN), 1)
                suites = ElementTree.parse(self.report("rpcspec.xml")).getroot()
                self.assertGreater(int(suites.get("failures")), 0)
                self.assertIn("jsonrpc.", suites.find(".//failure").text)
                shutil.rmtree(self.path("rpcspec-reports"))

    @unittest.skipUnless(shutil.which("node"), "node is not installed")
    def test_a_server_in_node_is_judged(self):
        server = os.path.join(testkit.TOYS, "node_server.js")
        for kind in (workflow, action, gitlab):
            with self.subTest(kind.__name__):
                self.assertEqual(self.judged(kind, TARGET=f"-- node '{server}'"), 0)
                self.assertEqual(self.judged(kind, TARGET=f"-- node '{server}' --numbers"), 1)

    def test_without_a_target_the_project_is_played(self):
        self.write("rpcspec.yaml", f"select: jsonrpc/id/*\ntargets: {{a: {{command: ['{SERVER}', "
                                   "--profile, jsonrpc-2.0], profile: jsonrpc-2.0}}\n")
        played = self.play(TARGET="", RPCSPEC_OPTIONS="")
        self.assertEqual([code for _, code, _ in played], [0, 0, 0, 0], played)
        self.assertIn("jsonrpc/id", self.read("rpcspec-reports/rpcspec.json"))


class GateTest(CiTest):
    def test_the_baseline_lets_known_failures_through_and_nothing_else(self):
        self.judged(TARGET=BROKEN, RPCSPEC_OPTIONS=WRITE_BASELINE)
        self.assertTrue(os.path.exists(self.path("rpcspec-baseline.yaml")))
        self.assertEqual(self.judged(TARGET=BROKEN, RPCSPEC_OPTIONS=""), 0)
        # and the list cannot rot: a sound server makes its entries stale
        self.assertEqual(self.judged(RPCSPEC_OPTIONS=""), 1)

    def test_a_server_that_cannot_be_set_up_is_not_judged(self):
        self.assertEqual(self.play(SERVER_SETUP="exit 7")[-1][:2], ("Set up the server", 7))

    def test_minutes_of_fuzzing_follow_and_their_findings_fail_the_step(self):
        faulty = SOUND + " --fault id-string-uppercased"
        name, code, output = self.play(TARGET=faulty, FUZZ_MINUTES="0.05",
                                       RPCSPEC_OPTIONS="--select jsonrpc/id/integer-echo")[-1]
        self.assertEqual((name, code), ("Fuzz the server", 1), output)
        self.assertTrue(os.listdir(self.report("findings")))
        self.assertTrue(os.path.exists(self.report("rpcspec-fuzz.sarif")))

    def test_reports_are_published_whatever_happened(self):
        (job,) = load("CI.yml")["jobs"].values()
        for steps in (job["steps"], load("action.yml")["runs"]["steps"]):
            (upload,) = [step for step in steps if "upload-artifact" in step.get("uses", "")]
            self.assertEqual(upload["if"], "always()")
            (sarif,) = [step for step in steps if "upload-sarif" in step.get("uses", "")]
            self.assertIn("always()", sarif["if"])
            self.assertTrue(sarif["continue-on-error"])
        (cache,) = [step for step in job["steps"] if "actions/cache" in step.get("uses", "")]
        self.assertEqual(cache["with"]["path"], ".rpcspec")
        (gitlab_job,) = load("CI.gitlab.yml").values()
        self.assertEqual(gitlab_job["artifacts"]["when"], "always")
        self.assertEqual(gitlab_job["artifacts"]["reports"]["junit"], "rpcspec-reports/rpcspec.xml")


class WhereItComesFromTest(CiTest):
    # Building rpcspec inside its own tests would take minutes. What stands for a release, a package
    # or a repository hands out the binary at hand.
    def test_a_program_that_is_not_there_is_told(self):
        name, code, output = self.play(RPCSPEC_FROM="no-such-rpcspec")[-1]
        self.assertEqual((name, code), ("Get rpcspec", 2), output)

    def test_a_tarball_is_unpacked_when_its_sum_is_right(self):
        os.makedirs(self.path("rpcspec-1/bin"))
        os.symlink(RPCSPEC, self.path("rpcspec-1/bin/rpcspec"))
        with tarfile.open(self.path("r.tar.gz"), "w:gz") as archive:
            archive.add(self.path("rpcspec-1"), "rpcspec-1")
        total = subprocess.check_output(["sha256sum", self.path("r.tar.gz")], text=True).split()[0]
        self.assertEqual(self.judged(RPCSPEC_FROM="r.tar.gz", RPCSPEC_SHA256=total), 0)
        name, code, output = self.play(RPCSPEC_FROM="r.tar.gz", RPCSPEC_SHA256="0" * 64)[-1]
        self.assertEqual((name, code != 0), ("Get rpcspec", True), output)

    @unittest.skipUnless(shutil.which("npm"), "npm is not installed")
    def test_an_npm_package_is_installed(self):
        self.write("package/package.json", json.dumps(
            {"name": "rpcspec", "version": "1.0.0", "bin": {"rpcspec": "rpcspec.sh"}}))
        self.write("package/rpcspec.sh", f"#!/bin/sh\nexec '{RPCSPEC}' \"$@\"\n")
        os.chmod(self.path("package/rpcspec.sh"), 0o755)
        subprocess.run(["npm", "pack", "--silent"], cwd=self.path("package"), check=True,
                       stdout=subprocess.DEVNULL)
        packed = self.path("package/rpcspec-1.0.0.tgz")
        self.assertEqual(self.judged(RPCSPEC_FROM=f"npm:{packed}"), 0)

    @unittest.skipUnless(shutil.which("git"), "git is not installed")
    def test_a_repository_is_fetched_and_built(self):
        upstream = self.path("upstream")
        self.write("upstream/dev",
                   '#!/bin/sh\nset -e\ncd "$(dirname "$0")"\n[ "$*" = build ]\nmkdir -p build\n'
                   f"ln -sf '{RPCSPEC}' build/rpcspec\necho built >>built.log\n")
        os.chmod(os.path.join(upstream, "dev"), 0o755)
        git = ["git", "-c", "user.name=test", "-c", "user.email=test@localhost", "-C", upstream]
        for command in (["init", "-q"], ["add", "dev"], ["commit", "-q", "-m", "dev"],
                        ["tag", "v1"]):
            subprocess.run(git + command, check=True)
        for _ in range(2):  # the second time out of the cached folder
            self.assertEqual(self.judged(RPCSPEC_FROM=f"{upstream}#v1"), 0)
        self.assertTrue(os.path.exists(self.path(".rpcspec/source/built.log")))
        # What was kept is not taken for another version.
        self.assertEqual(self.judged(RPCSPEC_FROM=RPCSPEC), 0)
        self.assertFalse(os.path.exists(self.path(".rpcspec/source")))


class GithubTest(CiTest):
    """What is said by itself where GITHUB_ACTIONS is set."""

    def on_github(self, **more):
        here = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": self.path("summary.md")}
        played = self.play(environment=here, **more)
        return [step for step in played if step[0] == "Judge the server"][0]

    def commands(self, output):
        """The workflow commands a runner would hear: none between stop-commands and its token."""
        heard, token = [], None
        for line in output.splitlines():
            line = line.lstrip()
            if token is not None:
                if line == f"::{token}::":
                    token = None
            elif line.startswith("::stop-commands::"):
                token = line.removeprefix("::stop-commands::")
            elif line.startswith("::"):
                heard.append(line)
        self.assertIsNone(token, "commands are heard again at the end")
        return heard

    def test_causes_are_annotations_and_the_summary_of_the_step(self):
        self.write("summary.md", "before\n")
        _, code, output = self.on_github(TARGET=SOUND + " --fault id-string-uppercased")
        self.assertEqual(code, 1)
        errors = [line for line in self.commands(output) if line.startswith("::error title=")]
        self.assertTrue(errors, output)
        self.assertIn("jsonrpc.id.string-echo", errors[0])
        self.assertIn("rpcspec run ", errors[0])
        summary = self.read("summary.md")
        self.assertTrue(summary.startswith("before\n"))
        self.assertIn("jsonrpc.id.string-echo", summary)

    def test_a_sound_server_is_a_notice(self):
        self.assertEqual(self.on_github(TARGET=SOUND)[1], 0)
        self.assertEqual({line.split("::")[1] for line in self.commands(self.on_github()[2])
                          if "title=rpcspec" in line}, {"notice title=rpcspec"})

    def test_a_target_cannot_speak_to_the_runner(self):
        self.write("hostile.py", "import sys\nfor line in sys.stdin:\n"
                                 "    print('::error::from the target', flush=True)\n")
        _, code, output = self.on_github(TARGET="-- python3 hostile.py")
        self.assertNotEqual(code, 0)
        self.assertFalse([line for line in self.commands(output)
                          if line.startswith("::error::")], output)

    def test_elsewhere_nothing_is_said(self):
        output = self.rpcspec("run", "--profile", "jsonrpc-2.0", "--select", "jsonrpc/id/*", "--",
                              SERVER, "--profile", "jsonrpc-2.0",
                              environment={"GITHUB_ACTIONS": ""})
        self.assertNotIn("::", output)

    def test_a_project_and_a_campaign_are_told_too(self):
        self.write("rpcspec.yaml", "select: jsonrpc/id/*\nprofiles: [jsonrpc-2.0]\ntargets:\n" + "".join(
            f"  {name}: {{command: ['{SERVER}', --profile, jsonrpc-2.0{fault}]}}\n"
            for name, fault in (("a", ""), ("b", ", --fault, id-string-uppercased"))))
        _, code, output = self.on_github(TARGET="", RPCSPEC_OPTIONS="")
        self.assertEqual(code, 1)
        self.assertTrue([line for line in self.commands(output) if "jsonrpc.id.string-echo" in line])


if __name__ == "__main__":
    testkit.main()
