// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/page_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/base/embed.h"
#include "harness/json/read.h"
#include "reports/layout.h"

RPCSPEC_EMBEDDED(explain);

namespace harness::cli {

const json::Value& explain_table(const char* name) {
  static const json::Value kTables = json::parse(explain());
  return *kTables.find(name);
}

std::string hanging(const std::string& head, const std::string& text) {
  constexpr std::size_t kColumns = 100;
  constexpr std::size_t kLongestHead = 60;  // the text needs some room
  std::string out;
  for (const std::string& line :
       reports::wrap(text, kColumns - std::min(head.size(), kLongestHead)))
    out += (out.empty() ? head : std::string(head.size(), ' ')) + line + "\n";
  return out.empty() ? head + "\n" : out;
}

std::string field(const std::string& label, const std::string& text) {
  return hanging(fmt::format("  {:<11} ", label), text);
}

std::string listed(const std::vector<std::string>& list, const char* none) {
  return list.empty() ? none : fmt::format("{}", fmt::join(list, ", "));
}

}  // namespace harness::cli
