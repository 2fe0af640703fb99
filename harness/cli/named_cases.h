// SPDX-License-Identifier: Apache-2.0
// What --select and --exclude name besides cases: clauses, SEPs, checks of the official suite.
#pragma once

#include <string>

#include "harness/base/result.h"
#include "harness/cli/builtin.h"
#include "harness/suite/selection.h"

namespace harness::cli {

// A SEP (`sep-2575`) or a check of the official suite stands for the clauses about the same duty. A
// clause that only oracles judge stands for the cases in whose sessions they can judge it: those
// about related clauses, or the survey. The Error says why a name selects nothing; an unknown name
// stays unchanged. `suite`: the tree of cases, "" for the built-in one.
Status name_cases(suite::Selection& selection, const Library& library, const std::string& suite);

}  // namespace harness::cli
