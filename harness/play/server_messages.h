// SPDX-License-Identifier: Apache-2.0
// ServerMessages: which messages that a server sends by itself belong to the current row. A row
// does not take messages that belong to an earlier one, or that an earlier row missed and that are
// late.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/match/matcher.h"
#include "harness/session/session.h"

namespace harness::run {

class ServerMessages {
 public:
  explicit ServerMessages(const match::MatchContext& match) : match_(match) {}

  void begin_row();
  // Takes the next message of the row that matches and that no step took; null when there is none.
  // `heard`: how much of the inbox was examined, initially 0.
  session::Inbound* take(session::Session& session, const json::Value& pattern, std::size_t& heard);
  // The row waited for such a message, but it did not come.
  void missed(const session::Session& session, const json::Value& pattern);
  // A matching one was attributed to an earlier row, though it may have been meant for this one.
  bool in_doubt() const { return in_doubt_; }

 private:
  struct Missed {
    std::uint64_t session = 0;
    json::Value pattern;
    bool earlier = false;  // by a row before the current one
  };
  bool is_late(const session::Session& session, const session::Inbound& inbound);

  const match::MatchContext& match_;
  std::vector<Missed> missed_;
  bool in_doubt_ = false;
};

}  // namespace harness::run
