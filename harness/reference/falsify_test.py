#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Proves that every case and every oracle can fail: each names Faults of the reference server, and
# has to catch each of them (fail or warn) in at least one profile and transport in which it passes
# on the sound server. And every Fault the server knows has to be caught by somebody.
#
#   falsify_test.py RPCSPEC REFERENCE_SERVER [--suite DIR] [--only GLOB]... [--part K/N]
#
# What shows in memory is played there by rpcspec-falsify, all of it. What is left are Faults of
# processes, HTTP, WebSocket and framing: with --part one in N of them is played over processes, and
# of the others it is only said that somebody claims them.
import argparse
import collections
import concurrent.futures
import fnmatch
import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # tests leave nothing in the source folder
from reference_runs import (Rpcspec, add_common_arguments, agent_settings, custom_settings,
                            guarded_settings, lsp_settings, settings, stream_settings)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import turn

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CASES = os.path.join(TOP, "cases")
CAUGHT = ("fail", "warn")
PARTS = 16  # `auto` plays so much less
# What oracles watch, in growing portions: most Faults show in the first conversation.
CONVERSATIONS = [
    ["mcp/ping", "mcp/base", "jsonrpc/id", "tutorial/jsonrpc"],
    ["mcp", "jsonrpc", "tutorial"],
    ["*"],
]
# What a sound server leaves out where a Fault serves it undeclared: there the case passes.
LEFT_OUT = {
    "tools-undeclared": ["tools"], "resources-undeclared": ["resources"],
    "prompts-undeclared": ["prompts"], "skills-undeclared": ["skills"],
    "log-undeclared": ["logging"], "subscribe-undeclared-served": ["resources/subscribe"],
    "undeclared-feature-served": ["completions", "logging"],
    "undeclared-feature-other-code": ["completions", "logging"],
    "task-list-and-cancel-undeclared": ["tasks/list", "tasks/cancel"],
    "task-capability-undeclared": ["tasks"],
}
FIRST_PORTION = 14
ORACLE_RUNS = 24   # that may be spent on the oracles of one Fault
# Oracles that say nothing elsewhere.
ORACLE_TRANSPORTS = {"oracle/connection": ["tcp", "unix", "websocket"]}
ORACLE_PROFILES = ["mcp-2025-11-25", "mcp-2026-07-28", "mcp-2025-03-26", "jsonrpc-2.0",
                   "mcp-tutorial", "mcp-2025-06-18", "mcp-2024-11-05", "lsp", "acp-1"]


# What a Fault of framing shows itself on; all others show themselves on lines too.
def all_settings():
    return settings() + guarded_settings() + [
        setting for setting in stream_settings()
        if setting.transport in ("websocket", "http+sse")
        or setting in custom_settings() + lsp_settings() + agent_settings()
        or setting.transport == "stdio" and setting.server == "jsonrpc-2.0"]


class Falsifier:
    def __init__(self, options):
        self.rpcspec = Rpcspec(options.rpcspec, options.server, options.suite)
        self.options = options
        self.cases = {case["id"]: case for case in self.rpcspec.listing("cases")}
        self.oracles = {"oracle/" + row["id"]: row for row in self.rpcspec.listing("oracles")}
        # Planted bugs are for the fuzzer to find, see planted_test.py.
        rows = [row for row in self.rpcspec.listing("faults") if "planted" not in row]
        self.faults = {row["id"]: row["help"] for row in rows}
        # Those of a shape name the clause they break; nobody has to name them.
        self.shapes = {row["id"] for row in rows if "breaks" in row}
        # Cases about permissions and drafts alone fail nobody: they catch a Fault by a remark.
        may = {row["id"] for row in self.rpcspec.listing("requirements") if row["level"] == "MAY"}
        self.remarking = {name for name, case in self.cases.items() if may.issuperset(case["covers"])}
        self.passing = collections.defaultdict(set)   # setting -> cases that pass there when sound
        self.seen = collections.defaultdict(list)     # (watcher, fault) -> "setting: verdict"
        self.caught = set()                           # (watcher, fault)
        self.unreachable = set()                      # (setting, fault): not even a handshake
        self.passing_in_memory = set()
        self.passing_lean = set()                     # cases that pass where a feature is left out
        self.unclaimed = set()                        # Faults of clauses that nobody covers yet
        self.put_off = []                             # pairs of other parts
        self.trouble = []
        self.runs = 0

    # --- what to do

    def wanted(self):
        """fault -> cases and oracles that claim to catch it, narrowed by --only."""
        claims = collections.defaultdict(set)
        for watcher, row in {**self.cases, **self.oracles}.items():
            for fault in row["falsified_by"]:
                claims[fault].add(watcher)
        if not self.options.only:
            return claims
        narrowed = {}
        for fault, watchers in claims.items():
            kept = {watcher for watcher in watchers
                    if any(fnmatch.fnmatch(name, glob) for glob in self.options.only
                           for name in (watcher, fault))}
            if kept:
                narrowed[fault] = kept
        return narrowed

    def play_in_memory(self):
        """What rpcspec-falsify catches needs no process."""
        with tempfile.TemporaryDirectory(prefix="rpcspec-falsify-") as folder:
            report = os.path.join(folder, "report.json")
            command = [self.options.memory, self.options.suite or CASES, "--report", report,
                       "--jobs", str(self.options.runs)]
            for glob in self.options.only:
                command += ["--only", glob]
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=1200)
            print(done.stdout.decode("utf-8", "replace"), end="", flush=True)
            if done.returncode != 0:
                self.trouble.append(f"rpcspec-falsify ended with {done.returncode}")
                return
            with open(report, encoding="utf-8") as text:
                seen = json.load(text)
        self.caught.update((watcher, fault) for watcher, fault in seen["caught"])
        self.passing_in_memory.update(seen["passing"])
        self.unclaimed.update(seen["unclaimed"])
        self.trouble += [f"in memory: {line}" for line in seen["mistakes"]]
        self.trouble += [f"{watcher[7:]}: broken by {fault}, and nobody says so"
                         for watcher, fault in seen["uncited"]]

    def in_part(self, fault):
        if not self.options.part:
            return True
        part, parts = (int(number) for number in self.options.part.split("/"))
        digest = int(hashlib.sha256(fault.encode()).hexdigest(), 16)
        return digest % parts == part % parts

    def left(self, claims):
        """What is to be played over processes now."""
        left = {}
        for fault, watchers in claims.items():
            open_yet = {watcher for watcher in watchers if (watcher, fault) not in self.caught}
            if open_yet and self.in_part(fault):
                left[fault] = open_yet
            else:
                self.put_off += [(watcher, fault) for watcher in open_yet]
        return left

    def check_sound(self, setting, cases):
        applies = sorted(case for case in cases if self.may_apply(case, setting))
        if not applies:
            return
        run = self.play(setting, None, applies if len(cases) < len(self.cases) else [], timeout=5)
        for case, verdict in run.verdicts.items():
            if verdict == "pass":
                self.passing[setting].add(case)

    def may_apply(self, case, setting):
        transports = self.cases[case]["transports"]
        stream = "stream" in transports and setting.transport != "http"
        if setting.transport == "stdio" and setting.framing != "line":
            # What is called stdio is one message a line.
            return not transports or stream or f"stdio+{setting.framing}" in transports
        if setting.framing != "line" and "stdio" in transports:
            return False
        if setting.auth and not self.is_about_credentials(case):
            return False  # the others gain nothing from a server that demands credentials
        return not transports or stream or setting.transport in transports

    def is_about_credentials(self, case):
        if "/auth/" in case:
            return True
        folder, name = os.path.split(os.path.join(self.options.suite or CASES, "suite", case))
        for path in glob.glob(os.path.join(folder, "*.yaml")):
            with open(path, encoding="utf-8") as text:
                for one in text.read().split("\n---\n"):
                    called = re.search(r"(?m)^case: (.*)$", one)
                    if (called[1] if called else os.path.basename(path)[:-5]) == name:
                        return re.search(r"\bauth: (?!none)", one) is not None
        raise KeyError(case)

    # --- one Fault

    def pursue(self, fault, watchers):
        pending = {watcher for watcher in watchers if watcher in self.cases}
        passing = {setting: set(cases) for setting, cases in self.passing.items()}
        for setting in self.lean_settings(fault):
            run = self.play(setting, None, sorted(pending), timeout=5, without=LEFT_OUT[fault])
            passed = {case for case, verdict in run.verdicts.items() if verdict == "pass"}
            passing[setting] = passing.get(setting, set()) | passed
            self.passing_lean |= passed
        tried = set()
        while pending:
            best, chosen = None, []
            for setting in self.by_hint(fault, all_settings()):
                fresh = sorted(case for case in pending
                               if case in passing.get(setting, ()) and (case, setting) not in tried
                               and (setting, fault) not in self.unreachable)
                if len(fresh) > len(chosen):
                    best, chosen = setting, fresh
                    if self.hinted(fault, setting):
                        break
            if best is None:
                break
            tried.update((case, best) for case in chosen)
            verdicts = self.play(best, fault, chosen).verdicts
            self.note(fault, best, verdicts, pending | watchers)
            pending = {case for case in pending if (case, fault) not in self.caught}
        self.watch(fault, watchers)

    def lean_settings(self, fault):
        """Where a server without the feature is played: as the Fault's help says."""
        if fault not in LEFT_OUT:
            return []
        return [setting for setting in self.by_hint(fault, all_settings())
                if setting.transport == "stdio" and self.hinted(fault, setting)]

    def watch(self, fault, watchers):
        """Plays what the oracles among them watch."""
        oracles = {watcher for watcher in watchers if watcher in self.oracles}
        # First where the Fault's help says, with more and more cases; then a few cases elsewhere.
        order = self.by_hint(fault, all_settings())
        hinted = [setting for setting in order if self.hinted(fault, setting)]
        plan = [(portion, setting) for portion in range(len(CONVERSATIONS)) for setting in hinted]
        plan += [(0, setting) for setting in order if setting not in hinted]
        runs = 0
        for portion, setting in plan:
            left = {watcher for watcher in oracles if (watcher, fault) not in self.caught}
            if not left or runs >= ORACLE_RUNS:
                return
            if setting.server not in ORACLE_PROFILES or (setting, fault) in self.unreachable:
                continue
            if all(setting.transport not in ORACLE_TRANSPORTS.get(watcher, [setting.transport])
                   for watcher in left):
                continue
            chosen = sorted(case for case in self.passing[setting]
                            if any(fnmatch.fnmatch(case, folder + "*")
                                   for folder in CONVERSATIONS[portion]))
            if portion == 0:
                chosen = chosen[::max(1, len(chosen) // FIRST_PORTION)]
            if chosen:
                runs += 1
                self.note(fault, setting, self.play(setting, fault, chosen).verdicts, left)

    def note(self, fault, setting, verdicts, watchers):
        met = any(verdict in CAUGHT for case, verdict in verdicts.items()
                  if case.startswith("contact/"))
        for watcher in watchers:
            verdict = verdicts.get(watcher)
            # What the first contact found already leaves nothing to play.
            told = met and verdict == "inconclusive"
            if verdict in CAUGHT or verdict == "remark" or told:
                self.caught.add((watcher, fault))
            elif watcher in verdicts or watcher in self.oracles:
                self.seen[watcher, fault].append(f"{setting}: {verdict or 'pass'}")

    def by_hint(self, fault, order):
        """Settings that the Fault's help speaks of first, then newest first."""
        return sorted(order, key=lambda setting: not self.hinted(fault, setting))

    def hinted(self, fault, setting):
        help_text = self.faults.get(fault, "")
        dates = re.findall(r"20\d\d-\d\d-\d\d(?=[:)])", help_text)
        if dates and not any(date in setting.server for date in dates):
            return False
        for words, server in (("LSP:", "lsp"), ("ACP:", "acp-1")):
            if help_text.startswith(words) and setting.server != server:
                return False
        if "tutorial" in help_text.lower() and setting.server != "mcp-tutorial":
            return False
        if "plain" in help_text and setting.server != "jsonrpc-2.0":
            return False
        if help_text.startswith("WebSocket:") != (setting.transport == "websocket"):
            return False
        if help_text.startswith("HTTP+SSE:") or setting.transport == "http+sse":
            return help_text.startswith("HTTP+SSE:") == (setting.transport == "http+sse")
        if help_text.startswith("HTTP authorization:") != bool(setting.auth):
            return False
        if "API key:" in help_text and setting.auth != "api-key":
            return False
        over_http = re.search(r"\bHTTP\b|\bSSE\b", help_text) is not None
        if over_http != (setting.transport == "http"):
            return False
        if setting.server != "lsp" and (
                ("Content-Length framing" in help_text) != (setting.framing != "line")):
            return False
        return bool(dates) or over_http or setting.server in ("mcp-2025-11-25", "mcp-tutorial",
                                                              "jsonrpc-2.0", "mcp-2026-07-28", "lsp", "acp-1")

    def play(self, setting, fault, select, timeout=None, without=()):
        run = self.rpcspec.run(setting, fault, select, timeout or self.options.timeout, limit=60,
                               without=without)
        self.runs += 1
        for case in run.cases:
            if case["id"] in self.remarking and case["verdict"] == "pass" and case.get("notes"):
                run.verdicts[case["id"]] = "remark"
        if run.exit_code == 3:
            self.unreachable.add((setting, fault))
        if run.broken:
            self.trouble.append(f"{setting}, fault {fault}: rpcspec ended with {run.exit_code}: "
                                + run.output.strip()[-300:])
        if run.timed_out:
            self.trouble.append(f"{setting}, fault {fault}: the run took too long")
        return run

    # --- all of it

    def everything(self):
        began = time.monotonic()
        claims = self.wanted()
        self.play_in_memory()
        left = self.left(claims)
        if self.options.part:
            print(f"part {self.options.part}: {len(left)} Faults over processes, "
                  f"{len(self.put_off)} pairs are for other parts", flush=True)
        cases = {watcher for watchers in left.values() for watcher in watchers
                 if watcher in self.cases}
        if any(watcher in self.oracles for watchers in left.values() for watcher in watchers):
            cases = set(self.cases)
        with concurrent.futures.ThreadPoolExecutor(self.options.runs) as pool:
            list(pool.map(lambda setting: self.check_sound(setting, cases), all_settings()))
            print(f"sound: {len(all_settings())} settings in {time.monotonic() - began:.0f} s",
                  flush=True)
            done = 0
            futures = {pool.submit(self.pursue, fault, watchers): fault
                       for fault, watchers in sorted(left.items())}
            for future in concurrent.futures.as_completed(futures):
                fault = futures[future]
                future.result()
                done += 1
                for watcher in sorted(left[fault]):
                    if (watcher, fault) not in self.caught:
                        print(f"not caught: {watcher}  {fault}", flush=True)
                if done % 25 == 0 or done == len(futures):
                    print(f"{done}/{len(futures)} Faults, {self.runs} runs, "
                          f"{time.monotonic() - began:.0f} s", flush=True)
        return self.tell(claims)

    def tell(self, claims):
        wrong = list(self.trouble)
        for watcher, row in {**self.cases, **self.oracles}.items():
            if not row["falsified_by"] and not self.options.only:
                wrong.append(f"{watcher}: names no Fault")
        passing = self.passing_in_memory.union(self.passing_lean, *self.passing.values())
        put_off = set(self.put_off)
        missed = []
        for fault, watchers in sorted(claims.items()):
            if fault not in self.faults:
                wrong.append(f"{fault}: is not a Fault of the reference server, but named by "
                             + ", ".join(sorted(watchers)))
            for watcher in sorted(watchers):
                if (watcher, fault) in self.caught or (watcher, fault) in put_off:
                    continue
                if watcher in self.cases and watcher not in passing:
                    missed.append((watcher, fault, "never passes on the sound server"))
                else:
                    missed.append((watcher, fault, "; ".join(self.seen[watcher, fault])))
        if not self.options.only:
            # What no single conversation shows is for the fuzzer's probes, and is tried there.
            path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli/fuzz_test.py")
            with open(path, encoding="utf-8") as file:
                text = file.read()
            for fault in sorted(set(self.faults) - set(claims) - self.shapes):
                if f'"{fault}"' not in text:
                    wrong.append(f"{fault}: a Fault that no case, oracle or stateful check names")
        if missed:
            print("\nNot caught:")
            for watcher, fault, tried in missed:
                print(f"  {watcher:<52} {fault:<40} {tried}")
        for line in wrong:
            print(line)
        pairs = sum(len(watchers) for watchers in claims.values())
        print(f"\n{pairs - len(missed) - len(put_off)} of {pairs} pairs caught, "
              f"{len(put_off)} put off, {len(claims)} Faults, {self.runs} runs, "
              f"{len(self.unclaimed)} clauses broken by a Fault are not covered yet, "
              f"{len(wrong)} other mistakes")
        return 1 if missed or wrong else 0


def main():
    parser = argparse.ArgumentParser(description="every case and every oracle can fail")
    add_common_arguments(parser)
    parser.add_argument("--only", action="append", default=[], metavar="GLOB",
                        help="cases (a/b/c), oracles (oracle/NAME) or Faults like this")
    parser.add_argument("--memory", metavar="PROGRAM", help="rpcspec-falsify",
                        default=os.path.join(TOP, "build", "rpcspec-falsify"))
    parser.add_argument("--part", metavar="K/N", help="of what needs processes, one Fault in N; "
                        "`auto`: one in %d, another one for each commit" % PARTS)
    parser.add_argument("--timeout", type=float, default=1.5, metavar="SECONDS",
                        help="how long rpcspec waits for a reply (1.5)")
    options = parser.parse_args()
    if options.part == "auto":
        options.part = f"{turn.turn(PARTS)}/{PARTS}"
    return Falsifier(options).everything()


if __name__ == "__main__":
    sys.exit(main())
