// SPDX-License-Identifier: Apache-2.0
#include "harness/run/silence_watch.h"

#include <algorithm>
#include <utility>

namespace harness::run {

void SilenceWatch::played(Entry& entry, const wire::Keys& unanswered, bool believed) {
  for (const std::string& key : unanswered) unanswered_.emplace(key, &entry);
  if (believed) watched_.push_back(&entry);
}

SilenceWatch::Contradicted SilenceWatch::late(const std::vector<std::string>& keys) {
  Contradicted found;
  for (const std::string& key : keys) {
    const auto [from, to] = unanswered_.equal_range(key);
    if (from == to) {
      found.unnamed = true;
      found.all.insert(found.all.end(), watched_.begin(), watched_.end());
      watched_.clear();
      break;
    }
    // Whose silence was not believed has nothing to lose.
    for (auto asked = from; asked != to; ++asked) {
      const auto entry = std::find(watched_.begin(), watched_.end(), asked->second);
      if (entry == watched_.end()) continue;
      found.named.push_back(*entry);
      watched_.erase(entry);
    }
  }
  return found;
}

std::vector<Entry*> SilenceWatch::end() {
  unanswered_.clear();
  return std::exchange(watched_, {});
}

}  // namespace harness::run
