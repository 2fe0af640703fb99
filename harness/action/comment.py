#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the one comment of a pull request that tells how a run ended, and updates it from then on.

    comment.py REPORTS      the folder with rpcspec.json and, where two sides were compared, comparison.json

It takes what GitHub Actions says in its variables, and GITHUB_TOKEN. In a workflow that a pull request
started, the number is that of the event. In one that was started by the end of another (workflow_run),
as pull requests of forks need it, the number is asked of GitHub by the commit that was judged: what the
run of a fork left behind is read as a report and names nothing. Whatever a report quotes is a stranger's
text: it stands in code spans, so that nothing in it is a mention, a link or a picture.
"""
import json
import os
import pathlib
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

LONGEST_FILE = 64 << 20
LONGEST_BODY = 60_000  # GitHub takes 65,536 characters
ROWS = 20
PAGES = 30  # of a hundred comments each


class Wrong(Exception):
    """One sentence for whoever reads the log."""


class Refused(Exception):
    """The token may not do that."""


def code(text, most=200):
    """The text as a code span in a cell of a table: one line, cut, without what would end it."""
    line = re.sub(r"\s+", " ", str(text)[:4096]).strip().replace("`", "'").replace("|", "¦")
    line = "".join(one if one.isprintable() else "·" for one in line)
    if len(line) > most:
        line = line[:most - 1] + "…"
    return f"`{line}`" if line else ""


def number(value):
    return value if isinstance(value, int) else 0


def load(path, form):
    """The JSON object of a file, or None where there is no such file."""
    if not path.is_file():
        return None
    if path.stat().st_size > LONGEST_FILE:
        raise Wrong(f"{path} is longer than {LONGEST_FILE >> 20} MiB")
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise Wrong(f"{path} is not JSON: {error}") from error
    if not isinstance(value, dict) or value.get("format") != form:
        raise Wrong(f"{path} is not what it should be, {form}")
    return value


def entries(value, name):
    """The objects in the list `name`."""
    found = value.get(name)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def table(head, found, row):
    """Lines of a table of at most ROWS rows: what `row` makes of each that was found."""
    lines = ["", "| " + " | ".join(head) + " |", "|" + ":--|" * len(head)]
    lines += ["| " + " | ".join(row(one)) + " |" for one in found[:ROWS]]
    if len(found) > ROWS:
        lines.append(f"\n{len(found) - ROWS} more are in the report.")
    return lines


def clause(one):
    # A cause has the word, a change says whether it is a MUST.
    level = one.get("level") if "level" in one else ("MUST" if one.get("must") else "SHOULD")
    return code(f"{level} {one.get('requirement')}") if one.get("requirement") else ""


def changes(comparison):
    lines = []
    for name, word in (("worse", "got worse"), ("first_time", "fail, and the other side did not have"),
                       ("unsure", "can no longer be told"), ("better", "got better")):
        found = entries(comparison, name)
        if not found:
            continue
        cases = "1 case" if len(found) == 1 else f"{len(found)} cases"
        folded = name in ("unsure", "better")
        lines += ["", f"<details><summary>{cases} {word}</summary>" if folded else f"**{cases} {word}**"]
        lines += table(["case", "clause", "what"], found, lambda one: [
            code(one.get("case")), clause(one), code(one.get("text", ""))])
        lines += ["", "</details>"] if folded else []
    return lines


def surface(found):
    breaking = [one for one in found if one.get("grade") == "BREAKING"]
    if not breaking:
        return []
    many = "1 breaking change" if len(breaking) == 1 else f"{len(breaking)} breaking changes"
    return ["", f"**{many} of what the server offers**"] + table(
        ["where", "what", "why"], breaking, lambda one: [
            code(one.get("where")), code(one.get("what")), code(one.get("reason", ""))])


def body(report, comparison, mark, commit, run):
    summary = report.get("summary") if isinstance(report.get("summary"), dict) else {}
    gate = report.get("gate") if isinstance(report.get("gate"), dict) else {}
    if comparison is not None:
        worse = len([one for one in entries(comparison, "worse") if one.get("must")])
        broke = len(entries(comparison, "surface"))
        head = f"{worse} got worse" if worse else "the surface broke" if broke else "nothing got worse"
    else:
        head = "passed" if gate.get("passed") is True else "failed"
    counts = ", ".join(f"{number(summary.get(name))} {word}" for name, word in (
        ("pass", "passed"), ("fail", "failed"), ("warn", "warned"), ("inconclusive", "inconclusive"),
        ("flaky", "flaky"), ("error", "in error")) if number(summary.get(name)) or name in ("pass", "fail"))
    lines = [mark, f"### rpcspec: {head}", "",
             f"{code(report.get('target'))} as {code(report.get('profile'))}: {counts}, at {code(commit)} "
             f"([run]({run}), reports are among its artifacts)"]
    if comparison is not None:
        lines += changes(comparison)
    lines += surface(entries(report if comparison is None else comparison, "surface"))
    causes = [one for one in entries(report, "causes")
              if one.get("verdict") == "fail" and not one.get("baselined")]
    if causes:
        many = "1 cause" if len(causes) == 1 else f"{len(causes)} causes"
        title = f"{many} in all" if comparison is not None else many
        lines += ["", f"<details{'' if comparison is not None else ' open'}><summary>{title}</summary>"]
        lines += table(["cause", "clause", "findings", "shown again by"], causes, lambda one: [
            code(one.get("title")), clause(one), str(len(entries(one, "findings"))),
            code(one.get("replay", ""), 400)])
        lines += ["", "</details>"]
    text = "\n".join(lines) + "\n"
    # Cut between lines: rows are whole, and a fold that stays open ends with the comment.
    return text if len(text) <= LONGEST_BODY else text[:text.rindex("\n", 0, LONGEST_BODY)] + "\n"


class GitHub:
    def __init__(self, environment):
        self.api = environment.get("GITHUB_API_URL", "https://api.github.com")
        self.repository = environment["GITHUB_REPOSITORY"]
        self.token = environment["GITHUB_TOKEN"]

    def ask(self, method, path, value=None):
        request = urllib.request.Request(
            self.api + path, method=method, data=None if value is None else json.dumps(value).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Accept": "application/vnd.github+json",
                     "X-GitHub-Api-Version": "2022-11-28", "Content-Type": "application/json",
                     "User-Agent": "rpcspec"})
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                said = error.read(500).decode("utf-8", "replace")
            if error.code in (401, 403, 404):
                raise Refused(f"{method} {path}: {error.code} {said}") from error
            raise Wrong(f"{method} {path}: {error.code} {said}") from error
        except (OSError, ValueError) as error:
            raise Wrong(f"{method} {path}: {error}") from error

    def repository_path(self, rest):
        return f"/repos/{self.repository}/{rest}"

    def pull_request_of(self, run):
        """The number of the open pull request whose last commit was judged by the run, or None."""
        owner = ((run.get("head_repository") or {}).get("owner") or {}).get("login", "")
        head = urllib.parse.quote(f"{owner}:{run['head_branch']}", safe="")
        found = self.ask("GET", self.repository_path(f"pulls?state=open&per_page=100&head={head}"))
        numbers = [one["number"] for one in found if one["head"]["sha"] == run["head_sha"]]
        return numbers[0] if numbers else None

    def login(self):
        try:
            return self.ask("GET", "/user")["login"]
        except Refused:  # the token of a job is of no user
            return "github-actions[bot]"

    def comment_of(self, issue, mark):
        """Our comment, by its mark and its author: anybody can write the mark."""
        login = self.login()
        for page in range(1, PAGES + 1):
            comments = self.ask("GET", self.repository_path(
                f"issues/{issue}/comments?per_page=100&page={page}"))
            for one in comments:
                if one["user"]["login"] == login and one["body"].startswith(mark):
                    return one
            if len(comments) < 100:
                return None
        return None


def told_by(old):
    """The number of the run that wrote a comment."""
    found = re.search(r"<!-- run (\d+) -->", old["body"][:300])
    return int(found[1]) if found else 0


def comment(reports, environment):
    event = json.loads(pathlib.Path(environment["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    hub = GitHub(environment)
    server = environment.get("GITHUB_SERVER_URL", "https://github.com")
    if "workflow_run" in event:
        run = event["workflow_run"]
        issue = hub.pull_request_of(run) if run["event"] == "pull_request" else None
        commit, run_id = run["head_sha"], run["id"]
    elif "pull_request" in event:
        issue, commit = event["pull_request"]["number"], event["pull_request"]["head"]["sha"]
        run_id = environment["GITHUB_RUN_ID"]
    else:
        issue = None
    if issue is None:
        print("this is the run of no open pull request: nothing to comment on")
        return
    report = load(reports / "rpcspec.json", "rpcspec-report/1")
    if report is None:
        print(f"there is no report in {reports}: nothing to comment")
        return
    comparison = load(reports / "comparison.json", "rpcspec-comparison/1")
    key = re.sub(r"[^\w. -]", "", environment.get("COMMENT_KEY", ""))
    mark = f"<!-- rpcspec {key} -->"
    text = body(report, comparison, f"{mark}\n<!-- run {run_id} -->", commit[:12],
                f"{server}/{hub.repository}/actions/runs/{run_id}")
    old = hub.comment_of(issue, mark)
    if old is None:
        hub.ask("POST", hub.repository_path(f"issues/{issue}/comments"), {"body": text})
        print(f"commented on #{issue}")
    elif told_by(old) > int(run_id):
        print(f"the comment on #{issue} tells of a later run: it stays")
    elif old["body"].strip() != text.strip():
        hub.ask("PATCH", hub.repository_path(f"issues/comments/{old['id']}"), {"body": text})
        print(f"updated the comment on #{issue}")
    else:
        print(f"the comment on #{issue} says so already")


def main(reports, environment):
    """The exit code."""
    try:
        comment(pathlib.Path(reports), environment)
    except Refused as refused:
        print("::notice title=rpcspec::this job may not comment: it needs the permission pull-requests: write, "
              "and for the pull request of a fork the second workflow, CI.comment.yml")
        print(refused)
    except Wrong as wrong:
        print(f"comment.py: {wrong}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], os.environ))
