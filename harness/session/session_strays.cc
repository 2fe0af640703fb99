// SPDX-License-Identifier: Apache-2.0
// What of a Session is about replies that no step took.
#include <algorithm>

#include "harness/session/session.h"

namespace harness::session {

bool Session::is_stray(const Inbound& inbound) const {
  if (inbound.claimed) return false;
  if (inbound.message->kind == wire::MessageKind::kBatch) return true;
  // One that comes after all says something of who took its absence for proved.
  const bool late = attribution_.given_up().contains(inbound.key);
  return inbound.message->is_reply() && (late || !attribution_.may_come(inbound.key));
}

bool Session::has_strays() const {
  return std::any_of(inbox_.begin(), inbox_.end(),
                     [this](const Inbound& inbound) { return is_stray(inbound); });
}

std::vector<std::string> Session::take_strays() {
  std::vector<std::string> keys;
  for (Inbound& inbound : inbox_) {
    if (!is_stray(inbound)) continue;
    inbound.claimed = true;
    keys.push_back(inbound.key);
  }
  return keys;
}

bool Session::has_unclaimed() const {
  return std::any_of(inbox_.begin(), inbox_.end(), [](const Inbound& inbound) {
    const bool batch = inbound.message->kind == wire::MessageKind::kBatch;
    return !inbound.claimed && (batch || inbound.message->is_reply());
  });
}

}  // namespace harness::session
