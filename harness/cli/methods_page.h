// SPDX-License-Identifier: Apache-2.0
// The methods of a contract before a run: which are called and why, and what is tried at each.
#pragma once

#include <string>
#include <vector>

#include "harness/results/event.h"

namespace harness::cli {

// One line for each, and one for each thing that is not judged.
std::string methods_page(const std::vector<run::DescribedMethod>& methods);

}  // namespace harness::cli
