// SPDX-License-Identifier: Apache-2.0
// The baseline file that makes a run pass: an entry for each cause, with the clauses, classes of
// answers and cases that show it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/results/baseline.h"
#include "harness/results/cause.h"
#include "harness/results/event.h"

namespace harness::run {

// What one run told.
struct JudgedRun {
  std::vector<CaseResult> results;
  std::vector<Cause> causes;
};

struct BaselineDraft {
  std::string text;
  std::size_t entries = 0, cases = 0;  // cases: each once
  std::size_t without_reason = 0;
  std::size_t dropped = 0;  // findings of `previous` that no longer fail
};
// Reasons and dates of `previous` are kept, also for what these runs could not decide; new entries
// have `reason`, or that of their cause in `previous`. What no longer fails is dropped.
BaselineDraft draft_baseline(const std::vector<JudgedRun>& runs, bool level_should,
                             const Baseline& previous, const std::string& reason);
// `previous` without entries that no longer fail; adds no new ones.
BaselineDraft prune_baseline(const std::vector<JudgedRun>& runs, const Baseline& previous);

}  // namespace harness::run
