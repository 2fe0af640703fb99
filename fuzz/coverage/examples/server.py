# SPDX-License-Identifier: Apache-2.0
"""A JSON-RPC 2.0 server, one message a line: `greet` with a name, `add` with numbers."""
import json
import sys


def greet(params):
    if not isinstance(params, dict) or not isinstance(params.get("name"), str):
        raise TypeError("greet needs {name}")
    return "Hello, " + params["name"]


def add(params):
    if not isinstance(params, list) or not all(type(term) in (int, float) for term in params):
        raise TypeError("add needs a list of numbers")
    return sum(params)


METHODS = {"greet": greet, "add": add}


def error(code, message, number=None):
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}


def answer(request):
    """The reply; None to a notification."""
    if not isinstance(request, dict) or request.get("jsonrpc") != "2.0":
        return error(-32600, "no request")
    number = request.get("id")
    if type(number) not in (str, int, float, type(None)):
        return error(-32600, "no such id")
    method, params = request.get("method"), request.get("params", [])
    if not isinstance(method, str) or not isinstance(params, (list, dict)):
        return error(-32600, "no request", number)
    try:
        if method not in METHODS:
            reply = error(-32601, "no such method", number)
        else:
            reply = {"jsonrpc": "2.0", "id": number, "result": METHODS[method](params)}
    except TypeError as problem:
        reply = error(-32602, str(problem), number)
    return reply if "id" in request else None


def refuse(constant):
    raise ValueError(constant)  # NaN and the like, which Python takes for JSON


for line in sys.stdin.buffer:
    if not line.strip():
        continue
    try:
        message = json.loads(line.decode(), parse_constant=refuse)
    except (ValueError, RecursionError):
        reply = error(-32700, "no JSON")
    else:
        if isinstance(message, list) and message:
            reply = [one for one in map(answer, message) if one is not None] or None
        else:
            reply = answer(message)
    if reply is not None:
        print(json.dumps(reply), flush=True)
