// SPDX-License-Identifier: Apache-2.0
#include "reports/breaches.h"

#include <gtest/gtest.h>

#include "harness/json/read.h"
#include "reports/sample_run_testing.h"

namespace reports {
namespace {

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

TEST(BreachesOf, FoldsAnswersOfOneClassWhateverTheirTexts) {
  run::CaseResult one = sample::result("a/b", "t", run::Verdict::kFail);
  for (const char* text : {R"({"id":1,"error":{"code":-32600,"message":"no"}})",
                           R"({"id":2,"error":{"code":-32600,"message":"never"}})",
                           R"({"id":3,"error":{"code":-32603,"message":"no"}})"}) {
    one.findings.push_back(sample::finding("r", "e", text));
    one.findings.back().came = oracle::observed(harness::json::parse(text));
  }
  const std::vector<Breach> breaches = breaches_of(one);
  ASSERT_EQ(breaches.size(), 2u);
  EXPECT_EQ(breaches[0].count, 2u);
  EXPECT_EQ(breaches[1].finding, &one.findings[2]);
}

}  // namespace
}  // namespace reports
