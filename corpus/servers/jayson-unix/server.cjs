// SPDX-License-Identifier: Apache-2.0
// ping, echo, add, sleep and fail on jayson's stream server, over a Unix socket. Nothing checks the parameters, so none of
// its cases about wrong ones are asked for in target.yaml.
const jayson = require('jayson');
const fs = require('node:fs');


const methods = {
  ping: (params, done) => done(null, 'pong'),
  echo: (params, done) => done(null, params),
  add: (params, done) => {
    const [a, b] = Array.isArray(params) ? params : [params.a, params.b];
    done(null, a + b);
  },
  sleep: ([milliseconds], done) => setTimeout(() => done(null, 'slept'), milliseconds),
  fail: (params, done) => done(new Error('it always fails')),
};
const path = process.env.SOCKET;
process.on('exit', () => fs.rmSync(path, {force: true}));
process.on('SIGTERM', () => process.exit(0));
new jayson.Server(methods).tcp().listen(path);
