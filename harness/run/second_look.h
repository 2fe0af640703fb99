// SPDX-License-Identifier: Apache-2.0
// Second look: confirms failures: a failure counts if it comes again on a separate session with
// longer waits. Decides which judgements are confirmed, how, and with which result. Pure.
#pragma once

#include "harness/results/judgement.h"
#include "harness/run/entry.h"
#include "harness/suite/case.h"

namespace harness::run {

// How a case is played: as scheduled; on a separate session, waiting at its end for every missing
// reply; or waiting for each missing reply at once.
enum class Look { kFirst, kAlone, kPatient };

// It must be judged again; `among_others`: perhaps only because of messages on a shared session.
void doubt(Entry& entry);
void doubt_among_others(Entry& entry);

// It failed, one of its silences was contradicted, or a warning rests on one that was believed.
bool unsure(const Judgement& judgement);
// The session did not end as the case expects, and other cases had used it before: their messages
// may be the reason.
bool ended_oddly(const suite::Case& scenario, const Judgement& judgement);
// The only failure is one that other cases have shown for the same inputs: an end, a hang, a
// silence.
bool is_foreseen(const Judgement& judgement);
// There is no time for a second look, for this reason: failures are not confirmed, and doubtful
// cases stay undecided.
void settle_unconfirmed(Entry& entry, const std::string& why);
// How to play the case again. If what contradicted a silence came on a session that others had
// used, one wait after the case shows as much as one after each message.
Look second_look_at(const Entry& entry);

// None of its findings depends on a silence, an end, or other traffic on its session.
bool plain(const Judgement& judgement);
// Whether the second judgement may use a session on which others were judged again: the case leaves
// no trace, and its failures are replies that came. If both cases share a session again, their
// order must be the same, so that the failure of one does not cause that of the other.
bool may_share_second_look(const Entry& entry);

// The result after the second judgement.
enum class Confirmation {
  kFirst,    // it failed, and could not be played again
  kFlaky,    // it failed once, and not again
  kSecond,   // the second judgement: it was played alone and with long waits
  kAnother,  // it failed both times, and no finding of the first time came again
};
// `served_on`: all sessions share one server, and it never ended. A reply that was missing while
// other cases were played, but comes now, was late: the server may have served them first.
Confirmation confirmation(const Judgement& first, const Judgement& second, bool served_on = false);
// Makes it so. False if a third judgement has to decide, because the second failed differently; a
// case that fails differently each time is flaky.
bool take_second(Entry& entry, Judgement second, bool served_on = false);

}  // namespace harness::run
