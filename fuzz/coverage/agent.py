# SPDX-License-Identifier: Apache-2.0
"""Counts the lines a Python program executes in the map named by RPCSPEC_COVERAGE (README.md).

    python3 agent.py server.py ARGUMENT...

Python 3.12 and later are asked through sys.monitoring, older ones through sys.settrace. A line is a
place; the standard library is left out. Without the variable the program runs as if alone.
"""
import mmap
import os
import runpy
import struct
import sys
import sysconfig
import threading
import zlib

HEADER = struct.Struct("=8s7I")  # magic, version, header_size, counters, generation, used, edges, attached
MAGIC = b"RPCSCOV\0"


def find_map():
    """The file as memory, where its counters begin and how many they are; None when there is none."""
    path = os.environ.get("RPCSPEC_COVERAGE")
    if not path:
        return None
    try:
        with open(path, "r+b") as file:
            memory = mmap.mmap(file.fileno(), 0)
        magic, version, begin, count, generation, used, edges, attached = HEADER.unpack_from(memory)
    except (OSError, ValueError, struct.error):
        return None
    sound = magic == MAGIC and version == 1 and count and not count & (count - 1)
    if not sound or begin + count > len(memory):
        return None
    # Lines are hashed, so every counter may be written.
    HEADER.pack_into(memory, 0, magic, version, begin, count, generation, count, edges, attached + 1)
    return memory, begin, count


class Counters:
    def __init__(self, memory, begin, count):
        self.memory, self.begin, self.mask = memory, begin, count - 1
        self.left_out = tuple({os.path.realpath(sysconfig.get_path(name)) + os.sep
                               for name in ("stdlib", "platstdlib")})
        self.kept = tuple({os.path.realpath(sysconfig.get_path(name)) + os.sep
                           for name in ("purelib", "platlib")})
        self.own = os.path.realpath(__file__)
        self.first = {}  # code object: number its lines are counted from; None when left out
        self.tracers = {}

    def first_of(self, code):
        if code not in self.first:
            name = os.path.realpath(code.co_filename)
            foreign = code.co_filename.startswith("<frozen") or name == self.own
            foreign |= name.startswith(self.left_out) and not name.startswith(self.kept)
            self.first[code] = None if foreign else zlib.crc32(os.path.basename(name).encode())
        return self.first[code]

    def hit(self, first, line):
        at = self.begin + ((first + line * 0x9E3779B1) >> 7 & self.mask)
        value = self.memory[at]
        if value < 255:
            self.memory[at] = value + 1

    # sys.monitoring: called for each line; a place that says DISABLE is never asked about again.
    def monitored(self, code, line):
        first = self.first_of(code)
        if first is None:
            return sys.monitoring.DISABLE
        self.hit(first, line)
        return None

    # sys.settrace: called for each function, and says what is called for its lines.
    def traced(self, frame, event, _argument):
        code = frame.f_code
        if code not in self.tracers:
            first = self.first_of(code)

            def line_of(frame, event, _argument):
                if event == "line":
                    self.hit(first, frame.f_lineno)
                return line_of

            self.tracers[code] = None if first is None else line_of
        return self.tracers[code]


def watch(counters):
    monitoring = getattr(sys, "monitoring", None)
    if monitoring is None:
        threading.settrace(counters.traced)
        sys.settrace(counters.traced)
        return
    monitoring.use_tool_id(monitoring.COVERAGE_ID, "rpcspec")
    monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.LINE, counters.monitored)
    monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.LINE)


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: python3 agent.py PROGRAM.py ARGUMENT...")
    del sys.argv[0]
    sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
    found = find_map()
    if found:
        watch(Counters(*found))
    runpy.run_path(sys.argv[0], run_name="__main__")


main()
