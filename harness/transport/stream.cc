// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/stream.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "harness/base/text.h"
#include "harness/transport/awaiting.h"
#include "harness/transport/timer.h"

namespace harness::transport {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

void acknowledge_at_once(int descriptor) {
  const int on = 1;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
}

// The timer's handler shares it, so a Stream may go while the handler is on its way.
struct Stream::State : std::enable_shared_from_this<Stream::State> {
  State(asio::any_io_executor executor, std::shared_ptr<const TlsContext> context)
      : socket(executor), timer(std::move(executor)), tls(std::move(context)) {}

  // The timer is moved only when it would ring too late: an early ring looks again.
  void watch() {
    if (deadline == Deadline::max() || (watching && timer.expiry() <= deadline)) return;
    timer.expires_at(deadline);
    watching = true;
    timer.async_wait([self = shared_from_this()](const error_code& error) {
      if (error) return;
      self->watching = false;
      if (Clock::now() < self->deadline) return self->watch();
      self->timed_out = true;
      error_code ignored;
      self->socket.close(ignored);
    });
  }

  error_code seen(error_code error) const {
    return error && timed_out ? error_code(asio::error::timed_out) : error;
  }

  tcp::socket socket;
  Timer timer;
  std::shared_ptr<const TlsContext> tls;
  std::unique_ptr<TlsLayer> layer;
  Deadline deadline = Deadline::max();
  bool watching = false;
  bool timed_out = false;
};

Stream::Stream(asio::any_io_executor executor, std::shared_ptr<const TlsContext> tls)
    : s_(std::make_shared<State>(std::move(executor), std::move(tls))) {}

Stream::~Stream() { close(); }

asio::awaitable<error_code> Stream::connect(tcp::endpoint endpoint) {
  auto s = s_;
  auto [refused] = co_await s->socket.async_connect(endpoint, kToken);
  if (refused) co_return s->seen(refused);
  error_code ignored;
  s->socket.set_option(tcp::no_delay(true), ignored);
  ::fcntl(s->socket.native_handle(), F_SETFD, FD_CLOEXEC);
  if (s->tls == nullptr) co_return error_code();
  s->layer = s->tls->layer(s->socket);
  const error_code failed = co_await s->layer->handshake();
  const error_code seen = s->seen(failed);
  if (seen) trouble_ = s->layer->trouble(seen);
  co_return seen;
}

asio::awaitable<std::pair<error_code, std::size_t>> Stream::read_some(asio::mutable_buffer room) {
  auto s = s_;
  if (s->socket.is_open()) acknowledge_at_once(s->socket.native_handle());
  if (s->layer != nullptr) {
    auto [error, size] = co_await s->layer->read_some(room);
    co_return std::pair(s->seen(error), size);
  }
  auto [error, size] = co_await s->socket.async_read_some(room, kToken);
  co_return std::pair(s->seen(error), size);
}

asio::awaitable<error_code> Stream::write(std::string_view bytes) {
  auto s = s_;
  if (s->layer != nullptr) {
    const error_code error = co_await s->layer->write(bytes);
    co_return s->seen(error);
  }
  auto [error, size] =
      co_await asio::async_write(s->socket, asio::buffer(bytes.data(), bytes.size()), kToken);
  co_return s->seen(error);
}

void Stream::expires_at(Deadline deadline) {
  s_->deadline = deadline;
  s_->watch();
}

void Stream::close() {
  error_code ignored;
  s_->socket.close(ignored);
  s_->deadline = Deadline::max();
  s_->timer.cancel();
}

bool Stream::is_open() const { return s_->socket.is_open(); }

bool Stream::still_quiet() {
  const int descriptor = s_->socket.native_handle();
  if (s_->layer != nullptr) {
    // Session tickets may wait to be read; they are no message of the server.
    pollfd seen = {descriptor, POLLRDHUP, 0};
    return ::poll(&seen, 1, 0) == 0;
  }
  char byte = 0;
  const auto n = ::recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

std::string Stream::unread(std::size_t limit) const {
  if (s_->layer != nullptr) return "";
  std::string bytes(limit, '\0');
  const auto n =
      ::recv(s_->socket.native_handle(), bytes.data(), bytes.size(), MSG_PEEK | MSG_DONTWAIT);
  bytes.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return bytes;
}

Error cannot_reach(const Url& url, const Stream& stream, const error_code& error) {
  const std::string what = "cannot reach " + url.scheme + "://" + printable(url.authority) + ": ";
  if (stream.trouble()) return {"", what + stream.trouble()->what, stream.trouble()->remedy};
  if (error == asio::error::connection_refused) {
    return {"", what + "nothing listens there", "start the server, or check the port in the url"};
  }
  return {"", what + error.message(), "check the address and that the server runs"};
}

}  // namespace harness::transport
