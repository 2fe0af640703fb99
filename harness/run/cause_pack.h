// SPDX-License-Identifier: Apache-2.0
// Causes as bytes, from the process that finds them to the one that tells them. Pure.
#pragma once

#include <string>
#include <vector>

#include "harness/results/cause.h"

namespace harness::run {

std::string packed(const std::vector<Cause>& causes);
// Throws Bug when packed() did not write the text.
std::vector<Cause> unpacked(const std::string& text);

}  // namespace harness::run
