// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/jose/possession.h"
#include "harness/transport/address.h"
#include "harness/transport/async_event.h"
#include "harness/transport/awaiting.h"
#include "harness/transport/courtesy.h"
#include "harness/transport/kinds.h"
#include "harness/transport/mailbox.h"
#include "harness/transport/request.h"
#include "harness/transport/sse.h"
#include "harness/transport/stream.h"
#include "harness/transport/timer.h"
#include "harness/wire/encoded_body.h"

namespace harness::transport {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;
using wire::Channel;

namespace {

// Beast throws at a field of 64 KiB.
constexpr std::uint32_t kMaxHttpHead = 63u << 10;
constexpr std::size_t kHttpReadSize = 64u << 10;
constexpr std::size_t kMaxIdle = 64;
constexpr std::size_t kSurplus = 1024;  // bytes that are kept of what nobody asked for
constexpr int kMaxInterim = 16;         // 1xx answers before the real one
constexpr int kBodyGiveUpFactor = 4;    // times max_line: then a body is not read to its end
constexpr std::uint64_t kMostWithoutEvent = 64u << 20;  // bytes of a stream: then it is left
constexpr std::chrono::milliseconds kAfterClose{300};
constexpr std::chrono::milliseconds kOpenEnded{300};  // for the end of a 202 without a length

struct Connection {
  Connection(asio::any_io_executor executor, std::shared_ptr<const TlsContext> tls,
             Courtesy::Place among)
      : place(std::move(among)), stream(std::move(executor), std::move(tls)),
        buffer(kMaxHttpHead + kHttpReadSize) {}

  Courtesy::Place place;  // it is given back when the stream has been closed

  Stream stream;
  beast::flat_buffer buffer;
  const std::unique_ptr<char[]> piece{new char[kHttpReadSize]};  // of a body
  int exchange = 0;                                              // the last on it
};
using ConnectionPtr = std::shared_ptr<Connection>;

// How an exchange or an attempt at one ended.
struct Ending {
  std::string word = "end";
  std::string reason;                 // more of it, for the reader of a report
  bool stale = false;                 // the peer closed before it said anything
  std::chrono::milliseconds rest{0};  // for which the peer asked; then it is asked again
  int after = 0;                      // the exchange before it on its connection; 0: there is none
};

std::string word_for(const error_code& error) {
  if (error == asio::error::timed_out) return "timeout";
  if (error == asio::error::connection_refused) return "refused";
  if (error == asio::error::connection_reset || error == asio::error::broken_pipe) return "reset";
  if (error == asio::error::eof || error == http::error::end_of_stream ||
      error == http::error::partial_message)
    return "eof";
  static const auto& http_errors = http::make_error_code(http::error::bad_method).category();
  return error.category() == http_errors ? "bad-response" : "unreachable";
}

bool peer_closed(const error_code& error) {
  const std::string word = word_for(error);
  return word == "reset" || word == "eof";
}

struct HttpState final : IdleKeeper {
  HttpState(asio::any_io_executor e, Url u, std::shared_ptr<const TlsContext> t, const Limits& l)
      : executor(e), url(std::move(u)), tls(std::move(t)), limits(l),
        box(std::make_shared<Mailbox>(e, l.max_queue)), changed(std::move(e)) {}

  ConnectionPtr take_idle() {
    while (!idle.empty()) {
      ConnectionPtr connection = std::move(idle.back());
      idle.pop_back();
      if (connection->stream.still_quiet()) return connection;
      put_surplus(connection->exchange, connection->stream.unread(kSurplus));
    }
    return nullptr;
  }

  bool close_idle() override {
    if (idle.empty()) return false;
    idle.front()->stream.close();
    idle.erase(idle.begin());
    return true;
  }

  void give_back(ConnectionPtr connection) {
    if (over || idle.size() >= kMaxIdle) return;
    idle.push_back(std::move(connection));
    if (limits.courtesy) limits.courtesy->idle();
  }

  wire::Frame frame(int exchange, Channel channel, std::string bytes) const {
    wire::Frame out;
    out.direction = wire::Direction::kReceived;
    out.channel = channel;
    out.exchange = exchange;
    out.size = bytes.size();
    out.bytes = std::move(bytes);
    return out;
  }

  void put_event(int exchange, SseEvent event) {
    wire::Frame out = frame(exchange, Channel::kSse, std::move(event.data));
    out.size = event.size;
    out.unframed = !event.terminated;
    out.head.emplace();
    if (event.event) out.head->headers.push_back({"event", *event.event});
    if (event.id) out.head->headers.push_back({"id", *event.id});
    if (event.retry) out.head->headers.push_back({"retry", *event.retry});
    box->put(std::move(out));
  }

  // What came on the connection of an exchange behind the end of its answer. White space is
  // nothing, and a server may refuse what it has waited for in vain.
  void put_surplus(int exchange, std::string bytes) {
    const bool refusal =
        bytes.starts_with("HTTP/1.") && bytes.size() > 9 && (bytes[9] == '4' || bytes[9] == '5');
    if (refusal || bytes.find_first_not_of("\r\n ") == std::string::npos) return;
    wire::Frame out = frame(exchange, Channel::kHttp, std::move(bytes));
    out.unframed = true;
    out.head.emplace();
    out.head->headers.push_back({"reason", "after the end of the response"});
    box->put(std::move(out));
  }

  void finish(int exchange, const Ending& ending) {
    wire::Frame out = frame(exchange, Channel::kClose, ending.word);
    if (!ending.reason.empty() || ending.after != 0) out.head.emplace();
    if (!ending.reason.empty()) out.head->headers.push_back({"reason", ending.reason});
    if (ending.after != 0) out.head->headers.push_back({"after", std::to_string(ending.after)});
    box->put(std::move(out));
  }

  void end() {
    over = true;
    idle.clear();
    for (const ConnectionPtr& connection : active) connection->stream.close();
    box->close("closed by rpcspec");
    changed.close();
  }

  asio::any_io_executor executor;
  Url url;
  std::shared_ptr<const TlsContext> tls;
  Limits limits;
  std::shared_ptr<Mailbox> box;
  AsyncEvent changed;  // notified when a request is written or its exchange is over
  Endpoints endpoints;
  std::vector<ConnectionPtr> idle;
  std::vector<ConnectionPtr> active;
  std::map<int, ConnectionPtr> serving;  // exchange → the connection it is on
  std::set<int> hung_up;                 // exchanges we broke off
  std::vector<wire::Header> headers;     // of the session
  int last_exchange = 0;
  int resting = 0;   // exchanges whose request is sent again in a while
  bool old = false;  // it answers as HTTP/1.0, which has no 100
  bool over = false;
};
using SharedHttp = std::shared_ptr<HttpState>;

struct Request {
  int exchange = 0;
  std::string bytes;
  bool expects_body = true;  // false for HEAD
  bool events = false;       // whatever the type of the answer says
  std::string withheld;      // sent once the peer has said 100
  HttpManner manner;
  Deadline deadline;
  bool own_length = false;               // the body may be longer than the server takes it for
  bool settled = false;                  // written, or there is nothing more to write
  int times = 0;                         // that it was sent
  std::function<std::string()> renewed;  // the bytes with a new proof; null: as they are
  std::string nonce;                     // in the proof
};
using RequestPtr = std::shared_ptr<Request>;

struct Connected {
  ConnectionPtr connection;  // nullptr: none was made
  std::string word;          // of an Ending
  std::optional<Error> why;
};

asio::awaitable<Connected> connect(SharedHttp s, Deadline deadline) {
  Connected out;
  Courtesy::Place place;
  if (s->limits.courtesy) {
    const Deadline asked = Clock::now();
    place = co_await s->limits.courtesy->place(s->active.size());
    deadline += Clock::now() - asked;  // that was not the server's time
  }
  for (std::size_t i = 0; i < s->endpoints.size(); ++i) {
    auto connection = std::make_shared<Connection>(s->executor, s->tls, place);
    s->active.push_back(connection);
    connection->stream.expires_at(deadline);
    const error_code error = co_await connection->stream.connect(s->endpoints[i]);
    std::erase(s->active, connection);
    if (s->over) {
      out.word = "aborted";
      co_return out;
    }
    if (!error) {
      out.connection = std::move(connection);
      co_return out;
    }
    if (i > 0) continue;
    out.word = word_for(error);
    out.why = cannot_reach(s->url, connection->stream, error);
  }
  co_return out;
}

asio::awaitable<void> write_request(SharedHttp s, ConnectionPtr connection, RequestPtr request) {
  // An error shows up in the reader too, which may still find an answer the peer gave before it
  // stopped listening.
  co_await connection->stream.write(request->bytes);
  request->settled = true;
  s->changed.notify_all();
}

using Parser = http::response_parser<http::buffer_body>;

// Reads until the parser has taken something.
asio::awaitable<error_code> parse_some(ConnectionPtr connection, Parser& parser) {
  auto& buffer = connection->buffer;
  error_code error = http::error::need_more;
  for (bool first = true; error == http::error::need_more; first = false) {
    if (!first || buffer.size() == 0) {
      const std::size_t room = std::min(kHttpReadSize, buffer.max_size() - buffer.size());
      if (room == 0) co_return error_code(http::error::buffer_overflow);
      auto [failed, n] = co_await connection->stream.read_some(buffer.prepare(room));
      buffer.commit(n);
      if (failed == asio::error::eof) {
        if (!parser.got_some()) co_return error_code(http::error::end_of_stream);
        error = {};
        parser.put_eof(error);
        co_return error;
      }
      if (failed) co_return failed;
    }
    error = {};
    buffer.consume(parser.put(buffer.data(), error));
  }
  co_return error;
}

wire::HttpHead head_of(const Parser& parser) {
  wire::HttpHead head{static_cast<int>(parser.get().result_int()), "", "", {}};
  for (const auto& field : parser.get())
    head.headers.push_back({std::string(field.name_string()), std::string(field.value())});
  const bool ends = parser.get().version() < 11 && !parser.keep_alive();
  if (ends) head.headers.push_back({":version", "1.0"});  // no field has to say so
  return head;
}

bool is_event_stream(const wire::HttpHead& head) {
  const std::string* type = head.header("Content-Type");
  std::string_view name = type ? std::string_view(*type).substr(0, type->find(';')) : "";
  while (name.ends_with(' ') || name.ends_with('\t')) name.remove_suffix(1);
  return ascii::equal_ignoring_case(name, "text/event-stream");
}

// Reads the body to its end, handing each piece to `take`, which may refuse to go on.
template <class Take>
asio::awaitable<Ending> read_body(SharedHttp s, ConnectionPtr connection, Parser& parser,
                                  Deadline deadline, Take take) {
  const std::unique_ptr<char[]>& piece = connection->piece;
  while (!parser.is_done()) {
    const bool room = co_await Mailbox::room(s->box, deadline);
    if (!room) co_return Ending{"timeout", "the waiting frames were not read"};
    auto& body = parser.get().body();
    body.data = piece.get();
    body.size = kHttpReadSize;
    body.more = true;
    const error_code error = co_await parse_some(connection, parser);
    if (s->over) co_return Ending{"aborted", {}};
    const std::size_t size = kHttpReadSize - body.size;
    if (size > 0 && !take(std::string_view(piece.get(), size)))
      co_return Ending{"too-long", "the body was not read to its end"};
    if (error && error != http::error::need_buffer)
      co_return Ending{word_for(error), error.message()};
  }
  co_return Ending{};
}

// The end of its connection ends a response without a length. If the server answers one more
// request there, it will not end it, and clients take the next response for the body.
asio::awaitable<void> ask_behind(SharedHttp s, std::weak_ptr<Connection> of_response) {
  const std::string bytes = request_bytes(s->url, s->headers, {0, "OPTIONS", "", {}}, "");
  Timer timer(s->executor, kOpenEnded);
  co_await timer.async_wait(kToken);
  const ConnectionPtr connection = of_response.lock();
  if (connection && !s->over) co_await connection->stream.write(bytes);
}

asio::awaitable<Ending> read_plain(SharedHttp s, ConnectionPtr connection, Parser& parser,
                                   wire::HttpHead head, const Request& request, bool told) {
  std::string text;
  std::uint64_t size = 0;
  const std::size_t limit = s->limits.max_line;
  const bool open_ended = head.status == 202 && parser.need_eof();
  if (open_ended) asio::co_spawn(s->executor, ask_behind(s, connection), propagate);
  if (open_ended && s->limits.courtesy && s->limits.courtesy->ends_late())
    connection->stream.expires_at(std::min(request.deadline, Clock::now() + kOpenEnded * 2));
  Ending ending =
      co_await read_body(s, connection, parser, request.deadline, [&](std::string_view piece) {
        if (open_ended && size == 0 && piece.starts_with("HTTP/1.")) return false;
        text.append(piece.substr(0, limit - std::min(limit, text.size())));
        size += piece.size();
        return size <= kBodyGiveUpFactor * static_cast<std::uint64_t>(limit);
      });
  if (ending.word == "too-long" && size == 0)
    ending = {"no-end", "an OPTIONS request behind it on the connection was answered"};
  if (open_ended && size == 0 && ending.word == "timeout") {
    ending = {};
    if (s->limits.courtesy) s->limits.courtesy->saw_late_end();
  }
  if (!told) co_return ending;
  wire::Frame frame = s->frame(request.exchange, Channel::kHttp, std::move(text));
  frame.size = size;
  frame.unframed = ending.word != "end";  // the body is not all there
  frame.head = std::move(head);
  if (std::optional<std::string> body = wire::decoded_body(frame)) {
    frame.bytes = std::move(*body);
    frame.size = frame.bytes.size();
  }
  s->box->put(std::move(frame));
  co_return ending;
}

asio::awaitable<Ending> read_events(SharedHttp s, ConnectionPtr connection, Parser& parser,
                                    wire::HttpHead head, Request& request) {
  if (request.manner.keep_open) {
    request.deadline = Deadline::max();
    connection->stream.expires_at(request.deadline);
  }
  wire::Frame frame = s->frame(request.exchange, Channel::kHttp, {});
  frame.head = std::move(head);
  s->box->put(std::move(frame));
  SseSplitter splitter(s->limits.max_line);
  std::uint64_t without_event = 0;  // bytes since the last one
  Ending ending =
      co_await read_body(s, connection, parser, request.deadline, [&](std::string_view piece) {
        splitter.give(piece);
        without_event += piece.size();
        while (auto event = splitter.next()) {
          s->put_event(request.exchange, std::move(*event));
          without_event = 0;
        }
        return without_event <= kMostWithoutEvent;
      });
  // What the stream itself broke off in is told; where only our patience ended there is no event
  // yet, and none that could be taken for an answer.
  const bool goes_on = ending.word == "timeout" || ending.word == "aborted";
  if (goes_on) co_return ending;
  if (auto event = splitter.rest()) s->put_event(request.exchange, std::move(*event));
  co_return ending;
}

// How long the server wants to be left alone before it is asked this again; zero: this is its
// answer.
std::chrono::milliseconds rest_asked_for(const SharedHttp& s, const wire::HttpHead& head,
                                         const Request& request) {
  const bool again = s->limits.courtesy && !request.manner.takes_refusal &&
                     request.manner.answers == 1 && !request.manner.expect_continue;
  if (!again) return std::chrono::milliseconds(0);
  return s->limits.courtesy->rest(head, request.times);
}

// Keeps the nonce of a server that hands them out (RFC 9449 section 8). Whether a proof of ours
// without it was refused, so that the request is sent again.
bool wants_other_nonce(const SharedHttp& s, const wire::HttpHead& head, const Request& request) {
  const std::string* nonce = head.header("DPoP-Nonce");
  if (s->url.possession == nullptr || nonce == nullptr) return false;
  s->url.possession->nonce = *nonce;
  return head.status == 401 && request.renewed && request.times == 1 && *nonce != request.nonce;
}

asio::awaitable<void> rest(SharedHttp s, RequestPtr request, std::chrono::milliseconds time) {
  ++s->resting;
  Timer timer(s->executor, time);
  error_code ignored;
  co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  --s->resting;
  request->deadline += time;
}

// One request and its answer, or answers, on one connection.
asio::awaitable<Ending> converse(SharedHttp s, ConnectionPtr connection, RequestPtr request) {
  connection->stream.expires_at(request->deadline);
  // Written beside the reading: a server may answer, and stop listening, before it has read all.
  asio::co_spawn(s->executor, write_request(s, connection, request), propagate);

  int answers = 0;
  for (int interim = 0; interim <= kMaxInterim; ++interim) {
    Parser parser;
    parser.header_limit(kMaxHttpHead);
    parser.body_limit(boost::none);
    parser.skip(!request->expects_body);
    error_code error;
    while (!error && !parser.is_header_done()) error = co_await parse_some(connection, parser);
    if (s->over) co_return Ending{"aborted", {}};
    if (error && answers > 0) co_return Ending{};  // there are no more
    if (error) {
      const bool silent = connection->buffer.size() == 0 && !parser.got_some() && interim == 0;
      co_return Ending{word_for(error), error.message(), silent && peer_closed(error)};
    }
    if (parser.get().result_int() == 100 && !request->withheld.empty()) {
      request->bytes = std::exchange(request->withheld, {});
      asio::co_spawn(s->executor, write_request(s, connection, request), propagate);
    }
    if (parser.get().result_int() / 100 == 1 && parser.get().result_int() != 101) continue;

    s->old = parser.get().version() < 11;
    wire::HttpHead head = head_of(parser);
    std::chrono::milliseconds rest = rest_asked_for(s, head, *request);
    if (wants_other_nonce(s, head, *request)) rest = std::max(rest, std::chrono::milliseconds(1));
    // Not one expression: g++ 12 miscompiles co_await inside conditions and conditionals.
    Ending ending;
    if (is_event_stream(head) || (request->events && head.status == 200)) {
      ending = co_await read_events(s, connection, parser, std::move(head), *request);
    } else {
      const bool told = rest.count() == 0;
      ending = co_await read_plain(s, connection, parser, std::move(head), *request, told);
    }
    if (ending.word == "end" && ++answers < request->manner.answers) {
      // Who has said that the connection ends here should say no more.
      if (!parser.keep_alive())
        connection->stream.expires_at(std::min(request->deadline, Clock::now() + kAfterClose));
      continue;
    }
    // What was withheld to the end, or longer than was said, leaves a connection on which nobody
    // knows what comes next. Nor may a large body that was refused have been read to its end.
    const bool refused_large =
        parser.get().result_int() >= 400 && request->bytes.size() > kHttpReadSize;
    const bool clean = request->withheld.empty() && request->manner.answers == 1 &&
                       !refused_large && !request->own_length;
    const bool goes_on = ending.word == "end" && clean && request->settled && parser.keep_alive() &&
                         parser.get().result_int() != 101;
    if (goes_on && connection->buffer.size() == 0) {
      connection->exchange = request->exchange;
      connection->stream.expires_at(Deadline::max());
      s->give_back(connection);
    } else if (goes_on && request->expects_body) {
      const std::size_t size = std::min(connection->buffer.size(), kSurplus);
      const auto bytes = connection->buffer.data();
      s->put_surplus(request->exchange, {static_cast<const char*>(bytes.data()), size});
    }
    ending.rest = rest;
    co_return ending;
  }
  co_return Ending{"bad-response", "too many interim responses"};
}

asio::awaitable<void> run_exchange(SharedHttp s, RequestPtr request) {
  Ending ending;
  for (bool fresh = request->manner.answers > 1;;) {
    if (++request->times > 1 && request->renewed) {
      request->nonce = s->url.possession->nonce;
      request->bytes = request->renewed();
    }
    ConnectionPtr connection = fresh ? nullptr : s->take_idle();
    const bool reused = connection != nullptr;
    if (!reused) {
      Connected made = co_await connect(s, request->deadline);
      if (s->over) co_return;
      // It was sent once, and closed upon: that nobody is there any more may come of it.
      if (!made.connection && ending.stale) break;
      if (!made.connection) {
        ending.word = made.word.empty() ? "unreachable" : made.word;
        if (made.why) ending.reason = made.why->what;
        break;
      }
      connection = made.connection;
    }
    s->active.push_back(connection);
    s->serving[request->exchange] = connection;
    const int after = connection->exchange;
    ending = co_await converse(s, connection, request);
    ending.after = after;
    s->serving.erase(request->exchange);
    std::erase(s->active, connection);
    const bool kept = std::find(s->idle.begin(), s->idle.end(), connection) != s->idle.end();
    if (!kept) connection->stream.close();
    if (s->over) co_return;
    if (s->hung_up.erase(request->exchange) > 0) {
      ending = {"hung up", {}};
      ending.after = after;
      break;
    }
    if (ending.rest.count() > 0) {
      co_await rest(s, request, ending.rest);
      if (s->over) co_return;
      continue;
    }
    // The server may close a kept-alive connection in the moment we use it: that is no answer to
    // this request, which is sent once more on a new one.
    if (!(ending.stale && reused)) break;
    fresh = true;
    request->settled = false;
  }
  s->finish(request->exchange, ending);
  request->settled = true;
  s->changed.notify_all();
}

asio::awaitable<int> begin_exchange(SharedHttp s, RequestPtr request) {
  asio::co_spawn(s->executor, run_exchange(s, request), propagate);
  // Waiting for the write keeps requests in the order they were sent, as far as that is ours to
  // say.
  while (!request->settled && !s->over) {
    const bool notified = co_await s->changed.wait(request->deadline);
    if (!notified) break;
  }
  co_return request->exchange;
}

asio::awaitable<Status> open_connection(SharedHttp s) {
  auto [endpoints, unknown] = co_await resolve(s->executor, s->url);
  if (unknown || endpoints.empty()) {
    co_return Error{"",
                    "cannot reach " + s->url.scheme + "://" + printable(s->url.authority) + ": " +
                        unknown.message(),
                    "check the host name in the url"};
  }
  s->endpoints = std::move(endpoints);
  Connected made = co_await connect(s, Clock::now() + s->limits.open);
  if (made.why && !made.connection) co_return *made.why;
  if (!made.connection) co_return Error{"", "closed by rpcspec", ""};
  made.connection->stream.expires_at(Deadline::max());
  s->give_back(std::move(made.connection));
  co_return Nothing{};
}

asio::awaitable<void> end_now(SharedHttp s) {
  s->end();
  co_return;
}

class HttpTransport final : public Transport, public Exchanges {
 public:
  explicit HttpTransport(SharedHttp s) : s_(std::move(s)) {}
  ~HttpTransport() override { s_->end(); }

  asio::awaitable<Status> open() override { return open_connection(s_); }

  asio::awaitable<int> send(Outgoing outgoing, Deadline deadline) override {
    std::string body;
    for (std::string& text : outgoing.writes)
      if (body.empty())
        body = std::move(text);  // perhaps of megabytes
      else
        body += text;
    auto request = std::make_shared<Request>();
    request->exchange = ++s_->last_exchange;
    request->manner = outgoing.manner;
    request->bytes = request_bytes(s_->url, s_->headers, outgoing.http, body);
    const bool proves = s_->url.possession != nullptr && outgoing.http.header("DPoP") == nullptr;
    if (proves) request->nonce = s_->url.possession->nonce;
    if (proves && outgoing.manner.answers == 1 && !outgoing.manner.expect_continue)
      request->renewed = [url = s_->url, session = s_->headers, http = outgoing.http, body] {
        return request_bytes(url, session, http, body);
      };
    request->expects_body = outgoing.http.method != "HEAD";
    // A caller's own length need not be right; and bodies of other methods are left unread.
    const std::string& method = outgoing.http.method;
    const bool unread = !method.empty() && method != "POST" && !body.empty();
    request->own_length = unread || outgoing.http.header("Content-Length") != nullptr ||
                          outgoing.http.header("Transfer-Encoding") != nullptr;
    if (outgoing.manner.expect_continue && !s_->old) {
      request->bytes.resize(request->bytes.size() - body.size());
      request->withheld = std::move(body);
    }
    request->events = outgoing.events;
    request->deadline = deadline;
    return begin_exchange(s_, std::move(request));
  }

  asio::awaitable<Arrival> receive(Deadline deadline) override {
    return Mailbox::take(s_->box, deadline);
  }

  std::optional<Arrival> poll() override { return s_->box->poll(); }
  void close_input() override {}
  void disconnect(int exchange) override {
    const auto found = s_->serving.find(exchange);
    if (found == s_->serving.end()) return;
    s_->hung_up.insert(exchange);
    found->second->stream.close();
  }
  asio::awaitable<void> shutdown(std::chrono::milliseconds) override { return end_now(s_); }
  void set_headers(std::vector<wire::Header> headers) override { s_->headers = std::move(headers); }
  wire::HttpSession session() const override {
    return {s_->url.scheme + "://" + s_->url.authority + s_->url.target,
            usual_headers(s_->url, s_->headers),
            {}};
  }
  std::string authority() const override { return s_->url.authority; }
  std::string path() const override { return s_->url.target; }
  std::string endpoint() const override { return {}; }
  wire::TransportKind kind() const override { return wire::TransportKind::kHttp; }
  Exchanges* exchanges() override { return this; }
  bool rests() const override { return s_->resting > 0; }

 private:
  SharedHttp s_;
};

}  // namespace

std::unique_ptr<Transport> make_http(asio::any_io_executor executor, Url url,
                                     std::shared_ptr<const TlsContext> tls, const Limits& limits) {
  auto state =
      std::make_shared<HttpState>(std::move(executor), std::move(url), std::move(tls), limits);
  if (limits.courtesy) limits.courtesy->knows(state);
  return std::make_unique<HttpTransport>(std::move(state));
}

}  // namespace harness::transport
