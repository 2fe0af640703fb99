// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/fetch_text.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <optional>

#include "harness/transport/transport.h"
#include "harness/transport/url.h"

namespace harness::transport {
namespace {

using boost::asio::awaitable;

using Text = Result<std::string>;

// Of a coroutine a value can be made out of nothing.
awaitable<std::optional<Text>> fetched(std::unique_ptr<Transport> wire, std::string target,
                                       Deadline deadline) {
  const auto failed = [](const std::string& what) {
    return Text(Error{"", what, "get it by other means, and name the file"});
  };
  if (const Status opened = co_await wire->open(); !opened) co_return Text(opened.error());
  Outgoing request;
  request.http.method = "GET";
  request.http.target = std::move(target);
  request.http.headers = {{"Accept", "application/json"}};
  const int exchange = co_await wire->send(std::move(request), deadline);
  int status = 0;
  std::string text;
  for (;;) {
    const Arrival next = co_await wire->receive(deadline);
    const auto* frame = std::get_if<wire::Frame>(&next);
    if (frame == nullptr) co_return failed("no complete response came in time");
    if (frame->exchange != exchange) continue;
    if (frame->channel == wire::Channel::kHttp) {
      status = frame->head ? frame->head->status : 0;
      if (frame->size > frame->bytes.size()) co_return failed("the response has more than 16 MiB");
      text = frame->bytes;
    }
    if (frame->channel != wire::Channel::kClose) continue;
    if (frame->bytes != "end") co_return failed("the exchange failed: " + frame->bytes);
    if (status != 200) co_return failed("the response has the status " + std::to_string(status));
    co_return Text(std::move(text));
  }
}

}  // namespace

Result<std::string> fetch_text(const std::string& url, const target::Target& target,
                               std::chrono::milliseconds time) {
  const Result<Url> address = parse_url(url);
  if (!address) return address.error();
  target::Target from;
  from.url = url;
  from.tls = target.tls;
  const Result<Url> own = target.url.empty() ? Result<Url>(Error{}) : parse_url(target.url);
  if (own && own->scheme == address->scheme && own->host == address->host &&
      own->port == address->port) {
    from.headers = target.headers;
    from.auth = target.auth;
  }
  boost::asio::io_context io{1};
  Result<std::unique_ptr<Transport>> wire = make(io.get_executor(), from);
  if (!wire) return wire.error();
  std::optional<Text> out;
  boost::asio::co_spawn(io, fetched(std::move(*wire), address->target, Clock::now() + time),
                        [&](std::exception_ptr, std::optional<Text> got) { out = std::move(got); });
  io.run();
  check(out.has_value(), "fetching did not end");
  if (*out) return std::move(*out);
  Error error = out->error();
  error.where = url;
  return error;
}

}  // namespace harness::transport
