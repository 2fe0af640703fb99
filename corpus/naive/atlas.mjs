#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// A naive server with async handlers: one variable for all requests in flight, and nobody catches. See README.md.
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const capitals = new Map([['France', 'Paris'], ['Peru', 'Lima'], ['Japan', 'Tokyo']]);
const tools = [
  {
    name: 'capital',
    description: 'The capital of a country.',
    annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: { country: { type: 'string' } }, required: ['country'] },
    outputSchema: { type: 'object', properties: { capital: { type: 'string' } }, required: ['capital'] },
  },
];
let request; // the one that is being served

const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
const log = (level, data) => send({ method: 'notifications/message', params: { level, data } });

const handlers = {
  async initialize() {
    return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'atlas', version: '2.1.0' } };
  },
  async ping() {
    return {};
  },
  async 'tools/list'() {
    await sleep(30); // as if they came from a file
    return { tools };
  },
  async 'tools/call'({ name, arguments: { country }, _meta }) {
    if (name !== 'capital') throw { code: -32602, message: `Unknown tool: ${name}` };
    send({ method: 'notifications/progress', params: { progressToken: _meta?.progressToken, progress: 0, total: 1 } });
    await sleep(50);
    send({ method: 'notifications/progress', params: { progressToken: _meta?.progressToken, progress: 0, total: 1 } });
    const capital = capitals.get(country.trim());
    if (!capital) log('warn', `nobody asked for ${country} before`);
    return { content: [{ type: 'text', text: capital ?? 'unknown' }], structuredContent: { capital } };
  },
};

async function serve() {
  const { method, params } = request;
  const handler = Object.hasOwn(handlers, method) && handlers[method];
  if (!handler) throw { code: -32601, message: `Method not found: ${method}` };
  const result = await handler(params);
  send({ id: request.id, result });
}

// It writes down now and then how it is.
setInterval(() => process.stderr.write(`atlas: ${Math.round(process.uptime())} s\n`), 60000);

createInterface({ input: process.stdin }).on('line', async (line) => {
  if (!line.trim()) return;
  try {
    request = JSON.parse(line);
  } catch {
    return send({ id: null, error: { code: -32700, message: 'Parse error' } });
  }
  if (typeof request?.method !== 'string') {
    return send({ id: request?.id ?? null, error: { code: -32600, message: 'Invalid Request' } });
  }
  if (request.id === undefined) return;
  try {
    await serve();
  } catch (error) {
    if (!error.code) throw error;
    send({ id: request.id, error });
  }
});
