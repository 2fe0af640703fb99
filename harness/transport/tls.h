// SPDX-License-Identifier: Apache-2.0
// TLS on a connection, by OpenSSL; tls.cc is the only file of the transports that sees it. The
// peer's certificate is verified, its chain and its host name, unless the target description says
// `insecure`.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "harness/base/result.h"
#include "harness/target/target.h"
#include "harness/transport/url.h"

namespace harness::transport {

// Why there is no TLS, for an Error.
struct TlsTrouble {
  std::string what;
  std::string remedy;
};

// TLS on one connected socket.
class TlsLayer {
 public:
  virtual ~TlsLayer() = default;
  virtual boost::asio::awaitable<boost::system::error_code> handshake() = 0;
  // The meaning of a handshake's error.
  virtual TlsTrouble trouble(const boost::system::error_code& error) const = 0;
  virtual boost::asio::awaitable<std::pair<boost::system::error_code, std::size_t>> read_some(
      boost::asio::mutable_buffer room) = 0;
  virtual boost::asio::awaitable<boost::system::error_code> write(std::string_view bytes) = 0;
};

// What all connections to one host share.
class TlsContext {
 public:
  virtual ~TlsContext() = default;
  virtual std::unique_ptr<TlsLayer> layer(boost::asio::ip::tcp::socket& socket) const = 0;
};

// nullptr for the URL of a plain connection; an Error if a file of the description is unusable.
Result<std::shared_ptr<const TlsContext>> make_tls(const Url& url, const target::Tls& wanted);

}  // namespace harness::transport
