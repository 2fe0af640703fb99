// SPDX-License-Identifier: Apache-2.0
// Everything that version 1 of the official SDK offers, over stdio or, with PORT in the environment, over
// HTTP with sessions and streams that can be resumed. Names are those of the official test fixtures. Apart
// from subscriptions and pages, which the SDK leaves to its user, nothing here touches the protocol.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { InMemoryTaskMessageQueue, InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks';
import { completable } from '@modelcontextprotocol/sdk/server/completable.js';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { takeResult, toArrayAsync } from '@modelcontextprotocol/sdk/shared/responseMessage.js';
import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ErrorCode, ListRootsResultSchema, McpError, SubscribeRequestSchema, UnsubscribeRequestSchema, UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';
const WATCHED = 'test://watched-resource';
const text = (words) => ({ type: 'text', text: words });
const say = (...words) => ({ content: words.map(text) });
const annotations = { readOnlyHint: true };

function addTools(server, subscribed) {
  const tool = (name, description, more, run) => server.registerTool(name, { description, annotations, ...more }, run);
  const notify = (extra, method, params) => extra.sendNotification({ method: `notifications/${method}`, params });
  const progress = (extra, progress, total) =>
    extra._meta?.progressToken !== undefined && notify(extra, 'progress', { progressToken: extra._meta.progressToken, progress, total });

  // in the older way of the SDK, which it still offers
  server.tool('test_simple_text', 'Says a line', annotations, () => say('This is a simple text response for testing.'));
  server.tool('echo', 'Says what it is told', { message: z.string() }, annotations, ({ message }) => say(message));
  tool('add', 'Adds two numbers', {
    title: 'Adder', inputSchema: { a: z.number(), b: z.number() }, outputSchema: { sum: z.number() },
  }, ({ a, b }) => ({ ...say(JSON.stringify({ sum: a + b })), structuredContent: { sum: a + b } }));
  tool('wrong_output', 'Gives back what its schema does not allow', { inputSchema: { none: z.boolean().default(false) }, outputSchema: { sum: z.number() } },
    ({ none }) => none ? say('nothing') : { ...say('two'), structuredContent: { sum: 'two' } });
  tool('get_weather', 'Invents the weather', {
    inputSchema: z.object({ city: z.string().min(1).max(40), units: z.enum(['celsius', 'fahrenheit']).default('celsius') }).strict(),
  }, ({ city, units }) => say(`Fine in ${city}, 21 degrees ${units}.`));
  tool('slow_operation', 'Takes its time, says how far it is and can be cancelled', {
    inputSchema: { durationMs: z.number().min(0).max(60000).default(100), announce: z.boolean().optional() },
  }, async ({ durationMs, announce }, extra) => {
    for (let step = 1; step <= 5; ++step) {
      await pause(durationMs / 5, undefined, { signal: extra.signal });
      await progress(extra, step, 5);
    }
    if (announce && subscribed.has(WATCHED)) await server.server.sendResourceUpdated({ uri: WATCHED });
    return say('done');
  });
  tool('test_tool_with_progress', 'Says how far it is', {}, async (extra) => {
    for (const done of [0, 50, 100]) await progress(extra, done, 100);
    return say('done');
  });
  tool('test_tool_with_logging', 'Writes log messages of each level', {}, async (extra) => {
    for (const level of ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'])
      await server.sendLoggingMessage({ level, logger: 'tool', data: `a line at ${level}` }, extra.sessionId);
    return say('logged');
  });
  tool('test_error_handling', 'Always fails', {}, () => { throw new Error('This tool intentionally returns an error'); });
  tool('test_image_content', 'A picture', {}, () => ({ content: [{ type: 'image', data: PIXEL, mimeType: 'image/png' }] }));
  tool('test_audio_content', 'A sound', {}, () => ({ content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }] }));
  tool('locate', 'Says the address of a point', {}, () =>
    say(new UriTemplate('test://point/{x,y}{?q,none}{?page}{&nothing}').expand({ x: '1', y: '2', q: ['a', 'b'], page: '2' })));
  const embedded = { type: 'resource', resource: { uri: 'test://embedded', mimeType: 'text/plain', text: 'embedded' } };
  tool('test_embedded_resource', 'A resource in its answer', {}, () => ({ content: [embedded] }));
  tool('test_multiple_content_types', 'A text, a picture and a resource', {}, () =>
    ({ content: [text('several'), { type: 'image', data: PIXEL, mimeType: 'image/png' }, embedded] }));
  tool('test_resource_link', 'A link to a resource', {}, () =>
    ({ content: [{ type: 'resource_link', uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' }] }));

  // on the stream of the call; the client may say how far it is
  const on = (extra) => ({ timeout: 5000, maxTotalTimeout: 20000, relatedRequestId: extra.requestId, onprogress: () => {}, resetTimeoutOnProgress: true });
  tool('test_sampling', 'Asks the model of the client', { inputSchema: { prompt: z.string() } }, async ({ prompt }, extra) => {
    const { content } = await server.server.createMessage({ messages: [{ role: 'user', content: text(prompt) }], maxTokens: 100 }, on(extra));
    return say(`LLM response: ${content.text ?? content.type}`);
  });
  tool('sampling_with_options', 'Lends the model of the client a tool', {}, async (extra) => {
    if (!server.server.getClientCapabilities()?.sampling?.tools) return { ...say('the client has no sampling with tools'), isError: true };
    const tools = [{ name: 'clock', description: 'The time', inputSchema: { type: 'object' } }];
    const messages = [{ role: 'user', content: text('what is the time?') }];
    const first = await server.server.createMessage({ messages, maxTokens: 100, tools, toolChoice: { mode: 'auto' } }, on(extra));
    const uses = [first.content].flat().filter((one) => one.type === 'tool_use');
    if (!uses.length) return say(`The model stopped for ${first.stopReason}.`);
    messages.push({ role: 'assistant', content: first.content },
      { role: 'user', content: uses.map(({ id }) => ({ type: 'tool_result', toolUseId: id, content: [text('noon')] })) });
    const { stopReason } = await server.server.createMessage({ messages, maxTokens: 100, tools }, on(extra));
    return say(`The model stopped for ${stopReason}.`);
  });
  tool('streamed_sampling', 'Asks the model of the client, and would hear of its progress', {}, async (extra) => {
    const params = { messages: [{ role: 'user', content: text('hi') }], maxTokens: 10 };
    const heard = await toArrayAsync(server.server.experimental.tasks.createMessageStream(params, on(extra)));
    return say(heard.map(({ type }) => type).join(', '));
  });
  tool('streamed_elicitation', 'Asks the user for a name, and would hear of the progress', {}, async (extra) => {
    const params = { message: 'Who are you?', requestedSchema: { type: 'object', properties: { username: { type: 'string' } } } };
    return say(`User response: ${(await takeResult(server.server.experimental.tasks.elicitInputStream(params, on(extra)))).action}`);
  });
  tool('test_elicitation', 'Asks the user for a name', { inputSchema: { message: z.string() } }, async ({ message }) => {
    const { action, content } = await server.server.elicitInput({
      message, requestedSchema: { type: 'object', properties: { username: { type: 'string' }, age: { type: 'integer', default: 30 } }, required: ['username'] },
    }, { timeout: 5000 });
    return say(`User response: ${action}, ${JSON.stringify(content)}`);
  });
  tool('link_account', 'Asks the user to open a page', {}, async () => {
    const elicitationId = randomUUID();
    const complete = server.server.createElicitationCompletionNotifier(elicitationId);
    const params = { mode: 'url', message: 'Log in', elicitationId, url: 'https://example.com/login' };
    const { action } = await server.server.elicitInput(params, { timeout: 5000 });
    if (action === 'accept') await complete();
    return say(`The page: ${action}`);
  });
  tool('linked_files', 'Works once the user has opened a page', {}, () => {
    if (!server.server.getClientCapabilities()?.elicitation?.url) return { ...say('the client cannot open pages'), isError: true };
    throw new UrlElicitationRequiredError([{ mode: 'url', message: 'Log in', elicitationId: randomUUID(), url: 'https://example.com/login' }]);
  });
  tool('test_list_roots', 'Asks for the roots of the client', {}, async (extra) => {
    if (!server.server.getClientCapabilities()?.roots) return say(`${(await server.server.listRoots(undefined, on(extra))).roots.length} roots`);
    const { roots } = await extra.sendRequest({ method: 'roots/list' }, ListRootsResultSchema, { timeout: 5000 });
    return say(`${roots.length} roots`);
  });
  tool('ping_client', 'Asks the client whether it is there', {}, async () => { await server.server.ping(); return say(`${server.server.getClientVersion()?.name} is there`); });

  // comes, changes in every way that the SDK has, and goes
  const change = (add, later) => async () => {
    const item = add();
    item.update({ ...later, title: 'Passing' });
    item.disable();
    item.enable();
    item.remove();
    return say('changed');
  };
  const none = () => ({ contents: [] });
  tool('test_trigger_tool_change', 'Adds a tool and removes it', {}, change(() => server.registerTool('passing', {}, () => say('hi')), {
    name: 'passing_by', description: 'Goes soon', paramsSchema: { how: z.string() }, outputSchema: { when: z.string() }, annotations, callback: () => say('bye'), _meta: {},
  }));
  tool('test_trigger_prompt_change', 'Adds a prompt and removes it', {}, change(() => server.registerPrompt('passing', {}, () => ({ messages: [] })), {
    name: 'passing_by', description: 'Goes soon', argsSchema: { how: completable(z.string(), () => []) }, callback: () => ({ messages: [] }),
  }));
  tool('test_trigger_resource_change', 'Adds a resource and removes it', {}, change(() => server.registerResource('passing', 'test://passing', {}, none), {
    name: 'passing by', uri: 'test://passing-by', metadata: { description: 'Goes soon' }, callback: none,
  }));
  tool('trigger_template_change', 'Adds a template and removes it', {}, change(() => server.registerResource('passing', new ResourceTemplate('test://passing/{id}', {}), {}, none), {
    name: 'passing by', template: new ResourceTemplate('test://passing-by/{id}', {}), metadata: { description: 'Goes soon' }, callback: none,
  }));
  tool('test_update_resource', 'Changes a resource', { inputSchema: { uri: z.string().default(WATCHED) } }, async ({ uri }) => {
    if (subscribed.has(uri)) await server.server.sendResourceUpdated({ uri });
    return say('updated');
  });
  tool('test_reconnection', 'Closes its stream in the middle', {}, async (extra) => {
    extra.closeSSEStream?.();
    await pause(100);
    return say('still here');
  });
}

function addTasks(server) {
  const tasks = server.experimental.tasks;
  const handler = (work) => ({
    createTask: async (args, extra) => {
      const task = await extra.taskStore.createTask({ ttl: extra.taskRequestedTtl ?? 60000, pollInterval: 20 });
      work(args, extra, task.taskId).then(
        (result) => extra.taskStore.storeTaskResult(task.taskId, 'completed', result),
        (error) => extra.taskStore.storeTaskResult(task.taskId, 'failed', { ...say(error.message), isError: true }),
      ).catch(() => {});  // cancelled, or gone
      return { task };
    },
    getTask: (args, extra) => extra.taskStore.getTask(extra.taskId),
    getTaskResult: (args, extra) => extra.taskStore.getTaskResult(extra.taskId),
  });
  const config = (description, taskSupport) => ({ description, annotations, inputSchema: { durationMs: z.number().min(0).max(60000).default(50) }, execution: { taskSupport } });
  tasks.registerToolTask('report', config('A report that may be a task', 'optional'), handler(async ({ durationMs }, extra, taskId) => {
    await pause(durationMs / 2);
    await extra.taskStore.updateTaskStatus(taskId, 'working', 'half of it is there');
    await pause(durationMs / 2);
    return say('the report');
  }));
  tasks.registerToolTask('long_report', config('A report that is always a task', 'required'), handler(async ({ durationMs }) => {
    await pause(durationMs);
    return say('the long report');
  }));
  tasks.registerToolTask('failing_report', config('A task that fails', 'required'), handler(async ({ durationMs }) => {
    await pause(durationMs);
    throw new Error('no report');
  }));
  tasks.registerToolTask('asking_report', config('A task that asks the user', 'required'), handler(async (args, extra, taskId) => {
    const requestedSchema = { type: 'object', properties: { title: { type: 'string' } } };
    const { action } = await server.server.elicitInput({ message: 'Which title?', requestedSchema }, { relatedTask: { taskId }, timeout: 5000 });
    return say(`the report, ${action}`);
  }));
}

function addPrompts(server) {
  const prompt = (...content) => ({ messages: content.map((one) => ({ role: 'user', content: one })) });
  const fruits = ['test-apple', 'test-banana', 'testament'];
  const complete = (value) => fruits.filter((one) => one.startsWith(value));
  server.registerPrompt('test_simple_prompt', { title: 'Simple', description: 'A line' }, () => prompt(text('This is a simple prompt for testing.')));
  server.registerPrompt('test_prompt_with_arguments', {
    description: 'Repeats its arguments',
    argsSchema: { arg1: completable(z.string(), complete), arg2: completable(z.string().optional(), (value, context) => complete(value).map((one) => `${context?.arguments?.arg1 ?? ''}${one}`)) },
  }, ({ arg1, arg2 }) => prompt(text(`arg1='${arg1}', arg2='${arg2}'`)));
  server.registerPrompt('test_prompt_with_embedded_resource', { argsSchema: { resourceUri: z.string() } }, ({ resourceUri }) =>
    prompt({ type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'embedded' } }));
  server.registerPrompt('test_prompt_with_image', {}, () => prompt({ type: 'image', data: PIXEL, mimeType: 'image/png' }, text('What is it?')));
  server.prompt('spoken_note', 'A sound', () => prompt({ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }));
}

function addResources(server, subscribed) {
  const read = (uri, mimeType, what) => ({ contents: [{ uri: uri.href, mimeType, ...what }] });
  server.registerResource('static-text', 'test://static-text', { title: 'Text', mimeType: 'text/plain' }, (uri) => read(uri, 'text/plain', { text: 'static' }));
  server.resource('static-binary', 'test://static-binary', { mimeType: 'image/png' }, (uri) => read(uri, 'image/png', { blob: PIXEL }));
  server.registerResource('watched', WATCHED, { mimeType: 'text/plain' }, (uri) => read(uri, 'text/plain', { text: 'watched' }));
  const ids = ['123', '124', '200'];
  const data = new ResourceTemplate('test://template/{id}/data', {
    list: () => ({ resources: ids.map((id) => ({ uri: data.uriTemplate.expand({ id }), name: `data-${id}` })) }),
    complete: { id: (value) => ids.filter((id) => id.startsWith(value)) },
  });
  server.registerResource('data', data, { mimeType: 'application/json' }, (uri, { id }) => read(uri, 'application/json', { text: JSON.stringify({ id }) }));
  const others = [['search', 'test://search{?q,page}'], ['more', 'test://search?of=all{&page}'], ['files', 'test://files{/path*}'], ['pages', 'test://pages/{+path}{.kind}{#part}']];
  for (const [name, template] of others)
    server.resource(name, new ResourceTemplate(template, {
      list: () => ({ resources: [{ uri: new UriTemplate(template).expand({ q: 'a b', page: '2', path: 'docs', kind: 'txt', part: 'top' }), name }] }),
    }), { mimeType: 'application/json' }, (uri, found) => read(uri, 'application/json', { text: JSON.stringify(found) }));
  server.server.registerCapabilities({ resources: { subscribe: true } });
  server.server.setRequestHandler(SubscribeRequestSchema, ({ params }) => { subscribed.add(params.uri); return {}; });
  server.server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => { subscribed.delete(params.uri); return {}; });
}

function build() {
  const subscribed = new Set(), taskStore = new InMemoryTaskStore();
  const server = new McpServer({ name: 'sdk1-full', title: 'Everything', version: '1.0.0' }, {
    instructions: 'A server to test clients and testers with.',
    enforceStrictCapabilities: true,
    maxToolInputElements: 10000,
    debouncedNotificationMethods: ['notifications/prompts/list_changed'],
    capabilities: { logging: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
    taskStore, taskMessageQueue: new InMemoryTaskMessageQueue(),
  });
  addTools(server, subscribed);
  addTasks(server);
  addPrompts(server);
  addResources(server, subscribed);
  server.server.onclose = () => taskStore.cleanup();
  return server;
}

// What a client may still get when it comes back: the messages of a stream behind an event of it.
class Events {
  #stored = [];
  async storeEvent(stream, message) { return `${stream}_${this.#stored.push({ stream, message }) - 1}`; }
  async getStreamIdForEventId(id) { return this.#stored[Number(id.split('_').pop())]?.stream; }
  async replayEventsAfter(id, { send }) {
    const at = Number(id.split('_').pop()), stream = this.#stored[at]?.stream;
    if (stream === undefined) throw new McpError(ErrorCode.InvalidParams, 'no such event');
    for (const [i, one] of this.#stored.entries()) if (i > at && one.stream === stream) await send(`${stream}_${i}`, one.message);
    return stream;
  }
}

if (process.env.PORT) {
  const sessions = new Map(), port = Number(process.env.PORT), local = [`127.0.0.1:${port}`, `localhost:${port}`];
  createServer(async (request, response) => {
    let transport = sessions.get(request.headers['mcp-session-id']);
    if (!transport && request.headers['mcp-session-id']) return void response.writeHead(404).end();
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID, eventStore: new Events(), retryInterval: 100,
        enableDnsRebindingProtection: true, allowedHosts: local, allowedOrigins: local.map((one) => `http://${one}`),
        onsessioninitialized: (id) => void sessions.set(id, transport), onsessionclosed: (id) => void sessions.delete(id),
      });
      await build().connect(transport);
    }
    await transport.handleRequest(request, response);
  }).listen(port, '127.0.0.1');
} else {
  const server = build();
  await server.connect(new StdioServerTransport());
  // what was asked last is still answered; timers of tasks that are over keep nobody from going
  process.stdin.on('end', () => setTimeout(() => server.close().then(process.exit), 500).unref());
}
