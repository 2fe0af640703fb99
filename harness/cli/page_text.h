// SPDX-License-Identifier: Apache-2.0
// What the pages of `explain` are laid out with: at most 100 columns, a text behind or below a
// head.
#pragma once

#include <string>
#include <vector>

#include "harness/json/value.h"

namespace harness::cli {

// The wrapped text: the first line after `head`, the others indented by the width of `head`.
std::string hanging(const std::string& head, const std::string& text);

// hanging() after a label in its own column.
std::string field(const std::string& label, const std::string& text);

// "a, b", or `none`.
std::string listed(const std::vector<std::string>& list, const char* none = "-");

// A part of explain.json: "words" of reports; "findings", classes of them.
const json::Value& explain_table(const char* name);

}  // namespace harness::cli
