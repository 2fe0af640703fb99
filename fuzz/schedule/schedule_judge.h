// SPDX-License-Identifier: Apache-2.0
// What was wrong in a schedule that was played. In addition to what judge() sees (exits, silence,
// doubled and invented replies): lost replies, replies of other calls, replies in another session.
// Pure.
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
  std::chrono::milliseconds waited;  // in which nothing came, for unanswered requests
};

// Null if it was not sent alone.
using AloneOf = std::function<const Alone*(const std::string& text)>;

// The worst first. A reply is lost only if the same request was answered alone in a quarter of the
// time that was waited. It belongs to another call if each of the two always gets the same reply
// alone, one got the reply of the other, and the other did not.
std::vector<Problem> judge_schedule(const Script& script, const Execution& execution,
                                    const AloneOf& alone, const ScheduleJudge& judge);

// Whether that is the signature of a lost reply.
bool is_lost(const std::string& signature);

}  // namespace fuzz
