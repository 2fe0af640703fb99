#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the site: the guides, the commands, the case language and a page a clause, out of this tree and
the program, without a network. The pages are files: they can be opened from a folder, or served.

    make.py OUT [RPCSPEC]        build/rpcspec without a second argument

Where `./dev servers` has judged the known servers (build/servers, or what RPCSPEC_SERVER_REPORTS names), their
reports become a page too: the results matrix.
"""
import collections
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap
import urllib.parse

import yaml

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path[:0] = [str(HERE), str(TOP / "harness/package"), str(TOP / "docs")]
import markdown
import release
import sources

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
LANGUAGES = {"typescript": "TypeScript", "python": "Python", "go": "Go", "cpp": "C++"}
# What stands in a folder of its own on the site; every other page of the tree is at its host.
PLACES = {"docs/README.md": "guide/index.html", "cases/GRAMMAR.md": "guide/case-language.html",
          "README.md": "index.html", "docs/commands/README.md": "commands/index.html"}
PICTURES = ["docs/report.png"]
# What an area is about, where its name does not say it.
AREAS = {
    "http26": "Streamable HTTP of 2026-07-28", "mrtr": "multi round-trip requests",
    "sse": "HTTP+SSE of 2024-11-05", "dpop": "proof of possession (draft)",
    "tasks-ext": "the tasks extension", "acp": "agents", "lsp": "the base protocol of language servers",
    "robust": "what a server survives", "requester": "servers that ask their client",
}


def read(name):
    return (TOP / name).read_text(encoding="utf-8")


def load(name):
    return yaml.load(read(name), LOADER)


def text(value):
    return html.escape(str(value), quote=False)


def code(value):
    return f"<code>{text(value)}</code>"


def spans(value):
    """Text whose backticks mark code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text(value))


class Site:
    def __init__(self, out, rpcspec):
        self.out, self.rpcspec = pathlib.Path(out), rpcspec
        self.names = release.names()
        self.version = self.ask("--version").split()[1]
        self.places = dict(PLACES)
        for folder in ("docs", "docs/commands"):
            for path in sorted((TOP / folder).glob("*.md")):
                name = f"{folder}/{path.name}"
                self.places.setdefault(name, f"{'guide' if folder == 'docs' else 'commands'}/{path.stem}.html")
        self.index = []  # [name, address, text, kind]

    def ask(self, *words):
        return subprocess.run([self.rpcspec, *words], capture_output=True, text=True, check=True,
                              env={**os.environ, "COLUMNS": "96"}).stdout

    # --- pages

    def write(self, address, title, body, description=""):
        # A host shows the last one at any address.
        root = urllib.parse.urlsplit(self.names["SITE"]).path + "/" if address == "404.html" else "../" * address.count("/")
        repository = f"https://github.com/{self.names['REPOSITORY']}"
        page = f"""<!doctype html>
<html lang="en" data-root="{root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{text(title)}{'' if title == 'rpcspec' else ' · rpcspec'}</title>
<meta name="description" content="{html.escape(description or title)}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{root}page.css">
</head>
<body>
<a class="skip" href="#main">To the text</a>
<header><div>
<a class="brand" href="{root}index.html">rpcspec</a>
<nav aria-label="site"><a href="{root}guide/index.html">Guides</a><a href="{root}commands/index.html">Commands</a><a href="{root}guide/case-language.html">Case language</a><a href="{root}clauses/index.html">Clauses</a><a href="{root}known.html">Known servers</a></nav>
<form role="search"><label for="search" class="skip">Search</label><input id="search" type="search" placeholder="Search ( / )" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="results" aria-label="Search clauses, commands and guides"><ul id="results" role="listbox" aria-label="What was found"></ul><span id="said" class="skip" role="status"></span></form>
</div></header>
<main id="main" tabindex="-1">
{body}
</main>
<footer>rpcspec {text(self.version)} · <a href="{repository}">source</a> · Apache-2.0</footer>
<script src="{root}search.js" defer></script>
</body>
</html>
"""
        path = self.out / address
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page, encoding="utf-8")

    def hosted(self, name):
        """The address of a file of the tree, of this version, at its host."""
        kind = "tree" if (TOP / name).is_dir() else "blob"
        return f"https://github.com/{self.names['REPOSITORY']}/{kind}/v{self.version}/{name}"

    def linker(self, name):
        """What turns a link of the page `name` into one of the site."""
        address = self.places[name]

        def link(to):
            if re.match(r"[a-z]+:", to) or to.startswith("#"):
                return to
            path, _, heading = to.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(name), path))
            if target in PICTURES:
                return os.path.relpath(os.path.basename(target), os.path.dirname(address) or ".")
            place = self.places.get(target) or self.places.get(f"{target}/README.md")
            if not place:
                return self.hosted(target)
            back = os.path.relpath(place, os.path.dirname(address) or ".")
            return back + (f"#{heading}" if heading else "")

        return link

    def guides(self):
        for name, address in self.places.items():
            written = read(name)
            title, body = markdown.page(written, self.linker(name))
            self.write(address, title, body)
            kind = "command" if address.startswith("commands/") else "guide"
            first = re.search(r"(?ms)^(?!#|<!--|\||```)(\w.*?)$\n\n", written.split("\n", 1)[1].strip() + "\n\n")
            said = re.sub(r"[`*]|\]\([^)]*\)|\[", "", " ".join(first[1].split())) if first else ""
            self.index.append([title, address, said[:160], kind])
            if kind == "guide":
                for heading in re.findall(r"(?m)^##+ (.*)$", re.sub(r"(?ms)^ *```.*?^ *```", "", written)):
                    self.index.append([f"{title}: {heading}".replace("`", ""),
                                       f"{address}#{markdown.anchor(heading)}", "", kind])

    # --- clauses

    def gather(self):
        """What is known of the clauses, by their id."""
        self.clauses = collections.OrderedDict()
        for name in ("base", "features", "extensions", "lsp", "lsp_features", "acp", "openrpc", "own"):
            for one in load(f"cases/requirements/{name}.yaml"):
                self.clauses[one["id"]] = one
        for one in json.loads(self.ask("coverage", "--format", "json")):
            self.clauses[one["requirement"]]["coverage"] = one
        for one in json.loads(self.ask("list", "requirements", "--format", "json")):
            self.clauses[one["id"]]["listed"] = one
        self.titles = {one["id"]: one["help"] for one in
                       json.loads(self.ask("list", "cases", "--format", "json"))}
        self.case_files = {}
        for path in sorted((TOP / "cases/suite").rglob("*.yaml")):
            folder = path.parent.relative_to(TOP / "cases/suite")
            names = re.findall(r"(?m)^case: (.*)$", path.read_text(encoding="utf-8"))
            for name in names or [path.stem]:
                self.case_files[f"{folder}/{name}"] = path.relative_to(TOP).as_posix()
        for entry in load("cases/advice.yaml"):
            for clause in entry["clauses"]:
                self.clauses[clause]["advice"] = entry
        self.known = collections.defaultdict(lambda: collections.defaultdict(dict))
        software = dict(re.findall(r"(?m)^\| ([\w.-]+) \| (.*?) \|", read("corpus/servers/README.md")))
        for server in sorted(path.parent.name for path in (TOP / "corpus/servers").glob("*/target.yaml")):
            what = re.sub(r", our .*", "", software[server])
            for path in sorted((TOP / "corpus/servers" / server).glob("baseline.*yaml")):
                for entry in (yaml.load(path.read_text(encoding="utf-8"), LOADER) or {}).get("known") or []:
                    if not entry.get("requirement"):
                        continue
                    cases = entry.get("case") or []
                    cases = [cases] if isinstance(cases, str) else cases
                    self.known[entry["requirement"]][what].setdefault(server, []).extend(
                        [(case, " ".join(str(entry.get("reason", "")).split())) for case in cases])
        self.areas = collections.defaultdict(list)
        for clause in self.clauses:
            self.areas[".".join(clause.split(".")[:2])].append(clause)

    def case_link(self, case):
        if case in self.case_files:
            return f'<a href="{self.hosted(self.case_files[case])}">{code(case)}</a>'
        return code(case)

    def clause_page(self, identifier, before, after):
        one = self.clauses[identifier]
        level = one["level"]
        rows = [("Source", "<br>".join(
            f'<a href="{html.escape(address)}">{text(said)}</a>' if address else text(said)
            for said, address in sources.links(one["source"])))]
        rows.append(("Editions", text(", ".join(one["revisions"]))))
        rows.append(("Transports", text(", ".join(one["transports"]))))
        if one.get("requires"):
            rows.append(("Needs", text(", ".join(one["requires"]))))
        seen = {"yes": "yes", "no": "no, it cannot be seen from outside"}.get(str(one["observable"]), one["observable"])
        rows.append(("Observable", text(seen)))
        listed = one.get("listed", {})
        if listed.get("seps"):
            rows.append(("SEP", text(", ".join(map(str, listed["seps"])))))
        if listed.get("official_checks"):
            rows.append(("Official checks", ", ".join(map(code, listed["official_checks"]))))
        coverage = one.get("coverage", {})
        parts = [f'<h1>{text(identifier)}</h1>',
                 f'<p class="statement {level.split()[0].lower()}"><span class="level">{text(level)}</span> '
                 f'{spans(one["statement"])}</p>',
                 "<dl>" + "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in rows) + "</dl>",
                 f'<h2 id="probe">How it is looked at</h2><p>{spans(one["probe"])}</p>',
                 '<h2 id="cases">Cases</h2>']
        if coverage.get("cases"):
            parts.append("<ul>" + "".join(
                f"<li>{self.case_link(case)} {text(self.titles.get(case, ''))}</li>" for case in coverage["cases"])
                + "</ul>")
        else:
            parts.append(f"<p>None: {text(coverage.get('reason', 'no case yet'))}.</p>")
        advice = one.get("advice")
        if advice:
            parts += ['<h2 id="advice">Usual cause, and what to change</h2>', f"<p>{spans(advice['cause'].strip())}</p>"]
            parts += [f'<h3>{title}</h3><pre tabindex="0"><code>{text(textwrap.dedent(advice[name]).rstrip())}</code></pre>'
                      for name, title in LANGUAGES.items() if advice.get(name)]
        if identifier in self.known:
            parts.append('<h2 id="known">Servers known to break it</h2><ul>')
            for what, servers in sorted(self.known[identifier].items()):
                told = list(dict.fromkeys(reason for found in servers.values() for _, reason in found if reason))
                parts.append(f"<li>{text(what)} ({text(', '.join(servers))})"
                             + (f": {spans(told[0])}" if told else "") + "</li>")
            parts.append("</ul>")
        parts.append(f'<h2 id="console">On the console</h2><pre tabindex="0"><code>rpcspec explain {text(identifier)}</code></pre>')
        around = [(other, sign) for other, sign in ((before, "← "), (after, "→ ")) if other]
        parts.append('<nav class="around" aria-label="clauses beside it">' + "".join(
            f'<a href="{other}.html">{sign}{text(other)}</a>' for other, sign in around) + "</nav>")
        area = ".".join(identifier.split(".")[:2])
        crumbs = f'<p><a href="index.html">Clauses</a> / <a href="area-{area}.html">{text(area)}</a></p>'
        self.write(f"clauses/{identifier}.html", identifier, crumbs + "\n".join(parts),
                   one["statement"].replace("`", ""))
        self.index.append([identifier, f"clauses/{identifier}.html", f"{level} {one['statement']}".replace("`", ""), "clause"])

    def clause_pages(self):
        rows = []
        for area, members in sorted(self.areas.items()):
            about = AREAS.get(area.split(".")[1], AREAS.get(area.split(".")[0], ""))
            title = area + (f": {about}" if about else "")
            entries = "".join(
                f'<li class="{self.clauses[one]["level"].split()[0].lower()}"><a href="{one}.html">{text(one)}</a><br>'
                f'<span class="level">{text(self.clauses[one]["level"])}</span> {spans(self.clauses[one]["statement"])}</li>'
                for one in members)
            self.write(f"clauses/area-{area}.html", title, '<p><a href="index.html">Clauses</a></p>'
                       f'<h1>{text(title)}</h1><ul class="clauses">{entries}</ul>')
            self.index.append([area, f"clauses/area-{area}.html", about, "area"])
            musts = sum(self.clauses[one]["level"].startswith("MUST") for one in members)
            rows.append(f'<tr><td><a href="area-{area}.html">{text(area)}</a></td><td>{text(about)}</td>'
                        f'<td class="number">{len(members)}</td><td class="number">{musts}</td></tr>')
            for at, one in enumerate(members):
                self.clause_page(one, members[at - 1] if at else None,
                                 members[at + 1] if at + 1 < len(members) else None)
        self.write("clauses/index.html", "Clauses", f"""<h1>Clauses</h1>
<p>What servers are held to, by area: {len(self.clauses)} clauses, in our own words, each with the place
where it is written, the cases that judge it, and the servers that are known to break it.</p>
<div class="scroll" tabindex="0" role="region" aria-label="areas"><table><thead><tr><th>area</th><th>about</th><th class="number">clauses</th><th class="number">MUST</th></tr></thead><tbody>{''.join(rows)}</tbody></table></div>""")

    def matrix(self):
        """The page of causes by servers, where there are reports; whether there are."""
        folder = pathlib.Path(os.environ.get("RPCSPEC_SERVER_REPORTS", TOP / "build/servers"))
        reports = sorted(folder.glob("*/report*.json"))
        if not reports:
            return False
        (self.out / "data").mkdir()
        named = [f"{path.parent.name}{path.stem.removeprefix('report').replace('.', '-', 1)}={path}" for path in reports]
        self.ask("report", *named, "--to", f"matrix={self.out}/data/matrix.html")
        self.write("matrix.html", "Results matrix", f"""<h1>Results matrix</h1>
<p>What {len({path.parent.name for path in reports})} real servers break: a row for each cause, a column for each server. A bad
cell opens the frames that show it. <a href="known.html">Known servers</a> names their versions, and the page of a
clause says why. <a href="data/matrix.html">The matrix alone</a> has more room.</p>
<iframe class="whole" src="data/matrix.html" title="Causes by servers"></iframe>""")
        self.index.append(["Results matrix", "matrix.html", "causes by servers, with the frames", "known server"])
        return True

    def known_page(self):
        """A table of the software that is known: a row a clause, a column would be a screen too wide."""
        by_software = collections.defaultdict(dict)
        for clause, found in self.known.items():
            for what, servers in found.items():
                by_software[what][clause] = servers
        matrix = '<p><a href="matrix.html">The results matrix</a> shows the frames.</p>' if self.matrix() else ""
        parts = ["<h1>Known servers</h1>", matrix, "<p>Real servers, in the versions that were judged, and the clauses "
                 "that each is known to break; the reason is on the page of the clause.</p>"]
        for what, clauses in sorted(by_software.items(), key=lambda one: one[0].lower()):
            parts.append(f'<h2 id="{html.escape(markdown.anchor(what))}">{text(what)}</h2><ul>' + "".join(
                f'<li><a href="clauses/{clause}.html">{text(clause)}</a> ({text(", ".join(servers))})</li>'
                for clause, servers in sorted(clauses.items())) + "</ul>")
            self.index.append([what, f"known.html#{markdown.anchor(what)}", f"{len(clauses)} clauses", "known server"])
        self.write("known.html", "Known servers", "\n".join(parts))

    def make(self):
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir(parents=True)
        self.gather()
        self.guides()
        self.clause_pages()
        self.known_page()
        self.write("404.html", "Not here", '<h1>Not here</h1><p>There is no such page. The search above knows all of '
                   'them.</p>')
        for name in ("page.css", "search.js"):
            shutil.copy(HERE / name, self.out / name)
        for name in PICTURES:
            shutil.copy(TOP / name, self.out)
        lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in self.index)
        (self.out / "index.js").write_text(f"const INDEX = [\n{lines}\n];\n", encoding="utf-8")
        (self.out / ".nojekyll").write_text("")


def main():
    out = sys.argv[1]
    rpcspec = os.path.abspath(sys.argv[2] if len(sys.argv) > 2 else TOP / "build/rpcspec")
    site = Site(out, rpcspec)
    site.make()
    print(f"{len(list(site.out.rglob('*.html')))} pages in {out}")


if __name__ == "__main__":
    main()
