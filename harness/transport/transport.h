// SPDX-License-Identifier: Apache-2.0
// Transport: moves bytes to and from one target. It knows framing but not JSON-RPC; the Session
// above it records the traffic. One implementation per file; transport.cc has the table.
//
//   send() ──► pipe or POST ──► Target ──► reader ──► bounded queue ──► receive()
//
// What only some transports can do is in small interfaces: Exchanges, ProcessControl, Upgrades. A
// caller asks for one and gets null if the transport does not have it. Its traits are the static
// facts about a transport.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/base/clock.h"
#include "harness/base/result.h"
#include "harness/target/target.h"
#include "harness/wire/frame.h"
#include "harness/wire/transport_kind.h"

namespace harness::transport {

using harness::Clock;
using harness::Deadline;

// Unusual ways to send an HTTP request and read its answer.
struct HttpManner {
  bool keep_open = false;        // no deadline once an event stream has begun
  bool expect_continue = false;  // the body waits for an interim 100
  bool takes_refusal = false;    // 429 and 503 are answers, without a retry
  int answers = 1;               // how many to read; more than 1: on its own connection
};

// One thing to send. A stream (stdio, tcp, unix) writes each element of `writes` verbatim in a
// separate write; the caller has framed messages with frame(). HTTP posts the concatenation of
// `writes` as one body.
struct Outgoing {
  std::vector<std::string> writes;
  // HTTP only: method ("POST" when empty), target (the URL's path when empty) and headers, which
  // replace those of the same name that the transport would send; a header whose value is
  // "\0" (one NUL) is left out.
  wire::HttpHead http;
  bool events = false;     // HTTP: reads the body as an event stream, whatever its type
  HttpManner manner = {};  // HTTP only
};

struct Quiet {};  // nothing until the deadline
struct Closed {
  std::string how;
};  // nothing more can come ("exit 0", "signal 9", "eof")
using Arrival = std::variant<wire::Frame, Quiet, Closed>;

// For transports whose messages are HTTP requests (HTTP, HTTP+SSE).
class Exchanges {
 public:
  // Extra headers on every request from now on (session id, protocol version).
  virtual void set_headers(std::vector<wire::Header> headers) = 0;
  // The address and the headers of a plain request, credentials included.
  // HTTP+SSE, where a POST has a meaning only beside an open stream: an empty address.
  virtual wire::HttpSession session() const { return {}; }
  // Breaks the connection of an exchange that has not ended; it ends with "hung up". HTTP+SSE: does
  // nothing, because the reply may come elsewhere.
  virtual void disconnect(int exchange) = 0;
  // Whether nothing comes because the server asked for time and a request will be repeated.
  virtual bool rests() const { return false; }
  // HTTP: where requests go, as in Host and the request line. HTTP+SSE: "".
  virtual std::string authority() const = 0;
  virtual std::string path() const = 0;
  virtual std::string endpoint() const = 0;  // HTTP+SSE: where messages are posted. HTTP: ""

 protected:
  ~Exchanges() = default;
};

// For a transport that started the target itself (stdio).
class ProcessControl {
 public:
  virtual void close_output() = 0;              // stops reading its output
  virtual void send_signal(int number) = 0;     // to the process group
  virtual int group() const = 0;                // the process group, to inspect; 0 before open()
  virtual std::string stderr_tail() const = 0;  // the last lines, bounded, raw

 protected:
  ~ProcessControl() = default;
};

// For a transport whose connection begins with an opening handshake (WebSocket).
class Upgrades {
 public:
  // Begins another handshake on its own connection, which is closed after the answer. `head`
  // replaces the headers of a valid one. Returns its exchange number; the answer is received like
  // that of an HTTP exchange.
  virtual boost::asio::awaitable<int> upgrade(wire::HttpHead head, Deadline deadline) = 0;

 protected:
  ~Upgrades() = default;
};

class Transport {
 public:
  virtual ~Transport() = default;  // never leaves a process, socket or timer behind

  // Starts the process, or checks that the address accepts a connection.
  virtual boost::asio::awaitable<Status> open() = 0;

  // Writes, or begins the POST. Returns the exchange number (HTTP, HTTP+SSE: 1, 2, …; a stream: 0).
  // Gives up silently at the deadline or if the peer has closed: receive() then returns Closed.
  virtual boost::asio::awaitable<int> send(Outgoing outgoing, Deadline deadline) = 0;

  // The next frame on any channel in the order of arrival. Frame.seq and time are set by the
  // caller. stdio: messages on stdout and lines of stderr, then one kExit frame when the process
  // ends, then Closed. tcp, unix: kSocket frames, a received kClose frame when the peer closes,
  // then Closed. HTTP: one kHttp frame an exchange (status, headers, and the body unless it is an
  // event stream), kSse frames for the events of a stream, and a received kClose frame with
  // `exchange` set and bytes "end" when the exchange is complete, or bytes naming the failure
  // ("refused", "reset", "timeout", …) when it is not. HTTP+SSE: the same for posted messages;
  // frames of the one stream, with its head and end, have exchange 0.
  virtual boost::asio::awaitable<Arrival> receive(Deadline deadline) = 0;

  // What receive() would return at once; nothing if it would wait.
  virtual std::optional<Arrival> poll() = 0;

  // A peer on a socket that answers one message and closes the connection: from now on each message
  // uses its own connection. Without effect on other transports.
  virtual void take_one_each() {}

  virtual void close_input() = 0;  // closes the target's stdin or its direction of the socket;
                                   // HTTP: nothing
  // Ends the target: close input, wait `grace`, SIGTERM, wait, SIGKILL to the group.
  virtual boost::asio::awaitable<void> shutdown(std::chrono::milliseconds grace) = 0;

  virtual wire::TransportKind kind() const = 0;
  const wire::TransportTraits& traits() const { return wire::traits_of(kind()); }
  virtual Exchanges* exchanges() { return nullptr; }
  virtual ProcessControl* process() { return nullptr; }
  virtual Upgrades* upgrades() { return nullptr; }
  const Exchanges* exchanges() const { return const_cast<Transport*>(this)->exchanges(); }
  const ProcessControl* process() const { return const_cast<Transport*>(this)->process(); }

  // A stream: the received part of an incomplete message.
  virtual std::string_view begun() const { return {}; }

  // As in a Transcript: "content-length", "" for everything else.
  virtual const char* framing() const { return ""; }
  // The bytes that carry this text as one message; the text itself if none are added.
  virtual std::string frame(std::string_view text) const { return std::string(text); }
  // If false, all messages share a stream, and only a reply to something later proves silence.
  bool has_exchanges() const { return traits().exchanges; }
  bool over_http() const { return traits().http; }  // wherever the replies come
};

class Courtesy;

struct Limits {
  std::size_t max_line = 16u << 20;    // a longer frame is cut there; Frame.size has the full
                                       // length
  std::size_t max_queue = 32u << 20;   // bytes waiting for receive() before reading pauses
  std::size_t max_stderr = 64u << 10;  // of stderr kept for stderr_tail()
  // For open(): to connect, and for the handshakes it needs.
  std::chrono::milliseconds open{10000};
  // HTTP: shared by all transports to one server, to limit its load; null: no limit.
  std::shared_ptr<Courtesy> courtesy = {};
};

// The transport the target's address asks for.
Result<std::unique_ptr<Transport>> make(boost::asio::any_io_executor executor,
                                        const target::Target& target, const Limits& limits = {});

}  // namespace harness::transport
