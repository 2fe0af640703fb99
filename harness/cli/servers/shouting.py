# SPDX-License-Identifier: Apache-2.0
# Knows no method and no batches, and gives back every id that is a string in capitals.
import json, sys

def answer(id, code):
    error = {"code": code, "message": "no"}
    print(json.dumps({"jsonrpc": "2.0", "id": id, "error": error}), flush=True)

for line in sys.stdin.buffer:
    try:
        message = json.loads(line)
    except ValueError:
        answer(None, -32700)
        continue
    if not isinstance(message, dict):
        answer(None, -32600)
    elif "id" in message:
        id = message["id"]
        answer(id.upper() if isinstance(id, str) else id, -32601)
