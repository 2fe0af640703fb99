// SPDX-License-Identifier: Apache-2.0
// ping, echo, add, sleep and fail described by an OpenRPC document and served by the reference server of that
// specification, which checks parameters against the document.
const { setTimeout } = require('node:timers/promises');
const { Server } = require('@open-rpc/server-js');

const anything = {};
const method = (name, params = []) => ({ name, params, result: { name: 'answer', schema: anything } });
const number = (name) => ({ name, required: true, schema: { type: 'number' } });

new Server({
  openrpcDocument: {
    openrpc: '1.2.6',
    info: { title: 'demo', version: '1.0.0' },
    methods: [
      method('ping'),
      method('echo', [{ name: 'value', schema: anything }]),
      method('add', [number('a'), number('b')]),
      method('sleep', [number('milliseconds')]),
      method('fail'),
    ],
  },
  transportConfigs: [
    { type: 'HTTPTransport', options: { port: Number(process.env.PORT), middleware: [] } },
  ],
  methodMapping: {
    ping: async () => 'pong',
    echo: async (value) => value ?? null,
    add: async (a, b) => a + b,
    sleep: async (milliseconds) => setTimeout(milliseconds, 'slept'),
    fail: async () => {
      throw new Error('it always fails');
    },
  },
}).start();
