// SPDX-License-Identifier: Apache-2.0
#include "harness/spec/breaches.h"

#include <algorithm>

#include "harness/base/embed.h"
#include "harness/json/read.h"

RPCSPEC_EMBEDDED(breach_lines);

namespace harness::spec {
namespace {

// One line a clause; the YAML reader would take a tenth of a millisecond for each.
std::map<std::string, std::string, std::less<>> packed_breaches() {
  std::map<std::string, std::string, std::less<>> out;
  std::string_view text = breach_lines();
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t colon = line.find(": ");
    if (line.empty() || line.front() == '#' || colon == std::string_view::npos) continue;
    out.emplace(line.substr(0, colon), json::parse(line.substr(colon + 2)).text);
  }
  return out;
}

}  // namespace

const std::map<std::string, std::string, std::less<>>& breaches() {
  static const auto kBreaches = packed_breaches();
  return kBreaches;
}

std::string breach_of(std::string_view clause) {
  const auto found = breaches().find(clause);
  return found == breaches().end() ? "" : found->second;
}

}  // namespace harness::spec
