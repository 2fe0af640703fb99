// SPDX-License-Identifier: Apache-2.0
// Expected against seen. What the clause asks of a message, as the report has it (`wanted`),
// becomes a skeleton of a message, which is laid beside the message that came.

// undefined where the text is no JSON.
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (broken) {
    return undefined;
  }
}

// A condition on a value: what is said of it, and whether a value meets it.
class Asked {
  constructor(words, meets) {
    this.words = words;
    this.meets = meets;
  }
}

// What `wanted` asks of a message; `asked` is the id of the request. null where it asks nothing.
function skeletonOf(wanted, asked) {
  const found = {};
  const codes = (wanted.codes || []).map(String);
  if (codes.length > 0)
    found.error = {code: new Asked(codes.join(' or '), (value) => codes.includes(String(value)))};
  else if (wanted.error && !wanted.result && !wanted.silence)
    found.error = new Asked('an error', (value) => value !== undefined);
  else if (wanted.result && !wanted.error)
    found.result = new Asked('a result', (value) => value !== undefined);
  const id = wanted.id === 'own' ? asked : parsed(wanted.id);
  if (id !== undefined) found.id = id;
  return Object.keys(found).length > 0 ? found : null;
}

function isTree(value) { return value !== null && typeof value === 'object'; }

function shown(value) {
  if (value instanceof Asked) return value.words;
  const text = JSON.stringify(value);
  return text === undefined ? '' : text.length > 400 ? text.slice(0, 400) + '…' : text;
}

// Rows {depth, mark, name, text}: "+" came and was not expected so, "-" was expected, " " both.
// With `partial` members that are not expected are lawful.
function differences(expected, seen, partial) {
  const rows = [];
  const put = (depth, mark, name, value, tail) => {
    if (isTree(value) && !(value instanceof Asked)) {
      const list = Array.isArray(value);
      const entries = Object.entries(value);
      if (entries.length === 0) {
        rows.push({depth, mark, name, text: (list ? '[]' : '{}') + (tail || '')});
        return;
      }
      rows.push({depth, mark, name, text: list ? '[' : '{'});
      for (const [key, item] of entries.slice(0, 60)) put(depth + 1, mark, list ? '' : key, item, ',');
      if (entries.length > 60) rows.push({depth: depth + 1, mark, name: '', text: '…'});
      rows.push({depth, mark, name: '', text: (list ? ']' : '}') + (tail || '')});
    } else {
      rows.push({depth, mark, name, text: shown(value) + (tail || '')});
    }
  };
  const walk = (depth, name, want, have) => {
    if (rows.length > 400) return;
    if (want instanceof Asked) {
      if (want.meets(have)) {
        put(depth, ' ', name, have);
      } else {
        put(depth, '-', name, want);
        if (have !== undefined) put(depth, '+', name, have);
      }
      return;
    }
    if (!isTree(want) || !isTree(have) || Array.isArray(want) !== Array.isArray(have)) {
      if (JSON.stringify(want) === JSON.stringify(have)) {
        put(depth, ' ', name, have);
      } else {
        if (want !== undefined) put(depth, '-', name, want);
        if (have !== undefined) put(depth, '+', name, have);
      }
      return;
    }
    const list = Array.isArray(have);
    rows.push({depth, mark: ' ', name, text: list ? '[' : '{'});
    const keys = [...Object.keys(have), ...Object.keys(want).filter((k) => !Object.hasOwn(have, k))];
    for (const key of keys) {
      const label = list ? '' : key;
      if (!Object.hasOwn(want, key))
        put(depth + 1, partial ? ' ' : '+', label, have[key]);
      else
        walk(depth + 1, label, want[key], Object.hasOwn(have, key) ? have[key] : undefined);
    }
    rows.push({depth, mark: ' ', name: '', text: list ? ']' : '}'});
  };
  walk(0, '', expected, seen);
  return rows;
}

const MARK_WORDS = {'+': 'seen: ', '-': 'expected: '};

function differenceTable(rows) {
  const lines = rows.map((row) => make('span',
    {class: 'line ' + (row.mark === '+' ? 'plus' : row.mark === '-' ? 'minus' : 'same')},
    make('span', {class: 'mark', 'aria-hidden': 'true'}, row.mark),
    MARK_WORDS[row.mark] ? make('span', {class: 'hidden'}, MARK_WORDS[row.mark]) : null,
    '  '.repeat(row.depth), row.name !== '' ? JSON.stringify(row.name) + ': ' : '', row.text, '\n'));
  return make('pre', {class: 'diff', tabindex: '0', role: 'group', 'aria-label':
    'Expected against seen: lines with minus were expected, lines with plus came'}, lines);
}

// The last message of the target's among frames, as JSON.
function lastReceived(frames) {
  for (const frame of [...frames].reverse()) {
    if (frame.direction !== 'received' || frame.text === undefined || frame.size) continue;
    const value = parsed(frame.text);
    if (isTree(value)) return value;
  }
  return undefined;
}

// The id of the last request among frames; undefined where there is none.
function lastAsked(frames) {
  for (const frame of [...frames].reverse()) {
    if (frame.direction !== 'sent' || frame.text === undefined || frame.size) continue;
    const value = parsed(frame.text);
    if (isTree(value) && typeof value.method === 'string' && Object.hasOwn(value, 'id'))
      return value.id;
  }
  return undefined;
}

const MESSAGES = ['result', 'error', 'server-message', 'other-message'];

// Expected and seen as sentences; below them, where there is a message to look at, the difference.
function differenceView(finding) {
  const view = make('div', {class: 'against'},
    make('div', {class: 'side wanted'}, make('h4', {}, 'Expected'),
      make('p', {}, clip(finding.expected, 600))),
    make('div', {class: 'side got'}, make('h4', {}, 'Seen'), make('p', {}, clip(finding.seen, 600))));
  const {wanted = {}, came = {}, frames = []} = finding;
  const exact = parsed(wanted.value);
  const want = exact !== undefined ? exact : skeletonOf(wanted, lastAsked(frames));
  const seen = exact !== undefined ? parsed(came.text) :
      MESSAGES.includes(came.kind) ? lastReceived(frames) :
                                     undefined;
  if (want === null || seen === undefined) return view;
  const rows = differences(want, seen, exact === undefined);
  if (!rows.some((row) => row.mark !== ' ')) return view;
  view.append(differenceTable(rows));
  return view;
}

function short(text, most) { return text.length > most ? text.slice(0, most) + '…' : text; }

function clip(text, most) {
  return text.length > most ? text.slice(0, most) + '… (' + text.length + ' characters)' : text;
}
