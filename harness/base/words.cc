// SPDX-License-Identifier: Apache-2.0
#include "harness/base/words.h"

#include <algorithm>

namespace harness {

std::optional<std::vector<std::string>> shell_words(std::string_view line) {
  std::vector<std::string> out;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool blank = c == ' ' || c == '\t' || c == '\n';
    if (quote == '\0' && blank) {
      in_word = false;
      continue;
    }
    if (!in_word) out.emplace_back();
    in_word = true;
    const bool escapes = c == '\\' && quote != '\'' && i + 1 < line.size();
    // Between double quotes a backslash stands before what would mean something there.
    if (escapes &&
        (quote == '\0' || std::string_view("\"\\$`").find(line[i + 1]) != std::string_view::npos))
      out.back() += line[++i];
    else if (quote == '\0' && (c == '"' || c == '\''))
      quote = c;
    else if (quote != '\0' && c == quote)
      quote = '\0';
    else
      out.back() += c;
  }
  if (quote != '\0') return std::nullopt;
  return out;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = std::min(text.find_first_not_of(kBlank), text.size());
  return text.substr(first, text.find_last_not_of(kBlank) + 1 - first);
}

}  // namespace harness
