// SPDX-License-Identifier: Apache-2.0
// Words of texts: those of a command line, lists of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

// Splits as a shell does, by blanks, quotes and backslashes: it reverses shell_quoted().
// Variables are not expanded. Nothing when a quote is not closed.
std::optional<std::vector<std::string>> shell_words(std::string_view line);

// "a, b, c"
template <class Words>
std::string joined(const Words& words, std::string_view between = ", ") {
  std::string out;
  for (const std::string& word : words) (out.empty() ? out : out += between) += word;
  return out;
}

// The text without blanks and line ends around it.
std::string_view trimmed(std::string_view text);

}  // namespace harness
