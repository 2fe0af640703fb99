#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// A naive server of a list over stdio (2024-11-05): each chunk that is read is one message, each id a number. See README.md.
const todos = [{ id: 1, text: 'buy milk', done: false }];
let nextId = 2;
let logLevel = 'info';

const ErrorCodes = { NOT_FOUND: 'METHOD_NOT_FOUND', INVALID: 'INVALID_PARAMS' };
class RpcError extends Error {
  constructor(code, message) { super(message); this.code = code; }
}

function write(obj) { process.stdout.write(JSON.stringify(obj) + '\n'); }
function log(level, data) {
  write({ jsonrpc: '2.0', method: 'notifications/message', params: { level, logger: 'todo', data } });
}

const tools = {
  add_todo: {
    description: 'Add a todo',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    run: ({ text }) => {
      const t = { id: nextId++, text, done: false };
      todos.push(t);
      if (todos.length > 3) log('warn', 'your list is getting long');
      return [{ type: 'text', text: `Added #${t.id}: ${text}` }];
    },
  },
  list_todos: {
    description: 'List all todos',
    inputSchema: { type: 'object', properties: {} },
    run: () => todos.map((t) => ({ type: 'text', text: `#${t.id} ${t.text}` })),
  },
};

const prompts = {
  plan_day: {
    description: 'Plan my day around the todos',
    arguments: [{ name: 'focus', description: 'What to focus on', required: true }],
    render: (a) => [{ role: 'user', content: `Plan my day. Focus on ${a.focus}.` }],
  },
};

const methods = {
  initialize: (p) => ({
    protocolVersion: '2024-11-05',
    capabilities: { tools: {}, prompts: {}, logging: {} },
    serverInfo: { name: 'todo-server', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Object.entries(tools).map(([name, t]) => ({ name, description: t.description, inputSchema: t.inputSchema })),
  }),
  'tools/call': (p) => {
    const t = tools[p.name];
    if (!t) throw new RpcError(ErrorCodes.INVALID, `Unknown tool: ${p.name}`);
    return { content: t.run(p.arguments || {}), isError: false };
  },
  'prompts/list': () => ({
    prompts: Object.entries(prompts).map(([name, t]) => ({ name, description: t.description, arguments: t.arguments })),
  }),
  'prompts/get': (p) => {
    const t = prompts[p.name];
    if (!t) throw new RpcError(ErrorCodes.INVALID, `Unknown prompt: ${p.name}`);
    return { description: t.description, messages: t.render(p.arguments || {}) };
  },
  'logging/setLevel': (p) => { logLevel = p.level; return {}; },
};

function handle(msg) {
  const id = Number(msg.id);
  try {
    const fn = methods[msg.method];
    if (!fn) throw new RpcError(ErrorCodes.NOT_FOUND, `Method not found: ${msg.method}`);
    write({ jsonrpc: '2.0', id, result: fn(msg.params || {}), error: null });
  } catch (e) {
    write({ jsonrpc: '2.0', id, error: { code: e.code || -32603, message: e.message } });
  }
}

process.stdin.on('data', (chunk) => {
  let msg;
  try {
    msg = JSON.parse(chunk.toString('utf8'));
  } catch (e) {
    write({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } });
    return;
  }
  handle(msg);
});
process.stdin.on('end', () => process.exit(0));
