// SPDX-License-Identifier: Apache-2.0
// A naive server of a museum over stdio (2025-06-18), with callbacks and timers: it counts what it sends, and tells of all changes. See README.md.
import { EventEmitter } from "node:events";
import process from "node:process";

const events = new EventEmitter();
const works = Array.from({ length: 25 }, (_, i) => ({ id: i + 1, title: `Study no. ${i + 1}` }));
const PAGE = 10;
let buffer = "";

function send(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

function notify(method, params) {
  send({ jsonrpc: "2.0", method, params });
}

const resources = works.map((w) => ({ uri: `museum:///piece/${w.id}`, title: w.title, mimeType: "text/plain" }));

const tools = [
  { name: "find work", description: "Finds a work by its title",
    inputSchema: { type: "object", properties: { title: { type: "string", required: true } } }, annotations: { readOnlyHint: "yes" } },
  { name: "guide", description: "A picture and a tour",
    inputSchema: { type: "object", properties: {} }, annotations: { readOnlyHint: true } },
  { name: "renovate", description: "Changes a work",
    inputSchema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] } },
];

const handlers = {
  initialize(params, done) {
    if (!["2025-03-26", "2025-06-18"].includes(params.protocolVersion)) return done({ code: -32602, message: "Unsupported protocol version" });
    done(null, {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true }, prompts: {} },
      serverInfo: { name: "museum", version: "2.1.0" },
      instructions: ["Ask for works by title."],
    });
    notify("notifications/tools/list_changed");
    notify("notifications/message", { level: "info", data: "ready" });
  },
  ping(params, done) { done(null, {}); },
  "tools/list"(params, done) { done(null, { tools }); },
  "tools/call"({ name, arguments: args = {} }, done) {
    if (name === "find work") {
      if (typeof args.title !== "string") return done({ code: -32602, message: "title must be a string" });
      const found = works.filter((w) => w.title.includes(args.title));
      setTimeout(() => done(null, { content: [{ type: "text", text: JSON.stringify(found) }] }), 20);
    } else if (name === "guide") {
      done(null, { content: [
        { type: "resource", uri: "museum:///tour", mimeType: "text/plain", text: "Begin in the west wing." },
        { type: "resource_link", uri: "museum:///piece/1" },
        { type: "audio", data: "UklGRg==" },
      ] });
    } else if (name === "renovate") {
      events.emit("changed", args.id);
      done(null, { content: [] });
    } else {
      done({ code: -32602, message: `Unknown tool: ${name}` });
    }
  },
  "resources/list"({ cursor }, done) {
    const page = cursor === undefined ? 0 : Number(cursor);
    const from = page * PAGE;
    done(null, { resources: resources.slice(from, from + PAGE), nextCursor: String(page + 1) });
  },
  "resources/templates/list"(params, done) {
    done(null, { resourceTemplates: [{ uriTemplate: "museum:///piece/{id", name: "work" }] });
  },
  "resources/read"({ uri }, done) {
    const work = works.find((w) => uri === `museum:///piece/${w.id}`);
    if (!work) return done({ code: -32002, message: "Resource not found", data: { uri } });
    done(null, { contents: [{ mimeType: "text/plain", text: work.title }] });
  },
  "resources/subscribe"({ uri }, done) {
    events.on("changed", (id) => notify("notifications/resources/updated", { resource: uri, id }));
    done(null, {});
    notify("notifications/resources/updated", { resource: uri });
  },
  "resources/unsubscribe"({ uri }, done) { done(null, {}); },
  "prompts/list"(params, done) { done(null, { prompts: [{ title: "Tour", description: "A tour" }] }); },
  "prompts/get"({ name }, done) {
    if (name !== "tour") return done({ code: -32602, message: "Unknown prompt" });
    done(null, { messages: "Show me around." });
  },
};

function onMessage(message) {
  if (message === null || typeof message !== "object" || Array.isArray(message)) {
    return send({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "Invalid Request" } });
  }
  const { id, method, params } = message;
  if (id === undefined || ("result" in message || "error" in message)) return;
  if (message.jsonrpc !== "2.0" || typeof method !== "string" || !["string", "number"].includes(typeof id)) {
    return send({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "Invalid Request" } });
  }
  const done = (error, result) => send(error ? { jsonrpc: "2.0", id, error } : { jsonrpc: "2.0", id, result });
  const handler = Object.hasOwn(handlers, method) ? handlers[method] : null;
  if (!handler) return done({ code: -32601, message: "Method not found" });
  if (params !== undefined && (params === null || typeof params !== "object" || Array.isArray(params))) return done({ code: -32602, message: "Invalid params" });
  handler(params ?? {}, done);
}

process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  buffer += chunk;
  const lines = buffer.split("\n");
  buffer = lines.pop();
  for (const line of lines) {
    if (!line.trim()) continue;
    let message;
    try {
      message = JSON.parse(line);
    } catch (e) {
      send({ jsonrpc: "2.0", error: { code: -32700, message: e.message, data: null } });
      continue;
    }
    onMessage(message);
  }
});
