// SPDX-License-Identifier: Apache-2.0
// relay_http(): a server on an address of ours that hands every request on to another one, and
// every answer back, as they come; what passes goes into a Recording.
#pragma once

#include <string>

#include "harness/base/result.h"
#include "harness/cli/recording.h"
#include "harness/target/target.h"

namespace harness::cli {

struct Relay {
  std::string url;     // http, https, ws or wss
  target::Tls tls;     // of https and wss
  std::string listen;  // HOST:PORT, where port 0 picks a free one; without TLS
};

// The address is printed on stderr. Returns at SIGINT, SIGTERM or SIGHUP. The Error says why it
// could not start. Each client connection gets its own connection to the server, at most 64 at a
// time. Of WebSocket connections only the first is recorded, without compression.
Status relay_http(const Relay& wanted, Recording& recording);

}  // namespace harness::cli
