#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Servers with one thing wrong, each once in the wild: it is told once, and nothing else is.
#
#   verdict_test.py RPCSPEC [TEST...]
import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import toy


class VerdictTest(testkit.RpcspecTest):
    def broken(self, *words):
        """The ids of the cases that fail or warn."""
        self.rpcspec("run", "--report", "json=r.json", *words, code=1)
        report = json.loads(self.read("r.json"))
        return sorted(case["id"] for case in report["cases"] if case["verdict"] in ("fail", "warn"))

    def test_a_code_of_its_own_for_unknown_methods(self):
        self.assertEqual(self.broken("--profile", "jsonrpc-2.0", "--", *toy("own_error")),
                         ["jsonrpc/error/method-not-found-code", "oracle/model"])

    def test_an_end_that_no_case_shows_is_no_pass(self):
        words = ["run", "--profile", "jsonrpc-2.0", "--url", "tcp://127.0.0.1:{port}", "--"]
        late = self.rpcspec(*words, *toy("mortal", "{port}", "rpc.foo", "10"), code=3)
        self.assertRegex(late, r"ended \(exit 3\);\s+no\s+case")
        at_once = self.rpcspec(*words, *toy("mortal", "{port}", "rpc.foo"), code=1)
        self.assertNotRegex(at_once, r"ended \(exit 3\);\s+no\s+case")

    def test_what_nobody_waits_for_ends_a_server_that_is_not_ours(self):
        self.write("own/dies.yaml", """\
title: After a long header the server keeps running
covers: [jsonrpc.robust.survives-invalid-request]
profiles: [mcp-2025-06-18]
transports: [http]
session: fresh
steps:
  - frame: "0"
    headers: {a: "%s"}
  - canary: true
""" % ("x" * 4000))
        port = testkit.free_port()
        server = subprocess.Popen([testkit.SERVER, "--profile", "mcp-2025-06-18", "--transport",
                                   "http", "--port", str(port), "--fault", "planted-long-header"],
                                  stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        testkit.wait_for_port(port)
        played = self.rpcspec("run", "--profile", "mcp-2025-06-18", "--cases", "own", "--select",
                              "dies", "--url", f"http://127.0.0.1:{port}/mcp", code=1)
        self.assertIn("1 failed", played)

    def test_null_as_the_body_of_a_202(self):
        cases = ["mcp/base/*notification*", "mcp/http/notif*", "jsonrpc/notification/*",
                 "mcp/cancel/*"]
        self.assertEqual(self.broken("--profile", "mcp-2025-06-18",
                                     *[word for case in cases for word in ("--select", case)],
                                     "--url", "http://127.0.0.1:{port}/mcp", "--",
                                     *toy("null_body", "{port}")),
                         ["mcp/http/notification-202"])

    def test_a_server_that_asks_on_the_stream_of_get_alone(self):
        played = self.rpcspec("run", "--profile", "mcp-2025-06-18", "--select",
                              "mcp/requester/asked-and-refused", "--url",
                              "http://127.0.0.1:{port}/mcp", "--", *toy("asks_on_stream", "{port}"),
                              code=0)
        self.assertRegex(played, r"1 case in \d+ m?s: 1 passed")


if __name__ == "__main__":
    testkit.main()
