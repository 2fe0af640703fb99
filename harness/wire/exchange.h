// SPDX-License-Identifier: Apache-2.0
// Exchange: what is known of one HTTP exchange while it goes on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/wire/frame.h"

namespace harness::wire {

// The state of one HTTP exchange.
struct Exchange {
  // The server did not accept the message, so no reply will come elsewhere.
  bool refused() const {
    const bool accepted = failure.empty() || failure == "timeout" || failure == "no-end";
    return status >= 400 || (ended && !accepted);
  }

  std::uint64_t sent_seq = 0;
  std::uint64_t head_seq = 0;
  int status = 0;
  std::vector<Header> headers;
  std::string body;  // unless an event stream
  bool ended = false;
  bool paused = false;   // the stream ended, and is to be resumed
  bool streams = false;  // the response is an event stream
  std::string failure;   // "reset", "timeout", …; "" if it ended properly
};

// Reads a frame that came on it. `own_replies`: each message has its own exchange; otherwise
// replies come on one stream (HTTP+SSE).
void take_in(Exchange& exchange, const Frame& frame, bool own_replies);

}  // namespace harness::wire
