// SPDX-License-Identifier: Apache-2.0
// One thread, one coroutine a connection; only this and sse_host.cc see Boost.Beast. A POST becomes
// an Exchange: its message goes into a Session, what comes out is routed back by the exchange
// number and leaves as one JSON reply, or as an event stream when something precedes the reply.
// Streams of a session outlive their connections: http_streams.h.
#include "harness/reference/http_host.h"

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
#include "harness/reference/auth_guard.h"
#include "harness/reference/http_rules.h"
#include "harness/reference/http_streams.h"
#include "harness/reference/mcp_dialect.h"
#include "harness/reference/planted.h"
#include "harness/reference/session_id.h"
#include "harness/reference/inject_http.h"

namespace harness::reference {
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

// A client that waits on a connection.
struct Waiter {
  explicit Waiter(asio::io_context& io) : wake(io, asio::steady_timer::time_point::max()) {}
  asio::steady_timer wake;
  bool client_gone = false;
  bool watched = false;
};

// What waits for the messages that belong to one POST.
struct Exchange : Waiter {
  using Waiter::Waiter;
  std::deque<Outgoing> queue;
  EventStreamPtr stream;  // once one has begun; then the queue is no longer used
  std::shared_ptr<StreamBook> book;
};

using Request = http::request<http::string_body>;

// One more as long as it lives.
struct Counted {
  explicit Counted(int& count) : count_(count) { ++count_; }
  ~Counted() { --count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  int& count_;
};

class HttpHost {
 public:
  HttpHost(Server& server, asio::io_context& io)
      : server_(server),
        injector_(server),
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
      if (injector_.counts_blanks()) padded_ = co_await is_padded(socket);
      auto [error, size] = co_await http::async_read_header(socket, buffer, parser, kQuietly);
      if (!error && expects_continue(parser.get())) {
        const std::string go_on = "HTTP/1.1 100 Continue\r\n\r\n";
        co_await write_text(socket, go_on);
      }
      while (!error && being_read_ > 0 && server_.faults.has("unfinished-body-blocks")) {
        asio::steady_timer turn(io_, std::chrono::milliseconds(20));
        co_await turn.async_wait(kQuietly);
      }
      if (!error) {
        const Counted reading(being_read_);
        auto [unread, more] = co_await http::async_read(socket, buffer, parser, kQuietly);
        error = unread;
      }
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
        if (malformed && skip_to_request(buffer)) continue;
        break;
      }
      open = co_await respond(socket, parser.get(), remembered);
    }
    error_code ignored;
    socket.shutdown(tcp::socket::shutdown_send, ignored);
  }

  // A header value begins with more than one blank; no parser tells.
  asio::awaitable<bool> is_padded(tcp::socket& socket) {
    co_await socket.async_wait(tcp::socket::wait_read, kQuietly);
    char head[4096];
    const auto n = ::recv(socket.native_handle(), head, sizeof head, MSG_PEEK | MSG_DONTWAIT);
    co_return n > 0 &&
        std::string_view(head, static_cast<std::size_t>(n)).find(":  ") != std::string_view::npos;
  }

  // For a Fault: what a refused request leaves unread is read as the next one.
  bool skip_to_request(beast::flat_buffer& buffer) const {
    if (!server_.faults.has("rest-of-bad-request-served")) return false;
    const std::string_view rest(static_cast<const char*>(buffer.data().data()), buffer.size());
    const std::size_t next = rest.rfind("POST ");
    if (next == std::string_view::npos) return false;
    buffer.consume(next);
    return true;
  }

  asio::awaitable<bool> respond(tcp::socket& socket, const Request& request,
                                std::shared_ptr<Session>& remembered) {
    if (auto refusal = refuse_early(request)) {
      co_return co_await write(socket, std::move(*refusal), request.keep_alive());
    }
    switch (request.method()) {
      case http::verb::post:
        co_return co_await post(socket, request, remembered);
      case http::verb::get:
        co_return co_await listen(socket, request);
      case http::verb::put:
        if (server_.faults.has("put-served")) co_return co_await post(socket, request, remembered);
        co_return co_await write(socket, not_allowed(), request.keep_alive());
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
      for (const auto& field : request) {
        meet_header(server_.faults, std::string(field.name_string()), std::string(field.value()));
      }
      if (const int status = injector_.refuses(headers_of(request), closed_); status != 0) {
        return HttpReply{status, {}, ""};
      }
    }
    const auto origin = header(request, "Origin");
    const bool posts = request.method() == http::verb::post;
    const bool opens = posts && request.body().find("\"initialize\"") != std::string::npos;
    const auto host = header(request, "Host");
    const bool same_site = origin && host && *origin == "http://" + *host &&
                           server_.faults.has("origin-same-as-host-served");
    if (!same_site && injector_.refuses_origin(origin, posts, opens)) {
      return problem(request, injector_.status_of_bad_origin(), "This origin is not allowed");
    }
    if (request.version() == 11 && request.count("Host") != 1) {
      if (server_.faults.has("host-header-odd-500")) return HttpReply{500, {}, ""};
      return problem(request, 400, "A request names one host");
    }
    if (host && !same_site && !is_local_host(*host)) {
      return problem(request, 403, "This host is not served here");
    }
    if (const int status = injector_.refuses_body(request.body().size(),
                                                 header(request, "Content-Encoding").has_value(),
                                                 header(request, "Transfer-Encoding").has_value());
        status != 0) {
      return HttpReply{status, {}, ""};
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
    if ((mcp || type) &&
        (!beast::iequals(trimmed(media), "application/json") ||
         (type->size() > media.size() && server_.faults.has("content-type-parameters-refused")))) {
      co_return co_await write(socket, problem(request, 415, "Send application/json"), keep);
    }
    const auto accept = header(request, "Accept");
    Reception reception;
    reception.json_ok = accepts(accept, "application/json");
    reception.events_ok = mcp && accepts(accept, "text/event-stream");
    injector_.inject_accept(accept, reception.json_ok, reception.events_ok);
    if (!reception.json_ok && !reception.events_ok) {
      co_return co_await write(socket, problem(request, 406, "Nothing acceptable"), keep);
    }
    reception.session = injector_.session_of(remembered);
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
    bool of_response = false;         // the client's, or of a batch
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
    reception.of_response = reading != nullptr && name.empty();
    reception.stateless = is_stateless(request, message, name);
    if (reception.stateless) {
      reception.session->stateless_hint = true;
      if (server_.faults.any()) {
        if (padded_) return HttpReply{400, {}, ""};
        if (request.count("Mcp-Method") > 1 && server_.faults.has("header-twice-500"))
          return HttpReply{500, {}, ""};
        if (const auto status = injector_.refuses_stateless(headers_of(request), message)) {
          return HttpReply{*status, {}, ""};
        }
      }
      check_mirrors(request, message, name, reception);
      return std::nullopt;
    }
    // A text that is no JSON belongs to no session.
    if (reading == nullptr) return std::nullopt;
    const bool initialize = name == "initialize";
    if (name == "server/discover" && server_.faults.has("legacy-discover-500")) {
      return HttpReply{500, {}, ""};
    }
    if (auto refusal = check_version_header(request, initialize)) return refusal;
    const auto id = session_id_of(request);
    if (name == "initialize" && message.find("id") != nullptr && !id) {
      reception.opening = true;
      return std::nullopt;
    }
    return find_session(request, reception.session);
  }

  std::optional<HttpReply> find_session(const Request& request, std::shared_ptr<Session>& session) {
    const auto id = session_id_of(request);
    if (!id) {
      if (injector_.takes_sessionless(server_, session)) return std::nullopt;
      return problem(request, injector_.status_without_session(), "Mcp-Session-Id is required");
    }
    if (id->find_first_of(" /") != std::string::npos && server_.faults.has("odd-session-id-500")) {
      return HttpReply{500, {}, ""};
    }
    const auto found = sessions_.find(*id);
    if (found == sessions_.end()) {
      return problem(request, injector_.status_of_ended_session(), "There is no such session");
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
    const bool twice = request.count("Mcp-Method") > 1 || request.count("Mcp-Name") > 1;
    if (twice && server_.faults.has("header-twice-unchecked")) return;
    const auto wrong = mirror_problem(
        message, [&](std::string_view name) { return whole_header(request, name); },
        server_.faults);
    if (!wrong) return;
    Value error = json::object({{"code", json::number(injector_.header_mismatch_code())},
                                {"message", json::string("Header mismatch: " + *wrong)}});
    const Value reply =
        json::object({{"jsonrpc", json::string("2.0")}, {"id", *id}, {"error", std::move(error)}});
    reception.instead = Outgoing{json::write(reply), 0, true, true, kHeaderMismatch};
  }

  // Which of two spellings revisions have for it does not matter; to a Fault it does.
  std::optional<std::string> session_id_of(const Request& request) {
    const auto found = request.find("Mcp-Session-Id");
    if (found == request.end()) return std::nullopt;
    if (server_.faults.has("header-names-case-sensitive") &&
        found->name_string() != "Mcp-Session-Id") {
      return std::nullopt;
    }
    return std::string(found->value());
  }

  std::optional<HttpReply> check_version_header(const Request& request, bool initialize = false) {
    const auto version = header(request, "MCP-Protocol-Version");
    const ServerProfile& profile = server_.profile;
    if (!version && !initialize && server_.faults.has("version-header-required")) {
      return problem(request, 400, "MCP-Protocol-Version is required");
    }
    if (version && *version != profile.handshake.back() && profile.knows_handshake(*version) &&
        server_.faults.has("version-header-other-500")) {
      return HttpReply{500, {}, ""};
    }
    if (version && server_.faults.has("version-header-refused")) {
      return problem(request, 400, "MCP-Protocol-Version is not known");
    }
    // Before 2025-06-18 the header did not exist, so anything in it is somebody else's.
    if (!version || profile.knows_handshake(*version) || profile.handshake.back() < "2025-06-18" ||
        injector_.ignores_version_header()) {
      return std::nullopt;
    }
    if (server_.faults.has("version-header-refused-406")) {
      return problem(request, 406, "Unsupported protocol version");
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
      if (injector_.works_on_refused()) {
        reception.session->receive(request.body(), ++last_exchange_, clock_now());
        pump();
      }
    } else {
      reception.session->receive(request.body(), number, clock_now());
      pump();
      if (reception.session->exit_status) std::_Exit(*reception.session->exit_status);
    }
    const std::string key = injector_.routing_key(request.body());
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
          if (reception.stateless && !injector_.ignores_departure()) {
            reception.session->abandon(number);
          }
          // What it asked for lives on with a Fault only.
          if (injector_.ignores_departure()) abandoned_.push_back(reception.session);
          ++closed_;
          open = false;
          break;
        }
        continue;
      }
      const Outgoing item = std::move(here->queue.front());
      here->queue.pop_front();
      const bool as_event = reception.events_ok && (!item.bytes.empty() || item.leaves) &&
                            (!item.final || streaming ||
                             (!reception.json_ok && status_of(item, reception.stateless) == 200));
      if (as_event && !reception.stateless) {
        co_return co_await stream_reply(socket, here, item, reception, number, keep);
      }
      if (as_event && !streaming) {
        streaming = true;
        open = co_await write_text(socket, stream_head(reception));
      }
      const bool left_out = streaming && injector_.breaks_off(item);
      if (as_event && !left_out) {
        open = open && co_await write_text(socket, injector_.event(item.bytes));
      }
      if (!item.final || injector_.keeps_back(item)) continue;
      if (!key.empty() && open_ids_[key] != number) continue;
      if (streaming && server_.faults.has("post-stream-left-open")) continue;
      if (streaming) {
        open = open && co_await write_text(socket, "0\r\n\r\n");
      } else if (injector_.hangs_up_on(item)) {
        open = false;
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

  // --- streams of a session

  std::shared_ptr<StreamBook> book_of(const Session& session) {
    auto& book = books_[&session];
    if (!book) book = std::make_shared<StreamBook>(server_.faults);
    return book;
  }

  bool primes(const Session& session) const { return session.version >= "2025-11-25"; }

  // A POST whose answer is an event stream from here on: pump() fills the stream, and it goes on
  // when the client has gone.
  asio::awaitable<bool> stream_reply(tcp::socket& socket, std::shared_ptr<Exchange> here,
                                     Outgoing item, Reception& reception, int number, bool keep) {
    here->book = book_of(*reception.session);
    here->stream = here->book->open(false, primes(*reception.session));
    const EventStreamPtr stream = here->stream;
    bool over = add_to_stream(*here, item);
    while (!over && !here->queue.empty()) {
      const Outgoing next = std::move(here->queue.front());
      here->queue.pop_front();
      over = add_to_stream(*here, next);
    }
    if (over) exchanges_.erase(number);
    const std::string head = stream_head(reception);
    const bool open = co_await write_text(socket, head);
    if (!open) co_return false;
    const std::vector<StreamEvent> nothing;
    const bool whole = co_await carry(socket, stream, nothing, 0);
    if (!whole && !stream->finished && server_.faults.has("disconnect-cancels")) {
      reception.session->abandon(number);
    }
    co_return whole&& keep;
  }

  // True when the exchange is over.
  bool add_to_stream(Exchange& exchange, const Outgoing& item) {
    const bool early = server_.faults.has("post-stream-closed-early") && !item.final;
    if (item.leaves || early) exchange.stream->leaving = true;
    if (!item.bytes.empty()) exchange.book->add(*exchange.stream, item.bytes);
    if (item.leaves) exchange.stream->news();
    if (!item.final) return false;
    if (!server_.faults.has("post-stream-left-open")) exchange.book->finish(*exchange.stream);
    return true;
  }

  // Carries a stream to the client: what it missed, then what comes. False when the connection is
  // of no more use.
  asio::awaitable<bool> carry(tcp::socket& socket, EventStreamPtr stream,
                              std::vector<StreamEvent> missed, int after) {
    const auto waiter = std::make_shared<Waiter>(io_);
    stream->carrier = waiter.get();
    stream->on_news = [waiter] { waiter->wake.cancel(); };
    for (const StreamEvent& event : missed) {
      const std::string text = injector_.event(event.message, event.id);
      const bool open = co_await write_text(socket, text);
      if (!open) break;
      after = std::max(after, event.number);
    }
    bool whole = false;
    while (stream->carrier == waiter.get() && !waiter->client_gone) {
      const auto next = std::find_if(stream->events.begin(), stream->events.end(),
                                     [&](const StreamEvent& one) { return one.number > after; });
      if (next != stream->events.end()) {
        after = next->number;
        const std::string text = injector_.event(next->message, next->id);
        const bool open = co_await write_text(socket, text);
        if (!open) break;
        continue;
      }
      if (stream->finished || stream->leaving) {
        std::string end = stream->finished ? "" : injector_.retry();
        stream->leaving = false;
        end += injector_.end_of_stream();
        whole = co_await write_text(socket, end);
        break;
      }
      watch_for_departure(socket, waiter);
      co_await waiter->wake.async_wait(kQuietly);
    }
    if (stream->carrier == waiter.get()) {
      stream->carrier = nullptr;
      stream->on_news = nullptr;
    }
    co_return whole;
  }

  // GET: a stream for what belongs to no request, or the rest of a broken one.
  asio::awaitable<bool> listen(tcp::socket& socket, const Request& request) {
    const bool keep = request.keep_alive();
    if (!server_.profile.mcp() || server_.profile.handshake.empty()) {
      co_return co_await write(socket, not_allowed(), keep);
    }
    const auto version = header(request, "MCP-Protocol-Version");
    if (version && server_.profile.knows_stateless(*version)) {
      co_return co_await write(socket, not_allowed(), keep);
    }
    std::shared_ptr<Session> session = std::make_shared<Session>(server_);
    std::optional<HttpReply> refusal = injector_.instead_of_stream();
    if (!refusal) refusal = check_version_header(request);
    if (!refusal) refusal = find_session(request, session);
    if (!refusal && !accepts(header(request, "Accept"), "text/event-stream")) {
      refusal = problem(request, server_.faults.has("get-accept-missing-500") ? 500 : 406,
                        "This is an event stream");
    }
    const auto last = header(request, "Last-Event-ID");
    std::shared_ptr<StreamBook> book = book_of(*session);
    EventStreamPtr stream;
    std::vector<StreamEvent> missed;
    int after = 0;
    if (!refusal && last) {
      auto found = book->find(*last);
      if (!found && server_.faults.has("resume-across-sessions")) {
        for (const auto& [owner, other] : books_) {
          if (!found) found = other->find(*last);
          if (found) book = other;
        }
      }
      if (found) {
        stream = found->first;
        after = found->second;
        missed = book->missed(*stream, after);
        if (server_.faults.has("resume-loses-events")) after = 1 << 30;
      } else {
        const int status = server_.faults.has("resume-bad-id-500") ? 500 : 400;
        refusal = problem(request, status, "There is no such event");
      }
    } else if (!refusal) {
      if (book->for_unrelated().size() == 1 && server_.faults.has("second-listener-500")) {
        refusal = HttpReply{500, {}, ""};
      } else {
        stream = book->open(true, primes(*session));
      }
    }
    if (refusal) co_return co_await write(socket, std::move(*refusal), keep);
    Reception reception;
    const std::string head = stream_head(reception);
    const bool open = co_await write_text(socket, head);
    if (!open) co_return false;
    const bool whole = co_await carry(socket, stream, std::move(missed), after);
    co_return whole&& keep;
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
    const std::string minted = reception.stateless ? injector_.stateless_session_id() : "";
    if (!minted.empty()) reply.headers.emplace_back("Mcp-Session-Id", minted);
    if (item.bytes.empty()) injector_.inject_accepted(reply, reception.of_response);
    injector_.inject(reply, item, reception.stateless, reception.opening);
    return reply;
  }

  void add_session_header(Reception& reception, HttpHeaders& headers) {
    if (!reception.opening || reception.session->version.empty()) return;
    std::string id = injector_.session_id(new_session_id());
    if (id.empty()) return;
    headers.emplace_back("Mcp-Session-Id", id);
    if (server_.faults.has("second-session-replaces-first")) sessions_.clear();
    sessions_[id] = reception.session;
    reception.opening = false;
  }

  std::string stream_head(Reception& reception) {
    HttpHeaders headers = {{"Content-Type", injector_.event_stream_type()},
                           {"Cache-Control", "no-cache"},
                           {"Transfer-Encoding", "chunked"}};
    if (!injector_.lets_proxies_buffer()) headers.emplace_back("X-Accel-Buffering", "no");
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
    if (auto refusal = find_session(request, session)) {
      if (server_.faults.has("delete-without-session-ends-all")) end_every_session();
      return *refusal;
    }
    if (server_.faults.has("delete-500")) return {500, {}, ""};
    if (injector_.keeps_deleted_sessions()) return {200, {}, ""};
    book_of(*session)->end_all();
    books_.erase(session.get());
    sessions_.erase(*session_id_of(request));
    return {200, {}, ""};
  }

  void end_every_session() {
    for (const auto& [id, session] : sessions_) book_of(*session)->end_all();
    books_.clear();
    sessions_.clear();
  }

  HttpReply not_allowed() {
    const bool sessions = server_.profile.mcp() && !server_.profile.handshake.empty();
    return {injector_.status_of_wrong_method(),
            {{"Allow", sessions ? "GET, POST, DELETE" : "POST"}},
            ""};
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
    if (reply.status != 204) response.content_length(injector_.length_of(response.body()));
    auto [error, size] = co_await http::async_write(socket, response, kQuietly);
    co_return !error && keep && !server_.faults.has("connection-closed-unannounced");
  }

  // A piece of a chunked response: the head, the end, or one chunk made by the injector.
  asio::awaitable<bool> write_text(tcp::socket& socket, std::string text) {
    auto [error, size] = co_await asio::async_write(socket, asio::buffer(text), kQuietly);
    co_return !error;
  }

  void watch_for_departure(tcp::socket& socket, const std::shared_ptr<Waiter>& here) {
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

  // Only a Fault does this.
  void copy_to_others(const Outgoing& message) {
    for (auto& [number, exchange] : exchanges_) {
      if (number == message.exchange) continue;
      exchange->queue.push_back(message);
      exchange->wake.cancel();
    }
  }

  // Routes what sessions have to say, and sets the clock for what they will have to say.
  void pump() {
    std::optional<Micros> due;
    for (Session* session : server_.sessions) {
      if (session->has_output()) {
        for (Outgoing& one : session->take_outbox()) {
          if (injector_.copies_to_all(one)) copy_to_others(one);
          const bool unrelated = one.exchange == 0 || injector_.seems_unrelated(one);
          if (!one.bytes.empty() && (unrelated || injector_.copies_to_listeners(one))) {
            tell_listeners(session, one.bytes);
          }
          if (unrelated) continue;
          const auto found = exchanges_.find(route_of(one));
          if (found == exchanges_.end()) {
            if (injector_.dies_of_undeliverable(one)) std::_Exit(1);
            continue;  // nobody listens to it, or not any more
          }
          if (found->second->stream) {
            if (add_to_stream(*found->second, one)) exchanges_.erase(found);
            continue;
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

  void tell_listeners(const Session* session, const std::string& message) {
    for (const auto& [owner, book] : books_) {
      if (owner != session && !server_.faults.has("messages-reach-other-sessions")) continue;
      for (const EventStreamPtr& stream : book->for_unrelated()) book->add(*stream, message);
    }
  }

  // The exchange a message goes to: its own, unless a Fault mixes up two that are open.
  int route_of(const Outgoing& one) const {
    const bool strays = one.final ? server_.faults.has("replies-on-wrong-connection")
                                  : server_.faults.has("progress-on-other-stream");
    if (!strays || one.bytes.empty()) return one.exchange;
    for (const auto& [number, exchange] : exchanges_) {
      if (number != one.exchange) return number;
    }
    return one.exchange;
  }

  bool expects_continue(const Request& request) const {
    const auto expect = header(request, "Expect");
    return expect && beast::iequals(*expect, "100-continue") &&
           !server_.faults.has("expect-continue-ignored");
  }

  static std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
  }

  static HttpHeaders headers_of(const Request& request) {
    HttpHeaders headers;
    for (const auto& field : request) {
      headers.emplace_back(std::string(field.name_string()), std::string(field.value()));
    }
    return headers;
  }

  static std::optional<std::string> header(const Request& request, std::string_view name) {
    const auto found = request.find(name);
    if (found == request.end()) return std::nullopt;
    return std::string(found->value());
  }

  // RFC 9110 §5.3: what stands in several lines of one name is one list.
  static std::optional<std::string> whole_header(const Request& request, std::string_view name) {
    std::optional<std::string> value;
    const auto [first, last] = request.equal_range(name);
    for (auto line = first; line != last; ++line) {
      const std::string one(line->value());
      value = value ? *value + ", " + one : one;
    }
    return value;
  }

  Server& server_;
  HttpFaultInjector injector_;
  AuthGuard guard_;
  asio::io_context& io_;
  asio::steady_timer ticker_;
  std::unordered_map<std::string, std::shared_ptr<Session>> sessions_;
  std::unordered_map<const Session*, std::shared_ptr<StreamBook>> books_;
  std::unordered_map<int, std::shared_ptr<Exchange>> exchanges_;
  int last_exchange_ = 0;
  std::vector<std::shared_ptr<Session>> abandoned_;
  bool padded_ = false;
  int being_read_ = 0;  // bodies of requests
  int closed_ = 0;      // connections that were closed by clients
  std::unordered_map<std::string, int> open_ids_;
};

}  // namespace

int serve_http(Server& server, const AcceptorOptions& options) {
  server.over_http = true;
  asio::io_context io{1};
  auto acceptor = Acceptor::open(io, options);
  if (!acceptor) {
    std::fprintf(stderr, "%s\n", acceptor.error().text().c_str());
    return 3;
  }
  std::fprintf(stderr, "listening on %s://127.0.0.1:%d/mcp\n", (*acceptor)->tls() ? "https" : "http",
               (*acceptor)->port());
  HttpHost host(server, io);
  (*acceptor)->serve([&](tcp::socket socket) { host.welcome(std::move(socket)); });
  io.run();
  return 0;
}

}  // namespace harness::reference
