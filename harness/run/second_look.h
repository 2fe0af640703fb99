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

// It failed, or one of its silences was contradicted.
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
// How to play the case again. Where what contradicted a silence came on a session that others had
// used, one wait behind the case tells as much as one behind each message.
Look second_look_at(const Entry& entry);

// Nothing that was said of it rests on a silence, an end, or what else was said on its session.
bool plain(const Judgement& judgement);
// Whether the second look may be had on a session on which others were looked at again: it leaves
// no trace, and what failed are answers that came. Whoever comes second there has to have come
// first the first time: what made one fail is then not what made the other.
bool may_share_second_look(const Entry& entry);

// The result after the second judgement.
enum class Confirmation {
  kFirst,    // it failed, and could not be played again
  kFlaky,    // it failed, and not again
  kSecond,   // the second: it was come to alone and patiently
  kAnother,  // it failed both times, and no finding of the first came again
};
// `served_on`: it is one server that all sessions share, and it never ended. What did not come in
// time there while others were played, and comes now, was late: they may have been served first.
Confirmation confirmation(const Judgement& first, const Judgement& second, bool served_on = false);
// Makes it so. False where a third look has to tell, as it failed otherwise the second time; what
// fails otherwise each time is flaky.
bool take_second(Entry& entry, Judgement second, bool served_on = false);

}  // namespace harness::run
