// SPDX-License-Identifier: Apache-2.0
// What a ScriptExecutor is told when it is made.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "harness/json/value.h"
#include "harness/session/pace.h"

namespace fuzz {

struct ExecutorOptions {
  // A session that is still sound is left after so many scripts or so many frames.
  std::size_t scripts_per_session = 1000;
  std::size_t frames_per_session = 20000;
  // Tools that may not be called, and why; FuzzTarget::executor() adds those of its target.
  std::map<std::string, std::string> forbidden;
  // What tools/list holds: over HTTP some arguments are sent in headers too.
  // FuzzTarget::executor() says.
  harness::json::Value tools;
  // What handshakes declare; null: nothing.
  harness::json::Value client_capabilities;
  bool keeps_journal = true;
  // While a session is used, the process of the next is started, where each has one of its own.
  bool starts_ahead = false;
  // Before each script it is waited until one more message may go. FuzzTarget::executor() says.
  std::shared_ptr<harness::session::Rate> rate = {};
  // Counts the time that sessions took to open. FuzzTarget::executor() says.
  std::shared_ptr<std::chrono::steady_clock::duration> starts = {};
};

}  // namespace fuzz
