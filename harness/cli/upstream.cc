// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/upstream.h"

#include <fcntl.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "harness/base/os.h"
#include "harness/base/text.h"
#include "harness/transport/address.h"
#include "harness/transport/stream.h"
#include "harness/transport/tls.h"

namespace harness::cli {
namespace {

namespace asio = boost::asio;
using asio::local::stream_protocol;
using boost::system::error_code;
using transport::Fd;

constexpr auto kToken = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::seconds kPatience{20};  // for a connection and its handshake

struct Addresses {
  addrinfo* first = nullptr;
  ~Addresses() {
    if (first != nullptr) freeaddrinfo(first);
  }
};

using TlsPtr = std::shared_ptr<const transport::TlsContext>;

struct Reached {
  transport::StreamPtr stream;  // null for a reason
  Error why;
};

asio::awaitable<Reached> reach(transport::Url url, TlsPtr tls) {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  auto [endpoints, unknown] = co_await transport::resolve(executor, url);
  Reached out;
  if (endpoints.empty()) {
    out.why.what = "no address is known for " + printable(url.host) + ": " + unknown.message();
    co_return out;
  }
  for (const auto& endpoint : endpoints) {
    const auto stream = std::make_shared<transport::Stream>(executor, tls);
    stream->expires_at(transport::Clock::now() + kPatience);
    const error_code failed = co_await stream->connect(endpoint);
    if (!failed) {
      stream->expires_at(transport::Deadline::max());
      out.stream = stream;
      co_return out;
    }
    if (out.why.what.empty()) out.why = transport::cannot_reach(url, *stream, failed);
  }
  co_return out;
}

struct Carried {
  stream_protocol::socket near;
  transport::StreamPtr far;
};
using CarriedPtr = std::shared_ptr<Carried>;

// What the relay writes goes to the server, until the relay closes its end.
asio::awaitable<void> carry_up(CarriedPtr both) {
  std::array<char, 32768> buffer{};
  for (;;) {
    auto [ended, size] = co_await both->near.async_read_some(asio::buffer(buffer), kToken);
    if (ended) break;
    const error_code failed = co_await both->far->write({buffer.data(), size});
    if (failed) break;
  }
  // Half of a connection cannot be closed under TLS: an answer may still come, so only the end of
  // both ways (POLLHUP) ends it.
  co_await both->near.async_wait(stream_protocol::socket::wait_error, kToken);
  both->far->close();
}

asio::awaitable<void> carry_down(CarriedPtr both) {
  std::array<char, 32768> buffer{};
  for (;;) {
    auto [ended, size] = co_await both->far->read_some(asio::buffer(buffer));
    if (ended) break;
    auto [failed, written] =
        co_await asio::async_write(both->near, asio::buffer(buffer.data(), size), kToken);
    if (failed) break;
  }
  error_code ignored;
  both->near.close(ignored);
  both->far->close();
}

asio::awaitable<void> carry(int near, transport::Url url, TlsPtr tls) {
  const asio::any_io_executor executor = co_await asio::this_coro::executor;
  stream_protocol::socket socket(executor, stream_protocol(), near);
  const Reached far = co_await reach(std::move(url), std::move(tls));
  if (far.stream == nullptr) {
    std::fprintf(stderr, "rpcspec: %s\n", far.why.text().c_str());
    co_return;  // the relay sees its connection closed, as a client would see the server's
  }
  const auto both = std::make_shared<Carried>(Carried{std::move(socket), far.stream});
  asio::co_spawn(executor, carry_up(both), asio::detached);
  co_await carry_down(both);
}

}  // namespace

Result<Fd> open_socket(const std::string& host, const std::string& port, bool listens) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = listens ? AI_PASSIVE : 0;
  Addresses found;
  if (const int failed = getaddrinfo(host.c_str(), port.c_str(), &hints, &found.first); failed != 0)
    return Error{"", "no address is known for " + printable(host) + ": " + gai_strerror(failed),
                 ""};
  int why = 0;
  for (const addrinfo* one = found.first; one != nullptr; one = one->ai_next) {
    Fd made(os::make_socket(one->ai_family, one->ai_socktype, one->ai_protocol));
    const int yes = 1;
    if (listens) setsockopt(made.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    const bool fits =
        made.get() >= 0 && (listens ? bind(made.get(), one->ai_addr, one->ai_addrlen) == 0 &&
                                          listen(made.get(), SOMAXCONN) == 0
                                    : connect(made.get(), one->ai_addr, one->ai_addrlen) == 0);
    if (fits) {
      fcntl(made.get(), F_SETFL, O_NONBLOCK);
      return made;
    }
    why = errno;
  }
  return Error{"",
               printable(host) + ":" + port +
                   (listens ? " cannot be listened on: " : " accepts no connection: ") +
                   std::strerror(why),
               ""};
}

struct Upstream::State {
  transport::Url url;
  TlsPtr tls;  // null: plain
  asio::io_context io{1};
  asio::executor_work_guard<asio::io_context::executor_type> stays{io.get_executor()};
  std::thread thread;
};

Upstream::Upstream(std::unique_ptr<State> state) : state_(std::move(state)) {}

Upstream::~Upstream() {
  state_->io.stop();
  if (state_->thread.joinable()) state_->thread.join();
}

Result<std::unique_ptr<Upstream>> Upstream::make(const transport::Url& url,
                                                 const target::Tls& wanted) {
  auto tls = transport::make_tls(url, wanted);
  if (!tls) return tls.error();
  auto state = std::make_unique<State>();
  state->url = url;
  state->tls = *tls;
  if (state->tls == nullptr) {
    const Result<Fd> tried = open_socket(url.host, std::to_string(url.port), false);
    if (!tried) return tried.error();
    return std::unique_ptr<Upstream>(new Upstream(std::move(state)));
  }
  asio::io_context once;
  Reached tried;
  asio::co_spawn(once, reach(url, state->tls), [&](std::exception_ptr thrown, Reached reached) {
    if (thrown) std::rethrow_exception(thrown);
    if (reached.stream != nullptr) reached.stream->close();  // else its timer keeps `once` busy
    tried = std::move(reached);
  });
  once.run();
  if (tried.stream == nullptr) return tried.why;
  tried.stream.reset();  // before `once`, which it stands on
  state->thread = std::thread([io = &state->io] { io->run(); });
  return std::unique_ptr<Upstream>(new Upstream(std::move(state)));
}

Result<Fd> Upstream::connect() {
  if (state_->tls == nullptr)
    return open_socket(state_->url.host, std::to_string(state_->url.port), false);
  int ends[2];
  if (!os::make_socket_pair(ends, os::Waits::kNo))
    return Error{"", std::string("socketpair: ") + std::strerror(errno), ""};
  asio::co_spawn(state_->io, carry(ends[1], state_->url, state_->tls), asio::detached);
  return Fd(ends[0]);
}

}  // namespace harness::cli
