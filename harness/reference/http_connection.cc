// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/http_connection.h"

#include <sys/socket.h>

#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <cstdlib>
#include <sstream>

#include "harness/base/ascii.h"

namespace harness::reference {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using Request = http::request<http::string_body>;

constexpr std::uint32_t kLargestHead = 64u << 10;
constexpr std::size_t kLongBody = 64u << 10;  // for a Fault: no more of a body is sent

// One more as long as it lives.
struct Counted {
  explicit Counted(int& count) : count_(count) { ++count_; }
  ~Counted() { --count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  int& count_;
};

HttpRequest plain(const Request& request) {
  HttpRequest out{std::string(request.method_string()),
                  std::string(request.target()),
                  {},
                  request.body(),
                  request.version() == 11,
                  request.keep_alive(),
                  false};
  for (const auto& field : request)
    out.headers.emplace_back(std::string(field.name_string()), std::string(field.value()));
  return out;
}

}  // namespace

asio::awaitable<std::optional<HttpRequest>> HttpConnection::read() {
  while (true) {
    http::request_parser<http::string_body> parser;
    parser.body_limit(kLargestBody);
    parser.header_limit(kLargestHead);
    bool padded = false;
    if (injector_.counts_blanks()) padded = co_await is_padded();
    auto [error, size] = co_await http::async_read_header(socket_, buffer_, parser, kQuietly);
    const auto expect = parser.get().find("Expect");
    if (!error && expect != parser.get().end() &&
        ascii::equal_ignoring_case(expect->value(), "100-continue") &&
        !faults_.has("expect-continue-ignored")) {
      const std::string go_on = "HTTP/1.1 100 Continue\r\n\r\n";
      co_await write_text(go_on);
    }
    while (!error && traffic_.being_read > 0 && faults_.has("unfinished-body-blocks")) {
      asio::steady_timer turn(socket_.get_executor(), std::chrono::milliseconds(20));
      co_await turn.async_wait(kQuietly);
    }
    if (!error) {
      const Counted reading(traffic_.being_read);
      auto [unread, more] = co_await http::async_read(socket_, buffer_, parser, kQuietly);
      error = unread;
    }
    if (!error) {
      HttpRequest request = plain(parser.get());
      request.padded = padded;
      co_return request;
    }
    if (error == http::error::body_limit) {
      co_await write(problem(413, "The body is too large"), false);
      co_return std::nullopt;
    }
    if (error == http::error::partial_message && faults_.has("unfinished-body-ends")) std::_Exit(1);
    const error_code end = http::error::end_of_stream;
    const bool malformed =
        error.category() == end.category() && error != end && error != http::error::partial_message;
    if (!malformed) {
      ++traffic_.closed;
      co_return std::nullopt;
    }
    co_await write(problem(400, "Bad HTTP"), false);
    if (!skip_to_request()) co_return std::nullopt;
  }
}

// No parser tells.
asio::awaitable<bool> HttpConnection::is_padded() {
  co_await socket_.async_wait(tcp::socket::wait_read, kQuietly);
  char head[4096];
  const auto n = ::recv(socket_.native_handle(), head, sizeof head, MSG_PEEK | MSG_DONTWAIT);
  co_return n > 0 &&
      std::string_view(head, static_cast<std::size_t>(n)).find(":  ") != std::string_view::npos;
}

// For a Fault: what a refused request leaves unread is read as the next one.
bool HttpConnection::skip_to_request() {
  if (!faults_.has("rest-of-bad-request-served")) return false;
  const std::string_view rest(static_cast<const char*>(buffer_.data().data()), buffer_.size());
  const std::size_t next = rest.rfind("POST ");
  if (next == std::string_view::npos) return false;
  buffer_.consume(next);
  return true;
}

asio::awaitable<bool> HttpConnection::write(HttpReply reply, bool keep_alive) {
  http::response<http::string_body> response;
  response.version(11);
  response.result(static_cast<unsigned>(reply.status));
  for (const auto& [name, value] : reply.headers)
    name == "mcp-session-id" ? response.insert(name, value) : response.set(name, value);
  response.body() = std::move(reply.body);
  response.keep_alive(keep_alive);
  if (reply.status != 204) response.content_length(injector_.length_of(response.body()));
  if (reply.status == 202 && keep_alive && faults_.has("http-202-without-length")) {
    response.erase(http::field::content_length);
    std::ostringstream head;
    head << response.base();
    co_return co_await write_text(head.str());
  }
  const bool cut = response.body().size() > kLongBody && faults_.has("http-body-cut-off");
  if (cut) response.body().resize(kLongBody);
  auto [error, size] = co_await http::async_write(socket_, response, kQuietly);
  co_return !error && !cut && keep_alive && !faults_.has("connection-closed-unannounced");
}

asio::awaitable<bool> HttpConnection::write_text(std::string text) {
  auto [error, size] = co_await asio::async_write(socket_, asio::buffer(text), kQuietly);
  co_return !error;
}

void HttpConnection::watch_for_departure(const std::shared_ptr<Waiter>& waiter) {
  if (std::exchange(waiter->watched, true)) return;
  socket_.async_wait(tcp::socket::wait_read, [this, waiter](const error_code& error) {
    // The last reference: the exchange is over and the connection may be gone.
    if (error || waiter.use_count() < 2) return;
    char byte;
    const auto n = ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (n > 0) return;
    waiter->client_gone = true;
    waiter->wake.cancel();
  });
}

void HttpConnection::end() {
  error_code ignored;
  socket_.shutdown(tcp::socket::shutdown_send, ignored);
}

}  // namespace harness::reference
