# A workshop: an MCP server whose tool runs as a task, with one queue and two workers.
import json, queue, sys, threading, time, uuid

lock = threading.RLock()
tasks, jobs, running = {}, queue.Queue(), {}
TTL = 60000


def send(m):
    with lock:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **m}) + "\n")
        sys.stdout.flush()


def now():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def fail(mid, code, text):
    send({"id": mid, "error": {"code": code, "message": text}})


def view(t):
    return {"taskId": t["id"], "status": t["status"], "createdAt": t["created"], "lastUpdatedAt": t["updated"],
            "ttl": TTL, "pollInterval": 50}


def worker():
    while True:
        kind, what = jobs.get()
        steps = what["steps"]
        for i in range(steps):
            time.sleep(0.02)
            if what.get("cancelled"):
                break
            if what.get("token") is not None:
                send({"method": "notifications/progress",
                      "params": {"progressToken": what["token"], "progress": i + 1, "total": steps}})
        result = {"content": [{"type": "text", "text": "done %d steps" % steps}]}
        if kind == "task":
            with lock:
                what["result"] = result
                what["updated"] = now()
                if what["status"] == "working":
                    what["status"] = "completed"
        else:
            send({"id": what["rid"], "result": result})
            running.pop(what["rid"], None)


for _ in range(2):
    threading.Thread(target=worker, daemon=True).start()

TOOL = {"name": "work", "description": "Works for some steps", "annotations": {"readOnlyHint": True},
        "inputSchema": {"type": "object", "properties": {"steps": {"type": "integer", "minimum": 1, "maximum": 40}}},
        "execution": {"taskSupport": "optional"}}

for raw in sys.stdin.buffer:
    if not raw.strip():
        continue
    try:
        m = json.loads(raw.decode())
    except (ValueError, RecursionError):
        fail(None, -32700, "Parse error")
        continue
    if not isinstance(m, dict):
        fail(None, -32600, "Invalid Request")
        continue
    mid = m.get("id")
    good = isinstance(mid, (str, int)) and not isinstance(mid, bool)
    if "method" not in m and ("result" in m or "error" in m):
        continue
    if m.get("jsonrpc") != "2.0" or not isinstance(m.get("method"), str) or ("id" in m and not good):
        fail(mid if good else None, -32600, "Invalid Request")
        continue
    method, p = m["method"], m.get("params", {})
    if "id" not in m:
        if method == "notifications/cancelled" and isinstance(p, dict):
            job = running.get(p.get("requestId")) if isinstance(p.get("requestId"), (str, int)) else None
            if job:
                job["cancelled"] = True
                fail(job["rid"], -32800, "Request cancelled")
        continue
    if not isinstance(p, dict):
        fail(mid, -32602, "Invalid params")
        continue
    if method == "initialize":
        send({"id": mid, "result": {"protocolVersion": "2025-11-25", "serverInfo": {"name": "workshop", "version": "2"},
              "capabilities": {"tools": {}, "tasks": {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}}}})
    elif method == "ping":
        send({"id": mid, "result": {}})
    elif method == "tools/list":
        send({"id": mid, "result": {"tools": [TOOL]}})
    elif method == "completion/complete":
        send({"id": mid, "result": {"completion": {"values": []}}})
    elif method == "tools/call":
        args = p.get("arguments") or {}
        if p.get("name") != "work":
            fail(mid, -32602, "Unknown tool")
            continue
        if not isinstance(args, dict):
            fail(mid, -32602, "arguments must be an object")
            continue
        steps = args.get("steps", 5)
        if not isinstance(steps, int) or isinstance(steps, bool) or not 1 <= steps <= 40:
            send({"id": mid, "result": {"isError": True, "content": [{"type": "text", "text": "steps: 1 to 40"}]}})
            continue
        meta = p.get("_meta") if isinstance(p.get("_meta"), dict) else {}
        token = meta.get("progressToken")
        if isinstance(p.get("task"), dict):
            t = {"id": uuid.uuid4().hex, "status": "working", "created": now(), "updated": now(), "steps": steps, "token": token}
            tasks[t["id"]] = t
            send({"id": mid, "result": {"task": view(t)}})
            jobs.put(("task", t))
        else:
            job = {"rid": mid, "steps": steps, "token": token}
            running[mid] = job
            jobs.put(("call", job))
    elif method in ("tasks/get", "tasks/result", "tasks/cancel"):
        t = tasks.get(p.get("taskId")) if isinstance(p.get("taskId"), str) else None
        if t is None:
            fail(mid, -32602, "No such task")
        elif method == "tasks/get":
            send({"id": mid, "result": view(t)})
        elif method == "tasks/cancel":
            t["status"], t["updated"], t["cancelled"] = "cancelled", now(), True
            send({"id": mid, "result": view(t)})
        elif "result" not in t:
            fail(mid, -32603, "Task is not finished")
        else:
            send({"id": mid, "result": t["result"]})
    elif method == "tasks/list":
        if p.get("cursor") is not None:
            fail(mid, -32602, "bad cursor")
        else:
            send({"id": mid, "result": {"tasks": [view(t) for t in tasks.values()]}})
    else:
        fail(mid, -32601, "Method not found")
