# SPDX-License-Identifier: Apache-2.0
"""Where a clause can be read: addresses made of what its `source` says, as harness/spec/source_link.cc
makes them for `rpcspec explain`. Only what is certain gets one; a test holds the two together."""
import re

SITE = "https://modelcontextprotocol.io/"
SCHEMAS = "https://github.com/modelcontextprotocol/modelcontextprotocol/blob/main/schema/"
JSON_RPC = {"1": "overview", "2": "conventions", "3": "compatibility", "4": "request_object",
            "4.1": "notification", "4.2": "parameter_structures", "5": "response_object",
            "5.1": "error_object", "6": "batch", "7": "examples", "8": "extensions"}
REVISION = re.compile(r"(\d{4}-\d\d-\d\d)(?:\.\.(\d{4}-\d\d-\d\d)?)? ")


def section(text):
    found = re.search(r"§([\d.]*)", text)
    return found[1].rstrip(".") if found else ""


def of_lsp(text):
    version = re.match(r"LSP ([\d.]+)", text)
    if not version:
        return ""
    heading = re.search(r"#(\w*)", text, re.A)
    return ("https://microsoft.github.io/language-server-protocol/specifications/lsp/"
            f"{version[1]}/specification/" + (f"#{heading[1]}" if heading else ""))


def of_acp(text):
    found = re.match(r"ACP (\d+) ([\w-]+)(?:#([\w-]*))?", text, re.A)
    if not found:
        return ""
    return (f"https://agentclientprotocol.com/protocol/v{found[1]}/{found[2]}"
            + (f"#{found[3]}" if found[3] is not None else ""))


def of_schema(revision, kind):
    if revision < "2025-06-18":
        return f"{SCHEMAS}{revision}/schema.ts"
    name = re.match(r"[A-Za-z]*", kind)[0]
    return f"{SITE}specification/{revision}/schema" + (
        f"#{name.lower()}" if len(name) > 1 and name[0].isupper() else "")


def of_mcp(text):
    begin = REVISION.match(text)
    if not begin:
        return ""
    revision, text = begin[2] or begin[1], text[begin.end():]
    path = re.match(r"[\w/-]*", text, re.A)[0]
    rest = text[len(path):]
    if path == "schema":
        return of_schema(revision, rest[1:])
    if path.startswith(("ext-", "SEP", "extensions")):
        return ""
    if "/" not in path and path not in ("changelog", "architecture"):
        return ""
    tutorial = path.startswith("tutorials/")
    if tutorial and revision < "2025-11-25":
        return ""
    address = f"{SITE}{'docs/' if tutorial else 'specification/'}{revision}/{path}"
    if not rest.startswith("#"):
        return address
    heading = re.match(r"[\w-]*", rest[1:], re.A)[0]
    return f"{address}#{'meta' if heading == '_meta' else heading}"


def address(text):
    if text.startswith("LSP "):
        return of_lsp(text)
    if text.startswith("ACP "):
        return of_acp(text)
    if text.startswith("JSON-RPC 2.0"):
        anchor = JSON_RPC.get(section(text))
        return "https://www.jsonrpc.org/specification" + (f"#{anchor}" if anchor else "")
    if text.startswith("RFC "):
        number = re.match(r"\d*", text[4:])[0]
        at = section(text)
        return f"https://www.rfc-editor.org/rfc/rfc{number}" + (f"#section-{at}" if at else "") if number else ""
    return of_mcp(text)


def links(source):
    """[(text, address or "")] of a source."""
    return [(text, address(text)) for text in source.split("; ") if text]
