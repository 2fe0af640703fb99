// SPDX-License-Identifier: Apache-2.0
#include "reports/breaches.h"

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

TEST(BreachesOf, FoldsRowsAndPutsTheWorstFirst) {
  run::CaseResult one = sample::result("a/b", "t", run::Verdict::kFail);
  one.findings = {sample::finding("r", "e", "mild"), sample::finding("r", "e", "bad"),
                  sample::finding("r", "e", "bad")};
  one.findings[0].severity = oracle::Severity::kWarn;
  one.findings[1].row = "first";
  one.findings[2].row = "second";
  const std::vector<Breach> breaches = breaches_of(one);
  ASSERT_EQ(breaches.size(), 2u);
  EXPECT_EQ(breaches[0].finding->seen, "bad");
  EXPECT_EQ(breaches[0].rows, (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(breaches[1].finding->seen, "mild");
}

}  // namespace
}  // namespace reports
