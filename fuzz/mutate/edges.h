// SPDX-License-Identifier: Apache-2.0
// Edges: sound messages with one value at a boundary of what stands there: texts as long as common
// buffers, with a character across the end; names and URIs with what somebody behind them reads;
// objects of many members; every value in the place of each member, also of the envelope; what
// changes a state undone before it was done, twice, and a thousand times. Pure.
#pragma once

#include <vector>

#include "fuzz/mutate/vocabulary.h"
#include "fuzz/script/script.h"

namespace fuzz {

// Always the same ones. Mutations with little effect are grouped in scripts of up to 16 messages;
// none in the middle needs its own session. One of them begins with a new session.
std::vector<Script> edge_scripts(const Vocabulary& vocabulary);

}  // namespace fuzz
