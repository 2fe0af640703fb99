// SPDX-License-Identifier: Apache-2.0
// Stream: one connection to a host, plain or TLS, with a deadline for all it does. What stands
// above it cannot tell which of the two it is.
//
//   http, websocket ─► Stream ─► [TlsLayer] ─► TCP
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "harness/transport/tls.h"
#include "harness/transport/transport.h"

namespace harness::transport {

// A peer that writes header and body apart sends the body only when the header is acknowledged,
// which the kernel puts off for 40 ms. Asked for anew after each read; without effect on a unix
// socket.
void acknowledge_at_once(int descriptor);

// Operations are called on a shared_ptr that stays alive until they have returned. At most one
// read and one write may be under way.
class Stream {
 public:
  // Without a context it is plain.
  Stream(boost::asio::any_io_executor executor, std::shared_ptr<const TlsContext> tls);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  using error_code = boost::system::error_code;

  // Also the TLS handshake, with the certificate verified.
  boost::asio::awaitable<error_code> connect(boost::asio::ip::tcp::endpoint endpoint);
  // Set when TLS, and not the connection, is what failed.
  const std::optional<TlsTrouble>& trouble() const { return trouble_; }

  // error::eof also when a TLS peer hung up without saying so.
  boost::asio::awaitable<std::pair<error_code, std::size_t>> read_some(
      boost::asio::mutable_buffer room);
  boost::asio::awaitable<error_code> write(std::string_view bytes);

  // What is under way then, or begun later, ends with error::timed_out. Deadline::max(): never.
  void expires_at(Deadline deadline);
  // Whatever is under way ends with an error.
  void close();
  bool is_open() const;

  // False when the peer hung up, or said something nobody asked for.
  bool still_quiet();
  // What a plain peer has said that nobody has read, at most so much of it; it stays there.
  std::string unread(std::size_t limit) const;

 private:
  struct State;
  std::shared_ptr<State> s_;
  std::optional<TlsTrouble> trouble_;
};
using StreamPtr = std::shared_ptr<Stream>;

// "cannot reach SCHEME://HOST: …", for a connect() that failed with this error.
Error cannot_reach(const Url& url, const Stream& stream, const boost::system::error_code& error);

}  // namespace harness::transport
