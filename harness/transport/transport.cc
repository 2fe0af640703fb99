// SPDX-License-Identifier: Apache-2.0
// The table of transports. A row is an address scheme; "" stands for a command driven over stdio.
#include "harness/transport/transport.h"

#include <string_view>

#include "harness/transport/http.h"
#include "harness/transport/http_sse.h"
#include "harness/transport/socket.h"
#include "harness/transport/stdio.h"
#include "harness/transport/tls.h"
#include "harness/transport/url.h"
#include "harness/transport/websocket.h"

namespace harness::transport {

namespace {

using Made = Result<std::unique_ptr<Transport>>;
using Maker = Made (*)(boost::asio::any_io_executor, const target::Target&, const Limits&);

Made stdio(boost::asio::any_io_executor executor, const target::Target& target,
           const Limits& limits) {
  if (target.command.empty()) {
    return Error{"", "the target has neither a command nor a url",
                 "give a command after --, or an address with --url"};
  }
  return make_stdio(std::move(executor), target, limits);
}

// The address, and what the target has to be shown there.
Result<Url> address_of(const target::Target& target) {
  auto url = parse_url(target.url);
  if (!url) return url;
  for (const auto& [name, value] : target.headers) url->credentials.push_back({name, value});
  for (auto& [name, value] : target::headers_of(target.auth, target::Showing::kUsual))
    url->credentials.push_back({name, value});
  return url;
}

Made http(boost::asio::any_io_executor executor, const target::Target& target,
          const Limits& limits) {
  auto url = address_of(target);
  if (!url) return url.error();
  auto tls = make_tls(*url, target.tls);
  if (!tls) return tls.error();
  const auto make_one = target.sse ? make_http_sse : make_http;
  return make_one(std::move(executor), std::move(*url), std::move(*tls), limits);
}

Made websocket(boost::asio::any_io_executor executor, const target::Target& target,
               const Limits& limits) {
  auto url = address_of(target);
  if (!url) return url.error();
  auto tls = make_tls(*url, target.tls);
  if (!tls) return tls.error();
  return make_websocket(std::move(executor), std::move(*url), std::move(*tls), target.subprotocol,
                        limits);
}

Made socket(boost::asio::any_io_executor executor, const target::Target& target,
            const Limits& limits) {
  return make_socket(std::move(executor), target, limits);
}

struct Row {
  std::string_view scheme;
  Maker make;
};
constexpr Row kTransports[] = {
    {"", stdio},      {"http", http},    {"https", http},    {"tcp", socket},
    {"unix", socket}, {"ws", websocket}, {"wss", websocket},
};

}  // namespace

boost::asio::awaitable<int> Transport::upgrade(wire::HttpHead, Deadline) { co_return 0; }

Made make(boost::asio::any_io_executor executor, const target::Target& target,
          const Limits& limits) {
  const std::string scheme = target.scheme();
  for (const Row& row : kTransports) {
    if (row.scheme == scheme) return row.make(std::move(executor), target, limits);
  }
  return Error{
      "", scheme + ":// is not supported by this build",
      "give an address with http(s)://, ws(s)://, tcp:// or unix:, or the command of a server that "
      "speaks over stdio"};
}

}  // namespace harness::transport
