# JSON-RPC in ten lines
import json, sys
def add(a, b): return a + b
def greet(name): return "Hello " + name
def reverse(text): return text[::-1]
M = {"add": add, "greet": greet, "reverse": reverse}
for line in sys.stdin:
    r = json.loads(line)
    result = M[r["method"]](*r["params"])
    print(json.dumps({"jsonrpc": "2.0", "result": result, "id": r["id"]}), flush=True)
