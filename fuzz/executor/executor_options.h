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
  // A sound session is closed after this many scripts or frames.
  std::size_t scripts_per_session = 1000;
  std::size_t frames_per_session = 20000;
  // Tools that must not be called, and why; FuzzTarget::executor() adds those of its target.
  std::map<std::string, std::string> forbidden;
  // The result of tools/list: over HTTP some arguments are sent in headers, too.
  // FuzzTarget::executor() says.
  harness::json::Value tools;
  // What handshakes declare; null: nothing.
  harness::json::Value client_capabilities;
  bool keeps_journal = true;
  // While a session is in use, starts the process of the next one, if each has its own process.
  bool starts_ahead = false;
  // Before each script, waits until one more message may be sent. FuzzTarget::executor() says.
  std::shared_ptr<harness::session::Rate> rate = {};
  // Counts the time that sessions took to open. FuzzTarget::executor() says.
  std::shared_ptr<std::chrono::steady_clock::duration> starts = {};
};

}  // namespace fuzz
