#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Compares two dumps, or two reports of `rpcspec run --report json`, and says what differs: each
# difference once, with how many plays show it and the first few of them. Exit 1 when any does.
#
#   dump_diff.py BEFORE AFTER [--ignore-texts] [--common] [--only GLOB]... [--plays N]
import argparse
import collections
import fnmatch
import sys

import dump_form

GROUPS = {
    "plays": "Plays that one of them does not have",
    "verdicts": "Verdicts",
    "lost": "Findings lost",
    "gained": "Findings gained",
    "causes": "Causes that came or went",
    "clauses": "Causes: clause, level, verdict",
    "titles": "Causes: title",
    "parts": "Causes: their findings, the first of which shows it",
    "order": "Causes: order",
    "texts": "Texts only",
}
WIDTH = 150


def short(text):
    return text if len(text) <= WIDTH else text[:WIDTH - 2] + " …"


def changed(what, before, after):
    return f"{what}: {before!r} → {after!r}"


def key_of(finding):
    """What a finding is, without what is said of it."""
    return tuple((name, finding[name]) for name in
                 ("case", "row", "requirement", "oracle", "severity", "symptom", "about", "answer")
                 if finding.get(name))


def told_key(key):
    return " ".join(f"[{value}]" if name == "row" else value for name, value in key)


def pairs_of(before, after):
    """Causes of both by what they have in common: (before or None, after or None)."""
    def parts(cause):
        return {tuple(finding) for finding in cause["findings"]}

    def likeness(one, other):
        shared = len(parts(one) & parts(other)) / max(1, len(parts(one) | parts(other)))
        return (shared, one["requirement"] == other["requirement"], one["title"] == other["title"])

    candidates = sorted(((likeness(one, other), -abs(i - k), i, k)
                         for i, one in enumerate(before) for k, other in enumerate(after)
                         if likeness(one, other)[0] > 0), reverse=True)
    pair_of, taken = {}, set()
    for _, _, i, k in candidates:
        if i not in pair_of and k not in taken:
            pair_of[i] = k
            taken.add(k)
    return ([(cause, after[pair_of[i]] if i in pair_of else None) for i, cause in enumerate(before)]
            + [(None, cause) for k, cause in enumerate(after) if k not in taken])


def of_causes(before, after):
    pairs = pairs_of(before, after)
    for one, other in pairs:
        if one is None or other is None:
            cause = one or other
            yield "causes", ("- " if one else "+ ") + f"{cause['requirement']}: {cause['title']}"
            continue
        for name in ("requirement", "level", "verdict", "by_clause"):
            if one[name] != other[name]:
                where = "" if name == "requirement" else f"{other['requirement']}: "
                yield "clauses", where + changed(name, one[name], other[name])
        if one["title"] != other["title"]:
            yield "titles", f"{other['requirement']}: {one['title']}  →  {other['title']}"
        if one["findings"] != other["findings"]:
            yield "parts", f"{other['requirement']}: {other['title']}: " + of_parts(
                one["findings"], other["findings"])
        if one["sentence"] != other["sentence"]:
            yield "texts", f"sentence: {short(one['sentence'])}  →  {short(other['sentence'])}"
    both = [(before.index(one), after.index(other), other) for one, other in pairs if one and other]
    places = [place for _, place, _ in both]
    if places != sorted(places):
        yield "order", " | ".join(f"{cause['requirement']}" for _, _, cause in both) + "  →  " + \
            " | ".join(cause["requirement"] for _, _, cause in sorted(both, key=lambda row: row[1]))


def of_parts(before, after):
    lost, gained = ([" ".join(part) for part in one if part not in other]
                    for one, other in ((before, after), (after, before)))
    told = [f"- {part}" for part in lost] + [f"+ {part}" for part in gained]
    if before and after and before[0] != after[0]:
        told.append(f"shown by {' '.join(after[0])}, not {' '.join(before[0])}")
    if not told:
        told.append("the same ones in another order, or another number of times")
    return "; ".join(told[:4]) + (f"; and {len(told) - 4} more" if len(told) > 4 else "")


def of_findings(before, after):
    one, other = collections.defaultdict(list), collections.defaultdict(list)
    for findings, by_key in ((before, one), (after, other)):
        for finding in findings:
            by_key[key_of(finding)].append((finding.get("expected", ""), finding.get("seen", "")))
    for key in sorted({**one, **other}):
        count = len(other[key]) - len(one[key])
        if count != 0:
            times = f" ({abs(count)} of them)" if abs(count) > 1 else ""
            yield "lost" if count < 0 else "gained", told_key(key) + times
            continue
        for (expected, seen), (expects, sees) in zip(one[key], other[key]):
            if expected != expects:
                yield "texts", f"expected: {short(expected)}  →  {short(expects)}"
            if seen != sees:
                yield "texts", f"seen: {short(seen)}  →  {short(sees)}"


def of_members(group, what, before, after):
    for name in sorted({**before, **after}):
        one, other = before.get(name, "(none)"), after.get(name, "(none)")
        if one != other:
            yield group, f"{what}{name}: {short(one)} → {short(other)}"


def of_play(before, after):
    """(group, text) of each difference."""
    yield from of_members("verdicts", "", before.get("verdicts", {}), after.get("verdicts", {}))
    for name in ("profile", "ended"):
        if before.get(name) != after.get(name):
            yield "verdicts", changed(name, before.get(name), after.get(name))
    yield from of_findings(before.get("findings", []), after.get("findings", []))
    yield from of_causes(before.get("causes", []), after.get("causes", []))
    yield from of_members("texts", "reason of ", before.get("reasons", {}), after.get("reasons", {}))
    if before.get("gate") != after.get("gate"):
        yield "texts", changed("gate", before.get("gate"), after.get("gate"))


def differences(before, after):
    """{group: {text: [plays]}} of two dumps that were read."""
    found = {group: collections.defaultdict(list) for group in GROUPS}
    for name in {**before, **after}:
        if name not in before or name not in after:
            found["plays"]["only before" if name in before else "only after"].append(name)
            continue
        for group, text in dict.fromkeys(of_play(before[name], after[name])):
            found[group][text].append(name)
    return found


def tell(found, plays, out):
    for group, title in GROUPS.items():
        if not found[group]:
            continue
        count = len({name for names in found[group].values() for name in names})
        print(f"\n== {title}: {len(found[group])}, in {count} plays", file=out)
        for text, names in sorted(found[group].items(), key=lambda row: (-len(row[1]), row[0])):
            more = f", and {len(names) - plays} more" if len(names) > plays else ""
            print(f"  {text}\n      {len(names)}×  {', '.join(names[:plays])}{more}", file=out)


def main():
    parser = argparse.ArgumentParser(description="what differs between two dumps or reports")
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--ignore-texts", action="store_true",
                        help="sentences, what was expected and seen, reasons; titles count")
    parser.add_argument("--common", action="store_true",
                        help="only plays that both have: one was written with --every or --only")
    parser.add_argument("--only", action="append", default=[], metavar="GLOB", help="plays like this")
    parser.add_argument("--plays", type=int, default=3, metavar="N", help="to be named each time (3)")
    options = parser.parse_args()
    dumps = []
    for path in (options.before, options.after):
        dumps.append({name: play for name, play in dump_form.read(path).items()
                      if not options.only
                      or any(fnmatch.fnmatch(name, glob) for glob in options.only)})
    if all(len(dump) == 1 for dump in dumps):  # two reports, wherever they lie
        dumps = [{"the play": play} for dump in dumps for play in dump.values()]
    if options.common:
        common = dumps[0].keys() & dumps[1].keys()
        dumps = [{name: play for name, play in dump.items() if name in common} for dump in dumps]
    found = differences(*dumps)
    if options.ignore_texts:
        found["texts"].clear()
    tell(found, options.plays, sys.stdout)
    total = sum(map(len, found.values()))
    print(f"\n{len(dumps[0])} plays before, {len(dumps[1])} after: "
          + (f"{total} differences" if total else "no difference"))
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
