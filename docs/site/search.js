// SPDX-License-Identifier: Apache-2.0
// The search of the site. The index is a script of its own, which is loaded with the first key, so that
// pages can be opened from a folder as well as from a server.
'use strict';

const MOST = 30;

// The entries [name, address below the root, text, kind] that have all words, best first: a name that is
// what was typed, begins with it, has it; then the text.
function find(index, typed) {
  const whole = typed.trim().toLowerCase();
  if (!whole) return [];
  const words = whole.split(/\s+/);
  const found = [];
  for (const entry of index) {
    const name = entry[0].toLowerCase();
    const text = entry[2].toLowerCase();
    let score = 0;
    for (const word of words) {
      if (name === word) score += 100;
      else if (name.startsWith(word)) score += 40;
      else if (name.includes(word)) score += 20;
      else if (text.startsWith(word) || text.includes(' ' + word)) score += 6;
      else if (text.includes(word)) score += 2;
      else { score = -1; break; }
    }
    if (score < 0) continue;
    if (name.includes(whole)) score += 30;
    found.push([score, entry]);
  }
  found.sort((a, b) => b[0] - a[0] || a[1][0].length - b[1][0].length || (a[1][0] < b[1][0] ? -1 : 1));
  return found.slice(0, MOST).map((one) => one[1]);
}

if (typeof document !== 'undefined') {
  const input = document.getElementById('search');
  const results = document.getElementById('results');
  const said = document.getElementById('said');
  const root = document.documentElement.dataset.root;
  let chosen = -1;

  const load = () => {
    if (document.getElementById('index')) return;
    const script = document.createElement('script');
    script.id = 'index';
    script.src = root + 'index.js';
    script.onload = show;
    document.head.append(script);
  };

  const choose = (at) => {
    const rows = [...results.children];
    if (!rows.length) return;
    chosen = (at + rows.length) % rows.length;
    rows.forEach((row, number) => row.setAttribute('aria-selected', String(number === chosen)));
    rows[chosen].scrollIntoView({block: 'nearest'});
    input.setAttribute('aria-activedescendant', rows[chosen].id);
  };

  const show = () => {
    if (typeof INDEX === 'undefined') return;
    const found = find(INDEX, input.value);
    results.replaceChildren(...found.map(([name, address, text, kind], number) => {
      const row = document.createElement('li');
      row.id = 'result-' + number;
      row.setAttribute('role', 'option');
      const link = document.createElement('a');
      link.href = root + address;
      link.tabIndex = -1;
      const small = document.createElement('small');
      small.textContent = kind + (text ? ': ' + text : '');
      link.append(name, small);
      row.append(link);
      return row;
    }));
    input.setAttribute('aria-expanded', String(found.length > 0));
    input.removeAttribute('aria-activedescendant');
    chosen = -1;
    if (found.length) choose(0);
    said.textContent = !input.value.trim() ? '' : found.length === 1 ? '1 result'
      : (found.length < MOST ? '' : 'more than ') + found.length + ' results';
  };

  input.addEventListener('input', () => { load(); show(); });
  input.addEventListener('focus', load);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1);
    else if (event.key === 'ArrowUp') choose(chosen - 1);
    else if (event.key === 'Escape') { input.value = ''; show(); }
    else return;
    event.preventDefault();
  });
  input.form.addEventListener('submit', (event) => {
    event.preventDefault();
    const link = results.children[Math.max(chosen, 0)]?.querySelector('a');
    if (link) location.href = link.href;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement.tagName !== 'INPUT') {
      event.preventDefault();
      input.focus();
    }
  });
}

if (typeof module !== 'undefined') module.exports = {find};
