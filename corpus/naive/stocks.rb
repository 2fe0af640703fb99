# SPDX-License-Identifier: Apache-2.0
# A naive MCP server of stocks over HTTP (ruby stocks.rb PORT): headers as they are spelled, one read for each body. See README.md.
require 'socket'
require 'json'
require 'securerandom'
$sessions = {}
$version = nil
QUOTES = { 'ACME' => 12.5, 'FOO' => 99.0 }
TOOLS = [{ name: 'quote', description: 'Quote of a symbol', annotations: { readOnlyHint: true },
           inputSchema: { type: 'object', properties: { symbol: { type: 'string' } }, required: ['symbol'] } },
         { name: 'market', description: 'State of the market', annotations: { readOnlyHint: true },
           inputSchema: { type: 'object', properties: {} } }]
def err(id, code, msg) = { jsonrpc: '2.0', id: id, error: { code: code, message: msg } }
def ok(id, r) = { jsonrpc: '2.0', id: id, result: r }

def dispatch(m)
  id = m['id']
  p = m['params'] || {}
  return err(id, -32602, 'Invalid params') unless p.is_a?(Hash)
  case m['method']
  when 'initialize'
    $version = p['protocolVersion']
    $version = '2025-06-18' unless %w[2025-06-18 2025-03-26].include?($version)
    ok(id, { protocolVersion: $version, capabilities: { tools: { listChanged: false } }, serverInfo: { name: 'stocks', version: '2' } })
  when 'ping' then ok(id, {})
  when 'tools/list' then ok(id, { tools: TOOLS })
  when 'tools/call'
    a = p['arguments'] || {}
    case p['name']
    when 'quote'
      return err(id, -32602, 'symbol is missing') unless a.is_a?(Hash) && a['symbol'].is_a?(String)
      q = QUOTES[a['symbol']]
      raise "no quote for #{a['symbol']}" if q.nil?
      ok(id, { content: [{ type: 'text', text: q.to_s }] })
    when 'market' then ok(id, { content: [{ type: 'text', text: 'open' }] })
    else err(id, -32602, 'unknown tool')
    end
  else err(id, -32601, 'Method not found')
  end
end

def respond(s, status, body = nil, headers = {})
  b = body.nil? ? '' : body
  h = { 'Content-Length' => b.bytesize, 'Connection' => 'close' }.merge(headers)
  s.write("HTTP/1.1 #{status}\r\n" + h.map { |k, v| "#{k}: #{v}\r\n" }.join + "\r\n" + b)
end

def json(s, status, obj, headers = {}) = respond(s, status, JSON.generate(obj), { 'Content-Type' => 'application/json' }.merge(headers))

srv = TCPServer.new('127.0.0.1', (ARGV[0] || 8080).to_i)
loop do
  s = srv.accept
  begin
    line = s.gets or next
    verb, path, = line.split(' ')
    h = {}
    while (l = s.gets) && l != "\r\n"
      k, v = l.chomp.split(': ', 2)
      h[k] = v
    end
    o = h['Origin']
    if o && o !~ %r{^https?://(localhost|127\.0\.0\.1)}
      respond(s, '403 Forbidden')
      next
    end
    if verb == 'GET'
      unless $sessions[h['Mcp-Session-Id']]
        respond(s, '400 Bad Request')
        next
      end
      respond(s, '405 Method Not Allowed', nil, 'Allow' => 'POST, DELETE')
      next
    end
    if verb == 'DELETE'
      respond(s, '200 OK')
      next
    end
    if h['Content-Type'] != 'application/json'
      respond(s, '415 Unsupported Media Type')
      next
    end
    n = (h['Content-Length'] || h['content-length']).to_i
    body = s.readpartial([n, 1].max)
    begin
      m = JSON.parse(body)
    rescue JSON::ParserError
      json(s, '200 OK', err(nil, -32700, 'Parse error'))
      next
    end
    unless m.is_a?(Hash) && m['jsonrpc'] == '2.0' && (m['method'].is_a?(String) || m.key?('result') || m.key?('error'))
      json(s, '400 Bad Request', err(nil, -32600, 'Invalid Request'))
      next
    end
    if m['method'] == 'initialize'
      sid = SecureRandom.uuid
      $sessions[sid] = true
      json(s, '200 OK', dispatch(m), 'Mcp-Session-Id' => sid)
      next
    end
    unless $sessions[h['Mcp-Session-Id']]
      json(s, '400 Bad Request', err(m['id'], -32000, 'No valid session'))
      next
    end
    unless m.key?('id')
      json(s, '202 Accepted', ok(nil, {}))
      next
    end
    r = dispatch(m)
    json(s, '200 OK', r)
  rescue StandardError => e
    json(s, '500 Internal Server Error', err(nil, -32603, e.full_message(highlight: false))) rescue nil
  ensure
    s.close rescue nil
  end
end
