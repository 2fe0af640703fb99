// SPDX-License-Identifier: Apache-2.0
// JSON text from a Value: members in their order, numbers as spelled, one line. Strings are written
// as raw UTF-8; only characters that must be escaped are.
#pragma once

#include <string>
#include <string_view>

#include "harness/json/value.h"

namespace harness::json {

std::string write(const Value& value);
std::string write_pretty(const Value& value);  // two blanks per level, for reports
std::string quoted(std::string_view text);     // a JSON string literal
void append_quoted(std::string& out, std::string_view text);

}  // namespace harness::json
