#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Starts the program of the package for this platform, with its arguments, streams and exit code.
'use strict';
const {spawn} = require('node:child_process');
const os = require('node:os');

const name = `rpcspec-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/rpcspec`);
} catch {
  console.error(`rpcspec: there is no package ${name}: rpcspec runs on linux-x64 and ` +
    `linux-arm64 (glibc 2.34 or later)`);
  process.exit(4);
}
const child = spawn(program, process.argv.slice(2), {stdio: 'inherit'});
// What ends us by hand ends it in its own way: it prints what is known and leaves nothing running.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on('error', (error) => {
  console.error(`rpcspec: ${program} cannot be started: ${error.message}`);
  process.exit(4);
});
child.on('exit', (code, signal) => {
  process.exit(signal ? 128 + os.constants.signals[signal] : code);
});
