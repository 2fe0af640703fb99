// SPDX-License-Identifier: Apache-2.0
// The websocket transport (ws, wss): one message each way is one text message; all share a
// connection and are matched by their ids, as on stdio. Bytes are written to the connection
// unchanged; frame() makes the bytes of a message, so a case can send frames of any kind.
//
// A binary message is delivered with header `opcode: binary`, a masked one with `reason`.
// Pings are answered (of a flood only the last one); pings and pongs are delivered, too. The
// connection ends with a kClose frame: "close 1000 …" as the server sent it, "eof", "reset", or
// "protocol error: …" and "too big: …" if we closed it.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>

#include "harness/transport/tls.h"
#include "harness/transport/transport.h"
#include "harness/transport/url.h"

namespace harness::transport {

std::unique_ptr<Transport> make_websocket(boost::asio::any_io_executor executor, Url url,
                                          std::shared_ptr<const TlsContext> tls,
                                          std::string subprotocol, const Limits& limits);

}  // namespace harness::transport
