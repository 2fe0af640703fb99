# SPDX-License-Identifier: Apache-2.0
"""A proxy between a client and an MCP server that plants one fault, over HTTP or stdio.

It reads JSON-RPC. A Fault has up to four hooks, and what it does not touch goes through as it came:

    reply(request, reply)   another reply, several, or None for silence
    answer(request)         a reply of its own in place of the server's, or PASS
    note(message)           a request or notification of the server, likewise
    http(request, response) status and headers, in place

    python3 mutating_proxy.py --stdio FAULT -- COMMAND...      # what a client starts
"""
import copy
import http.client
import http.server
import json
import subprocess
import sys
import threading
import urllib.parse

PASS = object()


class Fault:
    def __init__(self, name, area, says, reply=None, answer=None, note=None, http=None, lawful=""):
        self.name, self.area, self.says = name, area, says
        self.lawful = lawful  # why it breaks no clause; "" of a fault
        self.reply, self.answer, self.note, self.http = reply, answer, note, http

    @property
    def over_stdio(self):
        return self.http is None


SOUND = Fault("none", "", "nothing is changed")


def as_list(value):
    return [] if value is None else value if isinstance(value, list) else [value]


class Conversation:
    """What was asked and not answered yet, by id; one for each client over stdio, one in all over HTTP."""

    def __init__(self, fault):
        self.fault, self.asked, self.lock = fault, {}, threading.Lock()

    def from_client(self, message):
        """(what goes on to the server or None, replies that go back at once)."""
        if not isinstance(message, dict) or "method" not in message:
            return message, []
        if "id" in message:
            with self.lock:
                self.asked[json.dumps(message["id"])] = message
        if self.fault.answer:
            own = self.fault.answer(message)
            if own is not PASS:
                return None, as_list(own)
        return message, []

    def from_server(self, message, request=None):
        """The messages that go to the client in its place."""
        if isinstance(message, list):
            return [[one for part in message for one in self.from_server(part, request)]]
        if not isinstance(message, dict):
            return [message]
        if "method" in message:
            if not self.fault.note:
                return [message]
            return as_list(self.fault.note(copy.deepcopy(message)))
        if request is None:
            with self.lock:
                request = self.asked.get(json.dumps(message.get("id")))
        if not self.fault.reply or not isinstance(request, dict):
            return [message]
        return as_list(self.fault.reply(request, copy.deepcopy(message)))


# --- HTTP

# Fixtures that the official tool asks for by name, and what the example server has in their place.
TOOLS = {
    "test_simple_text": ("echo", {"message": "hello"}),
    "test_image_content": ("get-tiny-image", {}),
    "test_multiple_content_types": ("get-annotated-message",
                                    {"messageType": "success", "includeImage": True}),
    "test_embedded_resource": ("get-resource-reference", {"resourceType": "Text", "resourceId": 1}),
    "test_tool_with_progress": ("trigger-long-running-operation", {"duration": 1, "steps": 3}),
    "test_sampling": ("trigger-sampling-request", {"prompt": "say hi", "maxTokens": 16}),
    "test_elicitation": ("trigger-elicitation-request", {}),
    "test_error_handling": ("get-sum", {"a": "x"}),
}
PROMPTS = {
    "test_simple_prompt": ("simple-prompt", {}),
    "test_prompt_with_arguments": ("args-prompt", {"city": "testValue1", "state": "testValue2"}),
    "test_prompt_with_embedded_resource": ("resource-prompt",
                                           {"resourceType": "Text", "resourceId": "1"}),
}
RESOURCES = {
    "test://static-text": "demo://resource/dynamic/text/1",
    "test://static-binary": "demo://resource/dynamic/blob/1",
    "test://template/123/data": "demo://resource/dynamic/text/123",
    "test://watched-resource": "demo://resource/dynamic/text/2",
}


def aliased(message):
    """The message as the example server understands it."""
    params = message.get("params") if isinstance(message, dict) else None
    if not isinstance(params, dict):
        return message
    table = {"tools/call": TOOLS, "prompts/get": PROMPTS}.get(message.get("method"), {})
    name, uri = params.get("name"), params.get("uri")
    if isinstance(name, str) and name in table:
        name, arguments = table[name]
        return {**message, "params": {**params, "name": name, "arguments": arguments}}
    if isinstance(uri, str) and uri in RESOURCES:
        return {**message, "params": {**params, "uri": RESOURCES[uri]}}
    return message


class Response:
    """Status and headers on their way to the client."""

    def __init__(self, status, headers):
        self.status, self.headers = status, headers

    def header(self, name):
        return next((value for key, value in self.headers if key.lower() == name), None)

    def set(self, name, value):
        self.headers = [pair for pair in self.headers if pair[0].lower() != name.lower()]
        if value is not None:
            self.headers.append((name, value))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    upstream, conversation, alias = None, None, False

    def log_message(self, *_):
        pass

    def do(self):
        length = int(self.headers.get("content-length") or 0)
        body = self.rfile.read(length) if length else b""
        try:
            message = json.loads(body) if body else None
        except ValueError:
            message = None
        if isinstance(message, dict):
            if self.alias:
                changed = aliased(message)
                body = body if changed is message else json.dumps(changed).encode()
                message = changed
            forward, replies = self.conversation.from_client(message)
            if forward is None:
                self.own(message, replies)
                return
        self.asked = message if isinstance(message, dict) else {}
        self.forward(body, message)

    do_GET = do_POST = do_DELETE = do_PUT = do_OPTIONS = do_HEAD = do_PATCH = do

    def own(self, message, replies):
        response = Response(200 if replies else 202, [("Content-Type", "application/json")])
        self.head(message, response)
        self.end(b"".join(json.dumps(one).encode() for one in replies))

    def forward(self, body, message):
        at = urllib.parse.urlsplit(self.upstream)
        onward = http.client.HTTPConnection(at.hostname, at.port, timeout=90)
        headers = {key: value for key, value in self.headers.items()
                   if key.lower() not in ("content-length", "connection", "transfer-encoding")}
        headers["Host"] = f"{at.hostname}:{at.port}" if self.honest_host() else self.headers["Host"]
        try:
            onward.request(self.command, self.path, body=body or None, headers=headers)
            answer = onward.getresponse()
            response = Response(answer.status, [pair for pair in answer.getheaders() if pair[0].lower()
                                                not in ("content-length", "connection", "keep-alive",
                                                        "transfer-encoding", "date")])
            kind = (answer.getheader("content-type") or "").split(";")[0].strip()
            self.head(message, response)
            if kind == "text/event-stream" and self.command != "HEAD":
                self.events(answer)
            else:
                self.end(self.changed(answer.read(), kind))
        except (OSError, http.client.HTTPException):
            self.close_connection = True
        finally:
            onward.close()

    def honest_host(self):
        port = self.server.server_address[1]
        return self.headers.get("Host") in (f"127.0.0.1:{port}", f"localhost:{port}")

    def head(self, message, response):
        fault = self.conversation.fault
        if fault.http:
            fault.http((self.command, message, self.headers), response)
        self.send_response(response.status)
        for key, value in response.headers:
            self.send_header(key, value)
        self.bodiless = response.status in (202, 204, 304) or self.command == "HEAD"
        if response.status in (204, 304):
            self.end_headers()
            return
        if self.bodiless:
            self.send_header("Content-Length", "0")
        else:
            self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def chunk(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def end(self, data):
        if self.bodiless:
            return
        if data:
            self.chunk(data)
        self.wfile.write(b"0\r\n\r\n")

    def instead(self, message):
        """Clients of several sessions use the same ids: what a POST asked stands with it."""
        own = isinstance(message, dict) and "method" not in message and "id" in self.asked \
            and message.get("id") == self.asked["id"]
        return self.conversation.from_server(message, self.asked if own else None)

    def changed(self, data, kind):
        if kind != "application/json":
            return data
        try:
            message = json.loads(data)
        except ValueError:
            return data
        changed = self.instead(message)
        return data if changed == [message] else b"".join(json.dumps(one).encode() for one in changed)

    def events(self, answer):
        lines = []
        while True:
            line = answer.readline()
            if not line:
                break
            lines.append(line)
            if line.strip():
                continue
            self.event(b"".join(lines))
            lines = []
        self.end(b"")

    def event(self, event):
        fields = [line for line in event.decode("utf-8", "replace").splitlines() if line]
        data = "\n".join(line[5:].lstrip() for line in fields if line.startswith("data:"))
        try:
            message = json.loads(data)
        except ValueError:
            self.chunk(event)
            return
        changed = self.instead(message)
        if changed == [message]:
            self.chunk(event)
            return
        rest = "".join(line + "\n" for line in fields if not line.startswith("data:"))
        for one in changed:
            self.chunk((rest + "data: " + json.dumps(one) + "\n\n").encode())


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, *_):  # a client that hangs up is none of ours
        pass


class HttpProxy:
    """Listens for the length of a `with`; `url` is its address."""

    def __init__(self, upstream, fault, alias=False):
        handler = type("Planted", (Handler,), {"upstream": upstream, "alias": alias,
                                               "conversation": Conversation(fault)})
        self.server = Server(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/mcp"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


# --- stdio

def over_stdio(fault, command):
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    conversation, lock = Conversation(fault), threading.Lock()

    def tell(messages):
        with lock:
            for one in messages:
                sys.stdout.buffer.write(json.dumps(one).encode() + b"\n")
            sys.stdout.buffer.flush()

    def inward():
        for line in sys.stdin.buffer:
            try:
                message = json.loads(line)
            except ValueError:
                message = None
            forward, replies = conversation.from_client(message) if message is not None else (1, [])
            tell(replies)
            if forward is None:
                continue
            try:
                server.stdin.write(line)
                server.stdin.flush()
            except OSError:
                return
        server.stdin.close()

    threading.Thread(target=inward, daemon=True).start()
    for line in server.stdout:
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        changed = conversation.from_server(message) if message is not None else None
        with lock:
            if changed is None or changed == [message]:
                sys.stdout.buffer.write(line)
            else:
                for one in changed:
                    sys.stdout.buffer.write(json.dumps(one).encode() + b"\n")
            sys.stdout.buffer.flush()
    return server.wait()


if __name__ == "__main__":
    import planted_faults
    at = sys.argv.index("--")
    sys.exit(over_stdio(planted_faults.BY_NAME[sys.argv[at - 1]], sys.argv[at + 1:]))
