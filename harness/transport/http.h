// SPDX-License-Identifier: Apache-2.0
// The http transport, http and https: every send() is a request on a connection of its own, taken
// from a pool of kept-alive ones, so many can be in flight side by side. Responses, plain or as an
// event stream, arrive in one Mailbox, tied to their request by Frame.exchange. README.md lists the
// words a failed exchange ends with.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>

#include "harness/transport/tls.h"
#include "harness/transport/transport.h"
#include "harness/transport/url.h"

namespace harness::transport {

std::unique_ptr<Transport> make_http(boost::asio::any_io_executor executor, Url url,
                                     std::shared_ptr<const TlsContext> tls, const Limits& limits);

}  // namespace harness::transport
