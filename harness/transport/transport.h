// SPDX-License-Identifier: Apache-2.0
// Transport: moves bytes to and from one Target. It knows framing and nothing of JSON-RPC; the
// Session above it records what passes. One implementation a file; transport.cc has the table.
//
//   send() ──► pipe or POST ──► Target ──► reader ──► bounded queue ──► receive()
//
// What only some transports can do stands in small interfaces: Exchanges, ProcessControl, Upgrades.
// A caller asks for one and gets null where there is no such thing. What is true of a transport
// without doing anything is in its traits.
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

// How an HTTP request is sent and its answer read, where that is not the usual way.
struct HttpManner {
  bool keep_open = false;        // once an event stream has begun, the deadline no longer counts
  bool expect_continue = false;  // the body waits for an interim 100
  bool takes_refusal = false;    // 429 and 503 are answers, and not waited for
  int answers = 1;               // so many are read; more than 1: on a connection of its own
};

// One thing to send. A stream (stdio, tcp, unix) writes each element of `writes` with a write of
// its own, verbatim: the caller has framed what is a message, with frame(). HTTP posts the
// concatenation of `writes` as one body.
struct Outgoing {
  std::vector<std::string> writes;
  // HTTP only: method ("POST" when empty), target (the URL's path when empty) and headers, which
  // replace those of the same name that the transport would send; a header whose value is
  // "\0" (one NUL) is left out.
  wire::HttpHead http;
  bool events = false;     // HTTP: the body is read as an event stream, whatever its type says
  HttpManner manner = {};  // HTTP only
};

struct Quiet {};  // nothing until the deadline
struct Closed {
  std::string how;
};  // nothing more can come ("exit 0", "signal 9", "eof")
using Arrival = std::variant<wire::Frame, Quiet, Closed>;

// What transports have whose messages are HTTP requests (HTTP, HTTP+SSE).
class Exchanges {
 public:
  // Extra headers on every request from now on (session id, protocol version).
  virtual void set_headers(std::vector<wire::Header> headers) = 0;
  // The address and the headers of a request to which nothing is added, credentials included. HTTP+SSE,
  // where what is posted means something only beside an open stream: an empty address.
  virtual wire::HttpSession session() const { return {}; }
  // Breaks the connection of an exchange that is not over; it ends with "hung up". Over HTTP+SSE,
  // where a message may be answered elsewhere, nothing.
  virtual void disconnect(int exchange) = 0;
  // The server asked for time, and something is asked again later: nothing comes because of that.
  virtual bool rests() const { return false; }
  // HTTP: what requests are sent to, as Host and request line say it. HTTP+SSE: "".
  virtual std::string authority() const = 0;
  virtual std::string path() const = 0;
  virtual std::string endpoint() const = 0;  // HTTP+SSE: where messages are posted. HTTP: ""

 protected:
  ~Exchanges() = default;
};

// What a transport has that started the target itself (stdio).
class ProcessControl {
 public:
  virtual void close_output() = 0;              // nobody reads what it writes
  virtual void send_signal(int number) = 0;     // to the process group
  virtual int group() const = 0;                // of processes, for looking at; 0 before open()
  virtual std::string stderr_tail() const = 0;  // the last lines, bounded, raw

 protected:
  ~ProcessControl() = default;
};

// What a transport has whose connection begins with an opening handshake (WebSocket).
class Upgrades {
 public:
  // Begins another handshake on a connection of its own, which is closed once it was answered.
  // `head` replaces the headers of a lawful one. Returns its exchange number; what comes of it is
  // received as of an exchange of HTTP.
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
  // Gives up silently at the deadline or when the peer is gone: receive() then says Closed.
  virtual boost::asio::awaitable<int> send(Outgoing outgoing, Deadline deadline) = 0;

  // The next frame on any channel in the order of arrival. Frame.seq and time are set by the
  // caller. stdio: messages on stdout and lines of stderr, then one kExit frame when the process
  // ends, then Closed. tcp, unix: kSocket frames, a received kClose frame when the peer closes,
  // then Closed. HTTP: one kHttp frame an exchange (status, headers, and the body unless it is an
  // event stream), kSse frames for the events of a stream, and a received kClose frame with
  // `exchange` set and bytes "end" when the exchange is complete, or bytes naming the failure
  // ("refused", "reset", "timeout", …) when it is not. HTTP+SSE: the same of what is posted; what
  // comes on the one stream, its head and end among it, has exchange 0.
  virtual boost::asio::awaitable<Arrival> receive(Deadline deadline) = 0;

  // What receive() would return at once; nothing where it would wait.
  virtual std::optional<Arrival> poll() = 0;

  virtual void close_input() = 0;  // end of file on the target's stdin or socket; HTTP: nothing
  // Ends it in order: close input, wait `grace`, SIGTERM, wait, SIGKILL to the group.
  virtual boost::asio::awaitable<void> shutdown(std::chrono::milliseconds grace) = 0;

  virtual wire::TransportKind kind() const = 0;
  const wire::TransportTraits& traits() const { return wire::traits_of(kind()); }
  virtual Exchanges* exchanges() { return nullptr; }
  virtual ProcessControl* process() { return nullptr; }
  virtual Upgrades* upgrades() { return nullptr; }
  const Exchanges* exchanges() const { return const_cast<Transport*>(this)->exchanges(); }
  const ProcessControl* process() const { return const_cast<Transport*>(this)->process(); }

  // A stream: what has come of a message that has no end yet.
  virtual std::string_view begun() const { return {}; }

  // As a Transcript says it: "content-length", "" for everything else.
  virtual const char* framing() const { return ""; }
  // The bytes that carry this text as one message; the text itself where none are added.
  virtual std::string frame(std::string_view text) const { return std::string(text); }
  // Where they are false all messages share a stream, and silence is proved only by an answer to
  // something later.
  bool has_exchanges() const { return traits().exchanges; }
  bool over_http() const { return traits().http; }  // wherever the replies come
};

class Courtesy;

struct Limits {
  std::size_t max_line = 16u << 20;    // a longer frame is cut there; Frame.size tells the length
  std::size_t max_queue = 32u << 20;   // bytes waiting for receive() before reading pauses
  std::size_t max_stderr = 64u << 10;  // of stderr kept for stderr_tail()
  // For open(): to connect, and for the handshakes on the way.
  std::chrono::milliseconds open{10000};
  // HTTP: shared by all that speak to one server; null: nothing spares it.
  std::shared_ptr<Courtesy> courtesy = {};
};

// The transport the target's address asks for.
Result<std::unique_ptr<Transport>> make(boost::asio::any_io_executor executor,
                                        const target::Target& target, const Limits& limits = {});

}  // namespace harness::transport
