// SPDX-License-Identifier: Apache-2.0
// Other texts for one message. Pure.
#pragma once

#include <string>

#include "harness/json/value.h"

namespace fuzz {

// The members in reverse order, at the top only or everywhere below it.
harness::json::Value turned_round(harness::json::Value message);
harness::json::Value turned_round_inside(harness::json::Value message);
// Blanks and tabs around every token; no line ends.
std::string spaced(const harness::json::Value& value);
// Letters of strings, of member names or of both as \uXXXX.
std::string escaped(const harness::json::Value& value, bool names, bool strings);
// Of two different replies to two spellings, the one that both should get: if one is a result, the
// request was valid in both spellings. `usual` is the reply to the spelling that all others are
// compared with.
std::string due_answer(const std::string& usual, const std::string& other);

}  // namespace fuzz
