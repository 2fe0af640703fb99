// SPDX-License-Identifier: Apache-2.0
// A sound server over TCP (plain JSON-RPC) with lawful habits that are rare: replies come in another order, in small pieces,
// with every letter escaped, and those of a batch backwards. It must not get a finding. See README.md.
import net from "node:net";

const LONGEST = 4 << 20;
const refuse = (code, message) => Object.assign(new Error(message), { code });

const methods = {
  "fare.of"(params) {
    const [from, to] = Array.isArray(params) ? params : [params.from, params.to];
    const extra = Array.isArray(params) ? params.length !== 2 : Object.keys(params).length !== 2;
    if (extra || typeof from !== "string" || typeof to !== "string") throw refuse(-32602, "from and to are texts");
    return from === to ? 0 : 4.5;
  },
  "ferry.none"(params) {
    if (Array.isArray(params) ? params.length : Object.keys(params).length) throw refuse(-32602, "nothing is expected");
    return null;
  },
};

function escaped(value) { // JSON, with each letter of a text as an escape
  return JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"/g, (text) => `"${JSON.parse(text).split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`).join("")}"`);
}

function reply(id, what) {
  return ` { "id" : ${typeof id === "string" ? escaped(id) : String(id)} ,\t"x\\/ferry":[ ] , ${what} , "jsonrpc" : "2\\u002e0" } `;
}

const error = (id, code, message) => reply(id, `"error" :{ "message":${escaped(message)},"code" : ${code} }`);

function one(request) {
  if (request === null || typeof request !== "object" || Array.isArray(request)) return error(null, -32600, "Invalid Request");
  const { id, method, params = [] } = request;
  const hasId = Object.hasOwn(request, "id");
  const goodId = id === null || typeof id === "string" || Number.isSafeInteger(id);
  if (request.jsonrpc !== "2.0" || typeof method !== "string" || (hasId && !goodId) || params === null || typeof params !== "object") {
    return error(hasId && goodId ? id : null, -32600, "Invalid Request");
  }
  try {
    if (!Object.hasOwn(methods, method)) throw refuse(-32601, "Method not found");
    const result = methods[method](params);
    return hasId ? reply(id, `"result" : ${escaped(result)}`) : null;
  } catch (e) {
    return hasId ? error(id, e.code, e.message) : null;
  }
}

function answer(line) {
  let message;
  try {
    message = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line));
  } catch {
    return error(null, -32700, "Parse error");
  }
  if (!Array.isArray(message) || message.length === 0) return one(message);
  const replies = message.map(one).filter((text) => text !== null);
  return replies.length ? `[${replies.reverse().join(" , ")}]` : null;
}

net.createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
  let rest = Buffer.alloc(0);
  let open = 0;
  let ended = false;
  let skip = false; // the rest of a line that is too long
  const finish = () => { if (ended && open === 0) socket.end(); };
  function take(line) {
    if (!line.toString("latin1").trim()) return;
    const text = answer(line);
    if (text === null) return;
    open += 1;
    setTimeout(() => {
      const bytes = Buffer.from(`${text}\n`);
      for (let at = 0; at < bytes.length; at += 1000) socket.write(bytes.subarray(at, at + 1000));
      open -= 1;
      finish();
    }, Math.random() * 8);
  }
  socket.on("data", (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (let end; (end = rest.indexOf(10)) >= 0; rest = rest.subarray(end + 1)) {
      if (!skip) take(rest.subarray(0, end));
      skip = false;
    }
    if (skip) rest = rest.subarray(rest.length);
    if (rest.length <= LONGEST) return;
    skip = true;
    rest = Buffer.alloc(0);
    socket.write(`${error(null, -32600, "The message is too long")}\n`);
  });
  socket.on("end", () => { ended = true; if (rest.length && !skip) take(rest); finish(); });
  socket.on("error", () => socket.destroy());
}).listen(Number(process.argv[2]), "127.0.0.1");
