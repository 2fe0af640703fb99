// SPDX-License-Identifier: Apache-2.0
#include "reports/caveats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/sample_run_testing.h"

namespace reports {
namespace {

using run::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Record record_of(std::size_t passed, std::size_t idle = 0, std::size_t apart = 0) {
  Record record = sample::started();
  const auto add = [&](std::size_t count, Verdict verdict) {
    for (std::size_t i = 0; i < count; ++i)
      record.cases.push_back(
          sample::result("a/" + std::to_string(record.cases.size()), "A", verdict));
  };
  add(passed, Verdict::kPass);
  add(idle, Verdict::kInconclusive);
  add(apart, Verdict::kNotApplicable);
  return record;
}

TEST(Caveats, OfAWholeRunThereAreNone) {
  EXPECT_THAT(caveats_of(record_of(145, 30, 90)), IsEmpty());
}

TEST(Caveats, SayThatFewCasesWereJudged) {
  EXPECT_THAT(caveats_of(record_of(1)), ElementsAre(HasSubstr("Only 1 case was judged")));
  EXPECT_THAT(caveats_of(record_of(7)), ElementsAre(HasSubstr("Only 7 cases were judged")));
}

TEST(Caveats, SayThatMuchDoesNotApplyOrCouldNotBeExercised) {
  EXPECT_THAT(caveats_of(record_of(100, 0, 101)),
              ElementsAre(HasSubstr("101 of 201 cases do not apply")));
  EXPECT_THAT(caveats_of(record_of(100, 30)),
              ElementsAre(HasSubstr("30 of 130 cases that apply could not be tested")));
}

TEST(Caveats, NameToolsAndRevisions) {
  Record record = record_of(145);
  record.finished.not_called = {{"rm", "why"}, {"mv", "why"}, {"dd", "why"}, {"ln", "why"}};
  record.finished.unjudged = {"mcp-2025-06-18"};
  EXPECT_THAT(caveats_of(record), ElementsAre(HasSubstr("Not called: rm, mv, dd, "),
                                              HasSubstr("Not judged: mcp-2025-06-18")));
}

TEST(Caveats, AreOfAPassOnly) {
  Record record = record_of(1);
  record.finished.gate_passed = false;
  EXPECT_THAT(caveats_of(record), IsEmpty());
}

}  // namespace
}  // namespace reports
