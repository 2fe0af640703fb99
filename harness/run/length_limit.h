// SPDX-License-Identifier: Apache-2.0
// measure_length(): finds the length at which a target exits or falls silent, by bisection: it
// plays a valid request with more or fewer spaces.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "harness/results/clue.h"
#include "harness/causes/search_lengths.h"
#include "harness/contact/pool.h"

namespace harness::run {

// Where sessions come from and go to.
struct LengthPlay {
  std::function<awaitable<Result<SessionPtr>>()> open;  // a new one, ready for requests
  std::function<void(SessionPtr)> discard;
  int most_plays = 24;                     // messages
  std::chrono::milliseconds most_time{0};  // then the range so far counts
};

// Nothing: it could not be measured, because no session could be opened, the shortest is not
// answered either, or long messages are refused, as they may be.
awaitable<std::optional<LengthLimit>> measure_length(LengthRange range, LengthPlay play);

}  // namespace harness::run
