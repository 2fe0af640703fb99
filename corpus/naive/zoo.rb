#!/usr/bin/env ruby
# SPDX-License-Identifier: Apache-2.0
# A naive MCP server (stdio): a zoo that greets on stdout. See README.md.
require 'json'
$stdout.sync = true
puts "Zoo MCP server started"

ANIMALS = { 'lion' => 'Roars', 'owl' => 'Hoots', 'seal' => 'Barks' }
TOOLS = [
  { name: 'sound', description: 'The sound of an animal',
    inputSchema: { properties: { animal: { type: 'string' } }, required: ['animal'] }, annotations: { readOnlyHint: true } },
  { name: 'animals', description: 'All animals', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }
]

def tool(params)
  args = params['arguments'] || {}
  case params['name']
  when 'sound'
    s = ANIMALS[args['animal']] or raise "no such animal"
    { content: [{ type: 'text', text: s }] }
  when 'animals'
    { content: ANIMALS.keys.map { |a| { type: 'text', text: a } } }
  else
    raise "unknown tool"
  end
end

def dispatch(req)
  params = req['params'] || {}
  case req['method']
  when 'initialize'
    { protocolVersion: params['protocolVersion'], capabilities: { tools: {}, prompts: { listChanged: true } }, serverInfo: { name: 'zoo' } }
  when 'tools/list' then { tools: TOOLS }
  when 'tools/call' then tool(params)
  else raise NoMethodError, "Method not found: #{req['method']}"
  end
end

while (line = $stdin.gets)
  begin
    req = JSON.parse(line)
  rescue JSON::ParserError
    puts({ jsonrpc: '2.0', id: nil, error: { code: -32700, message: 'Parse error' } }.to_json)
    next
  end
  next unless req['id']
  begin
    puts({ jsonrpc: '2.0', id: req['id'], result: dispatch(req) }.to_json)
  rescue NoMethodError => e
    puts({ jsonrpc: '2.0', id: req['id'], error: { code: -32601, message: e.message } }.to_json)
  rescue => e
    puts({ jsonrpc: '2.0', id: req['id'], error: { code: -32000, message: e.message } }.to_json)
  end
end
