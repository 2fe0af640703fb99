#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# comment.py and the note of CI.gitlab.yml against stand-ins for GitHub and GitLab on a port of this
# machine that keep what they are told, with tokens that may write and tokens that may not.
import contextlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

import yaml

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent / "package")]
import comment
import release
import sample_release

# This machine is asked, whatever proxy is named.
os.environ = sample_release.without_proxies(os.environ)

BOT = "github-actions[bot]"
REPORT = json.loads((TOP / "reports/golden/report.json").read_text())
CHANGE = {"case": "mcp/tools/a", "title": "A", "before": "pass", "after": "fail",
          "requirement": "mcp.tools.a", "text": "expected this; seen that", "must": True, "replay": "rpcspec run"}
COMPARISON = {"format": "rpcspec-comparison/1", "worse": [CHANGE], "better": [{**CHANGE, "case": "mcp/b"}],
              "unsure": [], "first_time": [], "same": 3, "added": 0, "removed": 0}


class Forge:
    """What both stand-ins know: comments by number, what was asked, and who may do what."""

    def __init__(self):
        self.comments, self.asked, self.pulls = [], [], []
        self.next_id, self.may_write, self.login = 1, True, None

    def add(self, body, login=BOT):
        self.comments.append({"id": self.next_id, "body": body, "user": {"login": login},
                              "author": {"id": login}})
        self.next_id += 1

    def page(self, query):
        page, size = int(query.get("page", ["1"])[0]), int(query.get("per_page", ["30"])[0])
        return self.comments[(page - 1) * size:page * size]

    def change(self, identifier, body):
        (one,) = [one for one in self.comments if one["id"] == identifier]
        one["body"] = body
        return one

    def github(self, method, path, query, value):
        if path == "/user":
            return (200, {"login": self.login}) if self.login else (403, {"message": "not a user"})
        if path == "/repos/o/r/pulls":
            return 200, [one for one in self.pulls if one["head"]["label"] == query["head"][0]]
        if path == "/repos/o/r/issues/5/comments" and method == "GET":
            return 200, self.page(query)
        if not self.may_write:
            return 403, {"message": "Resource not accessible by integration"}
        if path == "/repos/o/r/issues/5/comments":
            self.add(value["body"], self.login or BOT)
            return 201, self.comments[-1]
        found = re.fullmatch(r"/repos/o/r/issues/comments/(\d+)", path)
        if found and method == "PATCH":
            return 200, self.change(int(found[1]), value["body"])
        return 404, {"message": "Not Found"}

    def gitlab(self, method, path, query, value):
        notes = "/projects/7/merge_requests/5/notes"
        if path == "/user":
            return 200, {"id": self.login or BOT}
        if path == notes and method == "GET":
            return 200, self.page(query)
        if path == notes:
            self.add(value["body"], self.login or BOT)
            return 201, self.comments[-1]
        if path.startswith(notes + "/") and method == "PUT":
            return 200, self.change(int(path.rsplit("/", 1)[1]), value["body"])
        return 404, {"message": "404 Not found"}

    def handler(self, answer, token):
        forge = self

        class Handler(sample_release.Quiet):
            def do_GET(self):
                address = urllib.parse.urlsplit(self.path)
                length = int(self.headers.get("Content-Length", 0))
                value = json.loads(self.rfile.read(length)) if length else None
                forge.asked.append((self.command, address.path))
                if token not in (self.headers.get("Authorization"), self.headers.get("PRIVATE-TOKEN")):
                    status, made = 401, {"message": "Bad credentials"}
                else:
                    status, made = answer(self.command, address.path, urllib.parse.parse_qs(address.query), value)
                text = json.dumps(made).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_POST = do_PATCH = do_PUT = do_GET

        return Handler

    def written(self):
        return [method for method, _ in self.asked if method != "GET"]


class CommentTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rpcspec-comment-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.reports = self.folder / "reports"
        self.reports.mkdir()
        self.forge = Forge()
        self.report(REPORT)

    def report(self, value, name="rpcspec.json"):
        (self.reports / name).write_text(json.dumps(value) if isinstance(value, dict) else value)

    PULL = {"pull_request": {"number": 5, "head": {"sha": "c" * 40}}}

    def comment(self, event=None, code=0, run="100", token="Bearer secret", **environment):
        (self.folder / "event.json").write_text(json.dumps(event or self.PULL))
        self.forge.asked = []
        with sample_release.served(self.forge.handler(self.forge.github, token)) as address:
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                status = comment.main(self.reports, {
                    "GITHUB_API_URL": address, "GITHUB_REPOSITORY": "o/r", "GITHUB_TOKEN": "secret",
                    "GITHUB_RUN_ID": run, "GITHUB_EVENT_PATH": str(self.folder / "event.json"), **environment})
        self.assertEqual(status, code, said.getvalue())
        self.assertNotIn("secret", said.getvalue())
        return said.getvalue()


class OneComment(CommentTest):
    def test_the_first_run_writes_it_and_later_ones_update_it(self):
        self.assertIn("commented on #5", self.comment())
        self.assertIn("says so already", self.comment())
        self.assertEqual(self.forge.written(), [])
        self.report({**REPORT, "gate": {"passed": True}, "causes": []})
        self.assertIn("updated", self.comment(run="101"))
        (only,) = self.forge.comments
        self.assertIn("### rpcspec: passed", only["body"])
        self.assertIn("/o/r/actions/runs/101", only["body"])
        # A run that began earlier and ends later.
        self.assertIn("tells of a later run", self.comment(run="99"))
        self.assertIn("runs/101", only["body"])

    def test_comments_of_others_stay_and_many_of_them_are_looked_through(self):
        for number in range(250):
            self.forge.add(f"comment {number}", "somebody")
        self.forge.add("<!-- rpcspec  -->\nmine, says somebody", "somebody")
        self.comment()
        self.comment(run="101")
        self.assertEqual(len(self.forge.comments), 252)
        self.assertEqual(self.forge.comments[250]["body"], "<!-- rpcspec  -->\nmine, says somebody")
        self.assertIn("runs/101", self.forge.comments[251]["body"])

    def test_a_token_of_a_user_finds_the_comment_of_that_user(self):
        self.forge.login = "robot"
        self.comment()
        self.comment(run="101")
        self.assertEqual([one["user"]["login"] for one in self.forge.comments], ["robot"])

    def test_two_jobs_have_a_comment_each(self):
        self.comment(COMMENT_KEY="stdio")
        self.comment(COMMENT_KEY="http")
        self.comment(COMMENT_KEY="stdio", run="101")
        self.assertEqual([one["body"].split("\n")[0] for one in self.forge.comments],
                         ["<!-- rpcspec stdio -->", "<!-- rpcspec http -->"])

    def test_a_token_that_may_not_write_fails_nothing_and_says_what_to_do(self):
        self.forge.may_write = False
        said = self.comment()
        self.assertIn("::notice", said)
        self.assertIn("CI.comment.yml", said)
        self.assertIn("::notice", self.comment(token="Bearer another"))

    def test_without_a_pull_request_or_a_report_nothing_is_asked(self):
        self.assertIn("nothing to comment on", self.comment({"ref": "refs/heads/main"}))
        (self.reports / "rpcspec.json").unlink()
        self.assertIn("no report", self.comment())
        self.assertEqual(self.forge.asked, [])

    def test_what_is_no_report_is_told(self):
        for text in ("{", "[]", '{"format": "rpcspec-comparison/1"}', '"x"'):
            self.report(text)
            self.assertIn("comment.py: ", self.comment(code=1))
        self.assertEqual(self.forge.asked, [])


class WhatItSays(CommentTest):
    def said(self, **more):
        self.comment(**more)
        return self.forge.comments[-1]["body"]

    def test_causes_with_clause_and_command(self):
        text = self.said()
        self.assertIn("### rpcspec: failed", text)
        self.assertIn("1 passed, 5 failed, 1 warned, 2 inconclusive, 1 flaky, 1 in error", text)
        self.assertIn("| `Text that is not JSON is never answered` | `MUST jsonrpc.parse.code` | 3 | "
                      "`rpcspec run --select jsonrpc/parse/garbage -- ./server` |", text)

    def test_what_got_worse_decides_where_two_sides_were_compared(self):
        self.report(COMPARISON, "comparison.json")
        text = self.said()
        self.assertIn("### rpcspec: 1 got worse", text)
        self.assertIn("**1 case got worse**", text)
        self.assertIn("| `mcp/tools/a` | `MUST mcp.tools.a` | `expected this; seen that` |", text)
        self.assertIn("<summary>1 case got better</summary>", text)
        self.report({**COMPARISON, "worse": [{**CHANGE, "must": False}]}, "comparison.json")
        self.comment(run="101")
        self.assertIn("### rpcspec: nothing got worse", self.forge.comments[-1]["body"])

    def test_breaking_changes_of_the_surface_are_told(self):
        broken = {"grade": "BREAKING", "where": "tool a", "what": "is gone", "reason": "clients call it"}
        added = {**broken, "grade": "ADDITIVE", "what": "is new"}
        self.report({**REPORT, "surface": [broken, added]})
        text = self.said()
        self.assertIn("**1 breaking change of what the server offers**", text)
        self.assertIn("| `tool a` | `is gone` | `clients call it` |", text)
        self.assertNotIn("is new", text)
        self.report({**COMPARISON, "worse": [], "surface": [broken]}, "comparison.json")
        self.comment(run="101")
        self.assertIn("### rpcspec: the surface broke", self.forge.comments[-1]["body"])

    def test_a_strangers_text_stays_text(self):
        hostile = "`@everyone` ![x](http://evil/) <img src=x> | a\n\n# head\n``` [y](javascript:z) #1 \u202e"
        cause = {**REPORT["causes"][0], "title": hostile, "requirement": hostile, "level": hostile,
                 "replay": hostile}
        self.report({**REPORT, "target": hostile, "profile": hostile, "causes": [cause],
                     "summary": {"pass": hostile, "fail": [1]}})
        self.report({**COMPARISON, "worse": [{**CHANGE, "case": hostile, "text": hostile,
                                              "requirement": hostile}]}, "comparison.json")
        text = self.said()
        for line in text.split("\n"):
            # Outside of code spans nothing of it is left.
            outside = re.sub(r"`[^`]*`", "", line)
            for part in ("@", "evil", "<img", "javascript", "#1", "head"):
                self.assertNotIn(part, outside, line)
        self.assertNotIn("\n# head", text)

    def test_reports_of_other_shapes_do_not_break_it(self):
        for broken in ({"summary": 1, "gate": [], "causes": {"a": 1}}, {"causes": [1, None, {}]},
                       {"causes": [{"verdict": "fail", "findings": 3}]}):
            self.report({"format": "rpcspec-report/1", **broken})
            self.report({"format": "rpcspec-comparison/1", "worse": [None, {"case": {}}]}, "comparison.json")
            self.said()

    def test_the_comment_of_a_long_report_is_shorter_than_github_takes(self):
        causes = [{**REPORT["causes"][0], "title": f"cause {number} " + "é" * 500, "replay": "r" * 5000}
                  for number in range(3000)]
        self.report({**REPORT, "causes": causes})
        self.report({**COMPARISON, "worse": [{**CHANGE, "text": "t" * 9000}] * 3000}, "comparison.json")
        text = self.said()
        self.assertLess(len(text), 65536)
        self.assertIn("2980 more are in the report.", text)


class ForksTest(CommentTest):
    """The second workflow: what is commented on is what GitHub says, not what the artifact says."""

    def event(self, **more):
        return {"workflow_run": {"event": "pull_request", "head_sha": "f" * 40, "head_branch": "patch",
                                 "id": 200, "head_repository": {"owner": {"login": "stranger"}},
                                 "pull_requests": [], **more}}

    def setUp(self):
        super().setUp()
        pull = {"number": 5, "head": {"sha": "f" * 40, "label": "stranger:patch"}}
        self.forge.pulls = [{"number": 9, "head": {"sha": "0" * 40, "label": "stranger:patch"}}, pull]

    def test_the_pull_request_of_the_commit_gets_it(self):
        self.assertIn("commented on #5", self.comment(self.event()))
        self.assertIn("/runs/200", self.forge.comments[0]["body"])
        self.assertIn("`ffffffffffff`", self.forge.comments[0]["body"])

    def test_a_commit_that_is_not_the_last_one_is_not_told_of(self):
        self.assertIn("no open pull request", self.comment(self.event(head_sha="1" * 40)))
        self.assertIn("no open pull request", self.comment(self.event(head_branch="other")))
        self.assertIn("no open pull request", self.comment(self.event(event="push")))
        self.assertIn("no open pull request", self.comment(self.event(head_repository=None)))
        self.assertEqual(self.forge.comments, [])

    def test_the_workflow_runs_no_code_of_the_fork(self):
        workflow = yaml.safe_load((TOP / "CI.comment.yml").read_text())
        (job,) = workflow["jobs"].values()
        self.assertEqual(workflow["permissions"], {})
        self.assertEqual(job["permissions"], {"actions": "read", "pull-requests": "write"})
        uses = [step["uses"].split("@")[0] for step in job["steps"]]
        self.assertEqual(uses, ["actions/download-artifact", f"{release.names()['REPOSITORY']}/harness/action"])
        # They are unpacked beside the workspace, and what is read is what the first one publishes.
        download, comment = (step["with"] for step in job["steps"])
        self.assertEqual(download["path"], comment["reports"])
        self.assertTrue(download["path"].startswith("${{ runner.temp }}/"))
        first = yaml.safe_load((TOP / "CI.yml").read_text())
        self.assertEqual(workflow[True]["workflow_run"]["workflows"], [first["name"]])
        for steps in (first["jobs"]["conformance"]["steps"],
                      yaml.safe_load((TOP / "action.yml").read_text())["runs"]["steps"]):
            (upload,) = [step for step in steps if "upload-artifact" in step.get("uses", "")]
            self.assertEqual(upload["with"]["name"], download["name"])

    def test_the_step_of_the_action_runs_the_script_beside_it(self):
        action = yaml.safe_load((HERE / "action.yml").read_text())
        (step,) = action["runs"]["steps"]
        (self.folder / "event.json").write_text(json.dumps(self.event()))
        with sample_release.served(self.forge.handler(self.forge.github, "Bearer secret")) as address:
            done = subprocess.run(["bash", "-eo", "pipefail", "-c", step["run"]], timeout=60, text=True,
                                  capture_output=True, check=True,
                                  env=sample_release.without_proxies(os.environ) | {
                                      "GITHUB_ACTION_PATH": str(HERE), "GITHUB_API_URL": address,
                                      "GITHUB_REPOSITORY": "o/r", "GITHUB_TOKEN": "secret",
                                      "REPORTS": str(self.reports), "COMMENT_KEY": "",
                                      "GITHUB_EVENT_PATH": str(self.folder / "event.json")})
        self.assertIn("commented on #5", done.stdout)
        self.assertEqual(set(step["env"]), {"REPORTS", "COMMENT_KEY", "GITHUB_TOKEN"})


class GitlabTest(CommentTest):
    def note(self, code=0, **environment):
        (job,) = yaml.safe_load((TOP / "CI.gitlab.yml").read_text()).values()
        (script,) = job["after_script"]
        variables = {name: str(value) for name, value in job["variables"].items()}
        self.forge.asked = []
        with sample_release.served(self.forge.handler(self.forge.gitlab, "secret")) as address:
            done = subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=self.folder, text=True,
                                  timeout=60, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                                  env=sample_release.without_proxies(os.environ) | variables | {
                                      "COMMENT": "true", "RPCSPEC_GITLAB_TOKEN": "secret", "REPORTS": "reports",
                                      "CI_API_V4_URL": address, "CI_PROJECT_ID": "7", "CI_JOB_NAME": "rpcspec",
                                      "CI_MERGE_REQUEST_IID": "5", "CI_JOB_URL": "http://gitlab/job/1",
                                      **environment})
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def test_one_note_is_written_and_updated(self):
        self.report("# rpcspec: failed\n", "rpcspec.md")
        for number in range(120):
            self.forge.add(f"<!-- rpcspec rpcspec --> {number}", "somebody")
        self.note()
        self.report("# rpcspec: passed\n", "rpcspec.md")
        self.report("1 worse\n```\n", "comparison.txt")
        self.note(CI_JOB_URL="http://gitlab/job/2")
        self.assertEqual(len(self.forge.comments), 121)
        self.assertEqual(self.forge.comments[-1]["body"],
                         "<!-- rpcspec rpcspec -->\n## Compared with the other side\n\n```\n1 worse\n'''\n```\n\n"
                         "# rpcspec: passed\n\n\n[The job](http://gitlab/job/2)")

    def test_nothing_is_asked_where_no_note_is_wanted(self):
        self.report("# rpcspec: failed\n", "rpcspec.md")
        self.note(COMMENT="false")
        self.note(CI_MERGE_REQUEST_IID="")
        (self.reports / "rpcspec.md").unlink()
        self.note()
        self.assertEqual(self.forge.asked, [])

    def test_a_token_that_is_not_taken_is_told(self):
        self.report("# rpcspec: failed\n", "rpcspec.md")
        self.assertIn("401", self.note(RPCSPEC_GITLAB_TOKEN="another", code=1))


if __name__ == "__main__":
    unittest.main(verbosity=2)
