// SPDX-License-Identifier: Apache-2.0
// The table of transports.
#include "harness/transport/transport.h"

#include "harness/transport/kinds.h"
#include "harness/transport/tls.h"
#include "harness/transport/url.h"

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
  url->possession = target.auth.possession;
  return url;
}

Made http(boost::asio::any_io_executor executor, const target::Target& target,
          const Limits& limits) {
  auto url = address_of(target);
  if (!url) return url.error();
  auto tls = make_tls(*url, target.tls);
  if (!tls) return tls.error();
  return make_http(std::move(executor), std::move(*url), std::move(*tls), limits);
}

Made http_sse(boost::asio::any_io_executor executor, const target::Target& target,
              const Limits& limits) {
  auto url = address_of(target);
  if (!url) return url.error();
  auto tls = make_tls(*url, target.tls);
  if (!tls) return tls.error();
  return make_http_sse(std::move(executor), std::move(*url), std::move(*tls), limits);
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

using wire::TransportKind;

struct Row {
  TransportKind kind;
  Maker make;
};
constexpr Row kMakers[] = {
    {TransportKind::kStdio, stdio},         {TransportKind::kStdioContentLength, stdio},
    {TransportKind::kHttp, http},           {TransportKind::kHttpSse, http_sse},
    {TransportKind::kWebSocket, websocket}, {TransportKind::kTcp, socket},
    {TransportKind::kUnix, socket},
};

}  // namespace

Made make(boost::asio::any_io_executor executor, const target::Target& target,
          const Limits& limits) {
  for (const Row& row : kMakers) {
    if (row.kind == target.transport()) return row.make(std::move(executor), target, limits);
  }
  return Error{
      "", target.scheme() + ":// is not supported by this build",
      "give an address with http(s)://, ws(s)://, tcp:// or unix:, or the command of a server that "
      "speaks over stdio"};
}

}  // namespace harness::transport
