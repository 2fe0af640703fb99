// SPDX-License-Identifier: Apache-2.0
// What was asked in a script and what came of it, as checks need it. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/executor/script_executor.h"
#include "harness/json/value.h"

namespace fuzz {

// The request that a frame is, when everybody reads it as that: an object without repeated names,
// with a usable id and a method, and without references to replies,
// however it is written.
std::optional<harness::json::Value> request_in(const Frame& frame);

// Delivered as every frame is, or in pieces.
bool usually_sent(const Frame& frame);

// All replies to it that came, from arrays too.
std::vector<harness::json::Value> replies_to(const Execution& execution,
                                             const harness::json::Value& id);

// "result", "result that failed" (isError), "error -32602", "nothing", "several replies".
std::string class_of(const std::vector<harness::json::Value>& replies);

// Without the frames that did something: what is left was refused, or is text nobody can read.
Script refused_part(const Script& script, const Execution& execution);
// True when nothing came but errors to what the script asked, and no word of changes. What may be
// read as a call has to have had one, or it may be under way.
bool all_refused(const Script& script, const Execution& execution);

}  // namespace fuzz
