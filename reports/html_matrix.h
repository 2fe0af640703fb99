// SPDX-License-Identifier: Apache-2.0
// The cells of the matrix of a page: which cause was seen in which run, and by what.
#pragma once

#include "harness/json/value.h"

namespace reports {

// Gives each cause of a JSON report `cells`: for each run that has it, by its name ("" if there is
// only one run), the first finding there and the clauses that its findings break.
void add_cells(harness::json::Value& document);

// Puts the findings of the cells into them, and leaves out what only the whole page shows.
void keep_cells_alone(harness::json::Value& document);

}  // namespace reports
