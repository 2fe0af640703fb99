// SPDX-License-Identifier: Apache-2.0
#include "fuzz/executor/waiting.h"

#include <algorithm>

namespace fuzz {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr milliseconds kEnds{100};   // what a process may take to end
constexpr milliseconds kUsual{100};  // and 20 round trips: longer is slow
constexpr milliseconds kBrief{4};    // for what hardly ever comes late, on another connection
constexpr milliseconds kBriefer{1};  // on the same, where it comes now and then

using Where = WaitSituation;

bool always(const Where&) { return true; }
bool quick(const Where& w) { return w.wishes.care == Care::kQuick; }
bool patient(const Where& w) { return w.wishes.care >= Care::kPatient; }
bool dogged(const Where& w) { return w.wishes.care == Care::kDogged; }

microseconds none(const Where&) { return microseconds(0); }
microseconds grace(const Where& w) { return w.pace.grace(false); }
microseconds long_grace(const Where& w) { return w.pace.grace(true); }
microseconds any_reply(const Where& w) { return w.pace.reply(); }
microseconds reply_to_all(const Where& w) { return w.pace.reply(w.batched, w.bytes); }

// What stands before the canary takes its time.
microseconds usual_reply(const Where& w) {
  const microseconds all = reply_to_all(w);
  return std::min(all, kUsual + 20 * w.pace.round_trip + (all - any_reply(w)));
}

// What is late is about as late as before; a request that the server does not take for one would be
// waited for each time.
microseconds as_late_as_before(const Where& w, milliseconds least) {
  const milliseconds usual = std::chrono::ceil<milliseconds>(4 * w.habits.lateness);
  return std::min<microseconds>(grace(w), std::max(least, usual));
}

// Where hardly any reply comes behind that of the canary, what has not come is not waited for.
bool answers_in_order(const Where& w) {
  const AdaptiveWait& late = w.habits.late_replies;
  const bool closely = w.wishes.closely && !late.lost();
  return !w.exchanges && !patient(w) && !closely && !late.comes() && !late.worth_waiting();
}

bool looks_for_passed_over(const Where& w) {
  if (!w.last && (!w.apart || quick(w))) return false;
  if (w.broken || !quick(w)) return true;
  const bool now_and_then = w.wishes.closely || w.habits.late_replies.now_and_then();
  return w.missing && (w.exchanges ? w.waited : now_and_then);
}

struct WaitRule {
  Awaited what;
  bool (*applies)(const Where&);
  microseconds (*how_long)(const Where&);
};

// The first that applies counts.
constexpr WaitRule kWaitRules[] = {
    {Awaited::kCanary, always, usual_reply},
    {Awaited::kSlowCanary,
     [](const Where& w) { return patient(w) || w.habits.slow_canaries.worth_waiting(); },
     reply_to_all},

    {Awaited::kLateReplies, answers_in_order, none},
    {Awaited::kLateReplies, [](const Where& w) { return dogged(w) && w.last; },
     [](const Where& w) { return std::max<microseconds>(any_reply(w), kHang); }},
    // Who asks whether this is silence has an answer now.
    {Awaited::kLateReplies,
     [](const Where& w) { return patient(w) && w.last && !w.wishes.patience; }, long_grace},
    {Awaited::kLateReplies,
     [](const Where& w) { return quick(w) && w.wishes.hurried && !w.exchanges; },
     [](const Where& w) { return std::min<microseconds>(grace(w), kBriefer); }},
    {Awaited::kLateReplies,
     [](const Where& w) {
       const AdaptiveWait& late = w.habits.late_replies;
       return quick(w) && late.known() && late.comes() && !w.exchanges;
     },
     [](const Where& w) { return as_late_as_before(w, kBriefer); }},
    {Awaited::kLateReplies,
     [](const Where& w) { return quick(w) && w.habits.late_replies.known(); },
     [](const Where& w) { return as_late_as_before(w, kBrief); }},
    {Awaited::kLateReplies, always, grace},

    {Awaited::kTornReplies, always, grace},

    // Whoever answers at once has seen what is wrong; the others mostly never answer.
    {Awaited::kCutBody, always, [](const Where& w) { return kBrief + 2 * w.pace.round_trip; }},
    {Awaited::kCutBodyLonger,
     [](const Where& w) { return !quick(w) || w.habits.cut_bodies.worth_waiting(); }, grace},
    {Awaited::kOpenExchange,
     [](const Where& w) {
       return !quick(w) || w.wishes.closely || w.habits.open_exchanges.worth_waiting();
     },
     long_grace},

    // What has no id of its own is not missed, but what it lacks shows in the same way.
    {Awaited::kSecondCanary, looks_for_passed_over, any_reply},

    // That a process has ended is noticed a little later than that its connection did.
    {Awaited::kEndOfProcess,
     [](const Where& w) { return !w.accepts || patient(w) || w.habits.late_ends.worth_waiting(); },
     [](const Where&) { return microseconds(kEnds); }},

    {Awaited::kFirstReply, [](const Where& w) { return w.starting; },
     [](const Where& w) { return microseconds(std::max(w.reply_time, w.pace.start)); }},
    {Awaited::kFirstReply, always, [](const Where& w) { return microseconds(w.reply_time); }},
};

}  // namespace

microseconds wait_time(Awaited what, const WaitSituation& where) {
  const auto rule =
      std::find_if(std::begin(kWaitRules), std::end(kWaitRules),
                   [&](const WaitRule& one) { return one.what == what && one.applies(where); });
  return rule == std::end(kWaitRules) ? microseconds(0) : rule->how_long(where);
}

}  // namespace fuzz
