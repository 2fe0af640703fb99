// SPDX-License-Identifier: Apache-2.0
// The page: head, sections, search, links to places within, theme, print.

function verdictLine() {
  const failed = data.causes.filter((one) => one.verdict === 'fail' && !one.baselined).length;
  if (data.gate.interrupted) return 'Interrupted';
  if (data.gate.passed) return 'Passed';
  return failed > 0 ? 'Failed: ' + counted(failed, 'problem') + ' to fix' : 'Failed';
}

// When it was, and of the sources and the CI job where it was one.
function originFacts() {
  const ci = data.ci || {};
  const began = data.time ? new Date(data.time) : undefined;
  return [['Date', began && !Number.isNaN(began.getTime()) &&
    make('time', {datetime: data.time, title: data.time},
      began.toLocaleString(undefined, {dateStyle: 'medium', timeStyle: 'short'}))],
    ['Repository', ci.repository], ['Branch', ci.branch],
    ['Commit', ci.commit && make('code', {title: ci.commit}, ci.commit.slice(0, 12))],
    ['CI', ci.run && (/^https:\/\/[\w.:/-]+$/.test(ci.run) ? link(ci.run, 'the run') : ci.run)]];
}

function caveats() {
  return make('div', {class: 'caveats', role: 'note'},
    make('p', {}, 'What this pass does not say:'),
    make('ul', {}, data.caveats.map((sentence) => make('li', {}, sentence))));
}

function head() {
  const facts = [['Profile', data.profile], ['Transport', data.transport],
    ['Cases', !data.matrix && data.cases.length.toLocaleString('en')],
    ['Time', duration(data.summary.duration_ms)], ['rpcspec', data.rpcspec],
    ['Seed', data.seed_text], ...originFacts()];
  const tiles = data.matrix ? [] : Object.keys(VERDICTS).filter((name) => data.summary[name] > 0).map((name) =>
    make('li', {}, make('button', {type: 'button', class: 'tile ' + verdictClass(name), onclick: () => {
      clearFilter();
      filter.verdicts.add(name);
      refilter();
      arrive('section-cases');
    }}, make('span', {class: 'figure'}, data.summary[name].toLocaleString('en')),
    make('span', {}, verdictWord(name)))));
  return make('div', {class: 'head ' + (data.gate.passed ? 'good' : 'bad')},
    make('h1', {}, make('span', {class: 'outcome'}, verdictLine()),
      make('code', {class: 'target'}, clip(data.target, 300))),
    data.gate.reason && !data.gate.passed ? make('p', {class: 'gate'}, 'Gate ' + data.gate.reason) : null,
    make('dl', {class: 'facts'}, facts.filter(([, value]) => value).map(([name, value]) =>
      make('div', {}, make('dt', {}, name), make('dd', {}, value)))),
    tiles.length > 0 ? make('ul', {class: 'tiles plain', 'aria-label': 'Verdicts of the cases'}, tiles) : null,
    data.caveats && data.caveats.length > 0 ? caveats() : null,
    !data.gate.passed && data.unjudged && data.unjudged.length > 0 ? make('p', {class: 'unjudged'}, 'Not judged: ' +
      data.unjudged.join(', ') + (data.runs && data.runs.length > 1 ? ', which one of them speaks as well.'
        : ', which it speaks as well. --profile all judges each.')) : null,
    data.trimmed ? make('p', {class: 'trimmed', role: 'note'}, data.trimmed) : null);
}

function runsSection() {
  if (!data.runs || data.runs.length === 0) return null;
  return section('runs', 'Runs', make('div', {class: 'wide'}, make('table', {},
    make('thead', {}, make('tr', {}, ['Gate', 'Name', 'Target', 'Profile', 'Transport', 'Cases', 'Time']
      .map((word) => make('th', {scope: 'col'}, word)))),
    make('tbody', {}, data.runs.map((run) => make('tr', {},
      make('td', {}, badge(run.gate.passed ? 'pass' : 'fail')),
      make('td', {}, run.name || 'a shard', run.gate.passed ? null
        : make('div', {class: 'dim'}, run.gate.reason.replace(/^failed: /, ''))), make('td', {}, make('code', {}, clip(run.target, 80))),
      make('td', {}, run.profile), make('td', {}, run.transport),
      make('td', {class: 'number'}, String(run.cases)),
      make('td', {class: 'number'}, duration(run.duration_ms))))))));
}

// --- search

function search(text) {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word);
  const matches = (node) => words.every((word) => node.words.includes(word));
  let causes = 0;
  for (const card of document.querySelectorAll('details.cause')) {
    card.hidden = !matches(card);
    causes += card.hidden ? 0 : 1;
  }
  if (requirementTable && words.length > 0) requirementTable.unfold();
  let requirements = 0;
  for (const row of document.querySelectorAll('#requirement-table tbody tr')) {
    row.hidden = !matches(row);
    requirements += row.hidden ? 0 : 1;
  }
  for (const row of document.querySelectorAll('#section-matrix tr.of-cause')) row.hidden = !matches(row);
  filter.words = words.join(' ');
  if (data.matrix) return;
  showCases();
  if (words.length > 0)
    say(counted(causes, 'cause') + ', ' + counted(wantedCases().length, 'case') + ', ' +
      counted(requirements, 'requirement'));
}

// --- places

function arrive(id) {
  const node = document.getElementById(id);
  if (!node) return false;
  if (node.tagName === 'DETAILS') node.open = true, node.unfold();
  for (let up = node.parentElement; up; up = up.parentElement)
    if (up.tagName === 'DETAILS') up.open = true;
  node.scrollIntoView({block: 'start'});
  // What is near has its real height only once it was drawn.
  let frames = 3;
  const again = () => {
    node.scrollIntoView({block: 'start'});
    if (--frames > 0) requestAnimationFrame(again);
  };
  requestAnimationFrame(again);
  (node.tagName === 'DETAILS' ? node.querySelector('summary') : node).focus({preventScroll: true});
  for (const old of document.querySelectorAll('.arrived')) old.classList.remove('arrived');
  node.classList.add('arrived');
  return true;
}

function decoded(text) {
  try { return decodeURIComponent(text); } catch (broken) { return text; }
}

// #/causes, #/cause/2, #/cell/2/RUN, #/case/ID, #/requirement/ID, #/cases?verdict=fail&area=mcp%2Ftools&words=…
function go() {
  const [path, query] = location.hash.slice(2).split('?');
  const slash = path.indexOf('/');
  const kind = slash < 0 ? path : path.slice(0, slash);
  const name = slash < 0 ? '' : decoded(path.slice(slash + 1));
  if (kind === 'case') {
    if (!CASES.has(name)) return;
    if (!document.getElementById('case-' + name)) {
      clearFilter();
      filter.words = name.toLowerCase();
      showCases();
    }
    arrive('case-' + name);
  } else if (kind === 'cause') {
    arrive('cause-' + name);
  } else if (kind === 'cell') {
    openCell(name);
  } else if (kind === 'requirement') {
    if (requirementTable) requirementTable.unfold();
    arrive('requirement-' + name);
  } else if (kind === 'cases') {
    clearFilter();
    for (const part of (query || '').split('&')) {
      const [key, value] = part.split('=');
      if (key === 'verdict' && Object.hasOwn(VERDICTS, value)) filter.verdicts.add(value);
      if (key === 'area') filter.area = decoded(value || '');
      if (key === 'order') filter.slowest = value === 'slowest';
      if (key === 'words') filter.words = decoded(value || '').toLowerCase();
    }
    showCases();
    arrive('section-cases');
  } else if (kind) {
    arrive('section-' + kind);
  }
}

// --- keys

// The next cause or case below or above what has the focus.
function step(by) {
  const cards = [...document.querySelectorAll('details.cause, details.case')]
    .filter((card) => !card.hidden && card.getClientRects().length > 0);
  const here = document.activeElement.closest('details.cause, details.case');
  const at = cards.indexOf(here);
  const next = cards[at < 0 ? (by > 0 ? 0 : cards.length - 1) : at + by];
  if (!next) return;
  const summary = next.querySelector('summary');
  summary.focus({preventScroll: true});
  summary.scrollIntoView({block: 'nearest'});
}

function startKeys() {
  document.addEventListener('keydown', (event) => {
    const typing = ['INPUT', 'SELECT', 'TEXTAREA'].includes(document.activeElement.tagName);
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'j') step(1);
    if (event.key === 'k') step(-1);
  });
}

// --- theme

const THEMES = ['auto', 'light', 'dark'];

function setTheme(name) {
  if (name === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  document.getElementById('theme').textContent = 'Theme: ' + name;
  try { localStorage.setItem('rpcspec-theme', name); } catch (refused) { /* a page without storage */ }
}

function startTheme() {
  let theme = 'auto';
  try { theme = localStorage.getItem('rpcspec-theme') || 'auto'; } catch (refused) { /* likewise */ }
  if (!THEMES.includes(theme)) theme = 'auto';
  setTheme(theme);
  document.getElementById('theme').addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    setTheme(theme);
  });
}

// --- all of it

function start() {
  const sections = (data.matrix ? [matrixSection(), runsSection(), requirementsSection()]
    : [causesSection(), matrixSection(), campaignSection(), summarySection(), runsSection(),
      requirementsSection(), surfaceSection(), methodsSection(), casesSection(), latencySection()]).filter((one) => one);
  document.getElementById('main').replaceChildren(head(), ...sections);
  document.getElementById('nav').append(...sections.map((one) => {
    const id = one.id.slice('section-'.length);
    return make('li', {}, link('#/' + id, one.querySelector('h2').textContent));
  }));
  add(document.getElementById('foot'), ['rpcspec ' + data.rpcspec + '. This page is complete in itself ' +
    'and asks nothing of any network. Keys: / searches, j and k go to the next and the previous cause or ' +
    'case, Enter unfolds it.']);
  if (!data.matrix) showCases();
  startTheme();
  const box = document.getElementById('search');
  let waiting = 0;
  box.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => search(box.value), 120);
  });
  document.addEventListener('keydown', (event) => {
    const typing = ['INPUT', 'SELECT', 'TEXTAREA'].includes(document.activeElement.tagName);
    if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      box.focus();
    } else if (event.key === 'Escape' && document.activeElement === box) {
      box.value = '';
      search('');
    }
  });
  startKeys();
  addEventListener('hashchange', go);
  // On paper nothing can be unfolded.
  addEventListener('beforeprint', () => {
    for (const card of [...document.querySelectorAll('details.cause')].slice(0, 60)) {
      card.unfold();
      card.open = true;
    }
  });
  if (location.hash.startsWith('#/')) go();
  document.documentElement.dataset.ready = 'yes';
}

start();
