// SPDX-License-Identifier: Apache-2.0
// transport/http, over a real connection: a peer in the same loop answers a request with the input.
//
//   1. The exchange ends, with one of the words of transport/README.md, and never because nobody
//      noticed that the peer had gone.
//   2. Frames belong to the exchange, are whole only in an exchange that ended well, and are
//   bounded.
//   3. The same frames however the answer was cut into writes. Only the word for what is no head
//   may
//      differ: Beast looks at some of it when more has come.
//
// The first line of an input holds letters, and is the seed of the writes: H asks with HEAD, E
// reads the body as events, W withholds the body of the request.
#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <exception>

#include "fuzz/targets/property.h"
#include "harness/transport/kinds.h"
#include "harness/transport/transport.h"

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace harness;
using fuzz::hold;
using transport::Clock;

namespace {

constexpr std::size_t kMaxLine = 4096;
constexpr auto kQuietly = asio::as_tuple(asio::use_awaitable);

using Writes = std::vector<std::string_view>;

// Answers once, to whoever asks first; those who connect and say nothing are let go with the rest.
asio::awaitable<void> answer(std::shared_ptr<tcp::socket> socket, const Writes& writes) {
  std::string request;
  auto buffer = asio::dynamic_buffer(request);
  auto [no_request, head_size] =
      co_await asio::async_read_until(*socket, buffer, "\r\n\r\n", kQuietly);
  if (no_request) co_return;
  for (const std::string_view piece : writes) {
    const auto bytes = asio::buffer(piece.data(), piece.size());
    auto [not_written, written] = co_await asio::async_write(*socket, bytes, kQuietly);
    if (not_written) co_return;
  }
  boost::system::error_code ignored;
  socket->shutdown(tcp::socket::shutdown_send, ignored);
  // Until the other side has read all and hangs up: closing earlier could reset the connection.
  for (;;) {
    request.resize(512);
    const auto rest = asio::buffer(request);
    auto [over, n] = co_await socket->async_read_some(rest, kQuietly);
    if (over) co_return;
  }
}

asio::awaitable<void> listen(tcp::acceptor& acceptor, const Writes& writes) {
  for (;;) {
    auto [error, socket] = co_await acceptor.async_accept(kQuietly);
    if (error) co_return;
    auto shared = std::make_shared<tcp::socket>(std::move(socket));
    boost::system::error_code ignored;
    shared->set_option(tcp::no_delay(true), ignored);
    asio::co_spawn(acceptor.get_executor(), answer(std::move(shared), writes), asio::detached);
  }
}

asio::awaitable<void> ask(transport::Transport& http, transport::Outgoing outgoing,
                          std::vector<wire::Frame>& out) {
  const Status opened = co_await http.open();
  hold(static_cast<bool>(opened), "the peer listens");
  const auto deadline = Clock::now() + std::chrono::seconds(10);
  const int exchange = co_await http.send(std::move(outgoing), deadline);
  hold(exchange == 1, "the first exchange");
  for (bool over = false; !over;) {
    transport::Arrival arrival = co_await http.receive(deadline);
    auto* frame = std::get_if<wire::Frame>(&arrival);
    hold(frame != nullptr, "an exchange ends");
    over = frame->channel == wire::Channel::kClose;
    out.push_back(std::move(*frame));
  }
  hold(!http.poll(), "nothing comes after the end");
}

std::vector<wire::Frame> frames_of(const transport::Outgoing& outgoing, const Writes& writes) {
  static asio::io_context loop(1);
  loop.restart();
  tcp::acceptor acceptor(loop, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  const auto url = transport::parse_url(
      "http://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port()) + "/mcp");
  transport::Limits limits;
  limits.max_line = kMaxLine;
  auto http = transport::make_http(loop.get_executor(), *url, nullptr, limits);
  std::vector<wire::Frame> out;
  asio::co_spawn(loop, listen(acceptor, writes), asio::detached);
  std::exception_ptr failure;
  asio::co_spawn(loop, ask(*http, outgoing, out), [&](std::exception_ptr error) {
    failure = error;
    http.reset();
    acceptor.close();
  });
  loop.run();
  if (failure) std::rethrow_exception(failure);
  return out;
}

void check(const std::vector<wire::Frame>& frames) {
  constexpr std::string_view kWords[] = {"end", "reset", "eof", "bad-response", "too-long"};
  const std::string& word = frames.back().bytes;
  hold(std::count(std::begin(kWords), std::end(kWords), word) == 1, "it ends with a known word",
       word);
  hold(frames.back().head.has_value() || word == "end", "a failure has a reason", word);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const wire::Frame& frame = frames[i];
    hold(frame.exchange == 1 && frame.direction == wire::Direction::kReceived, "of the exchange");
    hold(frame.bytes.size() <= kMaxLine, "a frame is bounded");
    hold(frame.bytes.size() == std::min<std::uint64_t>(frame.size, kMaxLine), "cut at the limit");
    if (frame.channel == wire::Channel::kHttp) {
      hold(i == 0 && frame.head.has_value(), "an answer has one head");
      hold(frame.head->status >= 0 && frame.head->status <= 999, "a status has three digits");
      hold(!frame.unframed || word != "end", "a body is whole when the exchange ended well");
    } else if (frame.channel == wire::Channel::kSse) {
      hold(i > 0 && frames[0].channel == wire::Channel::kHttp, "events come after the head");
    } else {
      hold(frame.channel == wire::Channel::kClose && i + 1 == frames.size(), "and one end");
    }
  }
}

std::string told(const wire::Frame& frame) {
  std::string out = std::string(wire::channel_name(frame.channel)) + " " + frame.bytes + " " +
                    std::to_string(frame.size) + (frame.unframed ? " unframed" : "");
  if (!frame.head) return out;
  out += " " + std::to_string(frame.head->status);
  for (const auto& header : frame.head->headers) out += "\n" + header.name + ": " + header.value;
  return out;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view text = fuzz::text_of(bytes, size);
  const std::string_view settings = fuzz::take_line(text);
  const auto asked = [&](char c) { return settings.find(c) != std::string_view::npos; };
  transport::Outgoing outgoing;
  outgoing.writes = {R"({"jsonrpc":"2.0","id":1,"method":"ping"})"};
  if (asked('H')) outgoing.http.method = "HEAD";
  outgoing.events = asked('E');
  outgoing.manner.expect_continue = asked('W');

  const auto whole = frames_of(outgoing, {text});
  check(whole);
  Writes writes = fuzz::cut(text, settings);
  if (writes.size() > 16) {  // each costs a turn of the loop
    const auto* rest = writes[15].data();
    writes.resize(16);
    writes[15] = {rest, static_cast<std::size_t>(text.data() + text.size() - rest)};
  }
  const auto chunked = frames_of(outgoing, writes);
  check(chunked);
  if (whole.size() == 1 && chunked.size() == 1) return 0;
  hold(whole.size() == chunked.size(), "writes do not change how many frames there are");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    hold(told(whole[i]) == told(chunked[i]), "writes do not change a frame",
         told(whole[i]) + "\n---\n" + told(chunked[i]));
  }
  return 0;
}
