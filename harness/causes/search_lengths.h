// SPDX-License-Identifier: Apache-2.0
// How long a message may be, as far as clues tell: to be measured. Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/results/clue.h"

namespace harness::run {

// If several clues suggest that the length of messages did the harm: the longest message that was
// answered, and the shortest that was not.
struct LengthRange {
  std::uint64_t answered = 0;  // bytes
  std::uint64_t failed = 0;
};
std::optional<LengthRange> suspected_length(const Clues& clues);

}  // namespace harness::run
