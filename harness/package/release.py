#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a release needs besides packages; RELEASING.md says when each is run.

    release.py prepare VERSION [DATE]  writes the version into the pages, the build and CHANGELOG.md
    release.py check [TAG]             prints the version of TAG, when the tree is of that version;
                                       without a tag what the tree says
    release.py notes VERSION           prints what CHANGELOG.md says of it, for the release
    release.py gather OUT FROM...      puts together what `./dev package` made for each architecture:
                                       OUT/assets for the release, OUT/npm for the registry
    release.py owner ACCOUNT           puts the owner into names.env and the pages
"""
import datetime
import hashlib
import pathlib
import re
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
NAMES = "harness/package/names.env"
# What people copy from names the owner, and a version to copy.
PAGES = ["CI.comment.yml", "CI.gitlab.yml", "CI.yml", "README.md", "RELEASING.md", "action.yml", "docs/gate.md",
         "docs/skill/SKILL.md", "fuzz/machines/clusterfuzzlite/Dockerfile",
         "fuzz/machines/github.yml", "fuzz/machines/kubernetes.yaml", "fuzz/oss-fuzz/project.yaml",
         "harness/package/README.md"]
VERSION = r"\d+\.\d+\.\d+"
COPIED = re.compile(rf"(rpcspec@v?|\brev: v|RPCSPEC_VERSION=)({VERSION})\b")
BUILD = re.compile(rf"(?m)^(project\(rpcspec VERSION )({VERSION})\b")
HEADING = re.compile(rf"(?m)^## ({VERSION}), (.*)$")
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


class Wrong(Exception):
    """One sentence for whoever releases."""


def read(name):
    return (TOP / name).read_text(encoding="utf-8")


def write(name, text):
    (TOP / name).write_text(text, encoding="utf-8")


def names():
    """What names.env says."""
    return dict(line.split("=", 1) for line in read(NAMES).splitlines()
                if line and not line.startswith("#"))


def filled(text, **more):
    """The text with what stands between @ and @."""
    known = {**names(), **more}
    return re.sub(r"@(\w+)@", lambda found: known[found[1]], text)


def section(version):
    """(when, text) of the version in CHANGELOG.md."""
    parts = HEADING.split(read("CHANGELOG.md"))
    for number, when, text in zip(parts[1::3], parts[2::3], parts[3::3]):
        if number == version:
            return when, text.strip()
    raise Wrong(f"CHANGELOG.md has no section {version}")


def said():
    """[(file, version)] of everything in the tree that says one."""
    found = [("CMakeLists.txt", BUILD.search(read("CMakeLists.txt"))[2])]
    for page in PAGES:
        found += [(page, version) for _, version in COPIED.findall(read(page))]
    return found


def check(tag):
    """The version of the tag."""
    version = tag.removeprefix("v")
    if tag == version or not re.fullmatch(VERSION, version):
        raise Wrong(f"{tag!r} is no tag of a release: v1.2.3 is one")
    when, text = section(version)
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", when):
        raise Wrong(f"CHANGELOG.md says of {version}: {when}; `release.py prepare {version}` dates it")
    if not text:
        raise Wrong(f"CHANGELOG.md says nothing of {version}")
    others = sorted({f"{file} ({one})" for file, one in said() if one != version})
    if others:
        raise Wrong(f"{tag} is not what {', '.join(others)} says: `release.py prepare {version}` "
                    "writes it, then tag that commit")
    return version


def prepare(version, date=None):
    if not re.fullmatch(VERSION, version):
        raise Wrong(f"{version!r} is no version: 1.2.3 is one")
    date = date or datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    text = read("CHANGELOG.md")
    first = HEADING.search(text)
    if not first or (first[1] != version and first[2] != "not released"):
        raise Wrong(f"CHANGELOG.md does not begin with what is not released: nothing to call {version}")
    write("CHANGELOG.md", text[:first.start()] + f"## {version}, {date}" + text[first.end():])
    write("CMakeLists.txt", BUILD.sub(rf"\g<1>{version}", read("CMakeLists.txt")))
    for page in PAGES:
        write(page, COPIED.sub(rf"\g<1>{version}", read(page)))


def owner(account):
    if not re.fullmatch(r"[A-Za-z0-9](-?[A-Za-z0-9])*", account):
        raise Wrong(f"{account!r} is no name of an account")
    now = names()["REPOSITORY"].split("/")[0]
    # By the whole word, and in an address of pages.
    there = re.compile(rf"(?<![\w.-]){re.escape(now)}(?=/|\.github\.io)")
    for name in [NAMES, *PAGES]:
        write(name, there.sub(account, read(name)))


def gather(out, folders):
    out = pathlib.Path(out)
    shutil.rmtree(out, ignore_errors=True)
    assets, npm = out / "assets", out / "npm"
    assets.mkdir(parents=True)
    npm.mkdir()
    sums, versions = {}, set()
    for folder in map(pathlib.Path, folders):
        (archive,) = folder.glob("rpcspec-*-linux-*.tar.gz")
        version, machine = re.fullmatch(rf"rpcspec-({VERSION})-linux-(\w+)\.tar\.gz", archive.name).groups()
        versions.add(version)
        architecture = ARCHITECTURES[machine]
        sums[f"SUM_{machine}"] = hashlib.sha256(archive.read_bytes()).hexdigest()
        shutil.copy(archive, assets)
        (package,) = folder.glob("rpcspec_*.deb")
        shutil.copy(package, assets)
        shutil.copy(folder / "sbom.spdx.json", assets / f"sbom-{architecture}.spdx.json")
        shutil.copy(folder / "THIRD-PARTY-LICENSES.txt", assets / f"THIRD-PARTY-LICENSES-{architecture}.txt")
        for package in folder.glob("*.tgz"):
            twin = npm / package.name
            if twin.exists() and twin.read_bytes() != package.read_bytes():
                raise Wrong(f"{package.name} of {folder} is not that of the other architecture")
            shutil.copy(package, npm)
    if len(versions) != 1:
        raise Wrong(f"packages of several versions: {', '.join(sorted(versions))}")
    missing = {f"SUM_{machine}" for machine in ARCHITECTURES} - set(sums)
    if missing:
        raise Wrong(f"no packages of {', '.join(sorted(one.removeprefix('SUM_') for one in missing))}")
    (version,) = versions
    for name in ("install.sh", "rpcspec.rb"):
        text = filled((HERE / name).read_text(encoding="utf-8"), VERSION=version, **sums)
        (assets / name).write_text(text, encoding="utf-8")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
             for path in sorted(assets.iterdir())]
    (assets / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


def main():
    words = sys.argv[1:]
    try:
        match words:
            case ["prepare", version, *date] if len(date) < 2:
                prepare(version, *date)
            case ["check"]:
                print(said()[0][1])
            case ["check", tag]:
                print(check(tag))
            case ["notes", version]:
                print(section(version)[1])
            case ["gather", out, *folders] if folders:
                gather(out, folders)
            case ["owner", account]:
                owner(account)
            case _:
                sys.exit(__doc__)
    except Wrong as wrong:
        sys.exit(f"release.py: {wrong}")


if __name__ == "__main__":
    main()
