#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# The model against servers nobody wrote it for: mutated messages are played to them and what comes
# back is judged by the oracles.
#
#   model_agreement_test.py RPCSPEC REFERENCE_SERVER [--frames N] [--sound COMMAND] [--only GLOB]…
#
# On a sound server nothing may be found, however odd the message; with each Fault of the envelope
# something has to be within 1,000 messages (RARE: more). Messages come from a seed, so a failure comes again.
import argparse
import base64
import fnmatch
import json
import os
import random
import select
import shlex
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
from feature_messages import FeatureMessages  # noqa: E402

PROFILES = ["jsonrpc-2.0", "mcp-2024-11-05", "mcp-2025-03-26", "mcp-2025-06-18", "mcp-2025-11-25",
            "mcp-2026-07-28", "mcp-tutorial"]
PER_SESSION = 1000  # messages to one process
PATIENCE = 5  # seconds for a reply; a server that is sound and busy needs far less
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}}

# Fault → the profile in which it shows. Those of ids, notifications, replies and arrays are told by
# the oracles of these names, the others by the model.
PLAIN = """
    parse-error-silent parse-error-code-32603 parse-error-id-guessed unreadable-id-answered-zero
    invalid-request-id-minus-one invalid-request-code-32603 invalid-request-dropped
    unknown-method-code-32603 unknown-method-empty-result unknown-method-silent
    params-judged-before-method notification-answered unknown-notification-answered
    malformed-notification-answered-ok jsonrpc-member-unchecked version-compared-by-prefix
    version-number-accepted missing-method-served method-type-unchecked empty-method-served
    member-names-case-ignored member-order-matters params-type-unchecked params-null-dropped
    extra-members-dropped method-looked-up-as-attribute long-method-name-silent rpc-prefix-served
    primitive-message-code-32700 stray-response-answered hybrid-answered-twice reply-twice
    batch-answered-one-by-one batch-last-response-missing batch-refused batch-of-one-unwrapped
    empty-batch-answered-with-array empty-batch-silent batch-invalid-element-unwrapped
    batch-invalid-elements-dropped batch-notification-answered batch-one-failure-refuses-all
    batch-empty-reply nested-batch-served nested-batch-silent batch-reply-repeated-alone
    id-string-uppercased id-number-as-string id-string-as-number
    id-negative-made-positive id-empty-string-dropped
    id-fraction-truncated null-id-answered-with-zero
    id-invalid-echoed error-id-null-always minus-zero-refused-silently
    duplicate-names-silent
    exits-on-invalid-request exits-on-parse-error params-required
""".split()
MCP = """
    method-case-ignored params-array-silent batch-silent
    string-ids-refused empty-batch-served batch-served-where-removed
""".split()
# Few generated messages meet them, and a reply that may belong to another message proves nothing.
RARE = {"duplicate-names-silent": 6000}
FAULTS = {**{fault: "jsonrpc-2.0" for fault in PLAIN},
          **{fault: "mcp-2025-06-18" for fault in MCP},
          "null-id-served": "mcp-2025-06-18"}
# Those of features, told by the oracle of this name.
FEATURES = {**{fault: "mcp-2025-11-25" for fault in """
    declared-completions-missing declared-logging-missing declared-prompts-missing
    declared-resources-missing declared-subscribe-missing declared-tools-missing
    undeclared-feature-served undeclared-feature-other-code tools-undeclared resources-undeclared
    prompts-undeclared unknown-tool-is-error-result unknown-tool-succeeds unknown-tool-other-code
    tool-name-defaulted tool-name-type-unchecked arguments-type-unchecked
    arguments-type-other-code required-argument-unchecked argument-types-coerced unknown-argument-taken
    unknown-resource-empty unknown-resource-invented resource-not-found-code-zero
    resource-uri-missing-served resource-uri-missing-other-code resource-uri-kind-unchecked
    resource-uri-kind-other-code invalid-uri-served subscribe-uri-unchecked
    subscribe-uri-other-code unknown-prompt-served unknown-prompt-empty unknown-prompt-other-code
    prompt-argument-missing-served prompt-argument-missing-other-code prompt-name-missing-served
    prompt-name-missing-other-code prompt-name-kind-unchecked prompt-values-other-code
    completion-type-unchecked completion-type-other-code completion-unknown-prompt-empty
    completion-unknown-prompt-other-code completion-params-unchecked completion-params-other-code
    completion-value-kind-unchecked unknown-cursor-first-page unknown-cursor-other-code
    cursor-type-unchecked cursor-type-other-code cursor-refused log-level-missing-taken
    log-level-unknown-taken log-level-unknown-internal
    task-unknown-other-code
""".split()}, "resource-not-found-legacy-code": "mcp-2026-07-28"}


class Messages:
    """Messages by a seed: a lawful one with one or two things about it changed."""

    def __init__(self, profile, seed):
        self.profile, self.random, self.next = profile, random.Random(f"{profile} {seed}"), 10_000
        self.mcp = profile.startswith("mcp-2")
        self.stateless = profile == "mcp-2026-07-28"
        # None of them takes its time, and no second initialize is among them.
        self.methods = (["subtract", "sum", "echo", "fail"] if profile == "jsonrpc-2.0" else
                        ["tools/list", "resources/list", "prompts/list"] +
                        (["server/discover"] if self.stateless else ["ping"]))

    def own_id(self):
        self.next += 1
        return self.next if self.random.random() < 0.7 else f"m-{self.next}"

    def params(self):
        value = {"_meta": META} if self.stateless else {}
        if self.random.random() < 0.1:
            value["extra"] = self.random.choice([1, "x", [], {}, None])
        return value

    def message(self):
        pick = self.random.random()
        body = {"jsonrpc": "2.0", "id": self.own_id(), "method": self.method()}
        if pick < 0.2:
            del body["id"]
        if self.stateless or self.random.random() < 0.6:
            body["params"] = self.params()
        return body

    def method(self):
        if self.random.random() < 0.5:
            return self.random.choice(self.methods)
        return self.random.choice(["rpcspec/nobody-has-this", "rpcspec.x"] if not self.mcp else
                                  ["rpcspec.x", "tools/nope", "resources/nope", "prompts/nope"])

    def odd_id(self):
        if self.random.random() < 0.6:
            return self.random.choice([0, 0, -1, -7, "", "", 1.5, 2.25, None])
        return self.random.choice([
            True, False, None, [], [1], {}, {"a": 1}, 2**53 + self.next,
            2**64 + self.next, f"Caf\u00e9-{self.next}", f"{self.next + 10**7}", "null", "true", "007"])

    def changed(self, body):
        """One rule of the envelope broken, or one of its freedoms used."""
        body, choose = dict(body), self.random.choice
        kind = self.random.randrange(17)
        if kind == 0:
            body["jsonrpc"] = choose(["1.0", "2", "2.1", "", "2.0 ", 2, 2.0, None, True, [], {}])
        elif kind == 1:
            body.pop("jsonrpc", None)
        elif kind == 2:
            body.pop("method", None)
        elif kind == 3:
            body["method"] = choose([1, None, True, [], {}, ["ping"], 0.5])
        elif kind == 4:
            body["method"] = choose(["", "__proto__", "constructor", "toString", "rpc.discover",
                                     "rpc.x", "PING", "Tools/List", "notifications/initialized", "notifications/x",
                                     "ping\0", "..", "*", "m" * 1500, "m" * 1500, "rpcspec\n",
                                     "notifications/initialized"])
        elif kind in (5, 6):
            body["id"] = self.odd_id()
        elif kind == 7:
            body["params"] = choose(["bar", 1, True, False, 0.5, ""])
        elif kind == 8:
            body["params"] = None
        elif kind == 9:
            body["params"] = choose([[], [1], [[]], [1, 2, 3]])
        elif kind == 10:
            body["params"] = {"_meta": choose([1, "x", [], None])}
        elif kind == 11:
            body[choose(["foo", "_x", "meta", "Id"])] = choose([1, {}, None, "a"])
        elif kind == 12:
            body[choose(["result", "error"])] = choose([{}, 1, None, {"code": 1, "message": "m"}])
        elif kind == 13:  # a response
            body.pop("method", None)
            body.pop("params", None)
            body[choose(["result", "error"])] = choose([{}, {"code": 1, "message": "m"}])
        elif kind == 14:
            names = list(body)
            self.random.shuffle(names)
            body = {name: body[name] for name in names}
        elif kind == 15:
            swap = choose([str.upper, str.capitalize])
            body = {swap(name): value for name, value in body.items()}
        else:
            body.pop("params", None)
        return body

    def value(self):
        pick = self.random.random()
        if pick < 0.25:
            return self.message()
        if pick < 0.80:
            body = self.changed(self.message())
            return self.changed(body) if self.random.random() < 0.2 else body
        if pick < 0.86:
            return self.random.choice([1, "foo", None, True, False, 0.5, {}, {"foo": 1}, {"id": 7},
                                       {"jsonrpc": "2.0"}, {"jsonrpc": "2.0", "params": {}}])
        size = self.random.choice([0, 1, 1, 1, 2, 2, 3, 5])
        return [self.random.choice([self.message, self.message, self.message,
                                    lambda: self.changed(self.message()), lambda: {"foo": 1},
                                    lambda: 1, lambda: [self.message()]])() for _ in range(size)]

    def text(self):
        data = json.dumps(self.value(), ensure_ascii=self.random.random() < 0.5).encode(
            "utf-8", "surrogatepass")
        if self.random.random() < 0.82:
            return data
        return self.spoilt(data)

    def spoilt(self, data):
        """The same as text that is not JSON, or is JSON in a way parsers differ on."""
        at = self.random.randrange(len(data) + 1)
        return self.random.choice([
            lambda: data[:at],
            lambda: data[:at] + self.random.choice([b",", b"]", b"}", b"\"", b"\\", b"\x01", b"'"])
            + data[at:],
            lambda: data + self.random.choice([b"x", b" {}", b"]", b",", b"\0"]),
            lambda: data.replace(b":", b"=", 1),
            lambda: data.replace(b"\"", b"'"),
            lambda: data[:at] + bytes([self.random.randrange(128, 256)]) + data[at:],
            lambda: b"\xef\xbb\xbf" + data,
            lambda: data.replace(b"\"id\": ", b"\"id\": -0, \"x\": "),
            lambda: data.replace(b"{", b"{\"a\": \"\\ud800\", ", 1),
            lambda: data.replace(b"{", b"{\"id\": 1, ", 1),
            lambda: data.replace(b"\"id\": ", b"\"id\": -0, \"x\": "),
            lambda: data.replace(b"{", b"{\"id\": 1, ", 1),
            lambda: b"  " + data + b"\t",
            lambda: self.random.choice([b"not json", b"", b" ", b"nul", b"GET / HTTP/1.1"]),
        ])().replace(b"\n", b" ").replace(b"\r", b" ")


class Play:
    """One process, and the transcript of what was said."""

    def __init__(self, command, profile):
        self.profile, self.frames, self.asked = profile, [], 0
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.alive, self.missed, self.buffered = True, 0, b""

    def note(self, direction, channel, data):
        frame = {"seq": len(self.frames) + 1, "time_us": len(self.frames), "direction": direction,
                 "channel": channel}
        try:
            frame["text"] = data.decode()
        except UnicodeDecodeError:
            frame["base64"] = base64.b64encode(data).decode()
        self.frames.append(frame)

    def send(self, *texts):
        for text in texts:
            self.note("sent", "stdin", text)
        try:
            self.process.stdin.write(b"".join(text + b"\n" for text in texts))
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def line(self):
        """The next line, b"" at the end, or None when none comes."""
        while b"\n" not in self.buffered:
            if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
                return None
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                return b""
            self.buffered += data
        line, self.buffered = self.buffered.split(b"\n", 1)
        return line + b"\n"

    def until(self, marker):
        while self.alive:
            line = self.line()
            if line is None:
                self.missed += 1
                return
            if not line:
                self.alive = False
                return
            self.note("received", "stdout", line.rstrip(b"\n"))
            if marker in line:
                return

    def canary(self):
        """A sound request and all that comes before its answer."""
        self.asked += 1
        own = 7_000_000_000 + self.asked
        method, params = {"jsonrpc-2.0": ("sum", [1]),
                          "mcp-2026-07-28": ("server/discover", {"_meta": META})}.get(
                              self.profile, ("ping", {}))
        self.send(json.dumps({"jsonrpc": "2.0", "id": own, "method": method,
                              "params": params}).encode())
        self.until(str(own).encode())

    def handshake(self):
        if self.profile in ("jsonrpc-2.0", "mcp-2026-07-28"):
            return
        revision = "2024-11-05" if self.profile == "mcp-tutorial" else self.profile[4:]
        self.send(json.dumps({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {
            "protocolVersion": revision, "capabilities": {},
            "clientInfo": {"name": "rpcspec", "version": "1"}}}).encode())
        self.until(b"hello")
        self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')

    def ask(self, text):
        """The reply to a request, with all that comes before it; None when there is none."""
        self.send(text)
        own = json.loads(text)["id"]
        while self.alive:
            line = self.line()
            if not line:
                self.alive = self.alive and line is None
                return None
            self.note("received", "stdout", line.rstrip(b"\n"))
            reply = json.loads(line)
            if reply.get("id") == own and "method" not in reply:
                return reply

    def listen(self, messages):
        """What the messages are made of is asked for first."""
        opening = messages.opening()
        try:
            text = next(opening)
            while True:
                text = opening.send(self.ask(text))
        except StopIteration:
            pass

    def play(self, messages, count):
        self.handshake()
        if isinstance(messages, FeatureMessages):
            self.listen(messages)
        while count > 0 and self.alive and self.missed < 3:
            burst = min(count, messages.random.choice([1, 1, 1, 2, 3]))
            count -= burst
            self.send(*[messages.text() for _ in range(burst)])
            self.canary()
            self.canary()
        if not self.alive:
            code = self.process.wait()
            self.note("received", "exit", (f"signal {-code}" if code < 0 else f"exit {code}").encode())
            return

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        if not self.process.stdin.closed:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass

    def write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(json.dumps({"format": "rpcspec-transcript/1", "profile": self.profile,
                                   "transport": "stdio", "target": "agreement"}) + "\n")
            for frame in self.frames:
                file.write(json.dumps(frame) + "\n")


def judged(rpcspec, play, folder):
    """What the oracles say: (oracle, requirement, expected, seen)."""
    transcript, report = os.path.join(folder, "t.jsonl"), os.path.join(folder, "r.json")
    play.write(transcript)
    run = subprocess.run([rpcspec, "judge", transcript, "--report", f"json={report}"],
                         capture_output=True, text=True, timeout=120)
    if run.returncode not in (0, 1):
        raise SystemExit(f"judge: {run.stderr}")
    with open(report, encoding="utf-8") as file:
        results = json.load(file)["cases"]
    return [(result["id"], finding["requirement"], finding["expected"], finding["seen"])
            for result in results for finding in result["findings"]]


def messages_of(kind, profile, seed):
    if kind == "features":
        return FeatureMessages(profile, seed, META if profile == "mcp-2026-07-28" else None)
    return Messages(profile, seed)


def played(rpcspec, command, profile, count, seed, kind="messages"):
    play = Play(command, profile)
    try:
        play.play(messages_of(kind, profile, seed), count)
    finally:
        play.end()
    with tempfile.TemporaryDirectory() as folder:
        return judged(rpcspec, play, folder), play.alive and not play.missed


def agree(options, name, command, profile, kind="messages"):
    """Nothing may be found."""
    wrong, began = {}, time.monotonic()
    for seed in range((options.frames + PER_SESSION - 1) // PER_SESSION):
        count = min(PER_SESSION, options.frames - seed * PER_SESSION)
        findings, alive = played(options.rpcspec, command, profile, count, seed, kind)
        if not alive:
            wrong.setdefault(("died or hung", ""), f"in session {seed}")
        for oracle, requirement, expected, seen in findings:
            wrong.setdefault((oracle, requirement), f"{expected} | {seen} (session {seed})")
    print(f"{name:<10} {profile:<16} {options.frames} {kind:<8} {time.monotonic() - began:6.1f} s"
          f"{f'  {len(wrong)} WRONG' if wrong else ''}", flush=True)
    for (oracle, requirement), text in wrong.items():
        print(f"  {oracle} {requirement}: {text}")
    return not wrong


def disagree(options, fault, profile, kind="messages"):
    """Something has to be found; the model alone is told apart from all oracles."""
    most = RARE.get(fault, 1000)
    for size, seed in ((100, seed) for seed in range(most // 100)):
        findings, _ = played(options.rpcspec, [options.server, "--profile", profile, "--fault", fault],
                             profile, size, seed, kind)
        if findings:
            tellers = sorted({oracle.removeprefix("oracle/") for oracle, *_ in findings})
            if options.verbose:
                print(f"{fault:<40} {seed:3}  {', '.join(tellers)}")
            return True, tellers
    print(f"{fault}: nothing was found within {most} messages in {profile}")
    return False, []


def main():
    parser = argparse.ArgumentParser(description="the model agrees with sound servers")
    parser.add_argument("rpcspec")
    parser.add_argument("server")
    parser.add_argument("--frames", type=int, default=1000, help="for each profile (1000)")
    parser.add_argument("--sound", help="another sound server, asked with --profile P")
    parser.add_argument("--only", action="append", default=[], metavar="GLOB",
                        help="profiles or Faults like this")
    parser.add_argument("--no-faults", action="store_true")
    parser.add_argument("--kind", nargs="*", default=["messages", "features"],
                        help="messages, features or both")
    parser.add_argument("--verbose", action="store_true", help="who found each Fault")
    options = parser.parse_args()
    wanted = lambda name: any(fnmatch.fnmatch(name, glob) for glob in options.only or ["*"])
    ok = True
    for profile in filter(wanted, PROFILES):
        for kind in ("messages", "features") if profile != "jsonrpc-2.0" else ("messages",):
            if kind not in options.kind:
                continue
            ok &= agree(options, "reference", [options.server, "--profile", profile], profile, kind)
            if options.sound:
                name = profile.removeprefix("mcp-") if profile == "mcp-tutorial" else profile
                ok &= agree(options, "sound", shlex.split(options.sound) + ["--profile", name], profile,
                            kind)
    if not options.sound:
        print("no other sound server was given: skipped")
    tellers = {}
    faults = [(fault, profile, "messages") for fault, profile in FAULTS.items()]
    faults += [(fault, profile, "features") for fault, profile in FEATURES.items()]
    for fault, profile, kind in faults:
        if options.no_faults or not wanted(fault) or kind not in options.kind:
            continue
        found, by = disagree(options, fault, profile, kind)
        ok &= found
        for oracle in by:
            tellers[oracle] = tellers.get(oracle, 0) + 1
    if tellers:
        print("Faults found by", ", ".join(f"{name} {count}" for name, count in sorted(tellers.items())))
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
