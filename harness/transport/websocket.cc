// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <deque>
#include <utility>

#include "harness/base/ascii.h"
#include "harness/base/base64.h"
#include "harness/base/os.h"
#include "harness/base/text.h"
#include "harness/transport/address.h"
#include "harness/transport/async_event.h"
#include "harness/transport/awaiting.h"
#include "harness/transport/kinds.h"
#include "harness/transport/mailbox.h"
#include "harness/transport/process.h"
#include "harness/transport/request.h"
#include "harness/transport/stream.h"
#include "harness/transport/websocket_frame.h"

namespace harness::transport {

namespace asio = boost::asio;
using boost::system::error_code;
using std::chrono::milliseconds;
using wire::Channel;
using Kind = WebsocketEvent::Kind;

namespace {

constexpr std::size_t kReadSize = 64u << 10;
constexpr std::size_t kMaxHead = 64u << 10;
constexpr milliseconds kFarewellTakes{1000};
// Pings and pongs without a message between them: so many are told, and after so many we hang up.
constexpr std::size_t kControlsShown = 1000;
constexpr std::size_t kMostControls = 1'000'000;

template <class Number>
Number random_number() {
  Number number{};
  check(os::fill_with_random(&number, sizeof number), "the kernel has random numbers");
  return number;
}

// What the coroutines of one transport share; it outlives the WebsocketTransport until they have
// noticed that the connection was closed.
struct WebSocketState {
  WebSocketState(asio::any_io_executor e, Url u, std::shared_ptr<const TlsContext> t, std::string p,
                 const Limits& l)
      : executor(e), limits(l), url(std::move(u)), tls(std::move(t)), subprotocol(std::move(p)),
        box(std::make_shared<Mailbox>(e, l.max_queue)), reader(l.max_line), changed(std::move(e)) {}

  std::string frame(int opcode, std::string_view payload) {
    // A step of a multiplicative sequence from a random start: the peer cannot choose it.
    mask = mask * 1664525u + 1013904223u;
    return to_bytes({.opcode = opcode, .payload = payload}, mask);
  }

  // The peer closed the connection, or it broke.
  void finish(const std::string& how) {
    if (std::exchange(finished, true)) return;
    box->put(received_frame(Channel::kClose, {how, how.size(), true, {}}));
    box->close(how);
    changed.notify_all();
  }

  // Nothing of the connection remains when this returns; coroutines still to wake up find
  // `finished`.
  void end() {
    finished = true;
    sending = false;
    queue.clear();
    if (stream) stream->close();
    for (const StreamPtr& other : knocking) other->close();
    box->close("closed by rpcspec");
    changed.close();
  }

  asio::any_io_executor executor;
  const Limits limits;
  Url url;
  std::shared_ptr<const TlsContext> tls;
  std::string subprotocol;
  std::shared_ptr<Mailbox> box;
  WebsocketReader reader;
  std::string early;  // what came together with the handshake's answer
  StreamPtr stream;
  asio::ip::tcp::endpoint endpoint;  // of the host, where `stream` got through
  std::vector<StreamPtr> knocking;   // further handshakes
  int last_exchange = 0;
  AsyncEvent changed;  // notified when something was written, and when the connection is over
  struct Write {
    std::string bytes;
    bool last;  // of one send(): only then is the peer between two frames
  };
  std::deque<Write> queue;
  bool between_sends = true;
  std::optional<std::string> pong;  // payload of the last ping that was not answered yet
  std::uint32_t mask = random_number<std::uint32_t>();
  std::uint64_t written = 0;  // of all that was queued, how many are written
  std::uint64_t queued = 0;
  std::size_t controls = 0;  // pings and pongs since the last message
  bool sending = false;      // open for what send() brings
  bool writer_runs = false;
  bool finished = false;
};
using SharedWebSocket = std::shared_ptr<WebSocketState>;

asio::awaitable<void> write_queue(SharedWebSocket s) {
  const StreamPtr stream = s->stream;
  bool just_answered = false;
  while (stream->is_open() && (!s->queue.empty() || s->pong)) {
    std::string bytes;
    // In turns, so that a flood of pings does not hold up what is to be sent.
    const bool answers_ping =
        s->pong && s->between_sends && (s->queue.empty() || !std::exchange(just_answered, true));
    if (answers_ping) {
      bytes = s->frame(opcode::kPong, *s->pong);
      s->pong.reset();
    } else if (s->queue.empty()) {
      break;  // in the middle of a send(): its next write starts us again
    } else {
      bytes = std::move(s->queue.front().bytes);
      s->between_sends = s->queue.front().last;
      s->queue.pop_front();
      just_answered = false;
    }
    const error_code error = co_await stream->write(bytes);
    if (!answers_ping) ++s->written;
    if (error) {
      s->sending = false;  // the reader, who has still to take what came before, notices too
      s->queue.clear();
      s->pong.reset();
    }
    s->changed.notify_all();
  }
  s->writer_runs = false;
}

void start_writer(const SharedWebSocket& s) {
  if (std::exchange(s->writer_runs, true)) return;
  asio::co_spawn(s->executor, write_queue(s), propagate);
}

void enqueue(const SharedWebSocket& s, std::string bytes, bool last = true) {
  s->queue.push_back({std::move(bytes), last});
  ++s->queued;
  start_writer(s);
}

// Our side says goodbye; nothing is sent afterwards.
void say_goodbye(const SharedWebSocket& s, int code) {
  if (!std::exchange(s->sending, false)) return;
  std::string payload;
  payload += static_cast<char>(code >> 8);
  payload += static_cast<char>(code & 0xff);
  enqueue(s, s->frame(opcode::kClose, payload));
}

void deliver(const SharedWebSocket& s, WebsocketEvent event) {
  Piece piece;
  piece.bytes = std::move(event.bytes);
  piece.size = event.size;
  if (event.masked) piece.fault = "the server's frame was masked";
  const Channel channel = event.kind == Kind::kPing   ? Channel::kPing
                          : event.kind == Kind::kPong ? Channel::kPong
                                                      : Channel::kSocket;
  wire::Frame frame = received_frame(channel, std::move(piece));
  if (event.binary) {
    if (!frame.head) frame.head.emplace();
    frame.head->headers.push_back({"opcode", "binary"});
  }
  s->box->put(std::move(frame));
}

// How the connection ended, when it did.
std::optional<std::string> take(const SharedWebSocket& s, std::string_view chunk) {
  s->reader.give(chunk);
  while (auto event = s->reader.next()) {
    switch (event->kind) {
      case Kind::kMessage:
        s->controls = 0;
        deliver(s, std::move(*event));
        break;
      case Kind::kPing:
        // RFC 6455 §5.5.3: only the most recent of several pings needs an answer.
        s->pong = event->bytes;
        start_writer(s);
        [[fallthrough]];
      case Kind::kPong:
        if (++s->controls > kMostControls) return "too big: control frames and no message";
        if (s->controls <= kControlsShown) deliver(s, std::move(*event));
        break;
      case Kind::kClose: {
        say_goodbye(s, event->code == 0 ? 1000 : event->code);
        std::string how = event->code == 0 ? "close" : "close " + std::to_string(event->code);
        if (!event->bytes.empty()) how += " " + printable(event->bytes);
        return how;
      }
      case Kind::kBroken:
        say_goodbye(s, event->code);
        return (event->code == 1009 ? "too big: " : "protocol error: ") + event->bytes;
    }
  }
  return std::nullopt;
}

asio::awaitable<void> read_messages(SharedWebSocket s) {
  const StreamPtr stream = s->stream;
  std::vector<char> buffer(kReadSize);
  std::optional<std::string> how = take(s, s->early);
  while (!how) {
    if (!s->box->has_room()) {
      const bool room = co_await Mailbox::room(s->box, Deadline::max());
      if (!room) co_return;
    }
    auto [error, n] = co_await stream->read_some(asio::buffer(buffer));
    if (s->finished) co_return;
    if (error) {
      how = error == asio::error::eof ? "eof" : "reset";
      if (s->reader.in_the_middle()) *how += " inside a message";
      break;
    }
    how = take(s, {buffer.data(), n});
  }
  s->finish(*how);
  // The goodbye is worth a moment, not more.
  const Deadline farewell = Clock::now() + kFarewellTakes;
  while (s->writer_runs && stream->is_open()) {
    const bool notified = co_await s->changed.wait(farewell);
    if (!notified) break;
  }
  s->sending = false;
  stream->close();
}

// ---- the handshake

struct UpgradeReply {
  wire::HttpHead head;
  std::string text;  // of the head
  std::string rest;  // what followed it
};

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

// nullopt: not HTTP.
std::optional<wire::HttpHead> parse_head(std::string_view text) {
  wire::HttpHead head;
  if (!text.starts_with("HTTP/1.") || text.size() < 12 || text[8] != ' ') return std::nullopt;
  for (const char c : text.substr(9, 3)) {
    if (c < '0' || c > '9') return std::nullopt;
    head.status = head.status * 10 + (c - '0');
  }
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    head.headers.push_back(
        {std::string(line.substr(0, colon)), std::string(without_blanks(line.substr(colon + 1)))});
  }
  return head;
}

Error refused(const Url& url, const std::string& what, const std::string& remedy) {
  return {"", url.scheme + "://" + printable(url.authority) + printable(url.target) + " " + what,
          remedy};
}

asio::awaitable<Result<UpgradeReply>> read_answer(SharedWebSocket s, StreamPtr stream) {
  std::string text;
  std::vector<char> buffer(4096);
  for (;;) {
    auto [error, n] = co_await stream->read_some(asio::buffer(buffer));
    if (error == asio::error::timed_out) {
      co_return refused(s->url, "did not finish the WebSocket handshake in time",
                        "check that the server speaks WebSocket there");
    }
    if (error) {
      co_return refused(s->url,
                        "closed the connection during the WebSocket handshake: " + error.message(),
                        "check that the server speaks WebSocket there, and the scheme of the url");
    }
    text.append(buffer.data(), n);
    const std::size_t end = text.find("\r\n\r\n");
    if (end == std::string::npos && text.size() < kMaxHead) continue;
    auto head = parse_head(std::string_view(text).substr(0, end));
    if (!head || end == std::string::npos) {
      co_return refused(s->url, "answered the WebSocket handshake with something that is not HTTP",
                        "check the port");
    }
    UpgradeReply answer;
    answer.head = std::move(*head);
    answer.text = text.substr(0, end);
    answer.rest = text.substr(end + 4);
    co_return answer;
  }
}

Status judge_answer(const Url& url, const wire::HttpHead& head) {
  if (head.status == 401 || head.status == 403) {
    const Error why = target::refused_credentials(!url.credentials.empty(), head.status,
                                                  head.header("WWW-Authenticate"));
    return Error{"", why.what + " to the WebSocket handshake", why.remedy};
  }
  if (head.status != 101) {
    const std::string* location = head.header("Location");
    const bool elsewhere = head.status / 100 == 3 && location != nullptr;
    return refused(url,
                   "answered the WebSocket handshake with HTTP " + std::to_string(head.status) +
                       (elsewhere ? " to " + printable(*location) +
                                        ", which rpcspec does not "
                                        "follow"
                                  : ""),
                   elsewhere ? "write that address as the url if it is the server's"
                             : "check the path of the url, and that the server takes WebSocket "
                               "connections there");
  }
  const std::string* upgrade = head.header("Upgrade");
  if (upgrade == nullptr || !ascii::equal_ignoring_case(*upgrade, "websocket"))
    return refused(url, "switched to something that is not WebSocket", "check the path of the url");
  if (head.header("Sec-WebSocket-Extensions") != nullptr) {
    return refused(url, "chose a WebSocket extension that was not offered",
                   "a client must close the connection here; fix the server");
  }
  return Nothing{};
}

// What is wrong with the Sec-WebSocket-Accept of an answer that switches to WebSocket; "": nothing.
// A client has to hang up then.
std::string wrong_accept(const wire::HttpHead& head, const std::string& key) {
  const std::string* accept = head.header("Sec-WebSocket-Accept");
  const std::string right = websocket_accept(key);
  if (accept != nullptr && *accept == right) return "";
  return "the Sec-WebSocket-Accept " + right + " for the key " + key;
}

std::string new_key() {
  const auto nonce = random_number<std::array<char, 16>>();
  return to_base64({nonce.data(), nonce.size()});
}

// `changes` go before the headers of a lawful handshake.
std::string handshake(const WebSocketState& s, const std::string& key, wire::HttpHead changes) {
  std::vector<wire::Header> lawful = {{"Accept", std::string(1, '\0')},
                                      {"Upgrade", "websocket"},
                                      {"Connection", "Upgrade"},
                                      {"Sec-WebSocket-Key", key},
                                      {"Sec-WebSocket-Version", "13"}};
  if (!s.subprotocol.empty()) lawful.push_back({"Sec-WebSocket-Protocol", s.subprotocol});
  changes.method = "GET";
  return request_bytes(s.url, lawful, changes, {});
}

asio::awaitable<Status> start(SharedWebSocket s) {
  check(s->stream == nullptr, "a websocket transport is opened once");
  ignore_broken_pipes();
  auto [endpoints, unknown] = co_await resolve(s->executor, s->url);
  if (unknown || endpoints.empty()) {
    s->box->close("unreachable");
    co_return Error{"",
                    "cannot reach " + s->url.scheme + "://" + printable(s->url.authority) + ": " +
                        unknown.message(),
                    "check the host name in the url"};
  }
  const Deadline deadline = Clock::now() + s->limits.open;
  std::optional<Error> first;
  bool connected = false;
  for (std::size_t i = 0; i < endpoints.size() && !connected; ++i) {
    s->stream = std::make_shared<Stream>(s->executor, s->tls);
    const StreamPtr stream = s->stream;
    stream->expires_at(deadline);
    s->endpoint = endpoints[i];
    const error_code error = co_await stream->connect(s->endpoint);
    if (s->finished) co_return Error{"", "closed by rpcspec", ""};
    connected = !error;
    if (error && !first) first = cannot_reach(s->url, *stream, error);
  }
  if (!connected) {
    s->box->close("unreachable");
    co_return *first;
  }
  const StreamPtr stream = s->stream;
  const std::string key = new_key();
  const std::string request = handshake(*s, key, {});
  // An error shows up in the reader, which may still find an answer.
  co_await stream->write(request);
  auto answer = co_await read_answer(s, stream);
  if (s->finished) co_return Error{"", "closed by rpcspec", ""};
  Status judged = answer ? judge_answer(s->url, answer->head) : Status(answer.error());
  if (!judged) {
    stream->close();
    s->box->close("unreachable");
    co_return judged;
  }
  if (std::string right = wrong_accept(answer->head, key); !right.empty()) {
    // That is told by what came, like all that is wrong with a server.
    const std::size_t size = answer->text.size();
    wire::Frame frame =
        received_frame(Channel::kHttp, {std::move(answer->text), size, false, std::move(right)});
    s->box->put(std::move(frame));
    stream->close();
    s->finish("closed by rpcspec: the wrong Sec-WebSocket-Accept");
    co_return Nothing{};
  }
  stream->expires_at(Deadline::max());
  s->early = std::move(answer->rest);
  s->sending = true;
  asio::co_spawn(s->executor, read_messages(s), propagate);
  co_return Nothing{};
}

// Another opening handshake, of which nothing but the answer is wanted.
asio::awaitable<void> knock(SharedWebSocket s, int exchange, wire::HttpHead head,
                            Deadline deadline) {
  const StreamPtr stream = std::make_shared<Stream>(s->executor, s->tls);
  s->knocking.push_back(stream);
  stream->expires_at(deadline);
  error_code error = co_await stream->connect(s->endpoint);
  if (!error) {
    const std::string request = handshake(*s, new_key(), std::move(head));
    co_await stream->write(request);
  }
  std::string how = error ? "refused" : "eof";
  if (!error) {
    auto answer = co_await read_answer(s, stream);
    if (answer) {
      wire::Frame frame;
      frame.channel = Channel::kHttp;
      frame.direction = wire::Direction::kReceived;
      frame.exchange = exchange;
      frame.head = std::move(answer->head);
      s->box->put(std::move(frame));
      how = "end";
    }
  }
  stream->close();
  std::erase(s->knocking, stream);
  wire::Frame end = received_frame(Channel::kClose, {how, how.size(), true, {}});
  end.exchange = exchange;
  s->box->put(std::move(end));
}

asio::awaitable<int> begin_knock(SharedWebSocket s, wire::HttpHead head, Deadline deadline) {
  const int exchange = ++s->last_exchange;
  asio::co_spawn(s->executor, knock(s, exchange, std::move(head), deadline), propagate);
  co_return exchange;
}

// What is not written by the deadline stops all sending: half a frame has gone out.
asio::awaitable<int> write_all(SharedWebSocket s, std::vector<std::string> writes,
                               Deadline deadline) {
  if (!s->sending) co_return 0;
  for (std::size_t i = 0; i < writes.size(); ++i)
    enqueue(s, std::move(writes[i]), i + 1 == writes.size());
  const std::uint64_t mine = s->queued;
  while (s->sending && !s->finished && s->written < mine) {
    const bool notified = co_await s->changed.wait(deadline);
    if (notified) continue;
    if (s->written < mine && Clock::now() >= deadline) {
      s->sending = false;
      s->queue.clear();
    }
    break;
  }
  co_return 0;
}

asio::awaitable<void> shut_down(SharedWebSocket s, milliseconds grace) {
  const Deadline deadline = Clock::now() + grace;
  s->box->say_farewell();
  if (s->stream != nullptr) say_goodbye(s, 1000);
  while (s->stream != nullptr && s->stream->is_open() && !s->finished) {
    const bool notified = co_await s->changed.wait(deadline);
    if (!notified) break;
  }
  s->finish("closed by rpcspec");
  s->sending = false;
  if (s->stream != nullptr) s->stream->close();
}

class WebsocketTransport final : public Transport, public Upgrades {
 public:
  explicit WebsocketTransport(SharedWebSocket s) : s_(std::move(s)) {}
  ~WebsocketTransport() override { s_->end(); }

  asio::awaitable<Status> open() override { return start(s_); }

  asio::awaitable<int> send(Outgoing outgoing, Deadline deadline) override {
    return write_all(s_, std::move(outgoing.writes), deadline);
  }

  asio::awaitable<int> upgrade(wire::HttpHead head, Deadline deadline) override {
    return begin_knock(s_, std::move(head), deadline);
  }

  asio::awaitable<Arrival> receive(Deadline deadline) override {
    return Mailbox::take(s_->box, deadline);
  }

  std::optional<Arrival> poll() override { return s_->box->poll(); }
  void close_input() override { say_goodbye(s_, 1000); }
  asio::awaitable<void> shutdown(milliseconds grace) override { return shut_down(s_, grace); }
  wire::TransportKind kind() const override { return wire::TransportKind::kWebSocket; }
  Upgrades* upgrades() override { return this; }
  std::string frame(std::string_view text) const override { return s_->frame(opcode::kText, text); }

 private:
  SharedWebSocket s_;
};

}  // namespace

std::unique_ptr<Transport> make_websocket(asio::any_io_executor executor, Url url,
                                          std::shared_ptr<const TlsContext> tls,
                                          std::string subprotocol, const Limits& limits) {
  auto state = std::make_shared<WebSocketState>(std::move(executor), std::move(url), std::move(tls),
                                                std::move(subprotocol), limits);
  return std::make_unique<WebsocketTransport>(std::move(state));
}

}  // namespace harness::transport
