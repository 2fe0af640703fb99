#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# --auth login: a token by OAuth, from an authorization server that looks closely at what it is sent.
#
#   login_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import base64
import hashlib
import http.server
import json
import os
import stat
import sys
import threading
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import flat

TOKEN = "tok-5e0c1f9d77"
CODE = "code-1"
# Follows the redirect of the login page as a browser would, after it asked for an icon.
BROWSER = """
import sys, urllib.parse, urllib.request
try:
    urllib.request.urlopen(urllib.parse.parse_qs(urllib.parse.urlsplit(sys.argv[1]).query)["redirect_uri"][0] + "/icon")
except OSError:
    pass
urllib.request.urlopen(sys.argv[1])
"""


class Both(http.server.BaseHTTPRequestHandler):
    """A protected MCP server and its authorization server."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def say(self, status, body=None, **headers):
        text = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        at, odd = self.server.at, self.server.odd
        url = urllib.parse.urlsplit(self.path)
        if url.path == "/.well-known/oauth-protected-resource/mcp":
            self.say(200, {"resource": odd.get("resource", f"{at}/mcp"), "authorization_servers": [f"{at}/login"]})
        elif url.path == "/.well-known/oauth-authorization-server/login":
            self.say(200, {"issuer": f"{at}/login", "authorization_endpoint": f"{at}/authorize",
                           "token_endpoint": f"{at}/token", "registration_endpoint": f"{at}/register",
                           "code_challenge_methods_supported": ["S256"],
                           "authorization_response_iss_parameter_supported": True} | odd.get("metadata", {}))
        elif url.path == "/authorize":
            self.server.asked = {name: values[0] for name, values in urllib.parse.parse_qs(url.query).items()}
            back = {"code": CODE, "state": self.server.asked["state"], "iss": f"{at}/login"} | odd.get("redirect", {})
            self.say(302, Location=self.server.asked["redirect_uri"] + "?" + urllib.parse.urlencode(back))
        else:
            self.say(404)

    def do_POST(self):
        at = self.server.at
        text = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        if self.path == "/register":
            self.server.registered = json.loads(text)
            self.say(201, {"client_id": "client-7"})
        elif self.path == "/token":
            form = dict(urllib.parse.parse_qsl(text, strict_parsing=True))
            self.server.grants.append((form, self.headers.get("Authorization")))
            self.say(*self.granted(form))
        elif self.headers.get("Authorization") != f"Bearer {TOKEN}":
            self.say(401, {}, WWW_Authenticate=f'Bearer scope="mcp:use", '
                     f'resource_metadata="{at}/.well-known/oauth-protected-resource/mcp"')
        else:
            request = json.loads(text)
            result = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "a", "version": "1"}}
            if "id" not in request:
                self.say(202)
            else:
                self.say(200, {"jsonrpc": "2.0", "id": request["id"],
                               "result": result if request["method"] == "initialize" else {}})

    def granted(self, form):
        if form["resource"] != f"{self.server.at}/mcp":
            return 400, {"error": "invalid_target"}
        if form["grant_type"] == "client_credentials":
            told = base64.b64decode(self.headers["Authorization"].removeprefix("Basic ")).decode()
            if told != "me:hush%2Fhush":
                return 401, {"error": "invalid_client", "error_description": f"not {told}"}
        else:
            digest = hashlib.sha256(form["code_verifier"].encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
            if (form["code"], challenge, form["redirect_uri"], form["client_id"]) != (
                    CODE, self.server.asked["code_challenge"], self.server.asked["redirect_uri"],
                    self.server.asked["client_id"]):
                return 400, {"error": "invalid_grant"}
        return 200, {"access_token": TOKEN, "token_type": "bearer", "expires_in": 600}


class LoginTest(testkit.RpcspecTest):
    def setUp(self):
        super().setUp()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Both)
        self.server.at = f"http://127.0.0.1:{self.server.server_port}"
        self.server.odd, self.server.grants = {}, []
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.url = ["--url", f"{self.server.at}/mcp"]
        self.write("browser.py", BROWSER)
        self.ENVIRONMENT = {"RPCSPEC_BROWSER": f"{sys.executable} browser.py", "MY_SECRET": "hush/hush"}

    def call(self, auth, code=0, **environment):
        said = self.rpcspec("call", "ping", *self.url, "--auth", auth, code=code, environment=environment)
        for secret in (TOKEN, "hush/hush", CODE):
            self.assertNotIn(secret, said + self.complaint)
        return said

    def test_client_credentials(self):
        self.call("login:me:MY_SECRET")
        ((form, _),) = self.server.grants
        self.assertEqual((form["grant_type"], form["scope"]), ("client_credentials", "mcp:use"))
        self.write("secret", "hush/hush\n")
        self.call("login:me:@secret")

    def test_a_browser_with_pkce_and_registration(self):
        self.call("login")
        asked = self.server.asked
        self.assertEqual((asked["response_type"], asked["code_challenge_method"], asked["scope"], asked["resource"],
                          asked["client_id"]), ("code", "S256", "mcp:use", f"{self.server.at}/mcp", "client-7"))
        self.assertEqual(self.server.registered["redirect_uris"], [asked["redirect_uri"]])
        self.assertRegex(asked["redirect_uri"], r"^http://127\.0\.0\.1:\d+/callback$")
        self.assertGreaterEqual(len(asked["state"]), 43)
        self.assertIn("rpcspec: log in at http://127.0.0.1", self.complaint)
        self.call("login:https://client.example/rpcspec.json")
        self.assertEqual(self.server.asked["client_id"], "https://client.example/rpcspec.json")

    def test_reports_hide_the_token_and_commands_repeat_the_login(self):
        self.rpcspec("run", *self.url, "--auth", "login:me:MY_SECRET", "--select", "mcp/ping/*", "--report",
                     "json=r.json", "--report", "html=r.html", code=None)
        for name in ("r.json", "r.html"):
            self.assertNotIn(TOKEN, self.read(name))
        self.assertIn("--auth login:me:MY_SECRET", self.read("r.json"))

    def test_a_token_is_kept_where_that_is_asked_for(self):
        kept = {"RPCSPEC_TOKENS": "tokens.json"}
        self.call("login:me:MY_SECRET", **kept)
        self.assertEqual(stat.S_IMODE(os.stat(self.path("tokens.json")).st_mode), 0o600)
        self.call("login:me:MY_SECRET", **kept)
        self.assertEqual(len(self.server.grants), 1)
        self.call("login:me:MY_SECRET")
        self.assertEqual(len(self.server.grants), 2)
        # One that has expired is not shown again.
        self.write("tokens.json", self.read("tokens.json").replace('"expires_at": 1', '"expires_at": -1'))
        self.call("login:me:MY_SECRET", **kept)
        self.assertEqual(len(self.server.grants), 3)

    def test_what_is_wrong_is_told_and_no_secret_is_sent(self):
        at = self.server.at
        for odd, sentence in (
                ({"resource": "http://127.0.0.1:1/else"}, "is about another resource: http://127.0.0.1:1/else"),
                ({"metadata": {"issuer": "https://other.example"}}, "is of another issuer: https://other.example"),
                ({"metadata": {"token_endpoint": "http://evil.example/token"}},
                 "http://evil.example/token is neither https nor an address of this machine"),
                ({"metadata": {"code_challenge_methods_supported": ["plain"]}}, "does not support PKCE with S256"),
                ({"redirect": {"error": "access_denied", "error_description": "no\x1b[1m"}},
                 "the login was refused: access_denied no\\x1b[1m"),
                ({"redirect": {"iss": "https://other.example"}}, "from another issuer: https://other.example")):
            with self.subTest(odd):
                self.server.odd = odd
                self.call("login", code=2)
                self.assertIn(sentence, flat(self.complaint))
                self.assertEqual(self.server.grants, [])
        self.server.odd = {}
        self.call("login:you:MY_SECRET", code=2)
        self.assertIn(f"{at}/token: the response has the status 401: invalid_client", self.complaint)
        # Nobody there is no mistake of the command line.
        self.server.odd = {"metadata": {"token_endpoint": "http://127.0.0.1:1/token"}}
        self.call("login:me:MY_SECRET", code=3)
        self.assertIn("cannot reach http://127.0.0.1:1", self.complaint)
        self.server.odd = {}
        self.assertIn("does not name an environment variable", self.refused("call", "ping", *self.url, "--auth",
                                                                           "login:me:NOT_SET"))
        self.assertIn("--auth login: it is for a server that runs at an http or https address",
                      self.refused("call", "ping", "--auth", "login", "--", "server"))


if __name__ == "__main__":
    testkit.main()
