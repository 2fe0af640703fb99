// SPDX-License-Identifier: Apache-2.0
#include "reports/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/evidence.h"
#include "reports/sample_run_testing.h"

namespace reports {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> ids(const Record& record) {
  std::vector<std::string> out;
  for (const run::CaseResult& result : record.cases) out.push_back(result.id);
  return out;
}

// A run of one case that passes or breaks a clause.
Record run_of(const std::string& id, run::Verdict verdict) {
  Record record = sample::started();
  run::CaseResult one = sample::result(id, "t", verdict);
  if (verdict == run::Verdict::kFail) {
    one.findings = {sample::finding("clause", "e", "s", {1})};
    one.transcript = sample::transcript({sample::frame(1, wire::Channel::kStdin, id)});
    record.finished.causes = {sample::cause("cause", "clause", verdict, {{id, 0}})};
    record.finished.gate = "failed: 1 case broke a MUST";
    record.finished.gate_passed = false;
  }
  add_case(record, one);
  const run::RunFinished finished = record.finished;
  finish(record, finished);
  return record;
}

TEST(Merge, ShardsStandSideBySide) {
  const Record whole =
      merged({run_of("a/b/y", run::Verdict::kFail), run_of("a/b/x", run::Verdict::kPass)});
  EXPECT_THAT(ids(whole), ElementsAre("a/b/x", "a/b/y"));
  EXPECT_EQ(whole.started.cases, 2u);
  EXPECT_EQ(whole.finished.summary.at("fail"), 1u);
  EXPECT_FALSE(whole.finished.gate_passed);
  EXPECT_EQ(whole.finished.gate, "failed: 1 case broke a MUST");
  EXPECT_EQ(whole.finished.duration_ms, 8400);
  EXPECT_EQ(whole.started.target, "./server --stdio");
}

TEST(Merge, ACaseOfSeveralShardsHasItsWorstVerdictAndAllItsProof) {
  const Record whole =
      merged({run_of("oracle/ids", run::Verdict::kFail), run_of("oracle/ids", run::Verdict::kPass),
              run_of("oracle/ids", run::Verdict::kFail)});
  ASSERT_THAT(ids(whole), ElementsAre("oracle/ids"));
  const run::CaseResult& result = whole.cases.front();
  EXPECT_EQ(result.verdict, run::Verdict::kFail);
  ASSERT_EQ(result.findings.size(), 2u);
  EXPECT_EQ(frames_of(result, result.findings[0]).size(), 1u);
  EXPECT_EQ(frames_of(result, result.findings[1]).size(), 1u);
  EXPECT_NE(frames_of(result, result.findings[0])[0], frames_of(result, result.findings[1])[0]);
  ASSERT_EQ(whole.finished.causes.size(), 1u) << "one cause of two runs is one";
  EXPECT_EQ(whole.finished.causes[0].findings[1].finding, 1u);
  EXPECT_EQ(whole.finished.gate, "failed: 2 of 3 runs failed");
}

TEST(Merge, RunsOfSeveralTargetsKeepTheirCasesApart) {
  Record one = run_of("mcp/tools/list", run::Verdict::kFail);
  Record other = run_of("mcp/tools/list", run::Verdict::kPass);
  other.started.target = "node ./other.js";
  const Record whole = merged({one, other});
  EXPECT_THAT(ids(whole),
              ElementsAre("node-other.js/mcp/tools/list", "server-stdio/mcp/tools/list"));
  EXPECT_EQ(area_of(whole, whole.cases[0].id), "node-other.js/mcp/tools");
  EXPECT_EQ(whole.finished.causes[0].findings[0].case_id, "server-stdio/mcp/tools/list");
  EXPECT_NE(result_of(whole, whole.finished.causes[0].findings[0]), nullptr);
  EXPECT_EQ(whole.started.target, "./server --stdio, node ./other.js");
  ASSERT_EQ(whole.parts.size(), 2u);
  EXPECT_EQ(whole.parts[0].name, "server-stdio");
  EXPECT_TRUE(whole.parts[1].gate_passed);
}

TEST(Merge, NamesOnlyWhatDiffers) {
  Record one = run_of("a/b/c", run::Verdict::kPass), other = one;
  other.started.profile = "mcp-2025-11-25";
  EXPECT_THAT(ids(merged({one, other})), ElementsAre("jsonrpc-2.0/a/b/c", "mcp-2025-11-25/a/b/c"));
}

TEST(Merge, KeepsWhatEachRunSaysOfAClause) {
  Record one = run_of("a/b/c", run::Verdict::kPass), other = run_of("a/b/c", run::Verdict::kFail);
  one.started.profile = "mcp-2025-11-25";
  other.started.profile = "mcp-2025-06-18";
  one.finished.coverage = {{"r", "MUST", "pass", {}}, {"s", "MUST", "pass", {}}};
  other.finished.coverage = {{"r", "MUST", "fail", {}}};
  one.finished.unjudged = {"mcp-2025-06-18", "mcp-2024-11-05"};
  const Record whole = merged({one, other});
  using Statuses = std::map<std::string, std::string>;
  EXPECT_EQ(whole.by_part.at("r"),
            (Statuses{{"mcp-2025-11-25", "pass"}, {"mcp-2025-06-18", "fail"}}));
  EXPECT_EQ(whole.by_part.at("s"), (Statuses{{"mcp-2025-11-25", "pass"}}));
  EXPECT_THAT(whole.finished.unjudged, ElementsAre("mcp-2024-11-05")) << "the other was judged";
  EXPECT_EQ(profile_of(whole, "mcp-2025-06-18/a/b/c"), "mcp-2025-06-18");
  EXPECT_EQ(area_within(whole, "mcp-2025-06-18/a/b/c"), "a/b");
  // Of a merged report once more, the same.
  EXPECT_EQ(merged({whole}).by_part, whole.by_part);
}

TEST(Merge, CoverageIsTheWorstOfAllButNothingIsLost) {
  Record one = run_of("a/b/c", run::Verdict::kPass), other = run_of("a/b/d", run::Verdict::kPass);
  one.finished.coverage = {{"r", "MUST", "not_covered", {}}, {"s", "MUST", "pass", {"a/b/c"}}};
  other.finished.coverage = {{"r", "MUST", "pass", {"a/b/d"}}, {"s", "MUST", "fail", {"a/b/d"}}};
  const std::vector<run::CoverageRow> rows = merged({one, other}).finished.coverage;
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].status, "pass");
  EXPECT_EQ(rows[1].status, "fail");
  EXPECT_THAT(rows[1].cases, ElementsAre("a/b/c", "a/b/d"));
}

TEST(Merge, OneRunStaysWhatItIs) {
  const Record whole = merged({run_of("a/b/c", run::Verdict::kPass)});
  EXPECT_THAT(ids(whole), ElementsAre("a/b/c"));
  EXPECT_TRUE(whole.parts.empty());
}

}  // namespace
}  // namespace reports
