// SPDX-License-Identifier: Apache-2.0
#include "reports/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/text.h"
#include "harness/json/write.h"
#include "reports/sample_run_testing.h"

namespace reports {
namespace {

using ::testing::HasSubstr;

// A case that breaks these clauses: "must.x" a MUST, "should.x" a SHOULD.
run::CaseResult result(const std::string& id, run::Verdict verdict,
                       const std::vector<std::string>& clauses = {}) {
  run::CaseResult out = sample::result(id, "title", verdict);
  for (const std::string& clause : clauses) {
    oracle::Finding finding = sample::finding(clause, "this", "that");
    if (clause.starts_with("should")) finding.severity = oracle::Severity::kWarn;
    out.findings.push_back(finding);
  }
  return out;
}

Record run_of(const std::vector<run::CaseResult>& results) {
  Record record = sample::started();
  for (const run::CaseResult& one : results) add_case(record, one);
  return record;
}

Comparison compare_one(const run::CaseResult& before, const run::CaseResult& after) {
  return compare(run_of({before}), run_of({after}));
}

TEST(Compare, AClauseThatIsNewlyBrokenIsWorse) {
  const Comparison found =
      compare_one(result("c", run::Verdict::kPass), result("c", run::Verdict::kFail, {"must.a"}));
  ASSERT_EQ(found.worse.size(), 1u);
  EXPECT_EQ(found.worse[0].before + found.worse[0].after, "passfail");
  EXPECT_EQ(found.worse[0].requirement, "must.a");
  EXPECT_EQ(found.worse[0].text, "expected this; seen that");
  EXPECT_TRUE(found.worse[0].must);
  EXPECT_TRUE(found.better.empty());
}

TEST(Compare, AClauseThatIsNoLongerBrokenIsBetter) {
  const Comparison found =
      compare_one(result("c", run::Verdict::kFail, {"must.a"}), result("c", run::Verdict::kPass));
  EXPECT_TRUE(found.worse.empty());
  ASSERT_EQ(found.better.size(), 1u);
  EXPECT_EQ(found.better[0].requirement, "must.a");
}

TEST(Compare, ACaseThatFailsMayStillBecomeWorseAndBetter) {
  const Comparison found = compare_one(result("c", run::Verdict::kFail, {"must.a", "must.b"}),
                                       result("c", run::Verdict::kFail, {"must.b", "must.c"}));
  ASSERT_EQ(found.worse.size(), 1u);
  EXPECT_EQ(found.worse[0].requirement, "must.c");
  ASSERT_EQ(found.better.size(), 1u);
  EXPECT_EQ(found.better[0].requirement, "must.a");
  EXPECT_EQ(found.same, 0u);
}

TEST(Compare, ASameFailureWithOtherWordsIsTheSame) {
  run::CaseResult after = result("c", run::Verdict::kFail, {"must.a"});
  after.findings[0].seen = "other words";
  EXPECT_EQ(compare_one(result("c", run::Verdict::kFail, {"must.a"}), after).same, 1u);
}

TEST(Compare, ABrokenShouldIsWorseButNoMust) {
  const Comparison found =
      compare_one(result("c", run::Verdict::kPass), result("c", run::Verdict::kWarn, {"should.a"}));
  ASSERT_EQ(found.worse.size(), 1u);
  EXPECT_FALSE(found.worse[0].must);
}

TEST(Compare, WhatCannotBeToldAnyMoreIsNeitherWorseNorBetter) {
  for (const run::Verdict now : {run::Verdict::kInconclusive, run::Verdict::kNotApplicable,
                                 run::Verdict::kFlaky, run::Verdict::kError}) {
    const Comparison found =
        compare_one(result("c", run::Verdict::kFail, {"must.a"}), result("c", now));
    EXPECT_TRUE(found.worse.empty() && found.better.empty());
    EXPECT_EQ(found.unsure.size(), 1u);
  }
}

TEST(Compare, ACaseThatIsExercisedForTheFirstTimeAndFailsIsWorse) {
  EXPECT_EQ(compare_one(result("c", run::Verdict::kNotApplicable),
                        result("c", run::Verdict::kFail, {"must.a"}))
                .worse.size(),
            1u);
}

TEST(Compare, ACaseThatWasNotThereIsWorseUnlessAnotherProgramPlayedIt) {
  const Record before = run_of({}), after = run_of({result("c", run::Verdict::kFail, {"must.a"})});
  EXPECT_EQ(compare(before, after).worse.size(), 1u);
  Record newer = after;
  newer.started.version = "9.9.9";
  EXPECT_TRUE(compare(before, newer).worse.empty());
  EXPECT_EQ(compare(before, newer).first_time.size(), 1u);
  EXPECT_EQ(compare(after, before).removed, 1u);
}

TEST(Compare, AnOracleThatFindsNothingAnyMoreIsBetter) {
  const Record before = run_of({result("oracle/ids", run::Verdict::kFail, {"must.a"}),
                                result("campaign-finding", run::Verdict::kFail, {"must.b"})});
  const Comparison found = compare(before, run_of({}));
  ASSERT_EQ(found.better.size(), 1u);
  EXPECT_EQ(found.better[0].case_id, "oracle/ids");
  EXPECT_EQ(found.removed, 1u);
}

TEST(Compare, TheSameRunTwiceIsTheSame) {
  const Record record = sample::every_kind();
  const Comparison found = compare(record, record);
  EXPECT_TRUE(found.worse.empty() && found.better.empty() && found.unsure.empty());
  EXPECT_EQ(found.same, record.cases.size());
}

TEST(Compare, TellsTheWorstLast) {
  const Record before =
      run_of({result("a", run::Verdict::kPass), result("b", run::Verdict::kFail, {"must.b"}),
              result("c", run::Verdict::kPass)});
  Record after =
      run_of({result("a", run::Verdict::kFail, {"must.a"}), result("b", run::Verdict::kPass),
              result("c", run::Verdict::kInconclusive)});
  after.started.target = "./server-2";
  const std::string text =
      comparison_text(compare(before, after), before, after, sample::options());
  EXPECT_EQ(text, sample::golden("compare.txt", text));
}

TEST(Compare, HostileTextIsShownNotObeyed) {
  const Record before = run_of({}), after = sample::hostile();
  const Comparison found = compare(before, after);
  for (const std::string& text :
       {comparison_text(found, before, after, sample::options()),
        harness::json::write_pretty(comparison_json(found, before, after)) + "\n"}) {
    std::string lines = text;
    std::erase(lines, '\n');
    EXPECT_EQ(harness::printable(lines, lines.size()), lines);
  }
}

}  // namespace
}  // namespace reports
