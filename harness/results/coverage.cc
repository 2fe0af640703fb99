// SPDX-License-Identifier: Apache-2.0
#include "harness/results/coverage.h"

#include <algorithm>
#include <array>
#include <map>

#include "harness/oracle/oracle.h"

namespace harness::run {
namespace {

// From harmless to grave; a requirement shows the gravest verdict of what covers it.
int gravity(std::string_view status) {
  constexpr std::array<std::string_view, 8> kOrder = {
      "not_covered", "not_applicable", "inconclusive", "pass", "error", "flaky", "warn", "fail"};
  return static_cast<int>(std::find(kOrder.begin(), kOrder.end(), status) - kOrder.begin());
}

}  // namespace

std::vector<CoverageRow> coverage_rows(const spec::Registry& registry, const spec::Profile& profile,
                                       wire::TransportKind transport,
                                       const std::vector<CaseResult>& results) {
  std::map<std::string, CoverageRow> rows;
  for (const CaseResult& result : results) {
    for (const std::string& id : result.requirements) {
      CoverageRow& row = rows[id];
      row.cases.push_back(result.id);
      std::string status = verdict_name(result.verdict);
      // A case with several clauses fails only those its findings cite.
      if (result.verdict == Verdict::kFail || result.verdict == Verdict::kWarn) {
        status = "pass";
        for (const oracle::Finding& finding : result.findings)
          if (finding.requirement == id)
            status = finding.severity == oracle::Severity::kFail ? "fail"
                     : status == "fail"                          ? "fail"
                                                                 : "warn";
      }
      if (row.status.empty() || gravity(status) > gravity(row.status)) row.status = status;
    }
  }
  std::vector<CoverageRow> all;
  for (const spec::Requirement& requirement : registry.all()) {
    if (!spec::applies(requirement, profile, transport)) continue;
    CoverageRow row = rows[requirement.id];
    row.requirement = requirement.id;
    row.level = spec::level_name(spec::level_in(requirement, profile));
    if (row.status.empty()) row.status = "not_covered";
    all.push_back(std::move(row));
  }
  return all;
}

std::vector<CoverageRow> suite_coverage(const spec::Registry& registry, const suite::Suite& suite,
                                        const spec::Profile* profile) {
  std::map<std::string, std::vector<std::string>> covering;
  for (const suite::Case& scenario : suite.cases) {
    const bool meant = !profile || scenario.profiles.empty() ||
                       std::any_of(scenario.profiles.begin(), scenario.profiles.end(),
                                   [&](const std::string& name) { return profile->is(name); });
    if (!meant) continue;
    for (const std::string& id : scenario.covers) covering[id].push_back(scenario.id);
  }
  for (const oracle::Oracle& judge : oracle::oracles())
    for (const std::string& id : judge.covers)
      if (std::find(judge.unproved.begin(), judge.unproved.end(), id) == judge.unproved.end())
        covering[id].push_back(std::string("oracle/") + judge.name);
  std::vector<CoverageRow> rows;
  for (const spec::Requirement& requirement : registry.all()) {
    using enum wire::TransportKind;
    if (profile && !spec::applies(requirement, *profile, kStdio) &&
        !spec::applies(requirement, *profile, kHttp) &&
        !spec::applies(requirement, *profile, kHttpSse))
      continue;
    CoverageRow row;
    row.requirement = requirement.id;
    row.level =
        spec::level_name(profile ? spec::level_in(requirement, *profile) : requirement.level);
    row.cases = covering[requirement.id];
    row.status = row.cases.empty() ? "not_covered" : "covered";
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace harness::run
