#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A naive server with a thread for each message: what goes wrong ends the thread. See README.md."""
import json
import sys
import threading
import time

DAYS = ["Slept well.", "Rain all day."]
TOOLS = [{"name": "read_day", "description": "The entry of a day, counted from 0.",
          "annotations": {"readOnlyHint": True}}]


def say(message):
    sys.stdout.write(json.dumps(message))
    sys.stdout.flush()
    time.sleep(0.005)  # a moment for the client to read
    sys.stdout.write("\n")
    sys.stdout.flush()


def handle(line):
    message = json.loads(line)
    method = message["method"]
    if method == "initialize":
        result = {"protocolVersion": message["params"]["protocolVersion"],
                  "capabilities": {"tools": {}}, "serverInfo": {"name": "journal"}}
    elif method == "ping":
        result = {}
    elif method == "tools/list":
        result = {"tools": TOOLS}
    elif method == "tools/call":
        result = {"content": DAYS[message["params"]["arguments"]["day"]]}
    elif method.startswith("notifications/"):
        return
    else:
        raise ValueError("unknown method " + method)
    say({"jsonrpc": "2.0", "id": message.get("id"), "result": result})


for text in sys.stdin:
    threading.Thread(target=handle, args=(text,)).start()
