// SPDX-License-Identifier: Apache-2.0
// What became worse and better from one run to another, case by case. Baselines are ignored: a
// known failure counts as a failure.
#pragma once

#include <string>
#include <vector>

#include "harness/json/value.h"
#include "reports/record.h"
#include "reports/surface.h"

namespace reports {

struct Change {
  std::string case_id, title;
  std::string before, after;  // verdicts; "" if the run has no such case
  std::string requirement;    // the clause that is broken now, or no longer; may be empty
  std::string text;           // what was expected and seen, or why nothing was
  std::string replay;         // the command that shows it now
  bool must = true;           // false: a SHOULD
};

struct Comparison {
  std::vector<Change> worse;
  std::vector<Change> better;
  std::vector<Change> unsure;  // passed or failed before; inconclusive now
  // Failures that are not in the old run, which another rpcspec made: their earlier state is
  // unknown.
  std::vector<Change> first_time;
  std::vector<SurfaceChange> surface;  // breaking ones that the old run does not list
  std::size_t added = 0, removed = 0, same = 0;
};

// A case is worse if it breaks a clause it did not break before, and better if it no longer does.
Comparison compare(const Record& before, const Record& after);

std::string comparison_text(const Comparison& comparison, const Record& before, const Record& after,
                            const ReportOptions& options);
harness::json::Value comparison_json(const Comparison& comparison, const Record& before,
                                     const Record& after);

}  // namespace reports
