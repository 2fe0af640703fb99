// SPDX-License-Identifier: Apache-2.0
#include "harness/wire/message_cache.h"

#include <functional>

namespace harness::wire {
namespace {

// A few MiB at most, which a processor has at hand.
constexpr std::size_t kSlots = 1024;
constexpr std::size_t kLongestText = 1024;

}  // namespace

MessagePtr MessageCache::read(std::string_view text) {
  if (text.size() > kLongestText) return read_shared(text);
  if (slots_.empty()) slots_.resize(kSlots);
  Slot& slot = slots_[std::hash<std::string_view>()(text) % kSlots];
  if (!slot.message || slot.text != text) {
    slot.message = read_shared(text);
    slot.text = text;
  }
  return slot.message;
}

}  // namespace harness::wire
