#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# What stands between rpcspec and a target, from outside: each obstacle is one sentence that says what to
# do, credentials go where they belong, and secrets come out nowhere.
#
#   reach_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import base64
import contextlib
import http.server
import json
import os
import ssl
import subprocess
import sys
import threading
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import SERVER, toy

SECRET = 's3cret/token+"for&this=test"%41~0123456789'
PLAIN = ["--profile", "jsonrpc-2.0"]
EVERY_REPORT = ["--report", "html=r.html", "--report", "sarif=r.sarif", "--report", "tap=r.tap",
                "--report", "markdown=r.md", "--report", "badge=r.svg", "--report", "badge-json=b.json"]


class Answering(http.server.BaseHTTPRequestHandler):
    """Answers every request with server.answer: (status, headers, body)."""
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.seen.append((self.path, dict(self.headers)))
        status, headers, body = self.server.answer
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_DELETE = do_POST

    def log_message(self, *_):
        pass


class ReachTest(testkit.RpcspecTest):
    ENVIRONMENT = {"RPCSPEC_REFERENCE_SECRET": SECRET}

    def write(self, name, text):
        return self.path(super().write(name, text))

    def listen(self, status=200, headers=None, body=b"", tls=None):
        """A server on a port of its own; returns the port."""
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        server.daemon_threads = True
        server.answer, server.seen = (status, headers or {}, body), []
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*tls)
            server.socket = context.wrap_socket(server.socket, server_side=True,
                                                do_handshake_on_connect=False)
            server.handle_error = lambda *_: None
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.seen = server.seen
        return server.server_address[1]

    def unreachable(self, *words):
        """Exit code 3 and one sentence, which is returned."""
        self.rpcspec("run", *words, code=3)
        lines = self.complaint.splitlines()
        self.assertEqual(len(lines), 1, self.complaint)
        self.assertTrue(lines[0].startswith("rpcspec: "), self.complaint)
        return lines[0][len("rpcspec: "):]


class ObstacleTest(ReachTest):
    def test_host_that_does_not_exist(self):
        for scheme in ("http", "ws"):
            sentence = self.unreachable("--url", f"{scheme}://no-such-host.invalid/mcp")
            self.assertRegex(sentence, rf"^cannot reach {scheme}://no-such-host.invalid: .+; "
                                       "check the host name in the url$")

    def test_nothing_listens(self):
        for scheme in ("http", "https", "ws"):
            self.assertEqual(self.unreachable("--url", f"{scheme}://127.0.0.1:9/mcp"),
                             f"cannot reach {scheme}://127.0.0.1:9: nothing listens there; "
                             "start the server, or check the port in the url")

    def test_certificates(self):
        port = self.listen(tls=self.certificate("IP:127.0.0.1"))
        self.assertRegex(self.unreachable("--url", f"https://127.0.0.1:{port}/mcp"),
                         "the server's certificate is not trusted: .*; name the file of its "
                         r"authority in the target description: tls: \{ca: FILE\}$")
        for name, days, words in (
                ("IP:127.0.0.1", "-1", "the server's certificate has expired; renew it"),
                ("DNS:elsewhere.example", "2", "the server's certificate is not for 127.0.0.1; use a "
                 "host name of the certificate, or a certificate for this host name")):
            pair = self.certificate(name, days)
            port = self.listen(tls=pair)
            target = self.write("t.yaml", f"url: https://127.0.0.1:{port}/mcp\ntls: {{ca: {pair[0]}}}")
            self.assertTrue(self.unreachable("--target", target).endswith(words), self.complaint)

    def test_plain_http_where_tls_is_asked(self):
        port = self.listen()
        for scheme, plain in (("https", "http"), ("wss", "ws")):
            self.assertEqual(self.unreachable("--url", f"{scheme}://127.0.0.1:{port}/mcp"),
                             f"cannot reach {scheme}://127.0.0.1:{port}: the peer does not speak "
                             "TLS; write http:// or ws:// if the server has no TLS, or check "
                             "the port")

    def test_redirect_is_named_and_not_followed(self):
        port = self.listen(308, {"Location": "https://other.example/mcp"})
        for profile in ([], PLAIN, ["--profile", "mcp-2025-06-18"]):
            self.assertEqual(self.unreachable("--url", f"http://127.0.0.1:{port}/mcp", *profile),
                             "the target answers HTTP 308 to https://other.example/mcp, which "
                             "rpcspec does not follow; use --url https://other.example/mcp if that is the "
                             "server")

    def test_page_instead_of_a_server(self):
        port = self.listen(200, {"Content-Type": "text/html"}, b"<html>hello</html>")
        self.assertEqual(self.unreachable("--url", f"http://127.0.0.1:{port}/mcp"),
                         f"what answers at http://127.0.0.1:{port}/mcp sends text/html (HTTP 200) "
                         "and not JSON-RPC; check the port and path of the url")

    def test_wrong_path(self):
        port = self.listen(404, {"Content-Type": "text/plain"}, b"not found")
        self.assertEqual(self.unreachable("--url", f"http://127.0.0.1:{port}/nowhere"),
                         f"the target answers HTTP 404 at http://127.0.0.1:{port}/nowhere; "
                         "check the path of the url; many servers have /mcp")

    def test_one_connection_at_a_time(self):
        """It is judged so, and what needs two at once is not."""
        web, lines = "http://127.0.0.1:{port}/mcp", "tcp://127.0.0.1:{port}"
        begin = ["run", "--select", "jsonrpc/request/method-missing", "--select", "mcp/base/ids-independent-across*"]
        for url, profile, framing in ((web, [], []), (web, ["--profile", "mcp-2025-11-25"], []),
                                      (lines, [], ["lines"]),
                                      (lines, ["--profile", "jsonrpc-2.0"], ["lines"])):
            out = self.rpcspec(*begin, "--timeout", "1s", "--url", url, *profile, "--",
                               *toy("one_connection", "{port}"), *framing, code=None)
            self.assertRegex(out, "[1-9][0-9]* (passed|warned)", (url, profile))
            told = "it needs two connections at once" in out
            self.assertEqual(told, url == web, out)

    def test_responses_that_come_on_other_connections(self):
        begin = ["run", "--select", "jsonrpc/request/method-missing", "--warnings", "--url",
                 "tcp://127.0.0.1:{port}", "--"]
        for way, title, code in (("all", "Responses are sent to all connections", 0),
                                 ("last", "Responses are sent to another connection", 1)):
            out = self.rpcspec(*begin, *toy("mixed_connections", "{port}"), way, code=code)
            self.assertIn(title, out)
            self.assertRegex(out, "jsonrpc/request/method-missing")

    def test_a_gateway_answers_in_place_of_the_target(self):
        port = self.listen(502)
        self.assertEqual(self.unreachable("--url", f"http://127.0.0.1:{port}/mcp"),
                         "a gateway in front of the target answers HTTP 502 in its place; check that the target runs "
                         "behind it")
        port = self.listen(403, {"Content-Type": "text/html"}, b"<html><hr><center>nginx/1.25</center></html>")
        self.assertEqual(self.unreachable("--url", f"http://127.0.0.1:{port}/mcp"),
                         "a gateway in front of the target answers HTTP 403 in its place (nginx); let rpcspec through, or "
                         "give the url of the target itself")

    def test_refused_credentials_end_every_command(self):
        address = f"http://127.0.0.1:{self.listen(401, {'WWW-Authenticate': 'Bearer'})}/mcp"
        self.rpcspec("diff", "--a", f"--url {address}", "--b", f"--url {address}", code=3)
        self.assertIn("--a: the target requires credentials", self.complaint)
        for words in (["init"], ["inspect"], ["call", "ping"], ["surface"], ["fuzz", "--execs", "5"]):
            self.rpcspec(*words, "--url", address, code=3)
            self.assertIn("rpcspec: the target requires credentials: it answers HTTP 401", self.complaint)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "rpcspec.yaml")))

    def test_websocket_refused(self):
        port = self.listen(503)
        self.assertRegex(self.unreachable("--url", f"ws://127.0.0.1:{port}/mcp"),
                         "answered the WebSocket handshake with HTTP 503; check the path")
        port = self.listen(401, {"WWW-Authenticate": "Bearer"})
        self.assertRegex(self.unreachable("--url", f"ws://127.0.0.1:{port}/mcp"),
                         "^the target requires credentials: it answers HTTP 401 with "
                         "WWW-Authenticate: Bearer to the WebSocket handshake; add --auth bearer:")

    def test_credentials_demanded(self):
        challenge = 'Bearer resource_metadata="https://h.example/.well-known/x", scope="a"'
        for body in (b"", b"<p>log in</p>",
                     b'{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"no"}}'):
            port = self.listen(401, {"WWW-Authenticate": challenge,
                                     "Content-Type": "application/json"}, body)
            for profile in ([], PLAIN, ["--profile", "mcp-2025-11-25"]):
                self.assertEqual(
                    self.unreachable("--url", f"http://127.0.0.1:{port}/mcp", *profile),
                    f"the target requires credentials: it answers HTTP 401 with WWW-Authenticate: "
                    f"{challenge}; add --auth bearer:NAME, where the environment variable NAME "
                    "holds the token, --auth login to get one, or auth: {type: bearer, token: $NAME} to the target "
                    "description")
        port = self.listen(401, {"WWW-Authenticate": "Basic realm=x"})
        self.assertIn("add --auth basic:NAME",
                      self.unreachable("--url", f"http://127.0.0.1:{port}/mcp"))

    def test_credentials_refused(self):
        for status in (401, 403):
            port = self.listen(status)
            sentence = self.unreachable("--url", f"http://127.0.0.1:{port}/mcp", "--auth",
                                        "bearer:RPCSPEC_REFERENCE_SECRET")
            self.assertEqual(sentence, "the target refuses the credentials: it answers "
                                       f"HTTP {status}; check that what `auth` names is valid, has "
                                       "not expired and was issued for this server")
            self.assertTrue(all(headers["Authorization"] == "Bearer " + SECRET
                                for _, headers in self.seen))
            self.assertTrue(self.seen)


class SecretTest(ReachTest):
    """The reference server gives the credentials back wherever it can."""

    def guarded(self, *faults, kind="bearer", transport="http"):
        words = [SERVER, "--profile", "mcp-2025-11-25", "--transport", transport, "--port", "{port}",
                 "--auth", kind]
        for fault in faults:
            words += ["--fault", fault]
        return words

    @staticmethod
    def forms(secret):
        """What would give the secret away."""
        yield secret
        yield urllib.parse.quote(secret, safe="")
        yield json.dumps(secret)[1:-1]
        yield secret.encode().hex()
        for before in ("", "a", "ab"):
            text = base64.b64encode((before + secret + "abc").encode()).decode()
            yield text[4:4 + len(secret)]
        # Nor most of it, where a text was shortened.
        yield secret[:12]

    def search(self, *texts):
        for text in texts:
            for form in self.forms(SECRET):
                self.assertNotIn(form, text)

    @contextlib.contextmanager
    def watched_arguments(self):
        """Looks at the arguments of every process while something runs."""
        found, over = [], threading.Event()

        def look():
            while not over.wait(0.02):
                for pid in filter(str.isdigit, os.listdir("/proc")):
                    with contextlib.suppress(OSError):
                        with open(f"/proc/{pid}/cmdline", "rb") as file:
                            text = file.read().decode("utf-8", "replace")
                        found.extend(form for form in self.forms(SECRET) if form in text)

        watcher = threading.Thread(target=look)
        watcher.start()
        try:
            yield found
        finally:
            over.set()
            watcher.join()

    def artefacts(self):
        for folder, _, names in os.walk(self.folder):
            for name in names:
                with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                    yield file.read()

    def test_secrets_come_out_nowhere(self):
        faults = ("auth-echoes-token", "id-string-uppercased", "error-code-string")
        url = ["--url", "http://127.0.0.1:{port}/mcp"]
        with self.watched_arguments() as found:
            out = self.rpcspec("run", *url, "--auth", "bearer:RPCSPEC_REFERENCE_SECRET", "--verbose",
                               "--select", "mcp/auth/*", "--select", "jsonrpc/id/*", "--select",
                               "mcp/errors/*", "--report", "json=r.json", "--report", "junit=r.xml",
                               "--report", "console=r.txt", "--report", "console", *EVERY_REPORT,
                               "--transcripts", "t", "--", *self.guarded(*faults), code=1)
        self.assertEqual(found, [])
        texts = list(self.artefacts())
        self.assertGreater(len(texts), 20)
        self.search(out, self.complaint, *texts)
        mark = "«secret RPCSPEC_REFERENCE_SECRET»"
        # It was there to be hidden: in what the console, the reports and the transcripts show.
        self.assertIn(mark, out)
        for name in ("r.json", "r.txt", "r.html", "r.sarif", "r.tap", "r.md"):
            with open(self.path(name), encoding="utf-8") as file:
                self.assertIn(mark, file.read())
        self.assertIn("they stand in header X-Authorized-By", out)
        self.assertIn("they stand in the text", self.read("r.json"))
        self.assertIn("--auth bearer:RPCSPEC_REFERENCE_SECRET", out)  # in what replays it
        # A recording says so as well, without the secret being known.
        recorded = os.path.join("t", "jsonrpc", "id", "string-echo.jsonl")
        judged = self.rpcspec("judge", recorded, code=1)
        self.assertIn("they stand in", judged)

    def test_baseline_has_no_secrets(self):
        self.rpcspec("run", "--target", self.write("t.yaml", json.dumps({
            "url": "http://127.0.0.1:{port}/mcp",
            "command": self.guarded("auth-echoes-token", "error-code-string"),
            "auth": {"type": "bearer", "token": "$RPCSPEC_REFERENCE_SECRET"}})),
            "--write-baseline", "b.yaml")
        self.search(*self.artefacts())

    def test_credentials_open_websocket(self):
        words = self.guarded(transport="ws")
        out = self.rpcspec("run", "--url", "ws://127.0.0.1:{port}/mcp", "--auth",
                           "bearer:RPCSPEC_REFERENCE_SECRET", "--select", "jsonrpc/id/*", "--",
                           *words)
        self.assertIn("gate passed", out)
        self.rpcspec("run", "--url", "ws://127.0.0.1:{port}/mcp", "--", *words, code=3)
        self.assertIn("the target requires credentials: it answers HTTP 401", self.complaint)

    def test_secrets_of_the_environment(self):
        target = self.write("t.yaml", json.dumps({
            "command": toy("secret_in_errors"),
            "env": {"API": {"secret": "$RPCSPEC_REFERENCE_SECRET"}}}))
        with self.watched_arguments() as found:
            out = self.rpcspec("run", *PLAIN, "--target", target, "--report", "json=r.json",
                               "--report", "console", "--report", "junit=r.xml", *EVERY_REPORT,
                               "--transcripts", "t", code=1)
        self.assertEqual(found, [])
        self.search(out, self.complaint, *self.artefacts())
        self.assertIn("«secret RPCSPEC_REFERENCE_SECRET»", self.read("r.json"))

    def test_inspect_masks_what_a_server_echoes(self):
        target = self.write("t.yaml", json.dumps({
            "command": toy("secret_everywhere"),
            "env": {"API": {"secret": "$RPCSPEC_REFERENCE_SECRET"}}}))
        for words in ((), ("--format", "json")):
            with self.watched_arguments() as found:
                out = self.rpcspec("inspect", "--target", target, *words)
            self.assertEqual(found, [])
            self.search(out, self.complaint)
            self.assertGreater(out.count("«secret RPCSPEC_REFERENCE_SECRET»"), 40)
            self.assertIn("tool-12", out)

    def test_last_words_of_a_target_are_masked(self):
        self.write("t.yaml", json.dumps({
            "command": ["sh", "-c", 'echo "dying with $API" >&2; exit 7'],
            "env": {"API": {"secret": "$RPCSPEC_REFERENCE_SECRET"}}}))
        self.rpcspec("run", "--target", "t.yaml", "--report", "junit=j.xml", code=3)
        self.assertIn("dying with «secret RPCSPEC_REFERENCE_SECRET»", self.complaint)
        self.search(self.complaint, *self.artefacts())

    def test_secret_in_the_description_is_warned_of_once(self):
        port = self.listen(401)
        target = self.write("t.yaml", f"url: http://127.0.0.1:{port}/mcp\n"
                                      "auth: {type: bearer, token: written-here}\n")
        self.rpcspec("run", "--target", target, code=3)
        self.assertEqual(self.complaint.count("WARNING"), 1)
        self.assertIn("t.yaml:2:29: the file contains the secret itself; write $NAME",
                      self.complaint)
        self.assertNotIn("written-here", self.complaint)

    def test_secret_typed_on_the_command_line_is_refused_and_not_repeated(self):
        self.rpcspec("run", "--url", "http://127.0.0.1:9/", "--auth", "bearer:" + SECRET, code=2)
        self.assertIn("name an environment variable that is set", self.complaint)
        self.search(self.complaint)

    def test_nobody_else_gets_them(self):
        other = self.listen(200, {"Content-Type": "application/json"}, b"{}")
        elsewhere = self.seen
        port = self.listen(307, {"Location": f"http://127.0.0.1:{other}/mcp"})
        self.unreachable("--url", f"http://127.0.0.1:{port}/mcp", "--auth",
                         "bearer:RPCSPEC_REFERENCE_SECRET")
        self.assertEqual(elsewhere, [])


if __name__ == "__main__":
    testkit.main(verbosity=1)
