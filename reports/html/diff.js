// SPDX-License-Identifier: Apache-2.0
// Expected against seen. What is expected is said in words ("error -32700 with id null"): what they
// ask of a message becomes a skeleton of it, which is laid beside the message that came.

// The first text of `text` that is a JSON object or array, parsed; undefined where there is none.
function jsonWithin(text) {
  for (let start = 0; start < text.length && start < 2000; ++start) {
    if (text[start] !== '{' && text[start] !== '[') continue;
    let depth = 0, quoted = false;
    for (let i = start; i < text.length; ++i) {
      const c = text[i];
      if (quoted) {
        if (c === '\\') ++i;
        else if (c === '"') quoted = false;
      } else if (c === '"') {
        quoted = true;
      } else if (c === '{' || c === '[') {
        ++depth;
      } else if ((c === '}' || c === ']') && --depth === 0) {
        try { return JSON.parse(text.slice(start, i + 1)); } catch (broken) { break; }
      }
    }
  }
  return undefined;
}

// A condition on a value: what is said of it, and whether a value meets it.
class Asked {
  constructor(words, meets) {
    this.words = words;
    this.meets = meets;
  }
}

// What the words of an expectation ask of a message; null where nothing of it is understood.
function skeletonOf(sentences) {
  const expected = sentences.split(/\bSent: /)[0];
  const found = {};
  const codes = [...expected.matchAll(/(?:^|error |or |, )(-\d{4,5})\b/g)].map((match) => match[1]);
  if (codes.length > 0) {
    found.error = {code: new Asked(codes.join(' or '), (value) => codes.includes(String(value)))};
  } else if (/\b(an?|the) error\b|^error\b/.test(expected) && !/\b(or|result)\b/.test(expected)) {
    found.error = new Asked('an error', (value) => value !== undefined);
  } else if (/\b(an?|the|normal|usual) (result|reply \(a result\))/.test(expected) &&
             !/\berror\b/.test(expected)) {
    found.result = new Asked('a result', (value) => value !== undefined);
  }
  const id = /\bid (null|-?\d[\d.eE+-]*|"(?:[^"\\]|\\.)*")/.exec(expected);
  if (id && !/\bor\b.*\bid\b/.test(expected)) {
    let value;
    try { value = JSON.parse(id[1]); } catch (broken) { value = undefined; }
    if (value !== undefined) found.id = value;
  }
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
    const value = jsonWithin(frame.text);
    if (value !== undefined) return value;
  }
  return undefined;
}

// The id of the last request among frames; undefined where there is none.
function lastAsked(frames) {
  for (const frame of [...frames].reverse()) {
    if (frame.direction !== 'sent' || frame.text === undefined || frame.size) continue;
    const value = jsonWithin(frame.text);
    if (isTree(value) && typeof value.method === 'string' && Object.hasOwn(value, 'id'))
      return value.id;
  }
  return undefined;
}

// Expected and seen as sentences; below them, where there is a message to look at, the difference.
function differenceView(finding) {
  const view = make('div', {class: 'against'},
    make('div', {class: 'side wanted'}, make('h4', {}, 'Expected'),
      make('p', {}, clip(finding.expected, 600))),
    make('div', {class: 'side got'}, make('h4', {}, 'Seen'), make('p', {}, clip(finding.seen, 600))));
  const exact = /^\s*[[{]/.test(finding.expected) ? jsonWithin(finding.expected) : undefined;
  let seen = jsonWithin(finding.seen);
  if (seen === undefined && !/silence|nothing|the end of/.test(finding.seen))
    seen = lastReceived(finding.frames || []);
  let wanted = exact !== undefined ? exact : skeletonOf(finding.expected);
  // The usual reply has the id of its request.
  const asked = /usual reply/.test(finding.expected) ? lastAsked(finding.frames || []) : undefined;
  if (asked !== undefined && exact === undefined) wanted = {id: asked, ...wanted};
  if (wanted === null || seen === undefined) return view;
  const rows = differences(wanted, seen, exact === undefined);
  if (!rows.some((row) => row.mark !== ' ')) return view;
  view.append(differenceTable(rows));
  return view;
}

function short(text, most) { return text.length > most ? text.slice(0, most) + '…' : text; }

function clip(text, most) {
  return text.length > most ? text.slice(0, most) + '… (' + text.length + ' characters)' : text;
}
