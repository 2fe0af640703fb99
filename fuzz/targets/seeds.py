#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Writes the inputs in a file of corpus/seeds-readers as engines read them, a file each in a folder.
#
#   seeds.py FILE FOLDER
#
# Each input stands behind a line `== name`, up to the next. In it \r, \t, \\ and \xff are a byte each,
# \{300*a} is 300 of them, and \ at the end of a line takes the end away.
import pathlib
import re
import sys

ESCAPE = re.compile(rb"\\(?:x([0-9a-f]{2})|\{(\d+)\*(.)\}|([\\rt\n]))")
PLAIN = {b"\\": b"\\", b"r": b"\r", b"t": b"\t", b"\n": b""}


def read(found):
    code, count, byte, plain = found.groups()
    if code:
        return bytes.fromhex(code.decode())
    return int(count) * byte if count else PLAIN[plain]


def main(file, folder):
    parts = re.split(rb"^== (.*)\n", pathlib.Path(file).read_bytes(), flags=re.M)
    if parts[0] or len(parts) < 3:
        sys.exit(f"{file}: it begins with no `== name`")
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    for name, text in zip(parts[1::2], parts[2::2]):
        pathlib.Path(folder, name.decode()).write_bytes(ESCAPE.sub(read, text))


main(*sys.argv[1:])
