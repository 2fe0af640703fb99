// SPDX-License-Identifier: Apache-2.0
// Sums of JSON numbers: exact for 64-bit integers, doubles otherwise, nothing when the result is
// not a JSON number.
#pragma once

#include <optional>

#include "harness/json/value.h"

namespace harness::reference {

json::Value number_from(double value);  // must be finite
// a + b, a - b, a * b or a / b for '+', '-', '*', '/'.
std::optional<json::Value> computed(const json::Value& a, char sign, const json::Value& b);

}  // namespace harness::reference
