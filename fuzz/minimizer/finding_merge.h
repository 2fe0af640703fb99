// SPDX-License-Identifier: Apache-2.0
// Findings of several campaigns, joined: one folder a bug.
#pragma once

#include <string>
#include <vector>

#include "fuzz/minimizer/finding_folder.h"
#include "harness/base/result.h"

namespace fuzz {

// Puts the findings of `folders` into the folder `into`, beside those that are there. Of several of
// one bug (is_kin()) the worst is kept, of those the one with the shortest script; its finding.json
// says under `found_in` which folders had the bug. Commands in its files name its new place. What
// was not confirmed is copied as it is. Whatever the order of `folders`, and if it is done again,
// the outcome is the same. Returns what `into` holds then. `folders` are only read.
harness::Result<std::vector<Found>> merge_findings(const std::vector<std::string>& folders,
                                                   const std::string& into);

}  // namespace fuzz
