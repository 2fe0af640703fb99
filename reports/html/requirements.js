// SPDX-License-Identifier: Apache-2.0
// The requirement matrix: a square a clause, by family; and the same as a table with links.
// "mcp.tools" of "mcp.tools.list.pages".
function familyOf(id) { return id.split('.').slice(0, 2).join('.'); }

function grouped(list, keyOf) {
  const groups = new Map();
  for (const one of list) {
    const key = keyOf(one);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(one);
  }
  return groups;
}

// In a report of several runs: the status in that one, '' where the clause does not apply.
function statusIn(row, run) {
  return row.runs && Object.hasOwn(row.runs, run) ? row.runs[run] : '';
}

function square(row, run) {
  const status = run ? statusIn(row, run) : row.status;
  if (!status) return make('span', {class: 'square absent', 'aria-hidden': 'true'});
  const mark = Object.hasOwn(VERDICTS, status) ? VERDICTS[status].mark : '•';
  const words = row.requirement + (run ? ' in ' + run : '') + ', ' + verdictWord(status);
  return make('a', {class: 'square ' + verdictClass(status), href: place('requirement',
    row.requirement), title: words, 'aria-label': words}, mark);
}

// A line of squares for each run, a clause in one place in all of them.
function squares(list) {
  if (RUN_NAMES.length < 2) return make('div', {class: 'squares'}, list.map((row) => square(row)));
  return RUN_NAMES.map((run) => make('div', {class: 'of-run'},
    make('span', {class: 'dim'}, run.replace(/^mcp-/, '')),
    make('div', {class: 'squares'}, list.map((row) => square(row, run)))));
}

function requirementRow(row) {
  const clause = clauseOf(row.requirement);
  const names = row.cases.filter((name) => !name.startsWith('oracle:'));
  const node = make('tr', {id: 'requirement-' + row.requirement, tabindex: '-1'},
    make('td', {}, badge(row.status)),
    RUN_NAMES.length < 2 ? null : RUN_NAMES.map((run) => make('td', {},
      statusIn(row, run) ? badge(statusIn(row, run)) : make('span', {class: 'dim'}, '–'))),
    make('td', {}, make('code', {}, row.requirement),
      make('p', {class: 'statement'}, clause.statement),
      make('p', {class: 'dim'}, clause.links.map((one, i) =>
        [i > 0 ? '; ' : '', one.url ? link(one.url, one.text) : one.text])),
      clause.official ? make('p', {class: 'dim official'}, clause.official) : null),
    make('td', {}, row.level),
    make('td', {}, clause.since || ''),
    make('td', {}, names.length === 0
      ? make('span', {class: 'dim'}, row.cases.length > 0 ? 'oracles' : '–')
      : names.length === 1 ? link(place('case', names[0]), make('code', {}, names[0]))
        : unfolding({}, counted(names.length, 'case'), () => make('ul', {class: 'plain'},
            names.slice(0, 300).map((name) =>
              make('li', {}, link(place('case', name), make('code', {}, name))))))));
  node.words = (row.requirement + ' ' + clause.statement + ' ' + (clause.official || '') + ' ' +
    names.join(' ')).toLowerCase();
  return node;
}

let requirementTable;

function requirementsSection() {
  const rows = [...data.coverage].sort((a, b) => a.requirement < b.requirement ? -1 : 1);
  if (rows.length === 0) return null;
  const families = [...grouped(rows, (row) => familyOf(row.requirement))];
  const key = WORST_FIRST.filter((name) => rows.some((row) => row.status === name))
    .map((name) => make('li', {}, badge(name, verdictWord(name) + ' ' +
      rows.filter((row) => row.status === name).length)));
  requirementTable = unfolding({class: 'more', id: 'requirement-table'},
    'The same as a table: ' + counted(rows.length, 'requirement'), () => {
      const sorted = [...rows].sort((a, b) =>
        WORST_FIRST.indexOf(a.status) - WORST_FIRST.indexOf(b.status));
      return make('div', {class: 'wide'}, make('table', {},
        make('thead', {}, make('tr', {},
          ['Status', ...(RUN_NAMES.length < 2 ? [] : RUN_NAMES), 'Requirement', 'Level', 'Since',
            'Cases'].map((word) => make('th', {scope: 'col'}, word)))),
        make('tbody', {}, sorted.map(requirementRow))));
    });
  return section('requirements', 'Requirements',
    make('p', {class: 'lead dim'}, 'A square is a clause that applies to this target. It has the ' +
      'worst verdict of what covers it.' + (RUN_NAMES.length < 2 ? '' : ' A line is a run.')),
    make('ul', {class: 'key plain'}, key),
    make('div', {class: 'matrix'}, families.map(([family, list]) =>
      make('div', {class: 'family'}, make('h3', {}, make('code', {}, family),
        make('span', {class: 'dim'}, ' ' + list.length)),
      squares(list)))),
    requirementTable);
}

// What changed of what the target offers.
function surfaceSection() {
  const changes = data.surface || [];
  if (changes.length === 0) return null;
  return section('surface', 'Surface',
    make('p', {class: 'lead dim'}, 'What the server offers now, against the surface it is held to.'),
    make('div', {class: 'wide', tabindex: '0', role: 'region', 'aria-label': 'Changes of the surface'},
      make('table', {},
      make('thead', {}, make('tr', {}, ['Grade', 'Where', 'What', 'Why'].map((word) =>
        make('th', {scope: 'col'}, word)))),
      make('tbody', {}, changes.map((one) => make('tr', {},
        make('td', {}, one.grade === 'BREAKING' ? badge('fail', one.grade) : one.grade),
        make('th', {scope: 'row'}, one.where),
        make('td', {}, one.what),
        make('td', {}, one.reason)))))));
}

// The methods that the target describes, and what each clause about them came to.
function methodsSection() {
  const methods = data.methods || [];
  if (methods.length === 0) return null;
  const clauses = [...new Set(methods.flatMap((one) => Object.keys(one.clauses)))].sort();
  return section('methods', 'Described methods',
    make('p', {class: 'lead dim'}, data.contract),
    make('div', {class: 'wide', tabindex: '0', role: 'region', 'aria-label': 'Described methods'},
      make('table', {class: 'methods'},
      make('thead', {}, make('tr', {}, ['Method', 'Called', 'Examples', ...clauses.map((id) =>
        id.replace('openrpc.', '')), 'Not judged'].map((word) => make('th', {scope: 'col'}, word)))),
      make('tbody', {}, methods.map((one) => make('tr', {},
        make('th', {scope: 'row'}, make('code', {}, one.name)),
        make('td', {}, (one.called ? '' : 'no: ') + one.why),
        make('td', {}, String(one.examples)),
        clauses.map((id) => make('td', {}, one.clauses[id] === undefined ? '' :
          one.clauses[id] === 'tried' ? 'tried' :
            badge(one.clauses[id], verdictWord(one.clauses[id])))),
        make('td', {}, one.not_judged.join('; '))))))));
}

// Bars of verdicts: a row an area, a level or a revision.
function bars(title, what, rows) {
  const most = Math.max(1, ...rows.map((row) => row.total));
  return make('div', {class: 'bars'}, make('h3', {}, title),
    make('table', {}, make('thead', {class: 'hidden'}, make('tr', {}, make('th', {scope: 'col'}, what),
      make('th', {scope: 'col'}, 'Verdicts'), make('th', {scope: 'col'}, 'Count'))),
    make('tbody', {}, rows.map((row) => {
      const told = WORST_FIRST.filter((name) => row.counts[name] > 0)
        .map((name) => row.counts[name] + ' ' + verdictWord(name));
      const bar = make('div', {class: 'bar', title: told.join(', ')},
        WORST_FIRST.filter((name) => row.counts[name] > 0).map((name) => {
          const part = make('span', {class: verdictClass(name)});
          part.style.flexGrow = String(row.counts[name]);
          return part;
        }), make('span', {class: 'hidden'}, told.join(', ')));
      bar.style.width = (12 + 88 * row.total / most) + '%';
      return make('tr', {}, make('th', {scope: 'row'}, row.open
        ? make('button', {type: 'button', class: 'as-link', onclick: row.open}, row.name)
        : row.name), make('td', {}, bar), make('td', {class: 'number'}, String(row.total)));
    }))));
}

function tally(list, keyOf, statusOf) {
  return [...grouped(list, keyOf)].map(([name, members]) => {
    const counts = {};
    for (const one of members) counts[statusOf(one)] = (counts[statusOf(one)] || 0) + 1;
    return {name, counts, total: members.length};
  });
}

function summarySection() {
  if (data.campaign) return null;  // its cases are its findings
  const areas = tally(data.cases, (one) => areaOf(one.id), (one) => one.verdict)
    .sort((a, b) => (b.counts.fail || 0) - (a.counts.fail || 0) || (a.name < b.name ? -1 : 1));
  for (const row of areas) row.open = () => {
    clearFilter();
    filter.area = row.name;
    refilter();
    arrive('section-cases');
  };
  const levels = tally(data.coverage, (row) => levelOf(row.level), (row) => row.status);
  levels.sort((a, b) => ['MUST', 'SHOULD', 'MAY', 'other'].indexOf(a.name) -
    ['MUST', 'SHOULD', 'MAY', 'other'].indexOf(b.name));
  const revisions = tally(data.coverage, (row) => clauseOf(row.requirement).since || 'other',
    (row) => row.status).sort((a, b) => a.name < b.name ? -1 : 1);
  return section('summary', 'Summary', make('div', {class: 'columns'},
    bars('Cases by area', 'Area', areas),
    make('div', {},
      levels.length > 0 ? bars('Requirements by level', 'Level', levels) : null,
      revisions.length > 0 ? bars('Requirements by the revision they came with', 'Revision', revisions)
        : null)));
}
