#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Runs build.sh as OSS-Fuzz and ClusterFuzzLite do, and uses what came out as they do. A few targets, or
# those that RPCSPEC_FUZZ_TARGETS names ("all": every one). Skipped (77) where there is no clang or no zip.
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(TOP, "harness"))
import turn

# As infra/base-images/base-builder sets them, for the sanitizer `address`.
COMMON = ("-O1 -fno-omit-frame-pointer -gline-tables-only -Wno-error=enum-constexpr-conversion "
          "-DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION")
SANITIZER = "-fsanitize=address -fsanitize-address-use-after-scope -fsanitize=fuzzer-no-link"
# What the machines that run them have: every Ubuntu does.
BASE = {"libc.so.6", "libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libpthread.so.0", "libdl.so.2", "librt.so.1", "libresolv.so.2",
        "linux-vdso.so.1"}


def check(condition, what):
    if not condition:
        sys.exit("build_test: " + what)


def libraries(program):
    listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return {line.split()[0] for line in listed.splitlines() if not line.strip().startswith("/")}


def main():
    for needed in ("clang-14", "clang++-14", "zip", "cmake", "ninja"):
        if not shutil.which(needed):
            print(f"skipped: {needed} is not installed")
            return 77
    if not turn.is_turn(2, 4):
        print("skipped: one commit in four tries this; RPCSPEC_EVERY_TURN=1 tries it")
        return 77
    named = os.environ.get("RPCSPEC_FUZZ_TARGETS", "json yaml")
    with tempfile.TemporaryDirectory(prefix="rpcspec-oss-fuzz-") as folder:
        source, out, work = (os.path.join(folder, name) for name in ("src", "out", "work"))
        for one in (source, out, work):
            os.makedirs(one)
        tree = os.path.join(source, "rpcspec")
        os.symlink(TOP, tree)
        environment = {**os.environ, "SRC": source, "OUT": out, "WORK": work, "CC": "clang-14", "CXX": "clang++-14",
                       "CFLAGS": f"{COMMON} {SANITIZER}", "CXXFLAGS": f"{COMMON} {SANITIZER} -stdlib=libc++",
                       "LIB_FUZZING_ENGINE": "-fsanitize=fuzzer", "SANITIZER": "address", "FUZZING_ENGINE": "libfuzzer",
                       "FUZZING_LANGUAGE": "c++", "ARCHITECTURE": "x86_64", "RPCSPEC_FUZZ_TARGETS": named,
                       # What is compiled is the same wherever the folder is.
                       "CCACHE_BASEDIR": folder, "CCACHE_NOHASHDIR": "1"}
        if named == "all":
            del environment["RPCSPEC_FUZZ_TARGETS"]
        subprocess.run(["bash", "-eu", os.path.join(tree, "fuzz", "oss-fuzz", "build.sh")], check=True,
                       env=environment)
        targets = sorted(name for name in os.listdir(out) if name.endswith("_fuzzer"))
        if named != "all":
            check(targets == sorted(name + "_fuzzer" for name in named.split()), f"these were built: {targets}")
        else:
            check(len(targets) > 10, f"these were built: {targets}")
        for target in targets:
            program = os.path.join(out, target)
            missing = libraries(program) - BASE
            check(not missing, f"{target} needs what other machines do not have: {missing}")
            seeds = os.path.join(folder, target)
            with zipfile.ZipFile(program + "_seed_corpus.zip") as packed:
                check(packed.namelist(), f"{target} has no seeds")
                packed.extractall(seeds)
            with open(program + ".options") as options:
                check(options.readline() == "[libfuzzer]\n", f"{target} has no options")
            command = [program, "-runs=200", "-seed=1", "-timeout=30", "-max_len=65536", seeds]
            if os.path.exists(program + ".dict"):
                command.insert(1, "-dict=" + program + ".dict")
            # Away from the sources, as it is there.
            done = subprocess.run(command, cwd="/", capture_output=True, env={"PATH": "/usr/bin:/bin"})
            told = done.stderr.decode("utf-8", "replace")
            check(done.returncode == 0 and "DONE" in told, f"{target} does not run:\n{told[-4000:]}")
            print(f"{target}: {len(os.listdir(seeds))} seeds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
