// SPDX-License-Identifier: Apache-2.0
// Round trips by method: on a logarithmic scale a line from the quickest to the slowest, a bar from the
// 10th to the 90th percentile, a stroke for the median. The table beneath says the same in figures.

function quantile(times, part) {
  return times[Math.round(part * (times.length - 1))];
}

function latencyPicture(rows) {
  const left = 230, width = 520, row = 24, top = 24;
  const low = Math.max(1, Math.min(...rows.map((one) => one.times_us[0])));
  const high = Math.max(low * 10, ...rows.map((one) => one.times_us[one.times_us.length - 1]));
  const at = (us) => left + width * Math.log(Math.max(us, low) / low) / Math.log(high / low);
  const height = top + rows.length * row + 8;
  const picture = make('svg:svg', {class: 'latency', viewBox: `0 0 ${left + width + 30} ${height}`,
    role: 'img', 'aria-label': 'Round trips by method; the table below has the figures'});
  for (let us = 10 ** Math.ceil(Math.log10(low)); us <= high; us *= 10)
    picture.append(
      make('svg:line', {class: 'grid', x1: at(us), x2: at(us), y1: top - 4, y2: height}),
      make('svg:text', {class: 'axis', x: at(us), y: 12, 'text-anchor': 'middle'}, microseconds(us)));
  rows.forEach((one, i) => {
    const y = top + i * row + row / 2;
    const times = one.times_us;
    const from = at(quantile(times, 0.1)), to = at(quantile(times, 0.9));
    picture.append(
      make('svg:text', {class: 'name', x: left - 10, y: y + 4, 'text-anchor': 'end'},
        short(one.method, 32)),
      make('svg:line', {class: 'range', x1: at(times[0]), x2: at(times[times.length - 1]), y1: y,
        y2: y}),
      make('svg:rect', {class: 'middle', x: from, y: y - 6, width: Math.max(2, to - from), height: 12,
        rx: 2}),
      make('svg:line', {class: 'median', x1: at(quantile(times, 0.5)), x2: at(quantile(times, 0.5)),
        y1: y - 8, y2: y + 8}));
  });
  return picture;
}

function latencySection() {
  const rows = data.latency.filter((one) => one.times_us.length > 0);
  if (rows.length === 0) return null;
  rows.sort((a, b) => quantile(b.times_us, 0.5) - quantile(a.times_us, 0.5));
  const table = make('div', {class: 'wide'}, make('table', {class: 'figures'},
    make('thead', {}, make('tr', {}, ['Method', 'Round trips', 'Quickest', 'Median', '90 %', 'Slowest']
      .map((word) => make('th', {scope: 'col'}, word)))),
    make('tbody', {}, rows.map((one) => make('tr', {},
      make('th', {scope: 'row'}, make('code', {}, one.method)),
      make('td', {class: 'number'}, one.count.toLocaleString('en')),
      [0, 0.5, 0.9, 1].map((part) =>
        make('td', {class: 'number'}, microseconds(quantile(one.times_us, part)))))))));
  return section('latency', 'Latency',
    make('p', {class: 'lead dim'}, 'Round trips that were answered with a result, as seen during the ' +
      'run; other cases may have been in progress.'),
    make('div', {class: 'wide'}, latencyPicture(rows.slice(0, 40))),
    unfolding({class: 'more'}, 'Figures', () => table));
}
