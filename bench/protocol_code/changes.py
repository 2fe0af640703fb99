# SPDX-License-Identifier: Apache-2.0
"""The changes that bench/code_mutants plants, which of them, and how it sorts what rpcspec says of them."""
import difflib
import re

from protocol_code import short

VERDICTS = ["fails", "unreachable", "warned", "inconclusive", "survives"]  # the first of any profile counts
TIME_RAN_OUT = 3  # an exit code of `rpcspec run`


# -- changes ------------------------------------------------------------------------------------

def changed(text, change):
    """Offsets count UTF-16 units."""
    units = text.encode("utf-16-le")
    return (units[:2 * change["start"]] + change["to"].encode("utf-16-le")
            + units[2 * change["end"]:]).decode("utf-16-le")


def candidates(name, code, executed, installed):
    """Changes where the code was executed, each with the name of the server and an id that stays."""
    modules = f"{installed}/{name}/node_modules/"
    out = []
    for file, parts in code.items():
        for one in parts["changes"]:
            if one["start"] in executed.get(file, ()):
                path = file.removeprefix(modules)
                out.append({**one, "server": name, "file": path, "source": short(file, one["region"]),
                            "id": f"{name} {path} {one['start']}-{one['end']} {one['to']}"})
    return out


def sampled(changes, number, rng):
    """Kinds in turn, so that rare ones are met as often as frequent ones."""
    kinds = {}
    for one in sorted(changes, key=lambda one: one["id"]):
        kinds.setdefault(one["kind"], []).append(one)
    for some in kinds.values():
        rng.shuffle(some)
    order, out = sorted(kinds), []
    rng.shuffle(order)
    while len(out) < number and any(kinds.values()):
        out += [kinds[kind].pop() for kind in order if kinds[kind]]
    return out[:number]


def difference(before, change):
    """The change as lines of a diff."""
    lines = difflib.unified_diff(before.splitlines(), changed(before, change).splitlines(), n=2, lineterm="")
    return [line[:200] for line in list(lines)[2:]]


# -- what rpcspec says --------------------------------------------------------------------------

def answer(text):
    """What came, in a word: an error by its code, a result, anything else."""
    code = re.search(r'"error":\{"code":(-?\d+)', text)
    return f"error {code[1]}" if code else "result" if '"result":' in text else "other"


def seen_in(report):
    """What fails and warns, as {(clause, answer): title of the case}, and the cases that were judged. The answer
    counts: a server that breaks a clause may be made to break it in another way."""
    fail, warn = {}, {}
    for case in report["cases"]:
        if case["verdict"] in ("fail", "warn"):
            for one in case["findings"]:
                failed = case["verdict"] == "fail" and one["level"].startswith("MUST")
                (fail if failed else warn).setdefault((one["requirement"], answer(one["seen"])), case["title"])
    judged = {case["id"] for case in report["cases"] if case["verdict"] in ("pass", "fail", "warn", "flaky")}
    causes = [f"{one['title']} ({one['level']} {one['requirement']})" for one in report["causes"]]
    broken = [case["title"] for case in report["cases"] if case["verdict"] == "fail" and not case.get("baselined")
              and any(one["level"].startswith("MUST") for one in case["findings"])]
    return {"fail": fail, "warn": warn, "judged": judged, "causes": causes, "broken": broken,
            "errors": {case["id"] for case in report["cases"] if case["verdict"] == "error"}}


def sorted_as(code, seen, sound):
    """(verdict, by what) of a mutant; `sound` is what the server without the change shows in any run."""
    if seen is None:
        return "unreachable", []
    known = {**sound["warn"], **sound["fail"]}
    failures = {title for one, title in seen["fail"].items() if one not in sound["fail"]}
    failures |= set(seen["broken"]) - set(sound["broken"])
    if failures:
        return "fails", sorted(failures)
    warnings = {title for one, title in seen["warn"].items() if one not in known}
    if warnings:
        return "warned", sorted(warnings)
    lost = sound["judged"] - seen["judged"]
    if not seen["judged"]:
        return "unreachable", []
    if lost or code == TIME_RAN_OUT:
        return "inconclusive", sorted(lost)
    return "survives", []


def together(seen):
    """What a server shows in any of several runs; judged is what each of them judged."""
    return {"fail": {key: title for one in seen for key, title in one["fail"].items()},
            "warn": {key: title for one in seen for key, title in one["warn"].items()},
            "judged": set.intersection(*(one["judged"] for one in seen)),
            "causes": [cause for one in seen for cause in one["causes"]],
            "broken": [title for one in seen for title in one["broken"]]}
