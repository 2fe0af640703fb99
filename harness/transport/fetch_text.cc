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

using Answer = Result<Fetched>;

// Of a coroutine a value can be made out of nothing.
awaitable<std::optional<Answer>> fetched(std::unique_ptr<Transport> wire, Outgoing request,
                                         Deadline deadline) {
  const auto failed = [](const std::string& what) { return Answer(Error{"", what, ""}); };
  if (const Status opened = co_await wire->open(); !opened) co_return Answer(opened.error());
  const int exchange = co_await wire->send(std::move(request), deadline);
  Fetched out;
  for (;;) {
    const Arrival next = co_await wire->receive(deadline);
    const auto* frame = std::get_if<wire::Frame>(&next);
    if (frame == nullptr) co_return failed("no complete response came in time");
    if (frame->exchange != exchange) continue;
    if (frame->channel == wire::Channel::kHttp) {
      if (frame->head) out.head = *frame->head;
      if (frame->size > frame->bytes.size()) co_return failed("the response has more than 16 MiB");
      out.body = frame->bytes;
    }
    if (frame->channel != wire::Channel::kClose) continue;
    if (frame->bytes != "end") co_return failed("the exchange failed: " + frame->bytes);
    co_return Answer(std::move(out));
  }
}

}  // namespace

Result<Fetched> fetch(const std::string& url, wire::HttpHead head, std::string body,
                      const target::Target& target, std::chrono::milliseconds time) {
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
  Outgoing request;
  if (!body.empty()) request.writes = {std::move(body)};
  request.http = std::move(head);
  request.http.target = address->target;
  std::optional<Answer> out;
  boost::asio::co_spawn(
      io, fetched(std::move(*wire), std::move(request), Clock::now() + time),
      [&](std::exception_ptr, std::optional<Answer> got) { out = std::move(got); });
  io.run();
  check(out.has_value(), "fetching did not end");
  if (*out) return std::move(*out);
  Error error = out->error();
  error.where = url;
  return error;
}

Result<std::string> fetch_text(const std::string& url, const target::Target& target,
                               std::chrono::milliseconds time) {
  constexpr const char* kRemedy = "get it by other means, and name the file";
  wire::HttpHead head;
  head.method = "GET";
  head.headers = {{"Accept", "application/json"}};
  Result<Fetched> got = fetch(url, std::move(head), "", target, time);
  if (got && got->head.status == 200) return std::move(got->body);
  if (got)
    return Error{url, "the response has the status " + std::to_string(got->head.status), kRemedy};
  Error error = got.error();
  if (error.remedy.empty()) error.remedy = kRemedy;
  return error;
}

}  // namespace harness::transport
