// SPDX-License-Identifier: Apache-2.0
#include "harness/play/server_messages.h"

#include <algorithm>

namespace harness::run {

using session::Inbound;
using session::Session;

void ServerMessages::begin_row() {
  for (Missed& one : missed_) one.earlier = true;
  in_doubt_ = false;
}

Inbound* ServerMessages::take(Session& session, const json::Value& pattern, std::size_t& heard) {
  auto& inbox = session.inbox();
  for (heard = std::max(heard, session.row_from()); heard < inbox.size();) {
    Inbound& inbound = inbox[heard++];
    if (inbound.claimed || match::mismatch(pattern, &inbound.message->value, match_)) continue;
    const trace::RowOf row = session.attribution().row_of(inbound);
    if (row == trace::RowOf::kEarlier) continue;
    inbound.claimed = true;
    if (row == trace::RowOf::kThis || !is_late(session, inbound)) return &inbound;
  }
  return nullptr;
}

// What may be late is taken for that, once: the next one like it is for the row.
bool ServerMessages::is_late(const Session& session, const Inbound& inbound) {
  const auto late = std::find_if(missed_.begin(), missed_.end(), [&](const Missed& one) {
    return one.earlier && one.session == session.number() &&
           !match::mismatch(one.pattern, &inbound.message->value, match_);
  });
  if (late == missed_.end()) return false;
  missed_.erase(late);
  return in_doubt_ = true;
}

void ServerMessages::missed(const Session& session, const json::Value& pattern) {
  missed_.push_back({session.number(), pattern});
}

}  // namespace harness::run
