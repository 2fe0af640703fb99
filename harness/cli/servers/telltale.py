# SPDX-License-Identifier: Apache-2.0
# MCP 2025-06-18. Gives the secret in THE_TOKEN away in errors, as it is and in other spellings.
import base64, json, os, sys
secret = os.environ["THE_TOKEN"]
spellings = [secret, base64.b64encode(secret.encode()).decode(), secret.encode().hex(),
             "".join(f"%{b:02X}" for b in secret.encode())]
print("ready with " + secret, file=sys.stderr, flush=True)
for line in sys.stdin:
    try:
        message = json.loads(line)
    except ValueError:
        message = None
    if isinstance(message, dict) and "id" not in message:
        continue
    well = isinstance(message, dict) and isinstance(message.get("id"), (str, int)) and message.get("jsonrpc") == "2.0"
    reply = {"jsonrpc": "2.0", "id": message["id"] if well else None}
    method = message.get("method") if well else None
    if method == "initialize":
        reply["result"] = {"protocolVersion": "2025-06-18", "capabilities": {"resources": {}},
                           "serverInfo": {"name": "telltale", "version": "1"}}
    elif method == "ping":
        reply["result"] = {}
    elif method == "resources/list":
        reply["result"] = {"resources": [{"name": secret, "uri": "test://" + secret}]}
    else:
        reply["error"] = {"code": -32601 if well else -32600, "message": "no", "data": spellings}
    print(json.dumps(reply), flush=True)
