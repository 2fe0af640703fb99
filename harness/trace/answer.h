// SPDX-License-Identifier: Apache-2.0
// Answer: whose reply one received message is.
#pragma once

#include <vector>

#include "harness/trace/id_change.h"
#include "harness/trace/trace.h"

namespace harness::trace {

enum class Whose {
  kNoReply,       // the message is none
  kRequest,       // the reply to `to`: it has its id, or nothing else may have been rejected
                  // without one
  kSeveral,       // the reply to one of `candidates`; `to` is the likeliest, if it is set
  kAltered,       // the reply to `to`, whose id came back altered by `change`
  kAgain,         // under the id of `to`, which already had its reply: `before`
  kPremature,     // under the id of `to`, which was sent only later
  kText,          // under an id that a lenient reader may have found in `to`, which is not JSON
  kStale,         // error -32700 to `to`, which is not JSON, under an id of something else
  kMentioned,     // under an id in something we sent that is not a request: in `to`, if that is
                  // known
  kNotification,  // to `to`, which must get no reply
  kResponse,      // to `to`, our response to a request of the server
  kUnreadable,    // without an id: to something that may be rejected without one
  kEarlier,       // perhaps to what was sent before the slice
  kReplayed,      // on a stream that was opened to replay earlier events
  kOtherStream,   // HTTP: to `to`, on the exchange of another message
  kOtherSession,  // to `to`, which was sent in another session
  kNobody,        // no sent message explains it; `to` waits for its reply, if it is set
  kUnknown,       // unknown: what the server read, or too much came
};
const char* whose_name(Whose whose);

struct Answer {
  Whose whose = Whose::kNoReply;
  Change change = Change::kNone;
  const Item* to = nullptr;
  const Item* before = nullptr;
  std::vector<const Item*> candidates;  // for kSeveral, if they are known
};
using Answers = std::vector<Answer>;  // of each Item of a Trace

}  // namespace harness::trace
