// SPDX-License-Identifier: Apache-2.0
#include "harness/run/wait_budget.h"

#include <gtest/gtest.h>

#include "harness/oracle/finding_testing.h"

namespace harness::run {
namespace {

using oracle::Symptom;
using std::chrono::milliseconds;

Judgement failed(const char* requirement, Symptom symptom) {
  Judgement made;
  made.verdict = Verdict::kFail;
  made.transcript = std::make_shared<wire::Transcript>();
  oracle::Finding finding;
  finding.requirement = requirement;
  finding.came = oracle::showing(symptom);
  made.played.findings = {finding};
  return made;
}

// From one moment to another, both counted from the same beginning.
WaitBudget::Span span(int from, int to) {
  const session::Clock::time_point begin{};
  return {begin + milliseconds(from), begin + milliseconds(to)};
}

TEST(WaitBudget, CountsAsOnAQuietMachine) {
  WaitBudget budget(milliseconds(1000));
  WaitBudget::Span slow = span(0, 3000);
  slow.slowdown = 4;
  budget.lost(slow);
  EXPECT_EQ(budget.lost(), milliseconds(750));
  slow = span(1000, 3500);  // half a second more
  slow.slowdown = 100;
  budget.lost(slow);
  EXPECT_EQ(budget.lost(), milliseconds(875));
  budget.lost(span(4000, 4200));
  EXPECT_TRUE(budget.spent());
}

TEST(WaitBudget, IsSpentByWaitsAndRestartsAndNotByPlaying) {
  WaitBudget budget(milliseconds(1000));
  Judgement passed;
  passed.transcript = std::make_shared<wire::Transcript>();
  budget.played(passed, span(0, 5000));
  budget.played(failed("r", Symptom::kAnswer), span(5000, 9000));
  EXPECT_FALSE(budget.spent());
  budget.played(failed("r", Symptom::kHang), span(9000, 9400));
  budget.played(failed("r", Symptom::kEnd), span(9400, 9800));
  EXPECT_FALSE(budget.spent());
  EXPECT_TRUE(budget.spent_with(span(9900, 10100)));
  EXPECT_FALSE(budget.spent_with(span(9100, 9900)));
  budget.played(not_played("it could not be started"), span(9800, 10200));
  EXPECT_TRUE(budget.spent());
  WaitBudget silent(milliseconds(1000));
  Judgement believed = failed("r", Symptom::kSilence);
  believed.played.believed = true;
  silent.played(believed, span(0, 5000));
  EXPECT_FALSE(silent.spent()) << "a canary told";
  WaitBudget batches(milliseconds(1000));
  believed.played.in_vain = true;
  batches.played(believed, span(0, 5000));
  EXPECT_TRUE(batches.spent()) << "it was waited for before the canary was asked";
  silent.played(failed("r", Symptom::kSilence), span(0, 5000));
  EXPECT_TRUE(silent.spent());
  WaitBudget unread(milliseconds(1000));
  Judgement garbage = failed("r", Symptom::kAnswer);
  garbage.played.findings.front().came.came = oracle::NotAMessage{};
  unread.played(garbage, span(0, 1000));
  EXPECT_TRUE(unread.spent());
  WaitBudget unsent(milliseconds(1000));
  garbage.played.findings.front().came.came = oracle::MissingMessage{};
  unsent.played(garbage, span(0, 1000));
  EXPECT_TRUE(unsent.spent());
  WaitBudget endless(milliseconds(1000));
  auto open = std::make_shared<wire::Transcript>();
  wire::Frame given_up;
  given_up.channel = wire::Channel::kClose;
  given_up.bytes = "timeout";
  open->frames.push_back(given_up);
  passed.transcript = open;
  endless.played(passed, span(0, 1000));
  EXPECT_TRUE(endless.spent());
  WaitBudget waits(milliseconds(1000));
  waits.lost(span(0, 1000));
  EXPECT_TRUE(waits.spent());
}

TEST(WaitBudget, CountsOnceWhatIsLostSideBySideAndMayHaveNoEnd) {
  WaitBudget budget(milliseconds(1000));
  budget.lost(span(0, 400));
  budget.lost(span(600, 900));
  budget.lost(span(100, 500));
  EXPECT_FALSE(budget.spent()) << "800";
  budget.lost(span(350, 700));
  budget.lost(span(0, 900));
  EXPECT_FALSE(budget.spent()) << "900";
  budget.lost(span(2000, 2100));
  EXPECT_TRUE(budget.spent());
  WaitBudget endless(milliseconds(0));
  endless.lost(span(0, 1'000'000));
  EXPECT_FALSE(endless.spent());
}

TEST(WaitBudget, LetsAFailureStandWhereItsKindCameAgain) {
  WaitBudget budget(milliseconds(30000));
  budget.confirmed(failed("r", Symptom::kHang));
  Entry same, other, heard, passed;
  passed.judgement = failed("s", Symptom::kHang);
  passed.judgement.verdict = Verdict::kWarn;
  same.judgement = failed("r", Symptom::kHang);
  other.judgement = failed("r", Symptom::kEnd);
  heard.judgement.played.doubtful = true;
  for (Entry* entry : {&same, &other, &heard, &passed}) budget.settle_unconfirmed(*entry);
  EXPECT_EQ(same.judgement.verdict, Verdict::kFail);
  EXPECT_EQ(other.judgement.verdict, Verdict::kInconclusive);
  EXPECT_EQ(other.judgement.played.inconclusive,
            "it failed once, and was not played again: 30 s were lost to answers that did not come "
            "and to starting the target again (--max-time)");
  EXPECT_EQ(heard.judgement.verdict, Verdict::kInconclusive);
  EXPECT_EQ(passed.judgement.verdict, Verdict::kWarn) << "only an oracle wanted to look again";
}

TEST(WaitBudget, IsScarceBeforeItIsSpent) {
  WaitBudget budget(milliseconds(900));
  budget.lost(span(0, 299));
  EXPECT_FALSE(budget.scarce());
  budget.lost(span(299, 300));
  EXPECT_TRUE(budget.scarce());
  EXPECT_FALSE(budget.spent());
  EXPECT_FALSE(WaitBudget(milliseconds(0)).scarce()) << "it has no end";
}

TEST(WaitBudget, KnowsTheKindThatCameAgain) {
  WaitBudget budget(milliseconds(30000));
  EXPECT_FALSE(budget.came_again(failed("r", Symptom::kHang)));
  budget.confirmed(failed("r", Symptom::kHang));
  EXPECT_TRUE(budget.came_again(failed("r", Symptom::kHang)));
  EXPECT_FALSE(budget.came_again(failed("s", Symptom::kHang)));
}

}  // namespace
}  // namespace harness::run
