# SPDX-License-Identifier: Apache-2.0
# Long tests take turns: each commit runs one of their parts, so that all run within a few commits.
import hashlib
import os
import subprocess
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def turn(parts):
    """A number below `parts`: of the commit, or of the day where there is none."""
    done = subprocess.run(["git", "-C", TOP, "rev-parse", "HEAD"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    text = done.stdout.strip() or time.strftime("%Y%m%d").encode()
    return int(hashlib.sha256(text).hexdigest(), 16) % parts


def is_turn(part, parts):
    """Whether the part runs; RPCSPEC_EVERY_TURN=1 runs all of them."""
    return os.environ.get("RPCSPEC_EVERY_TURN") == "1" or turn(parts) == part
