#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# The project of the C++ guide (sample/), built as a reader builds it: against an installed copy, and with
# the sources of rpcspec beside it. Its weak spots are found in each of the three ways, and the mended
# server passes them.
#
#   cpp_test.py BUILD [TEST...]
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import areas
import turn

BUILD = pathlib.Path(sys.argv[1]).resolve()
SCRATCH = BUILD / "cpp_test"
SAMPLE = HERE / "sample"
CLANG = shutil.which("clang++")
# What a weak spot does to the function, in the words of a failed test.
WEAK = {"text that is not UTF-8": "type_error.316", "1e400": "out_of_range.406",
        "depth": "was ended by SIGSEGV"}


def run(*words, code=0, timeout=600, **options):
    options.setdefault("cwd", SCRATCH)
    environment = {"CCACHE_BASEDIR": str(TOP), "CCACHE_NOHASHDIR": "1", **os.environ,
                   **options.pop("env", {})}
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, timeout=timeout,
                          stderr=subprocess.STDOUT, env=environment, check=False, **options)
    said = done.stdout.decode("utf-8", "replace")
    assert code is None or done.returncode == code, f"{words}: exit {done.returncode}\n{said[-6000:]}"
    return said


def guide_blocks():
    """The blocks of code in the guide: (language, text)."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", (TOP / "docs/cpp.md").read_text(encoding="utf-8"), re.M | re.S)


def guide_commands():
    """Each command line of the guide with what it says that comes of it; None: exit code 0."""
    commands = []
    for language, text in guide_blocks():
        if language == "sh":
            commands += [(line, None) for line in text.splitlines()]
        elif language == "":
            shown = re.split(r"^\$ (.*)\n", text, flags=re.M)
            assert not shown[0], f"no command in front of {text}"
            commands += zip(shown[1::2], shown[2::2])
    if not CLANG:
        commands = [one for one in commands if not re.search(r"-B fuzz|--build fuzz|fuzz/|triage", one[0])]
    return commands


def followed(commands, prefix, folder):
    """[(command, what the guide shows, exit code, what it said)], typed one after the other in one shell."""
    mark = "--8<-- of the guide"
    typed = "".join(f"{line}\necho; echo '{mark}' $?\n" for line, _ in commands)
    assert "PREFIX=/usr " in typed
    typed = typed.replace("PREFIX=/usr ", f"PREFIX={prefix} ")
    said = run("bash", "-c", typed, cwd=folder, timeout=1800, code=None,
               env={"PATH": f"{prefix}/bin:{os.environ['PATH']}", "CMAKE_GENERATOR": "Ninja",
                    "CMAKE_BUILD_TYPE": "Release", "CMAKE_CXX_COMPILER_LAUNCHER": "ccache"})
    parts = re.split(rf"^{mark} (\d+)\n", said, flags=re.M)
    assert len(parts) == 2 * len(commands) + 1, said[-3000:]
    return [(line, shows, int(code), output) for (line, shows), output, code
            in zip(commands, parts[0::2], parts[1::2])]


def pattern(line):
    """A line of the guide: … is anything; times, and dots that fill a line, are as they come."""
    line = re.sub(r"[ .*]{3,}", "…", line.strip())
    line = re.sub(r"\d+\.\d+ sec|\d+ ms", "…", line)
    return ".*".join(re.escape(part) for part in line.split("…"))


def configured(name, *settings, compiler="g++", code=0):
    return run("cmake", "-S", SAMPLE, "-B", SCRATCH / name, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}",
               "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", *settings, code=code)


def built(name, *settings, compiler="g++", targets=()):
    configured(name, *settings, compiler=compiler)
    run("ninja", "-C", SCRATCH / name, "-j2", *targets, timeout=1500)
    return SCRATCH / name


class CppTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not os.path.exists("/usr/include/nlohmann/json.hpp"):
            raise unittest.SkipTest("the sample needs nlohmann-json3-dev")
        SCRATCH.mkdir(exist_ok=True)
        cls.prefix = SCRATCH / "prefix"
        shutil.rmtree(cls.prefix, ignore_errors=True)
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)
        project = SCRATCH / "guide/calculator"
        shutil.rmtree(project.parent, ignore_errors=True)
        project.parent.mkdir()
        cls.weak, cls.fuzz, cls.mended = project / "build", project / "fuzz", project / "mended"
        cls.plays = followed(guide_commands(), cls.prefix, project.parent)

    def test_the_commands_of_the_guide_come_to_what_it_says(self):
        for command, shows, code, said in self.plays:
            with self.subTest(command):
                if shows is None:
                    self.assertEqual(code, 0, said[-6000:])
                for line in (shows or "").splitlines():
                    self.assertTrue(re.search(pattern(line), said), f"no line `{line}` in\n{said[-6000:]}")

    def test_the_code_of_the_guide_is_that_of_the_sample(self):
        sources = " ".join(" ".join(path.read_text().split()) for path in SAMPLE.iterdir())
        shown = [text for language, text in guide_blocks() if language in ("cpp", "cmake")]
        own = [text for text in shown if "calculator" in text.lower() or "handle" in text.split("{")[0]]
        self.assertGreater(len(own), 6)
        for text in own:
            for line in re.sub(r" //.*| #.*", "", text).splitlines():
                self.assertIn(" ".join(line.split()), sources)

    def test_nothing_is_installed_elsewhere_and_the_archive_needs_no_libraries(self):
        placed = (BUILD / "install_manifest.txt").read_text().splitlines()
        self.assertFalse([path for path in placed if not path.startswith(f"{self.prefix}/")])
        self.assertTrue(os.listdir(self.prefix / "share/rpcspec/seeds/jsonrpc-2.0"))
        wanted = run("nm", "-C", "--undefined-only", next(self.prefix.rglob("librpcspec_fuzz_handler.a")))
        self.assertNotRegex(wanted, r"boost::|SSL_|EVP_|fmt::|YAML::|re2::")

    def test_the_areas_are_those_of_the_program(self):
        self.assertEqual(pathlib.Path(areas.FILE).read_text(), areas.text(BUILD / "rpcspec"),
                         f"run {HERE}/areas.py {BUILD}/rpcspec")

    def test_ctest_has_a_test_for_each_area_and_finds_the_weak_spots(self):
        said = run("ctest", "-j2", "-L", "calculator", "-E", "fuzzer", cwd=self.weak, code=8)
        failed = set(re.findall(r"- (calculator\.\S+) \(Failed\)", said))
        self.assertEqual(failed, {"calculator.json.invalid", "calculator.json.limit",
                                  "calculator.jsonrpc.robust"})
        self.assertIn("Total Tests: 12", run("ctest", "-N", "-L", "^calculator$", cwd=self.weak))
        self.assertIn("Total Tests: 5", run("ctest", "-N", "-L", "^json/", cwd=self.weak))
        said = run("ctest", "-V", "-R", r"calculator\.json\.", cwd=self.weak, code=8)
        for shows in ("signal 6", "signal 11", "json/invalid/non-utf8-bytes", "json/limit/numbers (",
                      "json/limit/deep-nesting ("):
            self.assertIn(shows, said)

    def test_the_mended_server_passes_all_of_ctest(self):
        (said,) = [said for command, _, _, said in self.plays if command.startswith("ctest --test-dir mended")]
        self.assertIn("100% tests passed", said)
        self.assertIn("out of 14", said)

    def test_googletest_finds_the_weak_spots_over_a_process_and_in_process(self):
        report = self.weak / "report.xml"
        said = run("./calculator_test", f"--gtest_output=xml:{report}", cwd=self.weak, code=1)
        failed = {(one.get("classname"), one.get("name"))
                  for one in xml.etree.ElementTree.parse(report).iter("testcase") if one.find("failure") is not None}
        for suite in ("Server", "handle"):
            for case in ("json/invalid/non_utf8_bytes", "json/limit/numbers", "json/limit/deep_nesting"):
                self.assertIn((suite, case), failed)
        self.assertEqual({case for suite, case in failed if suite == "Server"},
                         {case for suite, case in failed if suite == "handle"})
        for spot, shows in WEAK.items():
            self.assertIn(shows, said, spot)

    def test_filters_and_shards_choose_cases_and_lose_none(self):
        only = run("./calculator_test", "--gtest_filter=handle.json/limit/numbers", cwd=self.weak, code=1)
        self.assertIn("1 FAILED TEST", only)
        self.assertIn("out_of_range.406", only)
        self.assertNotIn("type_error", only)
        ran = []
        for shard in range(3):
            said = run("./calculator_test", "--gtest_filter=handle.jsonrpc/id/*", cwd=self.mended,
                       env={"GTEST_TOTAL_SHARDS": "3", "GTEST_SHARD_INDEX": str(shard)})
            ran += re.findall(r"\[ RUN      \] (\S+)", said)
        every = re.findall(r"^  (\S+)", run("./calculator_test", "--gtest_list_tests",
                                            "--gtest_filter=handle.jsonrpc/id/*", cwd=self.mended), re.M)
        self.assertEqual(sorted(ran), sorted("handle." + name for name in every))
        self.assertGreater(len(every), 10)
        twice = run("./calculator_test", "--gtest_repeat=2", "--gtest_filter=Server.json/open/*", cwd=self.mended)
        self.assertEqual(twice.count("[  PASSED  ] 4 tests"), 2)

    def test_what_is_wrong_with_the_program_or_the_server_fails_and_is_said(self):
        filtered = ["./calculator_test", "--gtest_filter=handle.*"]
        said = run(*filtered, cwd=self.mended, code=1, env={"RPCSPEC": "/nowhere/rpcspec"})
        self.assertIn("handle.can_be_judged", said)
        self.assertIn("set the environment variable RPCSPEC", said)
        server = self.mended / "calculator"
        server.rename(server.with_suffix(".away"))
        try:
            said = run("./calculator_test", "--gtest_filter=Server.json/open/*", cwd=self.mended, code=1)
        finally:
            server.with_suffix(".away").rename(server)
        self.assertIn("4 FAILED TESTS", said)
        self.assertIn("no such file", said)

    def test_a_program_that_is_missing_or_broken_is_told_once(self):
        program = self.prefix / "bin/rpcspec"
        away = program.with_suffix(".away")
        program.rename(away)
        try:
            for script, sentence in [
                    (None, f"rpcspec is missing: there is no {program}; install"),
                    ("exit 9", "rpcspec is broken: .* --version ends with `9`"),
                    ("kill -SEGV $$", "rpcspec is broken: "),
                    ("echo rpcspec 9.9.9", "rpcspec is another one: .* says `rpcspec 9.9.9`, and")]:
                with self.subTest(script):
                    if script:
                        program.write_text(f"#!/bin/sh\n{script}\n")
                        program.chmod(0o755)
                    said = run("ctest", "--output-on-failure", "-L", "^calculator$", cwd=self.weak, code=8)
                    self.assertRegex(" ".join(said.split()), sentence)
                    self.assertEqual(said.count("***Failed"), 1)
                    self.assertEqual(said.count("***Not Run"), 11)
        finally:
            away.replace(program)

    def test_the_fuzz_target_replays_under_any_compiler(self):
        self.assertIn("json.exception", run("./calculator_fuzzer", *(BUILD / "corpus/seeds").glob("jsonrpc*"),
                                            cwd=self.weak, code=-6))
        run("./calculator_fuzzer", BUILD / "corpus/seeds/jsonrpc-2.0", cwd=self.mended)

    @unittest.skipUnless(CLANG, "there is no clang++, so there is no libFuzzer to try")
    def test_the_fuzzer_finds_the_weak_spots_and_nothing_in_the_mended_server(self):
        found = [path.parent.name for path in self.fuzz.parent.glob("findings/*/README.md")]
        for spot, shows in {"text": "type_error", "number": "out_of_range", "depth": "stack-overflow"}.items():
            self.assertEqual(sum(shows in name for name in found), 1, f"{spot}: {found}")
        (script,) = self.fuzz.parent.glob("triaged/crash-nlohmann-*out_of_range*/script")
        self.assertLess(len(script.read_bytes()), 40)
        installed = f"-DCMAKE_PREFIX_PATH={self.prefix}"
        mended = built("fuzzed", installed, "-DMENDED=ON", compiler="clang++", targets=["calculator_fuzzer"])
        shutil.rmtree(mended / "findings", ignore_errors=True)
        shutil.rmtree(mended / "corpus", ignore_errors=True)
        run("./calculator_fuzzer", "-runs=2000", "-seed=1", cwd=mended, timeout=1200)
        run("ctest", "-R", "calculator_fuzzer.replay", cwd=mended)

    def test_what_is_said_wrong_in_cmake_is_told_in_a_sentence(self):
        project = SCRATCH / "wrong"
        shutil.rmtree(project, ignore_errors=True)
        project.mkdir()
        rows = {
            "rpcspec_add_conformance_test(NAME x TARGET y PROFILE mcp)": "PROFILE `mcp` is none; say one of",
            "rpcspec_add_conformance_test(NAME x PROFILE jsonrpc-2.0)": "say TARGET",
            "rpcspec_add_conformance_test(TARGET x PROFILE jsonrpc-2.0)": "say NAME",
            "rpcspec_add_conformance_test(NAME x TARGET y TARGETS z PROFILE lsp)": "it takes no `TARGETS;z`",
            "rpcspec_add_fuzz_target(NAME x SOURCES y.cc)": "say PROFILE, CORPUS or CRASHES",
        }
        for line, told in rows.items():
            (project / "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.22)\nproject(wrong LANGUAGES CXX)\nenable_testing()\n"
                f"find_package(rpcspec REQUIRED)\n{line}\n")
            said = run("cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}", code=1)
            self.assertIn(told, " ".join(said.split()))

    def test_an_installation_that_lacks_a_part_is_not_found(self):
        project, cut = SCRATCH / "incomplete", SCRATCH / "cut"
        for folder in (project, cut):
            shutil.rmtree(folder, ignore_errors=True)
        project.mkdir()
        shutil.copytree(self.prefix, cut, symlinks=True)
        (archive,) = cut.rglob("librpcspec_fuzz_handler.a")
        archive.unlink()
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.22)\nproject(cut LANGUAGES CXX)\n"
            "find_package(rpcspec REQUIRED)\n")
        said = run("cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={cut}", code=1)
        self.assertRegex(" ".join(said.split()),
                         r"this installation of rpcspec is incomplete: there is no \S*librpcspec_fuzz_handler\.a; "
                         r"install rpcspec again")
        run("cmake", "-S", project, "-B", project / "again", f"-DCMAKE_PREFIX_PATH={self.prefix}")

    def test_the_coverage_agent_is_linked_and_counts(self):
        (said,) = [said for command, _, _, said in self.plays if command.startswith("rpcspec fuzz")]
        self.assertRegex(said, r"[1-9]\d* edges")

    def test_the_sources_beside_it_do_as_an_installed_copy(self):
        # A copy whose build folder lies where that of the sources does, with the flags of that build: the
        # compiler's cache has all but the few files of the sample.
        tree = SCRATCH / "tree"
        for name in ("CMakeLists.txt", "harness", "cases", "reports", "fuzz", "corpus", "bench"):
            there = tree / name
            shutil.rmtree(there, ignore_errors=True)
            if (TOP / name).is_dir():
                shutil.copytree(TOP / name, there, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                tree.mkdir(exist_ok=True)
                shutil.copy(TOP / name, there)
        known = (BUILD / "CMakeCache.txt").read_text(encoding="utf-8")
        same = [f"-D{name}={re.search(rf'^{name}:[A-Z]+=(.*)$', known, re.M)[1]}"
                for name in ("RPCSPEC_WERROR", "RPCSPEC_BATCHES", "CMAKE_BUILD_TYPE", "CMAKE_CXX_FLAGS",
                             "CMAKE_CXX_FLAGS_RELEASE", "CMAKE_CXX_FLAGS_DEBUG")]
        folder = built("tree/build", f"-DRPCSPEC_SOURCE={tree}", "-DMENDED=ON", *same,
                       targets=("calculator_test", "calculator", "calculator_fuzzer"))
        said = run("ctest", "-j2", cwd=folder)
        self.assertIn("100% tests passed", said)
        self.assertIn("out of 14", said)


if __name__ == "__main__":
    if not sys.argv[2:] and not turn.is_turn(1, 4):
        print("skipped: one commit in four builds them; RPCSPEC_EVERY_TURN=1 builds them")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
