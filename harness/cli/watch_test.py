#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# run --watch: what is played when files of the server change, and what is left alone.
#
#   watch_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import os
import re
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import RPCSPEC

# It has no method. REPLY is what becomes of an id.
SERVER = """import json, sys
open("served.log", "a").write("x")
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": REPLY(message["id"]),
                          "error": {"code": -32601, "message": "none"}}), flush=True)
"""
SOUND = SERVER.replace("REPLY", "")
BROKEN = SERVER.replace("REPLY", "str")
WAITING = r"waiting for a change in \S+; Ctrl\+C ends"


class WatchTest(testkit.RpcspecTest):
    def watch(self, *words, out=subprocess.PIPE):
        """Starts it; what it prints goes to self.said, line by line, or to the file `out`."""
        self.said, self.at = [], 0
        self.process = subprocess.Popen(
            [RPCSPEC, "run", "--watch", "--profile", "jsonrpc-2.0", "--select", "jsonrpc/id/zero-echo",
             "--select", "jsonrpc/id/string-echo", *words, "--", sys.executable, "app/server.py"],
            cwd=self.folder, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
            text=True)

        def read():
            with self.process.stdout or open(os.devnull, encoding="utf-8") as said:
                for line in said:
                    self.said.append(line)

        reader = threading.Thread(target=read)
        reader.start()
        for clean in (reader.join, self.process.wait, self.process.kill):
            self.addCleanup(clean)

    def until(self, pattern, seconds=60):
        """What was said since, up to a line that matches."""
        end = time.monotonic() + seconds
        while True:
            for at in range(self.at, len(self.said)):
                if re.search(pattern, self.said[at]):
                    text, self.at = "".join(self.said[self.at:at + 1]), at + 1
                    return text
            self.assertLess(time.monotonic(), end, f"no {pattern} in {''.join(self.said[self.at:])}")
            time.sleep(0.05)

    def test_what_failed_is_played_first_and_then_everything(self):
        self.write("app/server.py", BROKEN)
        self.watch("--report", "json=app/report.json")
        first = self.until(WAITING)
        self.assertIn("gate failed", first)
        self.assertEqual([case["id"] for case in self.load("app/report.json")["cases"]
                          if case["verdict"] == "fail"][0], "jsonrpc/id/zero-echo")
        self.write("app/server.py", SOUND)
        again = self.until(WAITING)
        self.assertIn("server.py changed: first what failed (1 case), then everything", again)
        self.assertRegex(again, r"(?s)1 case in .*: 1 passed.*2 cases in .*: 2 passed")
        self.assertEqual(self.load("app/report.json")["summary"]["pass"], 2)
        # Now nothing is known to fail.
        self.write("app/part.py", "pass\n")
        third = self.until(WAITING)
        self.assertIn("part.py changed\n", third)
        self.assertNotIn("first what failed", third)
        self.assertEqual(third.count("cases in"), 2)  # in front and at the end
        self.process.send_signal(signal.SIGINT)
        self.assertEqual(self.process.wait(60), 130)

    def test_what_the_server_and_the_run_write_is_no_change(self):
        self.write("app/server.py", SOUND.replace("served.log", "app/served.json"))
        self.watch("--report", "json=app/report.json")
        said = self.until(WAITING)
        self.assertIn("served.json changes in every run, so it is no longer watched", said)
        time.sleep(1)  # three looks
        self.assertEqual(self.said[self.at:], [])
        self.assertTrue(os.path.exists(self.path("app/report.json")))

    def test_a_file_that_takes_its_output_is_no_change(self):
        self.write("app/server.py", SOUND)
        with open(self.path("app/said.txt"), "w", encoding="utf-8") as out:
            self.watch(out=out)
        end = time.monotonic() + 60
        while "Ctrl+C ends" not in self.read("app/said.txt"):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        time.sleep(1)  # three looks
        self.assertNotIn("changed", self.read("app/said.txt"))

    def test_a_change_ends_what_is_played(self):
        self.write("app/server.py", "import time\ntime.sleep(60)\n")
        self.watch()
        time.sleep(1)
        self.assertEqual(self.said, [])
        self.write("app/server.py", SOUND)
        self.assertIn("2 cases", self.until(WAITING))

    def test_without_a_command_there_is_nothing_to_watch(self):
        self.assertRegex(self.refused("run", "--watch", "--url", "http://127.0.0.1:1/mcp"),
                         "^--watch: it watches the files of a command, but no command is named")


if __name__ == "__main__":
    testkit.main()
