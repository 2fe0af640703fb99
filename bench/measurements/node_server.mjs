// SPDX-License-Identifier: Apache-2.0
// What bench/campaign takes for a Node server when it asks how fast one can be fuzzed: JSON-RPC 2.0
// in lines over stdio. Sound but for ids that JSON.parse() does not keep, such as 1e-400.
const error = (id, code, message) => ({ jsonrpc: "2.0", id, error: { code, message } });
const isKept = (id) => !Number.isInteger(id) || Number.isSafeInteger(id);
const isId = (id) =>
  id === null || typeof id === "string" || (Number.isFinite(id) && isKept(id));
const utf8 = new TextDecoder("utf-8", { fatal: true });
const methods = {
  ping: () => "pong",
  echo: (params) => params ?? null,
  add: (params) => {
    const [a, b] = Array.isArray(params) ? params : [params?.a, params?.b];
    if (typeof a !== "number" || typeof b !== "number") throw error(null, -32602, "add takes two numbers");
    return Number.isFinite(a + b) ? a + b : null;
  },
};

function answer(message) {
  if (typeof message !== "object" || message === null || Array.isArray(message))
    return error(null, -32600, "no request");
  if (!("method" in message) && ("result" in message || "error" in message)) return undefined;
  const { jsonrpc, id, method, params } = message;
  const known = "id" in message && isId(id) ? id : null;
  const structured = params === undefined || (typeof params === "object" && params !== null);
  if (jsonrpc !== "2.0" || typeof method !== "string" || !structured || ("id" in message && !isId(id)))
    return error(known, -32600, "no request");
  let reply;
  if (!Object.hasOwn(methods, method)) {
    reply = error(id, -32601, "no such method");
  } else {
    try {
      reply = { jsonrpc: "2.0", id, result: methods[method](params) };
    } catch (thrown) {
      reply = thrown.error ? { ...thrown, id } : error(id, -32603, "internal error");
    }
  }
  return "id" in message ? reply : undefined;
}

function line(bytes) {
  let message;
  try {
    message = JSON.parse(utf8.decode(bytes));
  } catch {
    return error(null, -32700, "no JSON");
  }
  if (!Array.isArray(message)) return answer(message);
  if (message.length === 0) return error(null, -32600, "an empty batch");
  const replies = message.map(answer).filter((reply) => reply !== undefined);
  return replies.length > 0 ? replies : undefined;
}

let rest = Buffer.alloc(0);
process.stdin.on("data", (chunk) => {
  const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
  let out = "";
  let at = 0;
  for (let end; (end = bytes.indexOf(10, at)) >= 0; at = end + 1) {
    if (bytes.subarray(at, end).every((byte) => byte === 32 || byte === 9 || byte === 13)) continue;
    const reply = line(bytes.subarray(at, end));
    if (reply !== undefined) out += JSON.stringify(reply) + "\n";
  }
  rest = bytes.subarray(at);
  if (out) process.stdout.write(out);
});
