// SPDX-License-Identifier: Apache-2.0
// A server of three tools on the official SDK's second major version, over stdio. Nothing here touches
// the protocol: what rpcspec finds is the SDK's own doing.
import { setTimeout } from 'node:timers/promises';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const say = (text) => ({ content: [{ type: 'text', text }] });

function build() {
  const server = new McpServer({ name: 'sdk2-stdio', version: '1.0.0' });
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

serveStdio(build);
