// SPDX-License-Identifier: Apache-2.0
#include "fuzz/stateful/check_schedule.h"

namespace fuzz {

namespace {
constexpr std::size_t kMostSeen = 1u << 16;
}

bool CheckSchedule::due(std::size_t check, std::uint64_t executions, bool fresh) const {
  return executions >= next_[check] + (fresh ? 0 : kPatience);
}

// Each check has the same part of the share, whatever it costs and whether the others use theirs.
void CheckSchedule::spent(std::size_t check, std::uint64_t executions, std::size_t price) {
  next_[check] = executions + (kShare - 1) * next_.size() * price;
}

void CheckSchedule::passed(std::size_t check, std::uint64_t executions) {
  next_[check] = executions + kStride;
}

bool CheckSchedule::first_sight(std::uint64_t suspect) {
  if (seen_.size() >= kMostSeen) seen_.clear();
  return seen_.insert(suspect).second;
}

}  // namespace fuzz
