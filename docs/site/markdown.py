# SPDX-License-Identifier: Apache-2.0
"""Markdown to HTML, as far as the pages of this project use it: headings, paragraphs, lists, tables,
code blocks, quotes; code, emphasis, links and pictures in a line. Whatever else stands there is text."""
import html
import re

FENCE = re.compile(r"^( *)```(\w*)\s*$")
HEADING = re.compile(r"^(#{1,6}) +(.*)$")
ITEM = re.compile(r"^( *)([-*]|\d+\.) +(.*)$")
SPAN = re.compile(r"(`+)(?P<code>.+?)\1|(?P<picture>!?)\[(?P<text>(?:[^\[\]`]|`[^`]*`)+)\]\((?P<to>[^)\s]+)\)"
                  r"|\*\*(?P<strong>.+?)\*\*|(?<!\w)[*_](?P<em>[^*_\s][^*_]*)[*_](?!\w)|<(?P<address>https?://[^>\s]+)>",
                  re.S)


def anchor(heading):
    """What a link names a heading by, as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def inline(text, link):
    """One line of HTML; `link` makes the address of a link out of what is written."""
    out, at = [], 0
    for found in SPAN.finditer(text):
        out.append(escaped(text[at:found.start()]))
        at = found.end()
        if found["code"] is not None:
            out.append(f"<code>{html.escape(found['code'].strip(), quote=False)}</code>")
        elif found["picture"]:
            out.append(f'<img src="{html.escape(link(found["to"]))}" alt="{html.escape(found["text"])}">')
        elif found["to"] is not None:
            out.append(f'<a href="{html.escape(link(found["to"]))}">{inline(found["text"], link)}</a>')
        elif found["strong"] is not None:
            out.append(f"<strong>{inline(found['strong'], link)}</strong>")
        elif found["em"] is not None:
            out.append(f"<em>{inline(found['em'], link)}</em>")
        else:
            address = html.escape(found["address"])
            out.append(f'<a href="{address}">{address}</a>')
    return "".join(out) + escaped(text[at:])


def escaped(text):
    # What is an entity, or has a backslash in front, was escaped for Markdown.
    return html.escape(html.unescape(re.sub(r"\\([\\`*_{}\[\]()#+.!|<>-])", r"\1", text)), quote=False)


def cells(row):
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row.strip())[1:-1]]


def table(rows, link):
    head, aligned, *body = map(cells, rows)
    right = [one.endswith(":") for one in aligned]

    def row(kind, texts):
        return "<tr>" + "".join(
            f"<{kind}{' class=number' if at < len(right) and right[at] else ''}>{inline(text, link)}</{kind}>"
            for at, text in enumerate(texts)) + "</tr>"

    # A column of numbers is wider than a screen at times: the table scrolls, by keyboard too.
    return ('<div class="scroll" tabindex="0" role="region" aria-label="table"><table><thead>'
            + row("th", head) + "</thead><tbody>" + "".join(row("td", one) for one in body)
            + "</tbody></table></div>")


def blocks(lines, link, taken):
    out, at = [], 0
    while at < len(lines):
        line = lines[at]
        fence, heading, item = FENCE.match(line), HEADING.match(line), ITEM.match(line)
        if not line.strip():
            at += 1
        elif fence:
            margin, end = len(fence[1]), at + 1
            while end < len(lines) and lines[end].strip() != "```":
                end += 1
            text = "\n".join(one[margin:] if not one[:margin].strip() else one for one in lines[at + 1:end])
            out.append(f'<pre tabindex="0"><code>{html.escape(text, quote=False)}</code></pre>')
            at = end + 1
        elif heading:
            depth, name = len(heading[1]), anchor(heading[2])
            while name in taken:
                name += "-1"
            taken.add(name)
            out.append(f'<h{depth} id="{html.escape(name)}">{inline(heading[2], link)}</h{depth}>')
            at += 1
        elif line.lstrip().startswith("<!--"):
            while "-->" not in lines[at]:
                at += 1
            at += 1
        elif line.startswith("|") and at + 1 < len(lines) and re.match(r"^\|[-:| ]+\|$", lines[at + 1]):
            end = at
            while end < len(lines) and lines[end].startswith("|"):
                end += 1
            out.append(table(lines[at:end], link))
            at = end
        elif line.startswith(">"):
            end = at
            while end < len(lines) and lines[end].startswith(">"):
                end += 1
            inner = blocks([one[1:].removeprefix(" ") for one in lines[at:end]], link, taken)
            out.append(f"<blockquote>{inner}</blockquote>")
            at = end
        elif item:
            at, made = items(lines, at, link, taken)
            out.append(made)
        else:
            end = at + 1
            while end < len(lines) and lines[end].strip() and not (
                    FENCE.match(lines[end]) or HEADING.match(lines[end]) or ITEM.match(lines[end])
                    or lines[end].startswith(("|", ">"))):
                end += 1
            out.append(f"<p>{inline(' '.join(one.strip() for one in lines[at:end]), link)}</p>")
            at = end
    return "\n".join(out)


def items(lines, at, link, taken):
    """(line behind it, HTML) of the list that begins at a line."""
    margin, sign = len(ITEM.match(lines[at])[1]), ITEM.match(lines[at])[2]
    kind = "ol" if sign[0].isdigit() else "ul"
    out = []
    while at < len(lines):
        found = ITEM.match(lines[at])
        if not found or len(found[1]) != margin or (found[2][0].isdigit()) != (kind == "ol"):
            break
        inside = len(lines[at]) - len(found[3])
        body, end = [found[3]], at + 1
        while end < len(lines):
            line = lines[end]
            if line.strip() and len(line) - len(line.lstrip()) <= margin:
                break
            if not line.strip() and not any(one.strip() and len(one) - len(one.lstrip()) > margin
                                            for one in lines[end + 1:end + 2]):
                break
            body.append(line[inside:] if not line[:inside].strip() else line.lstrip())
            end += 1
        made = blocks(body, link, taken)
        # One paragraph alone is the text of the item.
        made = re.sub(r"^<p>((?:(?!</?p>).)*)</p>", r"\1", made, count=1, flags=re.S)
        out.append(f"<li>{made}</li>")
        at = end
        if at + 1 < len(lines) and not lines[at].strip() and ITEM.match(lines[at + 1]):
            at += 1
    return at, f"<{kind}>" + "".join(out) + f"</{kind}>"


def page(text, link=lambda to: to):
    """(title, HTML) of a page."""
    lines = text.expandtabs(4).split("\n")
    title = next((HEADING.match(line)[2] for line in lines if HEADING.match(line)), "")
    return title.replace("`", ""), blocks(lines, link, set())
