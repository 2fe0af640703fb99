// SPDX-License-Identifier: Apache-2.0
// Frame: one thing that was sent or received, and the Transcript of all of them. The Transcript is
// the only evidence for any judgement.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.h"
#include "harness/wire/transport_kind.h"

namespace harness::wire {

enum class Direction : std::uint8_t { kSent, kReceived };

enum class Channel : std::uint8_t {
  kStdin,   // sent: one framed message, or raw bytes
  kStdout,  // received: one line without its newline (the CR of CRLF is kept)
  kStderr,  // received: one line of diagnostics
  kHttp,    // a request (sent) or response head with its body (received); see HttpHead
  kSse,     // received: the data of one server-sent event
  kSocket,  // sent or received: one message on a connection, as on stdin and stdout
  kPing,    // sent or received: a ping frame of WebSocket; bytes are its payload
  kPong,    // received: likewise a pong; our own pongs are not recorded
  kExit,    // received: the process ended; bytes say how ("exit 0", "signal 11")
  kClose,   // sent: we closed the channel; received: the peer did; bytes say what ("stdin",
            // "stdout")
};

const char* channel_name(Channel channel);

struct Header {
  std::string name;
  std::string value;
};

// The head of an HTTP message. Header names are compared without case.
struct HttpHead {
  int status = 0;      // responses
  std::string method;  // requests
  std::string target;  // requests: path and query
  std::vector<Header> headers;

  const std::string* header(std::string_view name) const;
};

// What all requests of one HTTP session share.
struct HttpSession {
  std::string url;              // that requests go to, "http://127.0.0.1:3000/mcp"
  std::vector<Header> headers;  // of each request that does not replace them: also credentials
  std::string opening;          // the body that opened the session; "" if none did
};

struct Frame {
  std::uint64_t seq = 0;     // position in the session, from 1
  std::int64_t time_us = 0;  // microseconds since the session began
  Direction direction = Direction::kSent;
  Channel channel = Channel::kStdin;
  std::string bytes;             // without framing; cut when huge, see `size`
  std::uint64_t size = 0;        // length before cutting
  bool unframed = false;         // sent as raw bytes, or received without its line end
  int exchange = 0;              // HTTP: 1, 2, … ties a response and its events to the request
  std::optional<HttpHead> head;  // HTTP; or the header fields that a case wrote before a message
  // HTTP, sent: its head says what it adds to that. Null when unknown; not kept in files.
  std::shared_ptr<const HttpSession> session;
};

// The frame with only the beginning of its bytes: what reports show, and a cheap form of huge
// frames that are kept.
Frame beginning_of(const Frame& frame);

struct Transcript {
  std::string profile;
  TransportKind transport = TransportKind::kUnknown;
  std::string target;  // how the target was named
  std::vector<Frame> frames;
  std::string framing;            // "content-length"; "" if a message is a line or an HTTP body
  bool behind_handshake = false;  // a slice: nothing came since notifications/initialized
};

// JSON Lines: a header object, then one object a Frame. Bytes that are not UTF-8 are written as
// base64. Reading what was written gives the same Transcript.
std::string to_json_lines(const Transcript& transcript);
Result<Transcript> from_json_lines(std::string_view text, const std::string& name);

}  // namespace harness::wire
