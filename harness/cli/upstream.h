// SPDX-License-Identifier: Apache-2.0
// Upstream: connections to the server that a relay stands in front of, plain or under TLS, each a
// descriptor that is read and written in the plain. A separate thread handles TLS: it carries bytes
// between the server and the other end of a pair of sockets.
#pragma once

#include <memory>
#include <string>

#include "harness/base/result.h"
#include "harness/target/target.h"
#include "harness/transport/launch.h"
#include "harness/transport/url.h"

namespace harness::cli {

class Upstream {
 public:
  // Connects once, with the certificate verified, and closes: the Error says why that failed.
  // Block signals that only the caller's thread should get before calling it.
  static Result<std::unique_ptr<Upstream>> make(const transport::Url& url, const target::Tls& tls);
  ~Upstream();
  Upstream(const Upstream&) = delete;
  Upstream& operator=(const Upstream&) = delete;

  // A connection in non-blocking mode. Under TLS it exists at once, and is closed if the server
  // cannot be reached.
  Result<transport::Fd> connect();

 private:
  struct State;
  explicit Upstream(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// A socket that is connected to one of the addresses of a host, or that listens on one.
Result<transport::Fd> open_socket(const std::string& host, const std::string& port, bool listens);

}  // namespace harness::cli
