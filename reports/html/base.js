// SPDX-License-Identifier: Apache-2.0
// What the other files build on: the data, elements made of text only, words for verdicts.
//
// Nothing here ever parses HTML: text of a target becomes text nodes. Characters that would reorder
// or hide text are shown by their number.
const data = JSON.parse(document.getElementById('data').textContent);

// C0, DEL, C1, zero-width and bidirectional controls, tags, lone surrogates, non-characters.
const ACTING = new RegExp('[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c' +
  '\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\ufffe\\uffff]' +
  '|[\\u{e0000}-\\u{e007f}]|[\\ud800-\\udfff]', 'gu');

function visible(text) {
  return String(text).replace(ACTING, (c) => '\\u{' + c.codePointAt(0).toString(16) + '}');
}

// An element. `attributes` beginning with "on" are listeners; a child is a node or text.
function make(tag, attributes, ...children) {
  const node = tag.startsWith('svg:')
    ? document.createElementNS('http://www.w3.org/2000/svg', tag.slice(4))
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : visible(value));
  }
  add(node, children);
  return node;
}

function add(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false || child === '') continue;
    node.append(child instanceof Node ? child : document.createTextNode(visible(child)));
  }
  return node;
}

// An address of ours, or an https address of a specification; else only the text.
function link(href, ...children) {
  if (href.startsWith('#/')) return make('a', {href}, ...children);
  if (!href.startsWith('https://')) return make('span', {}, ...children);
  return make('a', {href, rel: 'noopener noreferrer', target: '_blank'}, ...children);
}

function place(kind, name) { return '#/' + kind + '/' + encodeURIComponent(name); }

const VERDICTS = {
  fail: {word: 'failed', mark: '✕'},
  warn: {word: 'warned', mark: '!'},
  error: {word: 'in error', mark: '⚠'},
  flaky: {word: 'flaky', mark: '~'},
  inconclusive: {word: 'inconclusive', mark: '?'},
  pass: {word: 'passed', mark: '✓'},
  not_applicable: {word: 'not applicable', mark: '–'},
  not_covered: {word: 'not covered', mark: '·'},
};

const WORST_FIRST = ['fail', 'warn', 'error', 'flaky', 'inconclusive', 'pass', 'not_applicable',
  'not_covered'];

function verdictClass(name) { return Object.hasOwn(VERDICTS, name) ? 'v-' + name : 'v-other'; }
function verdictWord(name) { return Object.hasOwn(VERDICTS, name) ? VERDICTS[name].word : name; }

function badge(verdict, text) {
  const mark = Object.hasOwn(VERDICTS, verdict) ? VERDICTS[verdict].mark : '•';
  return make('span', {class: 'badge ' + verdictClass(verdict)},
    make('span', {'aria-hidden': 'true'}, mark + ' '), text || verdictWord(verdict));
}

function counted(count, one, many) {
  return count.toLocaleString('en') + ' ' + (count === 1 ? one : many || one + 's');
}

function duration(ms) {
  if (ms < 1000) return Math.round(ms) + ' ms';
  if (ms < 120000) return (ms / 1000).toFixed(1) + ' s';
  return Math.floor(ms / 60000) + ' min ' + Math.round(ms % 60000 / 1000) + ' s';
}

function microseconds(us) {
  if (us < 1000) return us + ' µs';
  if (us < 1000000) return (us / 1000).toFixed(us < 10000 ? 2 : us < 100000 ? 1 : 0) + ' ms';
  return (us / 1000000).toFixed(2) + ' s';
}

// "mcp/tools" of "mcp/tools/list/pages"; what the cases of a run begin with stays in front.
const RUN_NAMES = (data.runs || []).map((run) => run.name).filter((name) => name);
function areaOf(id) {
  let front = '';
  for (const name of RUN_NAMES)
    if (id.startsWith(name + '/') && name.length > front.length) front = name;
  const words = id.slice(front ? front.length + 1 : 0).split('/');
  const area = words.length > 2 ? words.slice(0, 2).join('/') : words[0];
  return front ? front + '/' + area : area;
}

function clauseOf(id) {
  return Object.hasOwn(data.clauses, id) ? data.clauses[id] : {level: '', statement: '', links: []};
}

// MUST and MUST NOT are one level to count by.
function levelOf(level) { return (level || '').replace(' NOT', '') || 'other'; }

const CASES = new Map(data.cases.map((one) => [one.id, one]));

function say(text) { document.getElementById('said').textContent = text; }

// A block to copy from. Where there is no clipboard the text is selected.
function copyable(text, label) {
  const code = make('code', {}, text);
  const button = make('button', {type: 'button', class: 'copy', onclick: async () => {
    let done = false;
    try {
      await navigator.clipboard.writeText(text);
      done = true;
    } catch (refused) {
      getSelection().selectAllChildren(code);
      try { done = document.execCommand('copy'); } catch (refusedToo) { done = false; }
    }
    button.textContent = done ? 'Copied' : 'Press Ctrl+C';
    say(done ? 'Copied' : 'Selected; press Control C');
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  }}, 'Copy');
  button.setAttribute('aria-label', 'Copy ' + label);
  return make('div', {class: 'copyable'}, make('pre', {tabindex: '0'}, code), button);
}

// Details whose content is made when they are opened for the first time.
function unfolding(attributes, summary, content) {
  const node = make('details', attributes, make('summary', {}, ...[summary].flat()));
  let made = false;
  node.unfold = () => {
    if (made) return;
    made = true;
    node.append(content());
  };
  node.addEventListener('toggle', () => { if (node.open) node.unfold(); });
  return node;
}

function section(id, title, ...children) {
  return make('section', {id: 'section-' + id, 'aria-labelledby': 'title-' + id, tabindex: '-1'},
    make('h2', {id: 'title-' + id}, title), ...children);
}
