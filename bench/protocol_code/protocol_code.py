# SPDX-License-Identifier: Apache-2.0
"""What bench/reach and bench/code_mutants share: which code is protocol code, what it consists of, and what of it a
run of rpcspec executes."""
import bisect
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

import yaml

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path.insert(0, str(TOP / "harness"))
from testkit import RPCSPEC  # noqa: E402

SERVERS = TOP / "corpus" / "servers"
INSTALLED = TOP / "build" / "servers"
KEPT = TOP / "build" / "bench" / "reach"
DESCRIPTION = TOP / "bench" / "reach.yaml"
ACORN = "8.19.0"


class Trouble(Exception):
    """Something is missing; the text says what to do."""


# -- what is asked for --------------------------------------------------------------------------

def expanded(glob):
    """a{b,c}d as [abd, acd]."""
    braces = re.search(r"\{([^{}]*)\}", glob)
    if not braces:
        return [glob]
    return [one for part in braces[1].split(",")
            for one in expanded(glob[:braces.start()] + part + glob[braces.end():])]


def wanted(name, globs):
    """Whether a glob matches, and none that begins with !."""
    found = [glob for one in globs for glob in expanded(one)]
    return (any(fnmatch.fnmatch(name, glob) for glob in found if glob[0] != "!")
            and not any(fnmatch.fnmatch(name, glob[1:]) for glob in found if glob[0] == "!"))


def description():
    return yaml.safe_load(DESCRIPTION.read_text(encoding="utf-8"))


def short(file, region):
    """The source file that a part of a bundle is, in few words."""
    return re.sub(r"^.*/src/|^src/", "", region) if region else pathlib.PurePath(file).name


# -- what a process executed --------------------------------------------------------------------

class Coverage:
    """Which offsets of a script were executed, from the functions V8 lists for it. The innermost range around an
    offset counts; ranges nest."""

    def __init__(self, functions):
        ranges = sorted(((one["startOffset"], -one["endOffset"], one["count"])
                         for function in functions for one in function["ranges"]))
        self.starts, self.counts, open_ = [], [], []

        def mark(at, count):
            if self.starts and self.starts[-1] == at:
                self.counts[-1] = count
            else:
                self.starts.append(at)
                self.counts.append(count)

        for start, end, count in ranges:
            while open_ and open_[-1][0] <= start:
                ended, _ = open_.pop()
                mark(ended, open_[-1][1] if open_ else 0)
            open_.append((-end, count))
            mark(start, count)
        while open_:
            ended, _ = open_.pop()
            mark(ended, open_[-1][1] if open_ else 0)

    def executed(self, at):
        index = bisect.bisect_right(self.starts, at) - 1
        return index >= 0 and self.counts[index] > 0


class Reached:
    """The offsets of interest that any process executed: {file: set of offsets}."""

    def __init__(self, offsets):
        self.offsets = {file: set(some) for file, some in offsets.items()}
        self.executed = {file: set() for file in offsets}

    def add(self, report):
        for script in report["result"]:
            file = script["url"].removeprefix("file://")
            left = self.offsets.get(file, set()) - self.executed.get(file, set())
            if left:
                seen = Coverage(script["functions"])
                self.executed[file] |= {at for at in left if seen.executed(at)}


class Collector(threading.Thread):
    """Reads what processes of the server write while a run goes on, and deletes it: together it would be large."""

    def __init__(self, folder, reached):
        super().__init__()
        self.folder, self.reached, self.over, self.processes = pathlib.Path(folder), reached, threading.Event(), set()

    def read_all(self):
        for path in self.folder.glob("*.json"):
            self.reached.add(json.loads(path.read_bytes()))
            self.processes.add(path.name.split("-")[0])
            path.unlink()

    def run(self):
        while not self.over.wait(1):
            self.read_all()
        self.read_all()


# -- the tools ----------------------------------------------------------------------------------

def acorn():
    """The folder of acorn, installed when it is not there."""
    folder = TOP / "build" / "bench" / "js"
    at = folder / "node_modules" / "acorn"
    manifest = at / "package.json"
    if not manifest.exists() or json.loads(manifest.read_text())["version"] != ACORN:
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--no-save",
                               "--loglevel=error", f"acorn@{ACORN}"], cwd=folder, stdout=subprocess.DEVNULL)
        if done.returncode != 0:
            raise Trouble(f"npm cannot install acorn {ACORN} into {folder}")
    return at


def code_of(name):
    """{file: {statements, changes}} of the protocol code below a server, paths as they are installed."""
    asked = description().get(name)
    if asked is None:
        raise Trouble(f"bench/reach.yaml has no server '{name}'; it has {', '.join(description())}")
    modules = INSTALLED / name / "node_modules"
    if not modules.is_dir():
        raise Trouble(f"{name} is not installed: corpus/servers/run --install-only {name}")
    files = [path for path in modules.rglob("*") if path.suffix in (".js", ".mjs", ".cjs")
             and wanted(str(path.relative_to(modules)), asked["code"])]
    found = json.loads(subprocess.check_output(["node", HERE / "code.mjs", acorn(), *sorted(files)]))
    return counted(found, asked)


def counted(code, asked):
    """Without what the description of a server leaves out."""
    regions, left_out = asked.get("regions"), asked.get("left_out")

    def counts(file, one):
        return ((not regions or wanted(one["region"], regions))
                and not reason_for(short(file, one["region"]), one["function"], left_out))

    found = {file: {kind: [one for one in some if counts(file, one)] for kind, some in parts.items()}
             for file, parts in code.items()}
    return {file: parts for file, parts in found.items() if parts["statements"]}


def profiles(name):
    """The profiles that corpus/servers/run plays: that of the target, and one for each baseline.PROFILE.yaml."""
    return ["", *sorted(path.name[len("baseline."):-len(".yaml")]
                        for path in (SERVERS / name).glob("baseline.*.yaml"))]


def play(name, code, options):
    """Plays the server under each of its profiles; the offsets of statements and changes that were executed."""
    reached = Reached({file: [one["start"] for kind in parts.values() for one in kind] for file, parts in code.items()})
    environment = {**os.environ, "NODE_OPTIONS": f"--require={HERE / 'keep_coverage.cjs'}"}
    processes = 0
    for profile in profiles(name):
        with tempfile.TemporaryDirectory(prefix="rpcspec-reach-") as folder:
            collector = Collector(folder, reached)
            collector.start()
            try:
                done = subprocess.run([RPCSPEC, "run", "--target", SERVERS / name / "target.yaml", "--quiet", "--max-time", "0",
                                       *(["--profile", profile] if profile else []), *options],
                                      env={**environment, "RPCSPEC_REACH": folder}, stdout=subprocess.DEVNULL)
            finally:
                collector.over.set()
                collector.join()
            if done.returncode not in (0, 1, 3):
                raise Trouble(f"rpcspec ended with {done.returncode} on {name}")
            processes += len(collector.processes)
    if not processes:
        raise Trouble(f"no process of {name} wrote its coverage")
    KEPT.mkdir(parents=True, exist_ok=True)
    kept = {file: sorted(some) for file, some in reached.executed.items()}
    (KEPT / f"{name}.json").write_text(json.dumps({"code": digest(code), "executed": kept}))
    return reached.executed, processes


def digest(code):
    """What tells one state of the code from another: how much there is of it, and where."""
    return {file: [len(parts["statements"]), parts["statements"][-1]["start"]] for file, parts in code.items()}


def kept(name, code):
    """What the last run of bench/reach executed, or None where there is none of this code."""
    path = KEPT / f"{name}.json"
    if not path.exists():
        return None
    found = json.loads(path.read_text())
    return {file: set(some) for file, some in found["executed"].items()} if found["code"] == digest(code) else None


# -- what was not executed ----------------------------------------------------------------------

def unexecuted(code, executed):
    """[(source file, function, statements, lines of those that were not executed)], functions with none left out."""
    functions = {}
    for file, parts in code.items():
        for one in parts["statements"]:
            entry = functions.setdefault((short(file, one["region"]), one["function"]), [0, []])
            entry[0] += 1
            if one["start"] not in executed.get(file, ()):
                entry[1].append(one["line"])
    return [(file, function, count, lines) for (file, function), (count, lines) in functions.items() if lines]


def named(file, function, glob):
    """Whether a glob of a reason names the function, or its file and the function."""
    return fnmatch.fnmatchcase(function, glob) or fnmatch.fnmatchcase(f"{file} {function}", glob)


def reason_for(file, function, reasons):
    return next((reason for reason, globs in (reasons or {}).items()
                 if any(named(file, function, glob) for glob in globs)), "")


def idle(rows, reasons):
    """Globs of reasons that name nothing of what was not executed."""
    return [glob for globs in (reasons or {}).values() for glob in globs
            if not any(named(file, function, glob) for file, function, *_ in rows)]
