# SPDX-License-Identifier: Apache-2.0
"""What the pages of this folder say holds: each command line runs and ends as the page says, links
lead somewhere, pages that follow from the program are up to date.

    docs_test.py RPCSPEC RPCSPEC_REFERENCE_SERVER

A block of ```sh is run as a script, the blocks of a page one after the other in one folder. Comments
before a block: `<!-- ends with 1 -->` is its exit code, `<!-- address -->` starts a server first
whose address stands for http://127.0.0.1:3000/mcp (`<!-- protected address -->`: one that wants the
token), `<!-- file NAME -->` is what a block is written to. cpp.md has a test of its own.
"""
import json
import os
import re
import stat
import subprocess
import sys

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "harness"))
import testkit
from testkit import RPCSPEC, SERVER

TOP = os.path.dirname(HERE)
TUTORIALS = ("gate", "local", "campaign", "own-cases", "sessions", "dispute", "contracts", "language-servers",
             "agents")
EXAMPLE = "http://127.0.0.1:3000/mcp"
# What the servers of the pages are.
SERVERS = {"my-server": "", "my-plain-server": "--profile jsonrpc-2.0",
           "my-language-server": "--profile lsp --framing content-length", "my-agent": "--profile acp-1", "broken-server": "--fault tool-without-name",
           "crashing-server": "--fault dies-on-bad-utf8"}
BLOCK = re.compile(r"(?m)^(?P<margin> *)(?:<!-- (?P<note>[^\n]*) -->\n *)?```(?P<kind>\w+)\n"
                   r"(?P<text>.*?)^ *```$", re.S)


def pages():
    """Every page that a person wrote, and README.md."""
    return [os.path.join(HERE, name) for name in sorted(os.listdir(HERE)) if name.endswith(".md")]


def read(path):
    with open(path, encoding="utf-8") as page:
        return page.read()


def anchors(text):
    """What a link may name in a page: its headings, as they are made into anchors."""
    heads = re.findall(r"(?m)^#+ (.*)$", text)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


class DocsTest(testkit.RpcspecTest):
    def setUp(self):
        super().setUp()
        tools = os.path.join(self.folder, "tools")
        os.mkdir(tools)
        os.symlink(RPCSPEC, os.path.join(tools, "rpcspec"))
        self.environment = {**os.environ, "PATH": tools + ":" + os.environ["PATH"]}
        self.work = os.path.join(self.folder, "project")
        os.mkdir(self.work)
        for name, options in SERVERS.items():
            path = os.path.join(self.work, name)
            with open(path, "w") as script:
                script.write(f'#!/bin/sh\nexec "{SERVER}" {options} "$@"\n')
            os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)

    def served(self, token=None):
        """The address of a reference server that runs until the test ends."""
        port = testkit.free_port()
        server = subprocess.Popen([SERVER, "--transport", "http", "--port", str(port),
                                   *(["--auth", "bearer"] if token else [])],
                                  env={**os.environ, "RPCSPEC_REFERENCE_SECRET": token or ""},
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        self.assertTrue(testkit.wait_for_port(port))
        return f"http://127.0.0.1:{port}/mcp"

    def play(self, block, where):
        note, text = block["note"] or "", block["text"]
        if block["kind"] != "sh":
            name = re.match(r"file (\S+)$", note)
            if name:
                path = os.path.join(self.work, name[1])
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            return 0
        if note == "address":
            text = text.replace(EXAMPLE, self.served())
        if note == "protected address":
            token = re.search(r"export \w+=(\S+)", text)[1]
            text = text.replace(EXAMPLE, self.served(token)) + "! grep -r " + token + " .\n"
        expected = set(re.findall(r"\d+", note)) if note.startswith("ends with") else {"0"}
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", text], cwd=self.work,
                              env=self.environment, capture_output=True, text=True, timeout=120)
        self.assertIn(str(done.returncode), expected,
                      f"{where}:\n{text}\n{done.stdout[-1500:]}\n{done.stderr[-1500:]}")
        return 1

    def test_every_command_runs_as_its_page_says(self):
        for name in TUTORIALS:
            with self.subTest(page=name):
                text = read(os.path.join(HERE, name + ".md"))
                played = sum(self.play(block, name) for block in BLOCK.finditer(text))
                self.assertGreater(played, 0)

    def test_the_skill_of_agents_says_what_is_so(self):
        text = read(os.path.join(HERE, "skill", "SKILL.md"))
        head = yaml.safe_load(text.split("---\n")[1])
        self.assertEqual((set(head), head["name"]), ({"name", "description"}, "rpcspec"))
        self.assertLess(len(head["description"]), 1024)
        played = sum(self.play(block, "skill") for block in BLOCK.finditer(text))
        self.assertEqual(played, 3)
        with open(os.path.join(self.work, "report.json"), encoding="utf-8") as file:
            first = json.load(file)["causes"][0]
        self.assertTrue(first["requirement"] and first["frames"] and first["replay"])
        named = re.search(r"rpcspec explain (mcp\S+)", text)[1]
        self.assertEqual(first["requirement"], named)

    def test_hooks_of_commits_end_as_the_server_is(self):
        hooks = {one["id"]: one for one in yaml.safe_load(read(os.path.join(TOP, ".pre-commit-hooks.yaml")))}
        for server, code in (("my-server", 0), ("broken-server", 1)):
            with open(os.path.join(self.work, "rpcspec.yaml"), "w", encoding="utf-8") as project:
                project.write(f"select: mcp/tools/*\ntargets: {{a: {{command: [./{server}]}}}}\n")
            for hook, expected, files in (("rpcspec", code, []), ("rpcspec-check", 0, ["rpcspec.yaml"])):
                done = subprocess.run([*hooks[hook]["entry"].split(), *files], cwd=self.work, text=True,
                                      env=self.environment, capture_output=True, timeout=120)
                self.assertEqual(done.returncode, expected, done.stdout + done.stderr)
        self.assertTrue(re.search(hooks["rpcspec-check"]["files"], "a/rpcspec.yaml"))

    def test_every_page_of_commands_is_played(self):
        told = {os.path.basename(page)[:-3] for page in pages() if "```sh\n" in read(page)}
        self.assertEqual(told - set(TUTORIALS), {"cpp"} & told)

    def test_links_lead_somewhere(self):
        links = 0
        for page in pages() + [os.path.join(TOP, "README.md")]:
            text = read(page)
            for link in re.findall(r"\]\(([^)#\s]*)(#[^)\s]*)?\)", re.sub(r"(?s)```.*?```", "", text)):
                if "://" in link[0]:
                    continue
                links += 1
                path = os.path.join(os.path.dirname(page), link[0]) if link[0] else page
                self.assertTrue(os.path.exists(path), f"{page}: {link[0]}")
                if link[1] and path.endswith(".md"):
                    self.assertIn(link[1][1:], anchors(read(path)), page)
        self.assertGreater(links, 30)

    def test_generated_pages_are_up_to_date(self):
        subprocess.run([sys.executable, os.path.join(HERE, "generate"), "--check", RPCSPEC], check=True)

    def test_a_page_that_is_not_is_noticed(self):
        page = os.path.join(self.folder, "docs")
        os.mkdir(page)
        os.mkdir(os.path.join(page, "commands"))
        script = os.path.join(page, "generate")
        with open(script, "w") as copy:
            copy.write(read(os.path.join(HERE, "generate")))
        done = subprocess.run([sys.executable, script, "--check", RPCSPEC], capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("commands/README.md", done.stderr)


if __name__ == "__main__":
    testkit.main()
