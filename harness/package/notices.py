#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says what a program with everything linked in contains besides our own code.

    notices.py VERSION LICENSES SBOM [ROOT]

LICENSES gets the copyright file of each Debian package that is linked in or whose headers are, SBOM
the same packages as SPDX 2.3. A package that is not installed is left out of both: then it was not
built from. Same packages, same bytes. With ROOT, which cross_root made, it is the packages there, and
of this system the library that its cross compiler brings.
"""
import json
import os
import subprocess
import sys

PACKAGES = ["libboost-filesystem1.81-dev", "libboost1.81-dev", "libcli11-dev", "libfmt-dev",
            "libpugixml-dev", "libre2-dev", "libssl-dev", "libstdc++-12-dev", "libyaml-cpp-dev",
            "rapidjson-dev"]


CROSS_LIBRARY = "libstdc++-12-dev-arm64-cross"


def installed(root):
    """[(package, version)] of those that are there."""
    def ask(admin, names):
        return subprocess.run(
            ["dpkg-query", f"--admindir={admin}", "-W",
             "-f=${db:Status-Status} ${Package} ${Version}\n", *names],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout

    listed = ask(f"{root}/var/lib/dpkg", PACKAGES)
    if root:
        listed += ask("/var/lib/dpkg", [CROSS_LIBRARY])
    rows = [line.split() for line in listed.splitlines()]
    return sorted({(row[1], row[2]) for row in rows if row[0] == "installed"})


def licences(packages, root):
    named = {}  # by text: several packages of one source have the same
    for package, version in packages:
        above = "" if package == CROSS_LIBRARY else root
        path = f"{above}/usr/share/doc/{package}/copyright"
        if os.path.exists(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                named.setdefault(file.read().strip(), []).append(f"{package} {version}")
    rule = "=" * 78
    texts = ["\n".join([rule, *names, rule, "", text, ""]) for text, names in named.items()]
    return ("rpcspec contains, or was built with, parts of these Debian packages. Each is under the\n"
            "licence that stands below its name.\n\n" + "\n".join(texts))


def sbom(version, packages):
    def package(name, number, reference):
        made = {"SPDXID": reference, "name": name, "versionInfo": number,
                "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
                "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION",
                "copyrightText": "NOASSERTION"}
        return made

    main = package("rpcspec", version, "SPDXRef-rpcspec")
    main["licenseConcluded"] = main["licenseDeclared"] = "Apache-2.0"
    parts = []
    for name, number in packages:
        part = package(name, number, "SPDXRef-" + name.replace("+", "-"))
        part["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                 "referenceLocator": f"pkg:deb/debian/{name}@{number}"}]
        parts.append(part)
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    made = subprocess.run(["date", "-u", "-d", f"@{seconds}", "+%Y-%m-%dT%H:%M:%SZ"],
                          stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"rpcspec-{version}",
            "documentNamespace": f"https://spdx.org/spdxdocs/rpcspec-{version}",
            "creationInfo": {"created": made, "creators": ["Tool: rpcspec-notices"]},
            "packages": [main, *parts],
            "relationships":
                [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                  "relatedSpdxElement": "SPDXRef-rpcspec"}] +
                [{"spdxElementId": "SPDXRef-rpcspec", "relationshipType": "CONTAINS",
                  "relatedSpdxElement": part["SPDXID"]} for part in parts]}


def main():
    version, licences_path, sbom_path = sys.argv[1:4]
    root = sys.argv[4] if len(sys.argv) > 4 else ""
    packages = installed(root)
    with open(licences_path, "w", encoding="utf-8") as file:
        file.write(licences(packages, root))
    with open(sbom_path, "w", encoding="utf-8") as file:
        json.dump(sbom(version, packages), file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
