# SPDX-License-Identifier: Apache-2.0
# Plain JSON-RPC. Answers each request after 0.3 seconds, and leaves a grandchild behind.
import json, subprocess, sys, time
subprocess.Popen(["sleep", "1000"])
for line in sys.stdin.buffer:
    try:
        message = json.loads(line)
    except ValueError:
        message = {"id": None}
    if not isinstance(message, dict) or "id" in message:
        time.sleep(0.3)
        id = message["id"] if isinstance(message, dict) else None
        print(json.dumps({"jsonrpc": "2.0", "id": id,
                          "error": {"code": -32601, "message": "no"}}), flush=True)
