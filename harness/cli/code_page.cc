// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "harness/base/ascii.h"
#include "harness/cli/page_text.h"
#include "harness/cli/pages.h"
#include "harness/spec/error_codes.h"

namespace harness::cli {
namespace {

constexpr std::size_t kMostClauses = 20;

// By JSON-RPC; the codes of LSP stand beside it.
bool is_reserved(int code) { return code >= -32900 && code <= -32000; }

// What a code is by its place alone, wherever no specification defines it.
const char* band_of(int code) {
  if (code >= -32099 && code <= -32000)
    return "JSON-RPC 2.0 leaves -32099 to -32000 to servers. In MCP 2026-07-28 a server uses no "
           "code from -32099 to -32020 that the revision does not define, and new servers avoid "
           "-32019 to -32000.";
  if (code >= -32768 && code <= -32000)
    return "JSON-RPC 2.0 reserves -32768 to -32000. This one is not defined, and a server must not "
           "use it.";
  return "It is outside the range that JSON-RPC 2.0 reserves (-32768 to -32000), so the "
         "application defines it.";
}

// True where the text has the number as a word: -32602, not -326021.
bool names(std::string_view text, const std::string& number) {
  for (auto at = text.find(number); at != std::string_view::npos; at = text.find(number, at + 1)) {
    const auto end = at + number.size();
    const bool begins = at == 0 || !ascii::is_alphanumeric(text[at - 1]);
    if (begins && (end == text.size() || !ascii::is_digit(text[end]))) return true;
  }
  return false;
}

}  // namespace

std::optional<int> error_code_in(const std::string& word) {
  int code = 0;
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), code);
  if (failed != std::errc() || end != word.data() + word.size() || code == 0) return std::nullopt;
  // The sign is often left out, as it looks like an option: what it would be decides.
  return code > 0 && is_reserved(-code) ? -code : code;
}

std::string page_of_code(int code, const spec::Registry& registry) {
  std::vector<std::string> names_of_it;
  std::string meanings;
  for (const spec::ErrorCode& one : spec::error_codes()) {
    if (one.code != code) continue;
    if (std::count(names_of_it.begin(), names_of_it.end(), one.name) == 0)
      names_of_it.push_back(one.name);
    meanings += hanging("  ", one.name) + hanging("    ", one.meaning);
  }
  std::string page = names_of_it.empty()
                         ? std::to_string(code)
                         : fmt::format("{}  {}", code, fmt::join(names_of_it, " / "));
  page += "\n\n" + meanings;
  // The five of JSON-RPC are not for anybody else.
  if (names_of_it.empty() || code > -32100) page += hanging("  ", band_of(code));
  std::string clauses;
  std::size_t count = 0;
  const std::string number = std::to_string(code);
  for (const spec::Requirement& clause : registry.all()) {
    if (!is_reserved(code)) break;  // a number like any other
    if (!names(clause.statement, number) || ++count > kMostClauses) continue;
    clauses +=
        hanging("    ", fmt::format("{} ({}; {}): {}", clause.id, spec::level_name(clause.level),
                                    listed(clause.revisions), clause.statement));
  }
  if (count > kMostClauses) clauses += fmt::format("    and {} more\n", count - kMostClauses);
  return page + (count == 0 ? "" : "\n  clauses that name it\n" + clauses);
}

}  // namespace harness::cli
