// SPDX-License-Identifier: Apache-2.0
// measure_length(): how long a message may be before a target ends or falls silent, found by
// playing: a sound request with ever more spaces in it, half way between what was answered and what
// was not.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "harness/causes/clue.h"
#include "harness/causes/search_lengths.h"
#include "harness/contact/pool.h"

namespace harness::run {

// Where sessions come from and go to.
struct LengthPlay {
  std::function<awaitable<Result<SessionPtr>>()> open;  // a new one, ready for requests
  std::function<void(SessionPtr)> discard;
  int most_plays = 24;                     // messages
  std::chrono::milliseconds most_time{0};  // then what was narrowed down stands
};

// Nothing: it could not be measured, because no session could be opened, the shortest is not
// answered either, or long messages are refused, as they may be.
awaitable<std::optional<LengthLimit>> measure_length(LengthRange range, LengthPlay play);

}  // namespace harness::run
