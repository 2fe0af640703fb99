// SPDX-License-Identifier: Apache-2.0
#include <boost/asio/co_spawn.hpp>
#include <optional>
#include <set>
#include <utility>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/transport/async_event.h"
#include "harness/transport/awaiting.h"
#include "harness/transport/kinds.h"
#include "harness/transport/mailbox.h"
#include "harness/transport/request.h"

namespace harness::transport {

namespace asio = boost::asio;
using std::chrono::milliseconds;
using wire::Channel;

namespace {

// A message does not overtake the one before it, unless the server keeps that POST unanswered; of
// a server that was seen to do so less is expected.
constexpr milliseconds kInOrder{2000};
constexpr milliseconds kInOrderLater{100};
constexpr std::size_t kMostBefore = 256;  // frames of the stream before its endpoint event

std::string written(const Url& url) { return url.scheme + "://" + url.authority + url.target; }

struct SseState {
  SseState(asio::any_io_executor e, Url u, std::shared_ptr<const TlsContext> tls, const Limits& l)
      : executor(e), limits(l), url(std::move(u)), http(make_http(e, url, std::move(tls), l)),
        box(std::make_shared<Mailbox>(e, l.max_queue)), changed(std::move(e)) {}

  // One frame of the exchange that is the stream. The others see it as exchange 0.
  void take_stream(wire::Frame frame) {
    frame.exchange = 0;
    if (frame.channel == Channel::kClose) {
      if (frame.bytes == "end") frame.bytes = "eof";
      return finish(std::move(frame));
    }
    if (frame.channel == Channel::kHttp && frame.head) {
      status = frame.head->status;
      frame.head->method = "GET";
      frame.head->target = written(url);
    }
    if (frame.channel == Channel::kSse && !post_to && !refused) {
      const std::string* name = frame.head ? frame.head->header("event") : nullptr;
      if (name != nullptr && *name == "endpoint") {
        auto found = announced(url, frame.bytes);
        if (found) {
          post_to = found->target;
        } else {
          refused = found.error();
        }
      } else if (++before > kMostBefore) {
        refused = Error{"", "events keep coming and none of them is the endpoint event", ""};
      }
    }
    box->put(std::move(frame));
  }

  void take(wire::Frame frame) {
    if (frame.exchange == stream) {
      take_stream(std::move(frame));
    } else {
      if (frame.channel == Channel::kHttp || frame.channel == Channel::kClose)
        unanswered.erase(frame.exchange);
      box->put(std::move(frame));
    }
    changed.notify_all();
  }

  void finish(wire::Frame closing) {
    const std::string how = closing.bytes;
    box->put(std::move(closing));
    box->close(how);
    over = true;
    changed.notify_all();
  }

  void end() {
    over = true;
    http.reset();
    box->close("closed by rpcspec");
    changed.close();
  }

  asio::any_io_executor executor;
  const Limits limits;
  Url url;
  std::unique_ptr<Transport> http;
  std::shared_ptr<Mailbox> box;
  AsyncEvent changed;  // notified when something arrived
  int last = 1;        // exchange
  int stream = 0;      // number of the exchange that is the stream
  int status = 0;      // of its answer
  std::size_t before = 0;
  std::optional<std::string> post_to;  // path and query
  std::optional<Error> refused;        // why the announced address is of no use
  std::set<int> unanswered;            // POSTs without a status yet
  bool keeps_posts = false;
  bool over = false;
};
using SharedSse = std::shared_ptr<SseState>;

asio::awaitable<void> read_all(SharedSse s) {
  for (;;) {
    if (!s->box->has_room()) {
      const bool room = co_await Mailbox::room(s->box, Deadline::max());
      if (!room) co_return;
    }
    if (s->over || !s->http) co_return;
    Arrival arrival = co_await s->http->receive(Deadline::max());
    if (s->over) co_return;
    if (std::holds_alternative<Closed>(arrival)) co_return;
    if (auto* frame = std::get_if<wire::Frame>(&arrival)) s->take(std::move(*frame));
  }
}

Error no_endpoint(const SseState& s) {
  const std::string where = printable(written(s.url));
  constexpr const char* kRemedy =
      "the url is that of the event stream, often /sse; a server of a later revision is tested "
      "without --transport sse";
  if (s.refused) return Error{"", where + ": " + s.refused->what, s.refused->remedy};
  if (s.status == 0) return Error{"", "GET " + where + " was not answered", kRemedy};
  if (s.status != 200)
    return Error{"", "GET " + where + " opens no event stream: HTTP " + std::to_string(s.status),
                 kRemedy};
  return Error{"",
               s.over ? "the event stream of " + where + " ended before its endpoint event"
                      : "the event stream of " + where + " has announced no endpoint in time",
               kRemedy};
}

asio::awaitable<Status> start(SharedSse s) {
  Status opened = co_await s->http->open();
  if (!opened) {
    s->box->close("unreachable");
    co_return opened.error();
  }
  const Deadline deadline = Clock::now() + s->limits.open;
  Outgoing get;
  get.http.method = "GET";
  get.http.headers.push_back({"Accept", "text/event-stream"});
  get.http.headers.push_back({"Cache-Control", "no-cache"});
  get.events = true;
  s->stream = 1;
  asio::co_spawn(s->executor, read_all(s), propagate);
  co_await s->http->send(std::move(get), Deadline::max());
  while (!s->post_to && !s->refused && !s->over && (s->status == 0 || s->status == 200)) {
    const bool notified = co_await s->changed.wait(deadline);
    if (!notified) break;
  }
  if (s->post_to) co_return Nothing{};
  const Error error = no_endpoint(*s);
  s->end();
  co_return error;
}

asio::awaitable<int> post(SharedSse s, Outgoing outgoing, Deadline deadline) {
  // Half of its time at most is waited: the other half is its own.
  const Deadline now = Clock::now();
  const Deadline turn = now + std::min<Deadline::duration>(
                                  (deadline - now) / 2, s->keeps_posts ? kInOrderLater : kInOrder);
  while (!s->unanswered.empty() && !s->over) {
    const bool notified = co_await s->changed.wait(turn);
    if (!notified) break;
  }
  // What is kept unanswered is not waited for again.
  s->keeps_posts |= !s->unanswered.empty();
  s->unanswered.clear();
  if (s->over || !s->http || !s->post_to) co_return 0;
  const bool plain = outgoing.http.method.empty() || outgoing.http.method == "POST";
  if (outgoing.http.target.empty()) outgoing.http.target = plain ? *s->post_to : s->url.target;
  // Before it is written: the answer may come while it is. These numbers are given out in order.
  const int expected = ++s->last;
  if (plain) s->unanswered.insert(expected);
  const int number = co_await s->http->send(std::move(outgoing), deadline);
  check(number == expected, "an http transport numbers its exchanges");
  co_return number;
}

asio::awaitable<void> end_now(SharedSse s) {
  s->end();
  co_return;
}

class HttpSseTransport final : public Transport, public Exchanges {
 public:
  explicit HttpSseTransport(SharedSse s) : s_(std::move(s)) {}
  ~HttpSseTransport() override { s_->end(); }

  asio::awaitable<Status> open() override { return start(s_); }
  asio::awaitable<int> send(Outgoing outgoing, Deadline deadline) override {
    return post(s_, std::move(outgoing), deadline);
  }
  asio::awaitable<Arrival> receive(Deadline deadline) override {
    return Mailbox::take(s_->box, deadline);
  }
  std::optional<Arrival> poll() override { return s_->box->poll(); }
  void close_input() override {}
  asio::awaitable<void> shutdown(milliseconds) override { return end_now(s_); }
  void set_headers(std::vector<wire::Header> headers) override {
    if (s_->http) s_->http->exchanges()->set_headers(std::move(headers));
  }
  void disconnect(int) override {}
  std::string authority() const override { return {}; }
  std::string path() const override { return {}; }
  std::string endpoint() const override { return s_->post_to.value_or(""); }
  wire::TransportKind kind() const override { return wire::TransportKind::kHttpSse; }
  Exchanges* exchanges() override { return this; }

 private:
  SharedSse s_;
};

// The address itself, out of what a server may have wrapped it in.
std::string unwrapped(std::string_view data) {
  if (!data.starts_with('{') && !data.starts_with('"')) return std::string(data);
  const auto read = json::read(data);
  const auto* reading = std::get_if<json::Reading>(&read);
  if (reading == nullptr) return std::string(data);
  if (reading->value.is_string()) return reading->value.text;
  for (const char* name : {"uri", "url", "endpoint"}) {
    const json::Value* value = reading->value.find(name);
    if (value != nullptr && value->is_string()) return value->text;
  }
  return std::string(data);
}

}  // namespace

Result<Url> announced(const Url& from, std::string_view data) {
  const std::string named = unwrapped(data);
  auto found = resolve_url(from, named);
  if (!found || named.starts_with('{') || named.starts_with('"'))
    return Error{"", "the endpoint event names no address: '" + printable(named, 100) + "'", ""};
  const bool same_host = ascii::equal_ignoring_case(found->host, from.host) ||
                         (is_loopback(found->host) && is_loopback(from.host));
  if (!same_host || found->port != from.port || found->scheme != from.scheme)
    return Error{"",
                 "the endpoint event names '" + printable(written(*found), 100) +
                     "', which is another origin",
                 "rpcspec posts only to the host and port that it was given"};
  return found;
}

std::unique_ptr<Transport> make_http_sse(asio::any_io_executor executor, Url url,
                                         std::shared_ptr<const TlsContext> tls,
                                         const Limits& limits) {
  return std::make_unique<HttpSseTransport>(
      std::make_shared<SseState>(std::move(executor), std::move(url), std::move(tls), limits));
}

}  // namespace harness::transport
