// SPDX-License-Identifier: Apache-2.0
// Clauses of the user's own: `clause: {level, statement, source}` in a case says the rule that the
// case is about, where no specification has it.
#pragma once

#include <string>
#include <vector>

#include "harness/spec/requirement.h"
#include "harness/suite/loader.h"

namespace harness::suite {

// The id of the clause of a case: its own, or own. and the path of the case.
std::string own_clause_id(const json::Value& clause, const std::string& path);

// Adds the clauses that these case files define. Mistakes in one are reported when its file is
// read; here only that two have one id.
Status add_own_clauses(const std::vector<SourceFile>& files, spec::Registry& registry);

}  // namespace harness::suite
