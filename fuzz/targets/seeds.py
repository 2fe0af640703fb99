#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Writes the inputs in a file of many (corpus/seeds-readers, harness/reference/planted.scripts) as programs
# read them, a file each in a folder.
#
#   seeds.py FILE FOLDER
#
# Each input stands behind a line `== name`, up to the next. In it \r, \t, \\ and \xff are a byte each,
# \{300*ab\} is "ab" 300 times, and \ at the end of a line takes the end away.
import pathlib
import re
import sys

ESCAPE = re.compile(rb"\\(?:x([0-9a-f]{2})|\{(\d+)\*(.*?)\\\}|([\\rt\n]))", re.S)
PLAIN = {b"\\": b"\\", b"r": b"\r", b"t": b"\t", b"\n": b""}


def read(text):
    def byte_or_bytes(found):
        code, count, unit, plain = found.groups()
        if code:
            return bytes.fromhex(code.decode())
        return int(count) * read(unit) if count else PLAIN[plain]

    return ESCAPE.sub(byte_or_bytes, text)


def main(file, folder):
    parts = re.split(rb"^== (.*)\n", pathlib.Path(file).read_bytes(), flags=re.M)
    if parts[0] or len(parts) < 3:
        sys.exit(f"{file}: it begins with no `== name`")
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    for name, text in zip(parts[1::2], parts[2::2]):
        pathlib.Path(folder, name.decode()).write_bytes(read(text))


main(*sys.argv[1:])
