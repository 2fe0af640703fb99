// SPDX-License-Identifier: Apache-2.0
// TransportKind: how messages travel between a client and a server, and what is true of each way.
// Code that depends on the transport asks for a trait; names are only for reading and writing text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness::wire {

enum class TransportKind : std::uint8_t {
  kUnknown,  // not given, or an address that nobody can reach
  kStdio,    // one message per line on the standard streams of a process
  kHttp,     // Streamable HTTP, or plain JSON-RPC over HTTP
  kHttpSse,  // HTTP+SSE of MCP 2024-11-05
  kWebSocket,
  kTcp,
  kUnix,
  kStdioContentLength,  // standard streams with another framing than "stdio" of the specifications
  kHandler,             // a function that is called in our own process
};

struct TransportTraits {
  TransportKind kind = TransportKind::kUnknown;
  const char* name = "";  // in cases, requirements, transcripts and reports
  // The messages are on the standard streams of a process.
  bool process = false;
  // Messages share a stream of bytes, separated by line ends or lengths.
  bool byte_stream = false;
  // A message is the body of an HTTP request, which has a head and gets a status.
  bool http = false;
  // Each sent message begins its own exchange, whose end is visible, and the reply is in it.
  // Otherwise all replies share one stream and are recognised by their id.
  bool exchanges = false;
  // HTTP headers of the user are sent with the messages, or with the handshake before them.
  bool headers = false;
  // A message travels in frames of RFC 6455.
  bool frames = false;
  // A target can be reached over it, and a case may name it.
  bool of_targets = true;
};

// In the order of TransportKind.
inline constexpr TransportTraits kTransports[] = {
    {.of_targets = false},
    {.kind = TransportKind::kStdio, .name = "stdio", .process = true, .byte_stream = true},
    {.kind = TransportKind::kHttp,
     .name = "http",
     .http = true,
     .exchanges = true,
     .headers = true},
    {.kind = TransportKind::kHttpSse, .name = "http+sse", .http = true, .headers = true},
    {.kind = TransportKind::kWebSocket, .name = "websocket", .headers = true, .frames = true},
    {.kind = TransportKind::kTcp, .name = "tcp", .byte_stream = true},
    {.kind = TransportKind::kUnix, .name = "unix", .byte_stream = true},
    {.kind = TransportKind::kStdioContentLength,
     .name = "stdio+content-length",
     .process = true,
     .byte_stream = true},
    {.kind = TransportKind::kHandler, .name = "handler", .of_targets = false},
};

constexpr const TransportTraits& traits_of(TransportKind kind) {
  return kTransports[static_cast<std::size_t>(kind)];
}
constexpr const char* transport_name(TransportKind kind) { return traits_of(kind).name; }

// The transport with that name; "" is kUnknown. Nothing if there is none.
std::optional<TransportKind> transport_named(std::string_view name);

// A set of transports: over which a case is played, or under which a requirement counts.
class TransportSet {
 public:
  constexpr TransportSet() = default;
  constexpr TransportSet(std::initializer_list<TransportKind> kinds) {
    for (const TransportKind kind : kinds) add(kind);
  }
  static constexpr TransportSet all() {
    TransportSet out;
    for (const TransportTraits& row : kTransports) out.add(row.kind);
    return out;
  }

  constexpr bool has(TransportKind kind) const { return (bits_ & bit(kind)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool is_all() const { return *this == all(); }
  constexpr void add(TransportKind kind) { bits_ = static_cast<std::uint16_t>(bits_ | bit(kind)); }
  constexpr void add(TransportSet other) {
    bits_ = static_cast<std::uint16_t>(bits_ | other.bits_);
  }
  constexpr bool operator==(const TransportSet&) const = default;

  // In the form that people write: names in the order of the table, "stream" for that group, "all"
  // for all.
  std::vector<std::string> words() const;

 private:
  static constexpr unsigned bit(TransportKind kind) { return 1u << static_cast<unsigned>(kind); }

  std::uint16_t bits_ = 0;
};

// What a word selects: the name of a transport, "stream" (all on which messages share one channel,
// that is, without exchanges), or "all". Nothing if it is none of these.
std::optional<TransportSet> transports_selected(std::string_view word);

// The transports of targets by name, in the order of the table.
const std::vector<std::string>& transport_names();
// What `transports:` of a case may hold: those, and "stream".
const std::vector<std::string>& transport_selectors();

}  // namespace harness::wire
