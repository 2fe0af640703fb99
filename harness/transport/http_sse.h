// SPDX-License-Identifier: Apache-2.0
// The HTTP+SSE transport of revision 2024-11-05: one GET opens an event stream, whose first event
// names the address that messages are posted to; what the server says comes on that stream.
//
//   open() ── GET /sse ──────────► event: endpoint
//   send() ── POST endpoint ─────► 202            receive() ◄── event: message
//
// It drives an http transport, of which it knows the interface only.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>

#include "harness/transport/tls.h"
#include "harness/transport/transport.h"
#include "harness/transport/url.h"

namespace harness::transport {

std::unique_ptr<Transport> make_http_sse(boost::asio::any_io_executor executor, Url url,
                                         std::shared_ptr<const TlsContext> tls,
                                         const Limits& limits);

// The address in an endpoint event, as the server at `from` means it; an Error if it names none, or
// one on another host or port, to which nothing is ever posted. An address wrapped in JSON is
// unwrapped: that is a breach, but no reason to stop.
Result<Url> announced(const Url& from, std::string_view data);

}  // namespace harness::transport
