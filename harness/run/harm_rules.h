// SPDX-License-Identifier: Apache-2.0
// The rules about what ends the target or has it fall silent: a length, a message, a call.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/run/clue.h"
#include "harness/run/explainer.h"

namespace harness::run {

inline constexpr std::size_t kSeveral = 3;              // cases, before they are laid to one thing
inline constexpr std::uint64_t kLongMessage = 4 << 10;  // bytes: nothing shorter is "too long"

void apply_harm_rules(Explainer& open);

// Where several clues look as if the length of messages did the harm: the longest that was
// answered, and the shortest that was not. To be measured.
struct LengthRange {
  std::uint64_t answered = 0;  // bytes
  std::uint64_t failed = 0;
};
std::optional<LengthRange> suspected_length(const Clues& clues);

}  // namespace harness::run
