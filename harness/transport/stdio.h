// SPDX-License-Identifier: Apache-2.0
// The stdio transport: a child process, a message a frame. Three readers (stdout, stderr, exit)
// fill a Mailbox; send() writes straight to the pipe and waits only if the pipe is full.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>

#include "harness/transport/transport.h"

namespace harness::transport {

std::unique_ptr<Transport> make_stdio(boost::asio::any_io_executor executor,
                                      const target::Target& target, const Limits& limits);

}  // namespace harness::transport
