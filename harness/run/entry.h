// SPDX-License-Identifier: Apache-2.0
// Entry: one selected case of a run, from its place in the schedule to its result.
#pragma once

#include "harness/results/event.h"
#include "harness/results/judgement.h"
#include "harness/session/session.h"
#include "harness/suite/case.h"

namespace harness::run {

struct Entry {
  const suite::Case* scenario = nullptr;
  CaseResult result;
  Judgement judgement;      // the current judgement
  bool finished = false;    // its result was reported
  bool shared = false;      // judged on a session other cases used
  bool again = false;       // to be judged once more, alone
  bool among_others = false;  // in doubt only because of messages on a shared session
  bool differed = false;      // it failed twice, each time with other findings
  bool heard = false;       // the session of its second judgement is still watched
  std::size_t number = 0;   // how many were played before it, for the first time
  bool discovered = false;  // its session was that of the first contact
  session::Clock::duration took{};
};

}  // namespace harness::run
