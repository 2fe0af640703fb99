# SPDX-License-Identifier: Apache-2.0
# Answers the method "waver" with the next word of the file "words" at each call, the last word for
# ever.
import json, sys
for line in sys.stdin.buffer:
    message = json.loads(line)
    reply = {"error": {"code": -32601, "message": "no such method"}}
    if message["method"] == "waver":
        with open("words") as file: words = file.read().split()
        with open("words", "w") as file: file.write(" ".join(words[1:] or words))
        reply = {"result": words[0]}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)
