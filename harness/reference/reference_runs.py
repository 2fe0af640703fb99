# SPDX-License-Identifier: Apache-2.0
# How the tests of the suite start rpcspec against the reference server: one target description per
# setting (profile x transport) and Fault, one run, and the verdicts out of its JSON report.
# Shared by falsify_test.py and sound_test.py.
import contextlib
import dataclasses
import json
import os
import signal
import subprocess
import tempfile

import yaml

# Oldest first. A server that speaks several revisions is played twice: as negotiated, and as a
# client of the handshake era sees it.
PROFILES = ["jsonrpc-2.0", "mcp-tutorial", "mcp-2024-11-05", "mcp-2025-03-26", "mcp-2025-06-18",
            "mcp-2026-07-28", "mcp-2025-11-25"]

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "operator.yaml"),
          encoding="utf-8") as _file:
    OPERATOR = yaml.safe_load(_file)


# A token of three parts, as most servers have them; the reference server only compares it.
SECRET = ("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJ0ZXN0ZXIiLCJzY29wZSI6Im1jcDp1c2UifQ."
          "dGhlLXNpZ25hdHVyZS1vZi1ub2JvZHktYXQtYWxsLQ")
CREDENTIALS = {
    "bearer": {"type": "bearer", "token": "$RPCSPEC_REFERENCE_SECRET"},
    "api-key": {"type": "api_key", "header": "X-API-Key", "value": "$RPCSPEC_REFERENCE_SECRET"},
    "custom": {"type": "custom", "headers": {"Authorization": "Custom $RPCSPEC_REFERENCE_SECRET",
                                             "X-Client-ID": "reference-client"}},
}
SCOPE_AFFORDANCE = {"auth.insufficient_scope": {"method": "tools/call",
                                                "params": {"name": "admin_reset"}}}


def token(claim):
    return f"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.{claim}.YW5vdGhlci1zaWduYXR1cmUtb2Ytbm9ib2R5LWF0LWFsbA"


# The token of a second user, who may do more.
OTHER = token("eyJzdWIiOiJvdGhlciJ9")  # {"sub":"other"}
# What an operator tells of tokens: what they are, or, where rpcspec makes them, what they say.
TOKEN_AFFORDANCES = {
    "bearer": {name: {"token": {"secret": "$RPCSPEC_REFERENCE_OTHER"}}
               for name in ("auth.other_user", "auth.more_scope")},
    "issuer": {"auth.more_scope": {"claims": {"scope": "mcp:use mcp:admin"}}},
}
TOKEN_AFFORDANCES["issuer-dpop"] = TOKEN_AFFORDANCES["issuer"]


@dataclasses.dataclass(frozen=True)
class Setting:
    server: str     # profile the server is started with
    profile: str    # profile it is judged by
    transport: str
    framing: str = "line"
    auth: str = ""  # what the server demands
    tls: bool = False

    def __str__(self):
        judged = "" if self.server == self.profile else f" as {self.profile}"
        framed = "" if self.framing == "line" else f" {self.framing}"
        guarded = f" {self.auth}" if self.auth else ""
        return f"{self.server}{judged} {self.transport}{'+tls' * self.tls}{framed}{guarded}"


def settings(with_all=True):
    pairs = [(profile, profile) for profile in reversed(PROFILES)]
    if with_all:
        pairs += [("mcp-all", "auto"), ("mcp-all", "mcp-2025-11-25")]
    return [Setting(server, profile, transport)
            for server, profile in pairs for transport in ("stdio", "http")]


def stream_settings():
    """Other streams than lines on stdio: the same engine behind them, so two profiles will do."""
    streams = [("tcp", "line"), ("tcp", "content-length"), ("unix", "line"),
               ("stdio", "content-length"), ("websocket", "line")]
    return [Setting(profile, profile, transport, framing)
            for profile in ("jsonrpc-2.0", "mcp-2025-11-25") for transport, framing in streams
            ] + lsp_settings() + agent_settings() + custom_settings() + sse_settings()


def lsp_settings():
    """Language servers, behind headers."""
    return [Setting("lsp", "lsp", "stdio", "content-length"),
            Setting("lsp", "auto", "tcp", "content-length")]


def agent_settings():
    """Agents, named and recognised."""
    return [Setting("acp-1", "acp-1", "stdio"), Setting("acp-1", "auto", "stdio")]


def custom_settings():
    """What only one dialect says of a connection: the tutorial of WebSocket, 2026-07-28 of streams."""
    return [Setting("mcp-tutorial", "mcp-tutorial", "websocket"),
            Setting("mcp-2026-07-28", "mcp-2026-07-28", "websocket"),
            Setting("mcp-2026-07-28", "mcp-2026-07-28", "tcp")]


def sse_settings():
    """HTTP+SSE: the revision that defines it, and a newer one, which many servers speak over it."""
    return [Setting(profile, profile, "http+sse") for profile in ("mcp-2024-11-05", "mcp-2025-11-25")]


def tls_settings():
    """The same bytes within TLS."""
    return [Setting("jsonrpc-2.0", "jsonrpc-2.0", "http", tls=True),
            Setting("jsonrpc-2.0", "jsonrpc-2.0", "websocket", tls=True),
            Setting("mcp-2024-11-05", "mcp-2024-11-05", "http+sse", tls=True),
            Setting("mcp-2025-11-25", "mcp-2025-11-25", "http", tls=True)]


def guarded_settings():
    """Servers that demand credentials."""
    pairs = [("mcp-2025-11-25", "issuer"), ("mcp-2026-07-28", "issuer"),
             ("mcp-2025-06-18", "bearer"), ("mcp-2025-03-26", "bearer"),
             ("mcp-tutorial", "bearer"), ("mcp-tutorial", "api-key"), ("mcp-tutorial", "custom")]
    return [Setting(profile, profile, "http", auth=auth) for profile, auth in pairs]


def bound_settings():
    """Servers that take only tokens bound to a key, and want a nonce in each proof."""
    return [Setting("mcp-2026-07-28", "mcp-2026-07-28", "http", auth="issuer-dpop")]


def make_certificate(folder):
    """One for 127.0.0.1 that nobody else trusts, and its key."""
    certificate, key = (os.path.join(folder, name) for name in ("certificate.pem", "key.pem"))
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
                   check=True, capture_output=True, timeout=60)
    return certificate, key


@dataclasses.dataclass
class Run:
    verdicts: dict      # case or oracle/NAME -> verdict
    cases: list         # as in the report
    exit_code: int
    output: str
    timed_out: bool
    report: dict        # all of it; {} when there is none

    @property
    def broken(self):
        """rpcspec itself has failed, or was called in a wrong way."""
        return self.exit_code not in (0, 1, 3, 130)


class Rpcspec:
    def __init__(self, rpcspec, server, suite=None):
        self.rpcspec = os.path.abspath(rpcspec)
        self.server = os.path.abspath(server)
        self.suite = ["--suite", suite] if suite else []
        self.folder = tempfile.TemporaryDirectory(prefix="rpcspec-runs-")

    def listing(self, what):
        done = subprocess.run([self.rpcspec, "list", what, "--format", "json",
                               *(self.suite if what == "cases" else [])],
                              stdout=subprocess.PIPE, check=True, timeout=60)
        return json.loads(done.stdout)

    def description(self, setting, fault, scratch, without=()):
        command = [self.server, "--profile", setting.server]
        for feature in without:
            command += ["--without", feature]
        about = {"name": "reference", "command": command, "affordances": OPERATOR["plain"],
                 "allow": {"call_tools": "any"}}
        if setting.server.startswith("mcp-2") or setting.server == "mcp-all":
            about["affordances"] = OPERATOR["mcp"]
            command += ["--request-timeout", str(OPERATOR["request_timeout"])]
        elif setting.server == "lsp":
            about["affordances"] = OPERATOR["lsp"]
        elif setting.server == "acp-1":
            about["affordances"] = OPERATOR["acp"]
        elif setting.server != "jsonrpc-2.0":
            about["affordances"] = OPERATOR["tutorial"]
        if setting.transport == "http":
            command += ["--transport", "http", "--port", "{port}"]
            about["url"] = "http://127.0.0.1:{port}/mcp"
        if setting.transport == "http+sse":
            command += ["--transport", "sse", "--port", "{port}"]
            about["url"] = "http://127.0.0.1:{port}/sse"
            about["transport"] = "sse"
        if setting.transport == "websocket":
            command += ["--transport", "ws", "--port", "{port}"]
            about["url"] = "ws://127.0.0.1:{port}/mcp"
            if setting.server == "mcp-tutorial":
                about["transport"] = {"type": "websocket", "subprotocol": "mcp"}
        if setting.transport == "tcp":
            command += ["--transport", "tcp", "--port", "{port}"]
            about["url"] = "tcp://127.0.0.1:{port}"
        if setting.transport == "unix":
            path = os.path.join(scratch, "socket")
            command += ["--transport", "unix", "--path", path]
            about["url"] = f"unix:{path}"
        if setting.tls:
            certificate, key = make_certificate(scratch)
            command += ["--tls-cert", certificate, "--tls-key", key]
            about["url"] = about["url"].replace("http:", "https:").replace("ws:", "wss:")
            about["tls"] = {"ca": certificate}
        if setting.framing != "line":
            command += ["--framing", setting.framing]
            about["transport"] = {"type": setting.transport, "framing": setting.framing}
        if setting.auth:
            command += ["--auth", setting.auth]
            if setting.auth in CREDENTIALS:
                about["auth"] = CREDENTIALS[setting.auth]
            about["affordances"] = {**about.get("affordances", {}), **SCOPE_AFFORDANCE,
                                    **TOKEN_AFFORDANCES.get(setting.auth, {})}
        if fault:
            command += ["--fault", fault]
        return about

    def run(self, setting, fault=None, select=(), timeout=10, jobs=2, limit=100, extra=(),
            beside=contextlib.nullcontext, without=()):
        """One `rpcspec run`. After `limit` seconds it is interrupted and tells what it has seen.
        `beside`: a context for its process."""
        with tempfile.TemporaryDirectory(dir=self.folder.name) as scratch:
            target = os.path.join(scratch, "target.yaml")
            report = os.path.join(scratch, "report.json")
            with open(target, "w", encoding="utf-8") as out:
                yaml.safe_dump(self.description(setting, fault, scratch, without), out)
            command = [self.rpcspec, "run", "--target", target, "--profile", setting.profile,
                       "--timeout", str(timeout), "--jobs", str(jobs), "--report",
                       f"json={report}", *self.suite, *extra]
            if setting.auth.startswith("issuer"):
                command += ["--auth", f"{setting.auth}::mcp:use"]
            for pattern in select:
                command += ["--select", pattern]
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, start_new_session=True,
                                       env={**os.environ, "RPCSPEC_REFERENCE_SECRET": SECRET,
                                            "RPCSPEC_REFERENCE_OTHER": OTHER})
            timed_out = False
            try:
                with beside(process):
                    output, _ = process.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                timed_out = True
                process.send_signal(signal.SIGINT)
                try:
                    output, _ = process.communicate(timeout=10)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    output, _ = process.communicate()
            told = {}
            if os.path.exists(report):
                try:
                    with open(report, encoding="utf-8") as text:
                        told = json.load(text)
                except ValueError:
                    output += b"\n(the JSON report cannot be read)"
            cases = told.get("cases", [])
            return Run({case["id"]: case["verdict"] for case in cases}, cases, process.returncode,
                       output.decode("utf-8", "replace"), timed_out, told)


def frames_of(script):
    """How many messages a script has: lines that are no comments, and directives that send."""
    with open(script, "rb") as text:
        return sum(bool(line.strip()) and (line[:1] not in b"#!" or
                                           line.startswith((b"!frame", b"!raw"))) for line in text)


def add_common_arguments(parser):
    top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    built = os.path.join(top, "build")
    parser.add_argument("rpcspec", nargs="?", default=os.path.join(built, "rpcspec"))
    parser.add_argument("server", nargs="?",
                        default=os.path.join(built, "rpcspec-reference-server"))
    parser.add_argument("--suite", metavar="DIR", help="a cases/ tree in place of the built-in one")
    parser.add_argument("--runs", type=int, default=2, metavar="N", help="runs side by side (2)")
