# SPDX-License-Identifier: Apache-2.0
# The form of a dump: one line of JSON for each play of a server, keys sorted, with what was told of
# it: verdicts, findings, causes. A report of `rpcspec run` is turned into the same form, so that
# plays of real servers can be compared as those in memory are.
import json
import os
import re

# Ids, ports, times and process numbers, which differ from play to play; error codes stay, as in
# Finding::message().
VARYING = [
    # ${random}: sixteen letters, or the beginning of them where a text is cut
    (re.compile(r"(?<![A-Za-z])[a-z]{16}(?![A-Za-z])|(?<=[-_])[a-z]{1,15}(?= … \()"), "#"),
    (re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*Z?"), "TIME"),
    (re.compile(r"(?<=\d\.\d\.\d\.\d:)\d+|(?<=localhost:)\d+"), "PORT"),
    (re.compile(r"(?i)\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "#"),
    (re.compile(r"\b(?=[a-f]*\d)[0-9a-f]{12,}\b"), "#"),
    (re.compile(r"(?<!\d)(?!(?<=-)32\d{3}(?!\d))\d{5,}"), "#"),
]
# Of processes, which take what time they take.
PASSING = [
    (re.compile(r"\b\d+(\.\d+)? ?(ms|µs|s|seconds?)\b"), "TIME"),
    (re.compile(r"\b(pid|process) \d+"), r"\1 #"),
]


def masked(value, rules=tuple(VARYING)):
    """The value without what varies in its texts; names of members stay."""
    if isinstance(value, dict):
        return {name: masked(member, rules) for name, member in value.items()}
    if isinstance(value, list):
        return [masked(item, rules) for item in value]
    if isinstance(value, str):
        for pattern, word in rules:
            value = pattern.sub(word, value)
    return value


def cited(cases, reference):
    """[case, clause, row] of a finding that a cause of a report refers to."""
    finding = cases[reference["case"]]["findings"][reference["finding"]]
    return [reference["case"], finding["requirement"]] + ([finding["row"]] if finding.get("row") else [])


def of_report(report, name):
    """A report of `rpcspec run --report json`, without frames, commands and times."""
    cases = {case["id"]: case for case in report["cases"]}
    kept = ("requirement", "severity", "expected", "seen", "row", "oracle")
    play = {
        "server": name, "judged_by": report["profile"], "transport": report["transport"],
        "profile": report["profile"], "gate": report["gate"]["reason"],
        "causes": [{**{member: cause[member] for member in
                       ("requirement", "level", "verdict", "title", "sentence", "by_clause")},
                    "findings": [cited(cases, reference) for reference in cause["findings"]]}
                   for cause in report["causes"]],
        "findings": [{"case": case["id"], **{member: finding[member] for member in kept
                                             if member in finding}}
                     for case in report["cases"] for finding in case["findings"]],
        "reasons": {case["id"]: case["reason"] for case in report["cases"] if case["reason"]},
        "verdicts": {case["id"]: case["verdict"] for case in report["cases"]},
    }
    return masked(play, PASSING + VARYING)


def name_of(play):
    """What plays of two dumps are paired by."""
    judged = "" if play["judged_by"] == play["server"] else f" as {play['judged_by']}"
    name = f"{play.get('fault') or ''} {play['server']}{judged} {play['transport']}"
    return name.strip()


def read(path):
    """The plays of a dump, or of one report, by name."""
    # What a server says may be anything but UTF-8, and is quoted as it came.
    with open(path, encoding="utf-8", errors="backslashreplace") as file:
        text = file.read()
    if text.lstrip().startswith("{\n"):
        name = os.path.basename(os.path.dirname(os.path.abspath(path)))
        plays = [of_report(json.loads(text), name)]
    else:
        plays = [json.loads(line) for line in text.split("\n") if line]
    return {name_of(play): play for play in plays}


def write(plays, path):
    with open(path, "w", encoding="utf-8") as file:
        for play in plays:
            file.write(json.dumps(play, ensure_ascii=False, sort_keys=True,
                                  separators=(",", ":")) + "\n")
