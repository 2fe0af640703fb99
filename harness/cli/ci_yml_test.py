#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Runs the `run:` steps of CI.yml for real, as a workflow runner would: bash -eo pipefail, the
# environment of the file, one scratch folder as the checkout of a server project. What we ask
# others to copy must do what it says.
#
#   ci_yml_test.py RPCSPEC REFERENCE_SERVER
import json
import os
import shlex
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree

import yaml

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import RPCSPEC, SERVER, TOP, toy

# Enough to see the gate open and close; the whole suite is other tests' business.
FEW_CASES = "--select 'jsonrpc/id/*'"
WRITE_BASELINE = "--write-baseline rpcspec-baseline.yaml"  # of a whole run only


class Workflow:
    """CI.yml, played in a scratch folder."""

    def __init__(self, folder, **overrides):
        with open(os.path.join(TOP, "CI.yml"), encoding="utf-8") as file:
            self.file = yaml.safe_load(file)
        self.folder = folder
        self.env = {key: str(value) for key, value in self.file["env"].items()} | overrides
        (self.job,) = self.file["jobs"].values()

    def play(self):
        """Returns the steps that ran as (name, exit code, output); stops where a runner would."""
        played = []
        failed = False
        for step in self.job["steps"]:
            if "run" not in step or (failed and step.get("if") != "always()"):
                continue
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                cwd=self.folder, env=os.environ | self.env, text=True, timeout=600,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            played.append((step["name"], done.returncode, done.stdout))
            failed = failed or done.returncode != 0
        return played

    def report(self, name):
        return os.path.join(self.folder, "rpcspec-reports", name)


class CiYmlTest(testkit.RpcspecTest):
    def workflow(self, **overrides):
        settings = {"TARGET": f"-- '{SERVER}' --profile jsonrpc-2.0", "PROFILE": "jsonrpc-2.0",
                    "RPCSPEC_OPTIONS": FEW_CASES, "RPCSPEC_BIN": RPCSPEC}
        return Workflow(self.folder, **(settings | overrides))

    def test_sound_server_passes_and_leaves_both_reports(self):
        workflow = self.workflow()
        played = workflow.play()
        self.assertEqual([code for _, code, _ in played], [0, 0, 0], played)
        suites = ElementTree.parse(workflow.report("junit.xml")).getroot()
        self.assertEqual(suites.tag, "testsuites")
        self.assertGreater(int(suites.get("tests")), 0)
        self.assertEqual(suites.get("failures"), "0")
        with open(workflow.report("report.json"), encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual(report["format"], "rpcspec-report/1")
        self.assertTrue(report["gate"]["passed"])

    def test_broken_server_fails_the_step_and_still_leaves_the_reports(self):
        workflow = self.workflow(TARGET="-- " + shlex.join(toy("shouting")))
        name, code, output = workflow.play()[-1]
        self.assertEqual((name, code), ("Judge the server", 1), output)
        suites = ElementTree.parse(workflow.report("junit.xml")).getroot()
        self.assertGreater(int(suites.get("failures")), 0)
        self.assertIn("jsonrpc.", suites.find(".//failure").text)

    def test_baseline_lets_known_failures_through_and_nothing_else(self):
        broken = {"TARGET": "-- " + shlex.join(toy("shouting"))}
        first = self.workflow(**broken, RPCSPEC_OPTIONS=WRITE_BASELINE).play()
        self.assertTrue(os.path.exists(os.path.join(self.folder, "rpcspec-baseline.yaml")), first)
        name, code, output = self.workflow(**broken, RPCSPEC_OPTIONS="").play()[-1]
        self.assertEqual((name, code), ("Judge the server", 0), output)
        # and the list cannot rot: a sound server makes its entries stale
        name, code, output = self.workflow(RPCSPEC_OPTIONS="").play()[-1]
        self.assertEqual((name, code), ("Judge the server", 1), output)

    def test_server_that_cannot_be_set_up_is_not_judged(self):
        played = self.workflow(SERVER_SETUP="exit 7").play()
        self.assertEqual([(name, code) for name, code, _ in played][-1], ("Set up the server", 7))
        self.assertNotIn("Judge the server", [name for name, _, _ in played])

    @unittest.skipUnless(shutil.which("git"), "git is not installed")
    def test_fetches_and_builds_when_no_binary_is_given(self):
        # Building rpcspec inside its own tests would take minutes; a repository whose `dev build`
        # hands out the binary at hand shows that the step fetches a ref, builds and uses it.
        upstream = os.path.join(self.folder, "upstream")
        os.makedirs(upstream)
        with open(os.path.join(upstream, "dev"), "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\nset -e\ncd "$(dirname "$0")"\n[ "$*" = build ]\nmkdir -p build\n'
                       f"ln -sf '{RPCSPEC}' build/rpcspec\necho built >>built.log\n")
        os.chmod(os.path.join(upstream, "dev"), 0o755)
        git = ["git", "-c", "user.name=test", "-c", "user.email=test@localhost", "-C", upstream]
        for command in (["init", "-q"], ["add", "dev"], ["commit", "-q", "-m", "dev"],
                        ["tag", "v1"]):
            subprocess.run(git + command, check=True)
        workflow = self.workflow(RPCSPEC_BIN="", RPCSPEC_REPOSITORY=upstream, RPCSPEC_REF="v1")
        for _ in range(2):  # the second time out of the cached folder
            self.assertEqual([code for _, code, _ in workflow.play()], [0, 0, 0])
        self.assertTrue(os.path.exists(os.path.join(self.folder, ".rpcspec/built.log")))

    def test_reports_are_published_whatever_happened(self):
        steps = self.workflow().job["steps"]
        (upload,) = [step for step in steps if "upload-artifact" in step.get("uses", "")]
        self.assertEqual(upload["if"], "always()")
        self.assertEqual(upload["with"]["path"], "rpcspec-reports")
        (cache,) = [step for step in steps if "actions/cache" in step.get("uses", "")]
        self.assertEqual(cache["with"]["path"], ".rpcspec")


if __name__ == "__main__":
    testkit.main()
