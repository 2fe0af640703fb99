# SPDX-License-Identifier: Apache-2.0
# MCP 2025-11-25. Has the secret in API in every text that it can say, at places where texts are
# cut.
import json, os, sys
secret = os.environ["API"]
said = [secret] + ["x" * (n - m) + secret for n in (40, 60, 80, 300) for m in (5, 13, 20)]
tools = [{"name": "tool-%d" % i, "description": text, "annotations": {"readOnlyHint": True, "title": text},
          "inputSchema": {"type": "object", "required": ["a"],
                          "properties": {"a": {"type": "string", "enum": [text]}}}}
         for i, text in enumerate(said)] + [{"name": text, "inputSchema": {"type": "object"}} for text in said]
lists = {"tools/list": {"tools": tools},
         "resources/list": {"resources": [{"uri": "x:" + text, "name": text} for text in said]},
         "resources/templates/list": {"resourceTemplates": [{"uriTemplate": "x:" + text, "name": text} for text in said]},
         "prompts/list": {"prompts": [{"name": text, "description": text} for text in said]}}
print("started with", secret, file=sys.stderr, flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message: continue
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] == "initialize":
        reply["result"] = {"protocolVersion": "2025-11-25", "instructions": secret,
                           "serverInfo": {"name": said[-1], "title": said[-2], "version": secret},
                           "capabilities": {"tools": {secret: True}, "resources": {}, "prompts": {},
                                            "experimental": {text: {} for text in said}}}
    elif message["method"] == "ping": reply["result"] = {}
    elif message["method"] in lists: reply["result"] = lists[message["method"]]
    else: reply["error"] = {"code": -32601, "message": "no " + said[len(message["method"]) % len(said)]}
    print(json.dumps(reply), flush=True)
