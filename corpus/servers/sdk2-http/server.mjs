// SPDX-License-Identifier: Apache-2.0
// The same three tools as sdk2-stdio behind the SDK's stateless HTTP handler, with its own guards for
// the Host and Origin headers in front, as its documentation asks of a local server.
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { z } from 'zod';

const say = (text) => ({ content: [{ type: 'text', text }] });

function build() {
  const server = new McpServer({ name: 'sdk2-http', version: '1.0.0' });
  server.registerTool(
    'echo',
    { description: 'Says what it is told', inputSchema: z.object({ text: z.string() }), annotations: { readOnlyHint: true } },
    async ({ text }) => say(text),
  );
  server.registerTool(
    'add',
    { description: 'Adds two numbers', inputSchema: z.object({ a: z.number(), b: z.number() }), annotations: { readOnlyHint: true } },
    async ({ a, b }) => say(String(a + b)),
  );
  server.registerTool(
    'slow_operation',
    { description: 'Takes its time', inputSchema: z.object({ durationMs: z.number() }), annotations: { readOnlyHint: true } },
    async ({ durationMs }) => setTimeout(durationMs, say('done')),
  );
  return server;
}

const handle = toNodeHandler(createMcpHandler(build));
const guards = [localhostHostValidation(), localhostOriginValidation()];

createServer((request, response) => {
  // a guard that says no has answered already
  if (guards.every((guard) => guard(request, response) !== false)) handle(request, response);
}).listen(Number(process.env.PORT), '127.0.0.1');
