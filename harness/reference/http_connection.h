// SPDX-License-Identifier: Apache-2.0
// One connection of an HTTP client: requests are read from it, replies and pieces of event streams
// written to it. With sse_host.cc the only place that includes Boost.Beast.
#pragma once

#include <boost/asio.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <memory>
#include <optional>
#include <string>

#include "harness/reference/hosting.h"
#include "harness/reference/http_message.h"
#include "harness/reference/inject_http.h"

namespace harness::reference {

// A coroutine that waits for something to send, or for the client to disconnect: cancel `wake`.
struct Waiter {
  explicit Waiter(boost::asio::any_io_executor executor)
      : wake(std::move(executor), boost::asio::steady_timer::time_point::max()) {}
  boost::asio::steady_timer wake;
  bool client_gone = false;
  bool watched = false;
};

// Over all connections.
struct HttpTraffic {
  int being_read = 0;  // bodies of requests
  int closed = 0;      // connections that were closed by clients
};

class HttpConnection {
 public:
  // `injector` and `traffic` outlive it.
  HttpConnection(boost::asio::ip::tcp::socket socket, const Faults& faults,
                 HttpFaultInjector& injector, HttpTraffic& traffic)
      : socket_(std::move(socket)), faults_(faults), injector_(injector), traffic_(traffic) {}

  // The next request; nothing if there can be no more. Invalid HTTP has been rejected already.
  boost::asio::awaitable<std::optional<HttpRequest>> read();
  // False if the connection is unusable; likewise for the next two.
  boost::asio::awaitable<bool> write(HttpReply reply, bool keep_alive);
  // A piece of a chunked response: the head, the end, or one chunk made by the injector.
  boost::asio::awaitable<bool> write_text(std::string text);
  // Wakes `waiter` when the client disconnects. The next request, if sent early, is not a
  // disconnect.
  void watch_for_departure(const std::shared_ptr<Waiter>& waiter);
  // Nothing more will be written.
  void end();

 private:
  boost::asio::awaitable<bool> is_padded();
  bool skip_to_request();

  boost::asio::ip::tcp::socket socket_;
  boost::beast::flat_buffer buffer_;
  const Faults& faults_;
  HttpFaultInjector& injector_;
  HttpTraffic& traffic_;
};

}  // namespace harness::reference
