// SPDX-License-Identifier: Apache-2.0
// Methods of a plain JSON-RPC server that may be called any number of times, as its operator names
// them: `methods` in a target description, --method on the command line.
#pragma once

#include <string>
#include <string_view>

#include "harness/base/result.h"
#include "harness/json/value.h"

namespace harness::target {

// Adds a method to the affordance `methods`. The first is `known_method` as well, the first with an
// array `method.positional`, the first with an object `method.named`, unless they are given.
void name_method(json::Value& affordances, std::string_view method, json::Value params);

// The same for "add:[1,2]", "divide:{\"a\": 1}" or "status".
Status name_method(json::Value& affordances, const std::string& words);

}  // namespace harness::target
