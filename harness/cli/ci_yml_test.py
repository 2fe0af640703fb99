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

HARNESS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path[:0] = [HARNESS, os.path.join(HARNESS, "package")]
import release
import sample_release
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
    """action.yml, whose inputs are named otherwise, and whose first step says what the second takes."""
    file = load("action.yml")
    inputs = {name: str(one.get("default", "")) for name, one in file["inputs"].items()}
    steps = [step for step in file["runs"]["steps"] if "run" in step and "if" not in step]
    told = re.compile(r"\$\{\{ (inputs|steps\.release\.outputs)\.(\S+) \}\}")
    named = {variable: told.fullmatch(text).groups() for step in steps for variable, text in step["env"].items()}
    given = {told.fullmatch(text)[2]: settings[variable] for step in steps
             for variable, text in step["env"].items() if variable in settings}
    assert set(settings) <= set(named)
    inputs |= given

    def environment(step):
        def at_its_turn(outputs):
            return {variable: (inputs if where == "inputs" else outputs)[name] for variable, (where, name) in
                    ((variable, told.fullmatch(text).groups()) for variable, text in step["env"].items())}
        return at_its_turn

    return [(step["name"], step["run"], environment(step)) for step in steps]


def gitlab(settings):
    """CI.gitlab.yml, whose script has no names, and runs in one shell."""
    (job,) = load("CI.gitlab.yml").values()
    env = {key: str(value) for key, value in job["variables"].items()} | settings
    return list(zip(STEPS, job["script"], [env] * len(STEPS), strict=True))


class CiTest(testkit.RpcspecTest):
    def setUp(self):
        super().setUp()
        self.checkout = self.folder  # where the steps run

    def play(self, kind=workflow, environment=None, **overrides):
        """Returns the steps that ran as (name, exit code, output); stops where a runner would."""
        settings = {"TARGET": SOUND, "PROFILE": "jsonrpc-2.0", "RPCSPEC_OPTIONS": FEW_CASES,
                    "RPCSPEC_FROM": RPCSPEC} | overrides
        played = []
        outputs = self.path("outputs")
        for name, script, env in kind(settings):
            if callable(env):
                open(outputs, "a").close()
                with open(outputs, encoding="utf-8") as file:
                    env = env(dict(line.split("=", 1) for line in file.read().splitlines()))
                env |= {"GITHUB_OUTPUT": outputs, "GITHUB_ACTION_PATH": TOP}
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=self.checkout,
                env=sample_release.without_proxies(os.environ) | env | (environment or {}),
                text=True, timeout=600,
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
        return os.path.join(self.checkout, "rpcspec-reports", name)


class EachOfThem(CiTest):
    def test_the_scripts_are_the_same_in_all_three(self):
        scripts = [[script for _, script, _ in kind({})] for kind in (workflow, action, gitlab)]
        del scripts[1][0]
        scripts[2][0] = scripts[2][0].removeprefix("set -euo pipefail\n")
        for number, name in enumerate(STEPS):
            texts = {one[number].strip() for one in scripts}
            self.assertEqual(len(texts), 1, name)
        self.assertEqual([name for name, _, _ in workflow({})], STEPS)
        self.assertEqual([name for name, _, _ in action({})], ["Choose the release", *STEPS])

    def test_a_sound_server_passes_and_leaves_its_reports(self):
        for kind in (workflow, action, gitlab):
            with self.subTest(kind.__name__):
                played = self.play(kind)
                self.assertEqual({code for _, code, _ in played}, {0}, played)
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
        name, code, output = self.play(TARGET=faulty, FUZZ_MINUTES="0.2",
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


@unittest.skipUnless(shutil.which("git"), "git is not installed")
class CompareTest(CiTest):
    """Two sides of a pull request: what became worse fails, and nothing else does."""

    def setUp(self):
        super().setUp()
        self.upstream = self.path("upstream")
        subprocess.run(["git", "init", "-q", "-b", "main", self.upstream], check=True)
        self.commit("", "first")

    def git(self, *words):
        return subprocess.run(["git", "-c", "user.name=test", "-c", "user.email=test@localhost", "-C", self.upstream,
                               *words], check=True, capture_output=True, text=True).stdout

    def commit(self, options, message, **files):
        """The server of the project, with options of the reference server."""
        files["server"] = f"#!/bin/sh\nexec '{SERVER}' --profile jsonrpc-2.0 {options} \"$@\"\n"
        for name, text in files.items():
            self.write(f"upstream/{name}", text)
            os.chmod(self.path(f"upstream/{name}"), 0o755)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def compare(self, kind=workflow, branch="change", **more):
        """What the steps do in a checkout of the last commit alone, as a runner makes it."""
        self.checkout = self.path("checkout")
        shutil.rmtree(self.checkout, ignore_errors=True)
        subprocess.run(["git", "clone", "-q", "--depth", "1", "-b", branch, f"file://{self.upstream}",
                        self.checkout], check=True)
        pull = {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME" if kind is gitlab else "GITHUB_BASE_REF": "main"}
        return self.play(kind, **{"TARGET": "-- ./server", "COMPARE_WITH": "merge-base", "environment": pull} | more)

    def judged(self, *words, **more):
        name, code, output = self.compare(*words, **more)[-1]
        self.assertEqual(name, "Fuzz the server" if code == 0 else "Judge the server", output)
        return code, output

    WRONG = "--fault id-string-uppercased"

    def test_what_got_worse_fails_in_all_three(self):
        self.git("switch", "-q", "-c", "change")
        self.commit(self.WRONG, "worse")
        for kind in (workflow, action, gitlab):
            with self.subTest(kind.__name__):
                code, output = self.judged(kind)
                self.assertEqual(code, 1)
                self.assertIn("jsonrpc.id.string-echo", output)
                with open(self.report("comparison.json"), encoding="utf-8") as file:
                    self.assertTrue(json.load(file)["worse"])
                self.assertTrue(os.path.exists(self.report("rpcspec.html")))
        # The folder of the other side is gone.
        listed = subprocess.check_output(["git", "-C", self.checkout, "worktree", "list"], text=True)
        self.assertEqual(listed.count("\n"), 1, listed)

    def test_what_was_broken_before_fails_nothing_and_what_was_repaired_does_not_either(self):
        self.commit(self.WRONG, "broken on main")
        self.git("switch", "-q", "-c", "change")
        self.commit(self.WRONG, "as broken", readme="more")
        code, output = self.judged()
        self.assertEqual(code, 0, output)
        self.assertIn("0 worse", self.read_report("comparison.txt"))
        self.commit("", "repaired")
        self.assertEqual(self.judged()[0], 0)
        self.assertIn("BETTER", self.read_report("comparison.txt"))

    def read_report(self, name):
        with open(self.report(name), encoding="utf-8") as file:
            return file.read()

    def test_what_main_became_since_does_not_count(self):
        self.git("switch", "-q", "-c", "change")
        self.commit(self.WRONG, "worse")
        self.git("switch", "-q", "main")
        self.commit(self.WRONG, "worse, too")
        self.assertEqual(self.judged()[0], 1)

    def test_a_branch_can_be_named_and_the_summary_says_it(self):
        self.git("switch", "-q", "-c", "change")
        self.commit(self.WRONG, "worse")
        summary = self.path("summary.md")
        code, _ = self.judged(COMPARE_WITH="main", environment={"GITHUB_STEP_SUMMARY": summary})
        self.assertEqual(code, 1)
        self.assertIn("    WORSE ", self.read("summary.md"))

    def test_a_push_is_judged_alone(self):
        self.git("switch", "-q", "-c", "change")
        self.commit(self.WRONG, "worse")
        self.assertEqual(self.judged(environment={})[0], 1)
        self.assertFalse(os.path.exists(self.report("comparison.json")))

    def test_where_the_other_side_cannot_be_built_this_one_is_judged_alone(self):
        self.git("switch", "-q", "-c", "change")
        self.commit("", "can be built", setup="#!/bin/sh\ntrue\n")
        code, output = self.judged(SERVER_SETUP="./setup")
        self.assertEqual(code, 0, output)
        self.assertFalse(os.path.exists(self.report("comparison.json")))
        self.commit(self.WRONG, "worse")
        code, output = self.judged(SERVER_SETUP="./setup")
        self.assertEqual(code, 1)
        self.assertIn("the other side cannot be judged", output)


class WhereItComesFromTest(CiTest):
    # Building rpcspec inside its own tests would take minutes. What stands for a release, a package
    # or a repository hands out the binary at hand.
    def test_a_program_that_is_not_there_is_told(self):
        name, code, output = self.play(RPCSPEC_FROM="no-such-rpcspec")[-1]
        self.assertEqual((name, code), ("Get rpcspec", 2), output)

    def released(self, version):
        """A folder that holds the release of a version, with the binary at hand as its program."""
        made = sample_release.packages(self.path("packages"), version,
                                       f"#!/bin/sh\nexec '{RPCSPEC}' \"$@\"\n")
        release.gather(self.path("release"), made)
        place = self.path(f"releases/download/v{version}")
        shutil.copytree(self.path("release/assets"), place)
        return self.path("releases")

    def test_the_action_takes_the_release_that_it_is_of(self):
        (version,) = {version for _, version in release.said()}
        place = self.released(version)
        with sample_release.served(place) as address:
            played = self.play(action, RPCSPEC_FROM="", environment={"RPCSPEC_RELEASES": address})
            self.assertEqual([code for _, code, _ in played], [0] * 5, played)
            self.assertIn(f"{address}/download/v{version}/rpcspec-{version}-linux-", self.read(".rpcspec/from"))
            # Its sum is checked.
            shutil.rmtree(self.path(".rpcspec"))
            archive = os.path.join(place, f"download/v{version}/rpcspec-{version}-linux-{os.uname().machine}.tar.gz")
            with open(archive, "ab") as file:
                file.write(b"x")
            name, code, output = self.play(action, RPCSPEC_FROM="", environment={"RPCSPEC_RELEASES": address})[-1]
            self.assertEqual((name, code), ("Get rpcspec", 1), output)

    def test_an_action_without_a_release_says_what_to_do(self):
        os.makedirs(self.path("releases"))
        with sample_release.served(self.path("releases")) as address:
            name, code, output = self.play(action, RPCSPEC_FROM="", environment={"RPCSPEC_RELEASES": address})[-1]
        self.assertEqual((name, code), ("Choose the release", 2), output)
        self.assertIn("say what to use with 'from'", output)

    def test_a_machine_that_the_release_has_nothing_for_is_told(self):
        (version,) = {version for _, version in release.said()}
        self.write("tools/uname", "#!/bin/sh\nif [ $1 = -s ]; then echo Darwin; else echo x86_64; fi\n")
        os.chmod(self.path("tools/uname"), 0o755)
        with sample_release.served(self.released(version)) as address:
            name, code, output = self.play(action, RPCSPEC_FROM="", environment={
                "RPCSPEC_RELEASES": address, "PATH": self.path("tools") + ":" + os.environ["PATH"]})[-1]
        self.assertEqual((name, code), ("Choose the release", 2), output)
        self.assertIn("nothing for darwin-x86_64", output)

    def test_the_action_can_be_listed(self):
        file = load("action.yml")
        self.assertEqual(set(file["branding"]), {"icon", "color"})
        self.assertLessEqual(len(file["description"]), 125)
        self.assertFalse([name for name, one in file["inputs"].items() if one.get("required")])

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

    @unittest.skipUnless(shutil.which("npm"), "npm is not installed")
    def test_what_npm_complains_of_is_shown(self):
        for kind in (workflow, action, gitlab):
            missing = self.path("missing.tgz")
            name, code, output = self.play(kind, RPCSPEC_FROM=f"npm:{missing}")[-1]
            self.assertEqual((name, code != 0), ("Get rpcspec", True), output)
            self.assertIn("missing.tgz", output)

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
