// SPDX-License-Identifier: Apache-2.0
// The words of a command line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

// As a shell reads them, by blanks, quotes and backslashes: what shell_quoted() wrote comes back.
// Nothing is put in for variables. Nothing at all when a quote is not closed.
std::optional<std::vector<std::string>> shell_words(std::string_view line);

}  // namespace harness
