#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# What people install, from the artefacts of make.py, in a root that holds nothing else: no compiler,
# no libraries but glibc. Needs root for chroot; the npm part needs npm. What is built for arm64 is run
# in an emulator, with the glibc of ROOT, which cross_root made.
#
#   package_test.py OUT REFERENCE_SERVER [ROOT]
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import image

OUT = pathlib.Path(sys.argv[1]).resolve()
SERVER = pathlib.Path(sys.argv[2]).resolve()
ROOT = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else None
# As Debian, the kernel, Node.js and readelf call the machine.
ARCHITECTURE, MACHINE, CPU, ELF = ("arm64", "aarch64", "arm64", "AArch64") if ROOT else \
    ("amd64", "x86_64", "x64", "Advanced Micro Devices X86-64")
QEMU = shutil.which("qemu-aarch64-static") if ROOT else None
# The libraries of glibc.
GLIBC = re.compile(
    r"lib(c|m|dl|rt|pthread|resolv)\.so\.\d+|ld-linux-x86-64\.so\.2|ld-linux-aarch64\.so\.1")
OLDEST = (2, 34)
os.environ["PATH"] += ":/usr/sbin:/sbin"  # chroot


def artefact(pattern):
    found = sorted(OUT.glob(pattern))
    assert len(found) == 1, f"{pattern}: {[path.name for path in OUT.iterdir()]}"
    return found[0]


def run(*words, code=0, **options):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.STDOUT, timeout=300, check=False, **options)
    assert done.returncode == code, f"{words}: exit {done.returncode}\n{done.stdout}"
    return done.stdout


def needed(program):
    return re.findall(r"NEEDED\s+(\S+)", run("objdump", "-p", program))


class PackageTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="rpcspec-package-"))
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)

    def clean_root(self):
        """A root with glibc, /dev/null and the reference server with the libraries it needs."""
        if os.geteuid() != 0:
            self.skipTest("chroot needs root")
        if ROOT:
            if not QEMU:
                self.skipTest("there is no emulator: qemu-user-static is not installed")
            shutil.copy(QEMU, self.place("/qemu"))
            for library in ("ld-linux-aarch64.so.1", "aarch64-linux-gnu/libc.so.6",
                            "aarch64-linux-gnu/libm.so.6"):
                shutil.copy(os.path.realpath(ROOT / "lib" / library), self.place(f"/lib/{library}"))
        else:
            for library in re.findall(r"(/\S+)", run("ldd", SERVER)):
                shutil.copy(os.path.realpath(library), self.place(library))
        shutil.copy(SERVER, self.place("/server"))
        for name in ("dev", "tmp", "proc"):
            (self.root / name).mkdir(exist_ok=True)
        run("mknod", self.root / "dev/null", "c", "1", "3")
        (self.root / "dev/null").chmod(0o666)

    def place(self, path):
        at = self.root / path.lstrip("/")
        at.parent.mkdir(parents=True, exist_ok=True)
        return at

    def judges(self, program):
        """The program, in its own root, judges a sound server and one that is not."""
        emulator = ["/qemu"] if ROOT else []
        alone = ["chroot", self.root, *emulator, program]
        self.assertIn("rpcspec ", run(*alone, "--version"))
        self.assertIn("jsonrpc/id/string-echo", run(*alone, "list", "cases"))
        words = [*alone, "run", "--profile", "jsonrpc-2.0", "--", *emulator, "/server", "--profile",
                 "jsonrpc-2.0"]
        self.assertIn("gate passed", run(*words))
        self.assertIn("gate failed", run(*words, "--fault", "id-zero-answered-null", code=1))

    def test_the_sums_are_those_of_the_files(self):
        listed = dict(reversed(line.split("  ")) for line in
                      (OUT / "SHA256SUMS").read_text().splitlines())
        self.assertEqual(set(listed), {path.name for path in OUT.iterdir()} - {"SHA256SUMS"})
        for name, total in listed.items():
            self.assertEqual(hashlib.sha256((OUT / name).read_bytes()).hexdigest(), total, name)

    def unpacked(self):
        with tarfile.open(artefact(f"rpcspec-*-linux-{MACHINE}.tar.gz")) as tar:
            tar.extractall(self.root)
        return next(self.root.glob("rpcspec-*"))

    def test_the_program_needs_nothing_but_an_old_glibc(self):
        program = self.unpacked() / "bin/rpcspec"
        self.assertLess(program.stat().st_size, 20e6)
        self.assertIn(ELF, run("readelf", "-h", program))
        for library in needed(program):
            self.assertRegex(library, f"^({GLIBC.pattern})$")
        versions = {tuple(map(int, found.split("."))) for found in
                    re.findall(r"GLIBC_(\d+(?:\.\d+)+)", run("objdump", "-T", program))}
        self.assertLessEqual(max(versions), OLDEST)

    def test_the_tarball_judges_in_a_root_without_anything(self):
        self.clean_root()
        folder = self.unpacked()
        self.judges(f"/{folder.name}/bin/rpcspec")
        for name in ("man/man1/rpcspec.1", "bash-completion/completions/rpcspec",
                     "doc/rpcspec/LICENSE", "doc/rpcspec/THIRD-PARTY-LICENSES.txt",
                     "doc/rpcspec/sbom.spdx.json", "doc/rpcspec/examples/CI.yml"):
            self.assertGreater((folder / "share" / name).stat().st_size, 100, name)

    def test_the_debian_package_judges_in_a_root_without_anything(self):
        self.clean_root()
        package = artefact(f"rpcspec_*_{ARCHITECTURE}.deb")
        self.assertEqual(run("dpkg-deb", "-f", package, "Depends").strip(), "libc6 (>= 2.34)")
        self.assertEqual(run("dpkg-deb", "-f", package, "Architecture").strip(), ARCHITECTURE)
        run("dpkg-deb", "-x", package, self.root)
        self.judges("/usr/bin/rpcspec")

    def test_the_bill_of_materials_names_what_is_linked_in(self):
        bill = json.loads((OUT / "sbom.spdx.json").read_text())
        names = {package["name"] for package in bill["packages"]}
        self.assertLessEqual({"rpcspec", "libssl-dev", "libyaml-cpp-dev", "libre2-dev", "libfmt-dev",
                              "libpugixml-dev", "libboost-filesystem1.81-dev"}, names)
        licences = (OUT / "THIRD-PARTY-LICENSES.txt").read_text()
        for name in names - {"rpcspec"}:
            self.assertIn(f"\n{name} ", licences)

    def test_the_steps_of_the_dockerfile_make_what_they_say(self):
        # No engine is needed for that: they run in a copy of this system that is thrown away.
        if ROOT or os.geteuid() != 0:
            self.skipTest("needs root, and the machine that the program is for")
        steps = image.steps()
        said = image.play(artefact(steps["ADD"].split()[0]), SERVER, ["id -un", "rpcspec help",
                          "rpcspec run --profile jsonrpc-2.0 -- /srv/target --profile jsonrpc-2.0"])
        if said is None:
            self.skipTest("no file system can be laid over another here")
        self.assertEqual((steps["ENTRYPOINT"], steps["CMD"]), ('["rpcspec"]', '["help"]'))
        for part in ("rpcspec 0.", f"\n{steps['USER']}\n", "Usage: rpcspec", "gate passed"):
            self.assertIn(part, said)

    def test_npm_packages_name_each_other(self):
        def described(path):
            with tarfile.open(path) as tar:
                tar.extractall(self.root / path.name)
            return json.loads((self.root / path.name / "package/package.json").read_text())

        platform = described(artefact(f"rpcspec-linux-{CPU}-*.tgz"))
        launcher = described(next(path for path in OUT.glob("rpcspec-[0-9]*.tgz")))
        self.assertEqual((platform["os"], platform["cpu"]), (["linux"], [CPU]))
        self.assertEqual(launcher["optionalDependencies"][platform["name"]], platform["version"])
        program = next(self.root.glob("rpcspec-linux-*/package/bin/rpcspec"))
        self.assertIn(ELF, run("readelf", "-h", program))
        self.assertTrue(os.access(program, os.X_OK))

    def test_npm_installs_it_and_npx_runs_it(self):
        if not shutil.which("npm"):
            self.skipTest("there is no npm")
        if ROOT:
            self.skipTest("npm installs no package of another machine")
        launcher = next(path for path in OUT.glob("rpcspec-[0-9]*.tgz"))
        # Its program is not looked up in a registry: it is installed from the file beside it.
        run("npm", "install", "--no-audit", "--no-fund", "--offline", "--prefix", self.root,
            artefact(f"rpcspec-linux-{CPU}-*.tgz"), launcher)
        npx = ["npx", "--no-install", "rpcspec"]
        self.assertIn("rpcspec ", run(*npx, "--version", cwd=self.root))
        words = [*npx, "run", "--profile", "jsonrpc-2.0", "--", str(SERVER), "--profile", "jsonrpc-2.0"]
        self.assertIn("gate passed", run(*words, cwd=self.root))
        run(*words, "--fault", "id-zero-answered-null", cwd=self.root, code=1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
