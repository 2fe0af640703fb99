// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/caution.h"

#include <utility>

namespace fuzz {
namespace {

constexpr unsigned kTrust = 4;        // scripts that went well, before there were any
constexpr unsigned kRemembered = 64;  // then what was counted counts half
constexpr std::size_t kAtLeast = 16;  // one draw in so many is taken in any case
constexpr unsigned kMostEnded = 16;   // one script in so many, of what a strict one lets pass

}  // namespace

bool Caution::avoids(const Mutator& mutator, Random& random) const {
  const auto record = records_.find(&mutator);
  if (record == records_.end() || record->second.ended == 0) return false;
  const Record& known = record->second;
  if (is_strict && known.ended * kMostEnded > known.scripts) return true;
  return random.below(known.scripts + kTrust) < known.ended && !random.one_in(kAtLeast);
}

std::vector<const Mutator*> Caution::taken() { return std::exchange(used_, {}); }

void Caution::learn(const std::vector<const Mutator*>& used, bool ended) {
  for (const Mutator* mutator : used) {
    Record& record = records_[mutator];
    ++record.scripts;
    record.ended += ended;
    if (record.scripts < kRemembered) continue;
    record.scripts /= 2;
    record.ended /= 2;
  }
}

}  // namespace fuzz
