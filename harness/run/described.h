// SPDX-License-Identifier: Apache-2.0
// What a run showed, or will try, at each method of a contract, clause by clause. Pure.
#pragma once

#include <vector>

#include "harness/contract/in_use.h"
#include "harness/results/event.h"
#include "harness/suite/loader.h"

namespace harness::run {

std::vector<DescribedMethod> described_methods(const contract::InUse& use,
                                               const suite::Suite& suite,
                                               const std::vector<CaseResult>& results);

// The same before a run: clauses are `planned`.
std::vector<DescribedMethod> planned_methods(const contract::InUse& use, const suite::Suite& suite);

}  // namespace harness::run
