// SPDX-License-Identifier: Apache-2.0
// Attribution: whose reply each received message is: the single answer for a complete session.
//
//   NamedReplies   replies by their ids: the request with that id; else what explains the id
//   Pairing        all that was asked and what came of it; replies without an id are given to the
//                  messages that may be refused so, as little as possible broken
//
// If two readings remain, the answer is Whose::kSeveral, and neither may be reported.
#pragma once

#include <vector>

#include "harness/trace/answer.h"
#include "harness/trace/pairing.h"
#include "harness/trace/trace.h"

namespace harness::trace {

class Attribution {
 public:
  explicit Attribution(const Trace& trace);  // which outlives it
  Attribution(const Attribution&) = delete;  // the parts refer to each other
  Attribution& operator=(const Attribution&) = delete;

  // `item` belongs to the Trace.
  const Answer& of(const Item& item) const {
    return answers_[static_cast<std::size_t>(&item - trace_.items.data())];
  }

  // The requests and their replies, for judges.
  const Pairing& pairing() const { return pairing_; }

 private:
  const Trace& trace_;
  Answers answers_;
  Pairing pairing_;
};

// The Attribution of a complete Trace; made on first use.
const Attribution& attribution_of(const Trace& trace);

}  // namespace harness::trace
