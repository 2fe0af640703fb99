#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes cmake/rpcspec_areas.cmake: which areas of the suite apply under a profile, by how the server
is reached. CMake has to know them before there is a program to ask.

    areas.py RPCSPEC            cpp_test.py says when it has to be done
"""
import json
import os
import subprocess
import sys
import textwrap

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cmake", "rpcspec_areas.cmake")
# By how a server is reached; rpcspec_functions.cmake knows which scheme is which.
TRANSPORTS = {"stdio": "stdio", "socket": "tcp", "http": "http", "websocket": "websocket", "any": None}


def listed(rpcspec, *words):
    return [one["id"] for one in json.loads(subprocess.run(
        [rpcspec, "list", *words, "--format", "json"], stdout=subprocess.PIPE, check=True).stdout)]


def text(rpcspec):
    profiles = listed(rpcspec, "profiles")
    lines = ["# SPDX-License-Identifier: Apache-2.0",
             "# Written by areas.py: the areas of the suite that apply under a profile, by how a server is reached.",
             f"set(rpcspec_profiles {' '.join(profiles)})"]
    for profile in profiles:
        for way, transport in TRANSPORTS.items():
            over = ["--transport", transport] if transport else []
            cases = listed(rpcspec, "cases", "--profile", profile, *over)
            areas = sorted({"/".join(case.split("/")[:2]) for case in cases})
            lines += textwrap.wrap(f"set(rpcspec_areas_{profile}_{way} {' '.join(areas)})", 110,
                                   subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    with open(FILE, "w", encoding="utf-8") as out:
        out.write(text(sys.argv[1]))
