# SPDX-License-Identifier: Apache-2.0
"""For tests: what `./dev package` makes for both architectures, around a program that says its
version; and a server on a port of this machine."""
import contextlib
import functools
import http.server
import json
import os
import pathlib
import sys
import threading

os.environ.setdefault("SOURCE_DATE_EPOCH", "1700000000")
import make
import release

PROGRAM = "#!/bin/sh\necho 'rpcspec {version} (sample)'\n"


def packages(folder, version, program=PROGRAM):
    """FOLDER/packages-amd64 and FOLDER/packages-arm64."""
    made = []
    for machine, (_, cpu) in ((machine, make.MACHINES[name]) for machine, name in
                              release.ARCHITECTURES.items()):
        architecture = release.ARCHITECTURES[machine]
        out = pathlib.Path(folder) / f"packages-{architecture}"
        out.mkdir(parents=True)
        name = f"rpcspec-{version}-linux-{machine}"
        files = {"bin/rpcspec": (program.format(version=version).encode(), 0o755),
                 "share/man/man1/rpcspec.1": (b".TH\n", 0o644),
                 "share/bash-completion/completions/rpcspec": (b"complete\n", 0o644),
                 "share/doc/rpcspec/LICENSE": (b"Apache-2.0\n", 0o644)}
        make.tarball(out / f"{name}.tar.gz", name, files)
        make.npm(version, cpu, files, out)
        (out / f"rpcspec_{version}_{architecture}.deb").write_bytes(b"deb " + machine.encode())
        (out / "sbom.spdx.json").write_text(json.dumps({"spdxVersion": "SPDX-2.3", "name": machine}))
        (out / "THIRD-PARTY-LICENSES.txt").write_text(f"licences for {machine}\n")
        (out / "SHA256SUMS").write_text("of this folder alone\n")
        made.append(out)
    return made


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(handler):
    """The address of a server with the handler of http.server, or of the files of a folder."""
    if not isinstance(handler, type):
        handler = functools.partial(Quiet, directory=str(handler))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def without_proxies(environment):
    """What a child needs to reach this machine wherever a proxy is named."""
    return {name: value for name, value in environment.items() if not name.lower().endswith("_proxy")}


sys.dont_write_bytecode = True
