# SPDX-License-Identifier: Apache-2.0
# A naive plain JSON-RPC server over HTTP (bank.rb PORT) on a TCPServer: one client at a time, lengths in characters. See README.md.
require "json"
require "socket"

class Bank
  def initialize
    @accounts = { "ann" => 120, "bob" => 35 }
  end

  def balance(name)
    @accounts.fetch(name)
  end

  def total
    @accounts.values.sum
  end

  def names
    @accounts.keys
  end
end

BANK = Bank.new

def success(id, result)
  { jsonrpc: "2.0", id: id, result: result }
end

def failure(id, code, message, data = nil)
  error = { code: code, message: message }
  error[:data] = data if data
  { jsonrpc: "2.0", id: id, error: error }
end

def handle(request)
  id = request["id"]
  method = request["method"]
  return failure(id, -32600, "Invalid Request") unless method.is_a?(String)
  return failure(id, -32601, "Method not found") unless BANK.respond_to?(method)

  params = request["params"]
  result = params.is_a?(Hash) ? BANK.public_send(method, **params.transform_keys(&:to_sym)) : BANK.public_send(method, *params)
  success(id, result) if request.key?("id")
rescue StandardError => e
  failure(id, -32603, "Internal error: #{e.message}", e.backtrace.first(3))
end

def answer(text)
  request = JSON.parse(text)
  request.is_a?(Array) ? request.map { |one| handle(one) } : handle(request)
rescue JSON::ParserError
  failure(nil, -32700, "Parse error")
end

def respond(socket, status, body = "")
  socket.write("HTTP/1.1 #{status}\r\nContent-Type: application/json\r\nContent-Length: #{body.length}\r\nConnection: close\r\n\r\n#{body}")
end

server = TCPServer.new("127.0.0.1", ARGV[0].to_i)
loop do
  socket = server.accept
  begin
    verb = socket.gets.to_s.split.first
    headers = {}
    while (line = socket.gets) && line != "\r\n"
      name, value = line.chomp.split(": ", 2)
      headers[name] = value
    end
    if verb == "POST"
      reply = answer(socket.read(headers["Content-Length"].to_i).force_encoding("UTF-8"))
      reply ? respond(socket, "200 OK", JSON.generate(reply)) : respond(socket, "204 No Content")
    else
      respond(socket, "405 Method Not Allowed")
    end
  rescue StandardError => e
    warn "#{e.class}: #{e.message}"
  ensure
    socket.close
  end
end
