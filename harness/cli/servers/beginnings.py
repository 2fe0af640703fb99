#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A server over stdio that begins badly in one way, and is sound otherwise.

    beginnings.py KIND"""
import json
import sys

kind = sys.argv[1]
sys.stdout = open(1, "w", buffering=1 << 16, encoding="utf-8")


def write(text):
    sys.stdout.write(text)
    if kind != "buffered":
        sys.stdout.flush()


def reply(message, **outcome):
    return {"jsonrpc": "2.0", "id": message["id"], **outcome}


def initialize(message):
    result = {"protocolVersion": message["params"].get("protocolVersion"), "capabilities": {},
              "serverInfo": {"name": "beginnings", "version": "1"}}
    if kind == "no-version":
        del result["protocolVersion"]
    answer = reply(message, result=result)
    if kind == "other-id":
        answer["id"] = 4711
    if kind == "request-shape":
        answer = {"jsonrpc": "2.0", "id": message["id"], "method": "initialize", "params": result}
    if kind == "batch":
        answer = [answer]
    if kind == "refused":
        answer = reply(message, error={"code": -32603, "message": "no settings"})
    if kind in ("text", "text-first"):
        return "hello, I am ready\n"
    if kind == "several-lines":
        return json.dumps(answer, indent=2) + "\n"
    return json.dumps(answer) + ("" if kind == "no-line-end" else "\n")


if kind == "usage":
    sys.exit("usage: beginnings DATABASE")
if kind == "banner":
    write("beginnings 1.0 is listening on stdio\n")
for line in sys.stdin:
    try:
        message = json.loads(line)
    except ValueError:
        write(json.dumps({"jsonrpc": "2.0", "id": None,
                          "error": {"code": -32700, "message": "Parse error"}}) + "\n")
        continue
    if kind == "silent" or not isinstance(message, dict):
        continue
    if "id" not in message or "method" not in message:
        continue
    if message.get("method") == "initialize" or kind == "text":
        write(initialize(message))
    elif message.get("method") == "ping":
        write(json.dumps(reply(message, result={})) + "\n")
    else:
        write(json.dumps(reply(message, error={"code": -32601, "message": "unknown"})) + "\n")
