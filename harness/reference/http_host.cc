// SPDX-License-Identifier: Apache-2.0
// One thread, one coroutine a connection (http_connection.h). A POST that is let in
// (http_admission.h) becomes an Exchange: its message goes into a Session, what comes out is routed
// back by the exchange number and leaves as one JSON reply, or as an event stream when something
// precedes the reply. Streams of a session outlive their connections: http_streams.h.
#include <algorithm>
#include <boost/asio.hpp>
#include <chrono>
#include <cstdio>
#include <deque>

#include "harness/reference/auth_guard.h"
#include "harness/reference/hosting.h"
#include "harness/reference/hosts.h"
#include "harness/reference/http_admission.h"
#include "harness/reference/http_connection.h"
#include "harness/reference/http_rules.h"
#include "harness/reference/http_sessions.h"
#include "harness/reference/http_streams.h"
#include "harness/reference/inject_http.h"
#include "harness/reference/server_card.h"
#include "harness/reference/session_id.h"

namespace harness::reference {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::size_t kLost = 32 * 1024;  // bytes of what a stream leaves behind
using boost::system::error_code;

// What waits for the messages that belong to one POST.
struct Exchange : Waiter {
  using Waiter::Waiter;
  std::deque<Outgoing> queue;
  EventStreamPtr stream;  // once one has begun; then the queue is no longer used
  std::shared_ptr<StreamBook> book;
};

class HttpHost {
 public:
  HttpHost(Server& server, asio::io_context& io)
      : server_(server), injector_(server), guard_(server.auth, server.faults),
        sessions_(server.faults), admission_(server, injector_, guard_, sessions_), io_(io),
        ticker_(io) {}

  void welcome(tcp::socket socket) {
    asio::co_spawn(io_, serve(std::move(socket)), asio::detached);
  }

 private:
  // One connection, request after request.
  asio::awaitable<void> serve(tcp::socket socket) {
    HttpConnection connection(std::move(socket), server_.faults, injector_, traffic_);
    std::shared_ptr<Session> remembered;  // for Faults that tie state to the connection
    bool let_in = false;                  // likewise
    bool open = true;
    while (open) {
      const std::optional<HttpRequest> request = co_await connection.read();
      if (!request) break;
      open = co_await respond(connection, *request, remembered, let_in);
    }
    connection.end();
  }

  asio::awaitable<bool> respond(HttpConnection& connection, const HttpRequest& request,
                                std::shared_ptr<Session>& remembered, bool& let_in) {
    std::optional<HttpReply> reply;
    if (!server_.profile.plain && !server_.profile.tutorial)
      reply = server_card(request, server_.faults);
    if (reply) co_return co_await connection.write(std::move(*reply), request.keep_alive);
    reply = admission_.refuse(request, traffic_.closed);
    if (let_in && reply && reply->status == 401 && server_.faults.has("auth-of-connection"))
      reply.reset();
    let_in |= !reply;
    const bool posts =
        request.method == "POST" || (request.method == "PUT" && server_.faults.has("put-served"));
    Reception reception;
    const bool works = server_.faults.has("auth-refused-after-work") ||
                       (server_.faults.has("dpop-refused-after-work") && request.header("DPoP"));
    if (reply && reply->status == 401 && posts && works &&
        !admission_.receive(request, remembered, reception)) {
      reception.session->receive(request.body, ++last_exchange_, clock_now());
      pump();
    }
    if (!reply && posts) {
      reply = admission_.receive(request, remembered, reception);
      if (!reply) co_return co_await exchange(connection, request, reception);
    }
    if (!reply && request.method == "GET") co_return co_await listen(connection, request);
    if (!reply && request.method == "DELETE") reply = admission_.end_session(request);
    if (!reply) reply = admission_.not_allowed();
    co_return co_await connection.write(std::move(*reply), request.keep_alive);
  }

  asio::awaitable<bool> exchange(HttpConnection& connection, const HttpRequest& request,
                                 Reception& reception) {
    const bool keep = request.keep_alive;
    const int number = ++last_exchange_;
    const auto here = std::make_shared<Exchange>(io_.get_executor());
    exchanges_[number] = here;
    if (reception.instead) {
      here->queue.push_back(*reception.instead);
      if (injector_.works_on_refused()) {
        reception.session->receive(request.body, ++last_exchange_, clock_now());
        pump();
      }
    } else {
      if (std::string left = injector_.left_by_another(*reception.session, request.body);
          !left.empty())
        here->queue.push_back({std::move(left), number});
      reception.session->receive(request.body, number, clock_now());
      pump();
      if (reception.session->exit_status) std::_Exit(*reception.session->exit_status);
    }
    const std::string key = injector_.routing_key(request.body);
    if (!key.empty()) {
      open_ids_[key] = number;
      asio::steady_timer work(io_, std::chrono::milliseconds(30));
      co_await work.async_wait(kQuietly);
    }
    bool streaming = false;
    bool open = true;
    while (true) {
      if (here->queue.empty()) {
        connection.watch_for_departure(here);
        co_await here->wake.async_wait(kQuietly);
        if (here->client_gone) {
          // 2026-07-28 reads this as a cancellation, the older revisions do not.
          if (reception.stateless && !injector_.ignores_departure())
            reception.session->abandon(number);
          // What it asked for lives on with a Fault only.
          if (injector_.ignores_departure()) abandoned_.push_back(reception.session);
          injector_.note_departure(reception.session, request.body);
          ++traffic_.closed;
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
      if (as_event && server_.profile.mcp() && !reception.stateless)
        co_return co_await stream_reply(connection, request, here, item, reception, number);
      if (as_event && !streaming) {
        streaming = true;
        open = co_await connection.write_text(stream_head(reception));
      }
      const bool left_out = streaming && injector_.breaks_off(item);
      if (as_event && !left_out)
        open = open && co_await connection.write_text(injector_.event(item.bytes));
      if (!item.final || injector_.keeps_back(item)) continue;
      if (!key.empty() && open_ids_[key] != number) continue;
      if (streaming && server_.faults.has("post-stream-left-open")) continue;
      if (streaming) {
        open = open && co_await connection.write_text("0\r\n\r\n");
      } else if (injector_.hangs_up_on(item)) {
        open = false;
      } else {
        HttpReply reply = reply_for(item, reception);
        guard_.echo(request, reply.body, reply.headers);
        open = co_await connection.write(std::move(reply), keep);
      }
      break;
    }
    exchanges_.erase(number);
    co_return open&& keep;
  }

  // --- streams of a session

  bool primes(const Session& session) const { return session.version >= "2025-11-25"; }

  // A POST whose answer is an event stream from here on: pump() fills the stream, and it goes on
  // when the client has gone.
  asio::awaitable<bool> stream_reply(HttpConnection& connection, const HttpRequest& request,
                                     std::shared_ptr<Exchange> here, Outgoing item,
                                     Reception& reception, int number) {
    here->book = sessions_.book_of(*reception.session);
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
    const bool open = co_await connection.write_text(head);
    if (!open) co_return false;
    const std::vector<StreamEvent> nothing;
    const bool whole = co_await carry(connection, stream, nothing, 0);
    if (!whole && !stream->finished) {
      if (server_.faults.has("disconnect-cancels")) reception.session->abandon(number);
      injector_.note_departure(reception.session, request.body);
    }
    co_return whole&& request.keep_alive;
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
  asio::awaitable<bool> carry(HttpConnection& connection, EventStreamPtr stream,
                              std::vector<StreamEvent> missed, int after) {
    const auto waiter = std::make_shared<Waiter>(io_.get_executor());
    stream->carrier = waiter.get();
    stream->on_news = [waiter] { waiter->wake.cancel(); };
    for (const StreamEvent& event : missed) {
      const std::string text = injector_.event(event.message, event.id);
      const bool open = co_await connection.write_text(text);
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
        const bool open = co_await connection.write_text(text);
        if (!open) break;
        continue;
      }
      if (stream->finished || stream->leaving) {
        std::string end = stream->finished ? "" : injector_.retry();
        stream->leaving = false;
        end += injector_.end_of_stream();
        whole = co_await connection.write_text(end);
        break;
      }
      connection.watch_for_departure(waiter);
      co_await waiter->wake.async_wait(kQuietly);
    }
    if (stream->carrier == waiter.get()) {
      stream->carrier = nullptr;
      stream->on_news = nullptr;
    }
    co_return whole;
  }

  // GET: a stream for what belongs to no request, or the rest of a broken one.
  asio::awaitable<bool> listen(HttpConnection& connection, const HttpRequest& request) {
    auto session = std::make_shared<Session>(server_);
    std::optional<HttpReply> refusal = admission_.refuse_stream(request, session);
    const auto last = request.header("Last-Event-ID");
    EventStreamPtr stream;
    std::vector<StreamEvent> missed;
    int after = 0;
    if (!refusal && last) {
      if (const auto place = sessions_.find_event(*session, *last)) {
        stream = place->stream;
        after = place->event;
        missed = place->book->missed(*stream, after);
        if (server_.faults.has("resume-loses-events")) after = 1 << 30;
      } else {
        refusal =
            problem(server_.faults.has("resume-bad-id-500") ||
                            (last->starts_with('-') && server_.faults.has("resume-negative-id-500"))
                        ? 500
                        : 400,
                    "There is no such event");
      }
    } else if (!refusal) {
      const auto book = sessions_.book_of(*session);
      if (book->for_unrelated().size() == 1 && server_.faults.has("second-listener-500"))
        refusal = HttpReply{500, {}, ""};
      else
        stream = book->open(true, primes(*session));
    }
    if (refusal) co_return co_await connection.write(std::move(*refusal), request.keep_alive);
    Reception reception;
    const std::string head = stream_head(reception);
    const bool open = co_await connection.write_text(head);
    if (!open) co_return false;
    const bool whole = co_await carry(connection, stream, std::move(missed), after);
    if (!stream->finished && server_.faults.has("left-stream-keeps-memory"))
      server_.memory.lose(kLost);
    co_return whole&& request.keep_alive;
  }

  HttpReply reply_for(const Outgoing& item, Reception& reception) {
    HttpReply reply;
    if (!server_.profile.mcp())
      reply.status = !item.bytes.empty() ? 200 : server_.profile.plain ? 204 : 202;
    else
      reply.status = item.bytes.empty() ? 202 : status_of(item, reception.stateless);
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
    if (server_.faults.has("session-ids-reused"))
      id = "session-of-client-" + std::to_string(sessions_.count() + 1);
    if (id.empty()) return;
    headers.emplace_back("Mcp-Session-Id", id);
    if (server_.faults.has("session-id-header-twice")) headers.emplace_back("mcp-session-id", id);
    sessions_.add(id, reception.session);
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
          if (!one.bytes.empty() && (unrelated || injector_.copies_to_listeners(one)))
            sessions_.tell_listeners(session, one.bytes);
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

  // The exchange a message goes to: its own, unless a Fault mixes up two that are open.
  int route_of(const Outgoing& one) const {
    const bool strays = one.final ? server_.faults.has("replies-on-wrong-connection")
                                  : server_.faults.has("progress-on-other-stream");
    if (!strays || one.bytes.empty()) return one.exchange;
    for (const auto& [number, exchange] : exchanges_)
      if (number != one.exchange) return number;
    return one.exchange;
  }

  Server& server_;
  HttpFaultInjector injector_;
  AuthGuard guard_;
  HttpSessions sessions_;
  HttpAdmission admission_;
  HttpTraffic traffic_;
  asio::io_context& io_;
  asio::steady_timer ticker_;
  std::unordered_map<int, std::shared_ptr<Exchange>> exchanges_;
  int last_exchange_ = 0;
  std::vector<std::shared_ptr<Session>> abandoned_;
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
  std::fprintf(stderr, "listening on %s://127.0.0.1:%d/mcp\n",
               (*acceptor)->tls() ? "https" : "http", (*acceptor)->port());
  HttpHost host(server, io);
  (*acceptor)->serve([&](tcp::socket socket) { host.welcome(std::move(socket)); });
  io.run();
  return 0;
}

}  // namespace harness::reference
