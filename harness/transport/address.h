// SPDX-License-Identifier: Apache-2.0
// The network side of an address: where its host or socket is, and whether something accepts
// connections there.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <string>
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

// Where a stream socket can be connected to: hosts on the network, or a socket in a folder.
using Places = std::vector<boost::asio::generic::stream_protocol::endpoint>;
using StreamSocket = boost::asio::generic::stream_protocol::socket;

// All endpoints of a target's URL, `unix:/PATH` or any with a host; an Error if it has none.
boost::asio::awaitable<Result<Places>> find_places(boost::asio::any_io_executor executor,
                                                   std::string url);

// The first connection that is accepted, or the error of the first endpoint.
boost::asio::awaitable<std::pair<StreamSocket, boost::system::error_code>> connect(
    boost::asio::any_io_executor executor, Places places, Deadline deadline);

// Connects and disconnects.
boost::asio::awaitable<boost::system::error_code> probe(boost::asio::any_io_executor executor,
                                                        Places places, Deadline deadline);

// Connects and disconnects. The error of the first endpoint if none accepts.
boost::asio::awaitable<boost::system::error_code> probe(boost::asio::any_io_executor executor,
                                                        Endpoints endpoints, Deadline deadline);

}  // namespace harness::transport
