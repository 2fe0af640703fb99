// SPDX-License-Identifier: Apache-2.0
// All cases, filtered by verdict, area and words; made some hundred at a time, so that thousands do
// not keep the page waiting.
const CASES_AT_ONCE = 200;
const FINDINGS_AT_ONCE = 2;
const MOST_FINDINGS = 100;
const filter = {verdicts: new Set(), area: '', words: '', slowest: false};

data.cases.sort((a, b) => WORST_FIRST.indexOf(a.verdict) - WORST_FIRST.indexOf(b.verdict) ||
  (a.id < b.id ? -1 : 1));
for (const one of data.cases)
  one.words = [one.id, one.title, one.reason, ...one.requirements].join(' ').toLowerCase();

function findingView(finding) {
  return make('div', {class: 'finding'}, clauseLine(finding.requirement, finding.level),
    finding.row ? make('p', {class: 'dim'}, 'row ' + finding.row) : null,
    finding.oracle ? make('p', {class: 'dim'}, 'found by the oracle ' + finding.oracle) : null,
    differenceView(finding),
    conversation(finding.frames || [], new Set(), data.target));
}

function caseBody(one) {
  const body = make('div', {class: 'case-body'});
  if (one.reason) body.append(make('p', {}, one.reason));
  if (one.remedy) body.append(make('h4', {}, 'To test it, add to the target description'),
    copyable(one.remedy, 'what to add'));
  const views = (from, to) => one.findings.slice(from, to).map(findingView);
  body.append(...views(0, FINDINGS_AT_ONCE));
  if (one.findings.length > FINDINGS_AT_ONCE)
    body.append(unfolding({class: 'more'},
      counted(one.findings.length - FINDINGS_AT_ONCE, 'more finding'),
      () => make('div', {}, views(FINDINGS_AT_ONCE, FINDINGS_AT_ONCE + MOST_FINDINGS),
        one.findings.length > FINDINGS_AT_ONCE + MOST_FINDINGS
          ? make('p', {class: 'dim'}, 'The others are in the JSON report.') : null)));
  for (const note of one.notes || []) body.append(make('p', {class: 'dim'}, 'Note: ' + note));
  if (one.requirements.length > 0)
    body.append(make('p', {class: 'dim'}, 'Covers ', one.requirements.slice(0, 30).map((id, i) =>
      [i > 0 ? ', ' : '', link(place('requirement', id), make('code', {}, id))])));
  const script = scriptView(one.id);
  if (script) body.append(make('h4', {}, 'Script'), script);
  if (one.replay) body.append(copyable(one.replay, 'the command that plays this case'));
  return body;
}

function caseRow(one) {
  return unfolding({class: 'case', id: 'case-' + one.id}, [
    badge(one.verdict, one.baselined ? verdictWord(one.verdict) + ', known' : undefined),
    make('span', {class: 'names'}, make('h3', {}, make('code', {}, one.id)), make('span', {class: 'title'}, one.title)),
    make('span', {class: 'dim size'}, duration(one.duration_ms)),
    make('a', {class: 'anchor', href: place('case', one.id), 'aria-label': 'Link to this case'}, '#'),
  ], () => caseBody(one));
}

function wantedCases() {
  const wanted = data.cases.filter((one) =>
    (filter.verdicts.size === 0 || filter.verdicts.has(one.verdict)) &&
    (filter.area === '' || areaOf(one.id) === filter.area) &&
    (filter.words === '' || filter.words.split(/\s+/).every((word) => one.words.includes(word))));
  if (filter.slowest) wanted.sort((a, b) => b.duration_ms - a.duration_ms);
  return wanted;
}

let caseList, caseCount, verdictButtons = new Map(), areaChoice, orderChoice;

function showCases() {
  const wanted = wantedCases();
  caseList.replaceChildren();
  let shownCases = 0;
  const more = make('button', {type: 'button', class: 'quiet', onclick: () => next()}, '');
  const next = () => {
    caseList.append(...wanted.slice(shownCases, shownCases + CASES_AT_ONCE).map(caseRow));
    shownCases = Math.min(wanted.length, shownCases + CASES_AT_ONCE);
    const left = wanted.length - shownCases;
    more.textContent = 'Show ' + counted(Math.min(CASES_AT_ONCE, left), 'more case') +
      (left > CASES_AT_ONCE ? ' of ' + left.toLocaleString('en') : '');
    more.remove();
    if (shownCases < wanted.length) caseList.append(more);
  };
  next();
  caseCount.textContent = counted(wanted.length, 'case') + ' of ' + data.cases.length;
  for (const [verdict, button] of verdictButtons)
    button.setAttribute('aria-pressed', String(filter.verdicts.has(verdict)));
  areaChoice.value = filter.area;
  orderChoice.value = filter.slowest ? 'slowest' : '';
}

// Applies the filter and keeps it in the address.
function refilter() {
  const words = [...filter.verdicts].map((verdict) => 'verdict=' + verdict);
  if (filter.area) words.push('area=' + encodeURIComponent(filter.area));
  if (filter.words) words.push('words=' + encodeURIComponent(filter.words));
  if (filter.slowest) words.push('order=slowest');
  history.replaceState(null, '', '#/cases' + (words.length > 0 ? '?' + words.join('&') : ''));
  showCases();
  say(caseCount.textContent);
}

function casesSection() {
  caseList = make('div', {class: 'case-list'});
  caseCount = make('p', {class: 'dim', id: 'case-count'});
  const present = Object.keys(VERDICTS).filter((name) => data.summary[name] > 0);
  const buttons = present.map((verdict) => {
    const button = make('button', {type: 'button', class: 'chip ' + verdictClass(verdict),
      'aria-pressed': 'false', 'data-verdict': verdict, onclick: () => {
        if (!filter.verdicts.delete(verdict)) filter.verdicts.add(verdict);
        refilter();
      }}, VERDICTS[verdict].mark + ' ' + verdictWord(verdict) + ' ' + data.summary[verdict]);
    verdictButtons.set(verdict, button);
    return button;
  });
  const areas = [...new Set(data.cases.map((one) => areaOf(one.id)))].sort();
  areaChoice = make('select', {id: 'area', onchange: () => {
    filter.area = areaChoice.value;
    refilter();
  }}, make('option', {value: ''}, 'All areas'), areas.map((area) => make('option', {value: area}, area)));
  orderChoice = make('select', {id: 'order', onchange: () => {
    filter.slowest = orderChoice.value === 'slowest';
    refilter();
  }}, make('option', {value: ''}, 'Worst first'), make('option', {value: 'slowest'}, 'Slowest first'));
  return section('cases', 'Cases',
    make('div', {class: 'filters', role: 'group', 'aria-label': 'Filter the cases'}, buttons,
      make('label', {}, make('span', {class: 'hidden'}, 'Area'), areaChoice),
      make('label', {}, make('span', {class: 'hidden'}, 'Order'), orderChoice),
      make('button', {type: 'button', class: 'quiet', id: 'all-cases', onclick: () => {
        clearFilter();
        document.getElementById('search').value = '';
        search('');
        refilter();
      }}, 'Show all')),
    caseCount, caseList);
}

function clearFilter() {
  filter.verdicts.clear();
  filter.area = '';
  filter.words = '';
  filter.slowest = false;
}
