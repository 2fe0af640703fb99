// SPDX-License-Identifier: Apache-2.0
// One thread, one coroutine a connection. A connection that asks for the stream becomes one: it is
// written to until the client goes. A Session says when it has something to say of itself; a timer
// of the stream waits for that.
#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "harness/json/read.h"
#include "harness/reference/hosting.h"
#include "harness/reference/hosts.h"
#include "harness/reference/http_rules.h"
#include "harness/reference/session_id.h"

namespace harness::reference {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using Request = http::request<http::string_body>;

// The event stream of one client, and its Session.
struct Channel {
  Channel(Server& server, tcp::socket& s)
      : session(server), socket(s), ticker(s.get_executor()),
        output_waits(s.get_executor(), asio::steady_timer::time_point::max()) {}

  void say(std::string_view event, std::string_view data) {
    std::string text;
    if (!event.empty()) text += "event: " + std::string(event) + "\n";
    text += "data: " + std::string(data) + "\n\n";
    char size[20];
    std::snprintf(size, sizeof size, "%zx\r\n", text.size());
    output += size + text + "\r\n";
    output_waits.cancel();
  }

  void disconnect() {
    gone = true;
    ticker.cancel();
    output_waits.cancel();
    error_code ignored;
    socket.shutdown(tcp::socket::shutdown_both, ignored);
  }

  Session session;
  tcp::socket& socket;
  asio::steady_timer ticker;
  asio::steady_timer output_waits;
  std::string output;
  bool gone = false;
};
using ChannelPtr = std::shared_ptr<Channel>;

struct Reply {
  int status = 202;
  std::string type;
  std::string body;
};

class SseHost {
 public:
  SseHost(Server& server, asio::io_context& io, std::string own_host)
      : server_(server), faults_(server.faults), io_(io), own_host_(std::move(own_host)) {}

  void welcome(tcp::socket socket) {
    asio::co_spawn(io_, serve(std::move(socket)), asio::detached);
  }

 private:
  // One connection, request after request, until it becomes a stream.
  asio::awaitable<void> serve(tcp::socket socket) {
    beast::flat_buffer buffer;
    while (true) {
      http::request_parser<http::string_body> parser;
      parser.body_limit(kLargestBody);
      parser.header_limit(64 * 1024);
      auto [error, size] = co_await http::async_read(socket, buffer, parser, kQuietly);
      if (error) break;
      const Request& request = parser.get();
      const Reply reply = answer(request);
      if (reply.status == 200 && request.method() == http::verb::get) {
        co_await stream(socket);
        break;
      }
      http::response<http::string_body> response;
      response.version(11);
      response.result(static_cast<unsigned>(reply.status));
      if (!reply.type.empty()) response.set("Content-Type", reply.type);
      if (reply.status == 405) response.set("Allow", path_of(request) == "/sse" ? "GET" : "POST");
      response.body() = reply.body;
      response.keep_alive(request.keep_alive());
      response.prepare_payload();
      auto [failed, written] = co_await http::async_write(socket, response, kQuietly);
      if (failed || !request.keep_alive()) break;
    }
    error_code ignored;
    socket.shutdown(tcp::socket::shutdown_send, ignored);
  }

  static std::string path_of(const Request& request) {
    const std::string target(request.target());
    return target.substr(0, target.find('?'));
  }

  Reply answer(const Request& request) {
    const bool get = request.method() == http::verb::get;
    const auto origin = request.find("Origin");
    const bool any_origin = faults_.has("sse-origin-ignored-on-get")
                                ? get
                                : faults_.has("sse-origin-ignored-on-post") && !get;
    if (origin != request.end() && !is_local_origin(std::string(origin->value())) && !any_origin)
      return {403, "", ""};
    const std::string path = path_of(request);
    if (path != "/sse" && path != "/message") return {404, "", ""};
    if (path == "/sse" ? !get : request.method() != http::verb::post) return {405, "", ""};
    if (!get) return take(request);
    const auto accept = request.find("Accept");
    if (accept != request.end() && !accepts(std::string(accept->value()), "text/event-stream"))
      return {406, "", ""};
    if (!channels_.empty() && faults_.has("sse-one-client-only")) return {503, "", ""};
    return {200, "", ""};
  }

  // --- the stream

  asio::awaitable<void> stream(tcp::socket& socket) {
    const auto channel = std::make_shared<Channel>(server_, socket);
    const std::string id = new_session_id();
    channels_[id] = channel;
    newest_ = id;
    const bool plain = faults_.has("sse-type-text-plain");
    channel->output = std::string("HTTP/1.1 200 OK\r\nContent-Type: ") +
                      (plain ? "text/plain" : "text/event-stream") +
                      "\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n\r\n";
    announce(*channel, id);
    asio::co_spawn(io_, notice_departure(channel), asio::detached);
    while (!channel->gone) {
      if (channel->output.empty()) {
        co_await channel->output_waits.async_wait(kQuietly);
        continue;
      }
      const std::string bytes = std::exchange(channel->output, {});
      auto [error, n] = co_await asio::async_write(socket, asio::buffer(bytes), kQuietly);
      if (error) break;
    }
    channel->disconnect();
    channels_.erase(id);
    closed_.insert(id);
    // The reader has noticed, too, before the socket goes.
    while (channel.use_count() > 1) {
      asio::steady_timer turn(io_, std::chrono::milliseconds(1));
      co_await turn.async_wait(kQuietly);
    }
  }

  void announce(Channel& channel, const std::string& id) {
    std::string address = "/message?session=" + (faults_.has("sse-endpoint-shared") ? "any" : id);
    if (faults_.has("sse-endpoint-other-host")) address = "http://" + own_host_ + address;
    if (faults_.has("sse-endpoint-as-json")) address = "{\"uri\":\"" + address + "\"}";
    if (faults_.has("sse-endpoint-late")) channel.say("welcome", "hello");
    channel.say("endpoint", address);
  }

  // Nothing is read from the client of a stream but its end.
  asio::awaitable<void> notice_departure(ChannelPtr channel) {
    char block[512];
    while (true) {
      auto [error, n] = co_await channel->socket.async_read_some(asio::buffer(block), kQuietly);
      if (error) break;
    }
    channel->disconnect();
  }

  // --- messages

  Reply take(const Request& request) {
    const std::string target(request.target());
    const std::size_t at = target.find("session=");
    const std::string id = at == std::string::npos ? "" : target.substr(at + 8);
    const auto found =
        channels_.find(faults_.has("sse-endpoint-shared") && id == "any" ? newest_ : id);
    if (found == channels_.end()) {
      const bool taken = closed_.contains(id) ? faults_.has("sse-closed-endpoint-taken")
                                              : faults_.has("sse-unknown-endpoint-taken");
      return {taken ? 202 : 404, "", ""};
    }
    const auto type = request.find("Content-Type");
    const std::string media = type == request.end() ? "" : std::string(type->value());
    if (!beast::iequals(media.substr(0, media.find_first_of("; ")), "application/json"))
      return {415, "", ""};
    return take_message(found->second, request.body());
  }

  Reply take_message(const ChannelPtr& channel, const std::string& body) {
    auto read = json::read(body);
    const auto* reading = std::get_if<json::Reading>(&read);
    if (reading == nullptr) {
      if (faults_.has("sse-garbage-500")) return {500, "", ""};
      if (faults_.has("sse-garbage-swallowed")) return {};
      if (faults_.has("sse-garbage-ends-stream")) {
        channel->disconnect();
        return {};
      }
    }
    channel->session.receive(body, 0, clock_now());
    if (channel->session.exit_status) std::_Exit(*channel->session.exit_status);
    const json::Value* method =
        reading != nullptr && reading->value.is_object() ? reading->value.find("method") : nullptr;
    const bool ping = method != nullptr && method->text == "ping" &&
                      reading->value.find("id") != nullptr && !channel->session.version.empty();
    Reply reply;
    if (ping) inject_ping(channel, reply);
    pump(channel);
    return reply;
  }

  void inject_ping(const ChannelPtr& channel, Reply& reply) {
    if (faults_.has("sse-post-answered-500")) reply.status = 500;
    if (faults_.has("sse-text-on-stream")) channel->say("message", "still working");
    const bool only = faults_.has("sse-reply-in-body");
    if (!only && !faults_.has("sse-reply-in-body-too") && !faults_.has("sse-reply-twice")) return;
    for (const Outgoing& one : channel->session.take_outbox()) {
      if (one.bytes.empty()) continue;
      if (!faults_.has("sse-reply-twice")) reply = {200, "application/json", one.bytes};
      if (!only) deliver(channel, one.bytes);
      if (faults_.has("sse-reply-twice")) deliver(channel, one.bytes);
    }
  }

  void deliver(const ChannelPtr& channel, const std::string& message) {
    const bool response = message.find("\"method\"") == std::string::npos;
    const char* type =
        response && faults_.has("sse-messages-of-other-type") ? "response" : "message";
    if (faults_.has("sse-replies-to-all")) {
      for (const auto& [id, other] : channels_) other->say(type, message);
      return;
    }
    const auto newest = channels_.find(newest_);
    if (faults_.has("sse-replies-to-newest") && newest != channels_.end())
      return newest->second->say(type, message);
    channel->say(type, message);
  }

  // Sends what the session has to say, and sets the clock for what it will have to say.
  void pump(const ChannelPtr& channel) {
    if (channel->session.has_output()) {
      for (const Outgoing& one : channel->session.take_outbox())
        if (!one.bytes.empty()) deliver(channel, one.bytes);
    }
    const auto due = channel->session.next_due();
    if (!due || channel->gone) return;
    channel->ticker.expires_after(
        std::chrono::microseconds(std::max<Micros>(0, *due - clock_now())));
    channel->ticker.async_wait([this, channel](const error_code& error) {
      if (error || channel->gone) return;
      channel->session.advance(clock_now());
      if (channel->session.exit_status) std::_Exit(*channel->session.exit_status);
      pump(channel);
    });
  }

  Server& server_;
  const Faults& faults_;
  asio::io_context& io_;
  const std::string own_host_;
  std::map<std::string, ChannelPtr> channels_;
  std::set<std::string> closed_;
  std::string newest_;
};

}  // namespace

int serve_sse(Server& server, const AcceptorOptions& options) {
  asio::io_context io{1};
  auto acceptor = Acceptor::open(io, options);
  if (!acceptor) {
    std::fprintf(stderr, "%s\n", acceptor.error().text().c_str());
    return 3;
  }
  std::fprintf(stderr, "listening on %s://127.0.0.1:%d/sse\n",
               (*acceptor)->tls() ? "https" : "http", (*acceptor)->port());
  SseHost host(server, io, "localhost:" + std::to_string((*acceptor)->port()));
  (*acceptor)->serve([&](tcp::socket socket) { host.welcome(std::move(socket)); });
  io.run();
  return 0;
}

}  // namespace harness::reference
