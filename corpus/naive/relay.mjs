// SPDX-License-Identifier: Apache-2.0
// A sound server over HTTP (2025-03-26 to 2025-11-25) with lawful habits that are rare: each reply is an event stream with comments,
// carriage returns, data of several lines and chunks of odd sizes. It must not get a finding. See README.md.
import http from "node:http";
import crypto from "node:crypto";

const VERSIONS = ["2025-03-26", "2025-06-18", "2025-11-25"];
const sessions = new Map();
const tool = {
  name: "relay", description: "Says when a stage is passed", annotations: { readOnlyHint: true },
  inputSchema: { type: "object", properties: { stage: { type: "string", maxLength: 20 } }, required: ["stage"], additionalProperties: false },
};
const refuse = (code, message) => Object.assign(new Error(message), { code });

const methods = {
  ping: () => ({}),
  "tools/list": (session, { cursor }) => {
    if (cursor !== undefined) throw refuse(-32602, "there is one page");
    return { tools: [tool], "x-note": "one tool" };
  },
  "tools/call": (session, { name, arguments: args }, tell) => {
    if (name !== "relay") throw refuse(-32602, `Unknown tool: ${String(name).slice(0, 50)}`);
    if (args !== undefined && !isObject(args)) throw refuse(-32602, "arguments is an object");
    const good = args && typeof args.stage === "string" && args.stage.length <= 20 && Object.keys(args).length === 1;
    if (!good) return { content: [{ type: "text", text: "stage must be a text of at most 20 characters" }], isError: true };
    tell(0.25);
    tell(1);
    return { content: [{ type: "text", text: `passed ${args.stage}` }], isError: false };
  },
};

function frame(message, n) { // an event with an id, a name, data over several lines and CRLF ends
  const lines = JSON.stringify(message, null, 1).split("\n").map((line) => `data:${line.startsWith(" ") ? " " : ""}${line}\r\n`).join("");
  return `:event ${n}\r\nevent: message\r\nid: ${crypto.randomUUID()}\r\n${lines}\r\n`;
}

async function stream(res, headers, messages) {
  res.writeHead(200, { "Content-Type": "text/event-stream; Charset=UTF-8", "Cache-Control": "no-store", ...headers });
  const bytes = Buffer.from(`: hello\r\n\r\nretry: 1000\r\n\r\n${messages.map(frame).join("")}: bye\r\n\r\n`);
  for (let at = 0; at < bytes.length; at += 700 + (at % 13)) {
    res.write(bytes.subarray(at, Math.min(at + 700 + (at % 13), bytes.length)));
    await new Promise((next) => setImmediate(next));
  }
  res.end();
}

function json(res, status, id, code, message) {
  res.writeHead(status, { "Content-Type": "application/json" });
  res.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data: null } }));
}

function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function answer(session, message, extra) {
  const { id, method, params = {} } = message;
  const error = (code, text) => ({ id, jsonrpc: "2.0", error: { message: text, code } });
  if (message.jsonrpc !== "2.0" || typeof method !== "string") return error(-32600, "Invalid Request");
  if (!isObject(params) || (params._meta !== undefined && !isObject(params._meta))) return error(-32602, "params and _meta are objects");
  if (!Object.hasOwn(methods, method)) return error(-32601, "Method not found");
  const token = params._meta?.progressToken;
  if (token !== undefined && typeof token !== "string" && !Number.isInteger(token)) return error(-32602, "a progressToken is a text or an integer");
  const tell = (progress) => {
    if (token !== undefined) extra.push({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: token, progress } });
  };
  try {
    return { id, result: methods[method](session, params, tell), jsonrpc: "2.0" };
  } catch (e) {
    return error(e.code ?? -32603, e.message);
  }
}

function hello(res, message) {
  const { id, params } = message;
  if (message.jsonrpc !== "2.0") return json(res, 400, id, -32600, "Invalid Request");
  if (!isObject(params) || typeof params.protocolVersion !== "string" || !isObject(params.capabilities) || !isObject(params.clientInfo)) {
    return json(res, 400, id, -32602, "initialize needs protocolVersion, capabilities and clientInfo");
  }
  const version = VERSIONS.includes(params.protocolVersion) ? params.protocolVersion : VERSIONS.at(-1);
  const session = { id: crypto.randomBytes(18).toString("base64url"), version };
  sessions.set(session.id, session);
  return stream(res, { "mcp-session-id": session.id }, [{ jsonrpc: "2.0", id,
    result: { protocolVersion: version, capabilities: { tools: { listChanged: false } }, serverInfo: { name: "relay", version: "4" } } }]);
}

function onPost(req, res, bytes) {
  const types = (req.headers.accept ?? "").split(",").map((one) => one.split(";")[0].trim().toLowerCase());
  if (!types.includes("*/*") && !(types.includes("application/json") && types.includes("text/event-stream"))) return json(res, 406, null, -32600, "Not Acceptable");
  if ((req.headers["content-type"] ?? "").split(";")[0].trim().toLowerCase() !== "application/json") return json(res, 415, null, -32600, "Unsupported Media Type");
  let message;
  try {
    message = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return json(res, 400, null, -32700, "Parse error");
  }
  if (isObject(message) && message.method === "initialize" && Object.hasOwn(message, "id") && req.headers["mcp-session-id"] === undefined) return hello(res, message);
  const session = needSession(req, res);
  if (!session) return undefined;
  const all = Array.isArray(message) && session.version === "2025-03-26" && message.length > 0 ? message : [message];
  const replies = [];
  const bad = (id = null) => replies.push({ jsonrpc: "2.0", id, error: { code: -32600, message: "Invalid Request" } });
  for (const one of all) {
    if (!isObject(one)) bad();
    else if (one.method === undefined && ("result" in one || "error" in one)) continue;
    else if (!Object.hasOwn(one, "id")) { if (typeof one.method !== "string" || one.jsonrpc !== "2.0") bad(); }
    else if (typeof one.id !== "string" && !Number.isSafeInteger(one.id)) bad();
    else replies.push(answer(session, one, replies));
  }
  if (replies.length === 0) return res.writeHead(202).end();
  if (replies.length === 1 && replies[0].error?.code === -32600) return json(res, 400, replies[0].id, -32600, "Invalid Request");
  return stream(res, {}, replies);
}

function needSession(req, res) {
  const id = req.headers["mcp-session-id"];
  if (id === undefined) return void json(res, 400, null, -32600, "Mcp-Session-Id is missing");
  if (!sessions.has(id)) return void json(res, 404, null, -32600, "no such session");
  const version = req.headers["mcp-protocol-version"];
  if (version !== undefined && !VERSIONS.includes(version)) return void json(res, 400, null, -32600, "Unsupported MCP-Protocol-Version");
  return sessions.get(id);
}

http.createServer((req, res) => {
  const local = /^(https?:\/\/)?(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
  if ((req.headers.origin !== undefined && !local.test(req.headers.origin)) || !local.test(req.headers.host ?? "")) return json(res, 403, null, -32600, "Forbidden");
  if (new URL(req.url, "http://localhost").pathname !== "/") return json(res, 404, null, -32600, "Not Found");
  if (req.method === "DELETE") return needSession(req, res) && (sessions.delete(req.headers["mcp-session-id"]), res.writeHead(204).end());
  if (req.method !== "POST") return res.writeHead(405, { Allow: "POST, DELETE" }).end();
  const parts = [];
  req.on("data", (part) => parts.push(part));
  return req.on("end", () => onPost(req, res, Buffer.concat(parts)));
}).listen(Number(process.argv[2]), "127.0.0.1");
