// SPDX-License-Identifier: Apache-2.0
#include "reports/breaches.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>

namespace reports {

namespace oracle = harness::oracle;
namespace run = harness::run;

namespace {

bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Text of a finding of at most this length tells breaches apart; a flooding target ends here.
constexpr std::size_t kMaxKey = 4096;

// The end of a JSON scalar that begins at `at`.
std::size_t end_of_scalar(std::string_view text, std::size_t at) {
  if (at < text.size() && text[at] == '"') {
    for (std::size_t i = at + 1; i < text.size(); ++i) {
      if (text[i] == '\\') {
        ++i;
      } else if (text[i] == '"') {
        return i + 1;
      }
    }
    return text.size();
  }
  while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) ||
                              text[at] == '-' || text[at] == '+' || text[at] == '.')) {
    ++at;
  }
  return at;
}

std::string key_of(const oracle::Finding& finding) {
  return std::to_string(static_cast<int>(finding.severity)) + "\n" +
         without_noise(finding.expected.substr(0, kMaxKey)) + "\n" +
         without_noise(finding.seen.substr(0, kMaxKey));
}

}  // namespace

std::string without_noise(const std::string& text) {
  constexpr std::string_view kId = "\"id\":";
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text.compare(i, kId.size(), kId) == 0) {
      out += kId;
      i += kId.size();
      while (i < text.size() && text[i] == ' ') ++i;
      // null is a statement about the id, a number is only its turn
      if (text.compare(i, 4, "null") != 0) {
        i = end_of_scalar(text, i);
        out += '*';
      }
      continue;
    }
    if (digit(text[i])) {
      std::size_t end = i;
      while (end < text.size() && (digit(text[end]) || text[end] == '.')) ++end;
      const std::string_view unit = std::string_view(text).substr(end, 3);
      const bool time = unit == " ms" || unit == " us" || unit.substr(0, 2) == " s";
      out += time ? "*" : text.substr(i, end - i);
      i = end;
      continue;
    }
    out += text[i++];
  }
  return out;
}

std::vector<Breach> breaches_of(const run::CaseResult& result) {
  std::vector<Breach> breaches;
  for (const oracle::Finding& finding : result.findings) {
    const std::string key = key_of(finding);
    auto same = std::find_if(breaches.begin(), breaches.end(), [&](const Breach& breach) {
      return breach.key == key && breach.finding->requirement == finding.requirement;
    });
    if (same == breaches.end())
      same = breaches.insert(breaches.end(), {key, &finding, &result, {}, 0});
    ++same->count;
    if (!finding.row.empty()) same->rows.push_back(finding.row);
  }
  std::stable_sort(breaches.begin(), breaches.end(), [](const Breach& a, const Breach& b) {
    return a.finding->severity > b.finding->severity;
  });
  return breaches;
}

void add_shared(std::vector<Shared>& groups, const std::string& text,
                const run::CaseResult& result) {
  auto same = std::find_if(groups.begin(), groups.end(),
                           [&](const Shared& shared) { return shared.text == text; });
  if (same == groups.end()) same = groups.insert(groups.end(), {text, {}});
  if (same->cases.empty() || same->cases.back() != &result) same->cases.push_back(&result);
}

}  // namespace reports
