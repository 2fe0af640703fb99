// SPDX-License-Identifier: Apache-2.0
// What of a Session is about replies that no step took, and where a case and a row begin.
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

void Session::begin_slice() {
  attribution_.expect_stand_in(pace_->stand_in);
  if (!sliced_) {
    sliced_ = true;
    return;
  }
  recording_.begin_slice();
  inbox_.clear();
  row_from_ = 0;
  attribution_.begin_slice();
  resumption_.leave_all();
  asked_of_us_ = 0;
  std::erase_if(exchanges_, [](const auto& entry) { return entry.second.ended; });
}

void Session::begin_row() {
  row_from_ = inbox_.size();
  attribution_.begin_row();
}

}  // namespace harness::session
