# SPDX-License-Identifier: Apache-2.0
# The bookshop of corpus/contracts as far as it can be asked: sound, but for the words that it is
# started with. What it is sent is noted: each method on a line of the file of the first word.
#   undescribed: rpc.discover is not there. loose: text for a number is taken.
import json, os, re, sys

DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "corpus",
                        "contracts", "bookshop.openrpc.json")
with open(DOCUMENT, encoding="utf-8") as file: document = json.load(file)
BOOK = document["components"]["examples"]["OneBook"]["value"]["books"][0]
NAMES = {one["name"]: [p.get("name", "isbn") for p in one["params"]] for one in document["methods"]}
FORMS = {one["name"]: one.get("paramStructure", "either") for one in document["methods"]}

class Refused(Exception): pass

def need(fits, code=-32602):
    if not fits: raise Refused(code)

def isbn(text):
    need(isinstance(text, str) and re.match(r"^97[89]-[0-9-]{13}$", text))
    return text

def whole(value, least, most):
    need(isinstance(value, int) and not isinstance(value, bool) and least <= value <= most)

def bound(method, params):
    """The params by their names, in whatever form they came."""
    names = NAMES[method]
    if isinstance(params, list):
        need(FORMS[method] != "by-name" and len(params) <= len(names))
        return dict(zip(names, params))
    need(FORMS[method] != "by-position" or not params)
    need(set(params) <= set(names))
    return params

def book_get(isbn_=None, fields=None):
    if fields is not None:
        need(isinstance(fields, list) and fields)
        need(all(isinstance(one, str) and one in BOOK for one in fields))
        need(len(set(fields)) == len(fields))
    need(isbn(isbn_) == BOOK["isbn"], 1001)
    return BOOK

def search(query=None, limit=20, sort="title", cursor=""):
    need(isinstance(query, dict) and len(query) == 1)
    title, author = query.get("title"), query.get("author")
    need("title" in query or "author" in query)
    need(isinstance(title, str) and 1 <= len(title) <= 80 if "title" in query else
         isinstance(author, str) and re.match(r"^[a-z]{1,20}$", author))
    whole(limit, 1, 100)
    need(sort in ("title", "year") and isinstance(cursor, str))
    return {"books": [BOOK]}

def of_author(author=None, verbose=False):
    need(isinstance(author, str) and re.match(r"^[a-z]{1,20}$", author))
    need(isinstance(verbose, bool))
    return [BOOK["isbn"]] if author == "ada" else []

def tree(depth=5):
    if not (isinstance(depth, str) and "loose" in sys.argv): whole(depth, 0, 5)
    return {"label": "all", "inside": [{"label": "a", "inside": []}] if depth else []}

def total(items=None):
    need(isinstance(items, list) and 1 <= len(items) <= 10)
    sums = {}
    for one in items:
        need(isinstance(one, dict) and set(one) == {"price", "count"})
        price = one["price"]
        need(isinstance(price, dict) and set(price) == {"amount", "currency"})
        need(price["currency"] in ("EUR", "USD") and isinstance(price["amount"], (int, float)))
        need(not isinstance(price["amount"], bool) and price["amount"] >= 0)
        need(price["amount"] * 2 == int(price["amount"] * 2))
        whole(one["count"], 1, 2**53)
        sums[price["currency"]] = sums.get(price["currency"], 0) + price["amount"] * one["count"]
    need(len(sums) == 1, 1003)
    return {"amount": sum(sums.values()), "currency": next(iter(sums))}

def level(isbn_=None):
    return 3 if isbn(isbn_) == BOOK["isbn"] else None

def answer(method, params):
    if method == "rpc.discover" and "undescribed" not in sys.argv: return document
    need(method in NAMES, -32601)
    given = bound(method, params)
    if method == "text.echo":
        need("value" in given)
        return given["value"]
    if method == "book.touched": return None
    done = {"book.get": book_get, "book.search": search, "author.books": of_author,
            "shelf.tree": tree, "price.total": total, "stock.level": level}.get(method)
    need(done is not None, -32001)  # what changes something
    return done(**{"isbn_" if name == "isbn" else name: value for name, value in given.items()})

def served(one):
    id = one.get("id") if isinstance(one, dict) else None
    number = isinstance(id, (int, float)) and not isinstance(id, bool) and abs(id) != float("inf")
    known = id is None or isinstance(id, str) or number
    sound = isinstance(one, dict) and one.get("jsonrpc") == "2.0" and known
    if not sound or not isinstance(one.get("method"), str) or \
            not isinstance(one.get("params", []), (list, dict)):
        return fail(-32600, id if known else None)
    with open(sys.argv[1], "a", encoding="utf-8") as log: log.write(one["method"][:99] + "\n")
    try: reply = {"jsonrpc": "2.0", "id": id, "result": answer(one["method"], one.get("params", []))}
    except Refused as refused: reply = fail(refused.args[0], id)
    return reply if "id" in one else None

def fail(code, id=None):
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": "no"}}

def no_constant(text): raise ValueError(text)

for line in sys.stdin.buffer:
    try: message = json.loads(line.decode("utf-8"), parse_constant=no_constant)
    except (ValueError, RecursionError): reply = fail(-32700)
    else:
        if isinstance(message, list) and message:
            reply = [one for one in map(served, message) if one] or None
        else: reply = served(message)
    if reply is not None: print(json.dumps(reply), flush=True)
