// SPDX-License-Identifier: Apache-2.0
// Acceptor: listens on a port of this machine and hands over its connections. With a certificate it
// handles TLS, so the hosts behind it only see plain sockets.
//
//   client ══TLS══► Acceptor ──socket pair──► host
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>
#include <string>

#include "harness/base/result.h"

namespace harness::reference {

struct AcceptorOptions {
  int port = 0;                   // 0: any free port
  std::string tls_cert, tls_key;  // PEM files; both empty: no TLS
};

class Acceptor {
 public:
  // The Error says why it cannot listen there.
  static Result<std::unique_ptr<Acceptor>> open(boost::asio::io_context& io,
                                            const AcceptorOptions& options);
  virtual ~Acceptor() = default;

  virtual int port() const = 0;
  virtual bool tls() const = 0;
  // Starts to accept; `welcome` gets every connection.
  virtual void serve(std::function<void(boost::asio::ip::tcp::socket)> welcome) = 0;
};

}  // namespace harness::reference
