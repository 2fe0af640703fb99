#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Starts the program of the package for this platform, with its arguments, streams and exit code.
'use strict';
const {spawn} = require('node:child_process');
const os = require('node:os');

const name = `@NPM_PACKAGE@-${process.platform}-${process.arch}`;
const SUPPORTED = ['@NPM_PACKAGE@-linux-x64', '@NPM_PACKAGE@-linux-arm64'];
const CONTAINER = 'run it in a container: docker run --rm -v "$PWD:/work" @IMAGE@';

// What to do where no program runs on this system, in one sentence; nothing where one does. It is asked
// when something went wrong: to look for the C library takes a while.
function remedy() {
  if (process.platform === 'win32') {
    return 'rpcspec has no program for Windows: run the same command in WSL';
  }
  if (!SUPPORTED.includes(name)) {
    return `rpcspec has no program for ${process.platform}-${process.arch}: ${CONTAINER}`;
  }
  process.report.excludeNetwork = true;
  const glibc = process.report.getReport().header.glibcVersionRuntime;
  if (!glibc) {
    return `rpcspec needs glibc 2.34 or later, which this system does not have: ${CONTAINER}`;
  }
  const [major, minor] = glibc.split('.').map(Number);
  if (major < 2 || (major === 2 && minor < 34)) {
    return `rpcspec needs glibc 2.34 or later, and this system has ${glibc}: ${CONTAINER}`;
  }
  return undefined;
}

function give_up(sentence) {
  console.error(`rpcspec: ${sentence}`);
  process.exit(4);
}

let program;
try {
  program = require.resolve(`${name}/bin/rpcspec`);
} catch {
  give_up(remedy() || `the package ${name} was left out when rpcspec was installed: ` +
    'install again with npm install --include=optional');
}
const child = spawn(program, process.argv.slice(2), {stdio: 'inherit'});
// What ends us by hand ends it in its own way: it prints what is known and leaves nothing running.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on('error', (error) => give_up(remedy() || `${program} cannot be started: ${error.message}`));
child.on('exit', (code, signal) => {
  // So ends the loader of an older C library, too.
  const missing = code === 1 && remedy();
  if (missing) give_up(missing);
  process.exit(signal ? 128 + os.constants.signals[signal] : code);
});
