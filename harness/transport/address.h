// SPDX-License-Identifier: Apache-2.0
// The network side of a Url: where its host is, and whether something accepts connections there.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <utility>
#include <vector>

#include "harness/transport/transport.h"
#include "harness/transport/url.h"

namespace harness::transport {

using Endpoints = std::vector<boost::asio::ip::tcp::endpoint>;

// All addresses of the host, to be tried in this order. Literal addresses and `localhost` need no
// name service, and so none of Asio's helper threads.
boost::asio::awaitable<std::pair<Endpoints, boost::system::error_code>> resolve(
    boost::asio::any_io_executor executor, Url url);

// Connects and disconnects. The error of the first endpoint when none accepts.
boost::asio::awaitable<boost::system::error_code> probe(boost::asio::any_io_executor executor,
                                                        Endpoints endpoints, Deadline deadline);

}  // namespace harness::transport
