// SPDX-License-Identifier: Apache-2.0
// An MCP server that lets tokens in as the library jose (npm) checks them, and DPoP proofs beside them.
//
//   node jose_server.mjs PORT [BLIND...]
//
// BLIND: what it does not look at: expiry, start, audience, issuer, signature, scope; and of proofs
// proof, typ, htm, htu, age, ath, key, jti, single. Further words: dpop-only, it takes bound tokens alone; nonce,
// proofs need one of the last 1,000 nonces; each answer has a new one.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

// From the folder that it is started in.
const found = createRequire(pathToFileURL(process.cwd() + '/')).resolve('jose');
const jose = await import(pathToFileURL(found));
const [port, ...blind] = process.argv.slice(2);
const only = blind.includes('dpop-only');
const seen = new Set(); // ids of proofs
const nonces = blind.includes('nonce') ? ['n-0'] : []; // the last that were handed out
const sees = (what) => !blind.includes(what);
const issuer = process.env.RPCSPEC_ISSUER;
const here = `http://127.0.0.1:${port}/mcp`;
const keys = jose.createRemoteJWKSet(new URL(issuer + '/jwks'));

async function claimsOf(token) {
  if (!sees('signature')) return jose.decodeJwt(token);
  if (!sees('issuer') && jose.decodeJwt(token).iss !== issuer) return jose.decodeJwt(token);
  const soon = 1000 * (jose.decodeJwt(token).nbf ?? 0) + 1000;
  const { payload } = await jose.jwtVerify(token, keys, {
    ...(sees('issuer') && { issuer }),
    ...(sees('audience') && { audience: here }),
    ...(!sees('expiry') && { currentDate: new Date(Math.min(Date.now(), 1000 * jose.decodeJwt(token).exp - 1000)) }),
    ...(!sees('start') && { currentDate: new Date(Math.max(Date.now(), soon)) }),
  });
  return payload;
}

async function checkProof(request, token, claims) {
  if (!sees('proof')) return;
  const shown = request.headersDistinct.dpop ?? [];
  if (shown.length !== 1 && (sees('single') || shown.length === 0)) throw Error('not one proof');
  const { payload, protectedHeader } = await jose.jwtVerify(shown[0], jose.EmbeddedJWK, {
    algorithms: ['ES256'],
    ...(sees('typ') && { typ: 'dpop+jwt' }),
  });
  const must = (what, holds) => {
    if (sees(what) && !holds) throw Error(what);
  };
  const age = Date.now() / 1000 - payload.iat;
  must('htm', payload.htm === request.method);
  must('htu', URL.canParse(payload.htu) && new URL(payload.htu.split(/[?#]/)[0]).href === here);
  must('age', Math.abs(age) <= 300);
  must('ath', payload.ath === createHash('sha256').update(token).digest('base64url'));
  must('jti', typeof payload.jti === 'string');
  must('jti', !only || !seen.has(payload.jti)); // no proof serves twice (RFC 9449 section 11.1)
  seen.add(payload.jti);
  if (nonces.length && !nonces.includes(payload.nonce)) throw Error('nonce');
  must('key', (await jose.calculateJwkThumbprint(protectedHeader.jwk)) === claims.cnf?.jkt);
}

const results = {
  'tools/list': { tools: [] },
  initialize: {
    protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'jose', version: '1' },
  },
};

createServer(async (request, response) => {
  const say = (status, body, headers = {}) => {
    nonces.splice(0, nonces.length - 1000);
    if (nonces.length) nonces.push('n-' + Math.random());
    const fresh = nonces.length && { 'DPoP-Nonce': nonces.at(-1) };
    response.writeHead(status, { 'Content-Type': 'application/json', ...fresh, ...headers }).end(JSON.stringify(body));
  };
  let text = '';
  for await (const chunk of request) text += chunk;
  const [, scheme, token] = /^(\w+) +(\S+)$/.exec(request.headers.authorization ?? '') ?? [];
  const dpop = scheme?.toLowerCase() === 'dpop';
  const refuse = (error) => say(401, {}, {
    'WWW-Authenticate': [
      ...(only ? [] : ['Bearer' + (error ? ` error="${error}"` : '')]),
      `DPoP algs="ES256"` + (error ? `, error="${error}"` : ''),
    ],
  });
  let claims;
  try {
    if (!dpop && (only || scheme?.toLowerCase() !== 'bearer')) return refuse();
    claims = await claimsOf(token);
    if (!dpop && claims.cnf && sees('proof')) throw Error('bound');
  } catch {
    return refuse('invalid_token');
  }
  try {
    if (dpop) await checkProof(request, token, claims);
  } catch (error) {
    return refuse(error.message === 'nonce' ? 'use_dpop_nonce' : 'invalid_dpop_proof');
  }
  if (sees('scope') && !claims.scope?.split(' ').includes('use'))
    return say(403, {}, { 'WWW-Authenticate': (only ? 'DPoP' : 'Bearer') + ' error="insufficient_scope", scope="use"' });
  if (request.method !== 'POST') return say(405, {});
  const message = JSON.parse(text);
  if (message.id === undefined) return response.writeHead(202).end();
  say(200, { jsonrpc: '2.0', id: message.id, result: results[message.method] ?? {} });
}).listen(Number(port), '127.0.0.1');
