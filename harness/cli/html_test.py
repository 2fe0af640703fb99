#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# The HTML report in a real browser: what is clicked, filtered, searched and linked to, both colour
# schemes, what a hostile target leaves, and a report of thousands of cases. Chromium, its driver and
# selenium are needed (packages chromium, chromium-driver, python3-selenium); skipped without them.
#
#   html_test.py RPCSPEC REFERENCE_SERVER [TEST...]
import json
import os
import re
import shutil
import subprocess
import sys
import time
import unittest
from urllib.parse import quote

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import testkit
from testkit import SERVER

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    webdriver = None

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
MISSING = ("chromium, chromium-driver or python3-selenium is not installed"
           if not (webdriver and BROWSER and DRIVER) else "")
UPPERCASE = ["--fault", "id-string-uppercased"]  # breaks a MUST
PROFILE = ["--profile", "mcp-2025-11-25"]
HOSTILE = ("</script><script>document.title='owned'</script><img src=x onerror=\"document.title="
           "'owned'\"><!--<script>{{data}}{{script}}]]>&lt;\u2028\u202eevil\x1b[2J\0 javascript:alert(1) "
           "https://evil.example/ '\"`${1}")
MOST_BYTES = 10_000_000


class HtmlTest(testkit.RpcspecTest):
    @classmethod
    def setUpClass(cls):
        options = Options()
        options.binary_location = BROWSER
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1300,1500",
                     "--disable-dev-shm-usage"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.browser = webdriver.Chrome(service=Service(DRIVER), options=options)
        cls.addClassCleanup(cls.browser.quit)

    def setUp(self):
        super().setUp()
        self.addCleanup(self.no_complaints)

    def no_complaints(self):
        self.assertEqual([entry["message"] for entry in self.browser.get_log("browser")], [])

    def open(self, name, place=""):
        self.browser.get("about:blank")
        self.browser.get("file://" + self.path(name) + place)
        self.wait_for(lambda: self.script("return document.documentElement.dataset.ready") == "yes")

    def script(self, text, *words):
        return self.browser.execute_script(text, *words)

    # What a click brings about may come a task later: a fold is filled when its toggle event runs, and
    # an address is followed when its hashchange event runs.
    def wait_for(self, condition, seconds=60):
        until = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), until, "waited in vain")
            time.sleep(0.05)

    def becomes(self, wanted, reading):
        try:
            self.wait_for(lambda: reading() == wanted)
        except AssertionError:
            self.assertEqual(reading(), wanted)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        self.wait_for(lambda: self.all(selector))
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def shown(self, selector):
        return [node for node in self.all(selector) if node.is_displayed()]

    def contrast(self, selector):
        """The least of WCAG among the elements, against what is painted behind them."""
        return self.script("""
          const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
          const light = ([r, g, b]) => { const part = (c) => (c /= 255) <= 0.03928 ? c / 12.92
            : ((c + 0.055) / 1.055) ** 2.4; return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b); };
          const ground = (node) => { for (let up = node; up; up = up.parentElement) {
            const colour = numbers(getComputedStyle(up).backgroundColor);
            if (colour.length < 4 || colour[3] > 0) return colour; } return [255, 255, 255]; };
          return Math.min(...[...document.querySelectorAll(arguments[0])].slice(0, 50).map((node) => {
            const a = light(numbers(getComputedStyle(node).color)), b = light(ground(node));
            return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); }));""", selector)


class PageTest(HtmlTest):
    """A run of the reference server with a Fault."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        played = cls("run_once")
        testkit.RpcspecTest.setUp(played)
        played.run_once()
        cls.addClassCleanup(played.doCleanups)
        cls.played = played

    def run_once(self):
        self.rpcspec("run", *PROFILE, "--select", "jsonrpc/*", "--select", "mcp/tools/*", "--report",
                     "html=r.html", "--report", "json=r.json", "--", SERVER, *PROFILE, *UPPERCASE,
                     code=1)
        self.report = self.load("r.json")

    def setUp(self):
        super().setUp()
        self.report = self.played.report
        shutil.copy(self.played.path("r.html"), self.path("r.html"))

    def test_it_opens_with_the_outcome_and_the_first_cause(self):
        self.open("r.html")
        self.assertRegex(self.one("h1").text, r"Failed: \d+ problems? to fix")
        self.assertEqual(self.browser.title[:15], "rpcspec: failed")
        first = self.all("details.cause")[0]
        self.assertTrue(first.get_attribute("open"))
        self.assertIn(self.report["causes"][0]["title"], first.text)
        self.assertEqual(len(self.all("details.cause")), len(self.report["causes"]))
        self.assertIn(self.report["causes"][0]["replay"], first.text)
        self.assertGreaterEqual(len(first.find_elements(By.CSS_SELECTOR, ".arrow.proof")), 1)
        self.assertIn("https://", first.find_element(
            By.CSS_SELECTOR, ".clause a[target=_blank]").get_attribute("href"))

    def test_nothing_is_asked_of_a_network(self):
        text = self.read("r.html")
        self.assertNotRegex(text.split('<script type="application/json"')[0],
                            r"(src|href)=[\"'](?!#)")
        self.open("r.html")
        self.assertEqual(self.script(
            "return performance.getEntriesByType('resource').map((one) => one.name)"), [])

    def test_the_difference_marks_what_was_expected_and_what_came(self):
        self.open("r.html", "#/case/" + quote("jsonrpc/id/string-echo", safe=""))
        case = self.one("details.case[open]")
        plus, minus = (case.find_element(By.CSS_SELECTOR, ".line." + kind) for kind in
                       ("plus", "minus"))
        self.assertIn('"id": ', plus.text)
        self.assertIn('"id": ', minus.text)
        self.assertEqual(plus.text.split('"id": ')[1], minus.text.split('"id": ')[1].upper())

    def test_frames_unfold_to_their_bytes(self):
        self.open("r.html")
        frame = self.one("details.cause .arrow.received.proof details.frame")
        self.assertEqual(frame.find_elements(By.CSS_SELECTOR, "pre.raw"), [])
        frame.find_element(By.CSS_SELECTOR, "summary").click()
        self.wait_for(lambda: frame.find_elements(By.CSS_SELECTOR, "pre.raw"))
        frames = {one.get("text") for one in self.report["causes"][0]["frames"]}
        self.assertIn(frame.find_element(By.CSS_SELECTOR, "pre.raw").text, frames)

    def test_a_verdict_filters_the_cases_and_stands_in_the_address(self):
        self.open("r.html")
        self.one("button.chip[data-verdict=fail]").click()
        failed = self.report["summary"]["fail"]
        self.becomes(failed, lambda: len(self.all("details.case")))
        self.assertIn("verdict=fail", self.browser.current_url)
        self.becomes("true", lambda: self.one("button.chip[data-verdict=fail]").get_attribute(
            "aria-pressed"))
        address = self.browser.current_url
        self.browser.get("about:blank")
        self.browser.get(address)
        self.wait_for(lambda: len(self.all("details.case")) == failed)
        self.one("#all-cases").click()
        self.wait_for(lambda: len(self.all("details.case")) > failed)

    def test_an_area_opens_its_cases(self):
        self.open("r.html")
        (area,) = [node for node in self.all(".bars .as-link") if node.text == "mcp/tools"]
        area.click()
        wanted = [case for case in self.report["cases"] if case["id"].startswith("mcp/tools/")]
        self.becomes(len(wanted), lambda: len(self.all("details.case")))
        self.becomes("section-cases", lambda: self.script("return document.activeElement.id"))

    def test_search_finds_causes_cases_and_requirements(self):
        self.open("r.html")
        self.one("body").send_keys("/")
        box = self.one("#search")
        self.becomes("search", lambda: self.script("return document.activeElement.id"))
        box.send_keys("string-echo")
        found = [case for case in self.report["cases"] if "string-echo" in " ".join(
            [case["id"], case["title"], case["reason"], *case["requirements"]])]
        self.wait_for(lambda: len(self.all("details.case")) == len(found))
        self.assertIn("case-jsonrpc/id/string-echo",
                      [node.get_attribute("id") for node in self.all("details.case")])
        box.send_keys(Keys.ESCAPE)
        self.wait_for(lambda: len(self.all("details.case")) > 20)
        box.send_keys("no such words anywhere")
        self.wait_for(lambda: not self.shown("details.cause") and not self.all("details.case"))

    def test_places_can_be_linked_to(self):
        clause = self.report["causes"][0]["requirement"]
        case = self.report["causes"][0]["findings"][0]["case"]
        for place, node in ((f"#/requirement/{clause}", f"requirement-{clause}"),
                            ("#/case/" + quote(case, safe=""), "case-" + case),
                            ("#/cause/1", "cause-1"), ("#/latency", "section-latency")):
            with self.subTest(place=place):
                self.open("r.html", place)
                self.wait_for(lambda: self.script(
                    "const at = document.getElementById(arguments[0]).getBoundingClientRect();"
                    "return at.top >= 0 && at.top < innerHeight && at.height > 0", node))
        self.one(".bars .as-link")
        self.open("r.html", "#/case/%ff%00no-such")  # is no place, and no trouble

    def test_the_matrix_has_a_square_for_each_requirement(self):
        self.open("r.html")
        squares = self.all(".square")
        self.assertEqual(len(squares), len(self.report["coverage"]))
        clause = self.report["causes"][0]["requirement"]
        (square,) = [node for node in squares
                     if node.get_attribute("aria-label").startswith(clause + ",")]
        square.click()
        self.wait_for(lambda: self.one(f"[id='requirement-{clause}']").is_displayed())
        self.assertIn(clause, self.one(f"[id='requirement-{clause}']").text)

    def test_the_command_can_be_copied(self):
        self.open("r.html")
        self.browser.execute_cdp_cmd("Browser.grantPermissions", {
            "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        button = self.one("details.cause button.copy")
        self.assertIn("Copy", button.text)
        button.click()
        self.becomes("Copied", lambda: self.script(
            "return document.getElementById('said').textContent"))
        copied = self.browser.execute_async_script(
            "navigator.clipboard.readText().then(arguments[0], (e) => arguments[0]('' + e))")
        self.assertEqual(copied, self.report["causes"][0]["replay"])

    def test_a_cause_is_told_as_the_text_of_an_issue(self):
        self.open("r.html")
        self.one("details.cause details.issue > summary").click()
        text = self.one("details.cause details.issue code").text
        cause = self.report["causes"][0]
        self.assertTrue(text.startswith(f"## {cause['title']}\n\n**{cause['level']}** "), text)
        first = cause["findings"][0]
        (case,) = [one for one in self.report["cases"] if one["id"] == first["case"]]
        finding = case["findings"][first["finding"]]
        for part in (cause["requirement"], finding["expected"], finding["seen"], cause["replay"],
                     *[frame["text"] for frame in finding["frames"]], case["id"]):
            self.assertIn(part, text)
        self.assertEqual(text.count("\n```\n") % 2, 0)

    def test_the_slowest_cases_come_first_where_that_is_asked(self):
        self.open("r.html", "#/cases?order=slowest")
        slowest = max(case["duration_ms"] for case in self.report["cases"])
        shown = self.one("details.case").get_attribute("id")[len("case-"):]
        self.assertEqual({case["id"]: case["duration_ms"] for case in self.report["cases"]}[shown],
                         slowest)
        self.one("#all-cases").click()
        self.becomes("", lambda: self.one("#order").get_attribute("value"))
        self.assertNotIn("order", self.browser.current_url)

    def test_both_schemes_can_be_read(self):
        for scheme in ("light", "dark"):
            with self.subTest(scheme=scheme):
                self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                    "features": [{"name": "prefers-color-scheme", "value": scheme}]})
                self.open("r.html")
                for selector in ("body", ".head .outcome", ".tile", ".badge", ".wanted h4", ".got h4",
                                 ".dim", ".clause a", ".plus", ".minus", ".chip", ".arrow.proof .label",
                                 ".square.v-fail", ".copy"):
                    self.assertGreaterEqual(self.contrast(selector), 4.5, selector)
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        self.open("r.html")
        grounds = []
        for _ in range(3):
            grounds.append(self.script("return getComputedStyle(document.body).backgroundColor"))
            self.one("#theme").click()
        self.assertEqual(len(set(grounds)), 2, "auto is one of light and dark")

    def test_the_keyboard_reaches_and_opens_everything(self):
        self.open("r.html")
        self.script("document.activeElement.blur()")
        self.one("body").send_keys(Keys.TAB)
        self.becomes("skip", lambda: self.script("return document.activeElement.className"))
        closed = self.all("details.cause:not([open]) > summary") or self.all("details.case > summary")
        closed[0].send_keys(Keys.ENTER)
        self.becomes("true", lambda: closed[0].find_element(By.XPATH, "..").get_attribute("open"))
        self.assertEqual(self.script(
            "return [...document.querySelectorAll('a, button, input, select')].filter((node) => "
            "!(node.textContent.trim() || node.getAttribute('aria-label') || "
            "node.closest('label')?.textContent.trim())).length"), 0, "each has a name")
        levels = self.script("return [...document.querySelectorAll('h1,h2,h3,h4')].map((node) => "
                             "+node.tagName[1])")
        self.assertEqual(levels[0], 1)
        self.assertTrue(all(after - before <= 1 for before, after in zip(levels, levels[1:])))

    def test_it_prints(self):
        self.open("r.html")
        pdf = self.browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"]
        self.assertGreater(len(pdf), 20000)

    def test_a_narrow_window_needs_no_scrolling_sideways(self):
        self.browser.set_window_size(500, 900)
        self.addCleanup(self.browser.set_window_size, 1300, 1500)
        self.open("r.html")
        self.assertLessEqual(self.script("return document.documentElement.scrollWidth"),
                             self.script("return innerWidth"))
        # what a case is called has the whole width
        row, names = (self.script(f"return document.querySelector('{one}').offsetWidth")
                      for one in (".case > summary", ".case .names"))
        self.assertGreater(names, 0.8 * row)


class HeadTest(HtmlTest):
    """What stands above the causes: where a report comes from, and what a pass does not say."""

    SECRET = "tok-0123456789abcdef"

    def serve(self, *words):
        port = testkit.free_port()
        server = subprocess.Popen(
            [SERVER, "--transport", "http", "--port", str(port), "--auth", "bearer", *PROFILE, *words],
            env={**os.environ, "RPCSPEC_REFERENCE_SECRET": self.SECRET}, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        self.assertTrue(testkit.wait_for_port(port))
        return f"http://127.0.0.1:{port}/mcp"

    @unittest.skipUnless(shutil.which("curl"), "curl is not installed")
    def test_curl_sends_the_request_that_shows_a_cause(self):
        url = self.serve(*UPPERCASE)
        self.rpcspec("run", *PROFILE, "--select", "jsonrpc/id/string-echo", "--auth", "bearer:MY_TOKEN",
                     "--url", url, "--report", "html=s.html", "--report", "json=s.json", code=1,
                     environment={"MY_TOKEN": self.SECRET})
        self.assertNotIn(self.SECRET, self.read("s.html") + self.read("s.json"))
        cause = self.load("s.json")["causes"][0]
        self.open("s.html", "#/cause/1")
        self.assertIn("Set MY_TOKEN first", self.unfolded(".curl .dim"))
        shown = self.one(".curl .copyable code").text
        self.assertEqual(shown, cause["curl"])
        self.assertIn("""-H 'Authorization: Bearer '"$MY_TOKEN\"""", shown)
        answer = subprocess.run(["sh", "-c", shown], stdout=subprocess.PIPE, timeout=60, check=True,
                                env={**os.environ, "MY_TOKEN": self.SECRET}).stdout.decode()
        head, _, body = answer.partition("\r\n\r\n")
        self.assertIn(" 200 ", head.split("\r\n")[0])
        (seen,) = [one["text"] for one in cause["frames"] if one["direction"] == "received"]
        self.assertIn(seen, body)
        # Another report that is made of this one says the same.
        self.rpcspec("report", "s.json", "--to", "json=again.json")
        self.assertEqual(self.load("again.json")["causes"][0]["curl"], shown)

    def unfolded(self, selector):
        """The text of what a fold holds, which is opened."""
        self.script("arguments[0].open = true", self.one(selector.split(" ", 1)[0]))
        return self.one(selector).text

    def test_the_sources_and_the_job_are_named(self):
        ci = {"GITHUB_ACTIONS": "true", "GITHUB_REPOSITORY": "me/server", "GITHUB_SHA": "0123abcd" * 5,
              "GITHUB_REF_NAME": "main", "GITHUB_SERVER_URL": "https://ci.example",
              "GITHUB_RUN_ID": "77", "GITHUB_STEP_SUMMARY": "", "GITHUB_HEAD_REF": ""}
        self.rpcspec("run", *PROFILE, "--select", "jsonrpc/id/*", "--report", "html=s.html", "--report",
                     "json=s.json", "--", SERVER, *PROFILE, environment=ci)
        report = self.load("s.json")
        self.assertEqual(report["ci"], {"repository": "me/server", "commit": "0123abcd" * 5,
                                        "branch": "main",
                                        "run": "https://ci.example/me/server/actions/runs/77"})
        self.assertRegex(report["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.open("s.html")
        facts = self.one(".facts").text
        for word in ("me/server", "main", "0123abcd0123"):
            self.assertIn(word, facts)
        self.assertEqual(self.one(".facts a").get_dom_attribute("href"), report["ci"]["run"])
        self.assertEqual(self.one(".facts time").get_dom_attribute("datetime"), report["time"])
        gitlab = {"GITHUB_ACTIONS": "", "GITLAB_CI": "true", "CI_PROJECT_PATH": "group/server",
                  "CI_COMMIT_SHA": "f" * 40, "CI_COMMIT_REF_NAME": "topic",
                  "CI_JOB_URL": "https://lab.example/1"}
        self.rpcspec("run", *PROFILE, "--select", "jsonrpc/id/*", "--report", "json=s.json", "--",
                     SERVER, *PROFILE, environment=gitlab)
        self.assertEqual(self.load("s.json")["ci"], {
            "repository": "group/server", "commit": "f" * 40, "branch": "topic",
            "run": "https://lab.example/1"})

    def test_a_pass_that_says_little_says_so(self):
        self.rpcspec("run", *PROFILE, "--select", "jsonrpc/id/*", "--report", "html=s.html", "--",
                     SERVER, *PROFILE)
        self.open("s.html")
        self.assertIn("cases were judged: too few", self.one(".head .caveats").text)
        self.rpcspec("run", *PROFILE, "--select", "jsonrpc/id/*", "--report", "html=s.html", "--",
                     SERVER, *PROFILE, *UPPERCASE, code=1)
        self.open("s.html")
        self.assertEqual(self.all(".caveats"), [])

    def test_keys_go_through_causes_and_cases(self):
        self.rpcspec("run", *PROFILE, "--select", "jsonrpc/id/*", "--report", "html=s.html", "--",
                     SERVER, *PROFILE, *UPPERCASE, code=1)
        self.open("s.html")
        focus = lambda: self.script(
            "return document.activeElement.closest('details')?.id || ''")
        cards = self.script("return [...document.querySelectorAll('details.cause, details.case')]"
                            ".map((card) => card.id)")
        for key, wanted in (("j", 0), ("j", 1), ("j", 2), ("k", 1)):
            self.browser.switch_to.active_element.send_keys(key)
            self.assertEqual(focus(), cards[wanted])
        self.one("#search").send_keys("j")
        self.assertEqual(self.script("return document.activeElement.value"), "j")


class StrangeTest(HtmlTest):
    """Reports that no sound run wrote."""

    def made_of(self, change):
        self.rpcspec("run", *PROFILE, "--select", "jsonrpc/id/*", "--report", "json=r.json", "--",
                     SERVER, *PROFILE, *UPPERCASE, code=1)
        report = self.load("r.json")
        change(report)
        with open(self.path("s.json"), "w", encoding="utf-8") as file:
            json.dump(report, file)
        self.rpcspec("report", "s.json", "--to", "html=s.html")

    def test_hostile_text_neither_runs_nor_breaks_the_page(self):
        kept = {"format", "verdict", "direction", "channel", "severity", "id", "case"}

        def poisoned(value, name=""):
            if isinstance(value, dict):
                return {key: poisoned(item, key) for key, item in value.items()}
            if isinstance(value, list):
                return [poisoned(item, name) for item in value]
            if isinstance(value, str) and name in ("id", "case"):
                return value + HOSTILE
            return value + HOSTILE if isinstance(value, str) and name not in kept else value

        def change(report):
            for key, value in list(report.items()):
                report[key] = poisoned(value, key)
            report["ci"] = dict.fromkeys(("repository", "commit", "branch"), HOSTILE) | {
                "run": "https://ci.example/" + HOSTILE}
            report["time"] = HOSTILE
            for cause in report["causes"]:
                cause["curl"] = HOSTILE

        self.made_of(change)
        self.open("s.html")
        self.assertNotIn("owned", [self.browser.title])
        self.assertEqual(len(self.all("script")), 2)
        self.assertEqual(len(self.all("img, iframe, object, embed, style ~ style")), 0)
        for summary in self.all("details.cause:not([open]) > summary")[:5] + \
                self.all("details.case > summary")[:10]:
            self.script("arguments[0].parentElement.open = true", summary)
        for frame in self.all("details.frame > summary")[:5]:
            self.script("arguments[0].parentElement.open = true", frame)
        self.script("document.querySelector('#requirement-table').open = true")
        time.sleep(0.3)
        self.assertEqual(len(self.all("script")), 2)
        self.assertEqual(len(self.all("img, iframe, object, embed")), 0)
        self.assertNotEqual(self.browser.title, "owned")
        text = self.script("return document.body.innerText")
        self.assertIn("<img src=x", text)
        self.assertIn("\\u{202e}evil", text)
        self.assertNotRegex(text, "[\u202e\u2028\x00\x1b]")
        for node in self.all("a"):
            self.assertRegex(node.get_dom_attribute("href"), r"^(#/|https://(www\.jsonrpc\.org|"
                             r"modelcontextprotocol\.io|github\.com/modelcontextprotocol|"
                             r"www\.rfc-editor\.org)/)")

    def test_a_script_that_gets_in_would_not_run(self):
        self.made_of(lambda report: None)
        page = self.read("s.html").replace(
            "<main", "<script>document.title='owned'</script><main", 1)
        self.write("s.html", page)
        self.open("s.html")
        self.assertNotEqual(self.browser.title, "owned")
        refused = [entry["message"] for entry in self.browser.get_log("browser")]
        self.assertTrue(any("Content Security Policy" in one for one in refused), refused)

    def test_thousands_of_cases_and_frames_stay_usable(self):
        def change(report):
            (shape,) = [one for one in report["cases"] if one["id"] == "jsonrpc/id/string-echo"]
            frame = dict(shape["findings"][0]["frames"][0], text="{\"filler\":\"" + "x" * 1000 + "\"}")
            for i in range(5000):
                failed = i % 5 == 0
                one = dict(shape, id=f"big/area{i % 40}/case{i}", verdict="fail" if failed else "pass",
                           findings=[])
                if failed:
                    one["findings"] = [dict(shape["findings"][0], row=str(row), frames=[
                        dict(frame, seq=10 * row + n) for n in range(10)]) for row in range(10)]
                report["cases"].append(one)

        self.made_of(change)
        size = os.path.getsize(self.path("s.html"))
        self.assertLess(size, MOST_BYTES)
        self.assertGreater(os.path.getsize(self.path("s.json")), 50_000_000)
        started = time.monotonic()
        self.open("s.html")
        opened = time.monotonic() - started
        (paint,) = self.script("return performance.getEntriesByType('paint').filter((one) => "
                               "one.name === 'first-contentful-paint').map((one) => one.startTime)")
        print(f"{size / 1e6:.1f} MB, first picture after {paint / 1000:.2f} s, opened after "
              f"{opened:.2f} s", file=sys.stderr)
        self.assertLess(paint / 1000, 2 * float(os.environ.get("RPCSPEC_TIME_FACTOR", "5")))
        self.assertIn("This page was trimmed", self.one(".trimmed").text)
        self.assertEqual(len(self.all("details.case")), 200)
        self.one("button.chip[data-verdict=fail]").click()
        self.wait_for(lambda: re.match(r"1,0\d\d cases of 50\d\d", self.one("#case-count").text))
        self.one(".case-list > button").click()
        self.becomes(400, lambda: len(self.all("details.case")))

    def test_a_report_without_findings_is_fine(self):
        self.rpcspec("run", *PROFILE, "--select", "jsonrpc/id/*", "--report", "html=s.html", "--",
                     SERVER, *PROFILE)
        self.open("s.html")
        self.assertEqual(self.one("h1 .outcome").text, "Passed")
        self.assertTrue(self.all(".fine"))

    def test_described_methods_are_a_table(self):
        plain = ["--profile", "jsonrpc-2.0"]
        self.rpcspec("run", *plain, "--select", "openrpc/wrong-type", "--report", "html=m.html", "--",
                     SERVER, *plain)
        self.open("m.html")
        rows = [row.text for row in self.all("table.methods tbody tr")]
        (book,) = [row for row in rows if row.startswith("book.get ")]
        self.assertIn("example 2 tried", book)
        (reset,) = [row for row in rows if row.startswith("admin.reset ")]
        self.assertIn("no: its name says that it changes something", reset)

    def test_a_campaign_has_its_curves_and_scripts(self):
        def change(report):
            case = report["causes"][0]["findings"][0]["case"]
            report["campaign"] = {
                "curve": [{"time_ms": 100 * i, "execs": 90 * i, "frames": 900 * i, "edges": 5 * i,
                           "behaviours": 7 * i, "corpus": i, "findings": i // 10}
                          for i in range(1, 30)],
                "scripts": [{"case": case, "text": "#! profile: mcp-2025-11-25\n{\"id\":1}\n"}]}

        self.made_of(change)
        self.open("s.html", "#/campaign")
        self.assertEqual([node.get_attribute("aria-label") for node in self.all("svg.curve")],
                         ["Behaviours: 203 at the end, 203 at most",
                          "Edges: 145 at the end, 145 at most",
                          "Rate: 900 at the end, 900 at most"])
        self.assertEqual(len(self.one("svg.curve").find_elements(By.CSS_SELECTOR, ".found")), 2)
        self.assertIn("#! profile: mcp-2025-11-25", self.one("details.cause[open]").text)

    def test_several_runs_are_told_apart(self):
        for name in ("a", "b"):
            self.rpcspec("run", *PROFILE, "--select", "jsonrpc/id/*", "--report", f"json={name}.json",
                         "--", "env", f"NAME={name}", SERVER, *PROFILE)
        self.rpcspec("report", "a.json", "b.json", "--to", "html=s.html")
        self.open("s.html")
        self.assertEqual(len(self.all("#section-runs tbody tr")), 2)


class MatrixTest(HtmlTest):
    """Causes by runs: three versions of one server."""

    CASES = ["--select", "jsonrpc/id/string-echo", "--select", "jsonrpc/id/zero-echo", "--select", "mcp/ping/result"]
    FAULTS = {"1.0": ["--fault", "ping-refused"], "1.1": [], "2.0": [*UPPERCASE, "--fault", "ping-refused"]}

    def setUp(self):
        super().setUp()
        for version, faults in self.FAULTS.items():
            self.rpcspec("run", *PROFILE, *self.CASES, "--report", f"json={version}.json", "--",
                         SERVER, *PROFILE, *faults, code=1 if faults else 0)
        self.named = [f"{version}={version}.json" for version in self.FAULTS]
        self.rpcspec("report", *self.named, "--to", "matrix=m.html", "--to", "json=all.json")
        self.report = self.load("all.json")

    def cells(self, kind):
        return self.all(f"#section-matrix tbody {kind}")

    def test_a_row_is_a_cause_and_a_column_a_run(self):
        self.open("m.html")
        self.assertEqual([node.text for node in self.all("#section-matrix thead th")], ["Cause", *self.FAULTS, "In"])
        self.assertEqual(len(self.cells("tr.of-cause")), len(self.report["causes"]))
        # The one that most have stands in front.
        first = self.cells("tr.of-cause")[0]
        self.assertIn("mcp.ping.result", first.text)
        self.assertEqual([node.get_attribute("class").split()[-1] for node in
                          first.find_elements(By.CSS_SELECTOR, "td .square")], ["v-fail", "v-pass", "v-fail"])
        self.assertEqual([node.text for node in self.all("#section-matrix tfoot td.number")],
                         ["1 + 0", "0 + 0", "2 + 0"])
        self.assertEqual(len(self.all("#section-runs tbody tr")), 3)

    def test_what_was_not_judged_is_neither_good_nor_bad(self):
        self.write("t/gone.yaml", "command: [./gone]\n")
        self.rpcspec("run", "--targets", "t", "--into", "out", code=3)
        self.rpcspec("report", "gone=out/gone.json", *self.named, "--to", "matrix=g.html")
        self.open("g.html")
        self.assertEqual(self.cells("tr.of-cause td")[0].text, "?")
        self.assertIn("Not judged: gone.", self.one("#section-matrix .unjudged").text)
        self.assertIn("no such file", self.one("#section-runs").text)

    def test_a_bad_cell_opens_the_frames_of_its_run(self):
        self.open("m.html")
        for row in range(len(self.report["causes"])):
            for cell in self.cells("tr.of-cause")[row].find_elements(By.CSS_SELECTOR, "a.v-fail"):
                run, title = cell.get_attribute("aria-label").split(": ", 1)
                with self.subTest(run=run, title=title):
                    cell.click()
                    self.wait_for(lambda: run in self.one("#cell p").text)
                    (cause,) = [one for one in self.report["causes"] if title.startswith(one["title"])]
                    ref = next(one for one in cause["findings"] if one["case"].startswith(run + "/"))
                    (case,) = [one for one in self.report["cases"] if one["id"] == ref["case"]]
                    finding = case["findings"][ref["finding"]]
                    self.assertIn(finding["seen"], self.one("#cell .got").text)
                    shown = self.all("#cell .arrow details.frame")
                    self.assertEqual(len(shown), len(finding["frames"]))
                    shown[-1].find_element(By.CSS_SELECTOR, "summary").click()
                    self.wait_for(lambda: self.all("#cell pre.raw"))
                    self.assertEqual(self.all("#cell pre.raw")[-1].text, finding["frames"][-1]["text"])
                    self.assertIn(case["replay"], self.one("#cell .copyable").text)
        address = self.browser.current_url
        self.one("#cell button.quiet").click()
        self.becomes([], lambda: self.all("#cell"))
        self.browser.get("about:blank")
        self.browser.get(address)
        self.wait_for(lambda: self.all("#cell"))

    def test_a_page_of_everything_has_it_too(self):
        self.rpcspec("report", *self.named, "--to", "html=s.html")
        self.open("s.html", "#/cell/1/1.0")
        self.one("#cell .arrow.proof")
        self.assertTrue(self.all("details.cause"))

    def test_it_can_be_read_in_both_schemes_and_be_driven_by_keys(self):
        for scheme in ("light", "dark"):
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                "features": [{"name": "prefers-color-scheme", "value": scheme}]})
            self.open("m.html")
            for selector in ("#section-matrix .square", "#section-matrix .dim", "#section-matrix th"):
                self.assertGreaterEqual(self.contrast(selector), 4.5, (scheme, selector))
        self.cells("a.v-fail")[0].send_keys(Keys.ENTER)
        self.becomes("cell", lambda: self.script("return document.activeElement.id"))
        self.one("#cell button.quiet").send_keys(Keys.ENTER)
        self.becomes("A", lambda: self.script("return document.activeElement.tagName"))
        self.one("#search").send_keys("ping")
        self.becomes(1, lambda: len(self.shown("tr.of-cause")))


if __name__ == "__main__":
    if MISSING:
        print("skipped:", MISSING, file=sys.stderr)
        sys.exit(77)
    testkit.main()
