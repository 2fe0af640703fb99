// SPDX-License-Identifier: Apache-2.0
// Loaded before a server of bench/reach. rpcspec gives a server that is to end a few hundredths of a second, too few
// to write all the coverage of Node. So what was executed below node_modules is written while the server works, soon
// after it was asked something, a file at a time into RPCSPEC_REACH; V8 counts anew after each.
const fs = require('node:fs');
const { Session } = require('node:inspector');
const net = require('node:net');

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true });

let files = 0, timer;
function keep() {
  clearTimeout(timer);
  timer = undefined;
  session.post('Profiler.takePreciseCoverage', (error, { result } = {}) => {
    const ours = result?.filter(({ url }) => url.includes('/node_modules/')) ?? [];
    if (!ours.length) return;
    const path = `${process.env.RPCSPEC_REACH}/${process.pid}-${++files}`;
    fs.writeFileSync(`${path}.part`, JSON.stringify({ result: ours }));
    fs.renameSync(`${path}.part`, `${path}.json`);
  });
}
const soon = () => { timer ??= setTimeout(keep, 20).unref(); };

const { push } = net.Socket.prototype;
net.Socket.prototype.push = function (chunk, ...rest) {
  const more = push.call(this, chunk, ...rest);
  if (chunk === null) setImmediate(keep); else soon();
  return more;
};
process.on('exit', keep);
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(0));
