#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Servers that misbehave on purpose, over stdio and HTTP. Whatever they do, rpcspec ends by itself
# with a verdict, in bounded time and memory, and leaves none of their processes behind. The file is
# its own set of targets: `hostile_test.py --target MODE` plays one.
#
#   hostile_test.py RPCSPEC [TEST...]
import concurrent.futures
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import uuid

from processes import marked

RPCSPEC = ""
SECONDS = 60        # a run of a few cases
# Peak resident size of rpcspec; a sanitizer adds its own.
MEBIBYTES = 256 * int(os.environ.get("RPCSPEC_MEMORY_FACTOR", "1"))
MARK = "RPCSPEC_HOSTILE_MARK"
FEW = ["jsonrpc/id/string-echo", "jsonrpc/id/zero-echo"]


# --- the targets

def write(data):
    os.write(1, data) if len(data) <= 512 else sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def requests():
    """The requests that can be read from stdin; a sound server would do more about the rest."""
    for line in sys.stdin.buffer:
        try:
            message = json.loads(line)
        except ValueError:
            continue
        if isinstance(message, dict) and "id" in message:
            yield message


def answer(request, **changes):
    reply = {"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "no"}}
    if request.get("method") == "initialize" and changes.pop("mcp", False):
        del reply["error"]
        reply["result"] = {"protocolVersion": request["params"]["protocolVersion"],
                           "capabilities": {}, "serverInfo": {"name": "hostile", "version": "1"}}
    write(json.dumps(reply | changes).encode() + b"\n")


def stay():
    while True:
        time.sleep(60)


def flood():
    while True:
        sys.stdout.buffer.write(b'{"jsonrpc":"2.0","method":"notifications/more"}\n' * 1000)


def flood_garbage():
    while True:
        sys.stdout.buffer.write(b"garbage " * 8000 + b"\n")


def mute():
    stay()


def mute_after_handshake():
    for request in requests():
        answer(request, mcp=True)
        break
    stay()


def stops_answering():
    for count, request in enumerate(requests()):
        if count < 4:
            answer(request)


def gibibyte_line():
    for _ in requests():
        write(b'{"jsonrpc":"2.0","result":"')
        for _ in range(1024):
            write(b"x" * (1 << 20))
        write(b'"}\n')


def long_text_line():
    for request in requests():
        answer(request, error={"code": "x", "message": "y" * 10_000_000})


def many_values_line():
    for request in requests():
        write(b'{"jsonrpc":"2.0","id":%s,"result":[%s1]}\n'
              % (json.dumps(request["id"]).encode(), b"1," * 5_000_000))


def many_values_in_many_lines():
    line = b'{"jsonrpc":"2.0","method":"x","params":[' + b"1," * 200_000 + b"1]}\n"
    while True:
        write(line)


def brackets():
    for _ in requests():
        write(b"[" * 1_000_000 + b"\n")


def closes_stdout():
    for count, request in enumerate(requests()):
        if count < 3:
            answer(request)
        else:
            os.close(1)
            stay()


def exits_in_the_middle():
    for count, request in enumerate(requests()):
        if count == 3:
            os.write(1, b'{"jsonrpc":"2.0","id')
            os._exit(9)
        answer(request)


def ignores_sigterm():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for request in requests():
        answer(request, id="ghost")
    stay()


def ignores_end_of_input():
    for request in requests():
        answer(request, error={"code": "x"})
    stay()


def leaves_children():
    for _ in range(3):
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            stay()
    for request in requests():
        answer(request, jsonrpc="3.0")


def garbage():
    for request in requests():
        write(b"\x1b[31mred\x1b]0;owned\x07 \xff\xfe\x00\xc3\x28 \x9b2J\n")
        answer(request, error={"code": -32601, "message": "\x1b[2J\x9b\u202e"})


def stderr_flood():
    def pour():
        while True:
            os.write(2, b"\x1b[5mnoise " * 1000 + b"\n")
    threading.Thread(target=pour, daemon=True).start()
    for request in requests():
        answer(request, id=None)


def replies_twice():
    for request in requests():
        answer(request)
        answer(request)


def id_zero_always():
    for request in requests():
        answer(request, id=0)


def http_target(respond):
    """Serves `respond(connection)` to every connection, after the head of a request was read."""
    listener = socket.create_server(("127.0.0.1", int(sys.argv[3])), backlog=64)

    def serve(connection):
        try:
            connection.recv(65536)
            respond(connection)
        except OSError:
            pass
        connection.close()

    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()


def http_endless_body():
    def respond(connection):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                           b"Transfer-Encoding: chunked\r\n\r\n")
        while True:
            connection.sendall(b"10000\r\n" + b"[" * 0x10000 + b"\r\n")
    http_target(respond)


def http_endless_headers():
    def respond(connection):
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        while True:
            connection.sendall(b"X-More: " + b"h" * 1000 + b"\r\n")
    http_target(respond)


def http_endless_events():
    def respond(connection):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        while True:
            connection.sendall(b'data: {"jsonrpc":"2.0","method":"x"}\n\n' * 500)
    http_target(respond)


def http_never_answers():
    http_target(lambda connection: time.sleep(1000))


def http_drips():
    def respond(connection):
        for byte in b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + b"X: " + b"d" * 9999:
            connection.sendall(bytes([byte]))
            time.sleep(0.2)
    http_target(respond)


def sse_target(begin, forever=b""):
    def respond(connection):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + begin)
        while forever:
            connection.sendall(forever)
        stay()
    http_target(respond)


def http_sse_without_endpoint():
    sse_target(b": nothing yet\n\n")


def http_sse_endpoint_elsewhere():
    sse_target(b"event: endpoint\ndata: http://rpcspec.example/messages\n\n")


def http_sse_endless_line():
    sse_target(b"event: endpoint\ndata: /mcp\n\ndata: ", b"x" * 65536)


def http_sse_endless_events():
    sse_target(b"event: endpoint\ndata: /mcp\n\n",
               b'data: {"jsonrpc":"2.0","method":"x"}\n\n' * 500)


def http_sse_drips():
    http_drips()


# --- the runs

class Run:
    """One run of rpcspec against a mode: exit code, output, peak memory, time, processes left."""

    def __init__(self, mode, options):
        mark = uuid.uuid4().hex
        target = [sys.executable, os.path.abspath(__file__), "--target", mode]
        if mode.startswith("http_"):
            target = ["--url", "http://127.0.0.1:{port}/mcp", "--", *target, "{port}"]
        else:
            target = ["--", *target]
        began = time.monotonic()
        with subprocess.Popen([RPCSPEC, "run", "--timeout", "1", *options, *target],
                              env=os.environ | {MARK: mark}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            watchdog = threading.Timer(SECONDS + 30, process.kill)
            watchdog.start()
            self.output = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            watchdog.cancel()
        self.seconds = time.monotonic() - began
        self.code = process.returncode
        self.mebibytes = usage.ru_maxrss / 1024
        self.left = marked(mark, 2)
        for pid in self.left:
            os.kill(pid, signal.SIGKILL)


# Mode → what the run is given, its exit code, and what its output has to say.
BROKEN = 1
UNREACHABLE = 3
SSE = ["--transport", "sse"]
PLAIN = ["--profile", "jsonrpc-2.0"]
SELECT = [word for case in FEW for word in ("--select", case)]
MODES = {
    "flood": (PLAIN + SELECT, UNREACHABLE, "does not answer a plain JSON-RPC request"),
    "flood_garbage": (PLAIN + SELECT, UNREACHABLE, "does not answer a plain JSON-RPC request"),
    "mute": (PLAIN + SELECT, UNREACHABLE, "does not answer a plain JSON-RPC request"),
    "mute_after_handshake": (SELECT, BROKEN, "no reply at all"),
    "stops_answering": (PLAIN + ["--select", "jsonrpc/id/*"], BROKEN, "no reply at all"),
    "gibibyte_line": (PLAIN + SELECT, UNREACHABLE, "does not answer a plain JSON-RPC request"),
    "long_text_line": (PLAIN + SELECT, BROKEN, "jsonrpc/id/string-echo"),
    "many_values_line": (PLAIN + SELECT, UNREACHABLE, "does not answer a plain JSON-RPC request"),
    "many_values_in_many_lines": (PLAIN + SELECT, UNREACHABLE, "does not answer"),
    "brackets": (PLAIN + SELECT, UNREACHABLE, "does not answer a plain JSON-RPC request"),
    "closes_stdout": (PLAIN + SELECT, BROKEN, "jsonrpc/id/string-echo"),
    "exits_in_the_middle": (PLAIN + SELECT, BROKEN, "exit 9"),
    "ignores_sigterm": (PLAIN + SELECT, BROKEN, "ghost"),
    "ignores_end_of_input": (PLAIN + SELECT, BROKEN, '"code":"x"'),
    "leaves_children": (PLAIN + SELECT, BROKEN, '"3.0"'),
    "garbage": (PLAIN + SELECT, BROKEN, "red"),
    "stderr_flood": (PLAIN + SELECT, BROKEN, '"id": null'),
    "replies_twice": (PLAIN + SELECT, BROKEN, "oracle/replies"),
    "id_zero_always": (PLAIN + SELECT, BROKEN, "jsonrpc/id/string-echo"),
    "http_endless_body": (PLAIN + SELECT, UNREACHABLE, "does not answer a plain JSON-RPC request"),
    "http_endless_headers": (PLAIN + SELECT, UNREACHABLE, "does not answer"),
    "http_endless_events": (PLAIN + SELECT, UNREACHABLE, "does not answer"),
    "http_never_answers": (PLAIN + SELECT, UNREACHABLE, "does not answer"),
    "http_drips": (PLAIN + SELECT, UNREACHABLE, "does not answer"),
    "http_sse_without_endpoint": (PLAIN + SELECT + SSE, UNREACHABLE, "no endpoint in time"),
    "http_sse_endpoint_elsewhere": (PLAIN + SELECT + SSE, UNREACHABLE, "another origin"),
    "http_sse_endless_line": (PLAIN + SELECT + SSE, UNREACHABLE, "does not answer"),
    "http_sse_endless_events": (PLAIN + SELECT + SSE, UNREACHABLE, "does not answer"),
    "http_sse_drips": (PLAIN + SELECT + SSE, UNREACHABLE, "was not answered"),
}


class HostileTest(unittest.TestCase):
    """One test a mode; most of a run is waiting, so several are under way at a time."""

    @classmethod
    def setUpClass(cls):
        cls.pool = concurrent.futures.ThreadPoolExecutor(max_workers=3)
        cls.runs = {}

    @classmethod
    def tearDownClass(cls):
        cls.pool.shutdown(cancel_futures=True)

    def run_of(self, mode):
        if not self.runs:  # the first test starts them all
            wanted = [name for name in MODES if len(TESTS) == 0 or any(name in t for t in TESTS)]
            for name in sorted(wanted):
                self.runs[name] = self.pool.submit(Run, name, MODES[name][0])
        return self.runs[mode].result()

    def check(self, mode):
        _, code, says = MODES[mode]
        run = self.run_of(mode)
        text = run.output.decode("utf-8", "strict")
        told = f"{mode}: exit {run.code}, {run.seconds:.1f} s, {run.mebibytes:.0f} MiB\n{text[-3000:]}"
        self.assertEqual(run.code, code, told)
        self.assertIn(says, re.sub(r"\s+", " ", text), told)
        self.assertIn("gate failed", text, told)
        self.assertLess(run.seconds, SECONDS, told)
        self.assertLess(run.mebibytes, MEBIBYTES, told)
        self.assertEqual(run.left, [], f"processes left; {told}")
        self.assertNotRegex(text, r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", told)


for name in MODES:
    setattr(HostileTest, f"test_{name}",
            lambda self, mode=name: self.check(mode))


class WholeSuiteTest(unittest.TestCase):
    def test_server_that_is_mute_after_the_handshake_is_not_asked_for_ever(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "report.json")
            run = Run("mute_after_handshake", ["--report", f"json={file}"])
            with open(file, encoding="utf-8") as opened:
                report = json.load(opened)
        text = run.output.decode()
        self.assertEqual(run.code, 1, text[-3000:])
        self.assertGreaterEqual(report["summary"]["fail"], 20)
        reasons = [case["reason"] for case in report["cases"] if case["verdict"] == "inconclusive"]
        self.assertGreater(reasons.count("not played: the target had stopped answering"), 50)
        self.assertLess(run.seconds, SECONDS)
        self.assertLess(run.mebibytes, MEBIBYTES)
        self.assertEqual(run.left, [])


TESTS = []

if __name__ == "__main__":
    if sys.argv[1:2] == ["--target"]:
        try:
            globals()[sys.argv[2]]()
        except (BrokenPipeError, KeyboardInterrupt):
            pass
        os._exit(0)
    RPCSPEC = os.path.abspath(sys.argv[1])
    TESTS = sys.argv[2:]
    unittest.main(argv=sys.argv[:1] + TESTS, verbosity=2)
