// SPDX-License-Identifier: Apache-2.0
#include "fuzz/judge/oddity.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "harness/base/text.h"
#include "harness/json/number.h"
#include "harness/json/read.h"

namespace fuzz {
namespace {

namespace json = harness::json;

constexpr std::string_view kMark = "\xEF\xBB\xBF";

bool is_number_char(char c) {
  return (c >= '0' && c <= '9') || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-';
}

// Outside of strings, as far as they can be told.
bool has_infinite_number(std::string_view text) {
  bool quoted = false;
  for (std::size_t at = 0; at < text.size();) {
    if (quoted && text[at] == '\\') {
      at += 2;
      continue;
    }
    if (text[at] == '"') quoted = !quoted;
    if (quoted || !is_number_char(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_number_char(text[end])) ++end;
    const std::string_view token = text.substr(at, end - at);
    if (json::is_number_text(token) && std::isinf(json::as_double(json::number_spelled(token))))
      return true;
    at = end;
  }
  return false;
}

// Whether it holds for a byte, and the one behind it, outside of strings, as far as they can be
// told.
template <class Test>
bool outside_strings(std::string_view text, Test test) {
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (quoted && text[at] == '\\')
      ++at;
    else if (text[at] == '"')
      quoted = !quoted;
    else if (!quoted && test(text[at], at + 1 < text.size() ? text[at + 1] : ' '))
      return true;
  }
  return false;
}

// Within a string it is a control character.
bool has_nul(std::string_view text) {
  return outside_strings(text, [](char one, char) { return one == '\0'; });
}

bool has_comment(std::string_view text) {
  return outside_strings(
      text, [](char one, char next) { return one == '/' && (next == '/' || next == '*'); });
}

}  // namespace

std::string_view oddity_of(std::string_view text) {
  if (has_nul(text)) return "nul";
  if (!harness::is_utf8(text)) return "utf-8";
  if (text.starts_with(kMark)) return "byte order mark";
  if (has_infinite_number(text)) return "number";
  const auto reading = json::read(text);
  const auto* good = std::get_if<json::Reading>(&reading);
  if (good != nullptr) return good->lone_surrogate ? "surrogate" : "";
  const bool control = std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
  });
  if (control) return "control character";
  return has_comment(text) ? "comment" : "";
}

}  // namespace fuzz
