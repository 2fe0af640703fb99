// SPDX-License-Identifier: Apache-2.0
// Alone: what a request gets when nothing is in flight with it. The reply that it gets in flight is
// compared with that. Pure.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "fuzz/executor/execution.h"
#include "fuzz/script/script.h"

namespace fuzz {

struct Alone {
  bool answered = false;  // for each time it was sent
  bool asks = false;      // the server sent a request first
  bool active = false;    // anything came before its reply, including the reply to a later request
  bool fails = false;     // by an error
  std::chrono::microseconds took{};  // the longest
  std::string outcome;    // result or error, as JSON
  bool stable = false;    // the same each time, of at least two
  int times = 0;
};

// Requests with different ids are the same to this: "" for text that is not a request with an id.
std::string request_key(const std::string& text);

// Records a play of only this request, a frame at step 0.
void learn(Alone& alone, const Execution& execution);

// A call of a schedule, and the replies with its id in its session.
struct CallHeard {
  std::size_t step = 0;
  std::size_t slice = 0;
  std::uint64_t seq = 0;
  std::string id;  // its id_key
  std::vector<std::string> outcomes;
  std::vector<std::uint64_t> replies;  // their frames
};
std::vector<CallHeard> calls_heard(const Script& script, const Execution& execution);

}  // namespace fuzz
