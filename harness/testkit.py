# SPDX-License-Identifier: Apache-2.0
"""What the tests and measurements written in Python share: the built programs, a folder of their own
for each test, rpcspec run in it, toy servers, ports, processes.

    import os, sys
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    import testkit
    from testkit import RPCSPEC, SERVER, toy
"""
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import turn

HARNESS = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HARNESS)
TOYS = os.path.join(HARNESS, "cli", "servers")


def _programs():
    """rpcspec and the reference server, and what is left of the arguments.

    A test gets the programs as its first arguments. For everything else the environment names them,
    or they are those in build/."""
    words = sys.argv[1:]
    named = []
    while words and len(named) < 2 and os.path.isfile(words[0]) and os.access(words[0], os.X_OK):
        named.append(os.path.abspath(words.pop(0)))
    build = os.path.join(TOP, "build")
    usual = [os.environ.get("RPCSPEC", os.path.join(build, "rpcspec")),
             os.environ.get("RPCSPEC_REFERENCE", os.path.join(build, "rpcspec-reference-server"))]
    return *(named + usual[len(named):]), words


RPCSPEC, SERVER, WORDS = _programs()


def main(verbosity=2):
    """Runs the tests of the script: SCRIPT RPCSPEC [REFERENCE_SERVER] [--part I/N | TEST…].

    Part I of N is every Nth test: what mostly waits is run as parts side by side. Each commit runs
    one part; RPCSPEC_EVERY_TURN=1 runs all."""
    if WORDS[:1] != ["--part"]:
        unittest.main(argv=[sys.argv[0], *WORDS], verbosity=verbosity)
        return
    part, parts = map(int, WORDS[1].split("/"))
    if not turn.is_turn(part - 1, parts):
        print(f"skipped: this commit runs another part of {parts}; RPCSPEC_EVERY_TURN=1 runs all")
        sys.exit(77)
    every = [test for suite in unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
             for test in suite]
    chosen = unittest.TestSuite(every[part - 1::parts])
    assert chosen.countTestCases() > 0, f"{len(every)} tests have no part {WORDS[1]}"
    sys.exit(not unittest.TextTestRunner(verbosity=verbosity).run(chosen).wasSuccessful())


def toy(name, *words):
    """The command of a small server of harness/cli/servers."""
    return [sys.executable, os.path.join(TOYS, name + ".py"), *words]


def flat(text):
    """The text with its line breaks and margins undone, to look for sentences in."""
    return re.sub(r"\s+", " ", text)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for_port(port, seconds=30):
    """Whether somebody listens there by then."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return True
        time.sleep(0.02)
    return False


def marked(mark, seconds=30):
    """The processes whose environment holds `mark`, given some time to be gone."""
    until = time.monotonic() + seconds
    while True:
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    if mark.encode() in file.read():
                        found.append(int(pid))
            except OSError:
                continue
        if not found or time.monotonic() > until:
            return found
        time.sleep(0.05)


class RpcspecTest(unittest.TestCase):
    """A folder of its own, and rpcspec run in it."""

    USUAL_CODE = 0  # of rpcspec(), where a test names none; None: any
    SECONDS = 300   # that rpcspec may take before it counts as hung, on a machine however busy
    ENVIRONMENT = {}  # added to ours

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="rpcspec-test-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.complaint, self.code = "", None

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        """Writes a file of the folder, whose name is returned."""
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def load(self, name):
        return json.loads(self.read(name))

    def rpcspec(self, *words, code=..., seconds=None, environment=None):
        """Runs it; expects the exit code; returns stdout, and keeps stderr in self.complaint, the code
        in self.code."""
        code = self.USUAL_CODE if code is ... else code
        seconds = seconds or self.SECONDS
        done = subprocess.run(["timeout", "-s", "KILL", str(seconds), RPCSPEC, *words],
                              cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=seconds + 30,
                              env={**os.environ, **self.ENVIRONMENT, **(environment or {})})
        out, self.complaint = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
        self.code = done.returncode
        if code is not None:
            self.assertEqual(self.code, code,
                             f"{words}\n{out[-3000:]}\n{self.complaint[-3000:]}")
        self.assertNotIn("\x1b", out + self.complaint)
        return out

    def certificate(self, name, days="2"):
        """A certificate for a name such as `IP:127.0.0.1`, signed by itself, and its key: two files."""
        key, request, made = (self.path(one) for one in ("key.pem", "request.pem", "cert.pem"))
        extension = self.write("extension", f"[e]\nsubjectAltName={name}\n")
        for words in (["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                       "-nodes", "-keyout", key, "-out", request, "-subj", "/CN=test"],
                      ["x509", "-req", "-in", request, "-signkey", key, "-days", days, "-out", made,
                       "-extfile", extension, "-extensions", "e"]):
            subprocess.run(["openssl", *words], check=True, capture_output=True, timeout=60,
                           cwd=self.folder)
        return made, key

    def refused(self, *words):
        """Exit code 2, nothing on stdout; returns the one sentence (or line each) on stderr."""
        self.assertEqual(self.rpcspec(*words, code=2), "")
        self.assertTrue(self.complaint.startswith("rpcspec: "), self.complaint)
        self.assertTrue(self.complaint.endswith("\n"), self.complaint)
        return self.complaint[len("rpcspec: "):-1]
