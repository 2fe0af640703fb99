#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Writes down everything that is told of servers with known defects: verdicts, findings and causes.
# Before and after a change of the engine, so that dump_diff.py can say what it has changed.
#
#   dump.py [--out FILE] [--only GLOB]... [--under GLOB]... [--every N]   the Faults, in memory
#           [--whole]                                                    each with all cases
#   dump.py --processes [RPCSPEC SERVER] [--only GLOB]... [--every N]     those of HTTP and the like
#   dump.py --servers [NAME...]                                           those of corpus/servers
#   dump.py --reports FILE...                                             what reports tell
#   dump.py --golden [--bless]                                            a sample, against golden.jsonl
import argparse
import concurrent.futures
import glob
import os
import subprocess
import sys
import tempfile
import zlib

sys.dont_write_bytecode = True  # tests leave nothing in the source folder
import dump_diff
import dump_form

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
GOLDEN = os.path.join(HERE, "golden.jsonl")
# What the sample is drawn from, and one play in how many.
SAMPLE = ["--under", "jsonrpc-2.0", "--under", "mcp-2025-11-25", "--under", "mcp-2026-07-28",
          "--every", "60"]

SETTINGS = 2  # under which a Fault is played over processes: the first that its help speaks of
# What is played over processes beside the cases that claim a Fault.
CONVERSATION = ["jsonrpc/id/string-echo", "mcp/tools/list"]


def in_memory(program, cases, arguments, jobs):
    """The plays of rpcspec-falsify."""
    with tempfile.TemporaryDirectory(prefix="rpcspec-dump-") as folder:
        path = os.path.join(folder, "dump")
        subprocess.run([program, cases, "--dump", path, "--jobs", str(jobs), *arguments],
                       check=True, timeout=7200, stdout=sys.stderr)
        return [dump_form.masked(play) for play in dump_form.read(path).values()]


def over_processes(options):
    """The Faults of what surrounds the engine: HTTP, WebSocket, framing, the end of the process."""
    sys.path.insert(0, os.path.join(TOP, "harness", "reference"))
    from falsify_test import Falsifier, all_settings
    from reference_runs import add_common_arguments
    parser = argparse.ArgumentParser()
    add_common_arguments(parser)
    arguments = parser.parse_args(options.names)
    arguments.only = options.only
    falsifier = Falsifier(arguments)

    def play(row):
        fault, setting, cases = row
        report = falsifier.rpcspec.run(setting, fault, cases, timeout=5, jobs=1).report
        told = (dump_form.of_report(report, setting.server) if report
                else {"ended": "without a report"})
        return {**told, "fault": fault, "server": setting.server, "judged_by": setting.profile,
                "transport": str(setting)[len(setting.server):].strip()}

    rows = []
    for fault, watchers in sorted(falsifier.wanted().items()):
        hinted = [setting for setting in all_settings() if falsifier.hinted(fault, setting)
                  and (setting.transport != "stdio" or setting.framing != "line")]
        for setting in hinted[:SETTINGS]:
            if zlib.crc32(f"{fault} {setting}".encode()) % options.every != 0:
                continue
            cases = sorted(case for case in watchers if case in falsifier.cases
                           and falsifier.may_apply(case, setting))
            rows.append((fault, setting, cases + CONVERSATION))
    print(f"{len(rows)} plays", file=sys.stderr)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        return list(pool.map(play, rows))


def of_servers(names):
    """Those of corpus/servers, played now; the table that is printed says which could not be."""
    built = os.path.join(TOP, "build", "servers")
    old = {path: os.stat(path).st_mtime_ns for path in glob.glob(f"{built}/*/report*.json")}
    subprocess.run([os.path.join(TOP, "corpus", "servers", "run"), *names], check=False,
                   stdout=sys.stderr)
    fresh = [path for path in sorted(glob.glob(f"{built}/*/report*.json"))
             if old.get(path) != os.stat(path).st_mtime_ns]
    return of_reports(fresh)


def of_reports(paths):
    return [play for path in paths for play in dump_form.read(path).values()]


def golden_form(play):
    """What is committed: each text once, in the sentence of a cause, and no case that passes."""
    return {**play,
            "findings": [{name: value for name, value in finding.items()
                          if name not in ("expected", "seen")} for finding in play["findings"]],
            "verdicts": {case: verdict for case, verdict in play["verdicts"].items()
                         if verdict not in ("pass", "not_applicable")},
            "reasons": {}} if "ended" not in play else play


def hold_against_golden(plays, bless):
    plays = [golden_form(play) for play in plays]
    if bless:
        dump_form.write(plays, GOLDEN)
        print(f"{len(plays)} plays in {os.path.relpath(GOLDEN, TOP)}")
        return 0
    found = dump_diff.differences(dump_form.read(GOLDEN),
                                  {dump_form.name_of(play): play for play in plays})
    total = sum(map(len, found.values()))
    dump_diff.tell(found, 3, sys.stdout)
    print(f"{len(plays)} plays, {total} differences"
          + ("; where each is meant: dump.py --golden --bless" if total else ""))
    return 1 if total else 0


def main():
    parser = argparse.ArgumentParser(description="everything that is told of known defects")
    parser.add_argument("names", nargs="*", help="with --servers: which; with --reports: files; "
                        "with --processes: the programs")
    parser.add_argument("--out", metavar="FILE", default=os.path.join(TOP, "build", "dump.jsonl"))
    parser.add_argument("--only", action="append", default=[], metavar="GLOB",
                        help="cases, oracles, clauses (clause/ID) or Faults like this")
    parser.add_argument("--under", action="append", default=[], metavar="GLOB",
                        help="settings: mcp-2025-11-25, 'mcp-all as auto'")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one play in so many")
    parser.add_argument("--whole", action="store_true", help="all cases in each play")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--memory", metavar="PROGRAM", help="rpcspec-falsify",
                        default=os.path.join(TOP, "build", "rpcspec-falsify"))
    parser.add_argument("--cases", metavar="DIR", default=os.path.join(TOP, "cases"))
    parser.add_argument("--processes", action="store_true")
    parser.add_argument("--servers", action="store_true")
    parser.add_argument("--reports", action="store_true")
    parser.add_argument("--golden", action="store_true")
    parser.add_argument("--bless", action="store_true", help="with --golden: write it")
    options = parser.parse_args()
    if options.golden:
        return hold_against_golden(in_memory(options.memory, options.cases, SAMPLE, options.jobs),
                                   options.bless)
    if options.processes:
        plays = over_processes(options)
    elif options.servers:
        plays = of_servers(options.names)
    elif options.reports:
        plays = of_reports(options.names)
    else:
        arguments = ["--every", str(options.every), *["--whole"] * options.whole]
        for name in ("only", "under"):
            for pattern in getattr(options, name):
                arguments += [f"--{name}", pattern]
        plays = in_memory(options.memory, options.cases, arguments, options.jobs)
    dump_form.write(plays, options.out)
    print(f"{len(plays)} plays in {options.out}")
    return 0 if plays else 1


if __name__ == "__main__":
    sys.exit(main())
