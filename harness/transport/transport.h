// SPDX-License-Identifier: Apache-2.0
// Transport: moves bytes to and from one Target. It knows framing and nothing of JSON-RPC; the
// Session above it records what passes. One implementation a file; factory() is the table.
//
//   send() ──► pipe or POST ──► Target ──► reader ──► bounded queue ──► receive()
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

#include "harness/base/result.h"
#include "harness/target/target.h"
#include "harness/transport/clock.h"
#include "harness/wire/frame.h"

namespace harness::transport {

// How an HTTP request is sent and its answer read, where that is not the usual way.
struct HttpManner {
  bool keep_open = false;        // once an event stream has begun, the deadline no longer counts
  bool expect_continue = false;  // the body waits for an interim 100
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

class Transport {
 public:
  virtual ~Transport() = default;  // never leaves a process, socket or timer behind

  // Starts the process, or checks that the address accepts a connection.
  virtual boost::asio::awaitable<Status> open() = 0;

  // Writes, or begins the POST. Returns the exchange number (HTTP, HTTP+SSE: 1, 2, …; a stream: 0).
  // Gives up silently at the deadline or when the peer is gone: receive() then says Closed.
  virtual boost::asio::awaitable<int> send(Outgoing outgoing, Deadline deadline) = 0;

  // WebSocket: begins another opening handshake on a connection of its own, which is closed once it
  // was answered. `head` replaces the headers of a lawful one. Returns its exchange number; what
  // comes of it is received as of an exchange of HTTP. Others do nothing and return 0.
  virtual boost::asio::awaitable<int> upgrade(wire::HttpHead head, Deadline deadline);

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
  // HTTP: breaks the connection of an exchange that is not over; it ends with "hung up".
  virtual void disconnect(int) {}
  virtual void close_output() {}      // stdio: nobody reads what it writes; others: nothing
  virtual void send_signal(int) = 0;  // stdio: to the process group; HTTP: nothing
  // Ends it in order: close input, wait `grace`, SIGTERM, wait, SIGKILL to the group.
  virtual boost::asio::awaitable<void> shutdown(std::chrono::milliseconds grace) = 0;

  // Extra headers on every request from now on (session id, protocol version). Where over_http().
  virtual void set_headers(std::vector<wire::Header>) {}

  // HTTP: what requests are sent to, as Host and request line say it; "" elsewhere.
  virtual std::string authority() const { return {}; }
  virtual std::string path() const { return {}; }

  virtual const char* name() const = 0;  // as target::Target::transport() says it
  // As a Transcript says it: "content-length", "" for everything else.
  virtual const char* framing() const { return ""; }
  // The bytes that carry this text as one message; the text itself where none are added.
  virtual std::string frame(std::string_view text) const { return std::string(text); }
  // True where each message sent begins an exchange of its own, whose end is seen (HTTP). False
  // where all messages share a stream: replies are known by their id, and silence is proved only by
  // an answer to something later.
  virtual bool has_exchanges() const { return false; }
  // True where messages are sent as HTTP requests, with a head and a status each, wherever the
  // replies come (HTTP, HTTP+SSE).
  virtual bool over_http() const { return has_exchanges(); }
  virtual std::string endpoint() const { return {}; }  // HTTP+SSE: where messages are posted
  // The process group that open() started, for looking at; 0 where none was.
  virtual int process_group() const { return 0; }
  virtual std::string stderr_tail() const { return {}; }  // the last lines, bounded, raw
};

struct Limits {
  std::size_t max_line = 16u << 20;    // a longer frame is cut there; Frame.size tells the length
  std::size_t max_queue = 32u << 20;   // bytes waiting for receive() before reading pauses
  std::size_t max_stderr = 64u << 10;  // of stderr kept for stderr_tail()
};

// The transport the target's address asks for.
Result<std::unique_ptr<Transport>> make(boost::asio::any_io_executor executor,
                                        const target::Target& target, const Limits& limits = {});

}  // namespace harness::transport
