# SPDX-License-Identifier: Apache-2.0
# Has the secret in API on standard error and in every error.
import json, os, sys
secret = os.environ["API"]
print("started with", secret, file=sys.stderr, flush=True)
for line in sys.stdin:
    try: id = json.loads(line).get("id")
    except Exception: id = None
    print(json.dumps({"jsonrpc": "2.0", "id": id,
                      "error": {"code": "x", "message": "no " + secret}}), flush=True)
