// SPDX-License-Identifier: Apache-2.0
// An agent without a model, as the SDK of ACP makes them: a prompt with "slow" waits to be cancelled, one
// with "file" reads and asks to write, one with "run" uses a terminal.
import * as acp from '@agentclientprotocol/sdk';
import { Readable, Writable } from 'node:stream';

const { agent: asked, client: asks } = acp.methods;
const sessions = new Map();
let can = {};

async function turn({ params: { sessionId, prompt }, client }) {
  const session = sessions.get(sessionId);
  if (!session) throw acp.RequestError.invalidParams({ sessionId });
  session.abort?.abort();
  const { signal } = (session.abort = new AbortController());
  const text = prompt.map((block) => block.text ?? '').join(' ');
  const update = (what) => client.notify(asks.session.update, { sessionId, update: what });
  await update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `You said: ${text}` } });
  for (let i = 0; text.includes('slow') && i < 100 && !signal.aborted; ++i) await new Promise((go) => setTimeout(go, 100));
  if (text.includes('file') && can.fs?.readTextFile) {
    const path = '/tmp/notes.txt';
    await update({ sessionUpdate: 'tool_call', toolCallId: 'read', title: 'Read', kind: 'read', status: 'pending', locations: [{ path }] });
    const { content } = await client.request(asks.fs.readTextFile, { sessionId, path });
    await update({ sessionUpdate: 'tool_call_update', toolCallId: 'read', status: 'completed', content: [{ type: 'content', content: { type: 'text', text: content } }] });
    await client.request(asks.session.requestPermission, {
      sessionId, toolCall: { toolCallId: 'write', title: 'Write', kind: 'edit', status: 'pending' },
      options: [{ kind: 'allow_once', name: 'Yes', optionId: 'y' }, { kind: 'reject_once', name: 'No', optionId: 'n' }],
    });
  }
  if (text.includes('run') && can.terminal) {
    const terminal = await client.createTerminal({ sessionId, command: 'ls', cwd: '/tmp' });
    await terminal.waitForExit();
    await terminal.currentOutput();
    await terminal.release();
  }
  return { stopReason: signal.aborted ? 'cancelled' : 'end_turn' };
}

acp.agent({ name: 'example' })
  .onRequest(asked.initialize, ({ params }) => {
    can = params.clientCapabilities ?? {};
    return { protocolVersion: 1, agentCapabilities: { loadSession: false }, agentInfo: { name: 'example', version: '1' } };
  })
  .onRequest(asked.session.new, () => {
    const sessionId = crypto.randomUUID();
    sessions.set(sessionId, {});
    return { sessionId };
  })
  .onRequest(asked.session.prompt, turn)
  .onNotification(asked.session.cancel, ({ params }) => sessions.get(params.sessionId)?.abort?.abort())
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
