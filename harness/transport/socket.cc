// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/text.h"
#include "harness/transport/address.h"
#include "harness/transport/async_event.h"
#include "harness/transport/awaiting.h"
#include "harness/transport/framing.h"
#include "harness/transport/kinds.h"
#include "harness/transport/mailbox.h"
#include "harness/transport/process.h"
#include "harness/transport/stream.h"
#include "harness/transport/writer.h"

namespace harness::transport {

namespace asio = boost::asio;
using std::chrono::milliseconds;
using wire::Channel;

namespace {

// What the coroutines of one transport share; it outlives the SocketTransport until they have
// noticed that the socket was closed.
struct SocketState {
  SocketState(asio::any_io_executor e, const target::Target& target, const Limits& l)
      : executor(e), limits(l), url(target.url), kind(target.transport()),
        framing(framing_of(target.framing)), read_size(target.buffer_size), stream(e),
        box(std::make_shared<Mailbox>(e, l.max_queue)), messages(framing.splitter(l.max_line)),
        gone(e), writer(std::move(e)) {}

  void take(std::string_view chunk) {
    messages->give(chunk);
    while (auto piece = messages->next())
      box->put(received_frame(Channel::kSocket, std::move(*piece)));
  }

  // Ends the connection, and not the transport: the next message gets another.
  void drop() {
    ++connections;
    if (auto piece = messages->rest())
      box->put(received_frame(Channel::kSocket, std::move(*piece)));
    close();
  }

  // The peer closed its side, or the connection broke.
  void finish(const std::string& how) {
    if (std::exchange(finished, true)) return;
    if (auto piece = messages->rest())
      box->put(received_frame(Channel::kSocket, std::move(*piece)));
    box->put(received_frame(Channel::kClose, {how, how.size(), true, {}}));
    box->close(how);
    close();
  }

  void close_input() {
    if (!writer.is_open()) return;
    writer.close();
    ::shutdown(stream.native_handle(), SHUT_WR);
  }

  void close() {
    writer.close();
    boost::system::error_code ignored;
    stream.close(ignored);
    gone.notify_all();
  }

  // Nothing of the connection remains when this returns; coroutines still to wake up find
  // `finished`.
  void end() {
    finished = true;
    close();
    box->close("closed by rpcspec");
    gone.close();
  }

  asio::any_io_executor executor;
  const Limits limits;
  std::string url;
  wire::TransportKind kind;
  const Framing& framing;
  std::size_t read_size;
  Writer::Stream stream;
  std::shared_ptr<Mailbox> box;
  std::unique_ptr<Splitter> messages;
  AsyncEvent gone;  // notified when the peer has closed
  Writer writer;
  bool finished = false;
  bool one_each = false;  // see Transport::take_one_each()
  bool used = false;      // a message was sent on the connection
  int connections = 0;    // that were dropped
};

using SharedSocket = std::shared_ptr<SocketState>;

asio::awaitable<void> read_messages(SharedSocket s) {
  std::vector<char> buffer(s->read_size);
  const int own = s->connections;
  for (;;) {
    if (!s->box->has_room()) {
      const bool room = co_await Mailbox::room(s->box, Deadline::max());
      if (!room || own != s->connections) co_return;
    }
    auto [error, n] = co_await s->stream.async_read_some(asio::buffer(buffer), kToken);
    if (s->finished || own != s->connections) co_return;
    if (error && s->one_each) {
      s->drop();
      co_return;
    }
    if (error) {
      s->finish(error == asio::error::eof ? "eof" : "reset");
      co_return;
    }
    s->take({buffer.data(), n});
    if (s->stream.is_open()) acknowledge_at_once(s->stream.native_handle());
  }
}

// Opens a connection, the first or another.
asio::awaitable<Status> start(SharedSocket s) {
  check(!s->stream.is_open(), "a socket transport has one connection at a time");
  ignore_broken_pipes();
  auto places = co_await find_places(s->executor, s->url);
  if (!places) {
    s->box->close("unreachable");
    co_return places.error();
  }
  auto [socket, error] =
      co_await connect(s->executor, std::move(*places), Clock::now() + s->limits.open);
  if (error) {
    s->box->close("unreachable");
    co_return Error{"", "cannot connect to " + printable(s->url) + ": " + error.message(),
                    "check that the server runs and listens there"};
  }
  boost::system::error_code failed;
  socket.native_non_blocking(true, failed);
  ::fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
  const int on = 1;  // without effect on a unix socket
  ::setsockopt(socket.native_handle(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  s->stream.assign(socket.release(), failed);
  check(!failed, "a connected socket is a descriptor");
  acknowledge_at_once(s->stream.native_handle());
  s->writer.open(s->stream);
  asio::co_spawn(s->executor, read_messages(s), propagate);
  co_return Nothing{};
}

// A broken connection is noticed by the reader, who has still to take what came before.
asio::awaitable<int> write_all(SharedSocket s, std::vector<std::string> writes, Deadline deadline) {
  const bool there = co_await s->writer.write(std::move(writes), deadline);
  if (!there) s->writer.close();
  co_return 0;
}

// Each message on a connection of its own. One that is not answered may keep the one before it
// open.
asio::awaitable<int> write_alone(SharedSocket s, std::vector<std::string> writes,
                                 Deadline deadline) {
  constexpr milliseconds kToClose{200};
  if (s->used && !s->finished) {
    const Deadline until = std::min(deadline, Clock::now() + kToClose);
    for (bool more = true; more && s->stream.is_open() && !s->finished;)
      more = co_await s->gone.wait(until);
    if (s->stream.is_open()) s->drop();
    const Status opened = co_await start(s);
    if (!opened) s->finish("refused");
  }
  s->used = true;
  co_return co_await write_all(s, std::move(writes), deadline);
}

// Behind the end of the connection nothing comes before the next message is sent.
asio::awaitable<Arrival> receive_alone(SharedSocket s, Deadline deadline) {
  constexpr milliseconds kLook{20};
  for (;;) {
    const Deadline soon = std::min(deadline, Clock::now() + kLook);
    Arrival arrival = co_await Mailbox::take(s->box, soon);
    const bool over = s->used && !s->stream.is_open();
    if (!std::holds_alternative<Quiet>(arrival) || over || soon == deadline) co_return arrival;
  }
}

asio::awaitable<void> shut_down(SharedSocket s, milliseconds grace) {
  if (s->finished) co_return;
  if (!s->stream.is_open()) {
    s->finish("closed by rpcspec");
    co_return;
  }
  s->box->say_farewell();
  s->close_input();
  const Deadline deadline = Clock::now() + grace;
  while (!s->finished) {
    const bool notified = co_await s->gone.wait(deadline);
    if (!notified) break;
  }
  s->finish("closed by rpcspec");
}

class SocketTransport final : public Transport {
 public:
  SocketTransport(asio::any_io_executor executor, const target::Target& target,
                  const Limits& limits)
      : s_(std::make_shared<SocketState>(std::move(executor), target, limits)) {}
  ~SocketTransport() override { s_->end(); }

  asio::awaitable<Status> open() override { return start(s_); }

  asio::awaitable<int> send(Outgoing outgoing, Deadline deadline) override {
    return s_->one_each ? write_alone(s_, std::move(outgoing.writes), deadline)
                        : write_all(s_, std::move(outgoing.writes), deadline);
  }

  asio::awaitable<Arrival> receive(Deadline deadline) override {
    return s_->one_each ? receive_alone(s_, deadline) : Mailbox::take(s_->box, deadline);
  }

  std::optional<Arrival> poll() override { return s_->box->poll(); }
  void close_input() override { s_->close_input(); }
  void take_one_each() override { s_->one_each = true; }
  asio::awaitable<void> shutdown(milliseconds grace) override { return shut_down(s_, grace); }
  wire::TransportKind kind() const override { return s_->kind; }
  std::string_view begun() const override { return s_->messages->begun(); }
  const char* framing() const override { return s_->framing.name(); }
  std::string frame(std::string_view text) const override { return s_->framing.frame(text); }

 private:
  SharedSocket s_;
};

}  // namespace

std::unique_ptr<Transport> make_socket(asio::any_io_executor executor, const target::Target& target,
                                       const Limits& limits) {
  return std::make_unique<SocketTransport>(std::move(executor), target, limits);
}

}  // namespace harness::transport
