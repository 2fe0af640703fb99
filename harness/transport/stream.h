// SPDX-License-Identifier: Apache-2.0
// Stream: one connection to a host, plain or TLS, with a deadline for all it does. Code above it
// need not know which of the two it is.
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

// A peer that writes header and body separately sends the body only after the header is
// acknowledged, which the kernel delays by 40 ms. It is set again after each read; it has no effect
// on a Unix socket.
void acknowledge_at_once(int descriptor);

// Operations are called on a shared_ptr that stays alive until they have returned. At most one read
// and one write may be in progress.
class Stream {
 public:
  // Without a context there is no TLS.
  Stream(boost::asio::any_io_executor executor, std::shared_ptr<const TlsContext> tls);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  using error_code = boost::system::error_code;

  // Includes the TLS handshake, with the certificate verified.
  boost::asio::awaitable<error_code> connect(boost::asio::ip::tcp::endpoint endpoint);
  // Set if TLS failed, and not the connection.
  const std::optional<TlsTrouble>& trouble() const { return trouble_; }

  // error::eof also if a TLS peer closed without a notice.
  boost::asio::awaitable<std::pair<error_code, std::size_t>> read_some(
      boost::asio::mutable_buffer room);
  boost::asio::awaitable<error_code> write(std::string_view bytes);

  // Operations in progress, or begun later, end with error::timed_out. Deadline::max(): never.
  void expires_at(Deadline deadline);
  // Operations in progress end with an error.
  void close();
  bool is_open() const;

  // False if the peer closed, or sent something unexpected.
  bool still_quiet();
  // Unread bytes that a plain peer has sent, at most this many; they stay there.
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
