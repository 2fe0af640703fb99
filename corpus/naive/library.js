#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// A naive server of a library over stdio (2025-03-26): an id that is false is null, batches keep a place for each element. See README.md.
const readline = require('readline');
const books = [
  { isbn: '111', title: 'Dune', body: 'Arrakis ...' },
  { isbn: '222', title: 'Emma', body: '' },
  { isbn: '333', title: 'Ulysses', body: 'Stately, plump ...' },
];
const PAGE = 2;
const tools = [
  { name: 'find_book', description: 'Find a book by title', annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] } },
  { name: 'count_books', description: 'How many books there are', annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: {} } },
  { name: 'list_titles', description: 'All titles', annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: {} } },
];
class RpcError extends Error { constructor(code, m, data) { super(m); this.code = code; this.data = data; } }
const text = (t) => ({ content: [{ type: 'text', text: t }] });
const handlers = {
  initialize: async (p) => ({ protocolVersion: '2025-03-26', capabilities: { tools: {}, resources: {}, logging: {} },
    serverInfo: { name: 'library', version: '1.0.0' } }),
  ping: async () => ({}),
  'logging/setLevel': async (p) => {
    if (!['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'].includes(p.level)) throw new RpcError(-32602, 'bad level');
    return null;
  },
  'tools/list': async (p) => {
    const at = p.cursor ? parseInt(p.cursor) : 0;
    const r = { tools: tools.slice(at, at + PAGE) };
    if (at + PAGE < tools.length) r.nextCursor = String(at + PAGE);
    return r;
  },
  'tools/call': async (p) => {
    const a = p.arguments || {};
    switch (p.name) {
      case 'find_book': {
        if (typeof a.title !== 'string') throw new RpcError(-32602, 'title must be a string');
        const b = books.find((b) => b.title === a.title);
        return b ? text(b.isbn) : { ...text('not found'), isError: true };
      }
      case 'count_books': return text(String(books.length));
      case 'list_titles': return text(books.map((b) => b.title).join(', '));
    }
    console.log('unknown tool called:', p.name);
    throw new RpcError(-32602, 'Unknown tool');
  },
  'resources/list': async () => ({ resources: books.map((b) => ({ uri: 'book://' + b.isbn, name: b.title })) }),
  'resources/templates/list': async () => ({ resourceTemplates: [{ uri: 'book://{isbn}', name: 'a book' }] }),
  'resources/read': async (p) => {
    if (typeof p.uri !== 'string') throw new RpcError(-32602, 'uri missing');
    const b = books.find((b) => 'book://' + b.isbn === p.uri);
    if (!b) throw new RpcError(-32002, 'Resource not found', { uri: p.uri });
    return { contents: [{ uri: p.uri, mimeType: 'text/plain', text: b.body || undefined }] };
  },
};
async function one(m) {
  if (typeof m !== 'object' || m === null || Array.isArray(m)) return { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Invalid Request' } };
  const id = m.id || null;
  if (typeof m.method !== 'string' || m.jsonrpc !== '2.0') return { jsonrpc: '2.0', id, error: { code: -32600, message: 'Invalid Request' } };
  const h = Object.hasOwn(handlers, m.method) ? handlers[m.method] : null;
  if (m.method === 'notifications/initialized' || m.method === 'notifications/cancelled') return null;
  if (!h) return { jsonrpc: '2.0', id: m.id, error: { code: -32601, message: 'Method not found' } };
  if (m.id === undefined) return null;
  const p = m.params === undefined ? {} : m.params;
  if (typeof p !== 'object' || p === null || Array.isArray(p)) return { jsonrpc: '2.0', id, error: { code: -32602, message: 'Invalid params' } };
  try {
    return { jsonrpc: '2.0', id, result: await h(p) };
  } catch (e) {
    if (e instanceof RpcError) return { jsonrpc: '2.0', id, error: { code: e.code, message: e.message, data: e.data } };
    return { jsonrpc: '2.0', id, error: { code: -32603, message: e.message, data: e.stack } };
  }
}
readline.createInterface({ input: process.stdin }).on('line', async (line) => {
  if (!line.trim()) return;
  let m;
  try { m = JSON.parse(line); } catch (e) {
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }) + '\n');
    return;
  }
  let out;
  if (Array.isArray(m) && m.length) out = await Promise.all(m.map(one));
  else out = await one(m);
  if (out) process.stdout.write(JSON.stringify(out) + '\n');
});
