#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Servers with one thing wrong that makes many others look broken: the first cause is that thing.
#
#   cause_test.py RPCSPEC [TEST...]
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import toy


class CauseTest(testkit.RpcspecTest):
    def first(self, *words, code=1):
        self.rpcspec("run", "--report", "json=r.json", *words, code=code)
        return self.load("r.json")["causes"][0]

    def over_stdio(self, select, *server, code=1, options=()):
        chosen = [word for one in select for word in ("--select", one)]
        return self.first("--profile", "mcp-2025-11-25", *chosen, *options, "--",
                          *toy("misleading", *server), code=code)

    def test_a_limit_on_the_length_of_messages_is_measured(self):
        for kind, does, code in [("limit", "end the connection", 1),
                                 ("deaf", "are never answered", 0)]:
            with self.subTest(kind=kind):
                cause = self.over_stdio(["json/limit/*", "json/valid/*", "mcp/stdio/long-line"],
                                        kind, "20011", code=code)
                self.assertEqual(cause["requirement"], "mcp.stdio.long-line")
                # Each play has its time: on a busy machine it is narrowed down as far as that goes.
                self.assertRegex(cause["sentence"],
                                 "^Messages (longer than 20011|of [0-9]+) bytes")
                self.assertIn(does, cause["sentence"])

    def test_ids_of_the_request_before(self):
        # Each case waits for what never comes: a busy machine is not to leave them unplayed.
        cause = self.over_stdio(["jsonrpc/id/echo-*", "jsonrpc/id/string*"], "previous-id",
                                options=["--max-time", "100"])
        self.assertEqual(cause["requirement"], "mcp.base.response-same-id")
        self.assertIn("the id of the request before comes back", cause["sentence"])

    def test_a_hang_is_laid_to_what_came_before_it(self):
        cause = self.over_stdio(["mcp/tools/*", "mcp/ping/*"], "wedge")
        self.assertEqual(cause["requirement"], "mcp.tools.call-arguments-not-object")
        self.assertRegex(cause["title"],
                         r'^After the request tools/call whose params.arguments is "\w+" nothing')

    def test_bytes_behind_the_end_of_an_answer(self):
        cause = self.first("--profile", "mcp-2025-06-18", "--url", "http://127.0.0.1:{port}/mcp",
                           "--", *toy("extra_answer", "{port}"))
        self.assertEqual(cause["requirement"], "mcp.http.json-one-object")
        self.assertEqual(cause["title"], "An HTTP response is followed by extra bytes")
        self.assertTrue(cause["frames"][0]["text"].startswith("HTTP/1.1 200"))

    def test_the_answer_to_another_key(self):
        for profile in "mcp-2025-11-25", "jsonrpc-2.0", "auto":
            with self.subTest(profile=profile):
                cause = self.first("--profile", profile, "--url", "ws://127.0.0.1:{port}/mcp", "--",
                                   *toy("wrong_accept", "{port}"))
                self.assertEqual(cause["requirement"], "ws.handshake.accept-key")
                self.assertIn("Sec-WebSocket-Accept: AAAA", cause["frames"][0]["text"])

    def test_answers_behind_later_ones_are_no_silence(self):
        batches = "mcp-2025-03-26", ("jsonrpc/batch/*", "mcp/base/batch*")
        for kind, after, profile, select in [
                ("delays", "0.25", "mcp-2025-11-25", ("mcp/tools/*",)),
                ("batch-late", "0.3", *batches), ("batch-late", "1.6", *batches)]:
            with self.subTest(kind=kind, after=after):
                chosen = [word for one in select for word in ("--select", one)]
                self.rpcspec("run", "--profile", profile, "--report", "json=r.json", *chosen, "--",
                             *toy("misleading", kind, after), code=0)
                for case in self.load("r.json")["cases"]:
                    self.assertNotIn(case["verdict"], ("fail", "flaky"), case["id"])

    def test_a_pool_of_threads_is_played_to_the_end(self):
        self.rpcspec("run", "--profile", "jsonrpc-2.0", "--max-time", "300", "--report", "json=r.json",
                     "--", *toy("any_order"), code=None, seconds=300)
        for case in self.load("r.json")["cases"]:
            self.assertNotIn("not played", case.get("reason") or "", case["id"])
            # Which of two replies with a null id came to which message, nobody can tell; and a thread
            # that gets no processor until its process ends has answered nothing.
            if not case["id"].startswith("oracle/"):
                self.assertNotEqual(case["verdict"], "fail", case["id"])


if __name__ == "__main__":
    testkit.main()
