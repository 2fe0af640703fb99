// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/acceptor.h"

#include <sys/socket.h>

#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "harness/base/os.h"
#include "harness/reference/hosting.h"

namespace harness::reference {
namespace {

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kRelayBlock = 64 * 1024;
constexpr std::chrono::seconds kFarewell{1};

// A connection with TLS outside and a plain socket inside.
struct Passage {
  Passage(tcp::socket socket, ssl::context& context)
      : outside(std::move(socket), context), inside(outside.get_executor()) {}
  ssl::stream<tcp::socket> outside;
  tcp::socket inside;
};
using PassagePtr = std::shared_ptr<Passage>;

asio::awaitable<void> carry_in(PassagePtr p) {
  std::vector<char> block(kRelayBlock);
  while (true) {
    auto [error, n] = co_await p->outside.async_read_some(asio::buffer(block), kQuietly);
    if (error) break;
    auto [failed, m] =
        co_await asio::async_write(p->inside, asio::buffer(block.data(), n), kQuietly);
    if (failed) break;
  }
  error_code ignored;
  p->inside.shutdown(tcp::socket::shutdown_send, ignored);
}

asio::awaitable<void> carry_out(PassagePtr p) {
  std::vector<char> block(kRelayBlock);
  while (true) {
    auto [error, n] = co_await p->inside.async_read_some(asio::buffer(block), kQuietly);
    if (error) break;
    auto [failed, m] =
        co_await asio::async_write(p->outside, asio::buffer(block.data(), n), kQuietly);
    if (failed) break;
  }
  // The farewell of TLS goes out; that of the client is not waited for long.
  asio::steady_timer patience(p->outside.get_executor(), kFarewell);
  patience.async_wait([p](error_code) {
    error_code ignored;
    p->outside.next_layer().close(ignored);
  });
  co_await p->outside.async_shutdown(kQuietly);
  patience.cancel();
  error_code ignored;
  p->outside.next_layer().close(ignored);
  p->inside.close(ignored);
}

class PortAcceptor final : public Acceptor {
 public:
  explicit PortAcceptor(asio::io_context& io) : io_(io), acceptor_(io) {}

  Status listen(const AcceptorOptions& options) {
    error_code error;
    if (!options.tls_cert.empty()) {
      context_.emplace(ssl::context::tls_server);
      context_->use_certificate_chain_file(options.tls_cert, error);
      if (!error) context_->use_private_key_file(options.tls_key, ssl::context::pem, error);
      if (error) return Error{"", "the certificate cannot be used: " + error.message(), ""};
    }
    const tcp::endpoint endpoint(asio::ip::address_v4::loopback(),
                                 static_cast<unsigned short>(options.port));
    acceptor_.open(endpoint.protocol(), error);
    acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (!error) return Nothing{};
    return Error{
        "", "cannot listen on 127.0.0.1:" + std::to_string(options.port) + ": " + error.message(),
        ""};
  }

  int port() const override { return acceptor_.local_endpoint().port(); }
  bool tls() const override { return context_.has_value(); }

  void serve(std::function<void(tcp::socket)> welcome) override {
    welcome_ = std::move(welcome);
    asio::co_spawn(io_, accept_all(), asio::detached);
  }

 private:
  asio::awaitable<void> accept_all() {
    while (true) {
      auto [error, socket] = co_await acceptor_.async_accept(kQuietly);
      if (error) continue;
      error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      if (tls()) {
        asio::co_spawn(io_, take_tls_off(std::move(socket)), asio::detached);
      } else {
        welcome_(std::move(socket));
      }
    }
  }

  asio::awaitable<void> take_tls_off(tcp::socket socket) {
    const auto passage = std::make_shared<Passage>(std::move(socket), *context_);
    auto [error] = co_await passage->outside.async_handshake(ssl::stream_base::server, kQuietly);
    if (error) co_return;
    int pair[2];
    if (!os::make_socket_pair(pair)) co_return;
    passage->inside.assign(tcp::v4(), pair[0]);
    tcp::socket host_side(io_);
    host_side.assign(tcp::v4(), pair[1]);
    asio::co_spawn(io_, carry_in(passage), asio::detached);
    asio::co_spawn(io_, carry_out(passage), asio::detached);
    welcome_(std::move(host_side));
  }

  asio::io_context& io_;
  tcp::acceptor acceptor_;
  std::optional<ssl::context> context_;
  std::function<void(tcp::socket)> welcome_;
};

}  // namespace

Result<std::unique_ptr<Acceptor>> Acceptor::open(asio::io_context& io,
                                                 const AcceptorOptions& options) {
  auto acceptor = std::make_unique<PortAcceptor>(io);
  Status listening = acceptor->listen(options);
  if (!listening) return listening.error();
  return std::unique_ptr<Acceptor>(std::move(acceptor));
}

}  // namespace harness::reference
