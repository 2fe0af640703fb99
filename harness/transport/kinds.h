// SPDX-License-Identifier: Apache-2.0
// The kinds of transport, a maker each; transport.cc chooses among them.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>

#include "harness/transport/tls.h"
#include "harness/transport/transport.h"
#include "harness/transport/url.h"

namespace harness::transport {

// The stdio transport: a child process, a message a frame. Three readers (stdout, stderr, exit)
// fill a Mailbox; send() writes straight to the pipe and waits only if the pipe is full.
std::unique_ptr<Transport> make_stdio(boost::asio::any_io_executor executor,
                                      const target::Target& target, const Limits& limits);

// The stream socket transports, tcp://HOST:PORT and unix:/PATH: one connection, on which messages
// are framed as on stdio. A reader fills a Mailbox; send() writes straight to the socket.
std::unique_ptr<Transport> make_socket(boost::asio::any_io_executor executor,
                                       const target::Target& target, const Limits& limits);

// The http transport, http and https: every send() is a request on a connection of its own, taken
// from a pool of kept-alive ones, so many can be in flight side by side. Responses, plain or as an
// event stream, arrive in one Mailbox, tied to their request by Frame.exchange. README.md lists the
// words a failed exchange ends with.
std::unique_ptr<Transport> make_http(boost::asio::any_io_executor executor, Url url,
                                     std::shared_ptr<const TlsContext> tls, const Limits& limits);

// The HTTP+SSE transport of revision 2024-11-05: one GET opens an event stream, whose first event
// names the address that messages are posted to; what the server says comes on that stream.
//
//   open() ── GET /sse ──────────► event: endpoint
//   send() ── POST endpoint ─────► 202            receive() ◄── event: message
//
// It drives an http transport, of which it knows the interface only.
std::unique_ptr<Transport> make_http_sse(boost::asio::any_io_executor executor, Url url,
                                         std::shared_ptr<const TlsContext> tls,
                                         const Limits& limits);

// The address in an endpoint event, as the server at `from` means it; an Error if it names none, or
// one on another host or port, to which nothing is ever posted. An address wrapped in JSON is
// unwrapped: that is a breach, but no reason to stop.
Result<Url> announced(const Url& from, std::string_view data);

// The websocket transport (ws, wss): one message each way is one text message; all share a
// connection and are matched by their ids, as on stdio. Bytes are written to the connection
// unchanged; frame() makes the bytes of a message, so a case can send frames of any kind.
//
// A binary message is delivered with header `opcode: binary`, a masked one with `reason`.
// Pings are answered (of a flood only the last one); pings and pongs are delivered, too. The
// connection ends with a kClose frame: "close 1000 …" as the server sent it, "eof", "reset", or
// "protocol error: …" and "too big: …" if we closed it.
std::unique_ptr<Transport> make_websocket(boost::asio::any_io_executor executor, Url url,
                                          std::shared_ptr<const TlsContext> tls,
                                          std::string subprotocol, const Limits& limits);

}  // namespace harness::transport
