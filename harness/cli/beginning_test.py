#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Targets that cannot be met: what their bytes show is a verdict, and where they show nothing it is
# said in one sentence what may be the matter.
#
#   beginning_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import os
import pty
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import RPCSPEC, SERVER, toy

QUICK = ("--timeout", "1")


class BeginningTest(testkit.RpcspecTest):
    USUAL_CODE = None

    def met(self, kind, profile="mcp-2025-11-25"):
        self.rpcspec("run", "--profile", profile, *QUICK, "--select", "mcp/ping/*", "--report",
                     "json=r.json", "--report", "console", "--", *toy("beginnings", kind))
        return self.load("r.json")

    def test_what_the_bytes_show_is_a_verdict(self):
        for kind, requirement in [
                ("no-version", "mcp.lifecycle.initialize-result"),
                ("request-shape", "mcp.base.result-or-error"),
                ("several-lines", "mcp.stdio.no-embedded-newlines"),
                ("no-line-end", "mcp.stdio.newline-delimited"),
                ("buffered", "mcp.stdio.flush"),
                ("batch", "mcp.base.batch.not-sent")]:
            for profile in "mcp-2025-11-25", "auto":
                with self.subTest(kind=kind, profile=profile):
                    report = self.met(kind, profile)
                    self.assertEqual(self.code, 1, self.complaint)
                    cause = report["causes"][0]
                    self.assertEqual(cause["requirement"], requirement)
                    self.assertIn("fail", cause["verdict"])
                    self.assertTrue(any(frame["direction"] == "received"
                                        for frame in cause["frames"]), cause["frames"])

    def test_text_in_place_of_the_answer_is_a_verdict_where_the_next_request_is_answered(self):
        report = self.met("text-first")
        self.assertEqual(self.code, 1, self.complaint)
        self.assertEqual(report["causes"][0]["requirement"], "mcp.stdio.stdout-only-messages")

    def test_where_nothing_can_be_judged_it_is_said_why(self):
        for kind, said in [
                ("refused", "the target refuses initialize: "),
                ("silent", "the target does not answer initialize"),
                ("text", "the target does not answer initialize"),
                ("usage", "usage: beginnings DATABASE")]:
            with self.subTest(kind=kind):
                report = self.met(kind)
                self.assertEqual(self.code, 3)
                self.assertIn(said, self.complaint)
                self.assertFalse(report["gate"]["passed"])

    def test_silence_is_given_up_once_whatever_it_was_to_speak(self):
        for profile in "mcp-2025-11-25", "auto":
            self.met("silent", profile)
            self.assertEqual(self.code, 3)
            self.assertIn("buffer its output", testkit.flat(self.complaint))

    def wait_for_server_of(self, run):
        """Until it has started its target; by then it listens for signals."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with open(f"/proc/{run.pid}/task/{run.pid}/children", encoding="ascii") as children:
                if children.read():
                    return
            time.sleep(0.01)
        self.fail("no server was started")

    def test_an_interrupt_before_the_first_case_still_writes_the_reports(self):
        for word in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            with self.subTest(signal=word):
                with subprocess.Popen(
                        [testkit.RPCSPEC, "run", "--report", "json=i.json", "--",
                         *toy("beginnings", "silent")],
                        cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as run:
                    self.wait_for_server_of(run)
                    run.send_signal(word)
                    run.communicate(timeout=20)
                self.assertEqual(run.returncode, 130)
                gate = self.load("i.json")["gate"]
                self.assertEqual((gate["passed"], gate["interrupted"]), (False, True))
                os.remove(self.path("i.json"))


class StatusTest(testkit.RpcspecTest):
    USUAL_CODE = None
    SERVER = """
import http.server, json, sys
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        try:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            result = {"rpc.discover": {"methods": []}}[asked["method"]]
            self.reply(200, json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}))
        except (KeyError, TypeError, ValueError):
            self.reply(404, "<html>Not found</html>")
    def reply(self, status, text):
        self.send_response(status)
        self.send_header("Content-Type", "text/html" if status == 404 else "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())
    def log_message(self, *args):
        pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""

    def test_errors_by_the_status_alone_are_judged_by_what_lists_methods(self):
        server = self.write("server.py", self.SERVER)
        self.rpcspec("run", *QUICK, "--select", "jsonrpc/id/*", "--select", "jsonrpc/error/*",
                     "--report", "json=r.json", "--url", "http://127.0.0.1:{port}/rpc", "--",
                     sys.executable, server, "{port}")
        self.assertEqual(self.code, 1, self.complaint)
        report = self.load("r.json")
        self.assertEqual(report["profile"], "jsonrpc-2.0")
        self.assertGreater(report["summary"]["pass"], 0)
        # To ask what lists its methods is no fault of the server.
        self.assertNotIn("reserved-rpc-prefix", str(report["causes"]))


class ProgressTest(testkit.RpcspecTest):
    def on_a_terminal(self, *words):
        """What stands on it in the end, with all that was there meanwhile."""
        terminal, ours = pty.openpty()
        with subprocess.Popen([RPCSPEC, "run", "--profile", "mcp-2025-11-25", *words],
                              cwd=self.folder, stdin=subprocess.DEVNULL, stdout=ours, stderr=ours):
            os.close(ours)
            shown = b""
            try:
                while read := os.read(terminal, 65536):
                    shown += read
            except OSError:  # EIO: it has ended
                pass
        os.close(terminal)
        return shown.decode("utf-8")

    def test_a_slow_start_is_said_with_the_option_that_bounds_it(self):
        late = "import os, sys, time; time.sleep(6); os.execv(sys.argv[1], sys.argv[1:])"
        shown = self.on_a_terminal("--select", "mcp/ping/result", "--", sys.executable, "-c", late,
                                   SERVER)
        self.assertRegex(shown, r"waiting for a reply to initialize, [4-6] s of 10 s \(--timeout\)")
        self.assertRegex(shown, r"the target has sent nothing for [345] s; rpcspec waits for "
                         r"10 s \(--timeout\)")
        self.assertEqual(shown.count("has sent nothing"), 1, shown)

    def test_what_is_played_and_waited_for_is_shown(self):
        mute = os.path.join(os.path.dirname(__file__), "servers", "hostile.py")
        shown = self.on_a_terminal("--select", "mcp/ping/result", "--", sys.executable, mute,
                                   "mute_after_handshake")
        self.assertRegex(shown, r"\] 0 failed  mcp/ping/result.*, "
                         r"waiting for a reply to \S+, 1 s of 3 s")


if __name__ == "__main__":
    testkit.main()
