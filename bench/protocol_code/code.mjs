// SPDX-License-Identifier: Apache-2.0
// What JavaScript files consist of, for bench/reach and bench/code_mutants:
//
//   node code.mjs ACORN FILE… > CODE.json
//
// For each file its statements inside functions, and the small changes that can be made to them. A change is the
// text that takes the place of [start, end). Offsets count UTF-16 units, as the coverage of V8 does.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const acorn = createRequire(import.meta.url)(process.argv[2]);

const STATEMENTS = new Set(['ExpressionStatement', 'VariableDeclaration', 'ReturnStatement', 'IfStatement', 'ThrowStatement',
  'ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement', 'SwitchStatement', 'TryStatement',
  'BreakStatement', 'ContinueStatement']);
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const OPPOSITE = { '===': '!==', '!==': '===', '==': '!=', '!=': '==', '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
// Names of the codes of errors in the SDKs; a code becomes the next one of its list.
const CODES = ['ParseError', 'InvalidRequest', 'MethodNotFound', 'InvalidParams', 'InternalError'];

const isNode = (value) => value !== null && typeof value === 'object' && typeof value.type === 'string';
const children = (node) => Object.values(node).flat().filter(isNode);

// "Protocol.request", "handlers.tools/call", "send > callback": where a function stands, in words.
function nameOf(node, parent) {
  if (node.id) return node.id.name;
  const key = parent?.key ?? parent?.left?.property ?? parent?.id ?? parent?.left;
  if (key?.name !== undefined && parent.type !== 'CallExpression') return key.name;
  if (parent?.type === 'CallExpression') {
    const callee = parent.callee.property?.name ?? parent.callee.name ?? '';
    const first = parent.arguments[0];
    const about = first?.type === 'Literal' ? first.value : first?.type === 'Identifier' ? first.name : undefined;
    return about === undefined || first === node ? `${callee}()` : `${callee}(${about})`;
  }
  return '';
}

function* changesAt(node, parent, text, within) {
  const words = (one) => text.slice(one.start, one.end);
  const change = (kind, one, to) => ({ kind, start: one.start, end: one.end, to, function: within });
  switch (node.type) {
    case 'IfStatement': case 'ConditionalExpression':
      yield change('negated condition', node.test, `!(${words(node.test)})`);
      yield change('condition always true', node.test, 'true');
      yield change('condition never true', node.test, 'false');
      break;
    case 'LogicalExpression':
      if (node.operator === '??') break;
      yield change('removed condition', node, `(${words(node.left)})`);
      yield change('removed condition', node, `(${words(node.right)})`);
      break;
    case 'BinaryExpression':
      if (OPPOSITE[node.operator]) yield change('other comparison', node, `${words(node.left)} ${OPPOSITE[node.operator]} ${words(node.right)}`);
      break;
    case 'Literal':
      if (parent.type === 'UnaryExpression' || parent.type === 'SequenceExpression') break;  // void 0, (0, f)(), and -32600 below
      if (node.value === true || node.value === false) yield change('swapped boolean', node, String(!node.value));
      else if (typeof node.value === 'number') yield change('changed constant', node, String(node.value + 1));
      else if (typeof node.value === 'string' && parent.type !== 'NewExpression' && !/\s/.test(node.value) && parent.key !== node)
        yield change('changed constant', node, JSON.stringify(`${node.value}x`));
      break;
    case 'UnaryExpression':
      if (node.operator === '-' && node.argument.type === 'Literal') yield change('other code', node, `-${node.argument.value + 1}`);
      if (node.operator === '!') yield change('negated condition', node, `(${words(node.argument)})`);
      break;
    case 'MemberExpression': {
      const at = CODES.indexOf(node.property.name);
      if (at >= 0 && /Code$/.test(words(node.object))) yield change('other code', node.property, CODES[(at + 1) % CODES.length]);
      break;
    }
    case 'AwaitExpression': yield change('dropped await', node, `(${words(node.argument)})`); break;
    case 'ExpressionStatement':
      if (node.expression.callee?.type !== 'Super') yield change('removed statement', node, ';');
      break;
    case 'ThrowStatement': case 'BreakStatement': yield change('removed statement', node, ';'); break;
    case 'ReturnStatement': yield change(node.argument ? 'lost result' : 'removed statement', node, node.argument ? `return (${words(node.argument)}, undefined);` : ';'); break;
  }
}

export function read(text, parsed) {
  const statements = [], changes = [];
  let region = '';
  const regions = parsed.comments.filter((one) => /^#(end)?region/.test(one.value))
    .map((one) => ({ at: one.start, name: one.value.startsWith('#region') ? one.value.slice(8).trim() : '' }));
  const regionOf = (at) => regions.findLast((one) => one.at <= at)?.name ?? '';
  const walk = (node, parent, within) => {
    if (within && STATEMENTS.has(node.type) && !node.directive) statements.push({ start: node.start, line: node.loc.start.line, region, function: within });
    if (within) changes.push(...[...changesAt(node, parent, text, within)].map((one) => ({ ...one, line: node.loc.start.line, region })));
    let inside = within;
    if (FUNCTIONS.has(node.type)) {
      const name = nameOf(node, parent);
      inside = within && name ? `${within} > ${name}` : name || within || '?';
      if (!within && scope) inside = `${scope}.${inside}`;
      if (node.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement')
        statements.push({ start: node.body.start, line: node.body.loc.start.line, region, function: inside });
    }
    const outer = scope;
    if (/^Class[DE]/.test(node.type) && !within) scope = node.id?.name ?? parent?.id?.name ?? '';
    for (const child of children(node)) {
      if (parent === null) region = regionOf(child.start);
      walk(child, FUNCTIONS.has(child.type) && node.type === 'MethodDefinition' ? { key: node.key } : node, inside);
    }
    scope = outer;
  };
  let scope = '';
  walk(parsed.tree, null, '');
  return { statements, changes };
}

function parse(text) {
  const comments = [];
  const options = { ecmaVersion: 'latest', locations: true, onComment: comments, allowHashBang: true };
  try {
    return { tree: acorn.parse(text, { ...options, sourceType: 'module' }), comments };
  } catch {
    comments.length = 0;
    return { tree: acorn.parse(text, { ...options, sourceType: 'script', allowReturnOutsideFunction: true }), comments };
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const out = {};
  for (const file of process.argv.slice(3)) {
    const text = readFileSync(file, 'utf8');
    out[file] = read(text, parse(text));
  }
  process.stdout.write(JSON.stringify(out));
}
