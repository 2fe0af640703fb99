// SPDX-License-Identifier: Apache-2.0
// Simpler values for one of JSON, and where in a tree they may stand; scripts without batches.
// Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "fuzz/script/script.h"
#include "harness/json/value.h"

namespace fuzz {

// Every simpler value that may replace this one, the simplest first. Of an object with many
// members, only the larger parts.
std::vector<harness::json::Value> simpler(const harness::json::Value& value);

// Places in a tree, outermost first, at most some thousands; each is the path from the root.
void places_in(const harness::json::Value& value, std::vector<std::vector<std::size_t>>& out,
               std::vector<std::size_t>& path);
// The value there; null when there is no such place.
harness::json::Value* place(harness::json::Value& value, const std::vector<std::size_t>& path);

// With the elements of each array as messages of their own; nothing where that changes nothing, or
// would be very many.
std::optional<Script> out_of_batches(const Script& script);

}  // namespace fuzz
