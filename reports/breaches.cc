// SPDX-License-Identifier: Apache-2.0
#include "reports/breaches.h"

#include <algorithm>

namespace reports {

namespace oracle = harness::oracle;
namespace run = harness::run;

namespace {

// Whether two rows show the same: the ids and texts of answers of one class are no part of it.
bool is_same(const oracle::Finding& one, const oracle::Finding& other) {
  const std::string answer = oracle::answer_class(one.came);
  return one.requirement == other.requirement && one.severity == other.severity &&
         one.expected == other.expected && answer == oracle::answer_class(other.came) &&
         (!answer.empty() || one.seen == other.seen);
}

}  // namespace

std::vector<Breach> breaches_of(const run::CaseResult& result) {
  std::vector<Breach> breaches;
  for (const oracle::Finding& finding : result.findings) {
    auto same = std::find_if(breaches.begin(), breaches.end(), [&](const Breach& breach) {
      return is_same(*breach.finding, finding);
    });
    if (same == breaches.end()) same = breaches.insert(breaches.end(), {&finding, &result, {}, 0});
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
