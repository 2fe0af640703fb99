// SPDX-License-Identifier: Apache-2.0
// A naive server of a poll over WebSocket (2025-06-18), without a library (node poll.mjs PORT): it reads frames, but not all of a frame.
import http from 'node:http';
import crypto from 'node:crypto';

const votes = { tea: 3, coffee: 5 };
const tools = [
  { name: 'results', description: 'Votes so far', inputSchema: { type: 'object', properties: {} }, annotations: { readOnlyHint: true } },
  { name: 'votes_for', description: 'Votes for one drink', annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: { drink: { type: 'string', enum: ['tea', 'coffee'] } }, required: ['drink'] } },
];

function callTool({ name, arguments: args = {} }) {
  if (name === 'results') return { content: [{ type: 'text', text: JSON.stringify(votes) }] };
  if (name === 'votes_for') {
    if (!(args.drink in votes)) return { content: [{ type: 'text', text: 'no such drink' }], isError: true };
    return { content: [{ type: 'text', text: String(votes[args.drink]) }] };
  }
  return { content: [{ type: 'text', text: 'unknown tool' }] };
}

function onMessage(text, send) {
  const { id, method, params = {} } = JSON.parse(text);
  if (id === undefined) return;
  const reply = (result) => send(JSON.stringify({ jsonrpc: '2.0', id, result }));
  switch (method) {
    case 'initialize':
      return reply({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'poll', version: '1.0.0' } });
    case 'ping': return reply({});
    case 'tools/list': return reply({ tools });
    case 'tools/call': return reply(callTool(params));
  }
}

function frame(text) {
  const data = Buffer.from(text);
  const head = data.length < 126 ? Buffer.from([0x81, data.length]) : Buffer.from([0x81, 126, data.length >> 8, data.length & 255]);
  return Buffer.concat([head, data]);
}

const server = http.createServer((req, res) => { res.writeHead(404); res.end(); });
server.on('upgrade', (req, socket) => {
  const key = crypto.createHash('sha1').update(req.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64');
  const offered = (req.headers['sec-websocket-protocol'] || '').split(',').map((s) => s.trim());
  socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ' + key + '\r\n' +
    (offered.includes('mcp') ? 'Sec-WebSocket-Protocol: mcp\r\n' : '') + '\r\n');
  let buffer = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    while (buffer.length >= 2) {
      const opcode = buffer[0] & 15;
      let length = buffer[1] & 127, at = 2;
      if (length === 126) { if (buffer.length < 4) return; length = buffer.readUInt16BE(2); at = 4; }
      else if (length === 127) { if (buffer.length < 10) return; length = buffer.readUInt16BE(8); at = 10; }
      if (buffer.length < at + 4 + length) return;
      const mask = buffer.subarray(at, at + 4);
      const data = Buffer.from(buffer.subarray(at + 4, at + 4 + length)).map((b, i) => b ^ mask[i % 4]);
      buffer = buffer.subarray(at + 4 + length);
      if (opcode === 8) return socket.end();
      if (opcode !== 1) continue;
      try { onMessage(data.toString(), (text) => socket.write(frame(text))); } catch { socket.destroy(); return; }
    }
  });
});
server.listen(Number(process.argv[2]), '127.0.0.1');
