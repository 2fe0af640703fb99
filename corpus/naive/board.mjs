// SPDX-License-Identifier: Apache-2.0
// A naive server of a message board over HTTP (2025-06-18), on node:http: what a GET stream is open for goes to that stream. See README.md.
import http from "node:http";
import crypto from "node:crypto";

const sessions = new Map();
const subscribed = new Set(); // uris
const posts = { "board://news": "Nothing is new.", "board://rules": "Be kind." };

const tools = [
  { name: "read_board", description: "Reads a board", annotations: { readOnlyHint: true },
    inputSchema: { type: "object", properties: { board: { type: "string", enum: ["news", "rules"] } }, required: ["board"] },
    outputSchema: { type: "object", properties: { text: { type: "string" }, length: { type: "integer" } }, required: ["text", "length"] } },
  { name: "post", description: "Posts to the news",
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] } },
];

class RpcError extends Error {
  constructor(code, message) { super(message); this.code = code; }
}

function notifyAll(message) {
  for (const session of sessions.values()) {
    if (session.stream) session.stream.write(`data: ${JSON.stringify(message)}\n\n`);
  }
}

function callTool({ name, arguments: args }) {
  const tool = tools.find((t) => t.name === name);
  if (!tool) throw new RpcError(-32602, `Unknown tool: ${name}`);
  if (name === "post") {
    posts["board://news"] = args.text;
    for (const uri of subscribed) notifyAll({ jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri } });
    return { content: [{ type: "text", text: "posted" }] };
  }
  const text = posts[`board://${args.board}`];
  return { content: [{ type: "text", text }], structuredContent: { text, length: String(text.length) } };
}

const methods = {
  initialize: (params) => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {}, resources: { subscribe: true } },
    serverInfo: { name: "board", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools }),
  "tools/call": callTool,
  "resources/list": () => ({ resources: Object.keys(posts).map((uri) => ({ uri, name: uri.slice(8), size: "unknown" })) }),
  "resources/read": ({ uri }) => {
    if (!(uri in posts)) throw new RpcError(-32002, "Resource not found");
    return { contents: [{ uri, text: posts[uri] }] };
  },
  "resources/subscribe": ({ uri }) => { subscribed.add(uri); return {}; },
  "resources/unsubscribe": ({ uri }) => { subscribed.delete(uri); return {}; },
};

function answer(message) {
  const { id, method, params = {} } = message;
  try {
    if (!Object.hasOwn(methods, method)) throw new RpcError(-32601, "Method not found");
    return { jsonrpc: "2.0", id, result: methods[method](params) };
  } catch (e) {
    return { jsonrpc: "2.0", id, error: { code: e.code ?? -32603, message: e.message } };
  }
}

function onPost(req, res, body) {
  let message;
  try {
    message = JSON.parse(body);
  } catch (e) {
    res.writeHead(400, { "Content-Type": "text/plain" }).end(e.stack);
    return;
  }
  if (typeof message !== "object" || message === null || Array.isArray(message) || (!("method" in message) && !("result" in message) && !("error" in message))) {
    res.writeHead(400, { "Content-Type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "Invalid Request" } }));
    return;
  }
  let session = sessions.get(req.headers["mcp-session-id"]);
  if (message.method === "initialize") {
    const id = crypto.randomUUID();
    sessions.set(id, (session = { id, stream: null }));
  } else if (!session) {
    res.writeHead(200, { "Content-Type": "text/event-stream" });
    res.end(`event: message\ndata: ${JSON.stringify({ error: "Session not found" })}\n\n`);
    return;
  }
  if (!("id" in message) || !("method" in message)) {
    res.writeHead(202).end();
    return;
  }
  const reply = JSON.stringify(answer(message));
  if (session.stream) { // the client listens: it gets everything there
    session.stream.write(`data: ${reply}\n\n`);
    res.writeHead(202).end();
    return;
  }
  res.writeHead(200, { "Content-Type": "application/json", "Mcp-Session-Id": session.id });
  res.end(reply);
}

http.createServer((req, res) => {
  if (req.url !== "/") return res.writeHead(404).end();
  if (req.headers.origin && !/^https?:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/.test(req.headers.origin)) return res.writeHead(403).end();
  const session = sessions.get(req.headers["mcp-session-id"]);
  if (req.method === "GET") {
    if (!session) return res.writeHead(400).end("no session");
    res.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-cache" });
    res.write("retry: soon\nid:\n\n: hello\n\n");
    session.stream = res;
    req.on("close", () => { session.stream = null; });
  } else if (req.method === "DELETE") {
    if (session) session.stream?.end();
    sessions.delete(req.headers["mcp-session-id"]);
    res.writeHead(204).end();
  } else if (req.method === "POST") {
    let body = "";
    req.on("data", (chunk) => { body += chunk; });
    req.on("end", () => onPost(req, res, body));
  } else {
    res.writeHead(405, { Allow: "GET, POST, DELETE" }).end();
  }
}).listen(Number(process.argv[2]), "127.0.0.1");
