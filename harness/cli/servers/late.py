# SPDX-License-Identifier: Apache-2.0
# Plain JSON-RPC. Answers everything properly, but what is no request only SECONDS later, behind
# the replies to requests that came after it, or "never".
import json, sys, threading, time
delay = sys.argv[1]
lock = threading.Lock()
def say(**reply):
    with lock:
        print(json.dumps({"jsonrpc": "2.0", **reply}), flush=True)
for line in sys.stdin.buffer:
    try:
        id = json.loads(line)["id"]
    except (ValueError, KeyError, TypeError):
        refusal = dict(id=None, error={"code": -32700, "message": "cannot be read"})
        if delay != "never":
            threading.Timer(float(delay), say, kwargs=refusal).start()
        continue
    say(id=id, error={"code": -32601, "message": "no such method"})
time.sleep(0.2)
