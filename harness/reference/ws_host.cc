// SPDX-License-Identifier: Apache-2.0
// One thread, one coroutine that reads and one that writes for a connection. A Session says when it
// has something to say of itself; a timer of its own waits for that.
#include <boost/asio.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "harness/reference/auth_guard.h"
#include "harness/reference/hosting.h"
#include "harness/reference/hosts.h"
#include "harness/reference/ws_rules.h"

namespace harness::reference {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kReadBlock = 256 * 1024;
constexpr std::size_t kLargestMessage = 64u << 20;
constexpr std::size_t kLargestUpgrade = 64 * 1024;

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Server& server, tcp::socket socket)
      : faults_(server.faults), guard_(server.auth, server.faults), session_(server),
        socket_(std::move(socket)), ticker_(socket_.get_executor()),
        output_waits_(socket_.get_executor(), asio::steady_timer::time_point::max()) {}

  // The whole life of it.
  asio::awaitable<void> live() {
    const auto self = shared_from_this();
    std::vector<char> block(kReadBlock);
    asio::co_spawn(
        socket_.get_executor(), [self] { return self->write_all(); }, asio::detached);
    while (!saying_goodbye_) {
      auto [error, n] = co_await socket_.async_read_some(asio::buffer(block), kQuietly);
      if (error) break;
      input_.append(block.data(), n);
      if (!open_) take_handshake();
      if (open_) take_frames();
      pump();
    }
    ticker_.cancel();
    saying_goodbye_ = true;
    output_waits_.cancel();
  }

 private:
  asio::awaitable<void> write_all() {
    const auto self = shared_from_this();
    while (true) {
      if (output_.empty()) {
        if (saying_goodbye_) break;
        co_await output_waits_.async_wait(kQuietly);
        continue;
      }
      const std::string bytes = std::exchange(output_, {});
      auto [error, n] = co_await asio::async_write(socket_, asio::buffer(bytes), kQuietly);
      if (error) break;
    }
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
    socket_.close(ignored);
  }

  void say(std::string bytes) {
    output_ += bytes;
    output_waits_.cancel();
  }

  void take_handshake() {
    const std::size_t end = input_.find("\r\n\r\n");
    if (end == std::string::npos) {
      saying_goodbye_ = input_.size() > kLargestUpgrade;
      return;
    }
    const HttpRequest request = ws::request_of(std::string_view(input_).substr(0, end));
    ws::UpgradeAnswer answer =
        ws::answer_handshake(std::string_view(input_).substr(0, end), faults_);
    if (const auto refusal = guard_.answer(request)) {
      answer = {"HTTP/1.1 " + std::to_string(refusal->status) + " Refused\r\n", false};
      for (const auto& [name, value] : refusal->headers)
        answer.text += name + ": " + value + "\r\n";
      answer.text += "Content-Length: " + std::to_string(refusal->body.size()) +
                     "\r\nConnection: close\r\n\r\n" + refusal->body;
    }
    if (faults_.has("ws-one-connection") && !newest_.expired())
      answer = {"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", false};
    input_.erase(0, end + 4);
    open_ = answer.open;
    if (open_) newest_ = weak_from_this();
    saying_goodbye_ = !open_;
    say(std::move(answer.text));
  }

  void take_frames() {
    while (!saying_goodbye_) {
      if (!head_) {
        head_ = ws::take_head(input_);
        if (!head_) return;
        if (const int code = ws::refusal(*head_, in_message_, faults_)) return disconnect(code);
      }
      if (input_.size() < head_->size) return;
      std::string payload = input_.substr(0, head_->size);
      input_.erase(0, head_->size);
      for (std::size_t i = 0; head_->masked && i < payload.size(); ++i)
        payload[i] = static_cast<char>(payload[i] ^ head_->mask[i % 4]);
      const ws::Head head = *std::exchange(head_, std::nullopt);
      if (head.opcode >= ws::kClose)
        take_control(head.opcode, payload);
      else if (head.opcode <= ws::kBinary)
        take_data(head, std::move(payload));
    }
  }

  void take_control(int opcode, const std::string& payload) {
    if (opcode == ws::kPing) {
      if (in_message_ && faults_.has("ws-ping-breaks-message")) message_.clear();
      if (faults_.has("ws-no-pong")) return;
      if (session_.has_open_calls() && faults_.has("ws-no-pong-when-busy")) return;
      const bool wrong = faults_.has("ws-pong-wrong-payload");
      say(ws::frame(ws::kPong, wrong ? "pong" : payload, faults_));
    }
    if (opcode == ws::kPong && in_message_ && faults_.has("ws-pong-breaks-message"))
      message_.clear();
    if (opcode != ws::kClose) return;
    if (const int code = ws::refusal_of_close(payload, faults_)) return disconnect(code);
    if (faults_.has("ws-close-ignored")) return;
    say(ws::frame(ws::kClose, payload.substr(0, 2), faults_));
    saying_goodbye_ = true;
  }

  void take_data(const ws::Head& head, std::string payload) {
    if (head.opcode != ws::kContinuation) is_text_ = head.opcode == ws::kText;
    if (faults_.has("ws-fragments-not-joined")) return take_message(payload);
    if (message_.size() + payload.size() > kLargestMessage) return disconnect(ws::kTooBig);
    if (head.opcode != ws::kContinuation) lost_ = payload.empty() && !head.last;
    message_ += payload;
    in_message_ = !head.last;
    if (!head.last) return;
    const std::string whole = std::exchange(message_, {});
    if (lost_ && faults_.has("planted-empty-fragment")) session_.server.memory.deaf = true;
    take_message(whole);
  }

  void take_message(const std::string& text) {
    if (const int code = ws::refusal_of_message(is_text_, text, faults_)) return disconnect(code);
    session_.receive(text, 0, clock_now());
    if (session_.exit_status) std::_Exit(*session_.exit_status);
  }

  void disconnect(int code) {
    const char payload[2] = {static_cast<char>(code >> 8), static_cast<char>(code & 0xff)};
    pump();
    say(ws::frame(ws::kClose, {payload, 2}, faults_));
    saying_goodbye_ = true;
  }

  // Of a message that this connection has to say: itself, but for Faults.
  std::shared_ptr<Connection> receiver(const Outgoing& message) {
    const bool strays =
        message.final ? faults_.has("ws-replies-to-newest") : faults_.has("ws-notifies-newest");
    const auto newest = newest_.lock();
    return strays && newest ? newest : shared_from_this();
  }

  // Sends what the session has to say, and sets the clock for what it will have to say.
  void pump() {
    if (session_.has_output()) {
      for (const Outgoing& one : session_.take_outbox()) {
        if (one.bytes.empty()) continue;
        const bool twice = one.bytes.find("\"tools\":[") != std::string::npos &&
                           faults_.has("ws-two-in-a-message");
        const bool wrapped =
            one.bytes.find("\"tools\":[") != std::string::npos && faults_.has("ws-list-wrapped");
        const std::string text = twice     ? one.bytes + one.bytes
                                 : wrapped ? R"({"type":"reply","message":)" + one.bytes + "}"
                                           : one.bytes;
        receiver(one)->say(ws::frame(ws::kText, text, faults_));
      }
    }
    const auto due = session_.next_due();
    if (!due || saying_goodbye_) return;
    ticker_.expires_after(std::chrono::microseconds(std::max<Micros>(0, *due - clock_now())));
    ticker_.async_wait([self = shared_from_this()](const error_code& error) {
      if (error || self->saying_goodbye_) return;
      self->session_.advance(clock_now());
      if (self->session_.exit_status) std::_Exit(*self->session_.exit_status);
      self->pump();
    });
  }

  const Faults& faults_;
  AuthGuard guard_;
  Session session_;
  tcp::socket socket_;
  asio::steady_timer ticker_;
  asio::steady_timer output_waits_;
  std::string input_;
  std::string output_;
  bool open_ = false;  // the handshake is done
  bool saying_goodbye_ = false;
  std::optional<ws::Head> head_;
  bool lost_ = false;  // the first fragment was empty
  bool in_message_ = false;
  bool is_text_ = true;
  std::string message_;                             // its fragments so far
  static inline std::weak_ptr<Connection> newest_;  // that was opened last
};

}  // namespace

int serve_websocket(Server& server, const AcceptorOptions& options) {
  asio::io_context io{1};
  auto acceptor = Acceptor::open(io, options);
  if (!acceptor) {
    std::fprintf(stderr, "%s\n", acceptor.error().text().c_str());
    return 3;
  }
  std::fprintf(stderr, "listening on %s://127.0.0.1:%d/mcp\n", (*acceptor)->tls() ? "wss" : "ws",
               (*acceptor)->port());
  (*acceptor)->serve([&](tcp::socket socket) {
    auto connection = std::make_shared<Connection>(server, std::move(socket));
    asio::co_spawn(
        io, [connection] { return connection->live(); }, asio::detached);
  });
  io.run();
  return 0;
}

}  // namespace harness::reference
