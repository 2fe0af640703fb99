// SPDX-License-Identifier: Apache-2.0
// One walk over the bytes that knows strings from structure; see json_scan.h.
#include "harness/oracle/json_scan.h"

#include <variant>

#include "harness/json/read.h"

namespace harness::oracle {
namespace {

// Calls at(index, in_string) for each byte; stops when it returns false.
template <class At>
void walk(std::string_view text, At at) {
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') {
      ++i;
      continue;
    }
    if (c == '"') in_string = !in_string;
    if (!at(i, in_string)) return;
  }
}

bool starts(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

}  // namespace

bool attempts_json(std::string_view text) {
  if (starts(text, kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  if (at == std::string_view::npos) return false;
  if (text[at] == '{') {
    // "{name} started" is prose: an object goes on with a name or ends.
    const std::size_t next = text.find_first_not_of(" \t\r\n", at + 1);
    return next == std::string_view::npos || text[next] == '"' || text[next] == '}' ||
           text[next] == '\'';
  }
  if (text[at] != '[') return false;
  // "[INFO] ready" and "[2026-01-01 …]" are log lines; an array of messages goes on with an object.
  const std::size_t next = text.find_first_not_of(" \t\r\n", at + 1);
  return next == std::string_view::npos || text[next] == '{' || text[next] == ']';
}

std::size_t end_of_first_value(std::string_view text) {
  std::size_t depth = 0;
  std::size_t end = std::string_view::npos;
  walk(text, [&](std::size_t i, bool in_string) {
    if (in_string) return true;
    if (text[i] == '{' || text[i] == '[') ++depth;
    if (text[i] != '}' && text[i] != ']') return true;
    if (depth > 0) --depth;
    if (depth > 0) return true;
    end = i + 1;
    return false;
  });
  return end;
}

bool is_whole(std::string_view text) {
  if (!attempts_json(text)) return false;
  if (end_of_first_value(text) != std::string_view::npos) return true;
  constexpr std::string_view kMember = "\"jsonrpc\"";
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return (text[last] == '}' || text[last] == ']') && text.find(kMember) == text.rfind(kMember);
}

bool has_nan_token(std::string_view text) {
  bool found = false;
  char before = ' ';  // last byte outside strings that is no blank and no sign
  walk(text, [&](std::size_t i, bool in_string) {
    if (in_string) return true;
    const std::string_view rest = text.substr(i);
    if (std::string_view(":,[").find(before) != std::string_view::npos &&
        (starts(rest, "NaN") || starts(rest, "nan") || starts(rest, "Infinity") ||
         starts(rest, "inf"))) {
      found = true;
      return false;
    }
    if (std::string_view(" \t\r\n-+").find(text[i]) == std::string_view::npos) before = text[i];
    return true;
  });
  return found;
}

bool has_raw_control(std::string_view text) {
  bool found = false;
  walk(text, [&](std::size_t i, bool in_string) {
    found = in_string && static_cast<unsigned char>(text[i]) < 0x20;
    return !found;
  });
  return found;
}

bool two_texts(std::string_view text) {
  const std::size_t end = end_of_first_value(text);
  if (end == std::string_view::npos || !attempts_json(text)) return false;
  return text.find_first_not_of(" \t\r", end) != std::string_view::npos &&
         attempts_json(text.substr(end)) &&
         std::holds_alternative<json::Reading>(json::read(text.substr(0, end)));
}

}  // namespace harness::oracle
