// SPDX-License-Identifier: Apache-2.0
// Limit: how deep or how long a message may be, as far as a finding of somebody else shows it: the
// survey of a campaign, or a report. Which clause is cited for such a message, and where in it the
// value stands, differs from one finding to the next. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fuzz/judge/judge.h"
#include "fuzz/script/script.h"
#include "harness/oracle/finding.h"
#include "harness/wire/frame.h"

namespace fuzz {

struct Limit {
  harness::oracle::Symptom symptom;
  bool deep = false;
  std::uint64_t bytes = 0;  // of a message that is not deep

  bool operator==(const Limit&) const = default;
};

// By the message that the finding names, or the one before it if that is a canary; nothing if it is
// neither deep nor long, or was answered. Of the frames only the beginning need be there.
std::optional<Limit> limit_of(const harness::oracle::Finding& finding,
                              const harness::wire::Transcript& transcript);

// Whether the problem that a script shows is one of these limits. A script that is not `reduced`
// yet may be long for another reason, so only its depth counts.
bool is_known_limit(const std::vector<Limit>& known, const Problem& problem, const Script& script,
                    bool reduced);

}  // namespace fuzz
