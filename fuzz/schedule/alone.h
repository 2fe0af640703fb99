// SPDX-License-Identifier: Apache-2.0
// Alone: what a request gets when nothing is in flight with it. What it gets in flight is held
// against that. Pure.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/executor/execution.h"
#include "fuzz/script/script.h"

namespace fuzz {

struct Alone {
  bool answered = false;  // each time it was asked
  bool asks = false;      // the server asked something before
  bool active = false;    // anything came before its reply, the reply to a later request included
  bool fails = false;     // by an error
  std::chrono::microseconds took{};  // the longest
  std::string outcome;    // result or error, as JSON
  bool stable = false;    // the same each time, of two at least
  int times = 0;
};

// The request with another id is the same to this: "" for text that is no request with an id.
std::string request_key(const std::string& text);

// Takes in a play of nothing but this request, a frame at step 0.
void learn(Alone& alone, const Execution& execution);

// A call of a schedule, and the replies under its id, in the session it was made in.
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
