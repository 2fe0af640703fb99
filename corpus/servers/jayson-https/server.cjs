// SPDX-License-Identifier: Apache-2.0
// ping, echo, add, sleep and fail on jayson's HTTPS server, with a certificate that was made when it was installed.
// Nothing checks the parameters, so none of its cases about wrong ones are asked for in target.yaml.
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
const tls = {key: fs.readFileSync('key.pem'), cert: fs.readFileSync('certificate.pem')};
new jayson.Server(methods).https(tls).listen(Number(process.env.PORT), '127.0.0.1');
