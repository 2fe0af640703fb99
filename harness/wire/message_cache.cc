// SPDX-License-Identifier: Apache-2.0
#include "harness/wire/message_cache.h"

#include <utility>

namespace harness::wire {
namespace {

// Two generations of these bounds take a few MiB at most, which a processor has at hand.
constexpr std::size_t kMostTexts = 256;
constexpr std::size_t kLongestText = 1024;

}  // namespace

MessagePtr MessageCache::read(std::string_view text) {
  if (text.size() > kLongestText) return read_shared(text);
  if (const auto known = young_.find(text); known != young_.end()) return known->second;
  if (young_.size() >= kMostTexts) {
    old_ = std::move(young_);
    young_ = Generation();
  }
  if (const auto known = old_.find(text); known != old_.end()) {
    MessagePtr message = known->second;
    young_.insert(old_.extract(known));
    return message;
  }
  MessagePtr message = read_shared(text);
  young_.emplace(text, message);
  return message;
}

}  // namespace harness::wire
