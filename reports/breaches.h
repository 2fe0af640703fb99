// SPDX-License-Identifier: Apache-2.0
// The breaches of a case, the rows of a table that show the same folded into one; and texts that
// several cases share.
#pragma once

#include <string>
#include <vector>

#include "harness/results/event.h"

namespace reports {

// One breach of one case; rows of a table that show the same are folded into it.
struct Breach {
  const harness::oracle::Finding* finding = nullptr;  // the first of its rows
  const harness::run::CaseResult* result = nullptr;   // the case it was found in
  std::vector<std::string> rows;
  std::size_t count = 0;  // findings folded
};

// The worst first.
std::vector<Breach> breaches_of(const harness::run::CaseResult& result);

// Cases by a text they share (a reason, a remedy), in the order of first appearance.
struct Shared {
  std::string text;
  std::vector<const harness::run::CaseResult*> cases;
};
void add_shared(std::vector<Shared>& groups, const std::string& text,
                const harness::run::CaseResult& result);

}  // namespace reports
