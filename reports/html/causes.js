// SPDX-License-Identifier: Apache-2.0
// What to fix, the cause to fix first in front; then warnings, what is known, and what
// is flaky or went wrong on our side.

// The clause: its level and id, the graver one that is broken too, where it is written.
function clauseLine(id, level, graver) {
  const clause = clauseOf(id);
  const sources = clause.links.map((one, i) =>
    [i > 0 ? '; ' : '', one.url ? link(one.url, one.text) : one.text]);
  return make('p', {class: 'clause'},
    make('span', {class: 'level'}, graver ? clause.level : level || clause.level),
    ' ', link(place('requirement', id), make('code', {}, id)),
    graver ? [', and ', make('span', {class: 'level'}, 'MUST'), ' ',
      link(place('requirement', graver), make('code', {}, graver))] : null,
    sources.length > 0 ? [make('span', {class: 'dim'}, ' · '), sources] : null,
    clause.official ? make('span', {class: 'dim'}, ' · ' + clause.official) : null);
}

function proofOf(finding) { return new Set((finding.frames || []).map((frame) => frame.seq)); }

function caseLinks(refs) {
  const counts = new Map();
  for (const ref of refs) counts.set(ref.case, (counts.get(ref.case) || 0) + 1);
  return make('ul', {class: 'plain cases-of'}, [...counts].map(([id, count]) =>
    make('li', {}, link(place('case', id), make('code', {}, id)),
      count > 1 ? make('span', {class: 'dim'}, ' × ' + count) : null)));
}

// A fence that nothing in the text ends.
function fenced(text) {
  const longest = Math.max(2, ...(text.match(/`+/g) || []).map((run) => run.length));
  return '`'.repeat(longest + 1) + '\n' + text + '\n' + '`'.repeat(longest + 1);
}

// The cause as the text of an issue.
function issueText(cause) {
  const clause = clauseOf(cause.requirement);
  const finding = cause.finding;
  const frames = finding ? finding.frames || [] : [];
  const line = (frame) => (frame.direction === 'sent' ? '→ ' : '← ') + frame.channel + ' #' + frame.seq +
    '  ' + clip(frame.text === undefined ? frame.base64 + ' (base64)' : frame.text, 2000);
  const parts = ['## ' + cause.title,
    '**' + (cause.breaks ? clause.level : cause.level || clause.level) + '** ' + cause.requirement +
      (cause.breaks ? ', and **MUST** ' + cause.breaks : '') + ': ' + clause.statement + '\n(' +
      clause.links.map((one) => one.url || one.text).join('; ') + ')'];
  if (cause.sentence) parts.push(cause.sentence);
  if (finding)
    parts.push('Expected:', fenced(clip(finding.expected, 2000)), 'Seen:', fenced(clip(finding.seen, 2000)));
  if (frames.length > 0) parts.push('The frames that show it:', fenced(frames.map(line).join('\n')));
  if (cause.replay) parts.push('To see it again:', fenced(cause.replay));
  if (cause.curl) parts.push('The same request with curl:', fenced(cause.curl));
  const cases = [...new Set(cause.findings.map((ref) => ref.case))];
  parts.push('Found in ' + cases.slice(0, 10).join(', ') +
    (cases.length > 10 ? ' and ' + counted(cases.length - 10, 'more case') : '') + ' by rpcspec ' +
    data.rpcspec + ' under ' + data.profile + '.');
  return parts.join('\n\n') + '\n';
}

// What has to be there before the commands of curl are run.
function curlNote(cause) {
  const names = [...cause.curl.matchAll(/"\$(\w+)"/g)].map((found) => found[1]);
  const secrets = [...new Set(names)].filter((name) => name !== 'SESSION');
  return 'For a POSIX shell, while the server runs; the address is the one it had in this run.' +
    (secrets.length > 0 ? ' Set ' + secrets.join(' and ') + ' first: a secret is not told here.' : '') +
    (cause.curl.includes('«secret ') ? ' Write the secret in place of «secret …».' : '');
}

// For the author of the server first; then what the SDK below it does.
function whatToChange(clause, sdk) {
  if (!clause.advice && !sdk) return null;
  return make('div', {class: 'change'}, make('h4', {}, 'What to change'),
    clause.advice ? [make('p', {}, clause.usual_cause),
      ...Object.entries(clause.advice).map(([language, lines]) =>
        unfolding({class: 'more'}, language, () => copyable(lines, 'the change in ' + language)))] : null,
    sdk ? make('p', {class: 'sdk'}, 'The SDK answers this: ', make('code', {}, sdk),
      '. To accept it, list it in a baseline: ', make('code', {}, '--write-baseline FILE'), '.') : null);
}

function causeBody(cause) {
  const finding = cause.finding;
  const clause = clauseOf(cause.requirement);
  const of_clause = clause.statement === cause.title + '.' ? '' : clause.statement;
  const sentence = cause.by_clause || !cause.sentence ? of_clause : cause.sentence;
  const body = make('div', {class: 'cause-body'}, clauseLine(cause.requirement, cause.level, cause.breaks),
    sentence ? make('p', {class: 'sentence'}, sentence) : null);
  if (finding) {
    body.append(differenceView(finding));
    const frames = cause.conversation && cause.conversation.length > 0
      ? withFullFrames(cause.conversation, finding.frames || []) : finding.frames || [];
    const talk = conversation(frames, proofOf(finding), data.target);
    if (talk) body.append(make('h4', {}, 'Conversation'), talk);
  }
  const change = whatToChange(clause, cause.sdk);
  if (change) body.append(change);
  const script = scriptView(cause.findings[0].case);
  if (script) body.append(make('h4', {}, 'Script'), script);
  if (cause.replay) body.append(make('h4', {}, 'See it again'),
    copyable(cause.replay, 'the command that shows it again'));
  if (cause.curl) body.append(unfolding({class: 'more curl'}, 'The same request with curl',
    () => make('div', {}, make('p', {class: 'dim'}, curlNote(cause)),
      copyable(cause.curl, 'the request as a command of curl'))));
  body.append(unfolding({class: 'more issue'}, 'As the text of an issue, in Markdown',
    () => copyable(issueText(cause), 'this cause as Markdown')));
  if (cause.known_from && cause.known_from.length > 0)
    body.append(make('p', {class: 'dim'}, 'Also known from ' + cause.known_from.join(', ') + '.'));
  const cases = new Set(cause.findings.map((ref) => ref.case)).size;
  body.append(cause.findings.length > 1
    ? unfolding({class: 'more'}, counted(cause.findings.length, 'finding') + ' in ' +
        counted(cases, 'case') + ' have this cause', () => caseLinks(cause.findings))
    : make('div', {}, make('h4', {}, 'Found in'), caseLinks(cause.findings)));
  return body;
}

// The conversation is told in short; frames that show the finding are there in full.
function withFullFrames(short, full) {
  const bySeq = new Map(full.map((frame) => [frame.seq, frame]));
  return short.map((frame) => bySeq.get(frame.seq) || frame);
}

function causeCard(cause, number, open) {
  const cases = new Set(cause.findings.map((ref) => ref.case)).size;
  const card = unfolding({class: 'cause ' + verdictClass(cause.verdict), id: 'cause-' + number}, [
    badge(cause.verdict, cause.verdict === 'fail' ? levelOf(cause.level) : 'warning'),
    make('h3', {}, cause.title),
    make('span', {class: 'dim size'}, counted(cases, 'case')),
    make('a', {class: 'anchor', href: place('cause', String(number)), 'aria-label':
      'Link to this cause'}, '#'),
  ], () => causeBody(cause));
  card.words = [cause.title, cause.sentence, cause.requirement, clauseOf(cause.requirement).statement,
    ...cause.findings.map((ref) => ref.case)].join(' ').toLowerCase();
  if (open) card.open = true, card.unfold();
  return card;
}

function causesSection() {
  const numbered = data.causes.map((cause, i) => ({cause, number: i + 1}));
  const bare = (wanted) => numbered.filter(wanted);
  const fails = bare(({cause}) => cause.verdict === 'fail' && !cause.baselined);
  const warns = bare(({cause}) => cause.verdict === 'warn' && !cause.baselined);
  const known = bare(({cause}) => cause.baselined);
  const cards = (list, opened) =>
    list.map(({cause, number}, i) => causeCard(cause, number, i < opened));
  const lone = data.cases.filter((one) => ['error', 'flaky'].includes(one.verdict));
  const parts = [];
  if (fails.length === 0)
    parts.push(data.summary.pass > 0
      ? make('p', {class: 'fine'}, 'Nothing that has to be fixed was found.')
      : make('p', {class: 'dim'}, 'Nothing was tested.'));
  parts.push(...cards(fails, 1));
  if (warns.length > 0)
    parts.push(make('h3', {class: 'group'}, 'Warnings: what is recommended and not so'),
      ...cards(warns, fails.length === 0 ? 1 : 0));
  if (lone.length > 0)
    parts.push(make('h3', {class: 'group'}, 'Flaky, or our own trouble'),
      make('ul', {class: 'plain lone'}, lone.slice(0, 200).map((one) =>
        make('li', {}, badge(one.verdict), ' ', link(place('case', one.id), make('code', {}, one.id)),
          ' ', one.reason))));
  if (known.length > 0)
    parts.push(unfolding({class: 'more'}, counted(known.length, 'cause') + ' known to the baseline',
      () => make('div', {}, cards(known, 0))));
  if (data.stale.length > 0)
    parts.push(make('h3', {class: 'group'}, 'Stale baseline entries'),
      make('ul', {}, data.stale.map((entry) => make('li', {}, make('code', {}, entry)))));
  return section('causes', 'Causes', make('p', {class: 'lead dim'},
    'Findings that have one reason are one cause. Fix the first one first.'), parts);
}
