#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs rpcspec on the servers of this folder and compares what it reports with expected.json."""
import argparse
import dataclasses
import fnmatch
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).resolve().parent
MOST_HEADLINES = 1.2  # for each bug that has one
MOST_OPEN = 0.15  # of the cases of a server


def fits(clause, patterns):
    """The number of the first pattern that a clause matches, or None."""
    for number, pattern in enumerate(patterns):
        if fnmatch.fnmatchcase(clause, pattern):
            return number
    return None


@dataclasses.dataclass
class Run:
    """One run of one server, and what its JSON report says."""
    exit_code: int
    seconds: float
    console: str
    causes: list = dataclasses.field(default_factory=list)
    open_cases: float = 1.0  # the share that has no verdict, without those that ask for an affordance
    gate: str = "no report was written"

    def read(self, path):
        report = json.loads(path.read_text(encoding="utf-8", errors="replace"))
        cited = {(case["id"], number): finding["requirement"] for case in report["cases"]
                 for number, finding in enumerate(case.get("findings", []))}
        for cause in report["causes"]:
            clauses = {cited.get((one["case"], one["finding"])) for one in cause["findings"]}
            self.causes.append({"clause": cause["requirement"], "verdict": cause["verdict"],
                                "title": cause["title"],
                                "clauses": clauses - {None} | {cause["requirement"]}})
        reasons = [case.get("reason", "") for case in report["cases"]
                   if case["verdict"] == "inconclusive"]
        waiting = [why for why in reasons
                   if "affordance" not in why and "may not be called" not in why]
        if report["cases"]:
            self.open_cases = len(waiting) / len(report["cases"])
        self.gate = report["gate"]["reason"]

    def headlines(self):
        return sorted((cause["verdict"], cause["clause"], cause["title"]) for cause in self.causes)


def play(program, server, keep, limit):
    """Builds a server in the folder `keep` where it has to be built, and runs rpcspec on it."""
    words = {key: [word.replace("{tmp}", str(keep)) for word in server.get(key, [])]
             for key in ("build", "start")}
    if words["build"]:
        subprocess.run(words["build"], cwd=FOLDER, check=True, stdout=subprocess.DEVNULL)
    report = keep / "report.json"
    report.unlink(missing_ok=True)
    url = ["--url", server["url"].replace("{tmp}", str(keep))] if "url" in server else []
    command = [program, "run", "--report", f"json={report}", *url, *server.get("options", []), "--",
               *words["start"]]
    begin = time.monotonic()
    with open(keep / "console.txt", "wb") as console:
        process = subprocess.Popen(command, cwd=FOLDER, stdin=subprocess.DEVNULL, stdout=console,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)  # it writes its report first
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    seconds = time.monotonic() - begin
    text = (keep / "console.txt").read_text(encoding="utf-8", errors="replace")
    run = Run(process.returncode, seconds, text)
    if report.exists():
        run.read(report)
    return run


def owners(bugs, causes):
    """{number of a bug: number of the cause that is its own}, for as many bugs as possible."""
    wanted = {}
    for number, bug in enumerate(bugs):
        ranked = [(fits(cause["clause"], bug["clauses"]), at) for at, cause in enumerate(causes)
                  if cause["verdict"] != "flaky" and "untrue" not in cause]
        wanted[number] = [at for rank, at in sorted(one for one in ranked if one[0] is not None)]
    taken = {}  # number of a cause: number of a bug

    def find(bug, tried):
        for cause in wanted[bug]:
            if cause in tried:
                continue
            tried.add(cause)
            if cause not in taken or find(taken[cause], tried):
                taken[cause] = bug
                return True
        return False

    for bug in wanted:
        find(bug, set())
    return {bug: cause for cause, bug in taken.items()}


def judge(server, run):
    """(counts, lines): each bug, then each cause that is no bug's own."""
    bugs, entries = server["bugs"], server["allowed"]
    for cause in run.causes:
        for entry in server.get("untrue", []):
            if fnmatch.fnmatchcase(cause["title"], entry["title"]):
                cause["untrue"] = entry["why"]
    own = owners(bugs, run.causes)
    console = "".join(run.console.split())  # without the line breaks of the console
    counts = dict.fromkeys(("bugs", "own", "folded", "lost", "again", "allowed", "unexpected",
                            "stderr", "stderr shown"), 0)
    counts["bugs"] = len(bugs)
    lines = []

    def about(clause, entry):
        return fits(clause, entry["clauses"] + entry.get("also", [])) is not None

    for number, bug in enumerate(bugs):
        told = [cause for cause in run.causes if any(about(one, bug) for one in cause["clauses"])]
        word = "own" if number in own else "folded" if told else "lost"
        counts[word] += 1
        line = f"{word:10} {bug['bug']}"
        if number in own:
            line += f" <- {run.causes[own[number]]['title']}"
        elif told:
            line += f" <- under: {told[0]['title']}"
        if "stderr" in bug:
            shown = "".join(bug["stderr"].split()) in console
            counts["stderr"] += 1
            counts["stderr shown"] += shown
            line += "" if shown else f" (stderr is not shown: {bug['stderr'].strip()})"
        lines.append(line)
    used = set()
    for number, cause in enumerate(run.causes):
        if number in own.values():
            continue
        known = [at for at, entry in enumerate(entries) if about(cause["clause"], entry)]
        free = [at for at in known if at not in used and cause["verdict"] != "flaky"]
        if "untrue" in cause:
            word = "unexpected"
        elif free:
            word = "allowed"
            used.add(free[0])
        elif known or any(about(cause["clause"], bug) for bug in bugs):
            word = "again"
        else:
            word = "unexpected"
        counts[word] += 1
        why = f" (untrue: {cause['untrue']})" if "untrue" in cause else ""
        lines.append(f"{word:10} {cause['verdict']} {cause['clause']}: {cause['title']}{why}")
    return counts, lines


def ratio(counts):
    if counts["own"]:
        return (counts["own"] + counts["again"]) / counts["own"]
    return float("inf") if counts["bugs"] else 0.0  # a sound server has none


def words(counts):
    return (f"{counts['own']} of {counts['bugs']} bugs own, {counts['folded']} folded, {counts['lost']} lost; "
            f"{counts['again']} again, {counts['allowed']} allowed, {counts['unexpected']} unexpected; "
            f"{ratio(counts):.2f} headlines a bug; stderr {counts['stderr shown']} of {counts['stderr']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rpcspec", required=True, type=pathlib.Path)
    parser.add_argument("--only", action="append", metavar="NAME", help="a server; * matches anything")
    parser.add_argument("--limit", type=float, default=150, help="seconds that a run may take")
    parser.add_argument("--twice", action="store_true", help="two runs have to report the same causes")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for reports and consoles")
    arguments = parser.parse_args()
    program = str(arguments.rpcspec.resolve())
    servers = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))["servers"]
    total, wrong, played = {}, [], 0
    with tempfile.TemporaryDirectory() as scratch:
        for name, server in servers.items():
            if arguments.only and fits(name, arguments.only) is None:
                continue
            missing = [line[0] for line in (server.get("build"), server["start"])
                       if line and "{" not in line[0] and not shutil.which(line[0])]
            if missing:
                print(f"== {name}: skipped, there is no {missing[0]}")
                continue
            played += 1
            keep = (arguments.keep or pathlib.Path(scratch)).resolve() / name
            keep.mkdir(parents=True, exist_ok=True)
            run = play(program, server, keep, arguments.limit)
            counts, lines = judge(server, run)
            print(f"== {name}: {words(counts)}; {run.open_cases:.0%} open; {run.seconds:.0f} s, "
                  f"exit {run.exit_code}", *lines, sep="\n   ", flush=True)
            if run.exit_code not in (0, 1):
                wrong.append(f"{name}: exit {run.exit_code}, {run.gate}")
            if run.open_cases > MOST_OPEN:
                wrong.append(f"{name}: {run.open_cases:.0%} of its cases are open")
            if arguments.twice:
                keep = keep / "again"
                keep.mkdir(exist_ok=True)
                again = play(program, server, keep, arguments.limit)
                differ = set(run.headlines()) ^ set(again.headlines())
                wrong += [f"{name}: in one of two runs only: {one}" for one in sorted(differ)]
            total = {key: total.get(key, 0) + count for key, count in counts.items()}
    if not played:
        sys.exit("nothing was played")
    print(f"== all: {words(total)}")
    wrong += [f"{total[key]} {key}" for key in ("folded", "lost", "unexpected") if total[key]]
    if ratio(total) > MOST_HEADLINES:
        wrong.append(f"{ratio(total):.2f} headlines a bug")
    if total["stderr shown"] < total["stderr"]:
        wrong.append("stderr is not shown everywhere")
    print(*wrong or ["as expected"], sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
