#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes what people install out of a build with everything linked in.

    make.py BUILD OUT [ARCHITECTURE ROOT]

OUT gets a tarball, a Debian package, two npm packages (the launcher, and the program for one
platform), the licences and the bill of materials that are in each of them, and SHA256SUMS. Times in
them are SOURCE_DATE_EPOCH, so two builds of one commit give the same bytes. ARCHITECTURE is amd64 or
arm64; what is built for another machine is asked for its version in an emulator, with the libraries
of ROOT.
"""
import gzip
import hashlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

import release

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])
# By Debian's name: as the kernel calls the machine, and Node.js.
MACHINES = {"amd64": ("x86_64", "x64"), "arm64": ("aarch64", "arm64")}


def tarball(path, folder, files):
    """{name in it: (bytes, mode)} as a .tar.gz that says nothing of this machine."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, (content, mode) in sorted(files.items()):
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size, entry.mode, entry.mtime = len(content), mode, EPOCH
            tar.addfile(entry, io.BytesIO(content))
    with open(path, "wb") as out, gzip.GzipFile("", "wb", 9, out, mtime=0) as file:
        file.write(packed.getvalue())


def installed(build, stage):
    """{path below the prefix: (bytes, mode)} of what `cmake --install` puts down, stripped."""
    shutil.rmtree(stage, ignore_errors=True)
    subprocess.run(["cmake", "--install", str(build), "--prefix", str(stage), "--strip"],
                   stdout=subprocess.DEVNULL, check=True)
    return {str(path.relative_to(stage)): (path.read_bytes(), 0o755 if os.access(path, os.X_OK) else 0o644)
            for path in stage.rglob("*") if path.is_file()}


def debian(build, out):
    subprocess.run(["cpack", "-G", "DEB", "-B", str(out)], cwd=build, stdout=subprocess.DEVNULL,
                   check=True)
    shutil.rmtree(out / "_CPack_Packages")


def npm(version, cpu, files, out):
    known = release.names()
    name = known["NPM_PACKAGE"]
    common = {"version": version, "license": "Apache-2.0",
              "description": "Tests JSON-RPC 2.0 and MCP servers against their specifications",
              # A registry takes provenance only from the repository that is named.
              "repository": {"type": "git", "url": f"git+https://github.com/{known['REPOSITORY']}.git"}}
    platform = {"name": f"{name}-linux-{cpu}", **common, "os": ["linux"], "cpu": [cpu],
                "libc": ["glibc"], "files": ["bin", "doc"]}
    every = {f"{name}-linux-{one}": version for _, one in MACHINES.values()}
    launcher = {"name": name, **common, "bin": {"rpcspec": "bin/rpcspec.js"},
                "engines": {"node": ">=18"}, "files": ["bin"],
                "optionalDependencies": every}
    package = lambda what: (json.dumps(what, indent=2).encode() + b"\n", 0o644)
    notices = {f"doc/{pathlib.Path(name).name}": file for name, file in files.items()
               if name.startswith("share/doc/rpcspec/") and "/examples/" not in name}
    tarball(out / f"rpcspec-linux-{cpu}-{version}.tgz", "package",
            {"package.json": package(platform), "bin/rpcspec": files["bin/rpcspec"], **notices})
    launch = release.filled((HERE / "npm/rpcspec.js").read_text(encoding="utf-8"))
    tarball(out / f"rpcspec-{version}.tgz", "package",
            {"package.json": package(launcher),
             "bin/rpcspec.js": (launch.encode(), 0o755),
             "README.md": ((TOP / "README.md").read_bytes(), 0o644),
             "LICENSE": ((TOP / "LICENSE").read_bytes(), 0o644)})


def main():
    build, out = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    architecture, root = sys.argv[3:] or ("amd64", "")
    machine, cpu = MACHINES[architecture]
    emulator = [f"qemu-{machine}-static", "-L", root] if root else []
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    stage = build / "stage"
    files = installed(build, stage)
    said = subprocess.run([*emulator, stage / "bin/rpcspec", "--version"], stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    version = said.split()[1]
    name = f"rpcspec-{version}-linux-{machine}"
    tarball(out / f"{name}.tar.gz", name, files)
    debian(build, out)
    npm(version, cpu, files, out)
    for notice in ("THIRD-PARTY-LICENSES.txt", "sbom.spdx.json"):
        (out / notice).write_bytes(files[f"share/doc/rpcspec/{notice}"][0])
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
            for path in sorted(out.iterdir())]
    (out / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    for path in sorted(out.iterdir()):
        print(f"{path.stat().st_size / 1e6:8.2f} MB  {path.name}")


if __name__ == "__main__":
    main()
