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
// Of the different answers to two spellings, that which both are due: what is served in one of them
// was well said in both. `usual` came to the spelling that all others are compared with.
std::string due_answer(const std::string& usual, const std::string& other);

}  // namespace fuzz
