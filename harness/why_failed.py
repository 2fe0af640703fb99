#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Why tests failed, in a few lines each: whoever sees no more than the end of a log of CI sees the cause.
#
#   why_failed.py BUILD
import pathlib
import re
import sys

LINES = 4     # of one test
WIDTH = 240   # of a line

# How GoogleTest, Python and CTest itself begin the line that says it.
TELLING = re.compile(
    r"(FAIL|ERROR): .*|\w*(Error|Exception|Expired|Timeout\w*): .*|\w+Error$|.*: Failure$|\[  FAILED  \] \S+ .*|"
    r".*ERROR: (Address|Leak|Undefined)\w+: .*|Fatal Python error.*|.*(Segmentation fault|terminate called).*")


def sections(log):
    """{name: what CTest kept of a test}, of those that did not pass."""
    out = {}
    for part in re.split(r"^(?=\d+/\d+ Testing: )", log, flags=re.M)[1:]:
        name = re.match(r"\d+/\d+ Testing: (\S+)", part)[1]
        if not re.search(r"^Test (Passed|Skipped)\.$", part, re.M):
            out[name] = part
    return out


def telling(section):
    output = section.partition("<end of output>")[0]
    lines = [line.rstrip()[:WIDTH] for line in output.splitlines()]
    told = [line for line in lines if TELLING.match(line)]
    seconds = re.search(r"^Test time = +(\d+)", section, re.M)
    # The first says what, the last often more; without any the end of the output has to do.
    told = told[:LINES] or [line for line in lines if line][-LINES:]
    return told, seconds[1] if seconds else "?"


def main():
    temporary = pathlib.Path(sys.argv[1]) / "Testing/Temporary"
    failed = {line.split(":", 1)[1].strip()
              for line in (temporary / "LastTestsFailed.log").read_text().splitlines()}
    log = (temporary / "LastTest.log").read_text(encoding="utf-8", errors="replace")
    for name, section in sections(log).items():
        if name not in failed:
            continue
        told, seconds = telling(section)
        print(f"{name} failed after {seconds} s:")
        for line in told:
            print(f"    {line}")


if __name__ == "__main__":
    main()
