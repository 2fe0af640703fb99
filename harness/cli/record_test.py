#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# One request by hand (call); a proxy between client and server (record); a run in one sealed file that
# is judged again (run --bundle, verify).
#
#   record_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import hashlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import RPCSPEC, SERVER, flat, toy

NEW = ["--profile", "mcp-2025-11-25"]
INITIALIZE = {"jsonrpc": "2.0", "id": 0, "method": "initialize",
              "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                         "clientInfo": {"name": "c", "version": "1"}}}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LIST = {"jsonrpc": "2.0", "id": "one", "method": "tools/list"}


class CallTest(testkit.RpcspecTest):
    def test_a_tool_is_called_with_arguments_made_from_its_schema(self):
        listed = json.loads(self.rpcspec("inspect", "--format", "json", *NEW, "--", SERVER))
        (tool, *_) = [one for one in listed["tools"] if one.get("valid")]
        out = self.rpcspec("call", "tools/call", tool["name"], *NEW, "--", SERVER)
        self.assertIn('"method": "tools/call"', out)
        self.assertIn(f'"name": "{tool["name"]}"', out)
        self.assertRegex(out, r"← stdout\n(.|\n)*\"content\"")
        self.assertIn("this exchange breaks no clause of mcp-2025-11-25", out)
        self.assertNotIn("canary", out)

    def test_arguments_params_prompts_and_resources_can_be_said(self):
        out = self.rpcspec("call", "ping", *NEW, "--", SERVER)
        self.assertIn('"method": "ping"', out)
        out = self.rpcspec("call", "tools/call", "nobody", "--arguments", '{"a": [1]}', *NEW, "--",
                           SERVER, code=None)
        self.assertRegex(flat(out), r'"arguments": \{ "a": \[ 1 \] \}')
        self.assertIn("-32602", out)
        listed = json.loads(self.rpcspec("inspect", "--format", "json", *NEW, "--", SERVER))
        self.rpcspec("call", "resources/read", listed["resources"][0]["uri"], *NEW, "--", SERVER)
        self.rpcspec("call", "prompts/get", listed["prompts"][0]["name"], *NEW, "--", SERVER)

    def test_every_revision_and_address_is_spoken(self):
        for words in (["--profile", "mcp-2026-07-28", "--", SERVER],
                      ["--profile", "mcp-2025-11-25", "--url", "http://127.0.0.1:{port}/mcp", "--",
                       SERVER, "--transport", "http", "--port", "{port}"]):
            with self.subTest(words):
                self.assertIn('"tools"', self.rpcspec("call", "tools/list", *words))

    def test_what_breaks_a_clause_is_told(self):
        out = self.rpcspec("call", "ping", *NEW, "--", SERVER, "--fault", "result-and-error",
                           code=1)
        self.assertRegex(out, r"FAIL  \S+: .*\n +expected +.*\n +seen ")

    def test_mistakes_are_told(self):
        self.assertRegex(self.refused("call", "tools/call", "--arguments", "{", "--", SERVER),
                         r"^--arguments: it is not JSON; write --arguments '")
        self.assertRegex(self.refused("call", "tools/call", "ad", *NEW, "--", SERVER),
                         r"lists nothing named `ad`")
        self.assertRegex(self.refused("call", "ping", "name", *NEW, "--", SERVER),
                         r"the method ping takes no name; give its params with --params .*tools/call ping$")
        # As clients do: not every server takes a string.
        self.assertRegex(self.rpcspec("call", "ping", *NEW, "--", SERVER), r'"id": \d+,')
        self.assertRegex(self.refused("call"), "TARGET|target|server")

    def test_however_an_answer_is_written_it_is_shown(self):
        for style in ("python", "blanks", "reversed", "escaped", "utf8"):
            with self.subTest(style):
                server = ["--", *toy("styled", style)]
                out = self.rpcspec("call", "tools/call", "look", *NEW, *server)
                self.assertIn('"text": "here"', out)
                self.assertIn("this exchange breaks no clause", out)
                self.assertIn("look  may be called", self.rpcspec("inspect", *NEW, *server))
                out = self.rpcspec("run", "--select", "mcp/tools/call*", *NEW, *server)
                self.assertRegex(out, r"[1-9]\d* passed")

    def test_no_answer_is_said(self):
        out = self.rpcspec("call", "tools/call", "look", *NEW, "--", *toy("styled", "mute"), code=1)
        self.assertIn("\nno answer\n", out)
        self.assertNotIn("breaks no clause", out)

    def test_without_a_name_what_can_be_called_is_listed(self):
        server = ["--", *toy("styled", "python")]
        for words in (["tools/call"], []):
            self.assertIn("tools/call look   # Looks something up",
                          self.rpcspec("call", *words, *NEW, *server))
        self.assertIn("nothing that takes a name is listed", self.rpcspec("call", "prompts/get", *NEW, *server))


class RecordTest(testkit.RpcspecTest):
    def record(self, messages, *words, server=(SERVER,), code=0, environment=None):
        """A client that sends the messages, a line each, and reads to the end."""
        text = "".join(json.dumps(one) + "\n" for one in messages)
        done = subprocess.run([RPCSPEC, "record", "-o", "r.jsonl", *words, "--", *server],
                              input=text, cwd=self.folder, capture_output=True, text=True,
                              timeout=60, env={**os.environ, **(environment or {})})
        self.complaint = done.stderr
        self.assertEqual(done.returncode, code, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_every_byte_is_passed_on_and_kept(self):
        replies = self.record([INITIALIZE, INITIALIZED, LIST])
        self.assertEqual([one["id"] for one in replies], [0, "one"])
        lines = [json.loads(line) for line in self.read("r.jsonl").splitlines()]
        self.assertEqual(lines[0]["profile"], "mcp-2025-11-25")
        sent = [json.loads(one["text"]) for one in lines[1:] if one["channel"] == "stdin"]
        self.assertEqual(sent, [INITIALIZE, INITIALIZED, LIST])
        heard = [json.loads(one["text"]) for one in lines[1:] if one["channel"] == "stdout"]
        self.assertEqual(heard, replies)
        self.assertEqual(lines[-1]["text"], "exit 0")
        self.assertIn("no MUST is broken", self.complaint)
        self.rpcspec("judge", "r.jsonl")

    def test_it_ends_as_the_server_does(self):
        self.record([], server=["sh", "-c", "exit 7"], code=7)
        self.record([], server=["sh", "-c", "kill -9 $$"], code=128 + 9)
        self.rpcspec("record", "--", "/no/such/program", code=3)

    def test_what_is_wrong_is_told_while_it_goes_on(self):
        client = subprocess.Popen([RPCSPEC, "record", "-o", "r.jsonl", "--", SERVER, "--fault",
                                   "id-string-uppercased"], cwd=self.folder, stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with client:
            for number in range(8):
                message = INITIALIZE if number == 0 else {**LIST, "id": number}
                client.stdin.write(json.dumps(message).encode() + b"\n")
                client.stdin.flush()
                client.stdout.readline()
            client.stdin.write(json.dumps({**LIST, "id": "a-text"}).encode() + b"\n")
            client.stdin.flush()
            client.stdout.readline()
            client.stdin.close()
            told = client.stderr.read().decode()
        self.assertRegex(told, r"rpcspec: (FAIL|WARN) \S+: expected .*; seen .*A-TEXT")

    def test_a_signal_goes_to_the_server_and_nothing_is_left(self):
        mark = "RPCSPEC_RECORD_TEST=" + self.folder
        name, value = mark.split("=")
        client = subprocess.Popen([RPCSPEC, "record", "-o", "r.jsonl", "--", SERVER],
                                  cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, env={**os.environ, name: value})
        with client:
            client.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
            client.stdin.flush()
            client.stdout.readline()
            client.send_signal(signal.SIGTERM)
            client.wait(20)
        self.assertEqual(testkit.marked(mark), [])
        self.assertIn("initialize", self.read("r.jsonl"))

    def test_a_draft_of_a_case_and_seeds_come_of_it(self):
        os.makedirs(self.path("mine/own"))
        self.record([INITIALIZE, INITIALIZED, LIST, {**LIST, "id": 2, "method": "nobody/has"}],
                    "--draft", "mine/own/draft.yaml", "--seeds", "seeds")
        self.assertIn("call: {\"method\":\"tools/list\"}", self.read("mine/own/draft.yaml"))
        self.rpcspec("check", "mine/own/draft.yaml")
        self.rpcspec("run", *NEW, "--cases", "mine", "--select", "own/draft", "--", SERVER)
        self.rpcspec("replay", "seeds/r.script", *NEW, "--", SERVER)

    def test_secrets_are_not_kept(self):
        self.write("t.yaml", "command: " + json.dumps(toy("secret_everywhere")) +
                             "\nenv: {API: {secret: $MY_SECRET}}\n")
        environment = {"MY_SECRET": "s3cret-of-mine"}
        text = "".join(json.dumps(one) + "\n" for one in (INITIALIZE, INITIALIZED, LIST))
        done = subprocess.run([RPCSPEC, "record", "-o", "r.jsonl", "--target", "t.yaml"], input=text,
                              cwd=self.folder, capture_output=True, text=True, timeout=60,
                              env={**os.environ, **environment})
        self.assertIn("s3cret-of-mine", done.stdout)  # the client gets what is its own
        self.assertNotIn("s3cret-of-mine", self.read("r.jsonl"))
        self.assertIn("«secret MY_SECRET»", self.read("r.jsonl"))


class RecordHttpTest(testkit.RpcspecTest):
    def setUp(self):
        super().setUp()
        self.port = testkit.free_port()
        self.server = subprocess.Popen([SERVER, "--transport", "http", "--port", str(self.port)],
                                       stderr=subprocess.DEVNULL)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.kill)
        self.assertTrue(testkit.wait_for_port(self.port))
        self.proxy = subprocess.Popen(
            [RPCSPEC, "record", "-o", "r.jsonl", "--url", f"http://127.0.0.1:{self.port}/mcp"],
            cwd=self.folder, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.proxy.wait)
        self.addCleanup(self.proxy.kill)
        line = self.proxy.stderr.readline()
        (here,) = re.findall(r"http://127\.0\.0\.1:(\d+)/mcp", line)
        self.here = int(here)

    def post(self, message, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.here, timeout=20)
        connection.request("POST", "/mcp", json.dumps(message).encode(), {
            "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
            **headers})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()

    def end(self):
        self.proxy.send_signal(signal.SIGINT)
        self.assertEqual(self.proxy.wait(20), 0)
        return [json.loads(line) for line in self.read("r.jsonl").splitlines()]

    def test_requests_and_answers_pass_and_are_kept_without_credentials(self):
        status, headers, text = self.post(INITIALIZE, Authorization="Bearer s3cret-of-mine")
        self.assertEqual(status, 200)
        self.assertIn("2025-11-25", text)
        session = {"Mcp-Session-Id": headers.get("Mcp-Session-Id", "none"),
                   "MCP-Protocol-Version": "2025-11-25"}
        self.assertEqual(self.post(INITIALIZED, **session)[0], 202)
        self.assertIn("tools", self.post(LIST, **session)[2])
        lines = self.end()
        self.assertEqual(lines[0]["profile"], "mcp-2025-11-25")
        sent = [json.loads(one["text"]) for one in lines[1:]
                if one["channel"] == "http" and one["direction"] == "sent"]
        self.assertEqual(sent, [INITIALIZE, INITIALIZED, LIST])
        self.assertNotIn("s3cret-of-mine", self.read("r.jsonl"))
        self.assertNotIn(session["Mcp-Session-Id"], self.read("r.jsonl"))
        self.rpcspec("judge", "r.jsonl")

    def test_a_run_through_it_is_as_one_without(self):
        through = f"http://127.0.0.1:{self.here}/mcp"
        self.rpcspec("run", *NEW, "--select", "mcp/tools/*", "--select", "mcp/http/early-close",
                     "--select", "mcp/progress/*", "--url", through)
        lines = self.end()
        self.assertGreater(len([one for one in lines[1:] if one["channel"] == "sse"]), 0)

    def test_a_server_that_is_not_there_is_told(self):
        self.rpcspec("record", "--url", f"http://127.0.0.1:{testkit.free_port()}/mcp", code=3)
        self.assertIn("accepts no connection", self.complaint)
        self.assertRegex(self.refused("record", "--url", "tcp://127.0.0.1:1"), "stdio, http.s. and Web")


class RecordUpstreamTest(testkit.RpcspecTest):
    """The server speaks TLS, or WebSocket, or both; the client what the proxy told."""

    def begin(self, scheme):
        transport = {"https": "http", "wss": "ws", "ws": "ws"}[scheme]
        words = [SERVER, "--transport", transport, "--port", str(port := testkit.free_port())]
        description = {"url": f"{scheme}://127.0.0.1:{port}/mcp"}
        if scheme in ("https", "wss"):
            certificate, key = self.certificate("IP:127.0.0.1")
            words += ["--tls-cert", certificate, "--tls-key", key]
            description["tls"] = {"ca": certificate}
        self.write("t.yaml", json.dumps(description))
        server = subprocess.Popen(words, stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        self.assertTrue(testkit.wait_for_port(port))
        self.proxy = subprocess.Popen([RPCSPEC, "record", "-o", "r.jsonl", "--target", "t.yaml"],
                                      cwd=self.folder, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.proxy.stderr.close)
        self.addCleanup(self.proxy.wait)
        self.addCleanup(self.proxy.kill)
        (address,) = re.findall(r"connect to (\S+)", self.proxy.stderr.readline())
        return address, port

    def end(self):
        self.proxy.send_signal(signal.SIGINT)
        self.assertEqual(self.proxy.wait(20), 0)
        return [json.loads(line) for line in self.read("r.jsonl").split("\n")[:-1]]

    def test_https(self):
        address, _ = self.begin("https")
        self.assertTrue(address.startswith("http://127.0.0.1:"))
        self.rpcspec("run", *NEW, "--select", "mcp/tools/*", "--select", "mcp/http/early-close",
                     "--auth", "bearer:MY_TOKEN", "--url", address,
                     environment={"MY_TOKEN": "s3cret-of-mine"})
        lines = self.end()
        self.assertEqual(lines[0]["transport"], "http")
        self.assertIn("initialize", [json.loads(one["text"]).get("method") for one in lines[1:]
                                     if one["direction"] == "sent" and one.get("text", "")[:1] == "{"])
        self.assertNotIn("s3cret-of-mine", self.read("r.jsonl"))
        self.assertIn("«secret Authorization»", self.read("r.jsonl"))
        self.rpcspec("judge", "r.jsonl")

    def test_websocket_plain_and_under_tls(self):
        for scheme in ("ws", "wss"):
            with self.subTest(scheme):
                address, _ = self.begin(scheme)
                self.assertTrue(address.startswith("ws://127.0.0.1:"))
                self.rpcspec("call", *NEW, "tools/list", "--url", address)
                lines = self.end()
                self.assertEqual((lines[0]["transport"], lines[0]["profile"]),
                                 ("websocket", "mcp-2025-11-25"))
                said = [json.loads(one["text"]) for one in lines[1:] if one["channel"] == "socket"]
                asked = [one["method"] for one in said if "method" in one]
                self.assertEqual(asked[:2], ["initialize", "notifications/initialized"])
                self.assertIn("tools/list", asked)
                self.assertEqual(sum("result" in one or "error" in one for one in said),
                                 len(asked) - 1)
                self.rpcspec("judge", "r.jsonl")

    def test_a_run_through_a_websocket_is_as_one_without(self):
        address, _ = self.begin("wss")
        self.rpcspec("run", *NEW, "--select", "mcp/tools/*", "--select", "ws/*", "--url", address)
        self.end()
        self.assertIn("not recorded", self.proxy.stderr.read())

    def test_a_certificate_that_is_not_trusted_is_told(self):
        _, port = self.begin("https")
        self.rpcspec("record", "--url", f"https://127.0.0.1:{port}/mcp", code=3)
        self.assertIn("the server's certificate is not trusted", self.complaint)


class BundleTest(testkit.RpcspecTest):
    def bundle(self, *faults, code=0):
        self.rpcspec("run", *NEW, "--select", "mcp/ping/*", "--select", "mcp/tools/*",
                     "--select", "jsonrpc/id/*", "--bundle", "b.jsonl", "--", SERVER, *faults,
                     code=code)

    def test_it_is_judged_again_and_agrees(self):
        for faults, code in (((), 0), (("--fault", "id-string-uppercased"), 1)):
            with self.subTest(faults):
                self.bundle(*faults, code=code)
                out = self.rpcspec("verify", "b.jsonl")
                self.assertEqual(
                    re.findall(r"^(ok|note|DIFFERS) +(\w+)  ", out, re.M),
                    [("ok", step) for step in ("seal", "versions", "frames", "verdicts", "evidence",
                                               "oracles", "summary", "gate")])
                self.assertRegex(out, r"\d\d+ frames of \d\d+ sessions are at their offsets")
                self.assertIn("it agrees: passed" if code == 0 else "it agrees: failed", out)
                head = json.loads(self.read("b.jsonl").splitlines()[0])
                self.assertEqual(head["format"], "rpcspec-bundle/1")
                self.assertEqual(head["profile"], "mcp-2025-11-25")

    def test_any_changed_byte_is_noticed_and_its_line_is_named(self):
        self.rpcspec("run", *NEW, "--select", "jsonrpc/id/*", "--bundle", "b.jsonl", "--", SERVER,
                     "--fault", "id-string-uppercased", code=1)
        with open(self.path("b.jsonl"), "rb") as file:
            sound = file.read()
        lines = sound.count(b"\n")
        changes = [(place, sound[:place] + bytes([sound[place] ^ 1]) + sound[place + 1:])
                   for place in {*range(0, len(sound), len(sound) // 60), *range(len(sound) - 80,
                                 len(sound), 9), 1, len(sound) - 1}]
        for place in (0, len(sound) // 3, len(sound) - 70, len(sound) - 1):
            changes += [(None, sound[:place] + sound[place + 1:]), (None, sound[:place]),
                        (None, sound[:place] + b" " + sound[place:])]
        changes.append((None, sound + b"\n"))
        for place, changed in changes:
            with self.subTest(place):
                with open(self.path("b.jsonl"), "wb") as file:
                    file.write(changed)
                out = self.rpcspec("verify", "b.jsonl", code=1)
                self.assertRegex(out, r"^DIFFERS  seal      b.jsonl:\d+: .*: nothing else is checked\n$")
                line = place is not None and sound.count(b"\n", 0, place) + 1
                # A line feed that is changed joins two lines.
                if line and line < lines and sound[place] != 10:
                    self.assertIn(f"b.jsonl:{line}: ", out)
                    if 1 < line < lines - 1 and b'"case"' in changed.split(b"\n")[line - 1][:8]:
                        self.assertRegex(out, "the session of .* was changed|this line was")

    def sealed_again(self, change):
        """sound.jsonl with `change` made to its objects, under a seal that fits."""
        objects = [json.loads(line) for line in self.read("sound.jsonl").split("\n")[:-2]]
        change(objects)
        text = "".join(json.dumps(one) + "\n" for one in objects)
        hashed = lambda what: hashlib.sha256(what.encode()).hexdigest()
        seal = {"lines": [hashed(line)[:16] for line in text.split("\n")[:-1]], "sha256": hashed(text)}
        self.write("b.jsonl", text + json.dumps(seal, separators=(",", ":")) + "\n")

    def test_what_does_not_follow_is_noticed_under_a_new_seal(self):
        def verdicts(objects):
            next(c for c in objects[-1]["report"]["cases"] if c["verdict"] == "fail")["verdict"] = "pass"

        def frames(objects):
            next(o for o in objects if "jsonrpc/id/string" in o.get("case", ""))["frames"][0][1] = 7

        def evidence(objects):
            next(c for c in objects[-1]["report"]["cases"] if c["findings"] and
                 "jsonrpc/id/string" in c["id"])["findings"][0]["frames"][0]["seq"] = 9999

        def oracles(objects):
            case = next(c for c in objects[-1]["report"]["cases"] if c["verdict"] == "pass" and
                        any(o.get("case") == c["id"] for o in objects))
            case["verdict"] = "fail"
            case["findings"] = [{"requirement": "jsonrpc.response.known-id", "level": "MUST",
                                 "severity": "fail", "expected": "a", "seen": "b", "frames": [],
                                 "oracle": "unknown-id"}]

        def summary(objects):
            objects[-1]["report"]["summary"]["pass"] += 1

        def gate(objects):
            objects[-1]["report"]["gate"]["passed"] = True

        self.bundle("--fault", "id-string-uppercased", code=1)
        os.rename(self.path("b.jsonl"), self.path("sound.jsonl"))
        self.sealed_again(lambda objects: None)
        self.rpcspec("verify", "b.jsonl")
        for change in (verdicts, frames, evidence, oracles, summary, gate):
            with self.subTest(change.__name__):
                self.sealed_again(change)
                out = self.rpcspec("verify", "b.jsonl", code=1)
                self.assertRegex(out, rf"(?m)^DIFFERS  {change.__name__}")
                self.assertIn("ok       seal", out)
                self.assertIn("it does not agree", out)

    def test_another_version_is_told(self):
        self.bundle()
        os.rename(self.path("b.jsonl"), self.path("sound.jsonl"))
        self.sealed_again(lambda objects: objects[0].update(case_set="000000000000"))
        self.assertRegex(self.rpcspec("verify", "b.jsonl"), r"(?m)^note     versions  .*this is rpcspec")

    def test_secrets_are_not_in_it(self):
        self.write("t.yaml", "command: " + json.dumps(toy("secret_everywhere")) +
                             "\nenv: {API: {secret: $MY_SECRET}}\n")
        self.rpcspec("run", *NEW, "--select", "mcp/tools/*", "--bundle", "b.jsonl", "--target",
                     "t.yaml", code=None, environment={"MY_SECRET": "s3cret-of-mine"})
        self.assertNotIn("s3cret-of-mine", self.read("b.jsonl"))
        self.assertIn("«secret MY_SECRET»", self.read("b.jsonl"))
        self.rpcspec("verify", "b.jsonl")

    def test_what_is_no_bundle_is_told(self):
        self.write("b.jsonl", '{"format":"other"}\n')
        self.assertIn("b.jsonl:1: this is not a bundle", self.rpcspec("verify", "b.jsonl", code=1))
        self.assertRegex(self.refused("verify", "gone.jsonl"), "^gone.jsonl: ")


if __name__ == "__main__":
    testkit.main()
