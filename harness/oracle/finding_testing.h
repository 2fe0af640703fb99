// SPDX-License-Identifier: Apache-2.0
// For tests: what came, by how it shows.
#pragma once

#include "harness/oracle/finding.h"

namespace harness::oracle {

inline Observation showing(Symptom symptom) {
  Observation out;
  if (symptom == Symptom::kEnd) out.came = Ended{"exit 1"};
  if (symptom == Symptom::kHang || symptom == Symptom::kSilence) out.came = Nothing{};
  out.canary_answered = symptom == Symptom::kSilence;
  return out;
}

}  // namespace harness::oracle
