// SPDX-License-Identifier: Apache-2.0
// Three tools on FastMCP, over stdio. FastMCP sits on the first major version of the official SDK; what
// differs from servers that use the SDK directly is FastMCP's.
import { setTimeout } from 'node:timers/promises';
import { FastMCP } from 'fastmcp';
import { z } from 'zod';

const server = new FastMCP({ name: 'fastmcp-stdio', version: '1.0.0' });
const readOnly = { readOnlyHint: true };
server.addTool({
  name: 'echo',
  description: 'Says what it is told',
  annotations: readOnly,
  parameters: z.object({ text: z.string() }),
  execute: async ({ text }) => text,
});
server.addTool({
  name: 'add',
  description: 'Adds two numbers',
  annotations: readOnly,
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => String(a + b),
});
server.addTool({
  name: 'slow_operation',
  description: 'Takes its time',
  annotations: readOnly,
  parameters: z.object({ durationMs: z.number() }),
  execute: async ({ durationMs }) => setTimeout(durationMs, 'done'),
});
server.start({ transportType: 'stdio' });
