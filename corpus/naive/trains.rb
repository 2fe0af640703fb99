# frozen_string_literal: true
# Timetable for the model railway club. MCP over stdio.
require 'json'
$stdout.sync = true

TRAINS = {
  'IC1' => { from: 'Bern', to: 'Chur', minutes: 150 },
  'S5' => { from: 'Zug', to: 'Uster', minutes: 45 }
}.freeze

$next_id = 1
$client = {}
$subscribed = []

def write(msg) = puts(JSON.generate({ jsonrpc: '2.0' }.merge(msg)))
def ask(method, params = {}) = write(id: ($next_id += 1), method: method, params: params)

def tools
  [{ name: 'train', description: 'One train', inputSchema: {
    type: 'object', properties: { number: { type: 'string' } }, required: ['number'] } },
   { name: 'delay', description: 'How late a train is', inputSchema: {
     type: 'object', properties: { number: { type: 'string' }, verbose: { type: 'boolean' } } },
     annotations: { readOnlyHint: true } }]
end

def train(args)
  t = TRAINS[args['number']]
  return { content: [{ type: 'text', text: 'no such train' }], isError: true } unless t

  { content: [{ type: 'text', text: JSON.generate(t) }, { type: 'resource_link', uri: "train://#{args['number']}" }],
    structuredContent: JSON.generate(t) }
end

def resource(uri)
  number = uri.to_s.delete_prefix('train://')
  t = TRAINS[number]
  return { contents: [{ uri: uri, mimeType: 'application/json', text: t }] } if t

  raise ArgumentError, "unknown train #{number}"
end

def prompts
  [{ name: 'announce', description: 'Announce a train', arguments: [{ name: 'number', required: 'yes' }] }]
end

def announce(args)
  { messages: [{ content: { type: 'text', text: "Announce train #{args['number']}" } }] }
end

def handle(method, params)
  case method
  when 'initialize'
    $client = params['capabilities'] || {}
    { protocolVersion: params['protocolVersion'] == '2024-11-05' ? '2024-11-05' : '2025-06-18',
      capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, logging: {} },
      serverInfo: { name: 'trains', version: '3' } }
  when 'ping' then {}
  when 'tools/list' then { tools: tools }
  when 'tools/call'
    args = params['arguments'] || {}
    case params['name']
    when 'train' then train(args)
    when 'delay' then { content: [{ type: 'text', text: '3 minutes' }] }
    else raise ArgumentError, "unknown tool #{params['name']}"
    end
  when 'resources/list'
    { resources: TRAINS.keys.map { |n| { uri: "train://#{n}", name: n } } }
  when 'resources/templates/list' then { resourceTemplates: [] }
  when 'resources/read' then resource(params['uri'])
  when 'resources/subscribe' then $subscribed << params['uri'] and {}
  when 'resources/unsubscribe' then $subscribed.delete(params['uri']) and {}
  when 'prompts/list' then { prompts: prompts }
  when 'prompts/get' then announce(params['arguments'] || {})
  when 'logging/setLevel' then {}
  else raise NoMethodError, method
  end
end

$stdin.each_line do |line|
  begin
    msg = JSON.parse(line)
  rescue JSON::ParserError
    write(id: nil, error: { code: -32700, message: 'Parse error' })
    next
  end
  unless msg.is_a?(Hash)
    write(id: nil, error: { code: -32600, message: 'Invalid Request' })
    next
  end
  if msg['method'] == 'notifications/initialized'
    ask('roots/list')
    next
  end
  next unless msg.key?('id')

  begin
    write(id: msg['id'], result: handle(msg['method'], msg['params'] || {}))
  rescue NoMethodError => e
    write(id: msg['id'], error: { code: -32601, message: e.message })
  rescue ArgumentError => e
    write(id: msg['id'], error: { code: -32602, message: e.message })
  rescue TypeError, StandardError => e
    write(id: msg['id'], error: { code: -32603, message: e.class.name })
  end
end
