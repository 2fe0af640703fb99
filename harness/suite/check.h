// SPDX-License-Identifier: Apache-2.0
// For people who write cases: every mistake of case files at once, and a file to begin with.
#pragma once

#include <string>
#include <vector>

#include "harness/suite/loader.h"

namespace harness::suite {

struct Checked {
  std::vector<Case> cases;    // of files without a mistake, in the given order
  std::vector<Error> errors;  // all of the others, in the given order; `where` is file:line:column
};
// The files count as cases whatever their names; an id is the path of the case. They may use
// the shapes and outcomes of `suite`.
Checked check_cases(const std::vector<SourceFile>& files, const Suite& suite,
                    const spec::Registry& registry);

// The text of a new case for the clause, which may be null: its statement, its source and how to
// test it as a comment, then a case that loads after it names what it covers.
std::string new_case(const spec::Requirement* clause);

}  // namespace harness::suite
