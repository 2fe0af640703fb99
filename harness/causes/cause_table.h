// SPDX-License-Identifier: Apache-2.0
// The table of causes, in their order: rows for what clues show by themselves, and searches for
// what several have in common. Pure.
//
// To add a cause that clues show by themselves: a row in cause_table.cc, placed before all rows
// that may lose clues to it, and a test in cause_table_test.cc.
#pragma once

#include <string>
#include <vector>

#include "harness/causes/explainer.h"

namespace harness::run {

void apply_table(Explainer& open);

// Names of rows and searches, in order.
std::vector<std::string> names_in_table();

}  // namespace harness::run
