// SPDX-License-Identifier: Apache-2.0
// What was wrong in a schedule that was played. Beside what judge() sees, which is deaths, silence,
// doubled and invented replies: replies that are lost, those of other calls, those in the session
// of somebody else. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fuzz/judge/judge.h"
#include "fuzz/schedule/alone.h"

namespace fuzz {

struct ScheduleJudge {
  const harness::spec::Profile& profile;
  const harness::spec::Registry& registry;
  harness::wire::TransportKind transport;
  const harness::Secrets* secrets;  // as for judge()
  std::chrono::milliseconds waited;  // in which nothing came, for what was not answered
};

// Null where it was not asked alone.
using AloneOf = std::function<const Alone*(const std::string& text)>;

// The worst first. A reply is lost only where the same request was answered alone, in a quarter of
// the time that was waited for nothing. It is that of another call where each of the two is always
// answered alike alone, the one got what the other gets, and the other did not.
std::vector<Problem> judge_schedule(const Script& script, const Execution& execution,
                                    const AloneOf& alone, const ScheduleJudge& judge);

// Whether that is the signature of a lost reply.
bool is_lost(const std::string& signature);

}  // namespace fuzz
