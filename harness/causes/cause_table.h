// SPDX-License-Identifier: Apache-2.0
// The causes that are looked for, in their order: rows of what clues show by themselves, and
// searches for what several have in common. Pure.
//
// To add a cause that clues show by themselves: a row in cause_table.cc, where it is sure enough to
// take what it wants from those behind it, and a test in cause_table_test.cc.
#pragma once

#include <string>
#include <vector>

#include "harness/causes/explainer.h"

namespace harness::run {

void apply_table(Explainer& open);

// Names of rows and searches, in order.
std::vector<std::string> names_in_table();

}  // namespace harness::run
