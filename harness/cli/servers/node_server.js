// SPDX-License-Identifier: Apache-2.0
// A JSON-RPC 2.0 server of one method on stdio, in the words of Node. With --numbers every id comes
// back as a text, as happens to who keeps pending requests in an object.
const numbers = process.argv.includes('--numbers')
const send = message => process.stdout.write(JSON.stringify(message) + '\n')
const error = (id, code, message) => ({jsonrpc: '2.0', id, error: {code, message}})
const isId = id => id === null || typeof id === 'string' || typeof id === 'number'

function answer(request) {
  if (request === null || typeof request !== 'object' || Array.isArray(request))
    return error(null, -32600, 'no request')
  const id = isId(request.id) ? request.id : null
  if (request.jsonrpc !== '2.0' || typeof request.method !== 'string' ||
      (request.id !== undefined && !isId(request.id)) ||
      (request.params !== undefined && (request.params === null || typeof request.params !== 'object')))
    return error(id, -32600, 'no request')
  if (request.id === undefined) return undefined
  if (request.method !== 'add') return error(id, -32601, 'no such method')
  const {params} = request
  if (!Array.isArray(params) || !params.every(one => typeof one === 'number'))
    return error(id, -32602, 'numbers are added')
  return {jsonrpc: '2.0', id, result: params.reduce((a, b) => a + b, 0)}
}

require('readline').createInterface({input: process.stdin}).on('line', line => {
  let message
  try {
    message = JSON.parse(line)
  } catch {
    return send(error(null, -32700, 'no JSON'))
  }
  const mark = reply => (numbers && reply && reply.id !== null ? {...reply, id: String(reply.id)} : reply)
  if (!Array.isArray(message) || message.length === 0) {
    const reply = mark(answer(message))
    return reply && send(reply)
  }
  const replies = message.map(answer).map(mark).filter(Boolean)
  if (replies.length > 0) send(replies)
})
