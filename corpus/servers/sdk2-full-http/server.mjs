// SPDX-License-Identifier: Apache-2.0
// Everything that version 2 of the official SDK offers, over HTTP. A client with a handshake gets a session with
// streams that can be resumed, one of 2026-07-28 the SDK's handler without sessions. Names are those of the
// official test fixtures. Apart from subscriptions of the handshake era, which the SDK leaves to its user,
// nothing here touches the protocol.
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import {
  acceptedContent, completable, createMcpHandler, createRequestStateCodec, fromJsonSchema, inputRequired, inputResponse,
  isLegacyRequest, McpServer, preloadSchemas, ResourceNotFoundError, ResourceTemplate, UriTemplate, UrlElicitationRequiredError,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { z } from 'zod';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';
const WATCHED = 'test://watched-resource';
const PAGE = 'https://example.com/login';
const text = (words) => ({ type: 'text', text: words });
const say = (...words) => ({ content: words.map(text) });
const annotations = { readOnlyHint: true };
const icons = [{ src: `data:image/png;base64,${PIXEL}`, mimeType: 'image/png' }];
const hint = { ttlMs: 5000, cacheScope: 'public' };

// What tools hand back to themselves through the client: signed, and good for the same call only.
const states = createRequestStateCodec({ key: randomBytes(32), ttlSeconds: 300, bind: (ctx) => ctx.mcpReq.method });
const skills = await SkillsExtension.load(memorySkillFiles({
  'greeting/SKILL.md': '---\nname: greeting\ndescription: How to greet a guest.\n---\n\nSay their name.\n',
  'greeting/cards/welcome.txt': 'Welcome!\n',
  'seating/SKILL.md': '---\nname: seating\ndescription: Where guests sit.\n---\n\nNext to a window.\n',
}), { pageSize: 1, cacheHint: hint });

function addContent(tool) {
  tool('test_simple_text', 'Says a line', { icons }, () => say('This is a simple text response for testing.'));
  tool('echo', 'Says what it is told', { inputSchema: z.object({ message: z.string() }) }, ({ message }) => say(message));
  tool('echo_json', 'Gives a value back as JSON', { inputSchema: fromJsonSchema({ type: 'object', properties: { value: {} }, required: ['value'] }) },
    ({ value }) => say(JSON.stringify(value)));
  tool('add', 'Adds two numbers', {
    title: 'Adder', inputSchema: z.object({ a: z.number(), b: z.number() }), outputSchema: z.object({ sum: z.number() }), _meta: { 'example.com/kind': 'sum' },
  }, ({ a, b }) => ({ ...say(JSON.stringify({ sum: a + b })), structuredContent: { sum: a + b } }));
  tool('list_numbers', 'Counts', { inputSchema: z.object({ to: z.number().int().min(0).max(9).default(3) }), outputSchema: fromJsonSchema({ type: 'array', items: { $ref: '#/$defs/number' }, $defs: { number: { type: 'integer' } } }) },
    ({ to }) => ({ structuredContent: Array.from({ length: to }, (_, i) => i) }));
  tool('get_weather', 'Invents the weather', {
    inputSchema: z.object({ city: z.string().min(1).max(40), units: z.enum(['celsius', 'fahrenheit']).default('celsius') }).strict(),
  }, ({ city, units }) => say(`Fine in ${city}, 21 degrees ${units}.`));
  tool('test_header_tool', 'Takes arguments that headers mirror', {
    inputSchema: z.object({
      region: z.string().meta({ 'x-mcp-header': 'Region' }), limit: z.number().int().meta({ 'x-mcp-header': 'Limit' }).optional(),
      fresh: z.boolean().meta({ 'x-mcp-header': 'Fresh' }).optional(),
    }),
  }, ({ region, limit, fresh }) => say(`${region}, ${limit}, ${fresh}`));
  tool('test_error_handling', 'Always fails', {}, () => { throw new Error('This tool intentionally returns an error'); });
  tool('test_image_content', 'A picture', {}, () => ({ content: [{ type: 'image', data: PIXEL, mimeType: 'image/png' }] }));
  tool('test_audio_content', 'A sound', {}, () => ({ content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }] }));
  const embedded = { type: 'resource', resource: { uri: 'test://embedded', mimeType: 'text/plain', text: 'embedded' } };
  tool('test_embedded_resource', 'A resource in its answer', {}, () => ({ content: [embedded] }));
  tool('test_multiple_content_types', 'A text, a picture and a resource', {}, () =>
    ({ content: [text('several'), { type: 'image', data: PIXEL, mimeType: 'image/png' }, embedded] }));
  tool('test_resource_link', 'A link to a resource', {}, () =>
    ({ content: [{ type: 'resource_link', uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' }] }));
}

function addWork(tool, changed) {
  const progress = (ctx, progress, total) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    return progressToken !== undefined && ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total } });
  };
  tool('slow_operation', 'Takes its time, says how far it is and can be cancelled', {
    inputSchema: z.object({ durationMs: z.number().min(0).max(60000).default(100), announce: z.boolean().optional() }),
  }, async ({ durationMs, announce }, ctx) => {
    for (let step = 1; step <= 5; ++step) {
      await pause(durationMs / 5, undefined, { signal: ctx.mcpReq.signal });
      await progress(ctx, step, 5);
    }
    if (announce) await changed.resource(WATCHED);
    return say('done');
  });
  tool('test_tool_with_progress', 'Says how far it is', {}, async (ctx) => {
    for (const done of [0, 50, 100]) await progress(ctx, done, 100);
    return say('done');
  });
  tool('test_tool_with_logging', 'Writes log messages of each level', {}, async (ctx) => {
    for (const level of ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'])
      await ctx.mcpReq.log(level, `a line at ${level}`, 'tool');
    return say('logged');
  });
  tool('test_reconnection', 'Closes its stream in the middle', {}, async (ctx) => {
    ctx.http?.closeSSE?.();
    await pause(100);
    return say('still here');
  });
  tool('test_update_resource', 'Changes a resource', { inputSchema: z.object({ uri: z.string().default(WATCHED) }) }, async ({ uri }) => {
    await changed.resource(uri);
    return say('updated');
  });
  for (const kind of ['tool', 'prompt', 'resource'])
    tool(`test_trigger_${kind}_change`, `Adds a ${kind} and removes it`, {}, () => { changed[kind](); return say('changed'); });
  tool('reload_skills', 'Reads the skills again', {}, async () => { await skills.reload(); return say('read'); });
}

// The tools of the handshake era: the server asks in the middle of the call.
function addRequests(tool, server) {
  // on the stream of the call; the client may say how far it is
  const on = (ctx) => ({ timeout: 5000, maxTotalTimeout: 20000, relatedRequestId: ctx.mcpReq.id, onprogress: () => {}, resetTimeoutOnProgress: true });
  tool('test_sampling', 'Asks the model of the client', { inputSchema: z.object({ prompt: z.string() }) }, async ({ prompt }, ctx) => {
    const { content } = await ctx.mcpReq.requestSampling({ messages: [{ role: 'user', content: text(prompt) }], maxTokens: 100 }, on(ctx));
    return say(`LLM response: ${content.text ?? content.type}`);
  });
  tool('sampling_with_options', 'Lends the model of the client a tool', {}, async (ctx) => {
    if (!server.server.getClientCapabilities()?.sampling?.tools) return { ...say('the client has no sampling with tools'), isError: true };
    const clock = { name: 'clock', description: 'The time', inputSchema: { type: 'object' } };
    const messages = [{ role: 'user', content: text('what is the time?') }];
    const first = await ctx.mcpReq.requestSampling({ messages, maxTokens: 100, tools: [clock], toolChoice: { mode: 'auto' } }, on(ctx));
    const uses = [first.content].flat().filter((one) => one.type === 'tool_use');
    if (!uses.length) return say(`The model stopped for ${first.stopReason}.`);
    messages.push({ role: 'assistant', content: first.content },
      { role: 'user', content: uses.map(({ id }) => ({ type: 'tool_result', toolUseId: id, content: [text('noon')] })) });
    const { stopReason } = await ctx.mcpReq.requestSampling({ messages, maxTokens: 100, tools: [clock] }, on(ctx));
    return say(`The model stopped for ${stopReason}.`);
  });
  tool('test_elicitation', 'Asks the user for a name', { inputSchema: z.object({ message: z.string() }) }, async ({ message }, ctx) => {
    const requestedSchema = { type: 'object', properties: { username: { type: 'string' }, age: { type: 'integer', default: 30 } }, required: ['username'] };
    const { action, content } = await ctx.mcpReq.elicitInput({ message, requestedSchema }, on(ctx));
    return say(`User response: ${action}, ${JSON.stringify(content)}`);
  });
  tool('link_account', 'Asks the user to open a page', {}, async (ctx) => {
    const elicitationId = randomUUID();
    const complete = server.server.createElicitationCompletionNotifier(elicitationId, { relatedRequestId: ctx.mcpReq.id });
    const { action } = await ctx.mcpReq.elicitInput({ mode: 'url', message: 'Log in', elicitationId, url: PAGE }, on(ctx));
    if (action === 'accept') await complete();
    return say(`The page: ${action}`);
  });
  tool('linked_files', 'Works once the user has opened a page', {}, () => {
    if (!server.server.getClientCapabilities()?.elicitation?.url) return { ...say('the client cannot open pages'), isError: true };
    throw new UrlElicitationRequiredError([{ mode: 'url', message: 'Log in', elicitationId: randomUUID(), url: PAGE }]);
  });
  tool('test_list_roots', 'Asks for the roots of the client', {}, async (ctx) => say(`${(await ctx.mcpReq.send({ method: 'roots/list' }, { timeout: 5000 })).roots.length} roots`));
}

const ASK = {
  name: () => inputRequired.elicit({ message: 'Who are you?', requestedSchema: z.object({
    name: z.string().min(1).describe('As others call you'), email: z.email().optional(), born: z.iso.date().optional(), seen: z.iso.datetime().optional(),
    age: z.number().int().min(0).max(150).optional(), colour: z.enum(['red', 'green']).optional(), likes: z.array(z.enum(['tea', 'coffee'])).optional(), news: z.boolean().default(false),
  }) }),
  model: () => inputRequired.createMessage({ messages: [{ role: 'user', content: text('What is the capital of France?') }], maxTokens: 100 }),
  confirm: () => inputRequired.elicit({ message: 'Go on?', requestedSchema: z.object({ ok: z.boolean() }) }),
};

// The tools of both eras: the answer says what is needed, and the client calls again. A client with a handshake
// is asked by the SDK in the old way.
function addInput(tool, modern) {
  const once = (name, description, key, kind, ask, done) => tool(name, description, {}, (ctx) => {
    const seen = inputResponse(ctx.mcpReq.inputResponses, key);
    return seen.kind === kind ? done(seen) : inputRequired({ inputRequests: { [key]: ask() } });
  });
  tool('test_input_required_result_elicitation', 'Asks the user for a name', {}, (ctx) => {
    const seen = inputResponse(ctx.mcpReq.inputResponses, 'user_name');
    if (seen.kind === 'elicit' && seen.action !== 'accept') return say(`No name: ${seen.action}`);
    const content = acceptedContent(ctx.mcpReq.inputResponses, 'user_name', z.object({ name: z.string() }));
    return content ? say(`Hello, ${content.name}!`) : inputRequired({ inputRequests: { user_name: ASK.name() } });
  });
  once('test_input_required_result_sampling', 'Asks the model of the client', 'capital', 'sampling', ASK.model, ({ result }) => say(`The model: ${result.content.text}`));
  once('test_input_required_result_list_roots', 'Asks for the roots of the client', 'roots', 'roots', inputRequired.listRoots, ({ roots }) => say(`${roots.length} roots`));
  if (modern) once('link_account', 'Asks the user to open a page', 'page', 'elicit', () => inputRequired.elicitUrl({ message: 'Log in', url: PAGE }), ({ action }) => say(`The page: ${action}`));
  for (const name of ['test_input_required_result_request_state', 'test_input_required_result_tampered_state'])
    tool(name, 'Asks for confirmation and keeps state', {}, async (ctx) => {
      const state = ctx.mcpReq.requestState(), seen = inputResponse(ctx.mcpReq.inputResponses, 'confirm');
      if (state?.asked === name && seen.kind === 'elicit') return say(`confirmed: ${seen.action}, state-ok`);
      return inputRequired({ inputRequests: { confirm: ASK.confirm() }, requestState: await states.mint({ asked: name }, ctx) });
    });
  tool('test_input_required_result_multiple_inputs', 'Asks user, model and roots at once', {}, async (ctx) => {
    const seen = ['user_name', 'capital', 'roots'].map((key) => inputResponse(ctx.mcpReq.inputResponses, key).kind);
    if (!seen.includes('missing')) return say(seen.join(', '));
    return inputRequired({ inputRequests: { user_name: ASK.name(), capital: ASK.model(), roots: inputRequired.listRoots() }, requestState: await states.mint({}, ctx) });
  });
  tool('test_input_required_result_multi_round', 'Asks twice, one thing after the other', {}, async (ctx) => {
    const round = ctx.mcpReq.requestState()?.round ?? 0;
    if (round === 2) return say('both rounds');
    return inputRequired({ inputRequests: { [`step${round + 1}`]: ASK.name() }, requestState: await states.mint({ round: round + 1 }, ctx) });
  });
  once('test_missing_capability', 'Needs a model', 'capital', 'sampling', ASK.model, ({ result }) => say(`The model: ${result.content.text}`));
}

function addPrompts(server) {
  const prompt = (...content) => ({ messages: content.map((one) => ({ role: 'user', content: one })) });
  const fruits = ['test-apple', 'test-banana', 'testament'];
  const complete = (value) => fruits.filter((one) => one.startsWith(value));
  server.registerPrompt('test_simple_prompt', { title: 'Simple', description: 'A line', icons }, () => prompt(text('This is a simple prompt for testing.')));
  server.registerPrompt('test_prompt_with_arguments', {
    description: 'Repeats its arguments',
    argsSchema: z.object({ arg1: completable(z.string(), complete), arg2: completable(z.string(), (value, context) => complete(value).map((one) => `${context?.arguments?.arg1 ?? ''}${one}`)).optional() }),
  }, ({ arg1, arg2 }) => prompt(text(`arg1='${arg1}', arg2='${arg2}'`)));
  server.registerPrompt('test_prompt_with_embedded_resource', { argsSchema: z.object({ resourceUri: z.string() }) }, ({ resourceUri }) =>
    prompt({ type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'embedded' } }));
  server.registerPrompt('test_prompt_with_image', {}, () => prompt({ type: 'image', data: PIXEL, mimeType: 'image/png' }, text('What is it?')));
  server.registerPrompt('spoken_note', {}, () => prompt({ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }));
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks the user first' }, (ctx) => {
    const seen = inputResponse(ctx.mcpReq.inputResponses, 'user_name');
    return seen.kind === 'elicit' ? prompt(text(`asked: ${seen.action}`)) : inputRequired({ inputRequests: { user_name: ASK.name() } });
  });
}

function addResources(server) {
  const read = (uri, mimeType, what) => ({ contents: [{ uri: uri.href, mimeType, ...what }] });
  server.registerResource('static-text', 'test://static-text', { title: 'Text', mimeType: 'text/plain', cacheHint: hint }, (uri) => read(uri, 'text/plain', { text: 'static' }));
  server.registerResource('static-binary', 'test://static-binary', { mimeType: 'image/png', icons }, (uri) => read(uri, 'image/png', { blob: PIXEL }));
  server.registerResource('watched', WATCHED, { mimeType: 'text/plain' }, (uri) => read(uri, 'text/plain', { text: 'watched' }));
  const ids = ['123', '124', '200'];
  const data = new ResourceTemplate('test://template/{id}/data', {
    list: () => ({ resources: ids.map((id) => ({ uri: data.uriTemplate.expand({ id }), name: `data-${id}` })) }),
    complete: { id: (value) => ids.filter((id) => id.startsWith(value)) },
  });
  server.registerResource('data', data, { mimeType: 'application/json' }, (uri, { id }) => {
    if (!ids.includes(id)) throw new ResourceNotFoundError(uri.href);
    return read(uri, 'application/json', { text: JSON.stringify({ id }) });
  });
  const others = [['search', 'test://search{?q,page}'], ['files', 'test://files{/path*}'], ['pages', 'test://pages/{+path}{.kind}{#part}']];
  for (const [name, template] of others)
    server.registerResource(name, new ResourceTemplate(template, {
      list: () => ({ resources: [{ uri: new UriTemplate(template).expand({ q: 'a b', page: '2', path: 'docs', kind: 'txt', part: 'top' }), name }] }),
    }), { title: 'Found', mimeType: 'application/json', cacheHint: hint }, (uri, found) => read(uri, 'application/json', { text: JSON.stringify(found) }));
}

// What changes while a client of the handshake era is connected: its own lists and subscriptions. An item comes, changes
// in every way that the SDK has, and goes.
function changesOf(server, subscribed) {
  const passing = (item, later) => {
    item.update({ ...later, title: 'Passing' });
    item.disable();
    item.enable();
    item.remove();
  };
  const none = () => ({ contents: [] });
  return {
    tool: () => passing(server.registerTool('passing', {}, () => say('hi')), {
      name: 'passing_by', description: 'Goes soon', paramsSchema: z.object({ how: z.string() }), outputSchema: z.object({}), annotations, icons, callback: () => say('bye'), _meta: {},
    }),
    prompt: () => passing(server.registerPrompt('passing', {}, () => ({ messages: [] })), {
      name: 'passing_by', description: 'Goes soon', argsSchema: z.object({ how: z.string() }), icons, callback: () => ({ messages: [] }), _meta: {},
    }),
    resource: (uri) => {
      if (uri !== undefined) return subscribed.has(uri) && server.server.sendResourceUpdated({ uri });
      passing(server.registerResource('passing', 'test://passing', {}, none), { name: 'passing by', uri: 'test://passing-by', metadata: { description: 'Goes soon' }, callback: none });
      const template = (path) => new ResourceTemplate(`test://${path}/{id}`, {});
      passing(server.registerResource('passing', template('passing'), {}, none), { name: 'passing by', template: template('passing-by'), metadata: { description: 'Goes soon' }, callback: none });
    },
  };
}

// The same for clients of 2026-07-28, all of whom hear of it.
const published = {
  tool: () => modern.notify.toolsChanged(),
  prompt: () => modern.notify.promptsChanged(),
  resource: (uri) => uri === undefined ? modern.notify.resourcesChanged() : modern.notify.resourceUpdated(uri),
};

function build({ era }) {
  const subscribed = new Set();
  const server = new McpServer({ name: 'sdk2-full', title: 'Everything', version: '1.0.0', icons, websiteUrl: 'https://example.com' }, {
    instructions: 'A server to test clients and testers with.',
    enforceStrictCapabilities: true,
    capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } },
    cacheHints: { 'tools/list': hint, 'resources/list': hint, 'server/discover': hint },
    requestState: { verify: states.verify },
    inputRequired: { roundTimeoutMs: 5000 },
    maxToolInputElements: 10000,
  });
  const tool = (name, description, more, run) => server.registerTool(name, { description, annotations, ...more }, run);
  addContent(tool);
  addWork(tool, era === 'modern' ? published : changesOf(server, subscribed));
  addInput(tool, era === 'modern');
  addPrompts(server);
  addResources(server);
  skills.attach(server);
  if (era === 'modern') return server;
  addRequests(tool, server);
  server.server.setRequestHandler('resources/subscribe', ({ params }) => { subscribed.add(params.uri); return {}; });
  server.server.setRequestHandler('resources/unsubscribe', ({ params }) => { subscribed.delete(params.uri); return {}; });
  return server;
}

// What a client may still get when it comes back: the messages of a stream behind an event of it.
class Events {
  #stored = [];
  async storeEvent(stream, message) { return `${stream}_${this.#stored.push({ stream, message }) - 1}`; }
  async getStreamIdForEventId(id) { return this.#stored[Number(id.split('_').pop())]?.stream; }
  async replayEventsAfter(id, { send }) {
    const at = Number(id.split('_').pop()), stream = this.#stored[at].stream;
    for (const [i, one] of this.#stored.entries()) if (i > at && one.stream === stream && one.message.jsonrpc) await send(`${stream}_${i}`, one.message);
    return stream;
  }
}

preloadSchemas();
const sessions = new Map(), local = ['127.0.0.1', 'localhost'].map((host) => `${host}:${process.env.PORT}`);
const modern = createMcpHandler(build, { legacy: 'reject', keepAliveMs: 1000 });

async function inSession(request) {
  const id = request.headers.get('mcp-session-id');
  let transport = sessions.get(id);
  if (!transport && id) return new Response(null, { status: 404 });
  if (!transport) {
    transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID, eventStore: new Events(), retryInterval: 100, keepAliveMs: 1000,
      enableDnsRebindingProtection: true, allowedHosts: local, allowedOrigins: local.map((one) => `http://${one}`),
      onsessioninitialized: (id) => void sessions.set(id, transport), onsessionclosed: (id) => void sessions.delete(id),
    });
    await build({ era: 'legacy' }).connect(transport);
  }
  return transport.handleRequest(request);
}

const handle = toNodeHandler({ fetch: async (request, options) => await isLegacyRequest(request) ? inSession(request) : modern.fetch(request, options) });
const guards = [localhostHostValidation(), localhostOriginValidation()];

createServer((request, response) => {
  // a guard that says no has answered already
  if (guards.every((guard) => guard(request, response) !== false)) handle(request, response);
}).listen(Number(process.env.PORT), '127.0.0.1');
