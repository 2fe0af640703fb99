// SPDX-License-Identifier: Apache-2.0
#include "harness/results/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace harness::run {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// One field a line, as the catalogues are written.
std::string entry(const std::string& id, const std::string& level, const std::string& revision,
                  const std::string& transport = "all") {
  return "- id: " + id + "\n  level: " + level + "\n  revisions: [\"" + revision +
         "\"]\n  transports: [" + transport +
         "]\n  requires: []\n  statement: \"s\"\n  source: \"s\"\n  observable: \"yes\"\n"
         "  probe: \"p\"\n";
}

const spec::Registry& registry() {
  static const spec::Registry kRegistry = [] {
    spec::Registry made;
    const Status added = made.add(
        entry("a.must", "MUST", "2025-06-18") + entry("a.should", "SHOULD", "2025-06-18") +
            entry("a.old", "MUST", "2024-11-05") + entry("a.http", "MUST", "2025-06-18", "http") +
            entry("jsonrpc.below", "MUST", "jsonrpc-2.0"),
        "t.yaml");
    if (!added) throw std::runtime_error(added.error().text());
    return made;
  }();
  return kRegistry;
}

const spec::Profile& profile() { return *spec::find_profile("mcp-2025-06-18"); }

CaseResult result(const std::string& id, Verdict verdict, std::vector<std::string> requirements) {
  CaseResult made;
  made.id = id;
  made.verdict = verdict;
  made.requirements = std::move(requirements);
  return made;
}

CaseResult broken(const std::string& id, const std::string& clause, oracle::Severity severity,
                  std::vector<std::string> requirements) {
  CaseResult made =
      result(id, severity == oracle::Severity::kFail ? Verdict::kFail : Verdict::kWarn,
             std::move(requirements));
  oracle::Finding finding;
  finding.requirement = clause;
  finding.severity = severity;
  made.findings.push_back(finding);
  return made;
}

CoverageRow row_of(const std::vector<CoverageRow>& rows, const std::string& id) {
  for (const CoverageRow& row : rows)
    if (row.requirement == id) return row;
  return {};
}

std::string status_of(const std::vector<CaseResult>& results, const std::string& id) {
  return row_of(coverage_rows(registry(), profile(), wire::TransportKind::kStdio, results), id)
      .status;
}

TEST(CoverageRows, HoldEveryClauseThatAppliesAndNoOther) {
  std::vector<std::string> stdio, http;
  for (const CoverageRow& row :
       coverage_rows(registry(), profile(), wire::TransportKind::kStdio, {}))
    stdio.push_back(row.requirement);
  for (const CoverageRow& row :
       coverage_rows(registry(), profile(), wire::TransportKind::kHttp, {}))
    http.push_back(row.requirement);
  EXPECT_THAT(stdio, ElementsAre("a.must", "a.should", "jsonrpc.below"));
  EXPECT_THAT(http, ElementsAre("a.must", "a.should", "a.http", "jsonrpc.below"));
}

TEST(CoverageRows, ShowTheLevelUnderTheProfile) {
  const auto rows = coverage_rows(registry(), profile(), wire::TransportKind::kStdio, {});
  EXPECT_EQ(row_of(rows, "a.must").level, "MUST");
  EXPECT_EQ(row_of(rows, "jsonrpc.below").level, "SHOULD");  // it comes from the layer below
}

TEST(CoverageRows, ShowTheGravestVerdictOfWhatCoversAClause) {
  const std::vector<std::string> both = {"a.must"};
  EXPECT_EQ(status_of({}, "a.must"), "not_covered");
  EXPECT_EQ(status_of({result("x", Verdict::kPass, both)}, "a.must"), "pass");
  EXPECT_EQ(status_of({result("x", Verdict::kNotApplicable, both)}, "a.must"), "not_applicable");
  EXPECT_EQ(
      status_of({result("x", Verdict::kInconclusive, both), result("y", Verdict::kPass, both)},
                "a.must"),
      "pass");
  EXPECT_EQ(
      status_of({result("x", Verdict::kPass, both), result("y", Verdict::kFlaky, both)}, "a.must"),
      "flaky");
  EXPECT_EQ(status_of({broken("x", "a.must", oracle::Severity::kFail, both),
                       result("y", Verdict::kPass, both)},
                      "a.must"),
            "fail");
}

TEST(CoverageRows, BlameOnlyTheClauseAFindingCites) {
  const std::vector<std::string> both = {"a.must", "a.should"};
  const std::vector<CaseResult> results = {broken("x", "a.must", oracle::Severity::kFail, both)};
  EXPECT_EQ(status_of(results, "a.must"), "fail");
  EXPECT_EQ(status_of(results, "a.should"), "pass");
  EXPECT_EQ(status_of({broken("x", "a.should", oracle::Severity::kWarn, both)}, "a.should"),
            "warn");
}

TEST(CoverageRows, NameTheCases) {
  const auto rows = coverage_rows(
      registry(), profile(), wire::TransportKind::kStdio,
      {result("x", Verdict::kPass, {"a.must"}), result("y", Verdict::kPass, {"a.must"})});
  EXPECT_THAT(row_of(rows, "a.must").cases, ElementsAre("x", "y"));
  EXPECT_THAT(row_of(rows, "a.should").cases, IsEmpty());
}

TEST(SuiteCoverage, CountsCasesThatAreMeantForTheProfile) {
  suite::Suite made;
  suite::Case scenario;
  scenario.id = "x";
  scenario.covers = {"a.must"};
  scenario.profiles = {"mcp>=2025-11-25"};
  made.cases.push_back(scenario);
  EXPECT_EQ(row_of(suite_coverage(registry(), made, &profile()), "a.must").status, "not_covered");
  made.cases[0].profiles = {"mcp"};
  const CoverageRow row = row_of(suite_coverage(registry(), made, &profile()), "a.must");
  EXPECT_EQ(row.status, "covered");
  EXPECT_THAT(row.cases, ElementsAre("x"));
  // Without a profile: all of the registry, at the written level.
  EXPECT_EQ(suite_coverage(registry(), made, nullptr).size(), registry().all().size());
  EXPECT_EQ(row_of(suite_coverage(registry(), made, nullptr), "jsonrpc.below").level, "MUST");
}

}  // namespace
}  // namespace harness::run
