#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Proves that the suite accuses nobody who is innocent: on the sound reference server there is no
# finding at all, in each profile over each transport, and with a server of all revisions.
#
#   sound_test.py RPCSPEC REFERENCE_SERVER [--suite DIR] [--times N] [--only GLOB]... [--stalls]
#
# With --stalls the machine seems to stand still now and again, as one does that is overcommitted.
import argparse
import concurrent.futures
import contextlib
import fnmatch
import os
import signal
import sys
import threading
import time

sys.dont_write_bytecode = True  # tests leave nothing in the source folder
from reference_runs import (OPERATOR, Rpcspec, add_common_arguments, bound_settings,
                            guarded_settings, settings, stream_settings, tls_settings)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from turn import is_turn

INNOCENT = ("pass", "not_applicable", "inconclusive")
STALL = 4  # seconds; longer than rpcspec waits for a reply to anything that is quick as a rule
STEADY = 0.5
STALLS = 6  # of each run
PATIENT = 2 * STALL  # seconds that the server waits for an answer of ours, which may be stalled, too


def family(pid):
    """The process and all that descend from it, parents first."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat", encoding="utf-8") as stat:
            parents[int(name)] = int(stat.read().rpartition(")")[2].split()[1])
    found = [pid]
    for parent in found:
        found += [child for child, its in parents.items() if its == parent]
    return found


def stall(process, over):
    """Stops everything for a while, a few times; rpcspec is the first to go on."""
    for _ in range(STALLS):
        if over.wait(STEADY):
            return
        stopped = family(process.pid)
        for number, pause in ((signal.SIGSTOP, STALL), (signal.SIGCONT, 0)):
            for pid in stopped:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)
            over.wait(pause)


def mistakes(setting, run):
    """What is wrong with a run in which nothing may be found."""
    found = []
    if run.timed_out:
        found.append("did not end in time")
    if run.exit_code != 0:
        found.append(f"exit code {run.exit_code}: {run.output.strip()[-300:]}")
    if not any(verdict == "pass" for verdict in run.verdicts.values()):
        found.append("nothing was played")
    for case in run.cases:
        if case["verdict"] not in INNOCENT or case["findings"]:
            reasons = [case["reason"]] + [f"{finding['requirement']}: expected "
                                          f"{finding['expected']}; seen {finding['seen']}"
                                          for finding in case["findings"][:2]]
            found.append(f"{case['id']}: {case['verdict']}: "
                         + " | ".join(filter(None, reasons))[:600])
    return [f"{setting}: {line}" for line in found]


def main():
    parser = argparse.ArgumentParser(description="no finding on the sound reference server")
    add_common_arguments(parser)
    parser.add_argument("--times", type=int, default=1, metavar="N", help="everything N times")
    parser.add_argument("--only", action="append", default=[], metavar="GLOB",
                        help="settings like this, such as 'mcp-2025-06-18 http'")
    parser.add_argument("--timeout", type=float, default=10, metavar="SECONDS",
                        help="how long rpcspec waits for a reply (10)")
    parser.add_argument("--stalls", action="store_true",
                        help=f"everything stands still for {STALL} s, {STALLS} times a run")
    parser.add_argument("--part", metavar="auto",
                        help="one setting in three, other ones for each commit")
    options = parser.parse_args()
    rpcspec = Rpcspec(options.rpcspec, options.server, options.suite)
    chosen = [setting for setting in settings() + stream_settings() + guarded_settings()
              + bound_settings() + tls_settings()
              for glob in options.only or ["*"]
              if fnmatch.fnmatch(str(setting), glob)]
    if options.part == "auto":
        chosen = [setting for number, setting in enumerate(chosen) if is_turn(number % 3, 3)]

    @contextlib.contextmanager
    def stalling(process):
        over = threading.Event()
        beside = threading.Thread(target=stall, args=(process, over))
        beside.start()
        try:
            yield
        finally:
            over.set()
            beside.join()

    if options.stalls:
        OPERATOR["request_timeout"] = PATIENT
        OPERATOR["mcp"]["server.request_timeout"] = {"seconds": 2.5 * PATIENT}
    disturb = stalling if options.stalls else contextlib.nullcontext

    def play(setting):
        began = time.monotonic()
        run = rpcspec.run(setting, timeout=options.timeout, limit=300, beside=disturb)
        return setting, run, time.monotonic() - began

    wrong, counts = [], {}
    with concurrent.futures.ThreadPoolExecutor(options.runs) as pool:
        for setting, run, seconds in pool.map(play, chosen * options.times):
            for verdict in run.verdicts.values():
                counts[verdict] = counts.get(verdict, 0) + 1
            found = mistakes(setting, run)
            wrong += found
            print(f"{str(setting):<36} {len(run.verdicts):4} results {seconds:6.1f} s"
                  f"{'' if not found else f'  {len(found)} WRONG'}", flush=True)
    for line in sorted(set(wrong)):
        print(f"{wrong.count(line)}x {line}")
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    return 1 if wrong or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
