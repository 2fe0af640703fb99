#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# The command that a report prints for a cause shows that cause again: it fails for the same clause.
# Of a sample of the Faults, one in three commits, and of one of the servers of corpus/naive in each;
# RPCSPEC_NAIVE names another folder with an expected.json, of which all are played.
#
#   replayed_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import importlib.util
import os
import pathlib
import shlex
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import RPCSPEC, SERVER
from turn import is_turn

SAMPLE = [("jsonrpc-2.0", "batch-reply-repeated-alone"), ("jsonrpc-2.0", "id-percent-decoded"),
          ("mcp-2025-11-25", "tool-input-schema-missing"), ("mcp-2026-07-28", "image-data-uri")]
CORPUS = pathlib.Path(__file__).resolve().parents[2] / "corpus" / "naive"
NAIVE = pathlib.Path(os.environ.get("RPCSPEC_NAIVE", CORPUS))


def naive_check():
    """corpus/naive/check.py, which knows how its servers are built and started."""
    about = importlib.util.spec_from_file_location("naive_check", CORPUS / "check.py")
    module = importlib.util.module_from_spec(about)
    sys.modules[about.name] = module  # where dataclasses look it up
    about.loader.exec_module(module)
    module.FOLDER = NAIVE
    return module


# Those of corpus/naive all of whose replays were read. kitchen.py hands out session ids twice, which
# shows only now and then where one case is played alone.
STEADY = ("garden.py", "hello.php", "ledger.lua", "bank.rb", "recipes.php", "radio.py", "tally.rb",
          "library.js", "chores.js", "shop.php", "stocks.rb", "queue.pl", "phrases.php")


class ReplayedTest(testkit.RpcspecTest):
    SECONDS = 400

    def replayed(self, report):
        """Plays the command of each cause; returns how many there were."""
        causes = [cause for cause in report["causes"]
                  if cause["verdict"] == "fail" and not cause["baselined"]]
        tried = 0
        for cause in causes:
            if not cause["replay"]:
                self.assertTrue(cause["replay_note"], cause["title"])
                continue
            if "replay_note" in cause:
                continue  # it says that nobody tried it
            command = shlex.split(cause["replay"])
            self.assertEqual(command[0], RPCSPEC)
            at = command.index("run") + 1
            self.rpcspec(*command[1:at], "--quiet", "--report", "json=again.json", *command[at:], code=None)
            shown = {finding["requirement"] for case in self.load("again.json")["cases"]
                     for finding in case["findings"] if finding["severity"] == "fail"}
            first = cause["findings"][0]
            (case,) = [case for case in report["cases"] if case["id"] == first["case"]]
            clause = case["findings"][first["finding"]]["requirement"]
            self.assertIn(clause, shown, f"{cause['title']}: {cause['replay']}")
            tried += 1
        return tried

    def test_the_command_of_each_cause_shows_it_again(self):
        chosen = [one for part, one in enumerate(SAMPLE) if is_turn(part, 3 * len(SAMPLE))]
        if not chosen:
            self.skipTest("one commit in three plays a Fault of the sample")
        for profile, fault in chosen:
            with self.subTest(fault=fault):
                self.rpcspec("run", "--quiet", "--profile", profile, "--report", "json=r.json", "--",
                             SERVER, "--profile", profile, "--fault", fault, code=None)
                self.assertGreater(self.replayed(self.load("r.json")), 0)

    def test_so_do_those_of_servers_written_by_hand(self):
        check = naive_check()
        servers = check.json.loads((NAIVE / "expected.json").read_text(encoding="utf-8"))["servers"]
        if NAIVE == CORPUS:
            servers = {name: servers[name] for name in STEADY}
        for part, (name, server) in enumerate(servers.items()):
            needed = [line[0] for line in (server.get("build"), server["start"]) if line]
            if NAIVE == CORPUS and not is_turn(part, len(servers)):
                continue
            if not all("{" in one or shutil.which(one) for one in needed):
                continue
            with self.subTest(server=name):
                shutil.copytree(NAIVE, self.folder, dirs_exist_ok=True)  # it is started there again
                check.play(RPCSPEC, server, pathlib.Path(self.folder), self.SECONDS)
                self.replayed(self.load("report.json"))


if __name__ == "__main__":
    testkit.main()
