// SPDX-License-Identifier: Apache-2.0
// A campaign of the fuzzer: how behaviours, edges and the rate went over its time, where findings came.

const SCRIPTS = new Map(((data.campaign || {}).scripts || []).map((one) => [one.case, one.text]));

// The script that shows a finding; null where there is none.
function scriptView(id) {
  return SCRIPTS.has(id) ? copyable(SCRIPTS.get(id), 'the script') : null;
}

// The point after each, with what it brought a second.
function rates(curve) {
  let before = {time_ms: 0, execs: 0};
  return curve.map((point) => {
    const rate = (point.execs - before.execs) * 1000 / Math.max(1, point.time_ms - before.time_ms);
    before = point;
    return Math.round(rate);
  });
}

function chart(title, curve, values, unit) {
  const left = 12, width = 560, top = 16, height = 120;
  const end = Math.max(1, curve[curve.length - 1].time_ms);
  const most = Math.max(1, ...values);
  const x = (time) => left + width * time / end;
  const y = (value) => top + height * (1 - value / most);
  const last = values[values.length - 1];
  const picture = make('svg:svg', {class: 'curve', viewBox: `0 0 ${left + width + 12} ${top + height + 26}`,
    role: 'img', 'aria-label': `${title}: ${last} at the end, ${most} at most`});
  picture.append(
    make('svg:line', {class: 'grid', x1: left, x2: left + width, y1: y(0), y2: y(0)}),
    make('svg:line', {class: 'grid', x1: left, x2: left + width, y1: y(most), y2: y(most)}),
    make('svg:text', {class: 'axis', x: left, y: 11}, most.toLocaleString('en') + ' ' + unit),
    make('svg:text', {class: 'axis', x: left, y: top + height + 18}, '0'),
    make('svg:text', {class: 'axis', x: left + width, y: top + height + 18, 'text-anchor': 'end'},
      duration(end)));
  let findings = 0;
  for (const point of curve) {
    if (point.findings > findings)
      picture.append(make('svg:line', {class: 'found', x1: x(point.time_ms), x2: x(point.time_ms),
        y1: top, y2: top + height}));
    findings = point.findings;
  }
  picture.append(make('svg:polyline', {class: 'drawn',
    points: curve.map((point, i) => x(point.time_ms) + ',' + y(values[i])).join(' ')}));
  return make('figure', {}, make('figcaption', {}, make('h3', {}, title)), picture);
}

function campaignSection() {
  if (!data.campaign || data.campaign.curve.length === 0) return null;
  const curve = data.campaign.curve;
  const last = curve[curve.length - 1];
  const of = (name) => curve.map((point) => point[name]);
  const charts = [chart('Behaviours', curve, of('behaviours'), 'different')];
  if (last.edges > 0) charts.push(chart('Edges', curve, of('edges'), 'of code'));
  charts.push(chart('Rate', curve, rates(curve), 'scripts/s'));
  return section('campaign', 'Campaign', make('p', {class: 'lead dim'},
    counted(last.execs, 'script') + ', ' + counted(last.frames, 'frame') + ' in ' +
    duration(last.time_ms) + '; ' + counted(last.corpus, 'input') + ' kept. ' +
    (last.findings > 0 ? 'A red line is a time at which something was found.' : 'Nothing was found.')),
    make('div', {class: 'charts'}, charts));
}
