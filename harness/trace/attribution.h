// SPDX-License-Identifier: Apache-2.0
// Attribution: whose reply each received message is. It is the one answer to that question, for
// whoever looks at all that was said.
//
//   NamedReplies   replies by their ids: the request with that id; else what explains the id
//   Pairing        all that was asked and what came of it; replies without an id are given to the
//                  messages that may be refused so, as little as possible broken
//
// Where two readings remain the answer is Whose::kSeveral, and nothing is to be said of either.
#pragma once

#include <vector>

#include "harness/trace/answer.h"
#include "harness/trace/pairing.h"
#include "harness/trace/trace.h"

namespace harness::trace {

class Attribution {
 public:
  explicit Attribution(const Trace& trace);  // which outlives it
  Attribution(const Attribution&) = delete;  // the parts know each other
  Attribution& operator=(const Attribution&) = delete;

  // `item` is one of the Trace.
  const Answer& of(const Item& item) const {
    return answers_[static_cast<std::size_t>(&item - trace_.items.data())];
  }

  // What was asked, and what came of it, for who judges that.
  const Pairing& pairing() const { return pairing_; }

 private:
  const Trace& trace_;
  Answers answers_;
  Pairing pairing_;
};

// That of a Trace that is complete; made when it is asked for the first time.
const Attribution& attribution_of(const Trace& trace);

}  // namespace harness::trace
