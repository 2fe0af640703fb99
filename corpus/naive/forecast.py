"""An MCP server over Streamable HTTP with nothing but http.server."""
import json
import sys
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SESSIONS = {}
SKY = {"Oslo": "snow", "Rome": "sun", "Cork": "rain"}
TOOL = {
    "name": "forecast",
    "description": "What the sky will be like",
    "inputSchema": {"type": "object", "required": "city",
                    "properties": {"city": {"type": "string", "description": "a city"}}},
}
RESOURCES = [{"uri": f"sky://{city}", "name": city, "mimeType": "text/plain"} for city in SKY]


def error(code, message):
    return {"error": {"code": code, "message": message}}


def dispatch(method, params):
    if method == "initialize":
        return {"result": {"protocolVersion": "2025-06-18",
                           "capabilities": {"tools": {}, "resources": {}},
                           "serverInfo": {"name": "forecast", "version": "1.2.0"}}}
    if method == "ping":
        return {"result": {}}
    if method == "tools/list":
        return {"result": [TOOL]}
    if method == "tools/call":
        if params.get("name") != "forecast":
            return error(-32602, "no such tool")
        city = params.get("arguments", {}).get("city")
        if city not in SKY:
            return {"result": {"content": [], "isError": True}}
        return {"result": {"content": [{"type": "text", "text": SKY[city]}], "isError": False}}
    if method == "resources/list":
        return {"result": {"resources": RESOURCES}}
    if method == "resources/read":
        city = str(params.get("uri", ""))[6:]
        if city not in SKY:
            return error(-32002, "no such resource")
        return {"result": {"content": [{"uri": params["uri"], "text": SKY[city]}]}}
    return error(-32601, f"no method {method}")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def reply(self, status, body, session=None):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if session:
            self.send_header("Mcp-Session-Id", session)
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self):
        origin = self.headers.get("Origin")
        if origin and not origin.startswith("http://localhost"):
            return self.reply(403, {"error": "origin"})
        try:
            message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        except ValueError:
            return self.reply(400, {"jsonrpc": "2.0", "id": None, **error(-32700, "bad JSON")})
        if not isinstance(message, dict) or "method" not in message:
            return self.reply(400, {"jsonrpc": "2.0", "id": None, **error(-32600, "no request")})
        session = self.headers.get("Mcp-Session-Id")
        if message["method"] == "initialize":
            session = uuid.uuid4().hex
            SESSIONS[session] = True
        elif session not in SESSIONS:
            return self.reply(401, {"error": "who are you?"})
        if "id" not in message:
            self.send_response(202)
            self.end_headers()
            return
        answer = dispatch(message["method"], message.get("params") or {})
        status = 500 if "error" in answer else 200
        self.reply(status, {"jsonrpc": "2.0", "id": message["id"], **answer}, session)

    def do_DELETE(self):
        SESSIONS.pop(self.headers.get("Mcp-Session-Id"), None)
        self.reply(200, {})

    def do_GET(self):
        self.reply(404, {"error": "POST only"})

    def log_message(self, *args):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
