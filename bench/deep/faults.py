# SPDX-License-Identifier: Apache-2.0
"""Deep faults of server.py: what a server does wrong at one boundary only.

They were chosen before the fuzzer was tuned for any of them. Each is of a kind that is known from
real servers: a name or URI that is passed on to something with a syntax of its own, a number that
is kept in a machine type, a text that is cut by bytes, a table of a fixed size, an operation that
is undone before it was done, a member that is used before its type is looked at.

A row: name, kind, what the server does then, and whether a message is such a one. `seen` is what
the server remembers of its session.
"""
import re

REVISION = "2025-06-18"


def params(message):
    value = message.get("params")
    return value if isinstance(value, dict) else {}


def arguments(message):
    value = params(message).get("arguments")
    return value if isinstance(value, dict) else {}


def strings(value):
    """Every text inside of a value, on any level."""
    todo = [value]
    while todo:
        one = todo.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            todo.extend(one.values())
        elif isinstance(one, list):
            todo.extend(one)


def keys(value):
    todo = [value]
    while todo:
        one = todo.pop()
        if isinstance(one, dict):
            yield from one
            todo.extend(one.values())
        elif isinstance(one, list):
            todo.extend(one)


def text(message, name):
    value = params(message).get(name)
    return value if isinstance(value, str) else None


def whole_numbers(message):
    for value in arguments(message).values():
        if isinstance(value, int) and not isinstance(value, bool):
            yield value


def called(method):
    return lambda test: lambda m, seen: m.get("method") == method and bool(test(m, seen))


def named(method, member, test):
    """The test of a text that is this member of params."""
    def check(m, seen):
        if m.get("method") != method:
            return False
        value = text(m, member)
        return value is not None and bool(test(value))
    return check


def in_arguments(method, test):
    return lambda m, seen: m.get("method") == method and any(map(test, strings(arguments(m))))


def wrong_kind(method, member, kinds, holder=params):
    """The member is there and is none of these kinds."""
    def check(m, seen):
        if m.get("method") != method:
            return False
        inside = holder(m)
        return member in inside and not isinstance(inside[member], kinds)
    return check


def number(test):
    return lambda m, seen: m.get("method") == "tools/call" and any(map(test, whole_numbers(m)))


def cut_at(size):
    """A character of several bytes lies across this many."""
    def check(value):
        data = value.encode("utf-8", "surrogatepass")
        return len(data) > size and (data[size] & 0xC0) == 0x80
    return check


BAD_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
TOOLS = ("echo", "add", "set_mode")
URIS = ("deep://notes/a", "deep://notes/b")
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
MODES = ("fast", "slow", "off")

ROWS = [
    # percent signs and encodings in names
    ("tool-name-bad-percent", "names", "dies", named("tools/call", "name", BAD_PERCENT.search)),
    ("tool-name-nul", "names", "silent", named("tools/call", "name", lambda t: "\0" in t)),
    ("tool-name-blank", "names", "dies", named("tools/call", "name", lambda t: not t.strip())),
    ("tool-name-other-case", "names", "silent",
     named("tools/call", "name", lambda t: t not in TOOLS and t.lower() in TOOLS)),
    ("tool-name-blank-behind", "names", "silent",
     named("tools/call", "name", lambda t: t not in TOOLS and t.strip() in TOOLS)),
    ("tool-name-slash", "names", "dies", named("tools/call", "name", lambda t: "/" in t)),
    ("prompt-name-encoded", "names", "other-id",
     named("prompts/get", "name", lambda t: re.search(r"%[0-9A-Fa-f]{2}", t))),
    ("prompt-name-dot-dot", "names", "dies", named("prompts/get", "name", lambda t: ".." in t)),
    # slashes and dots in URIs
    ("uri-slash-twice", "uris", "dies",
     named("resources/read", "uri", lambda t: "//" in t.partition("://")[2])),
    ("uri-dot-dot", "uris", "no-id", named("resources/read", "uri", lambda t: "/../" in t)),
    ("uri-slash-behind", "uris", "silent",
     named("resources/read", "uri", lambda t: t[:-1] in URIS and t.endswith("/"))),
    ("uri-bad-percent", "uris", "dies", named("resources/read", "uri", BAD_PERCENT.search)),
    ("uri-no-scheme", "uris", "dies", named("resources/read", "uri", lambda t: ":" not in t)),
    ("uri-nothing-behind-scheme", "uris", "silent",
     named("resources/read", "uri", lambda t: t.endswith("://"))),
    ("uri-fragment", "uris", "other-id", named("resources/subscribe", "uri", lambda t: "#" in t)),
    ("uri-other-case", "uris", "dies",
     named("resources/read", "uri", lambda t: t not in URIS and t.lower() in URIS)),
    # braces and formats in prompt arguments
    ("prompt-argument-open-brace", "formats", "dies",
     in_arguments("prompts/get", lambda t: t.count("{") != t.count("}"))),
    ("prompt-argument-percent", "formats", "dies",
     in_arguments("prompts/get", lambda t: re.search(r"%[snxd]", t))),
    ("prompt-argument-numbered-brace", "formats", "silent",
     in_arguments("prompts/get", lambda t: re.search(r"\{\d+\}", t))),
    ("prompt-argument-empty", "formats", "silent", in_arguments("prompts/get", lambda t: t == "")),
    ("prompt-argument-newline", "formats", "other-id",
     in_arguments("prompts/get", lambda t: "\n" in t)),
    # dollars and dots in keys
    ("key-dollar", "keys", "dies",
     called("tools/call")(lambda m, s: any(k.startswith("$") for k in keys(arguments(m))))),
    ("key-dot", "keys", "silent",
     called("tools/call")(lambda m, s: any("." in k for k in keys(arguments(m))))),
    ("key-empty", "keys", "dies", called("tools/call")(lambda m, s: "" in keys(arguments(m)))),
    ("prompt-key-proto", "keys", "dies",
     called("prompts/get")(lambda m, s: "__proto__" in keys(arguments(m)))),
    # integers
    ("integer-2-31", "numbers", "dies", number(lambda n: n == 2**31)),
    ("integer-below-32-bits", "numbers", "silent", number(lambda n: n == -(2**31) - 1)),
    ("integer-2-53", "numbers", "other-id", number(lambda n: n == 2**53 + 1)),
    ("integer-2-63", "numbers", "dies", number(lambda n: n == 2**63)),
    ("integer-below-64-bits", "numbers", "silent", number(lambda n: n < -(2**63))),
    ("integer-65536", "numbers", "dies", number(lambda n: n == 65536)),
    ("id-many-digits", "ids", "other-id",
     lambda m, s: isinstance(m.get("id"), int) and abs(m["id"]) >= 10**17),
    ("id-digits-as-text", "ids", "no-id",
     lambda m, s: isinstance(m.get("id"), str) and m["id"].isdigit() and len(m["id"]) > 1),
    ("id-negative", "ids", "silent", lambda m, s: isinstance(m.get("id"), int) and m["id"] < 0),
    # texts around a power of two
    ("text-across-64", "lengths", "dies", in_arguments("tools/call", cut_at(64))),
    ("text-across-256", "lengths", "dies", in_arguments("tools/call", cut_at(256))),
    ("text-across-1024", "lengths", "silent", in_arguments("tools/call", cut_at(1024))),
    ("prompt-text-across-4096", "lengths", "dies", in_arguments("prompts/get", cut_at(4096))),
    ("text-of-256", "lengths", "dies", in_arguments("tools/call", lambda t: len(t) == 256)),
    ("text-of-4095", "lengths", "silent", in_arguments("tools/call", lambda t: len(t) == 4095)),
    ("uri-across-128", "lengths", "dies", named("resources/read", "uri", cut_at(128))),
    ("name-over-255", "lengths", "dies", named("tools/call", "name", lambda t: len(t) > 255)),
    ("cursor-over-1024", "lengths", "silent",
     named("tools/list", "cursor", lambda t: len(t) > 1024)),
    # enumerations
    ("enum-empty", "enums", "dies",
     called("tools/call")(lambda m, s: arguments(m).get("mode") == "")),
    ("enum-other-case", "enums", "silent", called("tools/call")(
        lambda m, s: isinstance(arguments(m).get("mode"), str)
        and arguments(m)["mode"] not in MODES and arguments(m)["mode"].lower() in MODES)),
    ("enum-blank-behind", "enums", "dies", called("tools/call")(
        lambda m, s: isinstance(arguments(m).get("mode"), str)
        and arguments(m)["mode"] not in MODES and arguments(m)["mode"].strip() in MODES)),
    ("enum-twice", "enums", "silent", called("tools/call")(
        lambda m, s: arguments(m).get("mode") in [mode + mode for mode in MODES])),
    ("level-other-case", "enums", "dies", named(
        "logging/setLevel", "level", lambda t: t not in LEVELS and t.lower() in LEVELS)),
    ("level-nearly", "enums", "silent", named(
        "logging/setLevel", "level",
        lambda t: t not in LEVELS and any(t and t[:-1] == w[:-1] for w in LEVELS))),
    # many times
    ("subscriptions-33", "many", "dies",
     called("resources/subscribe")(lambda m, s: s["resources/subscribe"] >= 33)),
    ("subscriptions-100", "many", "silent",
     called("resources/subscribe")(lambda m, s: s["resources/subscribe"] >= 100)),
    ("context-entries-33", "many", "dies", called("completion/complete")(
        lambda m, s: isinstance(params(m).get("context"), dict)
        and isinstance(params(m)["context"].get("arguments"), dict)
        and len(params(m)["context"]["arguments"]) >= 33)),
    ("arguments-100", "many", "dies",
     called("tools/call")(lambda m, s: len(arguments(m)) >= 100)),
    ("cancelled-twice", "many", "dies", called("notifications/cancelled")(
        lambda m, s: s["cancelled"].count(repr(params(m).get("requestId"))) > 1)),
    ("requests-1000", "many", "no-id", lambda m, s: "id" in m and s["requests"] >= 1000),
    ("level-set-17-times", "many", "dies",
     called("logging/setLevel")(lambda m, s: s["logging/setLevel"] >= 17)),
    # undone before it was done
    ("unsubscribed-first", "undone", "dies",
     called("resources/unsubscribe")(lambda m, s: not s["resources/subscribe"])),
    ("unsubscribed-twice", "undone", "silent",
     called("resources/unsubscribe")(lambda m, s: s["resources/unsubscribe"] > 1
                                     and s["resources/subscribe"])),
    ("level-lowered", "undone", "silent", called("logging/setLevel")(
        lambda m, s: s["level"] in LEVELS and text(m, "level") in LEVELS
        and LEVELS.index(text(m, "level")) < LEVELS.index(s["level"]))),
    ("cancelled-before-it-was-asked", "undone", "dies", called("notifications/cancelled")(
        lambda m, s: isinstance(params(m).get("requestId"), (str, int))
        and params(m)["requestId"] not in s["ids"])),
    # ids and members of another kind
    ("id-object", "kinds", "dies", lambda m, s: isinstance(m.get("id"), dict)),
    ("id-object-repeated-names", "kinds", "dies",
     lambda m, s: isinstance(m.get("id"), dict) and m["id"].get("\0again") is True),
    ("id-array", "kinds", "dies", lambda m, s: isinstance(m.get("id"), list)),
    ("id-true", "kinds", "dies", lambda m, s: isinstance(m.get("id"), bool)),
    ("method-object", "kinds", "dies", lambda m, s: isinstance(m.get("method"), dict)),
    ("params-text", "kinds", "dies", lambda m, s: isinstance(m.get("params"), str)),
    ("version-array", "kinds", "dies", lambda m, s: isinstance(m.get("jsonrpc"), list)),
    ("name-array", "kinds", "dies", wrong_kind("tools/call", "name", (str, int, dict, bool))),
    ("arguments-number", "kinds", "silent",
     wrong_kind("tools/call", "arguments", (dict, list, str, bool, type(None)))),
    ("meta-text", "kinds", "dies", lambda m, s: isinstance(params(m).get("_meta"), str)),
    ("progress-token-object", "kinds", "dies", lambda m, s: isinstance(
        params(m).get("_meta"), dict) and isinstance(params(m)["_meta"].get("progressToken"), dict)),
    ("uri-number", "kinds", "dies", wrong_kind("resources/read", "uri", (str, dict, list, bool))),
    ("level-null", "kinds", "dies", called("logging/setLevel")(
        lambda m, s: "level" in params(m) and params(m)["level"] is None)),
    ("ref-array", "kinds", "dies", wrong_kind("completion/complete", "ref",
                                               (dict, str, int, float, type(None)))),
    ("cancelled-id-object", "kinds", "dies",
     wrong_kind("notifications/cancelled", "requestId", (str, int, float, type(None), list))),
    ("cursor-object", "kinds", "dies",
     wrong_kind("tools/list", "cursor", (str, int, float, type(None), list))),
]
FAULTS = {name: (kind, does, check) for name, kind, does, check in ROWS}
assert len(FAULTS) == len(ROWS)
