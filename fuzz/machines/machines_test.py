#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Campaigns and runs on several machines, with processes in their place: `fuzz merge`, `run --targets`,
# and the steps of the templates.
#
#   machines_test.py RPCSPEC REFERENCE_SERVER LIBRARY_FOLDER [TEST...]
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../harness"))
import testkit
from testkit import RPCSPEC, SERVER, flat

FAULTS = ("ping-refused", "params-array-kills", "tool-without-name")
PROFILE = ["--profile", "mcp-2025-11-25"]
SCRIPTS = "120"
MACHINES = 8


def server(*faults):
    return ["--", SERVER, *PROFILE, *(word for fault in faults for word in ("--fault", fault))]


class MachinesTest(testkit.RpcspecTest):
    SECONDS = 200

    def together(self, commands):
        """Runs them at the same time, each a list of words for rpcspec; returns their exit codes."""
        running = [subprocess.Popen([RPCSPEC, *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for words in commands]
        return [one.wait(timeout=self.SECONDS) for one in running]

    def folders(self, folder):
        return [name for name in os.listdir(self.path(folder)) if os.path.isdir(self.path(os.path.join(folder, name)))]

    def bugs(self, folder):
        """Of each finding its clause, how bad it is, and its kind."""
        facts = {name: self.load(os.path.join(folder, name, "finding.json")) for name in self.folders(folder)}
        return {(one["requirement"], one["severity"], name.split("-")[0]) for name, one in facts.items()}


class MergeTest(MachinesTest):
    def campaign(self, seed, findings, corpus):
        return ["fuzz", "--seed", str(seed), "--execs", SCRIPTS, "--findings", findings, "--corpus", corpus,
                *server(*FAULTS)]

    def test_eight_processes_find_what_one_does_with_the_same_seeds(self):
        names = [f"machine-{seed}" for seed in range(1, MACHINES + 1)]
        codes = self.together([self.campaign(seed, f"{name}/findings", f"{name}/corpus")
                               for seed, name in enumerate(names, 1)])
        self.assertEqual(set(codes), {1})
        for seed in range(1, MACHINES + 1):
            # The corpus is left out, as one campaign would build on that of another.
            self.rpcspec(*self.campaign(seed, "alone", f"corpus-{seed}"), code=None)
        said = self.rpcspec("fuzz", "merge", *names, "--into", "all", *server(*FAULTS))
        self.assertEqual(self.bugs("all/findings"), self.bugs("alone"), said)
        # The counts are those of the machines.
        found_in = [self.load(f"all/findings/{name}/finding.json")["found_in"]
                    for name in self.folders("all/findings")]
        self.assertTrue(all(1 <= len(one) <= MACHINES for one in found_in))
        self.assertIn(MACHINES, [len(one) for one in found_in], "some bug is found by everybody")
        # What was merged replays, and the corpus is smaller and shows the same.
        self.rpcspec("replay", "all/findings", *server(*FAULTS), code=1)
        kept, of, behaviours = map(int, re.search(r"(\d+) of (\d+) scripts show all (\d+) behaviours", said).groups())
        self.assertLess(kept, of)
        self.assertEqual(len(os.listdir(self.path("all/corpus"))), kept)
        again = self.rpcspec("fuzz", "merge", "all", "--into", "all", *server(*FAULTS))
        now = int(re.search(r"scripts show all (\d+) behaviours", again)[1])
        self.assertGreater(now, behaviours * 0.95)
        self.assertEqual(self.bugs("all/findings"), self.bugs("alone"))

    def test_without_a_server_every_script_is_kept_once(self):
        self.write("a/corpus/1", "ping")
        self.write("b/corpus/1", "pong")
        self.write("b/corpus/2", "ping")
        said = self.rpcspec("fuzz", "merge", "a", "b", "--into", "all")
        self.assertIn("2 scripts of the corpora, in all/corpus; name the server", said)
        self.assertEqual({self.read(f"all/corpus/{name}") for name in os.listdir(self.path("all/corpus"))},
                         {"ping", "pong"})
        self.assertFalse(os.path.exists(self.path("all/findings")))

    def test_mistakes_are_told_in_a_sentence(self):
        self.assertEqual(self.refused("fuzz", "merge", "none", "--into", "all"),
                         "none: there is no such folder; name folders that `fuzz --findings` or `fuzz "
                         "--corpus` wrote, or folders with `findings` and `corpus` in them")
        self.assertIn("--into is required", self.refused("fuzz", "merge", "none"))
        self.write("file", "")
        self.assertIn("file: ", self.refused("fuzz", "merge", ".", "--into", "file"))
        self.assertRegex(self.rpcspec("fuzz", "merge", "--help"), r"Usage: \S+ fuzz merge \[OPTIONS\] DIR... \[TARGET\]")


class FleetTest(MachinesTest):
    FEW = ["--profile", "jsonrpc-2.0", "--select", "jsonrpc/id/*"]

    def setUp(self):
        super().setUp()
        servers = {name: {"command": SERVER, "args": ["--profile", "jsonrpc-2.0", *faults]}
                   for name, faults in (("sound", []), ("loud", ["--fault", "id-string-uppercased"]),
                                        ("other", []), ("same", ["--fault", "id-string-uppercased"]))}
        self.write("servers.json", json.dumps({"mcpServers": servers}))
        self.fleet = ["run", "--targets", "servers.json", *self.FEW]

    def columns(self, name):
        """The runs of the matrix with their gates, and its causes with the runs that have them."""
        data = json.loads(re.search(r'<script type="application/json"[^>]*>(.*?)</script>', self.read(name), re.S)[1])
        return ({run["name"]: run["gate"]["passed"] for run in data["runs"]},
                {cause["title"]: sorted(cause["cells"]) for cause in data["causes"]})

    def test_shards_make_the_matrix_of_one_process(self):
        self.rpcspec(*self.fleet, "--into", "whole", "--report", "json=whole.json", code=1)
        codes = self.together([[*self.fleet, "--into", "parts", "--shard", f"{i}/3"] for i in (1, 2, 3)])
        self.assertEqual(sorted(codes), [0, 1, 1])
        # The one that ends last has all; whoever comes later too.
        self.rpcspec(*self.fleet, "--into", "parts", "--report", "json=parts.json", code=1)
        self.assertIn("4 of 4 were judged before", self.complaint)
        gates, causes = self.columns("parts/matrix.html")
        self.assertEqual(gates, {"sound": True, "loud": False, "other": True, "same": False})
        self.assertEqual(set(map(tuple, causes.values())), {("loud", "same")})
        self.assertEqual(self.columns("whole/matrix.html"), (gates, causes))
        whole, parts = self.load("whole.json"), self.load("parts.json")
        self.assertEqual({case["id"]: case["verdict"] for case in parts["cases"]},
                         {case["id"]: case["verdict"] for case in whole["cases"]})

    def test_it_goes_on_where_it_stopped(self):
        self.rpcspec(*self.fleet, "--into", "out", "--shard", "1/2", code=None)
        self.assertIn("2 of 4 are judged so far", self.complaint)
        before = os.stat(self.path("out/sound.json")).st_mtime_ns
        self.rpcspec(*self.fleet, "--into", "out", code=1)
        self.assertIn("2 of 4 were judged before; remove out to judge them again", self.complaint)
        self.assertEqual(os.stat(self.path("out/sound.json")).st_mtime_ns, before)
        self.assertEqual(sorted(os.listdir(self.path("out"))),
                         ["asked.txt", "loud.json", "matrix.html", "other.json", "same.json", "sound.json"])
        self.assertEqual(self.refused(*self.fleet, "--into", "out", "--level", "should"),
                         "out/asked.txt: the reports here are of a run with other options; name another folder "
                         "with --into, or remove this one")

    def test_a_server_that_cannot_be_reached_is_shown_and_tried_again(self):
        self.write("many/gone.yaml", "command: [./gone, --profile, jsonrpc-2.0]\n")
        self.write("many/here/target.yaml", f"command: [{SERVER}, --profile, jsonrpc-2.0]\n")
        self.write("many/README.md", "none\n")
        fleet = ["run", "--targets", "many", *self.FEW, "--into", "out"]
        self.assertRegex(self.rpcspec(*fleet, code=3), r"gate +failed +passed\n")
        gates, _ = self.columns("out/matrix.html")
        self.assertEqual(gates, {"gone": False, "here": True})
        os.symlink(SERVER, self.path("many/gone"))
        self.rpcspec(*fleet)
        self.assertIn("1 of 2 were judged before", self.complaint)

    def test_profiles_are_columns(self):
        self.write("one.yaml", f"command: [{SERVER}]\n")
        self.rpcspec("run", "--targets", "one.yaml", "--profile", "2025-06-18,2025-11-25", "--select", "mcp/ping/*",
                     "--into", "out")
        gates, _ = self.columns("out/matrix.html")
        self.assertEqual(set(gates), {"one-mcp-2025-06-18", "one-mcp-2025-11-25"})

    def test_mistakes_are_told_in_a_sentence(self):
        self.write("empty/README.md", "")
        self.write("wrong/a.yaml", "comand: [x]\n")
        for words, sentence in (
                (["--targets", "none.json"], "^none.json: "),
                (["--targets", "empty"], "^--targets: empty names no target; name an mcpServers file"),
                (["--targets", "wrong"], r"^wrong/a.yaml:1:1: unknown key 'comand'"),
                (["--targets", "servers.json", "--shard", "3/2"], "^--shard: "),
                (["--targets", "servers.json", "--profile", "all"], "^--profile: .*list them"),
                (["--targets", "servers.json", "--baseline", "b.yaml"], "^--baseline: it is for one target"),
                (["--targets", "servers.json", "--", SERVER], "^--: --targets names the servers"),
                (["--into", "x", "--", SERVER], "^--into: it is where the reports of many targets go")):
            with self.subTest(words):
                self.assertRegex(flat(self.refused("run", *words)), sentence)


class TemplatesTest(MachinesTest):
    """What people copy does what it says."""
    TARGET = f"-- '{SERVER}' --profile mcp-2025-11-25 --fault tool-without-name"

    def setUp(self):
        super().setUp()
        self.write("bin/rpcspec", f'#!/bin/sh\nexec "{RPCSPEC}" "$@"\n')
        os.chmod(self.path("bin/rpcspec"), 0o755)
        self.around = {"PATH": self.path("bin") + ":" + os.environ["PATH"], "TARGET": self.TARGET,
                       "BUDGET": "--execs 60", "RPCSPEC": "rpcspec", "SERVER_SETUP": "true"}

    def shell(self, script, expected=0, **settings):
        done = subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=self.folder, text=True, timeout=300,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**os.environ, **self.around, **settings})
        self.assertEqual(done.returncode, expected, done.stdout)
        return done.stdout

    def test_the_matrix_of_github(self):
        with open(os.path.join(HERE, "github.yml"), encoding="utf-8") as file:
            jobs = yaml.safe_load(file)["jobs"]
        self.assertEqual(jobs["fuzz"]["strategy"]["matrix"]["machine"], list(range(1, MACHINES + 1)))
        self.assertEqual(jobs["merge"]["needs"], "fuzz")
        steps = {step["name"]: step["run"] for job in jobs.values() for step in job["steps"] if "run" in step}
        known = {"KNOWN": "rpcspec-findings"}
        for machine in ("1", "2"):
            self.shell(steps["Set up the server"])
            self.shell(steps["Fuzz the server"], MACHINE=machine, **known)
        self.shell(steps["Join it"])
        said = self.shell(steps["Fail on new bugs"], expected=1, GITHUB_STEP_SUMMARY=self.path("summary.md"), **known)
        self.assertIn("new bugs: 1", said)
        self.assertIn("# mcp.tools.name-string", self.read("summary.md"))
        # Once it is known, nothing is new; the corpus of the last night is used.
        shutil.copytree(self.path("campaign/findings"), self.path("rpcspec-findings"))
        shutil.rmtree(self.path("machine-1"))
        shutil.rmtree(self.path("machine-2"))
        self.assertIn("no new findings; 1 known", self.shell(steps["Fuzz the server"], MACHINE="1", **known))
        self.shell(steps["Join it"])
        self.assertIn("new bugs: 0", self.shell(steps["Fail on new bugs"], **known))

    def test_the_indexed_job_of_kubernetes(self):
        with open(os.path.join(HERE, "kubernetes.yaml"), encoding="utf-8") as file:
            claim, fuzz, merge = yaml.safe_load_all(file)
        self.assertEqual([claim["kind"], fuzz["kind"], merge["kind"]], ["PersistentVolumeClaim", "Job", "Job"])
        self.assertEqual(fuzz["spec"]["completionMode"], "Indexed")
        self.assertEqual(fuzz["spec"]["completions"], MACHINES)
        scripts = []
        for job in (fuzz, merge):
            pod = job["spec"]["template"]["spec"]
            (container,), (volume,) = pod["containers"], pod["volumes"]
            self.assertEqual(volume["persistentVolumeClaim"]["claimName"], claim["metadata"]["name"])
            self.assertEqual(container["volumeMounts"], [{"name": volume["name"], "mountPath": "/shared"}])
            self.assertEqual(container["command"], ["sh", "-ec"])
            scripts.append(container["args"][0].replace("/shared", self.path("shared")))
        settings = {one["name"]: one["value"] for one in merge["spec"]["template"]["spec"]["containers"][0]["env"]}
        self.assertEqual(settings["MACHINES"], str(MACHINES))
        for index in range(2):
            self.shell(scripts[0], JOB_COMPLETION_INDEX=str(index))
        self.assertTrue(os.path.exists(self.path("shared/machine-1/done")))
        self.shell(scripts[1], MACHINES="2")
        self.assertEqual({clause for clause, _, _ in self.bugs("shared/campaign/findings")}, {"mcp.tools.name-string"})

    def test_the_target_of_clusterfuzzlite(self):
        if not shutil.which("clang++-14") or not LIB:
            self.skipTest("there is no clang, or no archive")
        tree = os.path.join(HERE, "../..")
        # What a release unpacks, from the build.
        for folder in ("include", "share/rpcspec", "out"):
            os.makedirs(self.path(folder))
        os.symlink(os.path.join(tree, "fuzz/handler/include/rpcspec"), self.path("include/rpcspec"))
        os.symlink(LIB, self.path("lib"))
        os.symlink(os.path.join(LIB, "../corpus/seeds"), self.path("share/rpcspec/seeds"))
        build = os.path.join(HERE, "clusterfuzzlite/build.sh")
        self.shell(f"bash -eu {build}", RPCSPEC=self.folder, OUT=self.path("out"), CXX="clang++-14",
                   SOURCES=os.path.join(tree, "fuzz/handler/examples/fuzz_server.cc"), PROFILE="mcp-2025-06-18",
                   CXXFLAGS="-O1 -stdlib=libc++ -fsanitize=address -fsanitize=fuzzer-no-link",
                   LIB_FUZZING_ENGINE="-fsanitize=fuzzer")
        with zipfile.ZipFile(self.path("out/server_fuzzer_seed_corpus.zip")) as packed:
            packed.extractall(self.path("seeds"))
        # As the service plays it: plain libFuzzer, which stops at the first finding.
        run = f"out/server_fuzzer -runs=300 -seed=1 -artifact_prefix={self.folder}/ seeds 2>&1"
        self.assertIn("DONE", self.shell(run))
        self.assertIn("mcp.base.notification-no-response",
                      self.shell(run, expected=77, EXAMPLE_BUG="notification-answered"))


LIB = testkit.WORDS.pop(0) if testkit.WORDS and os.path.isdir(testkit.WORDS[0]) else ""

if __name__ == "__main__":
    testkit.main()
