// SPDX-License-Identifier: Apache-2.0
// What the pages of `explain` are laid out with: at most 100 columns, a text behind or below a
// head.
#pragma once

#include <string>
#include <vector>

namespace harness::cli {

// The text in lines: the first behind `head`, the others as far in as that is long.
std::string hanging(const std::string& head, const std::string& text);

// hanging() behind a label in a column of its own.
std::string field(const std::string& label, const std::string& text);

// "a, b", or `none`.
std::string listed(const std::vector<std::string>& list, const char* none = "-");

}  // namespace harness::cli
