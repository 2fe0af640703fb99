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
  std::string listen;  // HOST:PORT, where port 0 picks a free one; it is plain
};

// Which address it is, is told on stderr. Returns at SIGINT, SIGTERM or SIGHUP. The Error says why
// nothing could be begun. Each connection of a client has one of its own to the server, at most 64
// at a time; of WebSocket connections the first is recorded, without compression.
Status relay_http(const Relay& wanted, Recording& recording);

}  // namespace harness::cli
