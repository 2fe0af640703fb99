// SPDX-License-Identifier: Apache-2.0
// Patience: how long each wait is, and why. Deadlines are for failures: on a correct target no wait
// reaches one, except where it says so. All waits for a target are here; those that --timeout
// limits are marked T.
#pragma once

#include <algorithm>
#include <chrono>

namespace harness::patience {

using std::chrono::milliseconds;

// This many round trips of the target, within limits.
struct Wait {
  milliseconds least, most;
  int round_trips;

  milliseconds at(std::chrono::microseconds round_trip) const {
    return std::clamp(std::chrono::duration_cast<milliseconds>(round_trip * round_trips), least,
                      most);
  }
};

// --- a reply

// T. Longer for a large message by a second for each MiB, for a batch by one round trip for each
// request, by twice --timeout at most; and by the time that no processor was free.
inline constexpr Wait kReply{milliseconds(3000), milliseconds::max(), 100};
// Between two messages to a target that treats messages that arrive together as one.
inline constexpr milliseconds kApart{20};
// The same for a target that mixes up the ids of requests in progress: it should have answered the
// first.
inline constexpr milliseconds kOneByOne{150};
// After a later canary is answered: missing replies still come within this time, or out of order,
// on a first judgement.
inline constexpr Wait kGrace{milliseconds(30), milliseconds(300), 20};
// The same on a second judgement, or if the silence is believed for good.
inline constexpr Wait kLongGrace{milliseconds(700), milliseconds(3000), 80};
// On a first judgement, before the canary is sent behind a request that takes no time: a reply that
// comes only behind the canary is judged again.
inline constexpr Wait kFirstLook{milliseconds(200), milliseconds(3000), 40};
// In parallel, if the canary took long because of the load: as many times longer as the canary
// took.
inline constexpr Wait kBehindCanary{milliseconds(200), milliseconds(3000), 20};
// A message of the server that may be missing without a failure.
inline constexpr milliseconds kOptional{3000};
// The longest pause that a case may ask for.
inline constexpr milliseconds kPause{10000};
// HTTP: a stream that we keep open may last this many times as long as a reply.
inline constexpr int kOpenStream = 4;
// What lasts longer than this is a wait, and another case acts meanwhile. So long a target that
// answers out of order has behind a canary.
inline constexpr Wait kBrief{milliseconds(10), milliseconds(100), 4};
// How long a session that others used is watched at its end.
inline constexpr milliseconds kLeastHeard{20};

// --- the start of a target

// T. initialize, or another first message: a process may still be starting. The run reports a wait
// longer than kEnough.
inline constexpr milliseconds kEnough{10000};
inline constexpr milliseconds kStart{2000};
// A target with a url, until it accepts connections.
inline constexpr milliseconds kServed{30000};
// A target with a later first reply starts slowly: one more process costs more than it saves.
inline constexpr milliseconds kSoonStarted{100};
// Before the framing of a silent target is doubted; and again if its other framing is open.
inline constexpr milliseconds kFraming{2000};
inline constexpr milliseconds kFramingAgain{100};
// Buffered output comes with a second message, or at the end of the input.
inline constexpr milliseconds kPushedOut{300};
inline constexpr milliseconds kEndOfInput{500};
// Of two processes that one command starts, the second ends later.
inline constexpr milliseconds kBothEnd{500};
// A server of two eras answers both requests about equally fast; a silent one had enough time. So has
// initialize where the first contact had to do without.
inline constexpr milliseconds kOtherEra{400};
inline constexpr milliseconds kOtherEraSilent{20};
// The request that may become the canary: a target that does not know it says so at once.
inline constexpr milliseconds kFirstQuestions{2000};
// A method that takes longer is slow: where an unknown one is refused sooner, that is the canary.
inline constexpr milliseconds kSlowMethod{500};
// The other revisions that a target speaks, all of them.
inline constexpr milliseconds kOtherRevisions{5000};
// A reply that takes longer comes from far away: then more cases are in progress.
inline constexpr milliseconds kFar{50};
// How long the search for the longest message may take.
inline constexpr milliseconds kMeasuring{5000};

// --- an end

// A target that is no longer needed; a case judges whether it exits by itself. In `inspect` and at
// the end of a run there is nothing else to do.
inline constexpr milliseconds kFarewell{150};
inline constexpr milliseconds kLastFarewell{1000};
inline constexpr milliseconds kFarewellByItself{300};
// HTTP: the DELETE of its sessions.
inline constexpr milliseconds kSessionsEnded{500};
// The process of a URL may end a moment after its connections, or because of the last message.
inline constexpr milliseconds kSeenToEnd{100};
// One that listens no more is ending: what it writes at that, and a core dump, take their time.
inline constexpr milliseconds kDies{1500};
// Its connections and its listening socket do not close at exactly the same time.
inline constexpr milliseconds kEndsTogether{10};
inline constexpr milliseconds kAfterwards{300};
// The operator's reset.
inline constexpr milliseconds kReset{30000};
// If others give nothing back for this long, one session too many is opened.
inline constexpr milliseconds kStandstill{5000};

// --- a machine that is busy

// We woke so late that replies may be unread. The target gets the same time again, at most
// kMadeGood.
inline constexpr milliseconds kLate{5};
// A wait of kWorth or more is extended by the time that the target got no processor, in steps of
// kStep, at most kMadeGood: its own threads may block each other. One of kTells shows how busy the
// machine is.
inline constexpr milliseconds kWorth{50};
inline constexpr milliseconds kStep{20};
inline constexpr milliseconds kMadeGood{30000};
inline constexpr milliseconds kTells{300};
// The time that a large message is given besides goes on while the target runs for half of this.
inline constexpr milliseconds kBusy{1000};
// A target that sends without end is read for this long after the deadline.
inline constexpr milliseconds kOverrun{1000};

}  // namespace harness::patience
