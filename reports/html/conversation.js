// SPDX-License-Identifier: Apache-2.0
// A conversation as a sequence diagram: an ordered list whose items are the arrows, so that it can be
// read aloud. Each unfolds to the raw frame.

function frameText(frame) {
  if (frame.text !== undefined) return frame.text;
  if (frame.base64 === undefined) return '';
  try {
    // Bytes that are no ASCII are shown by their number.
    return atob(frame.base64).replace(/[^\x20-\x7e\n]/g,
      (c) => '\\x' + c.charCodeAt(0).toString(16).padStart(2, '0'));
  } catch (broken) {
    return frame.base64;
  }
}

// What an arrow says: the method, the result, the error, or what else came.
function frameLabel(frame) {
  const text = frameText(frame);
  const http = frame.http ? frame.http + ' ' : frame.status ? 'HTTP ' + frame.status + ' ' : '';
  if (frame.channel === 'exit') return 'the process ended: ' + short(text, 80);
  if (frame.channel === 'close') return 'closed ' + short(text, 80);
  if (frame.channel === 'stderr') return 'stderr: ' + short(text, 100);
  let message;
  try { message = JSON.parse(text); } catch (broken) { message = undefined; }
  if (message === undefined) return (http + short(text.trim(), 90)) || '(empty)';
  const one = (value) => {
    if (!isTree(value)) return short(JSON.stringify(value) || '', 60);
    const id = Object.hasOwn(value, 'id') ? '  id ' + short(JSON.stringify(value.id), 40) : '';
    if (typeof value.method === 'string') {
      const name = isTree(value.params) && typeof value.params.name === 'string'
        ? ' ' + short(value.params.name, 40) : '';
      return short(value.method, 60) + name + id;
    }
    if (isTree(value.error))
      return 'error ' + short(String(value.error.code), 20) + ' ' +
        short(String(value.error.message || ''), 50) + id;
    if (Object.hasOwn(value, 'result')) {
      const kind = isTree(value.result) ? Object.keys(value.result).slice(0, 4).join(', ') : '';
      return 'result' + (kind ? ' {' + short(kind, 60) + '}' : '') + id;
    }
    return short(JSON.stringify(value), 90);
  };
  return http + (Array.isArray(message)
    ? 'batch of ' + message.length + ': ' + message.slice(0, 3).map(one).join(' | ') : one(message));
}

// The text with the byte marked at which it stops being JSON. The place is counted in bytes.
function rawText(frame) {
  const text = frameText(frame);
  const pre = make('pre', {class: 'raw', tabindex: '0'});
  if (frame.wrong_byte !== undefined && frame.text !== undefined) {
    const before = new TextDecoder().decode(new TextEncoder().encode(text).slice(0, frame.wrong_byte));
    const at = [...text.slice(before.length)][0] || ' ';
    add(pre, [before, make('mark', {class: 'wrong'}, at), text.slice(before.length + at.length)]);
  } else {
    add(pre, [text]);
  }
  return pre;
}

function rawFrame(frame) {
  const notes = [];
  if (frame.size) notes.push('cut: the frame had ' + counted(frame.size, 'byte'));
  if (frame.base64 !== undefined) notes.push('not UTF-8: bytes are shown as \\xNN');
  if (frame.wrong_byte !== undefined) notes.push('byte ' + frame.wrong_byte + ': ' + frame.why);
  if (frame.content_type) notes.push(frame.content_type);
  const parts = make('div', {class: 'unfolded'},
    notes.length > 0 ? make('p', {class: 'dim'}, notes.join(' · ')) : null, rawText(frame));
  let pretty;
  try { pretty = JSON.stringify(JSON.parse(frameText(frame)), null, 2); } catch (broken) { return parts; }
  if (pretty.includes('\n') && pretty.length < 20000)
    parts.append(unfolding({class: 'pretty'}, 'Indented',
      () => make('pre', {class: 'raw', tabindex: '0'}, pretty)));
  return parts;
}

// `proof`: numbers of the frames that show what is wrong.
function conversation(frames, proof, target) {
  if (frames.length === 0) return null;
  const begin = frames[0].time_us;
  const items = frames.map((frame) => {
    const sent = frame.direction === 'sent';
    const shows = proof.has(frame.seq);
    const side = ['exit', 'stderr'].includes(frame.channel) ? 'own' : sent ? 'sent' : 'received';
    const gone = Math.max(0, frame.time_us - begin);
    return make('li', {class: 'arrow ' + side + (shows ? ' proof' : '')},
      make('span', {class: 'when dim', title: 'since the first frame shown'}, '+' + microseconds(gone)),
      unfolding({class: 'frame'}, [
        make('span', {class: 'label'},
          make('span', {class: 'hidden'}, sent ? 'rpcspec sent: ' : 'the server sent: '),
          frameLabel(frame),
          shows ? make('span', {class: 'hidden'}, ' (this frame shows it)') : null),
        make('span', {class: 'shaft', 'aria-hidden': 'true'}),
        make('span', {class: 'seq dim'}, '#' + frame.seq + ' ' + frame.channel),
      ], () => rawFrame(frame)));
  });
  return make('div', {class: 'conversation'},
    make('div', {class: 'lanes', 'aria-hidden': 'true'}, make('span', {}, 'rpcspec'),
      make('span', {}, short(target || 'server', 40))),
    make('ol', {class: 'arrows', 'aria-label': 'Conversation'}, items));
}
