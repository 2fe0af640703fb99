// SPDX-License-Identifier: Apache-2.0
// Answer: whose reply one received message is.
#pragma once

#include <vector>

#include "harness/trace/id_change.h"
#include "harness/trace/trace.h"

namespace harness::trace {

enum class Whose {
  kNoReply,       // the message is none
  kRequest,       // `to`'s: it has its id, or nothing else may have been refused without one
  kSeveral,       // that of one of `candidates`; `to` is the likeliest, if it is there
  kAltered,       // `to`'s, whose id came back as `change` says
  kAgain,         // under the id of `to`, which had its reply: `before`
  kPremature,     // under the id of `to`, which was asked only later
  kText,          // under an id that a lenient reader may have found in `to`, which is no JSON
  kMentioned,     // under an id in something we sent that is no request: in `to`, if that is known
  kNotification,  // to `to`, which is to be answered by nothing
  kUnreadable,    // without an id: to something that may be refused without one
  kEarlier,       // perhaps to what was sent before the slice
  kReplayed,      // on a stream that was opened to hear again what was said before
  kOtherStream,   // HTTP: to `to`, on the exchange of another message
  kOtherSession,  // to `to`, which was asked in another session
  kNobody,        // nothing that was sent explains it; `to` waits for its reply, if it is there
  kUnknown,       // what the server read is not known, or too much came
};
const char* whose_name(Whose whose);

struct Answer {
  Whose whose = Whose::kNoReply;
  Change change = Change::kNone;
  const Item* to = nullptr;
  const Item* before = nullptr;
  std::vector<const Item*> candidates;  // of kSeveral, where they are known
};
using Answers = std::vector<Answer>;  // of each Item of a Trace

}  // namespace harness::trace
