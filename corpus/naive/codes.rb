# SPDX-License-Identifier: Apache-2.0
# A naive dictionary over stdio (plain JSON-RPC) behind Content-Length headers, as editors speak: it counts characters. See README.md.
require "json"
$stdout.sync = true
CODES = { "A" => "Alpha", "B" => "Bravo", "É" => "Écho" }

def reply(message)
  body = JSON.generate(message)
  $stdout.print "Content-Length: #{body.length}\r\n\r\n#{body}"
end

METHODS = {
  "spell" => ->(p) { p["word"].upcase.chars.map { |c| CODES[c] || c } },
  "code" => ->(p) { CODES.fetch(p["letter"]) },
  "size" => ->(_) { CODES.size },
  "shutdown" => ->(_) { nil },
}

while (header = $stdin.gets)
  length = header[/Content-Length: (\d+)/, 1].to_i
  $stdin.gets # the empty line
  begin
    m = JSON.parse($stdin.read(length))
    result = METHODS.fetch(m["method"]).call(m["params"])
    reply({ jsonrpc: "2.0", id: m["id"], result: result }.compact)
  rescue JSON::ParserError => e
    reply(jsonrpc: "2.0", id: nil, error: { code: -32700, message: e.message })
  rescue KeyError => e
    reply(jsonrpc: "2.0", id: m["id"], error: { code: -32601, message: "Method not found" })
  rescue => e
    reply(jsonrpc: "2.0", id: m["id"], error: { code: -32603, message: e.full_message })
  end
end
