#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# The site: made in a temporary folder, and looked at as a reader with a keyboard or a screen reader would
# need it; no link of it leads nowhere; its search finds. In Chromium where that is installed.
#
#   site_test.py RPCSPEC REFERENCE_SERVER
import collections
import html.parser
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse

import yaml

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path[:0] = [str(HERE), str(TOP / "harness"), str(TOP / "harness/package")]
import markdown
import release
import sources
import testkit
from testkit import RPCSPEC

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    webdriver = None

BROWSER, DRIVER, NODE = shutil.which("chromium"), shutil.which("chromedriver"), shutil.which("node")
VOID = {"meta", "link", "input", "br", "img", "hr"}


class Page(html.parser.HTMLParser):
    """What the rules ask about: elements with their attributes, ids, links, headings, open elements."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.wrong, self.text = [], [], [], collections.defaultdict(str)
        self.feed(text)
        self.close()
        self.wrong += [f"<{name}> stays open" for name, _ in self.open]
        self.ids = [attributes["id"] for _, attributes in self.elements if "id" in attributes]
        self.links = [attributes["href"] for name, attributes in self.elements if name == "a"]

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.elements.append((tag, attributes))
        if tag not in VOID:
            self.open.append((tag, len(self.elements) - 1))

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.wrong.append(f"</{tag}> closes {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        for _, number in self.open:
            self.text[number] += data

    def named(self, number):
        """What a screen reader calls an element."""
        attributes = self.elements[number][1]
        return attributes.get("aria-label") or self.text[number].strip()


def luminance(colour):
    digits = colour.lstrip("#")
    digits = "".join(2 * one for one in digits) if len(digits) == 3 else digits
    parts = [int(digits[at:at + 2], 16) / 255 for at in (0, 2, 4)]
    parts = [one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one, other):
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


class SiteTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.mkdtemp(prefix="rpcspec-site-")
        cls.addClassCleanup(shutil.rmtree, folder)
        cls.out = pathlib.Path(folder, "site")
        # Reports of two servers, as `./dev servers` leaves them.
        for name in ("one", "other"):
            os.makedirs(os.path.join(folder, "reports", name))
            subprocess.run([RPCSPEC, "run", "--profile", "jsonrpc-2.0", "--select", "jsonrpc/id/*", "--report",
                            f"json={folder}/reports/{name}/report.json", "--", *testkit.toy("shouting")],
                           stdout=subprocess.DEVNULL, check=False)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-B", HERE / "make.py", cls.out, RPCSPEC], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "RPCSPEC_SERVER_REPORTS": f"{folder}/reports"})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cls.seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        cls.pages = {str(path.relative_to(cls.out)): Page(path.read_text(encoding="utf-8"))
                     for path in sorted(cls.out.rglob("*.html")) if path.parent.name != "data"}
        text = (cls.out / "index.js").read_text(encoding="utf-8")
        cls.index = json.loads(text.removeprefix("const INDEX = ").rstrip().removesuffix(";"))

    def test_it_is_made_in_twenty_seconds(self):
        self.assertLess(self.seconds, 20)  # of a processor: others may be at work

    def test_every_clause_command_and_guide_has_a_page(self):
        clauses = [one["id"] for one in json.loads(subprocess.check_output(
            [RPCSPEC, "list", "requirements", "--format", "json"]))]
        self.assertGreater(len(clauses), 1500)
        pages = set(self.pages)
        self.assertLessEqual({f"clauses/{one}.html" for one in clauses}, pages)
        self.assertLessEqual({f"guide/{path.stem}.html" for path in (TOP / "docs").glob("*.md")
                              if path.stem != "README"}, pages)
        self.assertLessEqual({f"commands/{path.stem}.html" for path in (TOP / "docs/commands").glob("*.md")
                              if path.stem != "README"}, pages)

    def test_no_link_leads_nowhere(self):
        outside = set()
        for name, page in self.pages.items():
            for link in page.links:
                parts = urllib.parse.urlsplit(link)
                if parts.scheme:
                    self.assertIn(parts.scheme, ("https", "http"), link)
                    outside.add(link)
                    continue
                if name == "404.html":
                    link = link.removeprefix(urllib.parse.urlsplit(release.names()["SITE"]).path + "/")
                    parts = urllib.parse.urlsplit(link)
                target = os.path.normpath(os.path.join(os.path.dirname(name), parts.path)) if parts.path else name
                if target.startswith("data/"):  # a report, which is a page of its own kind
                    self.assertTrue((self.out / target).exists(), f"{name}: {link}")
                    continue
                self.assertIn(target, self.pages, f"{name}: {link}")
                if parts.fragment:
                    self.assertIn(urllib.parse.unquote(parts.fragment), self.pages[target].ids, f"{name}: {link}")
        # What is in the tree is there.
        host = re.compile(rf"https://github\.com/{release.names()['REPOSITORY']}/(?:blob|tree)/v[\d.]+/([^#]+)")
        files = {found[1] for found in map(host.match, outside) if found}
        self.assertGreater(len(files), 250)
        for file in files:
            self.assertTrue((TOP / urllib.parse.unquote(file)).exists(), file)

    def test_reports_and_explain_link_to_the_pages(self):
        folder = tempfile.mkdtemp(prefix="rpcspec-site-")
        self.addCleanup(shutil.rmtree, folder)

        def linked(site):
            environment = {**os.environ, "RPCSPEC_SITE": site}
            said = subprocess.check_output([RPCSPEC, "explain", "jsonrpc.id.string-echo"], text=True, env=environment)
            subprocess.run([RPCSPEC, "run", "--profile", "jsonrpc-2.0", "--select", "jsonrpc/id/*", "--report",
                            f"html={folder}/r.html", "--report", f"markdown={folder}/r.md", "--",
                            *testkit.toy("shouting")], stdout=subprocess.DEVNULL, check=False, env=environment)
            texts = [said, *(pathlib.Path(folder, name).read_text(encoding="utf-8") for name in ("r.html", "r.md"))]
            return [set(re.findall(r"https://e\.org/r/([\w./-]+)", text)) for text in texts]

        for found in linked("https://e.org/r/"):
            self.assertTrue(found)
            self.assertLessEqual(found, set(self.pages))
        self.assertEqual(linked(""), [set(), set(), set()])

    def test_the_matrix_of_known_servers_is_a_page(self):
        (frame,) = [attributes for tag, attributes in self.pages["matrix.html"].elements if tag == "iframe"]
        self.assertTrue(frame["title"])
        written = (self.out / frame["src"]).read_text(encoding="utf-8")
        data = json.loads(re.search(r'<script type="application/json"[^>]*>(.*?)</script>', written, re.S)[1])
        self.assertEqual([run["name"] for run in data["runs"]], ["one", "other"])
        self.assertTrue(all(cause["cells"] for cause in data["causes"]))
        self.assertIn("matrix.html", self.pages["known.html"].links)
        self.assertIn("matrix.html", [entry[1] for entry in self.index])

    def test_pages_are_sound_and_can_be_heard_and_driven_by_keys(self):
        for name, page in self.pages.items():
            self.assertEqual(page.wrong, [], name)
            self.assertEqual(len(page.ids), len(set(page.ids)), name)
            kinds = collections.Counter(tag for tag, _ in page.elements)
            self.assertEqual((kinds["h1"], kinds["main"], kinds["title"]), (1, 1, 1), name)
            headings = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h[1-6]", tag)]
            for above, below in zip(headings, headings[1:]):
                self.assertLessEqual(below, above + 1, f"{name}: a heading is left out")
            self.assertEqual(page.elements[0], ("html", {"lang": "en", "data-root": page.elements[0][1]["data-root"]}))
            (first,) = [attributes for tag, attributes in page.elements if tag == "a"][:1]
            self.assertEqual(first["href"], "#main", f"{name}: the first stop skips what is on every page")
            labels = {attributes.get("for") for tag, attributes in page.elements if tag == "label"}
            for number, (tag, attributes) in enumerate(page.elements):
                if tag == "input":
                    self.assertIn(attributes["id"], labels, name)
                if tag in ("a", "button") or attributes.get("role") in ("region", "listbox"):
                    self.assertTrue(page.named(number), f"{name}: {tag} {attributes} has no name")
                if tag == "nav":
                    self.assertTrue(attributes.get("aria-label"), name)
                if tag == "pre" or attributes.get("class") == "scroll":  # what scrolls
                    self.assertEqual(attributes.get("tabindex"), "0", name)
                self.assertNotIn("style", attributes, name)
                self.assertFalse([one for one in attributes if one.startswith("on")], name)

    def test_nothing_is_fetched_from_elsewhere(self):
        for name, page in self.pages.items():
            for tag, attributes in page.elements:
                address = attributes.get("src") or (tag == "link" and attributes["href"]) or ""
                self.assertNotRegex(address, r"^(https?:)?//", name)
        for name in ("page.css", "search.js", "index.js"):
            self.assertNotRegex((self.out / name).read_text(encoding="utf-8"), r"url\(|@import|fetch\(|XMLHttp")

    def test_colours_can_be_read_in_light_and_dark(self):
        css = (HERE / "page.css").read_text(encoding="utf-8")
        light, dark = (dict(re.findall(r"--(\w+): (#\w+)", part)) for part in
                       (css[:css.index("@media")], css[css.index("@media"):css.index("* {")]))
        self.assertEqual(set(light), set(dark))
        for colours in (light, dark):
            for front in ("text", "dim", "accent", "must", "should", "may"):
                for back in ("ground", "card", "raised"):
                    self.assertGreater(contrast(colours[front], colours[back]), 4.5, f"{front} on {back}")
        self.assertGreater(contrast("#000", "#fff"), 20.9)
        self.assertIn("@media print", css)

    def test_a_page_of_a_clause_says_all_that_is_known(self):
        text = (self.out / "clauses/jsonrpc.error.parse-error-code.html").read_text(encoding="utf-8")
        for part in ("Text that is not JSON is reported with code -32700", "https://www.jsonrpc.org/specification",
                     "<code>jsonrpc/error/parse-error-code</code>", "throws on text that is not JSON", "<h3>TypeScript</h3>",
                     "<h3>C++</h3>", "vscode-jsonrpc 8.2.1", "rpcspec explain jsonrpc.error.parse-error-code"):
            self.assertIn(part, text)
        # Names with a sign stay what they are.
        self.assertNotRegex(text, r"<code>[^<]*<(?!/code>)")

    def test_addresses_are_those_of_explain(self):
        clauses = [one for name in ("base", "features", "extensions", "lsp", "lsp_features", "acp", "openrpc", "own") for one in
                   yaml.load((TOP / f"cases/requirements/{name}.yaml").read_text(), getattr(yaml, "CSafeLoader"))]
        # One for each way to write a source, not two of a kind.
        kinds = {}
        for one in clauses:
            for said, _ in sources.links(one["source"]):
                kinds.setdefault(re.sub(r"[a-zA-Z]{3,}", "w", re.sub(r"\d", "0", said)), one)
        chosen = list({one["id"]: one for one in kinds.values()}.values())
        step = max(1, len(chosen) // 40)
        for one in chosen[::step]:
            told = subprocess.check_output([RPCSPEC, "explain", one["id"]], text=True)
            addresses = re.findall(r"(?m)^ +(https://\S+)$", told)
            self.assertEqual(addresses, [address for _, address in sources.links(one["source"]) if address], one["id"])

    @unittest.skipUnless(NODE, "node is not installed")
    def test_the_search_finds_what_was_meant_and_at_once(self):
        typed = ["jsonrpc.error.parse-error-code", "parse-error", "id null", "fuzz", "case language", "tools/list array",
                 "no such words anywhere", "<b>", "  "]
        script = f"""
            const fs = require('fs'), {{find}} = require({json.dumps(str(HERE / 'search.js'))});
            const INDEX = eval(fs.readFileSync({json.dumps(str(self.out / 'index.js'))}, 'utf8') + ';INDEX');
            const begun = process.hrtime.bigint();
            const found = {json.dumps(typed)}.map((one) => find(INDEX, one).map((entry) => entry[1]));
            const ms = Number(process.hrtime.bigint() - begun) / 1e6 / found.length;
            console.log(JSON.stringify({{found, ms}}));"""
        said = json.loads(subprocess.check_output([NODE, "-e", script], text=True))
        found = dict(zip(typed, said["found"]))
        self.assertEqual(found["jsonrpc.error.parse-error-code"][0], "clauses/jsonrpc.error.parse-error-code.html")
        self.assertIn("clauses/jsonrpc.error.parse-error-code.html", found["parse-error"][:5])
        self.assertEqual(found["fuzz"][0].split("/")[0], "commands")
        self.assertEqual(found["case language"][0], "guide/case-language.html")
        self.assertTrue(any("mcp.tools.list-result-tools-array" in one for one in found["tools/list array"]))
        self.assertTrue(found["id null"])
        for nothing in ("no such words anywhere", "<b>", "  "):
            self.assertEqual(found[nothing], [])
        self.assertLess(said["ms"], 100)

    def test_what_the_search_knows_is_there(self):
        self.assertGreater(len(self.index), 2000)
        for name, address, _, kind in self.index:
            path, _, heading = address.partition("#")
            self.assertIn(path, self.pages, name)
            if heading:
                self.assertIn(heading, self.pages[path].ids, name)
            self.assertIn(kind, ("clause", "area", "guide", "command", "known server"))


class MarkdownTest(unittest.TestCase):
    def made(self, text):
        return markdown.page(text, lambda to: to + "!")[1]

    def test_lines(self):
        self.assertEqual(self.made("A `<b>` and **strong `x`**, *so*, [a `b`](c.md#d) <https://e.org/>"),
                         '<p>A <code>&lt;b&gt;</code> and <strong>strong <code>x</code></strong>, <em>so</em>, '
                         '<a href="c.md#d!">a <code>b</code></a> <a href="https://e.org/">https://e.org/</a></p>')
        self.assertEqual(self.made("snake_case_name 2 * 3 * 4 <script> a\\|b &lt;x&gt;"),
                         "<p>snake_case_name 2 * 3 * 4 &lt;script&gt; a|b &lt;x&gt;</p>")
        self.assertEqual(self.made("![a page](docs/p.png)"), '<p><img src="docs/p.png!" alt="a page"></p>')

    def test_blocks(self):
        self.assertEqual(self.made("# A b!\n\ntext\nmore\n\n```sh\na <b\n# c\n```\n<!-- no\ncomment -->\n> said"),
                         '<h1 id="a-b">A b!</h1>\n<p>text more</p>\n<pre tabindex="0"><code>a &lt;b\n# c</code></pre>\n'
                         '<blockquote><p>said</p></blockquote>')
        self.assertIn("<thead><tr><th>a</th><th class=number>b</th></tr></thead><tbody><tr><td>1 | <code>x</code></td>"
                      "<td class=number>2</td></tr></tbody>", self.made("| a | b |\n|---|--:|\n| 1 \\| `x` | 2 |"))

    def test_lists(self):
        self.assertEqual(self.made("- a\n  goes on\n- b\n\n  ```\n  code\n  ```\n\nafter"),
                         '<ul><li>a goes on</li><li>b\n<pre tabindex="0"><code>code</code></pre></li></ul>\n<p>after</p>')
        self.assertEqual(self.made("1. a\n   - c\n   - d\n2. b"),
                         "<ol><li>a\n<ul><li>c</li><li>d</li></ul></li><li>b</li></ol>")

    def test_titles_without_signs(self):
        self.assertEqual(markdown.page("# The `x` page\n")[0], "The x page")


@unittest.skipUnless(webdriver and BROWSER and DRIVER, "chromium, chromium-driver or python3-selenium is not installed")
class BrowserTest(unittest.TestCase):
    def test_a_clause_is_opened_by_search(self):
        folder = tempfile.mkdtemp(prefix="rpcspec-site-")
        self.addCleanup(shutil.rmtree, folder)
        subprocess.run([sys.executable, "-B", HERE / "make.py", folder, RPCSPEC], check=True, stdout=subprocess.DEVNULL)
        options = Options()
        options.binary_location = BROWSER
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        browser = webdriver.Chrome(service=Service(DRIVER), options=options)
        self.addCleanup(browser.quit)
        browser.get(pathlib.Path(folder, "index.html").as_uri())
        browser.find_element(By.TAG_NAME, "body").send_keys("/")
        box = browser.switch_to.active_element
        self.assertEqual(box.get_attribute("id"), "search")
        box.send_keys("parse-error-code")
        until = time.monotonic() + 10
        while not browser.find_elements(By.CSS_SELECTOR, "#results li") and time.monotonic() < until:
            time.sleep(0.02)
        # With the index at hand a letter is answered at once; what else the machine does makes some slower.
        took = browser.execute_script("""
            const input = document.getElementById('search'), all = [];
            for (let i = 0; i < 10; i++) {
              const begun = performance.now();
              input.value = i % 2 ? 'jsonrpc.error.parse-error-cod' : 'jsonrpc.error.parse-error-code';
              input.dispatchEvent(new Event('input'));
              all.push(performance.now() - begun);
            }
            input.value = 'jsonrpc.error.parse-error-code';
            input.dispatchEvent(new Event('input'));
            return Math.min(...all);""")
        self.assertLess(took, 200)
        box.send_keys(Keys.ENTER)
        until = time.monotonic() + 10
        while "clauses" not in browser.current_url and time.monotonic() < until:
            time.sleep(0.02)
        self.assertTrue(browser.current_url.endswith("clauses/jsonrpc.error.parse-error-code.html"))
        self.assertIn("jsonrpc.error.parse-error-code", browser.find_element(By.TAG_NAME, "h1").text)
        self.assertEqual([entry["message"] for entry in browser.get_log("browser")], [])


if __name__ == "__main__":
    testkit.main()
