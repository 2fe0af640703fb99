// SPDX-License-Identifier: Apache-2.0
// What a fussy or fragile parser stumbles over, found by one pass over the raw text of a message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace harness::reference {

struct TextFacts {
  bool tab_or_return = false;  // between tokens
  bool surrounded = false;     // whitespace before or after the value
  bool short_escape = false;   // \b \f \n \r \t \/
  bool delete_or_c1 = false;   // raw U+007F … U+009F
  bool exponent = false;
  bool minus_zero = false;
  bool too_large_number = false;  // no double holds it
  bool empty_name = false;
  bool unicode_separator = false;  // U+2028, U+2029, U+0085
  std::size_t depth = 0;
  std::size_t longest_string = 0;  // bytes between the quotes
  std::size_t most_members = 0;    // of one object
};

TextFacts facts_of(std::string_view text);

// Without blanks and tabs at its ends.
std::string_view trimmed(std::string_view text);

// The text with every string replaced by `edit`, which gets the bytes between the quotes, still
// escaped, and whether it is a member name.
template <class Edit>
std::string with_strings(std::string_view text, Edit edit) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] != '"') continue;
    std::size_t end = i + 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    if (end >= text.size()) return out + std::string(text.substr(i + 1));
    std::size_t after = end + 1;
    while (after < text.size() && (text[after] == ' ' || text[after] == '\t')) ++after;
    out += edit(std::string(text.substr(i + 1, end - i - 1)),
                after < text.size() && text[after] == ':');
    out += '"';
    i = end;
  }
  return out;
}

}  // namespace harness::reference
