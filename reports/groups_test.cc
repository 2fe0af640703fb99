// SPDX-License-Identifier: Apache-2.0
#include "reports/groups.h"

#include <gtest/gtest.h>

#include "reports/sample_run.h"

namespace reports {
namespace {

TEST(WithoutNoise, BlanksIdsAndDurationsButNotErrorCodes) {
  EXPECT_EQ(without_noise(R"({"id":17,"x":1})"), without_noise(R"({"id": 99,"x":1})"));
  EXPECT_EQ(without_noise(R"({"id":"a\"b"})"), without_noise(R"({"id":"c"})"));
  EXPECT_EQ(without_noise("nothing for 250 ms"), without_noise("nothing for 31.5 ms"));
  EXPECT_NE(without_noise(R"({"id":null})"), without_noise(R"({"id":1})"));
  EXPECT_NE(without_noise("error -32600"), without_noise("error -32601"));
}

TEST(CausesOf, FoldsRowsAndPutsTheWorstFirst) {
  run::CaseResult one = sample::result("a/b", "t", run::Verdict::kFail);
  one.findings = {sample::finding("r", "e", "mild"), sample::finding("r", "e", "bad"),
                  sample::finding("r", "e", "bad")};
  one.findings[0].severity = oracle::Severity::kWarn;
  one.findings[1].row = "first";
  one.findings[2].row = "second";
  const std::vector<Cause> causes = causes_of(one);
  ASSERT_EQ(causes.size(), 2u);
  EXPECT_EQ(causes[0].finding->seen, "bad");
  EXPECT_EQ(causes[0].rows, (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(causes[1].finding->seen, "mild");
}

TEST(GroupByCause, JoinsCasesWhoseWorstBreachIsTheSameAndKeepsTheLesserOnes) {
  run::CaseResult plain = sample::result("a/plain", "t", run::Verdict::kFail);
  plain.findings = {sample::finding("r.one", "a reply", "silence")};
  run::CaseResult more = sample::result("a/more", "t", run::Verdict::kFail);
  more.findings = {sample::finding("r.two", "a reply", "silence"),
                   sample::finding("r.three", "no logs", "a log")};
  more.findings[1].severity = oracle::Severity::kWarn;
  const std::vector<Group> groups = group_by_cause({&plain, &more});
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].cases.size(), 2u);
  ASSERT_EQ(groups[0].lesser.size(), 1u);
  EXPECT_EQ(groups[0].lesser[0].finding->seen, "a log");
}

TEST(GroupByCause, JoinsCasesWithoutFindingsByTheirReason) {
  run::CaseResult one = sample::result("a", "t", run::Verdict::kError);
  one.reason = "a bug";
  run::CaseResult other = one;
  other.reason = "another bug";
  EXPECT_EQ(group_by_cause({&one, &one, &other}).size(), 2u);
}

}  // namespace
}  // namespace reports
