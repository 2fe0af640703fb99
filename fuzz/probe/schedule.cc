// SPDX-License-Identifier: Apache-2.0
#include "fuzz/probe/schedule.h"

namespace fuzz {

namespace {
constexpr std::size_t kMostSeen = 1u << 16;
}

bool Schedule::due(std::size_t probe, std::uint64_t executions, bool fresh) const {
  return executions >= next_[probe] + (fresh ? 0 : kPatience);
}

// Each probe has the same part of the share, whatever it costs and whether the others use theirs.
void Schedule::spent(std::size_t probe, std::uint64_t executions, std::size_t price) {
  next_[probe] = executions + (kShare - 1) * next_.size() * price;
}

void Schedule::passed(std::size_t probe, std::uint64_t executions) {
  next_[probe] = executions + kStride;
}

bool Schedule::first_sight(std::uint64_t suspect) {
  if (seen_.size() >= kMostSeen) seen_.clear();
  return seen_.insert(suspect).second;
}

}  // namespace fuzz
