#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A sound JSON-RPC server over stdio that describes its methods (rpc.discover), with one bug.

    shop.py [--bug NAME] [--log FILE] | --list

The bugs lie behind what the document says: next to a value that a schema names, behind members that
are surplus or missing, in the other form of params, behind a call with what another one gave out.
They were chosen before the fuzzer made calls from a contract.
"""
import argparse
import json
import os
import pathlib
import re
import secrets
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "deep"))
from server import (INVALID, NO_METHOD, PARAMS, PARSE, Refused, Spelled, is_integer, read,  # noqa: E402
                    wants)

ZONES = ["stalls", "circle", "gallery", "box"]
ENTRY = re.compile(r"^[0-9a-f]{8}$")
NO_ENTRY = 1004


def param(name, schema, required=True):
    return {"name": name, "required": required, "schema": schema}


def method(name, structure, params, result, example=None, **more):
    out = {"name": name, "params": params, "result": {"name": "result", "schema": result}, **more}
    if structure:
        out["paramStructure"] = structure
    if example is not None:
        names = [one["name"] if "name" in one else "entry" for one in params]
        out["examples"] = [{"name": "one", "params": [{"name": names[i], "value": value}
                                                      for i, value in enumerate(example)]}]
    return out


TEXT = {"type": "string"}
DOCUMENT = {
    "openrpc": "1.3.2", "info": {"title": "Shop", "version": "1"},
    "methods": [
        method("seat.price", "by-position",
               [param("zone", {"enum": ZONES}),
                param("row", {"type": "integer", "minimum": 1, "maximum": 40}),
                param("child", {"type": "boolean"}, False)],
               {"$ref": "#/components/schemas/Money"}, ["stalls", 7]),
        method("text.wrap", "by-position",
               [param("text", {"type": "string", "minLength": 1, "maxLength": 60}),
                param("width", {"type": "integer", "minimum": 8, "maximum": 80, "default": 72},
                      False)],
               {"type": "array", "items": TEXT}, ["some words"]),
        method("parcel.label", "by-name",
               [param("address", {"type": "object", "required": ["street", "zip"],
                                  "additionalProperties": False, "properties": {
                                      "street": TEXT, "city": TEXT,
                                      "zip": {"type": "string", "pattern": "^[0-9]{5}$"}}}),
                param("lines", {"type": "array", "maxItems": 5, "items": TEXT}, False)],
               {"type": "object", "required": ["label", "lines"], "properties": {
                   "label": TEXT, "lines": {"type": "integer", "minimum": 1}}},
               [{"street": "High Street 1", "city": "Town", "zip": "12345"}, ["a"]]),
        method("range.sum", "either",
               [param("from", {"type": "integer"}), param("to", {"type": "integer"}),
                param("step", {"type": "integer", "exclusiveMinimum": 0}, False)],
               {"type": "integer"}, [1, 10, 3]),
        method("entry.list", None,
               [param("limit", {"type": "integer", "minimum": 1, "maximum": 50}, False)],
               {"type": "object", "required": ["entries"], "properties": {
                   "entries": {"type": "array", "items": {
                       "type": "object", "required": ["id"], "properties": {
                           "id": {"$ref": "#/components/schemas/EntryId"}, "size": {
                               "type": "integer"}}}}}}, [2]),
        method("entry.history", "by-position",
               [{"$ref": "#/components/contentDescriptors/Entry"},
                param("depth", {"type": "integer", "minimum": 0, "maximum": 3}, False)],
               {"type": "array", "items": TEXT}, ["00000000"],
               errors=[{"code": NO_ENTRY, "message": "No such entry"}]),
        method("ticket.get", "by-position", [param("currency", {"enum": ["EUR", "USD"]})],
               {"type": "object", "required": ["ticket"], "properties": {"ticket": TEXT}}, ["EUR"],
               links=[{"name": "total", "method": "quote.total",
                       "params": {"quote": "${result.ticket}"}}]),
        method("quote.total", "by-name", [param("quote", TEXT)],
               {"$ref": "#/components/schemas/Money"}, ["none"],
               errors=[{"code": NO_ENTRY, "message": "No such quote"}]),
        # Nobody permits this one.
        method("admin.reset", "by-position", [], {"const": True}, []),
    ],
    "components": {
        "schemas": {
            "EntryId": {"type": "string", "pattern": ENTRY.pattern},
            "Money": {"type": "object", "required": ["amount", "currency"], "properties": {
                "amount": {"type": "number", "minimum": 0}, "currency": {"enum": ["EUR", "USD"]}}}},
        "contentDescriptors": {
            "Entry": param("entry", {"$ref": "#/components/schemas/EntryId"})}},
}
METHODS = {one["name"]: one for one in DOCUMENT["methods"]}
# What the bug is called → what goes wrong.
BUGS = {
    "last-row": "seat.price of the last row is below 0",
    "one-word": "seat.price of the gallery ends the server",
    "null-for-optional": "seat.price ends the server for null in place of a param that may be left out",
    "longest-text": "text.wrap of a text as long as allowed ends the server",
    "beyond-maximum": "text.wrap ends the server for a width of one more than allowed",
    "surplus-member": "parcel.label ends the server for a member that its address does not have",
    "missing-member": "parcel.label without the city, which may be left out, has no text",
    "most-items": "parcel.label of as many lines as allowed says 0",
    "by-name": "range.sum says a text if its params come by name",
    "no-params": "entry.list ends the server without params",
    "given-entry": "entry.history ends the server for an entry that was listed and the greatest depth",
    "linked-quote": "quote.total of a quote that was opened has no currency",
}


def is_text(value, least=0, most=10 ** 9):
    return isinstance(value, str) and least <= len(value) <= most


def is_whole(value, least=-10 ** 30, most=10 ** 30):
    return is_integer(value) and least <= value <= most


class Server:
    def __init__(self, bug, log):
        self.bug, self.log = bug, log
        self.entries = [secrets.token_hex(4) for _ in range(4)]
        self.quotes = {}

    def dies(self, bug, condition):
        if self.bug == bug and condition:
            raise RuntimeError(bug.replace("-", " "))

    # ------------------------------------------------------------------ messages

    def line(self, line):
        try:
            message = read(line)
        except (ValueError, RecursionError):
            return self.write(self.error(None, PARSE, "Parse error"))
        if not isinstance(message, list):
            return self.write(self.reply(message))
        if not message:
            return self.write(self.error(None, INVALID, "an empty batch"))
        replies = [one for one in map(self.reply, message) if one]
        self.write("[" + ",".join(replies) + "]" if replies else None)

    def write(self, text):
        data = (text + "\n").encode() if text else b""
        while data:
            data = data[os.write(1, data):]

    def told(self, rid, outcome):
        spelled = rid.spelling if isinstance(rid, Spelled) else json.dumps(rid)
        return '{"jsonrpc":"2.0","id":' + spelled + "," + json.dumps(outcome)[1:]

    def error(self, rid, code, message):
        return self.told(rid, {"error": {"code": code, "message": message}})

    def reply(self, message):
        if not isinstance(message, dict):
            return self.error(None, INVALID, "a message is an object")
        rid = message.get("id")
        known = isinstance(rid, (str, int, Spelled)) and not isinstance(rid, bool) or rid is None
        sound = (message.get("jsonrpc") == "2.0" and isinstance(message.get("method"), str)
                 and isinstance(message.get("params", []), (dict, list)) and known)
        if not sound:
            return self.error(rid if known else None, INVALID, "Invalid request")
        try:
            outcome = {"result": self.answer(message["method"], message)}
        except Refused as why:
            outcome = {"error": why.error}
        return self.told(rid, outcome) if "id" in message else None

    # ------------------------------------------------------------------- methods

    def answer(self, name, message):
        if self.log and name in METHODS:
            print(name, file=self.log, flush=True)
        if name == "rpc.discover":
            return DOCUMENT
        if name not in METHODS:
            raise Refused(NO_METHOD, "Method not found")
        self.dies("no-params", name == "entry.list" and "params" not in message)
        about, given = METHODS[name], message.get("params", [])
        by_name = isinstance(given, dict)
        names = [one.get("name", "entry") for one in about["params"]]
        structure = about.get("paramStructure", "either")
        wants(structure == "either" or not given or by_name == (structure == "by-name"), "the form")
        if not by_name:
            wants(len(given) <= len(names), "too many")
            given = dict(zip(names, given))
        wants(set(given) <= set(names), "a name")
        optional = {one.get("name") for one in about["params"] if not one.get("required", True)}
        wants(set(given) >= set(names) - optional, "one is missing")
        for one in optional & set(given):
            self.dies("null-for-optional", name == "seat.price" and given[one] is None)
            wants(given[one] is not None, one)
        out = getattr(self, name.replace(".", "_"))(**{"from_" if n == "from" else n: value
                                                       for n, value in given.items()})
        return str(out) if self.bug == "by-name" and name == "range.sum" and by_name else out

    def seat_price(self, zone, row, child=False):
        wants(isinstance(zone, str) and zone in ZONES, "zone")
        wants(is_whole(row, 1, 40) and isinstance(child, bool), "row or child")
        self.dies("one-word", zone == "gallery")
        return {"amount": -1 if self.bug == "last-row" and row == 40 else 10, "currency": "EUR"}

    def text_wrap(self, text, width=72):
        wants(is_text(text, 1, 60), "text")
        self.dies("beyond-maximum", is_integer(width) and width == 81)
        wants(is_whole(width, 8, 80), "width")
        self.dies("longest-text", len(text) == 60)
        return [text]

    def parcel_label(self, address, lines=()):
        wants(isinstance(address, dict), "address")
        more = set(address) - {"street", "city", "zip"}
        self.dies("surplus-member", more and {"street", "zip"} <= set(address))
        wants(not more and all(isinstance(one, str) for one in address.values())
              and {"street", "zip"} <= set(address), "a member of the address")
        wants(re.fullmatch("[0-9]{5}", address["zip"], re.ASCII), "zip")
        wants(isinstance(lines, (list, tuple)) and len(lines) <= 5
              and all(isinstance(one, str) for one in lines), "lines")
        label = address["street"]
        if self.bug == "missing-member" and "city" not in address:
            label = None
        return {"label": label, "lines": 0 if self.bug == "most-items" and len(lines) == 5 else 1}

    def range_sum(self, from_, to, step=1):
        wants(all(is_whole(one) for one in (from_, to, step)) and step > 0, "whole numbers")
        from_, to, step = int(from_), int(to), int(step)
        if from_ > to:
            return 0
        count = (to - from_) // step
        total = (count + 1) * from_ + step * count * (count + 1) // 2
        wants(abs(total) < 2 ** 53, "the sum is too large")
        return total

    def entry_list(self, limit=4):
        wants(is_whole(limit, 1, 50), "limit")
        return {"entries": [{"id": one, "size": 3} for one in self.entries[:int(limit)]]}

    def entry_history(self, entry, depth=0):
        wants(isinstance(entry, str) and re.fullmatch("[0-9a-f]{8}", entry), "entry")
        wants(is_whole(depth, 0, 3), "depth")
        if entry not in self.entries:
            raise Refused(NO_ENTRY, "No such entry")
        self.dies("given-entry", depth == 3)
        return ["made"]

    def ticket_get(self, currency):
        wants(isinstance(currency, str) and currency in ("EUR", "USD"), "currency")
        ticket = secrets.token_hex(8)
        if len(self.quotes) < 10000:
            self.quotes[ticket] = currency
        return {"ticket": ticket}

    def quote_total(self, quote):
        wants(isinstance(quote, str), "quote")
        if quote not in self.quotes:
            raise Refused(NO_ENTRY, "No such quote")
        total = {"amount": 5, "currency": self.quotes[quote]}
        if self.bug == "linked-quote":
            del total["currency"]
        return total

    def admin_reset(self):
        return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bug", choices=BUGS)
    parser.add_argument("--log", type=argparse.FileType("a"), help="names of called methods")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        for name, does in BUGS.items():
            print(f"{name}: {does}")
        return
    server, rest = Server(options.bug, options.log), b""
    while chunk := os.read(0, 1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if line.strip():
                server.line(line)
    if rest.strip():
        server.line(rest)


if __name__ == "__main__":
    main()
