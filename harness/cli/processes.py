# SPDX-License-Identifier: Apache-2.0
"""What tests of the command need to know of the processes it started."""
import os
import time


def marked(mark, seconds=5):
    """The processes whose environment holds `mark`, given some time to be gone."""
    until = time.monotonic() + seconds
    while True:
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    if mark.encode() in file.read():
                        found.append(int(pid))
            except OSError:
                continue
        if not found or time.monotonic() > until:
            return found
        time.sleep(0.05)
