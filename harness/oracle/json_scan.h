// SPDX-License-Identifier: Apache-2.0
// Finds what exactly is wrong with text that should be JSON but is not. Works on bytes, because the
// text has no value.
#pragma once

#include <cstddef>
#include <string_view>

namespace harness::oracle {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Text that was meant as JSON: it begins with a bracket.
bool attempts_json(std::string_view text);

// The end of the first object or array, after its last bracket; npos if it has none.
std::size_t end_of_first_value(std::string_view text);

// Text that was meant as JSON and is complete: its brackets pair, or it is a single message that
// ends with one, outside of a string.
bool is_whole(std::string_view text);

// NaN or Infinity as a value, outside strings.
bool has_nan_token(std::string_view text);

// A raw byte below 0x20 inside a string.
bool has_raw_control(std::string_view text);

// A valid JSON text, followed by what looks like another one.
bool two_texts(std::string_view text);

}  // namespace harness::oracle
