// SPDX-License-Identifier: Apache-2.0
// Cases that fail for one reason are told once. A server that is silent on malformed input breaks
// fifty cases with one bug; fifty blocks would hide the fifty-first.
//
//   findings of a case ──► causes (rows folded) ──► cases with equal causes ──► groups
#pragma once

#include <string>
#include <vector>

#include "harness/run/event.h"

namespace reports {

// One breach of one case; the rows of a table that show the same are folded into it.
struct Cause {
  std::string key;  // equal for the same expected and seen text, whatever ids and times were in it
  const harness::oracle::Finding* finding = nullptr;  // the first of its rows
  const harness::run::CaseResult* result = nullptr;   // the case it was found in
  std::vector<std::string> rows;
  std::size_t count = 0;  // findings folded
};

struct Group {
  std::vector<const harness::run::CaseResult*> cases;
  std::vector<Cause> causes;  // those of the highest severity; all cases have them
  std::vector<Cause> lesser;  // seen beside them in some of the cases
};

// What makes two texts tell the same: ids and durations are blanked, error codes are not.
std::string without_noise(const std::string& text);

std::vector<Cause> causes_of(const harness::run::CaseResult& result);

// In the order of each group's first case; `results` have one verdict.
std::vector<Group> group_by_cause(const std::vector<const harness::run::CaseResult*>& results);

// Cases by a text they share (a reason, a remedy), in the order of first appearance.
struct Shared {
  std::string text;
  std::vector<const harness::run::CaseResult*> cases;
};
void add_shared(std::vector<Shared>& groups, const std::string& text,
                const harness::run::CaseResult& result);

}  // namespace reports
