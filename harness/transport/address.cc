// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/address.h"

#include <sys/un.h>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/transport/awaiting.h"
#include "harness/transport/request.h"
#include "harness/transport/timer.h"

namespace harness::transport {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {}  // namespace

asio::awaitable<std::pair<Endpoints, error_code>> resolve(asio::any_io_executor executor, Url url) {
  error_code error;
  Endpoints out;
  const auto address = asio::ip::make_address(url.host, error);
  if (!error) {
    out.emplace_back(address, url.port);
  } else if (ascii::equal_ignoring_case(url.host, "localhost")) {
    // It is these two everywhere, and some servers listen on only one of them.
    out.emplace_back(asio::ip::address_v4::loopback(), url.port);
    out.emplace_back(asio::ip::address_v6::loopback(), url.port);
    error = {};
  } else {
    tcp::resolver resolver(executor);
    auto [failed, found] =
        co_await resolver.async_resolve(url.host, std::to_string(url.port), kToken);
    error = failed;
    if (!failed) out.assign(found.begin(), found.end());
  }
  co_return std::pair(std::move(out), error);
}

asio::awaitable<error_code> probe(asio::any_io_executor executor, Endpoints endpoints,
                                  Deadline deadline) {
  using namespace asio::experimental::awaitable_operators;
  error_code first_error = asio::error::host_not_found;
  for (std::size_t i = 0; i < endpoints.size(); ++i) {
    tcp::socket socket(executor);
    Timer timer(executor, deadline);
    auto first = co_await (socket.async_connect(endpoints[i], kToken) || timer.async_wait(kToken));
    const error_code error =
        first.index() == 0 ? std::get<0>(std::get<0>(first)) : error_code(asio::error::timed_out);
    if (!error) co_return error;
    if (i == 0) first_error = error;
  }
  co_return first_error;
}

asio::awaitable<Result<Places>> find_places(asio::any_io_executor executor, std::string address) {
  constexpr std::string_view kUnix = "unix:";
  Places places;
  if (ascii::starts_with_ignoring_case(address, kUnix)) {
    std::string path = address.substr(kUnix.size());
    if (path.starts_with("//")) path.erase(0, 2);
    if (path.empty()) {
      co_return Error{"", "the url '" + printable(address) + "' names no socket",
                      "write it as unix:/PATH"};
    }
    if (path.size() >= sizeof(sockaddr_un::sun_path)) {
      co_return Error{"",
                      "the path of a socket has at most " +
                          std::to_string(sizeof(sockaddr_un::sun_path) - 1) + " bytes, '" +
                          printable(path) + "' has " + std::to_string(path.size()),
                      "put the socket into a folder with a shorter name"};
    }
    places.emplace_back(asio::local::stream_protocol::endpoint(path));
    co_return std::move(places);
  }
  auto url = parse_url(address);
  if (!url) co_return url.error();
  auto [endpoints, unknown] = co_await resolve(executor, *url);
  if (unknown) {
    co_return Error{"", printable(address) + ": " + unknown.message(), "check the host name"};
  }
  places.assign(endpoints.begin(), endpoints.end());
  co_return std::move(places);
}

asio::awaitable<std::pair<StreamSocket, error_code>> connect(asio::any_io_executor executor,
                                                             Places places, Deadline deadline) {
  using namespace asio::experimental::awaitable_operators;
  error_code first_error = asio::error::host_not_found;
  for (std::size_t i = 0; i < places.size(); ++i) {
    StreamSocket socket(executor);
    Timer timer(executor, deadline);
    auto first = co_await (socket.async_connect(places[i], kToken) || timer.async_wait(kToken));
    const error_code error =
        first.index() == 0 ? std::get<0>(std::get<0>(first)) : error_code(asio::error::timed_out);
    if (!error) co_return std::pair(std::move(socket), error);
    if (i == 0) first_error = error;
  }
  co_return std::pair(StreamSocket(executor), first_error);
}

asio::awaitable<error_code> probe(asio::any_io_executor executor, Places places,
                                  Deadline deadline) {
  auto [socket, error] = co_await connect(executor, std::move(places), deadline);
  co_return error;
}

}  // namespace harness::transport
