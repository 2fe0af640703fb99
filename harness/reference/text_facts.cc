// SPDX-License-Identifier: Apache-2.0
// A scanner, not a parser: it tells strings, numbers and brackets apart and trusts the rest.
#include "harness/reference/text_facts.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace harness::reference {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

void look_at_number(const std::string& spelled, TextFacts& facts) {
  const bool exponent = spelled.find_first_of("eE") != std::string::npos;
  facts.exponent = facts.exponent || exponent;
  const double value = std::strtod(spelled.c_str(), nullptr);
  facts.minus_zero = facts.minus_zero || (spelled[0] == '-' && value == 0);
  facts.too_large_number = facts.too_large_number || !std::isfinite(value);
}

}  // namespace

TextFacts facts_of(std::string_view text) {
  TextFacts facts;
  facts.surrounded = !text.empty() && (is_space(text.front()) || is_space(text.back()));
  facts.unicode_separator = text.find("\xe2\x80\xa8") != std::string_view::npos ||
                            text.find("\xe2\x80\xa9") != std::string_view::npos ||
                            text.find("\xc2\x85") != std::string_view::npos;
  std::vector<std::size_t> members;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      const std::size_t begin = i + 1;
      for (++i; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\' && ++i < text.size()) {
          facts.short_escape = facts.short_escape ||
                               std::string_view("bfnrt/").find(text[i]) != std::string_view::npos;
        } else if (text[i] == 0x7f || (text[i] == '\xc2' && i + 1 < text.size() &&
                                       static_cast<unsigned char>(text[i + 1]) < 0xa0)) {
          facts.delete_or_c1 = true;
        }
      }
      facts.longest_string = std::max(facts.longest_string, i - begin);
      std::size_t after = i + 1;
      while (after < text.size() && is_space(text[after])) ++after;
      if (i == begin && after < text.size() && text[after] == ':') facts.empty_name = true;
    } else if (c == '\t' || c == '\r') {
      facts.tab_or_return = true;
    } else if (c == '[' || c == '{') {
      members.push_back(0);
      facts.depth = std::max(facts.depth, members.size());
    } else if ((c == ']' || c == '}') && !members.empty()) {
      members.pop_back();
    } else if (c == ':' && !members.empty()) {
      facts.most_members = std::max(facts.most_members, ++members.back());
    } else if (c == '-' || std::isdigit(static_cast<unsigned char>(c)) != 0) {
      std::string spelled;
      while (i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 ||
                                 text[i] == '-' || text[i] == '+' || text[i] == '.')) {
        spelled += text[i++];
      }
      --i;
      look_at_number(spelled, facts);
    }
  }
  return facts;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace harness::reference
