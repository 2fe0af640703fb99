#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# --auth issuer: tokens that a server has to accept, and to refuse, judged on a small server that checks
# what it is told to check.
#
#   issuer_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import unittest
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit

HERE = os.path.dirname(os.path.abspath(__file__))
PREFIX = bytes.fromhex("3031300d060960864801650304020105000420")  # of a SHA-256 digest that RSA signs
SERVER = """
import http.server, json, os, sys
sys.path.insert(0, {here!r})
from issuer_test import accepted

port, blind = int(sys.argv[1]), sys.argv[2:]

class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *_):
        pass
    def say(self, status, body, **headers):
        text = json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
    def do_GET(self):
        self.say(405, {{}})
    do_DELETE = do_GET
    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"]))
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        if not accepted(token, os.environ["RPCSPEC_ISSUER"], f"http://127.0.0.1:{{port}}/mcp", blind):
            return self.say(401, {{}}, WWW_Authenticate="Bearer")
        request = json.loads(text)
        results = {{"tools/list": {{"tools": []}},
                   "initialize": {{"protocolVersion": "2025-11-25", "capabilities": {{}},
                                  "serverInfo": {{"name": "a", "version": "1"}}}}}}
        if "id" not in request:
            return self.say(202, {{}})
        self.say(200, {{"jsonrpc": "2.0", "id": request["id"], "result": results.get(request["method"], {{}})}})

http.server.ThreadingHTTPServer(("127.0.0.1", port), Server).serve_forever()
"""


def decoded(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def number(part):
    return int.from_bytes(decoded(part), "big")


def accepted(token, issuer, audience, blind):
    """Whether a server with these blind spots lets the token in."""
    try:
        head, claims, signature = token.split(".")
        told, says = json.loads(decoded(head)), json.loads(decoded(claims))
        with urllib.request.urlopen(f"{issuer}/.well-known/openid-configuration") as reply:
            with urllib.request.urlopen(json.load(reply)["jwks_uri"]) as keys:
                known = {one["kid"]: one for one in json.load(keys)["keys"]}
        if "issuer" not in blind:
            key = known[told["kid"]]
            size = len(decoded(key["n"]))
            shown = pow(number(signature), number(key["e"]), number(key["n"])).to_bytes(size, "big")
            digest = PREFIX + hashlib.sha256(f"{head}.{claims}".encode()).digest()
            if shown != b"\x00\x01" + b"\xff" * (size - 3 - len(digest)) + b"\0" + digest:
                return False
            if says["iss"] != issuer:
                return False
        now = time.time()
        return (("expiry" in blind or says["nbf"] <= now < says["exp"])
                and ("audience" in blind or says["aud"] == audience))
    except (ValueError, KeyError):
        return False


class IssuerTest(testkit.RpcspecTest):
    WRONG = {"expiry": "mcp/auth/token-expired", "audience": "mcp/auth/token-for-other-server",
             "issuer": "mcp/auth/token-of-other-issuer"}

    def judged(self, *blind, code=0):
        """The verdicts of the cases about tokens, of a server with these blind spots."""
        self.write("server.py", SERVER.format(here=os.path.dirname(os.path.abspath(__file__))))
        port = testkit.free_port()
        said = self.rpcspec("run", "--auth", "issuer", "--url", f"http://127.0.0.1:{port}/mcp", "--profile",
                            "2025-11-25", "--select", "mcp/auth/token-*", "--report", "json=r.json", "--",
                            sys.executable, "server.py", str(port), *blind, code=None)
        self.assertEqual(self.code, code, said + self.complaint)
        self.assertRegex(self.complaint, r"rpcspec: the issuer of tokens is http://127\.0\.0\.1:\d+, its keys are at")
        self.assertNotRegex(self.read("r.json") + said, r"eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{9}", "a token is shown")
        return {case["id"]: case["verdict"] for case in self.load("r.json")["cases"]}

    def test_a_server_that_checks_all_of_it_passes(self):
        verdicts = self.judged()
        self.assertEqual({verdicts[case] for case in self.WRONG.values()}, {"pass"}, verdicts)
        self.assertEqual(verdicts["mcp/auth/token-accepted"], "pass")

    def test_each_wrong_token_is_found(self):
        for blind, case in self.WRONG.items():
            with self.subTest(blind):
                verdicts = self.judged(blind, code=1)
                self.assertEqual({one for one, verdict in verdicts.items() if verdict == "fail"}
                                 & set(self.WRONG.values()), {case}, verdicts)

    def test_nothing_serves_when_the_run_is_over(self):
        self.judged()
        keys = re.search(r"its keys are at (\S+)", self.complaint)[1].rstrip(".,")
        if os.environ.get("RPCSPEC_PORTABLE") == "1":  # where it asks from time to time who its parent is
            time.sleep(2)
        # Another program may have the port by now; it has no keys.
        try:
            with urllib.request.urlopen(keys, timeout=2) as answer:
                self.assertNotIn(b'"keys"', answer.read(10000))
        except OSError:
            pass

    def test_mistakes_are_told_in_a_sentence(self):
        self.assertEqual(self.refused("call", "ping", "--auth", "issuer:x", "--url", "http://127.0.0.1:1/mcp"),
                         "--auth issuer: it names no port; write --auth issuer:4000")

    def test_tokens_are_as_the_description_says(self):
        self.write("p.yaml", json.dumps({"affordances": {"auth.more_scope": {"claims": {"scope": "all"}}},
                                         "url": "http://127.0.0.1:{port}/mcp",
                                         "command": [testkit.SERVER, "--transport", "http", "--port", "{port}",
                                                     "--auth", "issuer", "--profile", "mcp-2025-11-25"]}))
        self.rpcspec("run", "--auth", "issuer::mcp:use", "--target", "p.yaml", "--quick", "--report", "json=r.json")
        self.assertRegex(self.complaint, r"the audience is http://127\.0\.0\.1:\d+/mcp")


class JoseTest(testkit.RpcspecTest):
    """A server whose tokens and proofs the library jose checks."""

    # What it does not look at, and the cases, or rows of wrong proofs, that show it.
    WRONG = {"expiry": {"mcp/auth/token-expired"}, "start": {"mcp/auth/token-early"},
             "audience": {"mcp/auth/token-for-other-server"}, "issuer": {"mcp/auth/token-of-other-issuer"},
             "signature": {"mcp/auth/forged-token-refused", "mcp/auth/token-of-other-issuer", "mcp/auth/token-expired",
                           "mcp/auth/token-early", "mcp/auth/token-for-other-server", "mcp/auth/status-401-for-wrong-token"}}
    PROOFS = {"typ": {"typ"}, "htm": {"htm"}, "htu": {"htu"}, "age": {"made", "iat"}, "ath": {"ath"}, "jti": {"jti"},
              "key": {"another key"}, "single": {"two proofs"}}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not shutil.which("npm") or not shutil.which("node"):
            raise unittest.SkipTest("npm is not installed")
        cls.installed = os.path.join(os.path.dirname(os.path.abspath(testkit.RPCSPEC)), "servers", "jose")
        os.makedirs(cls.installed, exist_ok=True)
        if not os.path.isdir(os.path.join(cls.installed, "node_modules", "jose")):
            done = subprocess.run(["npm", "install", "--prefix", cls.installed, "--no-audit", "--no-fund", "jose@6"],
                                  capture_output=True, timeout=120)
            if done.returncode != 0:
                raise unittest.SkipTest("jose cannot be installed")

    def judged(self, *blind, code=0, auth="issuer"):
        port = testkit.free_port()
        self.write("p.yaml", json.dumps({"command": ["node", os.path.join(HERE, "servers", "jose_server.mjs"), str(port),
                                                     *blind], "cwd": self.installed,
                                         "url": f"http://127.0.0.1:{port}/mcp"}))
        said = self.rpcspec("run", "--auth", f"{auth}::use", "--target", "p.yaml", "--profile", "2025-11-25", "--select",
                            "mcp/auth/*token*", "--select", "mcp/auth/scope-less", "--select", "mcp/dpop/*", "--report",
                            "json=r.json", code=None)
        self.assertEqual(self.code, code, said + self.complaint)
        return {case["id"]: case for case in self.load("r.json")["cases"]}

    @staticmethod
    def remarks(cases):
        return {(name, note.split(":")[0]) for name, case in cases.items() for note in case.get("notes", [])}

    def test_no_false_alarm(self):
        cases = self.judged()
        told = {name: case["verdict"] for name, case in cases.items()}
        self.assertEqual(set(told.values()) - {"pass", "not_applicable", "inconclusive"}, set(), told)
        self.assertEqual({told[name] for name in [*set().union(*self.WRONG.values()), "mcp/dpop/accepted", "mcp/dpop/proof-refused",
                                                  "mcp/dpop/token-refused", "mcp/dpop/tolerance", "mcp/dpop/refusal"]}, {"pass"}, told)
        self.assertEqual(self.remarks(cases), set())

    def test_each_wrong_token_is_found(self):
        for blind, wanted in self.WRONG.items():
            with self.subTest(blind):
                cases = self.judged(blind, code=1)
                failed = {name for name, case in cases.items() if case["verdict"] == "fail"}
                self.assertEqual(failed, wanted)

    def test_a_server_that_takes_only_bound_tokens(self):
        for words in (["dpop-only"], ["dpop-only", "nonce"]):
            with self.subTest(words):
                cases = self.judged(*words, auth="issuer-dpop")
                told = {name: case["verdict"] for name, case in cases.items()}
                self.assertEqual({told[name] for name in [*set().union(*self.WRONG.values()), "mcp/auth/token-accepted",
                                                          "mcp/auth/scope-less", "mcp/dpop/proof-refused",
                                                          "mcp/dpop/token-refused"]}, {"pass"}, told)
                self.assertEqual(set(told.values()) - {"pass", "not_applicable", "inconclusive"}, set(), told)
                self.assertEqual(self.remarks(cases), set())
        # What is shown as Bearer reaches nobody there.
        self.judged("dpop-only", code=3)
        self.assertIn("let --auth issuer-dpop make them", testkit.flat(self.complaint))

    def test_each_wrong_bound_token_is_found(self):
        for blind, wanted in self.WRONG.items():
            with self.subTest(blind):
                cases = self.judged("dpop-only", blind, code=1, auth="issuer-dpop")
                failed = {name for name, case in cases.items() if case["verdict"] == "fail"}
                self.assertEqual(failed, wanted)

    def test_each_wrong_proof_is_found(self):
        for blind, wanted in self.PROOFS.items():
            with self.subTest(blind):
                rows = {row for name, row in self.remarks(self.judged(blind)) if name == "mcp/dpop/proof-refused"}
                self.assertTrue(rows and all(any(word in row for word in wanted) for row in rows), rows)
        rows = {row for name, row in self.remarks(self.judged("proof"))}
        self.assertGreaterEqual(len(rows), 20, rows)


if __name__ == "__main__":
    testkit.main()
