#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Where the document of a server comes from, what is told of its methods before a run, and tests in
# .io files.
#
#   contract_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import http.server
import json
import os
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import SERVER, flat

PLAIN = ["--", SERVER, "--profile", "jsonrpc-2.0"]
TEXT = json.dumps({"openrpc": "1.3.2", "info": {"title": "T", "version": "1"}, "methods": [
    {"name": "subtract", "paramStructure": "by-position", "params": [
        {"name": "a", "required": True, "schema": {"type": "number"}},
        {"name": "b", "required": True, "schema": {"type": "number"}}],
     "result": {"name": "r", "schema": {"type": "number"}},
     "examples": [{"name": "one", "params": [{"name": "a", "value": 3}, {"name": "b", "value": 1}],
                   "result": {"name": "r", "value": 2}}]},
    {"name": "admin.reset", "params": [], "result": {"name": "r", "schema": True}}]})


class Pages(http.server.BaseHTTPRequestHandler):
    asked = []

    def do_GET(self):
        self.asked.append((self.path, dict(self.headers)))
        if self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "/doc")
            self.end_headers()
            return
        body = TEXT.encode() if self.path == "/doc" else b"[1]"
        if self.path == "/large":
            body = b" " * ((16 << 20) + 1)
        self.send_response(404 if self.path == "/none" else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        reply = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "no"}}
        body = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


class ContractTest(testkit.RpcspecTest):
    def pages(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        Pages.asked = []
        return f"http://127.0.0.1:{server.server_port}"

    def test_the_methods_stand_in_a_table_before_a_run(self):
        self.write("doc.json", TEXT)
        told = flat(self.rpcspec("coverage", "--openrpc", "doc.json"))
        self.assertRegex(told, r"subtract called \(example\), \d+ clauses")
        self.assertIn("admin.reset not called: its name says that it changes something", told)
        self.assertIn("1 of 2 methods of doc.json may be called (1 by example), 1 changes state", told)
        methods = json.loads(self.rpcspec("coverage", "--openrpc", "doc.json", "--methods",
                                          "admin.reset", "--format", "json"))
        self.assertEqual([one["why"] for one in methods], ["example", "name"])
        self.assertEqual(methods[0]["clauses"]["openrpc.params.missing-required"], "planned")
        told = flat(self.rpcspec("inspect", "--openrpc", "doc.json", *PLAIN))
        self.assertRegex(told, r"subtract called \(example\)")
        seen = json.loads(self.rpcspec("inspect", "--format", "json", *PLAIN))
        self.assertFalse({one["name"]: one["called"] for one in seen["methods"]}["admin.reset"])

    def test_a_document_is_got_from_an_address_once(self):
        address = self.pages()
        told = flat(self.rpcspec("run", "--select", "openrpc/*", "--openrpc", address + "/doc", *PLAIN))
        self.assertIn(f"1 of 2 methods of {address}/doc may be called", told)
        self.assertEqual([path for path, _ in Pages.asked], ["/doc"])
        for path, complaint in (("/away", "the response has the status 302"),
                                ("/none", "the response has the status 404"),
                                ("/list", "this is not an OpenRPC document"),
                                ("/large", "the response has more than 16 MiB")):
            self.assertIn(address + path + ": " + complaint,
                          flat(self.refused("coverage", "--openrpc", address + path)))
        self.assertNotIn("/doc", [path for path, _ in Pages.asked[1:]])

    def test_credentials_go_to_the_origin_of_the_target_alone(self):
        address, other = self.pages(), self.pages()
        os.environ["RPCSPEC_TEST_TOKEN"] = "very-secret"
        self.addCleanup(os.environ.pop, "RPCSPEC_TEST_TOKEN")
        for place, goes in ((address, True), (other, False)):
            Pages.asked.clear()
            self.rpcspec("inspect", "--auth", "bearer:RPCSPEC_TEST_TOKEN", "--url", address + "/rpc",
                         "--profile", "jsonrpc-2.0", "--openrpc", place + "/doc")
            (head,) = [head for path, head in Pages.asked if path == "/doc"]
            self.assertEqual("very-secret" in head.get("Authorization", ""), goes)

    def test_a_target_file_says_where_the_document_is(self):
        self.write("doc.json", TEXT)
        address = self.pages()
        for place in ("openrpc: doc.json", "openrpc: {command: [cat, doc.json]}",
                      f"openrpc: {address}/doc"):
            self.write("t.yaml", f"command: [{SERVER}, --profile, jsonrpc-2.0]\n{place}\n")
            told = flat(self.rpcspec("inspect", "--target", "t.yaml"))
            self.assertIn("1 of 2 methods of", told, place)
        self.write("t.yaml", "command: [x]\nopenrpc: {command: ['false']}\n")
        self.assertIn("t.yaml:2:10: the command false ended with 1",
                      flat(self.refused("inspect", "--target", "t.yaml")))

    def test_io_files_are_cases(self):
        self.write("io/sum.io", '// a difference\n>> {"jsonrpc":"2.0","id":1,"method":"subtract",'
                                '"params":[5,3]}\n<< {"jsonrpc":"2.0","id":1,"result":2.0}\n')
        self.write("io/fail.io", '// an error\n>> {"jsonrpc":"2.0","id":1,"method":"fail"}\n'
                                 '<< {"jsonrpc":"2.0","id":1,"error":{"code":1001,"message":"x",'
                                 '"data":{"reason":"it was asked to"}}}\n')
        self.write("io/deep/chain.rlp", "")
        self.write("io/deep/far.io", '>> {"jsonrpc":"2.0","id":1,"method":"get_data"}\n'
                                     '<< {"jsonrpc":"2.0","id":1,"result":["hello",5]}\n')
        told = flat(self.rpcspec("run", "--cases", "io", "--select", "sum", "--select", "fail",
                                 "--select", "deep/*", *PLAIN))
        self.assertIn("3 cases", told)
        self.assertIn("2 passed, 1 inconclusive", told)
        self.write("t.yaml", f"command: [{SERVER}, --profile, jsonrpc-2.0]\n"
                             "affordances: {chain: execution-apis}\n")
        told = flat(self.rpcspec("run", "--cases", "io", "--select", "deep/*", "--target", "t.yaml"))
        self.assertIn("1 passed", told)
        self.write("io/sum.io", '// another difference\n>> {"jsonrpc":"2.0","id":1,"method":"subtract",'
                                '"params":[5,3]}\n<< {"jsonrpc":"2.0","id":1,"result":3}\n')
        told = flat(self.rpcspec("run", "--cases", "io", "--select", "sum", *PLAIN, code=1))
        self.assertIn("FAIL Violated: It is answered as recorded MUST own.io.sum · sum.io", told)

    def test_io_files_become_case_files(self):
        self.write("io/a/b.io", '// a difference\n>> {"jsonrpc":"2.0","id":1,"method":"subtract",'
                                '"params":[5,3]}\n<< {"jsonrpc":"2.0","id":1,"result":2}\n')
        self.assertEqual(self.rpcspec("import", "io", "--to", "mine"), "1 cases written to mine\n")
        self.assertIn("covers own.mine.a.b;", self.rpcspec("check", "mine"))
        self.assertIn("1 passed", flat(self.rpcspec("run", "--cases", "mine", "--select", "a/b",
                                                    *PLAIN)))
        self.assertIn("mine/a/b.yaml: the file exists",
                      self.refused("import", "io", "--to", "mine"))
        self.write("odd/x.io", "== 1\n")
        self.assertIn("x.io:1: the line begins with none of //, >> and <<",
                      self.refused("import", "odd", "--to", "more"))


if __name__ == "__main__":
    testkit.main(verbosity=1)
