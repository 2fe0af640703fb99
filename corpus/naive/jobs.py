#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A naive server of jobs over TCP (plain JSON-RPC), a thread for each connection: it reads ASCII only. See README.md."""
import json
import socketserver
import sys
import threading
import time

jobs = {"build": "done", "test": "queued"}
lock = threading.Lock()


class JobError(Exception):
    def __init__(self, code, message, data=None):
        super().__init__(message)
        self.code, self.data = code, data


def status(name):
    """The state of a job."""
    if name not in jobs:
        raise JobError(404, "no such job")
    return jobs[name]


def submit(name, state="queued"):
    jobs[name] = state
    return True


def sleep(seconds):
    time.sleep(min(seconds, 2))
    return "slept %s" % seconds


def listing(limit=10):
    return sorted(jobs)[:limit]


METHODS = {"job.status": status, "job.submit": submit, "job.sleep": sleep, "job.list": listing}


class Handler(socketserver.StreamRequestHandler):
    def send(self, reply):
        reply["jsonrpc"] = "2.0"
        reply["server"] = "jobs"
        self.wfile.write((json.dumps(reply, ensure_ascii=False) + "\r\n").encode("utf-8"))

    def one(self, request):
        if not isinstance(request, dict) or not isinstance(request.get("method"), str):
            return {"id": None, "error": {"code": -32600, "message": "Invalid Request"}}
        rid = request.get("id")
        method = METHODS.get(request["method"])
        if method is None:
            return {"id": rid, "error": {"code": -32601, "message": "Method not found", "data": sorted(METHODS)}}
        params = request.get("params", [])
        try:
            with lock:
                result = method(**params) if isinstance(params, dict) else method(*params)
            return {"id": rid, "result": result}
        except JobError as e:
            return {"id": rid, "error": {"code": e.code, "message": str(e), "data": e.data}}
        except Exception as e:
            return {"id": rid, "error": {"code": -32602, "message": type(e).__name__, "data": str(e)}}

    def handle(self):
        while True:
            line = self.rfile.readline(65536)
            if not line:
                return
            if not line.strip():
                continue
            try:
                request = json.loads(line.decode("ascii"))
            except ValueError as e:
                self.send({"id": None, "error": {"code": -32700, "message": "Parse error", "data": str(e)}})
                continue
            if isinstance(request, list) and request:
                replies = [self.one(one) for one in request if not (isinstance(one, dict) and "id" not in one)]
                for reply in replies:
                    reply["jsonrpc"] = "2.0"
                if replies:
                    self.wfile.write((json.dumps(replies) + "\r\n").encode())
                continue
            reply = self.one(request)
            if isinstance(request, dict) and request.get("id") is None and "error" not in reply:
                continue
            self.send(reply)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


if __name__ == "__main__":
    with Server(("127.0.0.1", int(sys.argv[1])), Handler) as server:
        server.serve_forever()
