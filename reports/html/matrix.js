// SPDX-License-Identifier: Apache-2.0
// The matrix: a row a cause, a column a run. A bad cell opens the frames that show it there.

const MATRIX_RUNS = RUN_NAMES.length > 0 ? RUN_NAMES : [''];
// Those of which nothing was played: they are neither good nor bad.
const NOT_JUDGED = new Set((data.runs || []).filter((run) => run.cases === 0).map((run) => run.name));

function cellOf(cause, run) {
  return Object.hasOwn(cause.cells, run) ? cause.cells[run] : undefined;
}

function runTitle(run) { return run || clip(data.target, 60); }

function cellPlace(number, run) { return place('cell', number + '/' + run); }

// The cause under which a run breaks a clause, where the one in hand is not seen there.
function causeWith(requirement, run) {
  return data.causes.findIndex((cause) => {
    const cell = cellOf(cause, run);
    return cell && cell.clauses.includes(requirement);
  }) + 1;
}

function cellMark(cause, number, run, statuses) {
  const cell = cellOf(cause, run);
  if (cell) {
    const words = runTitle(run) + ': ' + cause.title + ', ' + (cell.baselined ? 'known, ' : '') +
      verdictWord(cause.verdict) + ', ' + counted(cell.findings, 'finding');
    return make('a', {class: 'square ' + (cell.baselined ? 'known ' : '') + verdictClass(cause.verdict),
      href: cellPlace(number, run), title: words, 'aria-label': words}, VERDICTS[cause.verdict].mark);
  }
  if (NOT_JUDGED.has(run)) return make('span', {class: 'dim', title: runTitle(run) + ': not judged'}, '?');
  const status = statuses.get(cause.requirement)?.(run) || '';
  const other = ['fail', 'warn'].includes(status) ? causeWith(cause.requirement, run) : 0;
  if (other > 0) {
    const words = runTitle(run) + ': breaks the clause in another way, ' + data.causes[other - 1].title;
    return make('a', {class: 'square other ' + verdictClass(status), href: cellPlace(other, run),
      title: words, 'aria-label': words}, '↗');
  }
  if (!status) return make('span', {class: 'dim', title: 'does not apply'}, '–');
  const words = runTitle(run) + ': ' + verdictWord(status);
  return make('span', {class: 'square ' + verdictClass(status), role: 'img', title: words,
    'aria-label': words}, VERDICTS[status] ? VERDICTS[status].mark : '•');
}

// What a run shows of a cause, below its row.
function cellBody(cause, run) {
  const cell = cellOf(cause, run);
  const one = cell.shown || (CASES.get(cell.case) || {findings: []}).findings[cell.finding];
  const body = make('div', {class: verdictClass(cause.verdict)},
    make('p', {}, make('strong', {}, runTitle(run)), ': ' + cause.title, ' ',
      make('button', {type: 'button', class: 'quiet', onclick: closeCell}, 'Close')),
    clauseLine(cause.requirement, cause.level));
  if (!one) return add(body, [make('p', {class: 'dim'}, 'The page was trimmed; the JSON report holds it.')]);
  body.append(differenceView(one));
  const talk = conversation(one.frames, proofOf(one), runTitle(run));
  if (talk) body.append(make('h4', {}, 'Frames'), talk);
  if (cell.replay) body.append(make('h4', {}, 'See it again'),
    copyable(cell.replay, 'the command that shows it again'));
  return add(body, [make('p', {class: 'dim'}, counted(cell.findings, 'finding') + '; this one in ', data.matrix
    ? make('code', {}, cell.case) : link(place('case', cell.case), make('code', {}, cell.case)))]);
}

function closeCell() {
  const open = document.querySelector('tr.of-cell');
  if (!open) return;
  const row = open.previousElementSibling;
  open.remove();
  history.replaceState(null, '', '#/matrix');
  row.querySelector('a').focus();
}

// `name` is the number of the cause and the run: "2/server-a".
function openCell(name) {
  const slash = name.indexOf('/');
  const number = Number(name.slice(0, slash)), run = name.slice(slash + 1);
  const row = document.getElementById('matrix-' + number);
  if (!row || !cellOf(data.causes[number - 1], run)) return;
  for (const old of document.querySelectorAll('tr.of-cell')) old.remove();
  const shown = make('tr', {class: 'of-cell', id: 'cell'}, make('td', {colspan: MATRIX_RUNS.length + 2},
    cellBody(data.causes[number - 1], run)));
  row.hidden = false;
  row.after(shown);
  shown.tabIndex = -1;
  row.scrollIntoView({block: 'start'});
  shown.focus({preventScroll: true});
}

function matrixSection() {
  if (MATRIX_RUNS.length < 2 && !data.matrix) return null;
  const statuses = new Map(data.coverage.map((row) =>
    [row.requirement, (run) => run ? statusIn(row, run) : row.status]));
  const bad = (cause) => MATRIX_RUNS.filter((run) => cellOf(cause, run)).length;
  const rows = data.causes.map((cause, i) => ({cause, number: i + 1}));
  rows.sort((a, b) => WORST_FIRST.indexOf(a.cause.verdict) - WORST_FIRST.indexOf(b.cause.verdict) ||
    bad(b.cause) - bad(a.cause) || a.number - b.number);
  const upright = MATRIX_RUNS.length > 6 ? 'upright' : '';
  const table = make('table', {class: 'causes-by-run'},
    make('thead', {}, make('tr', {}, make('th', {scope: 'col'}, 'Cause'),
      MATRIX_RUNS.map((run) => make('th', {scope: 'col', class: upright}, make('span', {}, runTitle(run)))),
      make('th', {scope: 'col', class: 'number'}, 'In'))),
    make('tbody', {}, rows.map(({cause, number}) => {
      const row = make('tr', {id: 'matrix-' + number, class: 'of-cause'},
        make('th', {scope: 'row'}, make('span', {}, cause.title), ' ', make('span', {class: 'dim'},
          levelOf(cause.level) + ' ', link(place('requirement', cause.requirement),
            make('code', {}, cause.requirement)))),
        MATRIX_RUNS.map((run) => make('td', {}, cellMark(cause, number, run, statuses))),
        make('td', {class: 'number'}, String(bad(cause))));
      row.words = (cause.title + ' ' + cause.requirement).toLowerCase();
      return row;
    })),
    make('tfoot', {}, make('tr', {}, make('th', {scope: 'row'}, 'Causes that fail, and that warn'),
      MATRIX_RUNS.map((run) => make('td', {class: 'number'}, ['fail', 'warn'].map((verdict) =>
        data.causes.filter((cause) => cause.verdict === verdict && cellOf(cause, run)).length).join(' + '))),
      make('td', {}))));
  return section('matrix', 'Causes by run', make('p', {class: 'lead dim'},
    'A row is a cause, a column a run. A bad cell opens the frames that show it. A known failure has a ' +
    'frame; ↗ leads to the cause under which the run breaks the clause.'),
    NOT_JUDGED.size > 0 ? make('p', {class: 'unjudged'}, 'Not judged: ' + [...NOT_JUDGED].join(', ') + '. ',
      link('#/runs', 'Runs'), ' says why.') : null,
    rows.length > 0 ? make('div', {class: 'wide', tabindex: '0', role: 'region', 'aria-label': 'Causes by run'}, table)
      : NOT_JUDGED.size < MATRIX_RUNS.length ? make('p', {class: 'fine'}, 'Nothing was found in ' +
        (NOT_JUDGED.size > 0 ? 'the runs that were judged.' : 'any run.')) : null);
}
