// SPDX-License-Identifier: Apache-2.0
#include "harness/run/wait_budget.h"

#include <gtest/gtest.h>

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
  finding.symptom = symptom;
  made.played.findings = {finding};
  return made;
}

TEST(WaitBudget, IsSpentByWaitsAndRestartsAndNotByPlaying) {
  WaitBudget budget(milliseconds(1000), 1);
  Judgement passed;
  passed.transcript = std::make_shared<wire::Transcript>();
  budget.played(passed, milliseconds(5000));
  budget.played(failed("r", Symptom::kAnswer), milliseconds(5000));
  EXPECT_FALSE(budget.spent());
  budget.played(failed("r", Symptom::kHang), milliseconds(400));
  budget.played(failed("r", Symptom::kEnd), milliseconds(400));
  EXPECT_FALSE(budget.spent());
  budget.played(not_played("it could not be started"), milliseconds(400));
  EXPECT_TRUE(budget.spent());
  WaitBudget waits(milliseconds(1000), 1);
  waits.lost(milliseconds(1000));
  EXPECT_TRUE(waits.spent());
}

TEST(WaitBudget, IsSpentSideBySideAndMayHaveNoEnd) {
  WaitBudget pair(milliseconds(1000), 2), endless(milliseconds(0), 1);
  for (WaitBudget* budget : {&pair, &endless})
    budget->played(failed("r", Symptom::kSilence), milliseconds(1500));
  EXPECT_FALSE(pair.spent());
  EXPECT_FALSE(endless.spent());
  pair.played(failed("r", Symptom::kSilence), milliseconds(500));
  EXPECT_TRUE(pair.spent());
}

TEST(WaitBudget, LetsAFailureStandWhereItsKindCameAgain) {
  WaitBudget budget(milliseconds(30000), 1);
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

}  // namespace
}  // namespace harness::run
