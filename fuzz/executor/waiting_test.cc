// SPDX-License-Identifier: Apache-2.0
#include "fuzz/executor/waiting.h"

#include <gtest/gtest.h>

#include <functional>

namespace fuzz {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr AdaptiveWait kNew{3, 4};

// Waited for `times` times, and `came` so often.
AdaptiveWait tried(int times, int came) {
  AdaptiveWait out{3, 4};
  for (int i = 0; i < times; ++i) {
    out.another();
    out.learn(i < came);
  }
  return out;
}
// There is again something that may come, for the `count`-th time.
AdaptiveWait at(AdaptiveWait wait, int count) {
  for (int i = 0; i < count; ++i) wait.another();
  return wait;
}

// A round trip of 10 ms: 3 s for a reply, 200 ms and 800 ms of grace.
WaitSituation usual() {
  WaitSituation out;
  out.pace.round_trip = milliseconds(10);
  out.pace.timeout = milliseconds(10'000);
  out.habits.late_replies = out.habits.slow_canaries = out.habits.late_ends =
      out.habits.cut_bodies = out.habits.open_exchanges = kNew;
  return out;
}

constexpr microseconds kNone{0};
constexpr milliseconds kReply{3000}, kGrace{200}, kLongGrace{800};

struct WaitRow {
  const char* what;
  Awaited awaited;
  std::function<void(WaitSituation&)> change;
  microseconds wanted;
};

void same(WaitSituation&) {}
auto with(Care care) {
  return [care](WaitSituation& w) { w.wishes.care = care; };
}

const WaitRow kCanaries[] = {
    {"100 ms and 20 round trips are usual", Awaited::kCanary, same, milliseconds(300)},
    {"no longer than any reply", Awaited::kCanary,
     [](WaitSituation& w) { w.pace.timeout = milliseconds(150); }, milliseconds(150)},
    {"what is due before takes its time", Awaited::kCanary,
     [](WaitSituation& w) { w.batched = 5, w.bytes = 4096; }, milliseconds(300 + 50 + 4)},
    {"patience changes nothing of it", Awaited::kCanary, with(Care::kDogged), milliseconds(300)},
    {"silence is waited out at first", Awaited::kSlowCanary, same, kReply},
    {"until it was silence too often", Awaited::kSlowCanary,
     [](WaitSituation& w) { w.habits.slow_canaries = tried(3, 0); }, kNone},
    {"unless the caller is patient", Awaited::kSlowCanary,
     [](WaitSituation& w) {
       w.habits.slow_canaries = tried(3, 0);
       w.wishes.care = Care::kPatient;
     },
     kReply},
    {"a batch may take longer", Awaited::kSlowCanary, [](WaitSituation& w) { w.batched = 100; },
     milliseconds(4000)},
};

const WaitRow kLateReplies[] = {
    {"at first", Awaited::kLateReplies, same, kGrace},
    {"not where none comes", Awaited::kLateReplies,
     [](WaitSituation& w) { w.habits.late_replies = tried(3, 0); }, kNone},
    {"nor for a closer look then", Awaited::kLateReplies,
     [](WaitSituation& w) {
       w.habits.late_replies = tried(3, 0);
       w.wishes.closely = true;
     },
     kNone},
    {"over HTTP the order says nothing", Awaited::kLateReplies,
     [](WaitSituation& w) {
       w.habits.late_replies = tried(3, 0);
       w.exchanges = true;
     },
     kGrace},
    {"known, on HTTP: briefly", Awaited::kLateReplies,
     [](WaitSituation& w) {
       w.habits.late_replies = at(kNew, 5);
       w.exchanges = true;
     },
     milliseconds(4)},
    {"known to come, on a stream: more briefly", Awaited::kLateReplies,
     [](WaitSituation& w) { w.habits.late_replies = at(tried(3, 1), 2); }, milliseconds(1)},
    {"or four times as long as before", Awaited::kLateReplies,
     [](WaitSituation& w) {
       w.habits.late_replies = at(tried(3, 1), 2);
       w.habits.lateness = milliseconds(2);
     },
     milliseconds(8)},
    {"never longer than the grace", Awaited::kLateReplies,
     [](WaitSituation& w) {
       w.habits.late_replies = at(tried(3, 1), 2);
       w.habits.lateness = milliseconds(200);
     },
     kGrace},
    {"now and then it is looked at again", Awaited::kLateReplies,
     [](WaitSituation& w) { w.habits.late_replies = at(tried(3, 1), 29); }, kGrace},
    {"a closer look, likewise", Awaited::kLateReplies,
     [](WaitSituation& w) { w.wishes.closely = true; }, kGrace},
    {"not in a hurry", Awaited::kLateReplies,
     [](WaitSituation& w) { w.wishes.closely = w.wishes.hurried = true; }, milliseconds(1)},
    {"thorough: no longer", Awaited::kLateReplies, with(Care::kThorough), kGrace},
    {"patient, within a script", Awaited::kLateReplies, with(Care::kPatient), kGrace},
    {"patient, at its end", Awaited::kLateReplies,
     [](WaitSituation& w) {
       w.wishes.care = Care::kPatient;
       w.last = true;
     },
     kLongGrace},
    {"but who asks for silence has an answer", Awaited::kLateReplies,
     [](WaitSituation& w) {
       w.wishes.care = Care::kPatient;
       w.wishes.patience = kHang;
       w.last = true;
     },
     kGrace},
    {"dogged, within a script", Awaited::kLateReplies, with(Care::kDogged), kGrace},
    {"dogged, at its end", Awaited::kLateReplies,
     [](WaitSituation& w) {
       w.wishes.care = Care::kDogged;
       w.last = true;
     },
     kHang},
    {"dogged, with a slow server", Awaited::kLateReplies,
     [](WaitSituation& w) {
       w.wishes.care = Care::kDogged;
       w.last = true;
       w.pace.round_trip = milliseconds(90);
     },
     milliseconds(9000)},
};

const WaitRow kOthers[] = {
    {"broken framing", Awaited::kTornReplies, same, kGrace},
    {"a short body", Awaited::kCutBody, same, milliseconds(24)},
    {"and longer", Awaited::kCutBodyLonger, same, kGrace},
    {"not where it was without effect", Awaited::kCutBodyLonger,
     [](WaitSituation& w) { w.habits.cut_bodies = tried(3, 0); }, kNone},
    {"but for who is thorough", Awaited::kCutBodyLonger,
     [](WaitSituation& w) {
       w.habits.cut_bodies = tried(3, 0);
       w.wishes.care = Care::kThorough;
     },
     kGrace},
    {"an open exchange", Awaited::kOpenExchange, same, kLongGrace},
    {"not where nothing comes", Awaited::kOpenExchange,
     [](WaitSituation& w) { w.habits.open_exchanges = tried(3, 0); }, kNone},
    {"but for a closer look", Awaited::kOpenExchange,
     [](WaitSituation& w) {
       w.habits.open_exchanges = tried(3, 0);
       w.wishes.closely = true;
     },
     kLongGrace},
    {"the end of a process that refuses", Awaited::kEndOfProcess,
     [](WaitSituation& w) { w.habits.late_ends = tried(3, 0); }, milliseconds(100)},
    {"not of one that accepts", Awaited::kEndOfProcess,
     [](WaitSituation& w) {
       w.habits.late_ends = tried(3, 0);
       w.accepts = true;
     },
     kNone},
    {"but at first", Awaited::kEndOfProcess, [](WaitSituation& w) { w.accepts = true; },
     milliseconds(100)},
    {"a first reply", Awaited::kFirstReply,
     [](WaitSituation& w) { w.reply_time = milliseconds(70); }, milliseconds(70)},
    {"of a process that starts", Awaited::kFirstReply,
     [](WaitSituation& w) {
       w.reply_time = milliseconds(70);
       w.starting = true;
     },
     milliseconds(2000)},
};

// What is missing, at the end of a script, where that may show nothing.
void missing(WaitSituation& w) {
  w.habits.late_replies = at(kNew, 5);
  w.last = w.missing = true;
}

const WaitRow kSecondCanaries[] = {
    {"nothing is missing", Awaited::kSecondCanary,
     [](WaitSituation& w) {
       missing(w);
       w.habits.late_replies = at(kNew, 4);
       w.missing = false;
     },
     kNone},
    {"mostly not", Awaited::kSecondCanary, missing, kNone},
    {"now and then", Awaited::kSecondCanary,
     [](WaitSituation& w) {
       missing(w);
       w.habits.late_replies = at(kNew, 4);
     },
     kReply},
    {"for a closer look", Awaited::kSecondCanary,
     [](WaitSituation& w) {
       missing(w);
       w.wishes.closely = true;
     },
     kReply},
    {"for who is thorough, whatever is missing", Awaited::kSecondCanary,
     [](WaitSituation& w) {
       w.wishes.care = Care::kThorough;
       w.last = true;
     },
     kReply},
    {"not within a script", Awaited::kSecondCanary, with(Care::kThorough), kNone},
    {"where a connection ended without a response", Awaited::kSecondCanary,
     [](WaitSituation& w) { w.last = w.broken = true; }, kReply},
    {"over HTTP only behind a wait", Awaited::kSecondCanary,
     [](WaitSituation& w) {
       missing(w);
       w.exchanges = w.wishes.closely = true;
     },
     kNone},
    {"and there each time", Awaited::kSecondCanary,
     [](WaitSituation& w) {
       missing(w);
       w.exchanges = w.waited = true;
     },
     kReply},
};

template <std::size_t N>
void expect_all(const WaitRow (&rows)[N]) {
  for (const WaitRow& row : rows) {
    WaitSituation where = usual();
    row.change(where);
    EXPECT_EQ(wait_time(row.awaited, where).count(), row.wanted.count()) << row.what;
  }
}

TEST(WaitTime, OfCanaries) { expect_all(kCanaries); }
TEST(WaitTime, OfLateReplies) { expect_all(kLateReplies); }
TEST(WaitTime, OfWhatIsNoReplyOnAStream) { expect_all(kOthers); }
TEST(WaitTime, OfASecondCanary) { expect_all(kSecondCanaries); }

}  // namespace
}  // namespace fuzz
