// SPDX-License-Identifier: Apache-2.0
// Words of texts: those of a command line, lists of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

// As a shell reads them, by blanks, quotes and backslashes: what shell_quoted() wrote comes back.
// Nothing is put in for variables. Nothing at all when a quote is not closed.
std::optional<std::vector<std::string>> shell_words(std::string_view line);

// "a, b, c"
template <class Words>
std::string joined(const Words& words, std::string_view between = ", ") {
  std::string out;
  for (const std::string& word : words) (out.empty() ? out : out += between) += word;
  return out;
}

// Without blanks and line ends around it.
std::string_view trimmed(std::string_view text);

}  // namespace harness
