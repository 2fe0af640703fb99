// SPDX-License-Identifier: Apache-2.0
// ping, echo and add on json-rpc-2.0, a library without a transport: the HTTP part below hands it the
// body and sends what comes back, or 204 when nothing does.
import { createServer } from 'node:http';
import { JSONRPCServer } from 'json-rpc-2.0';

const rpc = new JSONRPCServer();
rpc.addMethod('ping', () => 'pong');
rpc.addMethod('echo', (params) => params ?? null);
rpc.addMethod('add', (params) => {
  const [a, b] = Array.isArray(params) ? params : [params.a, params.b];
  return a + b;
});

createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const reply = await rpc.receiveJSON(Buffer.concat(parts).toString());
  response.statusCode = reply ? 200 : 204;
  if (reply) response.setHeader('Content-Type', 'application/json');
  response.end(reply ? JSON.stringify(reply) : '');
}).listen(Number(process.env.PORT), '127.0.0.1');
