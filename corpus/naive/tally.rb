#!/usr/bin/env ruby
# SPDX-License-Identifier: Apache-2.0
# A naive calculator over stdio (2025-03-26): errors are printed pretty and know no id, and nothing is a ping. See README.md.
require 'json'
$stdout.sync = true

class CalcServer
  VERSION = '2025-03-26'
  OPS = %w[add subtract multiply divide].freeze

  def tools
    OPS.map do |op|
      { name: op, description: "#{op} two numbers",
        inputSchema: { type: 'object',
                       properties: { a: { type: 'number' }, b: { type: 'number' } },
                       required: %w[a b] },
        annotations: { readOnlyHint: true } }
    end
  end

  def initialize_session(_params)
    { protocolVersion: VERSION,
      capabilities: { tools: true, resources: {} },
      serverInfo: { name: 'ruby-calc' } }
  end

  def call_tool(params)
    args = params['arguments'] || {}
    a = args['a']
    b = args['b']
    value = case params['name']
            when 'add' then a + b
            when 'subtract' then a - b
            when 'multiply' then a * b
            when 'divide' then a / b
            else raise ArgumentError, "Unknown tool: #{params['name']}"
            end
    { content: [{ type: 'text', text: value }] }
  rescue ZeroDivisionError => e
    { content: [{ type: 'text', text: e.message }], is_error: true }
  end

  def dispatch(method, params)
    case method
    when 'initialize' then initialize_session(params)
    when 'tools/list' then { tools: tools }
    when 'tools/call' then call_tool(params)
    else raise NoMethodError, "Method not found: #{method}"
    end
  end

  def handle(msg)
    return nil unless msg.key?('id')

    { jsonrpc: '2.0', id: msg['id'], result: dispatch(msg['method'], msg['params'] || {}) }
  end

  def run
    while (line = $stdin.gets)
      next if line.strip.empty?

      begin
        msg = JSON.parse(line)
        if msg.is_a?(Array)
          puts JSON.generate(msg.map { |m| handle(m) }.compact)
        else
          response = handle(msg)
          puts JSON.generate(response) if response
        end
      rescue JSON::ParserError
        error(-32700, 'Parse error')
      rescue NoMethodError => e
        error(-32601, e.message)
      rescue ArgumentError => e
        error(-32602, e.message)
      rescue StandardError => e
        error(-32603, e.message)
      end
    end
  end

  def error(code, message)
    puts JSON.pretty_generate({ jsonrpc: '2.0', id: nil, error: { code: code, message: message } })
  end
end

CalcServer.new.run
