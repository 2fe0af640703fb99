#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# What a release is made of, from stand-ins for its packages: versions, notes, sums, names of files,
# the installer against a server on this machine, the launcher of npm on systems that it has nothing for.
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import release
import sample_release
import tree_test

VERSION = "1.2.3"
NODE = shutil.which("node")


class ReleaseTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rpcspec-release-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def run_it(self, *words, code=0, **options):
        options["env"] = sample_release.without_proxies(options.get("env", os.environ))
        done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.STDOUT, timeout=60, check=False, **options)
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def gathered(self, version=VERSION):
        out = self.folder / "release"
        release.gather(out, sample_release.packages(self.folder / "made", version))
        return out


class TreeOfARelease(ReleaseTest):
    """release.py in a copy of what it reads and writes."""

    def setUp(self):
        super().setUp()
        for name in [release.NAMES, "CHANGELOG.md", "CMakeLists.txt", "harness/package/release.py",
                     *release.PAGES]:
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(TOP / name, self.folder / name)
        self.changelog("## 1.2.3, not released\n\n- It is better.\n- And so on.\n\n"
                       "## 1.2.2, 2026-01-01\n\n- It was good.\n")

    def changelog(self, text):
        (self.folder / "CHANGELOG.md").write_text("# Changes\n\n" + text)

    def release(self, *words, code=0):
        return self.run_it(sys.executable, "-B", self.folder / "harness/package/release.py", *words, code=code)

    def said(self, name):
        return (self.folder / name).read_text()

    def test_a_tree_is_released_only_when_everything_says_the_version(self):
        self.assertIn("not released", self.release("check", "v1.2.3", code=1))
        self.release("prepare", "1.2.3", "2026-11-27")
        self.assertEqual(self.release("check", "v1.2.3"), "1.2.3\n")
        self.assertEqual(self.release("check"), "1.2.3\n")
        self.assertIn("## 1.2.3, 2026-11-27\n", self.said("CHANGELOG.md"))
        self.assertIn("project(rpcspec VERSION 1.2.3 ", self.said("CMakeLists.txt"))
        self.assertIn("npm:rpcspec@1.2.3", self.said("CI.yml"))
        self.assertIn("rpcspec@v1.2.3", self.said("README.md"))
        for name in ["CMakeLists.txt", "CI.yml", "README.md"]:
            before = self.said(name)
            (self.folder / name).write_text(before.replace("1.2.3", "1.2.2"))
            self.assertIn(f"{name} (1.2.2)", self.release("check", "v1.2.3", code=1))
            (self.folder / name).write_text(before)

    def test_tags_that_are_none_of_a_release_are_refused(self):
        self.release("prepare", "1.2.3")
        for tag in ("1.2.3", "v1.2", "v1.2.3-rc.1", "v1", "v1.2.3\nversion=9", ""):
            self.assertIn("is no tag of a release", self.release("check", tag, code=1))
        self.assertIn("no section 1.2.4", self.release("check", "v1.2.4", code=1))

    def test_a_version_is_prepared_for_what_is_not_released(self):
        self.changelog("## 1.2.2, 2026-01-01\n\n- It was good.\n")
        self.assertIn("nothing to call 1.2.3", self.release("prepare", "1.2.3", code=1))
        self.assertIn("is no version", self.release("prepare", "1.2", code=1))
        # What is called otherwise than was thought.
        self.changelog("## 1.3.0, not released\n\n- Much.\n")
        self.release("prepare", "2.0.0", "2026-12-01")
        self.assertEqual(self.said("CHANGELOG.md"), "# Changes\n\n## 2.0.0, 2026-12-01\n\n- Much.\n")

    def test_the_section_of_the_changelog_is_the_text_of_the_release(self):
        self.assertEqual(self.release("notes", "1.2.3"), "- It is better.\n- And so on.\n")
        self.assertEqual(self.release("notes", "1.2.2"), "- It was good.\n")
        self.changelog("## 1.2.3, 2026-11-27\n\n## 1.2.2, 2026-01-01\n\n- It was good.\n")
        self.assertIn("says nothing", self.release("check", "v1.2.3", code=1))

    def test_an_owner_is_put_in_everywhere_and_again(self):
        for account in ("acme", "o-ther"):
            self.release("owner", account)
            self.assertIn(f"REPOSITORY={account}/rpcspec\n", self.said(release.NAMES))
            self.assertIn(f"SITE=https://{account}.github.io/rpcspec\n", self.said(release.NAMES))
            self.assertIn(f"- uses: {account}/rpcspec@v", self.said("README.md"))
            self.assertIn(f"https://github.com/{account}/rpcspec/releases", self.said("README.md"))
        self.assertNotIn("acme", self.said("README.md") + self.said(release.NAMES))
        self.assertIn("is no name", self.release("owner", "a/b", code=1))


class NamesTest(unittest.TestCase):
    def test_nothing_but_the_pages_names_the_owner_and_they_agree(self):
        names = release.names()
        owner = names["REPOSITORY"].split("/")[0]
        self.assertTrue(all(names[name].find(owner) >= 0 for name in ("IMAGE", "SITE", "TAP")))
        there = re.compile(rf"(?<![\w.-]){owner}(/rpcspec|\.github\.io)|{re.escape(names['CONTACT'])}")
        found = set()
        for folder, folders, files in os.walk(TOP):
            folders[:] = [name for name in folders if not name.startswith("build")
                          and name not in (".git", "__pycache__")]
            for file in files:
                path = pathlib.Path(folder, file)
                if path.is_symlink() or path.stat().st_size > 1e6:
                    continue
                try:
                    text = path.read_text(encoding="utf-8")
                except UnicodeDecodeError:
                    continue
                if there.search(text):
                    found.add(str(path.relative_to(TOP)))
        self.assertLessEqual(found, {release.NAMES, *release.PAGES})
        self.assertLessEqual({release.NAMES, "README.md", "action.yml"}, found)

    def test_pages_name_no_other_repository(self):
        repository = release.names()["REPOSITORY"]
        for page in release.PAGES:
            text = (TOP / page).read_text(encoding="utf-8")
            for one in re.findall(r"([\w.-]+/rpcspec)(?=@|\.git\b|/releases)", text):
                self.assertEqual(one, repository, page)

    def test_every_version_that_is_copied_is_the_same(self):
        self.assertEqual(len({version for _, version in release.said()}), 1, release.said())
        self.assertLessEqual({"README.md", "CI.yml", "CI.gitlab.yml", "action.yml"},
                             {file for file, _ in release.said()})


class AssetsTest(ReleaseTest):
    def test_the_sums_are_of_everything_that_is_released(self):
        assets = self.gathered() / "assets"
        self.run_it("sha256sum", "--strict", "--quiet", "-c", "SHA256SUMS", cwd=assets)
        listed = {line.split("  ")[1] for line in (assets / "SHA256SUMS").read_text().splitlines()}
        self.assertEqual(listed, {path.name for path in assets.iterdir()} - {"SHA256SUMS"})
        self.assertEqual(len(listed), 10)

    def test_what_npm_gets_is_no_asset(self):
        npm = {path.name for path in (self.gathered() / "npm").iterdir()}
        self.assertEqual(npm, {f"rpcspec-{VERSION}.tgz", f"rpcspec-linux-x64-{VERSION}.tgz",
                               f"rpcspec-linux-arm64-{VERSION}.tgz"})

    def test_packages_that_do_not_belong_together_are_refused(self):
        made = sample_release.packages(self.folder / "a", VERSION)
        other = sample_release.packages(self.folder / "b", "1.2.4")
        with self.assertRaisesRegex(release.Wrong, "no packages of aarch64"):
            release.gather(self.folder / "out", made[:1])
        with self.assertRaisesRegex(release.Wrong, "several versions: 1.2.3, 1.2.4"):
            release.gather(self.folder / "out", [made[0], other[1]])
        (made[1] / f"rpcspec-{VERSION}.tgz").write_bytes(b"another launcher")
        with self.assertRaisesRegex(release.Wrong, "not that of the other architecture"):
            release.gather(self.folder / "out", made)

    # How these tools choose, by what their sources look for in a name; each must be left with one file.
    LINUX = {"eget": r"(?i)(linux|ubuntu)", "ubi, mise": r"(?i:(?:\b|_)linux(?:static)?(?:\b|_|32|64))"}
    MACHINE = {"x86_64": r"(?i)(x64|amd64|x86(-|_)?64)", "aarch64": r"(?i)(arm64|armv8|aarch64)"}

    def test_installers_of_releases_find_one_file(self):
        names = [path.name for path in (self.gathered() / "assets").iterdir()]
        for tool, system in self.LINUX.items():
            for machine, pattern in self.MACHINE.items():
                fitting = [name for name in names if re.search(system, name) and re.search(pattern, name)]
                self.assertEqual(fitting, [f"rpcspec-{VERSION}-linux-{machine}.tar.gz"], tool)

    def test_the_program_is_the_only_one_that_can_be_run_in_the_tarball(self):
        with tarfile.open(next((self.gathered() / "assets").glob("*x86_64.tar.gz"))) as tar:
            runs = [entry.name for entry in tar if entry.isfile() and entry.mode & 0o111]
        self.assertEqual([name.split("/", 1)[1] for name in runs], ["bin/rpcspec"])

    def test_the_formula_has_the_sums_of_the_tarballs(self):
        assets = self.gathered() / "assets"
        formula = (assets / "rpcspec.rb").read_text()
        self.assertNotIn("@", formula.replace("OWNER", ""))
        pairs = re.findall(r'url "(\S+)"\n    sha256 "(\w+)"', formula)
        self.assertEqual(len(pairs), 2)
        for address, total in pairs:
            place, name = address.rsplit("/", 1)
            self.assertEqual(place, f"https://github.com/{release.names()['REPOSITORY']}/releases/download/v{VERSION}")
            self.assertEqual(hashlib.sha256((assets / name).read_bytes()).hexdigest(), total)
        self.assertEqual(formula.count(" do\n") + formula.count("  def ") + 1,
                         len(re.findall(r"(?m)^ *end$", formula)))


class InstallTest(ReleaseTest):
    """install.sh as it is released, from a server that stands for the place of releases."""

    def setUp(self):
        super().setUp()
        self.machine = os.uname().machine
        self.place = self.folder / "releases"
        self.publish(VERSION)
        self.home = self.folder / "home"
        self.home.mkdir()

    def publish(self, version, program=sample_release.PROGRAM):
        """It is the latest from then on."""
        made = self.folder / f"of-{version}"
        release.gather(made, sample_release.packages(self.folder / f"packages-{version}", version, program))
        at = self.place / "download" / f"v{version}"
        shutil.copytree(made / "assets", at)
        (self.place / "latest").mkdir(exist_ok=True)
        (self.place / "latest/download").unlink(missing_ok=True)
        (self.place / "latest/download").symlink_to(at)

    def tools(self, **replaced):
        """A PATH with some programs replaced; None: one that is not there."""
        folder = self.folder / "tools"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name in ("awk cat chmod cp curl cut getconf id ls mkdir mktemp mv rm sed sh sha256sum tar gzip "
                     "uname wget test tr env dirname basename shasum perl").split():
            if shutil.which(name):
                (folder / name).symlink_to(shutil.which(name))
        for name, script in replaced.items():
            (folder / name).unlink(missing_ok=True)
            if script:
                (folder / name).write_text(f"#!/bin/sh\n{script}\n")
                (folder / name).chmod(0o755)
        return str(folder)

    def install(self, *words, code=0, path=None, home=None):
        script = (self.place / "latest/download/install.sh").read_text()
        with sample_release.served(self.place) as address:
            return self.run_it("sh", "-s", "--", *words, input=script, code=code, env={
                "PATH": path or self.tools(), "HOME": str(home or self.home), "RPCSPEC_RELEASES": address})

    def says(self, prefix=None):
        return self.run_it((prefix or self.home / ".local") / "bin/rpcspec")

    def test_the_latest_is_installed_below_the_home_and_the_path_is_told(self):
        said = self.install()
        self.assertEqual(self.says(), f"rpcspec {VERSION} (sample)\n")
        self.assertTrue((self.home / ".local/share/man/man1/rpcspec.1").exists())
        self.assertIn(f'export PATH="{self.home}/.local/bin:$PATH"', said)
        self.assertEqual(said.count("\n"), 2, said)
        self.assertEqual({path.name for path in (self.home / ".local/bin").iterdir()}, {"rpcspec"})

    def test_nothing_is_said_of_a_path_that_has_it(self):
        path = f"{self.home}/.local/bin:{self.tools()}"
        self.assertNotIn("PATH", self.install(path=path))
        # Another one that comes first is told.
        before = self.tools(rpcspec="echo old")
        self.assertIn(f"{before}/rpcspec comes first", self.install(path=f"{before}:{self.home}/.local/bin"))

    def test_a_version_and_a_folder_can_be_named_and_a_program_replaced(self):
        self.publish("1.3.0")
        prefix = self.folder / "pre fix"
        for version in ("v1.2.3", "1.3.0"):
            self.install("--version", version, "--prefix", prefix)
            self.assertIn(f"rpcspec {version.removeprefix('v')} ", self.says(prefix))
        self.assertIn("cannot be downloaded", self.install("--version", "9.9.9", code=1))

    def test_a_file_with_another_sum_is_not_installed(self):
        archive = self.place / f"download/v{VERSION}/rpcspec-{VERSION}-linux-{self.machine}.tar.gz"
        with open(archive, "ab") as file:
            file.write(b"x")
        self.assertIn("nothing was installed", self.install(code=1))
        self.assertEqual(list(self.home.iterdir()), [])
        archive.unlink()
        self.assertIn("cannot be downloaded", self.install(code=1))

    def test_wget_does_as_well_and_one_of_them_has_to_be_there(self):
        if not shutil.which("wget"):
            # Enough of it for what is asked.
            stand_in = f'[ "$1 $2" = "-q -O" ] && exec "{shutil.which("curl")}" -fsS -o "$3" "$4"'
        else:
            stand_in = f'exec "{shutil.which("wget")}" "$@"'
        self.install(path=self.tools(curl=None, wget=stand_in))
        self.says()
        self.assertIn("curl wget", self.install(code=1, path=self.tools(curl=None, wget=None)))

    def test_systems_without_a_program_are_told_what_to_do(self):
        for replaced, told in [
                ({"uname": 'if [ "$1" = -s ]; then echo Darwin; else echo arm64; fi'}, "docker run"),
                ({"uname": 'if [ "$1" = -s ]; then echo Linux; else echo riscv64; fi'}, "./dev build"),
                ({"getconf": "exit 1"}, "docker run"),
                ({"getconf": "echo glibc 2.31"}, "this system has 2.31")]:
            said = self.install(code=1, path=self.tools(**replaced))
            self.assertIn(told, said)
            self.assertEqual(said.count("\n"), 1)
            self.assertEqual(list(self.home.iterdir()), [])
        self.install(path=self.tools(getconf="echo glibc 3.0"))

    def test_a_folder_that_is_somebody_elses_is_told(self):
        (self.folder / "file").write_text("")
        self.assertIn("--prefix", self.install("--prefix", self.folder / "file/below", code=1))

    def test_a_program_that_does_not_start_is_not_installed(self):
        shutil.rmtree(self.place)
        shutil.rmtree(self.folder / f"packages-{VERSION}")
        self.publish(VERSION, program="#!/bin/sh\nexit 7\n")
        self.assertIn("nothing was installed", self.install(code=1))
        self.assertEqual(list(self.home.iterdir()), [])

    def test_half_of_the_script_does_nothing(self):
        script = (self.place / "latest/download/install.sh").read_text()
        self.assertTrue(script.endswith('\nmain "$@"\n'))
        cut = script[:script.rindex("\nmain")]
        self.assertEqual(self.run_it("sh", "-s", input=cut, env={"HOME": str(self.home), "PATH": self.tools()}), "")

    def test_the_script_is_that_of_a_shell_without_more(self):
        script = self.folder / "install.sh"
        script.write_text((self.place / "latest/download/install.sh").read_text())
        if shutil.which("shellcheck"):
            self.run_it("shellcheck", "-s", "sh", script)
        self.assertNotRegex(script.read_text(), r"@[A-Z_]+@")


@unittest.skipUnless(NODE, "node is not installed")
class LauncherTest(ReleaseTest):
    """What npx runs, on systems that are played by a file that node loads first."""

    def launched(self, *words, code=0, platform="linux", arch="x64", glibc='"2.36"', program="exit 3"):
        package = self.folder / "node_modules/rpcspec"
        shutil.rmtree(self.folder / "node_modules", ignore_errors=True)
        (package / "bin").mkdir(parents=True)
        (package / "bin/rpcspec.js").write_text(release.filled((HERE / "npm/rpcspec.js").read_text()))
        for cpu in ("x64", "arm64") if program else ():
            path = self.folder / f"node_modules/rpcspec-linux-{cpu}/bin/rpcspec"
            path.parent.mkdir(parents=True)
            path.write_text(f'#!/bin/sh\n[ $# = 0 ] || echo {cpu} "$@"\n{program}\n'
                            if program.startswith("exit") else program)
            path.chmod(0o755)
        played = self.folder / "system.js"
        played.write_text(f"""
            Object.defineProperty(process, 'platform', {{value: '{platform}'}});
            Object.defineProperty(process, 'arch', {{value: '{arch}'}});
            process.report.getReport = () => ({{header: {{glibcVersionRuntime: {glibc}}}}});
        """)
        return self.run_it(NODE, "-r", played, package / "bin/rpcspec.js", *words, code=code)

    def test_the_program_of_the_machine_is_started(self):
        self.assertEqual(self.launched("run", "--", "a b", code=3), "x64 run -- a b\n")
        self.assertEqual(self.launched("x", arch="arm64", code=3), "arm64 x\n")
        # What it finds is no matter of the C library.
        self.assertEqual(self.launched("x", code=1, program="exit 1", glibc='"2.34"'), "x64 x\n")

    def test_systems_without_a_program_are_told_what_to_do_in_one_sentence(self):
        image = release.names()["IMAGE"]
        for system, told in [
                ({"platform": "darwin", "arch": "arm64"}, image),
                ({"platform": "win32"}, "in WSL"),
                ({"platform": "freebsd"}, image),
                ({"arch": "riscv64"}, image),
                ({"glibc": "undefined", "program": ""}, image),  # npm leaves it out where there is no glibc
                ({"glibc": "undefined", "program": "#!/no/such/loader\n"}, image),  # where it does not
                ({"glibc": '"2.31"', "program": "exit 1"}, "this system has 2.31"),
                ({"program": ""}, "npm install --include=optional")]:
            said = self.launched(code=4, **system)
            self.assertIn(told, said)
            self.assertTrue(said.startswith("rpcspec: "), said)
            self.assertEqual(said.count("\n"), 1, said)
            self.assertNotIn("@", said)


class ImageTest(unittest.TestCase):
    def test_the_base_of_the_image_is_named_by_its_digest(self):
        text = (HERE / "Dockerfile").read_text(encoding="utf-8")
        (base,) = re.findall(r"(?m)^FROM (\S+)", text)
        self.assertRegex(base, r"^debian:12-slim@sha256:[0-9a-f]{64}$")


if __name__ == "__main__":
    unittest.main(verbosity=2)
