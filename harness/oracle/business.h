// SPDX-License-Identifier: Apache-2.0
// Business: what a server was doing when it ended or closed a connection, for oracles that check
// whether it had a reason.
#pragma once

#include <cstddef>

#include "harness/oracle/oracle.h"

namespace harness::oracle {

// Frames of a transcript; when a case has more, the harness ends what it plays.
inline constexpr std::size_t kFlood = 20000;

struct Business {
  const Item* unanswered = nullptr;  // the first valid request without a reply
  const Item* bad_input = nullptr;   // the last invalid input with no reply after it
  const Item* last_sent = nullptr;
};

// What was unanswered when `end` came.
Business business_at(const Evidence& evidence, const wire::Frame& end);

}  // namespace harness::oracle
