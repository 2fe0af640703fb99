// SPDX-License-Identifier: Apache-2.0
// The stream socket transports, tcp://HOST:PORT and unix:/PATH: one connection, on which messages
// are framed as on stdio. A reader fills a Mailbox; send() writes straight to the socket.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>

#include "harness/transport/transport.h"

namespace harness::transport {

std::unique_ptr<Transport> make_socket(boost::asio::any_io_executor executor,
                                       const target::Target& target, const Limits& limits);

}  // namespace harness::transport
