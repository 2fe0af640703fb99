#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# What the source tree as a whole keeps to: lengths of C++ files and functions, widths of Markdown,
# file maps of READMEs that are true, words that belong to one place. Exceptions stand in the lists
# below, each with its reason; one that is needed no longer fails the test, so that lists only shrink.
#
#   tree_test.py [TEST...]
import fnmatch
import functools
import os
import re
import unittest

import yaml

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

FILE_LINES = 650
FUNCTION_LINES = 100
ROOM_LINES = 4500  # of C++ without tests, in each folder that a run is made of
ROOMS = ["results", "causes", "contact", "play", "run"]
PROSE_WIDTH = 100
CELL_WIDTH = 120

LONG_FILES = {
    "harness/causes/cause_table.cc": "a table: a row a cause",
}
LONG_FUNCTIONS = {}
WIDE_MARKDOWN = {}

# (what, regular expression, where, in at most so many files): words that belong to few places.
# `where` is a list of globs; those that begin with ! are left out.
CPP = ["*.cc", "*.h"]
NO_TESTS = ["!*_test.cc", "!harness/reference/*"]
WORDS = [
    # TAP has a directive of that name.
    ("a TODO", r"\b(TODO|FIXME|XXX)\b",
     CPP + ["*.py", "dev", "bench/*", "!harness/tree_test.py", "!reports/tap*"], 0),
    # Asio is headers alone: that it is included shows in no link.
    ("asio, a session or a transport", r'#include [<"](boost/asio|harness/(session|transport)/)',
     ["harness/results/*.cc", "harness/results/*.h", "harness/causes/*.cc", "harness/causes/*.h"], 0),
    # A build with RPCSPEC_PORTABLE has none of it; CMakeLists.txt has the rule.
    ("what only Linux has", r"<(linux/|sys/(prctl|syscall|signalfd|eventfd|timerfd|epoll|random|inotify)\.h>)"
                            r"|\b(pipe2|accept4|memfd_create|prctl|signalfd|epoll_\w+|eventfd|pidfd_\w+|getrandom)\("
                            r"|SOCK_(CLOEXEC|NONBLOCK|SEQPACKET)|AF_NETLINK|SO_PEERCRED|\"/proc\b",
     ["harness/*.cc", "harness/*.h", "fuzz/*.cc", "fuzz/*.h", "reports/*.cc", "reports/*.h", "!*_linux.cc", "!*_test.cc",
      "!fuzz/targets/*", "!fuzz/mutate/meaning_table.h"], 0),
    ("a question which system it is", r"#\s*(el)?if.*\b(__linux__|__APPLE__|RPCSPEC_PORTABLE)\b",
     ["harness/*.cc", "harness/*.h", "fuzz/*.cc", "fuzz/*.h", "reports/*.cc", "reports/*.h"], 0),
    ("the letters of a locale", r"std::to(lower|upper)\(", CPP + ["!harness/base/ascii_test.cc"], 0),
]


@functools.cache
def all_files():
    names = []
    for folder, folders, files in os.walk(TOP):
        folders[:] = [name for name in folders if not name.startswith((".", "build", "__pycache__"))]
        names += [os.path.relpath(os.path.join(folder, name), TOP) for name in files]
    return names


@functools.cache
def tracked(*globs):
    """The files of the tree that match, and match no glob that begins with !."""
    names = all_files()
    wanted = [glob for glob in globs if not glob.startswith("!")]
    unwanted = [glob[1:] for glob in globs if glob.startswith("!")]
    return sorted(name for name in names
                  if any(fnmatch.fnmatch(name, glob) for glob in wanted)
                  and not any(fnmatch.fnmatch(name, glob) for glob in unwanted))


def read(name):
    with open(os.path.join(TOP, name), encoding="utf-8") as file:
        return file.read()


BLANKED = re.compile(r'''//[^\n]* | /\*.*?\*/ | R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"
                         | "(?:\\.|[^"\\\n])*" | (?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+' ''',
                     re.DOTALL | re.VERBOSE)


def blanked(text):
    """C++ without comments and literals; lines stay where they are."""
    return BLANKED.sub(lambda found: ("" if found[0][0] == "/" else '""')
                       + "\n" * found[0].count("\n"), text)


SCOPE = re.compile(r"(inline |export |template <[^{]*> )*(namespace|class|struct|union|enum|extern)\b",
                   re.DOTALL)
# Up to the brace of `B() : a_{1}`, whose body comes later.
INITIALIZER = re.compile(r"\)\s*(noexcept\s*)?:\s[^;]*[\w>]$", re.DOTALL)


def functions(text):
    """(name, first line, lines) of the functions that are defined in C++ text."""
    text = re.sub(r"(?m)^ *#.*(?:\\\n.*)*$", lambda found: "\n" * found[0].count("\n"), blanked(text))
    line, begin, blocks = 1, 0, []  # blocks: (kind, name, first line, where its head begins)
    for at, char in enumerate(text):
        if char == "\n":
            line += 1
        elif char == "{":
            head = text[begin:at].strip()
            nested = any(kind != "scope" for kind, *_ in blocks)
            kind = ("other" if nested else "scope" if SCOPE.match(head) else
                    "initializer" if INITIALIZER.search(head) else
                    "function" if ")" in head and not head.endswith("=") else "other")
            name = re.search(r"([~\w:]+|operator\S+)\s*\(", head)
            first = line - text[begin:at].lstrip().count("\n")
            blocks.append((kind, name[1] if name else "?", first, begin))
            begin = at + 1
        elif char == "}" and blocks:
            kind, name, first, head = blocks.pop()
            if kind == "function":
                yield name, first, line - first + 1
            begin = head if kind == "initializer" else at + 1
        elif char == ";" and not (blocks and blocks[-1][0] == "initializer"):
            begin = at + 1


def paragraphs(text):
    """(number, line, is a table row) of Markdown outside code blocks."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line, line.lstrip().startswith("|")


def cells(row):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip())[1:-1]]


def too_wide(text):
    for number, line, is_row in paragraphs(text):
        if is_row:
            widest = max(map(len, cells(line)), default=0)
            if widest > CELL_WIDTH:
                yield f"{number}: a cell of {widest} characters"
        # An address cannot be broken.
        elif len(line) > PROSE_WIDTH and not re.fullmatch(r"\S*\s*\S*https?://\S+", line):
            yield f"{number}: {len(line)} characters"


def mapped_files(text):
    """What the first column of tables headed "file" names in backticks."""
    in_map = False
    previous_was_row = False
    for _, line, is_row in paragraphs(text):
        if is_row and not previous_was_row:
            in_map = cells(line)[0] in ("file", "files", "folder", "module")
        elif is_row and in_map:
            yield from re.findall(r"`([^`]+)`", cells(line)[0])
        previous_was_row = is_row


def expanded(name):
    """a{b,c}d as [abd, acd]."""
    braces = re.search(r"\{([^}]*)\}", name)
    if not braces:
        return [name]
    return [one for part in braces[1].split(",")
            for one in expanded(name[:braces.start()] + part + name[braces.end():])]


class TreeTest(unittest.TestCase):
    def excepted(self, found, exceptions, remedy):
        """`found` is {name: what is wrong}; nothing but exceptions may be in it, and all of them."""
        for name, wrong in found.items():
            self.assertIn(name, exceptions, f"{name}: {wrong}; {remedy}")
        for name in exceptions:
            self.assertIn(name, found, f"{name} needs no exception any more: delete its line")

    def test_no_cpp_file_is_long(self):
        lines = {name: read(name).count("\n") for name in tracked(*CPP)}
        self.assertGreater(len(lines), 300)
        self.excepted({name: f"{count} lines" for name, count in lines.items() if count > FILE_LINES},
                      LONG_FILES, "a file is about one noun: split it")

    def test_no_room_of_a_run_is_large(self):
        for room in ROOMS:
            names = tracked(f"harness/{room}/*.cc", f"harness/{room}/*.h", "!*_test.cc", "!*testing.h")
            self.assertGreater(len(names), 5)
            self.assertLessEqual(sum(read(name).count("\n") for name in names), ROOM_LINES, room)

    def test_no_function_is_long(self):
        found, count = {}, 0
        for name in tracked(*CPP, "!*_test.cc"):  # a test may hold a long table
            for function, first, lines in functions(read(name)):
                count += 1
                if lines > FUNCTION_LINES:
                    found[f"{name} {function}"] = f"{lines} lines from line {first}"
        self.assertGreater(count, 3000)
        self.excepted(found, LONG_FUNCTIONS, "name its parts")

    def test_functions_are_told_from_other_blocks(self):
        text = """namespace a {
struct B : C<int()> {
  B() : c_{1} {
    if (x) { y(); }
  }
  int c_ = 0;
};
// f() {
const char* const kText = R"x(void g() { )x";
std::vector<int> kRows = {f(1), {2}};
template <class T>
int long_name(
    T t) {
  return [&] {
    return '{';
  }();
}
}  // namespace a
"""
        self.assertEqual(list(functions(text)), [("B", 3, 3), ("long_name", 11, 7)])

    def test_markdown_is_as_wide_as_a_screen(self):
        found = {}
        # What the fuzzer wrote about a finding is kept as it wrote it.
        for name in tracked("*.md", "!corpus/servers/*/findings/*/README.md"):
            wide = list(too_wide(read(name)))
            if wide:
                found[name] = f"line {wide[0]}" + (f", and {len(wide) - 1} more" if wide[1:] else "")
        self.excepted(found, WIDE_MARKDOWN, f"wrap at {PROSE_WIDTH} columns, table cells at "
                      f"{CELL_WIDTH}; longer text goes below the table")

    def test_width_counts_prose_and_cells_only(self):
        wide = "x" * 101
        cell = "y" * 121
        self.assertEqual(list(too_wide(f"ok\n{wide}\n```\n{wide}\n```\n| a | {cell} |\n| {wide} |\n")),
                         ["2: 101 characters", "6: a cell of 121 characters"])
        self.assertEqual(list(too_wide("[a]: https://example.org/" + wide)), [])

    def test_file_maps_name_what_is_there(self):
        names = 0
        for readme in tracked("*.md"):
            folder = os.path.dirname(readme)
            for name in mapped_files(read(readme)):
                for one in expanded(name):
                    names += 1
                    path = os.path.normpath(os.path.join(folder, one))
                    there = tracked(path, path + "/*", path + ".*")  # also without its ending
                    self.assertTrue(there, f"{readme}: the map names {name}, which is not there")
        self.assertGreater(names, 100)

    def test_words_stay_where_they_belong(self):
        for what, pattern, where, most in WORDS:
            with self.subTest(what):
                files = tracked(*where)
                self.assertTrue(files, "nothing is looked at")
                found = [name for name in files if re.search(pattern, read(name))]
                self.assertLessEqual(len(found), most, f"{what} in {', '.join(found)}")

    def test_packages_are_sorted(self):
        listed = re.search(r"(?s)^packages=\(\n(.*?)\n\)", read("dev"), re.M)[1].split()
        self.assertEqual(listed, sorted(set(listed)))

    def test_results_of_measurements_are_tables(self):
        names = tracked("bench/results/*.yaml")
        self.assertTrue(names)
        for name in names:
            dates = []
            for run in yaml.safe_load(read(name)):
                about = f"{name}, {run.get('date')}"
                self.assertLessEqual({"date", "commit", "command", "machine", "columns", "rows"},
                                     set(run), about)
                self.assertLessEqual(set(run), {"date", "commit", "command", "machine", "columns",
                                                "rows", "note"}, about)
                self.assertRegex(str(run["commit"]), r"^[0-9a-f]{7,}$", about)
                dates.append(str(run["date"]))
                for row in run["rows"]:
                    self.assertEqual(len(row), len(run["columns"]), f"{about}: {row}")
            self.assertEqual(dates, sorted(dates, reverse=True), f"{name}: newest first")


if __name__ == "__main__":
    unittest.main(verbosity=2)
