// SPDX-License-Identifier: Apache-2.0
// Door: listens on a port of this machine and hands over its connections. With a certificate it
// takes TLS off them first, so that the hosts behind it only ever see plain sockets.
//
//   client ══TLS══► Door ──socket pair──► host
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>
#include <string>

#include "harness/base/result.h"

namespace harness::testing {

struct DoorOptions {
  int port = 0;                   // 0: any that is free
  std::string tls_cert, tls_key;  // PEM files; both empty: plain
};

class Door {
 public:
  // The Error says why nobody can listen there.
  static Result<std::unique_ptr<Door>> open(boost::asio::io_context& io,
                                            const DoorOptions& options);
  virtual ~Door() = default;

  virtual int port() const = 0;
  virtual bool tls() const = 0;
  // Begins to accept; `welcome` gets every connection.
  virtual void serve(std::function<void(boost::asio::ip::tcp::socket)> welcome) = 0;
};

}  // namespace harness::testing
