// SPDX-License-Identifier: Apache-2.0
// Target: the server under test: how to start or reach it, and what its operator describes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/result.h"
#include "harness/base/secrets.h"
#include "harness/json/value.h"
#include "harness/target/auth.h"
#include "harness/wire/transport_kind.h"

namespace harness::target {

enum class Allow {
  kListed,    // only tools the operator listed
  kReadOnly,  // those, and tools annotated readOnlyHint (the default)
  kAny,       // every tool
};

// How messages on a byte stream are separated.
enum class Framing {
  kLine,           // one a line
  kContentLength,  // after a header with the length, as language servers do
  kText,           // lines, or JSON texts without a line end, or behind a prompt
};

std::optional<Framing> framing_named(std::string_view name);  // "line", "content-length"

// Of https and wss. Files are PEM.
struct Tls {
  std::string ca;         // trusted instead of the system's authorities
  std::string cert, key;  // for a server that requires a certificate
  bool insecure = false;  // take any certificate
};

// Restores the state that a server keeps outside itself; nothing if both are empty.
struct Reset {
  std::vector<std::string> command;  // has to exit with 0
  std::string method;                // or a request to the server, which must get a result
  json::Value params;

  explicit operator bool() const { return !command.empty() || !method.empty(); }
};

struct Target {
  std::string name;                  // for reports
  std::vector<std::string> command;  // program and arguments; empty when only a URL is given
  std::string cwd;                   // "" is ours
  std::vector<std::pair<std::string, std::string>> env;  // added to our environment
  std::string url;                                       // "" if the command is driven over stdio
  Framing framing = Framing::kLine;                      // of stdio, tcp and unix
  std::size_t buffer_size = 64u << 10;                   // of a stream: how much is read at once
  Tls tls;
  bool sse = false;  // of http and https: the HTTP+SSE transport of 2024-11-05
  // For http and WebSocket: sent with every request. They may be secrets: never shown.
  std::vector<std::pair<std::string, std::string>> headers;
  bool restart_each_case = false;  // every case gets its own process
  Reset reset;                     // before each case that needs a fresh session
  Auth auth;
  std::string subprotocol;  // requested in the handshake of ws and wss; "": none
  std::string profile;      // "" or "auto" if the description has none
  Allow allow = Allow::kReadOnly;
  std::vector<std::string> listed_tools;
  json::Value affordances = json::object();  // "tool.slow" → {name, arguments}, "known_method" → …
  // Plain JSON-RPC: the document that the server is tested against. "": the one it returns by
  // itself, as with "discover"; "discover:METHOD", "none", or the file of `openrpc_text`.
  std::string openrpc;
  std::string openrpc_text;
  std::vector<std::string> call_methods;  // described methods: names, patterns with *, "any"
  bool exact_examples = false;            // results of its examples must be equal, not only fit
  Secrets secrets;                        // hidden in all output
  std::vector<std::string> warnings;      // sentences for the operator, once
  std::string file;                       // the description, "" if the command line had everything
  std::string spec;                       // the TARGET as a user would type it again

  bool stdio() const { return url.empty(); }
  // The url's scheme in lower case; "" for a command on stdio.
  std::string scheme() const;
  // kUnknown for an unsupported address.
  wire::TransportKind transport() const;
  const char* transport_name() const { return wire::transport_name(transport()); }
  bool tls_wanted() const { return scheme() == "https" || scheme() == "wss"; }
  // Whether all messages share a stream and need framing.
  bool is_stream() const { return wire::traits_of(transport()).byte_stream; }
  // Messages travel as requests with responses of their own, not on one stream.
  bool has_exchanges() const { return wire::traits_of(transport()).exchanges; }
};

// Reads a description (README.md here) or the `mcpServers` JSON of MCP clients; `reference` is FILE
// or FILE#NAME. `command` is for a file that names none.
Result<Target> load_target(const std::string& reference, std::vector<std::string> command = {});

}  // namespace harness::target
