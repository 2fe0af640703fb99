# SPDX-License-Identifier: Apache-2.0
# What rpcspec takes while it runs, for the scripts beside this file.
import os
import pathlib
import re


def resident(group, program):
    """MiB of the program and its workers, without targets.

    What several share counts once: a child that was just forked to start a target shares all it has."""
    name = f"({os.path.basename(program)[:15]})"
    kib = 0
    for folder in pathlib.Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            stat = (folder / "stat").read_text()
            if int(stat.rsplit(")", 1)[1].split()[2]) == group and name in stat:
                kib += int(re.search(r"^Pss:\s+(\d+) kB", (folder / "smaps_rollup").read_text(), re.MULTILINE)[1])
        except (OSError, TypeError, ValueError):  # it has ended
            continue
    return kib / 2**10
