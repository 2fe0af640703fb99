// SPDX-License-Identifier: Apache-2.0
// Oddity: what is odd about a text below the level of messages, whatever it says. Pure.
#pragma once

#include <string_view>

namespace fuzz {

// What is odd about a text below the level of messages: "nul", "utf-8", "byte order mark",
// "surrogate", "number" (beyond a double), and for invalid JSON "control character" or "comment";
// "" if nothing is.
std::string_view oddity_of(std::string_view text);

}  // namespace fuzz
