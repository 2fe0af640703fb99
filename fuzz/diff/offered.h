// SPDX-License-Identifier: Apache-2.0
// Scripts that ask for all a target has: every method, and every tool that may be called, with
// arguments that fit, that are at the edge of its schema, and that break it. Pure.
#pragma once

#include <vector>

#include "fuzz/mutate/vocabulary.h"
#include "fuzz/script/script.h"

namespace fuzz {

// The same requests for the same vocabulary.
std::vector<Script> offered_scripts(const Vocabulary& vocabulary);

}  // namespace fuzz
