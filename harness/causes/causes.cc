// SPDX-License-Identifier: Apache-2.0
#include "harness/causes/causes.h"

#include <algorithm>
#include <utility>

#include "harness/causes/cause_table.h"
#include "harness/causes/explainer.h"

namespace harness::run {

std::vector<Cause> find_causes(const Clues& clues, const CauseContext& context) {
  Explainer explainer(clues, context);
  apply_table(explainer);
  explainer.add_rest();
  return explainer.sorted();
}

std::vector<Cause> causes_of(const CauseContext& context) {
  Clues clues;
  for (const CaseResult& result : context.results) add_clues(clues, result, {}, context.profile);
  return find_causes(clues, context);
}

std::vector<Cause> causes_by_result(const CauseContext& context) {
  std::vector<Cause> out;
  for (const CaseResult& result : context.results) {
    Clues clues;
    add_clues(clues, result, {}, context.profile);
    Explainer explainer(clues, context);
    explainer.add_rest();
    for (Cause& cause : explainer.sorted()) out.push_back(std::move(cause));
  }
  std::stable_sort(out.begin(), out.end(), [](const Cause& a, const Cause& b) {
    return a.verdict == Verdict::kFail && b.verdict != Verdict::kFail;
  });
  return out;
}

}  // namespace harness::run
