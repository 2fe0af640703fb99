// SPDX-License-Identifier: Apache-2.0
// What a gate that passed does not say: few cases, much that does not apply or could not be
// exercised, tools that were not called, revisions that were not judged.
#pragma once

#include <string>
#include <vector>

#include "reports/record.h"

namespace reports {

// One sentence each, with what to do about it; text of the target in them is raw. Empty if the gate
// did not pass, and for campaigns.
std::vector<std::string> caveats_of(const Record& record);

}  // namespace reports
