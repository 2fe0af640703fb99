// SPDX-License-Identifier: Apache-2.0
// Other texts for one message. Pure.
#pragma once

#include <string>
#include <vector>

#include "harness/json/value.h"

namespace fuzz {

// The members in the opposite order, at the top alone or everywhere below it.
harness::json::Value turned_round(harness::json::Value message);
harness::json::Value turned_round_inside(harness::json::Value message);
// Blanks and tabs around every token; no line ends.
std::string spaced(const harness::json::Value& value);
// Letters of strings, of member names or of both as \uXXXX.
std::string escaped(const harness::json::Value& value, bool names, bool strings);

}  // namespace fuzz
