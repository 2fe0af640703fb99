# SPDX-License-Identifier: Apache-2.0
# Plain JSON-RPC, with terminal control sequences in all that it says.
import json, sys
for line in sys.stdin.buffer:
    try:
        message = json.loads(line)
    except ValueError:
        message = {"id": None}
    if not isinstance(message, dict) or "id" in message:
        id = message["id"] if isinstance(message, dict) else None
        sys.stderr.write("\x1b[5mon stderr\n")
        sys.stdout.write("\x1b]0;owned\x07\n")
        print(json.dumps({"jsonrpc": "2.0", "id": id,
                          "error": {"code": -32601, "message": "\x1b[31mred\x07\x9b2J"}}), flush=True)
