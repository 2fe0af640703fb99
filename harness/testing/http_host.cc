// SPDX-License-Identifier: Apache-2.0
// One thread, one coroutine a connection; the only file that sees Boost.Beast. A POST becomes an
// Exchange: its message goes into a Session, what comes out is routed back by the exchange number
// and leaves as one JSON reply, or as an event stream when something precedes the reply.
#include "harness/testing/http_host.h"

#include <sys/random.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <cstdio>
#include <deque>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/testing/auth_guard.h"
#include "harness/testing/http_rules.h"
#include "harness/testing/mcp_dialect.h"
#include "harness/testing/spoil_http.h"

namespace harness::testing {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using json::Value;

constexpr std::uint64_t kLargestBody = 64u << 20;
constexpr auto kQuietly = asio::as_tuple(asio::use_awaitable);

Micros clock_now() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::string new_session_id() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) return "";
  std::string id;
  for (const unsigned char byte : bytes) {
    char hex[3];
    std::snprintf(hex, sizeof hex, "%02x", byte);
    id += hex;
  }
  return id;
}

// What waits for the messages that belong to one POST.
struct Exchange {
  explicit Exchange(asio::io_context& io) : wake(io, asio::steady_timer::time_point::max()) {}
  std::deque<Outgoing> queue;
  asio::steady_timer wake;
  bool client_gone = false;
  bool watched = false;
};

using Request = http::request<http::string_body>;

class HttpHost {
 public:
  HttpHost(Server& server, asio::io_context& io)
      : server_(server),
        spoiler_(server),
        guard_({server.auth_kind, server.auth_secret}, server.faults),
        io_(io),
        ticker_(io) {}

  void welcome(tcp::socket socket) {
    asio::co_spawn(io_, serve(std::move(socket)), asio::detached);
  }

 private:
  // One connection, request after request.
  asio::awaitable<void> serve(tcp::socket socket) {
    beast::flat_buffer buffer;
    std::shared_ptr<Session> remembered;  // for Faults that tie state to the connection
    bool open = true;
    while (open) {
      http::request_parser<http::string_body> parser;
      parser.body_limit(kLargestBody);
      parser.header_limit(64 * 1024);
      auto [error, size] = co_await http::async_read(socket, buffer, parser, kQuietly);
      if (error == http::error::body_limit) {
        co_await write(socket, problem(parser.get(), 413, "The body is too large"), false);
        break;
      }
      if (error) {
        const error_code end = http::error::end_of_stream;
        const bool malformed = error.category() == end.category() && error != end &&
                               error != http::error::partial_message;
        if (!malformed) ++closed_;
        if (malformed) co_await write(socket, problem(parser.get(), 400, "Bad HTTP"), false);
        break;
      }
      open = co_await respond(socket, parser.get(), remembered);
    }
    error_code ignored;
    socket.shutdown(tcp::socket::shutdown_send, ignored);
  }

  asio::awaitable<bool> respond(tcp::socket& socket, const Request& request,
                                std::shared_ptr<Session>& remembered) {
    if (auto refusal = refuse_early(request)) {
      co_return co_await write(socket, std::move(*refusal), request.keep_alive());
    }
    switch (request.method()) {
      case http::verb::post:
        co_return co_await post(socket, request, remembered);
      case http::verb::delete_:
        co_return co_await write(socket, end_session(request), request.keep_alive());
      default:
        co_return co_await write(socket, not_allowed(), request.keep_alive());
    }
  }

  static Visit visit_of(const Request& request) {
    Visit visit{
        std::string(request.method_string()), std::string(request.target()), {}, request.body()};
    for (const auto& field : request)
      visit.headers.emplace_back(std::string(field.name_string()), std::string(field.value()));
    return visit;
  }

  std::optional<HttpReply> refuse_early(const Request& request) {
    if (!server_.auth_kind.empty()) {
      if (auto reply = guard_.answer(visit_of(request))) return reply;
    }
    if (server_.faults.any()) {
      HttpHeaders headers;
      for (const auto& field : request) {
        headers.emplace_back(std::string(field.name_string()), std::string(field.value()));
      }
      if (const int status = spoiler_.refuses(headers, closed_); status != 0) {
        return HttpReply{status, {}, ""};
      }
    }
    const auto origin = header(request, "Origin");
    if (origin && !is_local_origin(*origin) && !spoiler_.ignores_origin()) {
      return problem(request, 403, "This origin is not allowed");
    }
    const std::string target(request.target());
    if (target.substr(0, target.find('?')) != "/mcp") {
      return problem(request, 404, "There is nothing here but /mcp");
    }
    return std::nullopt;
  }

  asio::awaitable<bool> post(tcp::socket& socket, const Request& request,
                             std::shared_ptr<Session>& remembered) {
    const bool mcp = server_.profile.mcp();
    const bool keep = request.keep_alive();
    const auto type = header(request, "Content-Type");
    const std::string media = type ? type->substr(0, type->find(';')) : "";
    if ((mcp || type) && !beast::iequals(trimmed(media), "application/json")) {
      co_return co_await write(socket, problem(request, 415, "Send application/json"), keep);
    }
    const auto accept = header(request, "Accept");
    Reception reception;
    reception.json_ok = accepts(accept, "application/json");
    reception.events_ok = mcp && accepts(accept, "text/event-stream");
    if (!reception.json_ok && !reception.events_ok) {
      co_return co_await write(socket, problem(request, 406, "Nothing acceptable"), keep);
    }
    reception.session = spoiler_.session_of(remembered);
    if (auto refusal = find_or_open_session(request, reception)) {
      co_return co_await write(socket, std::move(*refusal), keep);
    }
    co_return co_await exchange(socket, request, reception);
  }

  // Where a POST goes and how it may be answered.
  struct Reception {
    std::shared_ptr<Session> session;
    bool opening = false;    // an initialize that makes a session
    bool stateless = false;  // 2026-07-28
    bool json_ok = true;
    bool events_ok = false;
    std::optional<Outgoing> instead;  // answered by the HTTP layer in the name of the message
  };

  std::optional<HttpReply> find_or_open_session(const Request& request, Reception& reception) {
    if (!server_.profile.mcp()) return std::nullopt;
    auto read = json::read(request.body());
    const auto* reading = std::get_if<json::Reading>(&read);
    const Value nothing;
    const Value& message = reading == nullptr ? nothing : reading->value;
    const Value* method = message.is_object() ? message.find("method") : nullptr;
    const std::string name = method != nullptr && method->is_string() ? method->text : "";
    reception.stateless = is_stateless(request, message, name);
    if (reception.stateless) {
      reception.session->stateless_hint = true;
      check_mirrors(request, message, name, reception);
      return std::nullopt;
    }
    // A text that is no JSON belongs to no session.
    if (reading == nullptr) return std::nullopt;
    if (auto refusal = check_version_header(request)) return refusal;
    const auto id = header(request, "Mcp-Session-Id");
    if (name == "initialize" && message.find("id") != nullptr && !id) {
      reception.opening = true;
      return std::nullopt;
    }
    return find_session(request, reception.session);
  }

  std::optional<HttpReply> find_session(const Request& request, std::shared_ptr<Session>& session) {
    const auto id = header(request, "Mcp-Session-Id");
    if (!id) {
      if (spoiler_.takes_sessionless(server_, session)) return std::nullopt;
      return problem(request, spoiler_.status_without_session(), "Mcp-Session-Id is required");
    }
    const auto found = sessions_.find(*id);
    if (found == sessions_.end()) {
      return problem(request, spoiler_.status_of_ended_session(), "There is no such session");
    }
    session = found->second;
    return std::nullopt;
  }

  bool is_stateless(const Request& request, const Value& message, const std::string& method) {
    if (server_.profile.handshake.empty()) return true;
    const auto version = header(request, "MCP-Protocol-Version");
    if (version && server_.profile.knows_stateless(*version)) return true;
    if (header(request, "Mcp-Session-Id")) return false;
    const Value* params = message.is_object() ? message.find("params") : nullptr;
    const Session nobody(server_);
    return dynamic_cast<Mcp&>(*server_.dialect)
        .is_stateless(nobody, method, params == nullptr ? json::object() : *params);
  }

  void check_mirrors(const Request& request, const Value& message, const std::string& method,
                     Reception& reception) {
    const Value* id = message.is_object() ? message.find("id") : nullptr;
    const Value* version = message.is_object() ? message.find("jsonrpc") : nullptr;
    if (method.empty() || id == nullptr || !server_.dialect->allows_id(*id) || version == nullptr ||
        version->text != "2.0") {
      return;
    }
    const auto wrong = mirror_problem(
        message, [&](std::string_view name) { return header(request, name); }, server_.faults);
    if (!wrong) return;
    Value error = json::object({{"code", json::number(spoiler_.header_mismatch_code())},
                                {"message", json::string("Header mismatch: " + *wrong)}});
    const Value reply =
        json::object({{"jsonrpc", json::string("2.0")}, {"id", *id}, {"error", std::move(error)}});
    reception.instead = Outgoing{json::write(reply), 0, true, true, kHeaderMismatch};
  }

  std::optional<HttpReply> check_version_header(const Request& request) {
    const auto version = header(request, "MCP-Protocol-Version");
    const ServerProfile& profile = server_.profile;
    // Before 2025-06-18 the header did not exist, so anything in it is somebody else's.
    if (!version || profile.knows_handshake(*version) || profile.handshake.back() < "2025-06-18" ||
        spoiler_.ignores_version_header()) {
      return std::nullopt;
    }
    const int code = profile.stateless.empty() ? kInvalidRequest : kUnsupportedVersion;
    Value supported = json::array();
    for (const std::string& one : profile.supported()) supported.items.push_back(json::string(one));
    return problem(request, 400, "Unsupported protocol version", code,
                   json::object({{"supported", supported}, {"requested", json::string(*version)}}));
  }

  asio::awaitable<bool> exchange(tcp::socket& socket, const Request& request,
                                 Reception& reception) {
    const bool keep = request.keep_alive();
    const int number = ++last_exchange_;
    const auto here = std::make_shared<Exchange>(io_);
    exchanges_[number] = here;
    if (reception.instead) {
      here->queue.push_back(*reception.instead);
    } else {
      reception.session->receive(request.body(), number, clock_now());
      pump();
      if (reception.session->exit_status) std::_Exit(*reception.session->exit_status);
    }
    const std::string key = spoiler_.routing_key(request.body());
    if (!key.empty()) {
      open_ids_[key] = number;
      asio::steady_timer work(io_, std::chrono::milliseconds(30));
      co_await work.async_wait(kQuietly);
    }
    bool streaming = false;
    bool open = true;
    while (true) {
      if (here->queue.empty()) {
        watch_for_departure(socket, here);
        co_await here->wake.async_wait(kQuietly);
        if (here->client_gone) {
          // 2026-07-28 reads this as a cancellation, the older revisions do not.
          if (reception.stateless) reception.session->abandon(number);
          ++closed_;
          open = false;
          break;
        }
        continue;
      }
      const Outgoing item = std::move(here->queue.front());
      here->queue.pop_front();
      const bool as_event = reception.events_ok && !item.bytes.empty() &&
                            (!item.final || streaming ||
                             (!reception.json_ok && status_of(item, reception.stateless) == 200));
      if (as_event && !streaming) {
        streaming = true;
        open = co_await write_text(socket, stream_head(reception));
      }
      if (as_event) open = open && co_await write_text(socket, spoiler_.event(item.bytes));
      if (!item.final) continue;
      if (!key.empty() && open_ids_[key] != number) continue;
      if (streaming) {
        open = open && co_await write_text(socket, "0\r\n\r\n");
      } else {
        HttpReply reply = reply_for(item, reception);
        guard_.echo(visit_of(request), reply.body, reply.headers);
        open = co_await write(socket, std::move(reply), keep);
      }
      break;
    }
    exchanges_.erase(number);
    co_return open&& keep;
  }

  HttpReply reply_for(const Outgoing& item, Reception& reception) {
    HttpReply reply;
    if (!server_.profile.mcp()) {
      reply.status = !item.bytes.empty() ? 200 : server_.profile.plain ? 204 : 202;
    } else {
      reply.status = item.bytes.empty() ? 202 : status_of(item, reception.stateless);
    }
    if (!item.bytes.empty()) reply.headers.emplace_back("Content-Type", "application/json");
    reply.body = item.bytes;
    add_session_header(reception, reply.headers);
    spoiler_.spoil(reply, item, reception.stateless, reception.opening);
    return reply;
  }

  void add_session_header(Reception& reception, HttpHeaders& headers) {
    if (!reception.opening || reception.session->version.empty()) return;
    std::string id = spoiler_.session_id(new_session_id());
    if (id.empty()) return;
    headers.emplace_back("Mcp-Session-Id", id);
    if (server_.faults.has("second-session-replaces-first")) sessions_.clear();
    sessions_[id] = reception.session;
    reception.opening = false;
  }

  std::string stream_head(Reception& reception) {
    HttpHeaders headers = {{"Content-Type", spoiler_.event_stream_type()},
                           {"Cache-Control", "no-cache"},
                           {"X-Accel-Buffering", "no"},
                           {"Transfer-Encoding", "chunked"}};
    add_session_header(reception, headers);
    std::string head = "HTTP/1.1 200 OK\r\n";
    for (const auto& [name, value] : headers) head += name + ": " + value + "\r\n";
    return head + "\r\n";
  }

  HttpReply end_session(const Request& request) {
    if (!server_.profile.mcp() || server_.profile.handshake.empty()) return not_allowed();
    const auto version = header(request, "MCP-Protocol-Version");
    if (version && server_.profile.knows_stateless(*version)) return not_allowed();
    if (auto refusal = check_version_header(request)) return *refusal;
    std::shared_ptr<Session> session;
    if (auto refusal = find_session(request, session)) return *refusal;
    if (!spoiler_.keeps_deleted_sessions()) sessions_.erase(*header(request, "Mcp-Session-Id"));
    return {200, {}, ""};
  }

  HttpReply not_allowed() {
    const bool sessions = server_.profile.mcp() && !server_.profile.handshake.empty();
    return {spoiler_.status_of_wrong_method(), {{"Allow", sessions ? "POST, DELETE" : "POST"}}, ""};
  }

  HttpReply problem(const Request&, int status, std::string_view what, int code = kInvalidRequest,
                    std::optional<Value> data = std::nullopt) {
    Value error = json::object({{"code", json::number(code)}, {"message", json::string(what)}});
    if (data) error.set("data", std::move(*data));
    const Value body = json::object(
        {{"jsonrpc", json::string("2.0")}, {"id", json::null()}, {"error", std::move(error)}});
    return {status, {{"Content-Type", "application/json"}}, json::write(body)};
  }

  asio::awaitable<bool> write(tcp::socket& socket, HttpReply reply, bool keep) {
    http::response<http::string_body> response;
    response.version(11);
    response.result(static_cast<unsigned>(reply.status));
    for (const auto& [name, value] : reply.headers) response.set(name, value);
    response.body() = std::move(reply.body);
    response.keep_alive(keep);
    if (reply.status != 204) response.content_length(spoiler_.length_of(response.body()));
    auto [error, size] = co_await http::async_write(socket, response, kQuietly);
    co_return !error && keep;
  }

  // A piece of a chunked response: the head, the end, or one chunk made by the spoiler.
  asio::awaitable<bool> write_text(tcp::socket& socket, std::string text) {
    auto [error, size] = co_await asio::async_write(socket, asio::buffer(text), kQuietly);
    co_return !error;
  }

  void watch_for_departure(tcp::socket& socket, const std::shared_ptr<Exchange>& here) {
    if (std::exchange(here->watched, true)) return;
    socket.async_wait(tcp::socket::wait_read, [&socket, here](const error_code& error) {
      // The last reference: the exchange is over and the socket may be gone.
      if (error || here.use_count() < 2) return;
      char byte;
      const auto n = ::recv(socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
      if (n > 0) return;  // the next request, sent early
      here->client_gone = true;
      here->wake.cancel();
    });
  }

  // Routes what sessions have to say, and sets the clock for what they will have to say.
  void pump() {
    std::optional<Micros> due;
    for (Session* session : server_.sessions) {
      if (session->has_output()) {
        for (Outgoing& one : session->take_outbox()) {
          const auto found = exchanges_.find(one.exchange);
          if (found == exchanges_.end()) {
            if (spoiler_.dies_of_undeliverable(one)) std::_Exit(1);
            continue;  // nobody listens to it, or not any more
          }
          found->second->queue.push_back(std::move(one));
          found->second->wake.cancel();
        }
      }
      const auto next = session->next_due();
      if (next && (!due || *next < *due)) due = next;
    }
    if (!due) return;
    ticker_.expires_after(std::chrono::microseconds(std::max<Micros>(0, *due - clock_now())));
    ticker_.async_wait([this](const error_code& error) {
      if (error) return;
      const std::vector<Session*> all(server_.sessions.begin(), server_.sessions.end());
      for (Session* session : all) session->advance(clock_now());
      pump();
    });
  }

  static std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
  }

  static std::optional<std::string> header(const Request& request, std::string_view name) {
    const auto found = request.find(name);
    if (found == request.end()) return std::nullopt;
    return std::string(found->value());
  }

  Server& server_;
  HttpSpoiler spoiler_;
  AuthGuard guard_;
  asio::io_context& io_;
  asio::steady_timer ticker_;
  std::unordered_map<std::string, std::shared_ptr<Session>> sessions_;
  std::unordered_map<int, std::shared_ptr<Exchange>> exchanges_;
  int last_exchange_ = 0;
  int closed_ = 0;  // connections that were closed by clients
  std::unordered_map<std::string, int> open_ids_;
};

}  // namespace

int serve_http(Server& server, const DoorOptions& options) {
  server.over_http = true;
  asio::io_context io{1};
  auto door = Door::open(io, options);
  if (!door) {
    std::fprintf(stderr, "%s\n", door.error().text().c_str());
    return 3;
  }
  std::fprintf(stderr, "listening on %s://127.0.0.1:%d/mcp\n", (*door)->tls() ? "https" : "http",
               (*door)->port());
  HttpHost host(server, io);
  (*door)->serve([&](tcp::socket socket) { host.welcome(std::move(socket)); });
  io.run();
  return 0;
}

}  // namespace harness::testing
