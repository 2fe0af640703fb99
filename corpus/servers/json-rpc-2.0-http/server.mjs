// SPDX-License-Identifier: Apache-2.0
// ping, echo, add, sleep and fail on json-rpc-2.0, a library without a transport: the HTTP part below hands it the
// body and sends what comes back, or 204 when nothing does.
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { JSONRPCServer } from 'json-rpc-2.0';

const rpc = new JSONRPCServer();
rpc.addMethod('ping', () => 'pong');
rpc.addMethod('echo', (params) => params ?? null);
rpc.addMethod('add', (params) => {
  const [a, b] = Array.isArray(params) ? params : [params.a, params.b];
  return a + b;
});
rpc.addMethod('sleep', async ([milliseconds]) => {
  await setTimeout(milliseconds);
  return 'slept';
});
rpc.addMethod('fail', () => {
  throw new Error('it always fails');
});

createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const reply = await rpc.receiveJSON(Buffer.concat(parts).toString());
  response.statusCode = reply ? 200 : 204;
  if (reply) response.setHeader('Content-Type', 'application/json');
  response.end(reply ? JSON.stringify(reply) : '');
}).listen(Number(process.env.PORT), '127.0.0.1');
