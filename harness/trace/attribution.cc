// SPDX-License-Identifier: Apache-2.0
#include "harness/trace/attribution.h"

#include <memory>

#include "harness/trace/named_replies.h"

namespace harness::trace {

Attribution::Attribution(const Trace& trace)
    : trace_(trace), answers_(trace.items.size()), pairing_(trace, answers_) {
  NamedReplies(trace, answers_).attribute();
  pairing_.attribute();
}

const Attribution& attribution_of(const Trace& trace) {
  if (!trace.attribution) trace.attribution = std::make_shared<Attribution>(trace);
  return *trace.attribution;
}

const char* whose_name(Whose whose) {
  switch (whose) {
    case Whose::kNoReply: return "no reply";
    case Whose::kRequest: return "request";
    case Whose::kSeveral: return "several";
    case Whose::kAltered: return "altered";
    case Whose::kAgain: return "again";
    case Whose::kPremature: return "premature";
    case Whose::kText: return "text";
    case Whose::kStale: return "stale";
    case Whose::kMentioned: return "mentioned";
    case Whose::kNotification: return "notification";
    case Whose::kResponse: return "response";
    case Whose::kUnreadable: return "unreadable";
    case Whose::kEarlier: return "earlier";
    case Whose::kReplayed: return "replayed";
    case Whose::kOtherStream: return "other stream";
    case Whose::kOtherSession: return "other session";
    case Whose::kNobody: return "nobody";
    case Whose::kUnknown: return "unknown";
  }
  throw Bug("a reply of nobody that has a name");
}

}  // namespace harness::trace
