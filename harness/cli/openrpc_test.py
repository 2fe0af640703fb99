#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# A server with an OpenRPC document: flaws of the document have places; the server is held to it,
# whether it gives the document or the operator does; and no method is sent that may not be called.
#
#   openrpc_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import flat, toy

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOUND = os.path.join(TOP, "corpus", "contracts", "bookshop.openrpc.json")
FLAWED = os.path.join(TOP, "corpus", "contracts", "bookshop-flawed.openrpc.json")


class OpenRpcTest(testkit.RpcspecTest):
    def shop(self, *words):
        return ["--", *toy("shop", self.path("sent"), *words)]

    def sent(self):
        return set(self.read("sent").split())

    def verdicts(self, *words, code=0):
        self.rpcspec("run", "--profile", "jsonrpc-2.0", "--report", "json=report.json", *words,
                     code=code)
        cases = self.load("report.json")["cases"]
        return {case["id"]: case["verdict"] for case in cases if case["id"].startswith("openrpc/")}

    def test_flaws_of_a_document_have_their_place(self):
        self.assertIn("10 methods; no flaw", self.rpcspec("check", "--openrpc", SOUND))
        out = self.rpcspec("check", "--openrpc", FLAWED, code=1)
        self.assertIn("17 flaws", out)
        found = re.findall(r"(?m)^\S+:(\d+):(\d+): .*\((openrpc\.document\.\S+), (.*)\)$", out)
        self.assertEqual(len(found), 17)
        with open(FLAWED, encoding="utf-8") as file:
            lines = file.read().split("\n")
        places = {clause: lines[int(line) - 1][int(column) - 1:]
                  for line, column, clause, _ in found}
        self.assertEqual(places["openrpc.document.version"], '"1.3",')
        self.assertEqual(places["openrpc.document.links-resolve"], '"book.gone"')

    def test_what_is_no_document_is_a_mistake_with_its_place(self):
        self.write("bad.json", '{"openrpc": "1.3.2",\n "methods": [}')
        self.refused("check", "--openrpc", self.path("bad.json"))
        self.assertIn("bad.json:2:14", self.complaint)
        self.write("list.json", "[]")
        self.refused("run", "--openrpc", self.path("list.json"), *self.shop())
        self.assertIn("no OpenRPC document", self.complaint)

    def test_a_sound_server_has_no_finding_and_methods_that_change_are_not_sent(self):
        seen = self.verdicts("--level", "should", *self.shop())
        self.assertEqual(set(seen.values()), {"pass", "not_applicable"}, seen)
        self.assertEqual(seen["openrpc/params/wrong-type"], "pass")
        notes = [note for case in self.load("report.json")["cases"] for note in case.get("notes", [])]
        self.assertTrue(any("8 of 10 described methods may be called" in note for note in notes))
        self.assertIn("book.search", self.sent())
        self.assertFalse({"book.add", "admin.reset"} & self.sent())

    def test_a_document_that_the_operator_gives_counts_as_well(self):
        words = ["--select", "openrpc.*", "--openrpc", SOUND]
        seen = self.verdicts(*words, *self.shop("undescribed", "loose"))
        self.assertEqual(seen["openrpc/params/wrong-type"], "warn")
        self.assertEqual(seen["openrpc/params/constraint"], "pass")
        self.assertEqual(seen["openrpc/document/sound"], "not_applicable")
        self.verdicts(*words, "--methods", "admin.reset", *self.shop("undescribed"))
        self.assertIn("admin.reset", self.sent())
        self.assertNotIn("book.add", self.sent())

    def test_inspect_says_which_methods_are_called_and_why(self):
        out = flat(self.rpcspec("inspect", "--profile", "jsonrpc-2.0", *self.shop()))
        self.assertIn("admin.reset is not called: its name says that it changes state", out)
        self.assertIn("book.get may be called: it has an example", out)
        out = self.rpcspec("inspect", "--profile", "jsonrpc-2.0", "--openrpc", "none", *self.shop())
        self.assertNotIn("may be called", out)


if __name__ == "__main__":
    testkit.main()
