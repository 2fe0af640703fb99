#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Reads .github/workflows, and runs the steps of a release as a runner would, in a folder that stands
# for the checkout: what compiles, and what needs an account, is played by small programs that write down
# what they were asked; git, npm, tar, the registry and the place of releases are on this machine.
#
#   workflow_test.py RPCSPEC REFERENCE_SERVER
import base64
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest
import urllib.parse

import yaml

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import release
import sample_release
import testkit
from testkit import RPCSPEC

VERSION = "1.2.3"
TAG_ONLY = "github.ref_type == 'tag'"


def load(name):
    file = yaml.safe_load((TOP / ".github/workflows" / name).read_text(encoding="utf-8"))
    file["on"] = file.pop(True)  # which is what YAML 1.1 makes of that word
    return file


RELEASE, CI = load("release.yml"), load("ci.yml")


def steps(workflow):
    return [(name, step) for name, job in workflow["jobs"].items() for step in job["steps"]]


class ReadTest(unittest.TestCase):
    def test_actions_are_named_by_their_commit_the_same_everywhere(self):
        versions = {}
        for name in ("ci.yml", "release.yml"):
            text = (TOP / ".github/workflows" / name).read_text(encoding="utf-8")
            lines = re.findall(r"(?m)^ +uses: (.*)", text)
            self.assertGreater(len(lines), 1)
            for line in lines:
                action, commit = re.fullmatch(r"([\w/-]+)@([0-9a-f]{40} # v\d+\.\d+\.\d+)", line).groups()
                self.assertEqual(versions.setdefault(action, commit), commit)

    def test_scripts_take_what_strangers_write_out_of_variables_only(self):
        for workflow in (RELEASE, CI):
            for job, step in steps(workflow):
                self.assertNotIn("${{", step.get("run", ""), job)

    def test_scripts_are_sound(self):
        if not shutil.which("shellcheck"):
            self.skipTest("shellcheck is not installed")
        scripts = [step["run"] for workflow in (RELEASE, CI) for _, step in steps(workflow) if "run" in step]
        # SC1091: names.env is not looked into; SC2016: a file gets the name of a variable; SC2086: an option
        # that may be none; SC2153, SC2154: variables of names.env and of the step
        done = subprocess.run(
            ["shellcheck", "-s", "bash", "-e", "SC1091,SC2016,SC2086,SC2153,SC2154,SC2317", "-"], text=True,
            input="set -e\n" + "".join(f"(\n{script}\n)\n" for script in scripts), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertGreater(len(scripts), 15)

    def test_containers_are_the_base_of_the_image_by_its_digest(self):
        (base,) = re.findall(r"(?m)^FROM (\S+)", (HERE / "Dockerfile").read_text(encoding="utf-8"))
        self.assertEqual({job["container"] for workflow in (RELEASE, CI) for job in workflow["jobs"].values()
                          if "container" in job}, {base})

    def test_jobs_may_write_only_what_they_have_to(self):
        for workflow in (RELEASE, CI):
            self.assertEqual(workflow["permissions"], {"contents": "read"})
        self.assertFalse([name for name, job in CI["jobs"].items() if "permissions" in job])
        self.assertEqual(
            {name: {what for what, how in job["permissions"].items() if how == "write"}
             for name, job in RELEASE["jobs"].items() if "permissions" in job},
            {"draft": {"contents", "id-token", "attestations"}, "npm": {"id-token"}, "image": {"packages"},
             "image-index": {"packages", "id-token", "attestations"}, "publish": {"contents"},
             "pages": {"pages", "id-token"}})

    def test_a_release_begins_with_its_tag_and_not_with_that_of_a_major_version(self):
        self.assertEqual(RELEASE["on"], {"push": {"tags": ["v*.*.*"]}, "workflow_dispatch": None})

    def test_a_rehearsal_publishes_nothing(self):
        def guarded(name):
            job = RELEASE["jobs"][name]
            needs = job.get("needs", [])
            return TAG_ONLY in job.get("if", "") or any(map(guarded, [needs] if isinstance(needs, str) else needs))

        outward = re.compile(r"\bgh |npm publish|docker (push|login)|imagetools|git push|NODE_AUTH_TOKEN")
        found = set()
        for name, step in steps(RELEASE):
            if outward.search(step.get("run", "")) or re.match(r"actions/(attest|deploy)", step.get("uses", "")):
                found.add(name)
                self.assertTrue(guarded(name) or step.get("if") == TAG_ONLY, f"{name}: {step['name']}")
        self.assertEqual(found, {"draft", "npm", "image", "image-index", "publish", "pages", "tap"})

    def test_people_see_a_release_when_all_of_it_is_there(self):
        def before(name):
            needs = RELEASE["jobs"][name].get("needs", [])
            needs = {needs} if isinstance(needs, str) else set(needs)
            return needs.union(*map(before, needs)) if needs else set()

        self.assertLessEqual({"check", "packages", "try", "draft", "npm", "image", "image-index", "site"},
                             before("publish"))
        for later in ("pages", "tap", "install"):
            self.assertIn("publish", before(later))

    def test_what_is_called_is_there(self):
        for script in (one["script"].split()[0] for one in CI["jobs"]["test"]["strategy"]["matrix"]["include"]):
            self.assertTrue(os.access(TOP / script, os.X_OK), script)
        presets = json.loads((TOP / "CMakePresets.json").read_text())
        for words in re.findall(r"(?m)^(?:cmake|ctest).*--preset (\S+)", (TOP / ".ci/clang").read_text()):
            for kind in ("configurePresets", "buildPresets", "testPresets"):
                self.assertIn(words, {one["name"] for one in presets[kind]})
        commands = re.findall(r"(?m)^  (\w+)\)$", (TOP / "dev").read_text())
        for text in [step.get("run", "") for _, step in steps(RELEASE)] + [(TOP / ".ci/clang").read_text()]:
            for command in re.findall(r"\./dev (\w+)", text):
                self.assertIn(command, commands)
            for file in re.findall(r"python3 -B (\S+)", text):
                self.assertTrue((TOP / file).is_file(), file)


class Registry:
    """Enough of npm's registry: what is published is there."""

    def __init__(self):
        self.packages, self.order, self.tokens = {}, [], set()

    def handler(self):
        registry = self

        class Handler(sample_release.Quiet):
            def answer(self, status, value):
                text = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def do_GET(self):
                name = urllib.parse.unquote(self.path.split("?")[0].lstrip("/"))
                if name in registry.packages:
                    self.answer(200, registry.packages[name])
                else:
                    self.answer(404, {"error": "Not found"})

            def do_PUT(self):
                value = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                registry.tokens.add(self.headers.get("Authorization"))
                registry.packages[value["name"]] = value
                registry.order.append((value["name"], value["access"],
                                       len(base64.b64decode(next(iter(value["_attachments"].values()))["data"]))))
                self.answer(201, {"ok": True})

        return Handler


class RunTest(testkit.RpcspecTest):
    """Steps in a folder that holds what a checkout does, prepared for the release VERSION."""

    def setUp(self):
        super().setUp()
        self.tree, self.tools = pathlib.Path(self.path("tree")), pathlib.Path(self.path("tools"))
        self.home = pathlib.Path(self.path("home"))
        for folder in (self.tree, self.tools, self.home):
            folder.mkdir()
        for name in [release.NAMES, "CHANGELOG.md", "CMakeLists.txt", "harness/package/release.py",
                     "harness/package/install.sh", "harness/package/rpcspec.rb", "harness/package/Dockerfile",
                     "harness/cli/servers/node_server.js", *release.PAGES]:
            (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(TOP / name, self.tree / name)
        (self.tree / "CHANGELOG.md").write_text(f"# Changes\n\n## {VERSION}, not released\n\n- All of it.\n")
        self.script("python3", f'exec "{sys.executable}" "$@"')
        self.names = release.names()

    def script(self, name, text):
        """A program that the steps find first."""
        (self.tools / name).write_text(f"#!/bin/sh\n{text}\n")
        (self.tools / name).chmod(0o755)

    def recorder(self, name, more=""):
        """A program that writes down its arguments, a line a call."""
        self.script(name, f'printf "%s\\n" "$*" >>"{self.folder}/{name}.log"\n{more}')

    def called(self, name):
        log = pathlib.Path(self.path(f"{name}.log"))
        lines = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return lines

    def step(self, job, name, code=0, **environment):
        """Runs a step; returns what it printed, and keeps what it said as outputs."""
        (found,) = [step for step in RELEASE["jobs"][job]["steps"] if step["name"] == name]
        outputs = pathlib.Path(self.path("outputs"))
        outputs.write_text("")
        wanted = RELEASE["jobs"][job].get("env", {}) | found.get("env", {})
        plain = {name: value for name, value in wanted.items() if "${{" not in value}
        missing = set(wanted) - set(plain) - set(environment)
        self.assertFalse(missing, f"{job}: {name} takes {missing}")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", found["run"]], cwd=self.tree, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False,
            env=sample_release.without_proxies(os.environ) | {
                "PATH": f"{self.tools}:{os.environ['PATH']}", "HOME": str(self.home), "GITHUB_OUTPUT": str(outputs),
                "GITHUB_ACTOR": "somebody", "GIT_CONFIG_GLOBAL": str(self.home / "gitconfig")} | plain | environment)
        self.assertEqual(done.returncode, code, done.stdout)
        self.outputs = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
        return done.stdout

    def prepared(self):
        subprocess.run([sys.executable, "-B", self.tree / "harness/package/release.py", "prepare", VERSION], check=True)

    def put_together(self, program=sample_release.PROGRAM):
        """What the job `draft` leaves to the others."""
        self.prepared()
        sample_release.packages(self.tree / "dist/made", VERSION, program)
        self.step("draft", "Put the release together", VERSION=VERSION)
        return self.tree / "dist/release"


class PackagesTest(RunTest):
    def test_the_version_is_that_of_the_tag(self):
        self.assertIn("not released", self.step("check", "Hold the tree to the tag", code=1, TAG=f"v{VERSION}"))
        self.prepared()
        self.step("check", "Hold the tree to the tag", TAG=f"v{VERSION}")
        self.assertEqual(self.outputs, {"version": VERSION})
        self.step("check", "Hold the tree to the tag", TAG="")  # a rehearsal
        self.assertEqual(self.outputs, {"version": VERSION})
        self.step("check", "Hold the tree to the tag", code=1, TAG="v1.2.4")

    def test_packages_of_both_architectures_are_kept_where_the_next_step_looks(self):
        sample_release.packages(self.path("sample"), VERSION)
        # In place of the compiler; what it does is the business of package_test.py.
        dev = self.tree / "dev"
        dev.write_text('#!/bin/sh\nset -e\n[ "$1 $2" = "package --arch" ]\nmkdir -p build\ncase $3 in amd64) to=packages ;; '
                       f'*) to=packages-$3 ;; esac\ncp -R "{self.folder}/sample/packages-$3" "build/$to"\n')
        dev.chmod(0o755)
        for architecture in RELEASE["jobs"]["packages"]["strategy"]["matrix"]["architecture"]:
            self.step("packages", "Make the packages", ARCHITECTURE=architecture)
            self.assertTrue(list((self.tree / "dist/packages").glob(f"rpcspec_*_{architecture}.deb")))
            shutil.rmtree(self.tree / "dist")

    def test_the_checkout_is_trusted_where_git_is_installed(self):
        self.recorder("apt-get")
        for workflow, job in ((RELEASE, "packages"), (CI, "test")):
            found = workflow["jobs"][job]["steps"][0]["run"]
            subprocess.run(["bash", "-eo", "pipefail", "-c", found], check=True, env=os.environ | {
                "PATH": f"{self.tools}:{os.environ['PATH']}", "GITHUB_WORKSPACE": "/a/workspace",
                "GIT_CONFIG_GLOBAL": str(self.home / "gitconfig")})
            self.assertIn("/a/workspace", (self.home / "gitconfig").read_text())
            (self.home / "gitconfig").unlink()
        self.assertEqual(len(self.called("apt-get")), 4)

    @unittest.skipUnless(shutil.which("node") and shutil.which("npm"), "there is no node")
    def test_packages_are_tried(self):
        # A program for every architecture, which is the one at hand.
        sample_release.packages(self.path("sample"), VERSION, f"#!/bin/sh\nexec '{RPCSPEC}' \"$@\"\n")
        shutil.copytree(self.path("sample/packages-amd64"), self.tree / "dist/packages")
        self.step("try", "Judge a server with the tarball")
        if os.uname().machine == "x86_64":
            said = self.step("try", "Install the npm packages")
            self.assertIn("rpcspec ", said)
        self.recorder("sudo")
        self.script("rpcspec", "echo installed")
        self.assertIn("installed", self.step("try", "Install the Debian package"))
        (line,) = self.called("sudo")
        self.assertRegex(line, r"^apt-get install -y \./dist/packages/rpcspec_\S+_amd64\.deb$")

    def test_a_program_that_finds_nothing_is_not_released(self):
        sample_release.packages(self.path("sample"), VERSION, "#!/bin/sh\nexit 0\n")
        shutil.copytree(self.path("sample/packages-amd64"), self.tree / "dist/packages")
        self.step("try", "Judge a server with the tarball", code=1)


class PublishTest(RunTest):
    def test_a_draft_holds_everything_and_what_the_changelog_says(self):
        made = self.put_together()
        self.assertEqual((made / "notes.md").read_text(), "- All of it.\n")
        self.recorder("gh", '[ "$2" != view ]')
        self.step("draft", "Draft the release", VERSION=VERSION, GH_TOKEN="t", GH_REPO="o/r")
        view, create = self.called("gh")
        self.assertTrue(view.startswith("release view v1.2.3"))
        words = shlex.split(create)
        self.assertEqual(words[:5], ["release", "create", "v1.2.3", "--draft", "--verify-tag"])
        words = words[words.index("dist/release/notes.md") + 1:]
        self.assertEqual(sorted(words), sorted(f"dist/release/assets/{path.name}"
                                                   for path in (made / "assets").iterdir()))
        self.assertEqual(len(words), 11)

    def test_the_draft_of_a_run_that_failed_makes_room_and_a_release_does_not(self):
        self.put_together()
        self.recorder("gh", 'if [ "$2" = view ]; then echo true; fi')
        self.step("draft", "Draft the release", VERSION=VERSION, GH_TOKEN="t", GH_REPO="o/r")
        self.assertEqual([line.split()[1] for line in self.called("gh")], ["view", "delete", "create"])
        self.recorder("gh", 'if [ "$2" = view ]; then echo false; fi')
        said = self.step("draft", "Draft the release", code=1, VERSION=VERSION, GH_TOKEN="t", GH_REPO="o/r")
        self.assertIn("published already", said)
        self.assertEqual([line.split()[1] for line in self.called("gh")], ["view"])

    def test_a_release_is_shown_when_all_is_there(self):
        self.recorder("gh")
        self.step("publish", "Publish the release", VERSION=VERSION, GH_TOKEN="t", GH_REPO="o/r")
        self.assertEqual(self.called("gh"), ["release edit v1.2.3 --draft=false --latest"])

    @unittest.skipUnless(shutil.which("node") and shutil.which("npm"), "there is no node")
    def test_npm_gets_the_programs_before_the_launcher_and_each_once(self):
        self.put_together()
        registry = Registry()
        with sample_release.served(registry.handler()) as address:
            more = {"NODE_AUTH_TOKEN": "npm-secret", "REGISTRY": f"{address}/", "PROVENANCE": "",
                    "npm_config_update_notifier": "false"}
            said = self.step("npm", "Publish to npm", **more)
            names = [name for name, _, _ in registry.order]
            self.assertEqual(sorted(names[:2]), ["rpcspec-linux-arm64", "rpcspec-linux-x64"])
            self.assertEqual(names[2:], [self.names["NPM_PACKAGE"]])
            self.assertEqual({access for _, access, _ in registry.order}, {"public"})
            self.assertEqual(registry.tokens, {"Bearer npm-secret"})
            self.assertNotIn("npm-secret", said + (self.home / ".npmrc").read_text())
            launcher = registry.packages["rpcspec"]["versions"][VERSION]
            self.assertEqual(launcher["optionalDependencies"]["rpcspec-linux-x64"], VERSION)
            self.assertIn(self.names["REPOSITORY"], launcher["repository"]["url"])
            # Once more, after something else failed.
            self.assertEqual(self.step("npm", "Publish to npm", **more).count("is there already"), 3)
            self.assertEqual(len(registry.order), 3)
        (step,) = [step for step in RELEASE["jobs"]["npm"]["steps"] if "run" in step]
        self.assertEqual(step["env"]["PROVENANCE"], "--provenance")

    def test_an_image_is_made_of_the_tarball_for_each_architecture_and_named_once(self):
        self.put_together()
        image = self.names["IMAGE"]
        self.recorder("docker", 'case "$*" in *login*) cat >"$HOME/token" ;; *inspect*) echo sha256:abc ;; esac\n'
                      'case "$1" in build) for last; do :; done; ls "$last" >"$HOME/context" ;; esac')
        for one in RELEASE["jobs"]["image"]["strategy"]["matrix"]["include"]:
            more = {"VERSION": VERSION, "ARCHITECTURE": one["architecture"], "MACHINE": one["machine"]}
            self.step("image", "Make the image", **more)
            self.assertEqual((self.home / "context").read_text(), f"rpcspec-{VERSION}-linux-{one['machine']}.tar.gz\n")
            self.step("image", "Push the image", TOKEN="registry-secret", **more)
            name = f"{image}:{VERSION}-{one['architecture']}"
            self.assertEqual(self.called("docker"), [
                f"build --pull -f harness/package/Dockerfile -t {name} dist/image", f"run --rm {name} --version",
                f"login {image.split('/')[0]} -u somebody --password-stdin", f"push {name}"])
            self.assertEqual((self.home / "token").read_text(), "registry-secret\n")
            shutil.rmtree(self.tree / "dist/image")
        self.step("image-index", "Name the image", TOKEN="registry-secret", VERSION=VERSION)
        self.assertEqual(self.outputs, {"image": image, "digest": "sha256:abc"})
        self.assertIn(f"buildx imagetools create -t {image}:{VERSION} -t {image}:latest {image}:{VERSION}-amd64 "
                      f"{image}:{VERSION}-arm64", self.called("docker"))

    def git(self, folder, *words):
        return subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@localhost", "-C", str(folder), *words],
                              check=True, capture_output=True, text=True).stdout

    def test_the_formula_goes_to_the_tap_once(self):
        self.put_together()
        tap = self.path("tap.git")
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", tap], check=True)
        before = self.path("before")
        subprocess.run(["git", "clone", "-q", tap, before], check=True, capture_output=True)
        self.git(before, "commit", "-q", "--allow-empty", "-m", "first")
        self.git(before, "push", "-q", "origin", "HEAD:main")
        # What stands for the address of the tap.
        address = f"https://x-access-token:tap-secret@github.com/{self.names['TAP']}.git"
        (self.home / "gitconfig").write_text(f'[url "{tap}"]\n\tinsteadOf = {address}\n')
        for _ in range(2):
            said = self.step("tap", "Update the formula", VERSION=VERSION, TAP_TOKEN="tap-secret")
            self.assertNotIn("tap-secret", said)
            shutil.rmtree(self.tree / "dist/tap")
        self.assertEqual(self.git(tap, "log", "--format=%s", "main"), f"rpcspec {VERSION}\nfirst\n")
        self.assertIn(f'version "{VERSION}"', self.git(tap, "show", "main:Formula/rpcspec.rb"))
        self.assertIn("::warning::", self.step("tap", "Update the formula", VERSION=VERSION, TAP_TOKEN=""))

    def test_the_tag_of_the_major_version_moves(self):
        origin = self.path("origin.git")
        subprocess.run(["git", "init", "-q", "--bare", origin], check=True)
        self.git(self.tree, "init", "-q", "-b", "main")
        self.git(self.tree, "remote", "add", "origin", origin)
        for message in ("first", "second"):
            self.git(self.tree, "commit", "-q", "--allow-empty", "-m", message)
            self.step("publish", "Move the tag of the major version", VERSION=VERSION)
            self.assertEqual(self.git(origin, "log", "-1", "--format=%s", "v1"), message + "\n")

    def test_a_stranger_can_install_it(self):
        made = self.put_together()
        for at in (f"releases/download/v{VERSION}", "releases/latest/download"):
            shutil.copytree(made / "assets", self.path(at))
        with sample_release.served(self.path("releases")) as address:
            self.step("install", "Install the release", VERSION=VERSION, RPCSPEC_RELEASES=address)
            self.step("install", "Install the release", code=1, VERSION="1.2.4", RPCSPEC_RELEASES=address)


if __name__ == "__main__":
    testkit.main()
