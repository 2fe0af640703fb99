// SPDX-License-Identifier: Apache-2.0
// ping, echo, add, sleep and fail on vscode-jsonrpc, the library of most language servers, a connection of TCP each.
const net = require('node:net');
const { setTimeout } = require('node:timers/promises');
const rpc = require('vscode-jsonrpc/node');

const methods = {
  __proto__: null,
  ping: () => 'pong',
  echo: (params) => params ?? null,
  add: (params) => {
    const [a, b] = Array.isArray(params) ? params : [params.a, params.b];
    return a + b;
  },
  sleep: async ([milliseconds]) => {
    await setTimeout(milliseconds);
    return 'slept';
  },
  fail: () => {
    throw new Error('it always fails');
  },
};

net.createServer((socket) => {
  const connection = rpc.createMessageConnection(new rpc.SocketMessageReader(socket), new rpc.SocketMessageWriter(socket));
  connection.onRequest((name, params) => {
    const method = methods[name];
    if (!method) throw new rpc.ResponseError(rpc.ErrorCodes.MethodNotFound, `no method ${name}`);
    return method(params);
  });
  connection.onNotification(() => {});
  connection.onError(() => {});
  socket.on('error', () => {});
  connection.listen();
}).listen(Number(process.env.PORT), '127.0.0.1');
