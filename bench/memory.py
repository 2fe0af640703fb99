# SPDX-License-Identifier: Apache-2.0
# What rpcspec takes while it runs, for the scripts beside this file.
import os
import pathlib

PAGE = os.sysconf("SC_PAGE_SIZE")


def resident(group, program):
    """MiB of the program and its workers, without targets."""
    name = f"({os.path.basename(program)[:15]})"
    pages = 0
    for folder in pathlib.Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            stat = (folder / "stat").read_text()
            if int(stat.rsplit(")", 1)[1].split()[2]) == group and name in stat:
                pages += int((folder / "statm").read_text().split()[1])
        except (OSError, ValueError):
            continue
    return pages * PAGE / 2**20
