// SPDX-License-Identifier: Apache-2.0
#include "harness/run/second_look.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/oracle/finding_testing.h"
#include "harness/suite/testing.h"

namespace harness::run {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

Judgement judgement(Verdict verdict) {
  Judgement made;
  made.verdict = verdict;
  if (verdict == Verdict::kFail) made.played.findings.resize(1);
  return made;
}

Judgement doubtful(Verdict verdict) {
  Judgement made = judgement(verdict);
  made.played.doubtful = true;
  return made;
}

// It failed by so many findings, of which some rest on a reply that did not come.
Judgement missing(std::size_t failures, std::size_t missed) {
  Judgement made = judgement(Verdict::kFail);
  made.played.findings.resize(failures);
  made.played.missed = missed;
  return made;
}

TEST(SecondLook, LooksAgainAtFailuresAndDoubts) {
  for (const Verdict verdict : {Verdict::kPass, Verdict::kWarn, Verdict::kInconclusive,
                                Verdict::kNotApplicable, Verdict::kError}) {
    EXPECT_FALSE(unsure(judgement(verdict))) << verdict_name(verdict);
    EXPECT_TRUE(unsure(doubtful(verdict))) << verdict_name(verdict);
  }
  EXPECT_TRUE(unsure(judgement(Verdict::kFail)));

  Judgement slow = judgement(Verdict::kWarn);
  oracle::Finding& silent = slow.played.findings.emplace_back();
  silent.came = oracle::Observation{oracle::Nothing{}};
  silent.came.canary_answered = true;
  slow.played.believed = true;
  EXPECT_TRUE(unsure(slow)) << "any response would do";
  silent.wanted.error = true;
  EXPECT_FALSE(unsure(slow)) << "servers are silent to what they refuse, and no slower at it";
}

TEST(SecondLook, IsPatientWhereASilenceWasContradicted) {
  Entry entry;
  entry.judgement = judgement(Verdict::kFail);
  EXPECT_EQ(second_look_at(entry), Look::kAlone);
  entry.judgement = doubtful(Verdict::kPass);
  EXPECT_EQ(second_look_at(entry), Look::kPatient);
  entry.among_others = true;
  EXPECT_EQ(second_look_at(entry), Look::kAlone);
}

TEST(SecondLook, IsHadBesideOthersWhereOnlyAnswersWereWrong) {
  suite::Case scenario;
  Entry entry;
  entry.scenario = &scenario;
  entry.judgement = judgement(Verdict::kFail);
  EXPECT_TRUE(may_share_second_look(entry));
  entry.judgement.played.findings[0].came = oracle::showing(oracle::Symptom::kSilence);
  EXPECT_FALSE(may_share_second_look(entry));
  for (const Judgement& unsettled : {doubtful(Verdict::kFail), missing(1, 1)}) {
    entry.judgement = unsettled;
    EXPECT_FALSE(may_share_second_look(entry));
  }
  entry.judgement = judgement(Verdict::kFail);
  for (const suite::Need need : {suite::Need::kFresh, suite::Need::kBare}) {
    scenario.need = need;
    EXPECT_FALSE(may_share_second_look(entry));
  }
}

Judgement otherwise() {
  Judgement made = judgement(Verdict::kFail);
  made.played.findings[0].came = oracle::showing(oracle::Symptom::kEnd);
  return made;
}

TEST(SecondLook, LooksAThirdTimeWhereACaseFailsForAnotherReason) {
  for (const bool settles : {true, false}) {
    Entry entry;
    entry.judgement = judgement(Verdict::kFail);
    EXPECT_FALSE(take_second(entry, otherwise()));
    EXPECT_TRUE(take_second(entry, settles ? otherwise() : judgement(Verdict::kFail)));
    EXPECT_EQ(entry.judgement.verdict, settles ? Verdict::kFail : Verdict::kFlaky);
  }
}

TEST(SecondLook, DecidesWhatStands) {
  struct Row {
    const char* what;
    Judgement first, second;
    Confirmation confirmation;
  };
  for (const Row& row : {
           Row{"it fails again", judgement(Verdict::kFail), judgement(Verdict::kFail),
               Confirmation::kSecond},
           Row{"it fails for another reason", judgement(Verdict::kFail), otherwise(),
               Confirmation::kAnother},
           Row{"it failed once", judgement(Verdict::kFail), judgement(Verdict::kPass),
               Confirmation::kFlaky},
           Row{"it failed, and has nothing to say now", judgement(Verdict::kFail),
               judgement(Verdict::kNotApplicable), Confirmation::kFlaky},
           Row{"it failed, and is worth a warning", judgement(Verdict::kFail),
               judgement(Verdict::kWarn), Confirmation::kSecond},
           Row{"it failed, and cannot be played again", judgement(Verdict::kFail),
               judgement(Verdict::kInconclusive), Confirmation::kFirst},
           Row{"it failed, and we err", judgement(Verdict::kFail), judgement(Verdict::kError),
               Confirmation::kSecond},
           Row{"the failure was in doubt", doubtful(Verdict::kFail), judgement(Verdict::kPass),
               Confirmation::kSecond},
           Row{"what was missing came", missing(1, 1), judgement(Verdict::kPass),
               Confirmation::kSecond},
           Row{"not all was missing", missing(2, 1), judgement(Verdict::kPass),
               Confirmation::kFlaky},
           Row{"a pass was in doubt", doubtful(Verdict::kPass), judgement(Verdict::kFail),
               Confirmation::kSecond},
           Row{"an oracle asked for it", judgement(Verdict::kPass), judgement(Verdict::kPass),
               Confirmation::kSecond},
           Row{"a pass that cannot be played again", doubtful(Verdict::kPass),
               judgement(Verdict::kInconclusive), Confirmation::kSecond},
       })
    EXPECT_EQ(confirmation(row.first, row.second), row.confirmation) << row.what;
}

TEST(SecondLook, CallsNoServerFlakyThatAnsweredLateWhileOthersWerePlayed) {
  Judgement first = judgement(Verdict::kFail);
  first.played.findings[0].came = oracle::showing(oracle::Symptom::kHang);
  const Judgement second = judgement(Verdict::kPass);
  EXPECT_EQ(confirmation(first, second, true), Confirmation::kSecond);
  EXPECT_EQ(confirmation(first, second, false), Confirmation::kFlaky) << "that process is gone";
  first.played.findings[0].came = oracle::showing(oracle::Symptom::kAnswer);
  EXPECT_EQ(confirmation(first, second, true), Confirmation::kFlaky);
}

TEST(SecondLook, SaysWhyACaseIsFlakyAndKeepsItsFindings) {
  for (const bool shared : {false, true}) {
    const suite::Case scenario;
    Entry entry;
    entry.scenario = &scenario;
    entry.judgement = judgement(Verdict::kFail);
    entry.shared = shared;
    take_second(entry, judgement(Verdict::kPass));
    EXPECT_EQ(entry.judgement.verdict, Verdict::kFlaky);
    EXPECT_THAT(entry.judgement.played.findings, SizeIs(1));
    EXPECT_THAT(entry.result.reason, HasSubstr(shared ? "on a shared session" : "failed once"));
  }
}

TEST(SecondLook, LaysNothingToATargetThatAnotherCaseMayHaveLeftChanged) {
  suite::Case scenario;
  scenario.need = suite::Need::kOwn;
  for (const bool shared : {false, true}) {
    Entry entry;
    entry.scenario = &scenario;
    entry.judgement = judgement(Verdict::kFail);
    entry.shared = shared;
    EXPECT_TRUE(take_second(entry, judgement(Verdict::kPass)));
    EXPECT_EQ(entry.judgement.verdict, shared ? Verdict::kPass : Verdict::kFlaky);
  }
}

TEST(SecondLook, TakesTheSecondJudgementWhereItStands) {
  Entry entry;
  entry.judgement = doubtful(Verdict::kPass);
  take_second(entry, judgement(Verdict::kFail));
  EXPECT_EQ(entry.judgement.verdict, Verdict::kFail);
  EXPECT_EQ(entry.result.reason, "");

  entry.judgement = judgement(Verdict::kFail);
  take_second(entry, not_played("it is gone"));
  EXPECT_EQ(entry.judgement.verdict, Verdict::kFail);
  const oracle::Finding& kept = entry.judgement.played.findings.front();
  EXPECT_FALSE(kept.sure);
  EXPECT_THAT(kept.seen, HasSubstr("not confirmed: it was not played again, because it is gone"));

  entry.judgement = judgement(Verdict::kFail);
  oracle::Observation silent{oracle::Nothing{}};
  silent.canary_answered = true;
  entry.judgement.played.findings.front().came = silent;
  entry.judgement.played.believed = true;
  take_second(entry, not_played("it is gone"));
  EXPECT_EQ(entry.judgement.verdict, Verdict::kInconclusive) << "it may be slow";
}

TEST(SecondLook, DoubtsAnEndThatDidNotComeWhereOthersHadSpoken) {
  struct Row {
    const char* steps;
    Verdict verdict;
    bool shared, odd;
  };
  constexpr const char* kSignals = R"([{"signal":"TERM"}])";
  for (const Row& row : {
           Row{kSignals, Verdict::kWarn, true, true},
           Row{kSignals, Verdict::kWarn, false, false},
           Row{kSignals, Verdict::kPass, true, false},
           Row{R"([{"canary":true}])", Verdict::kWarn, true, false},
           // It is given a connection on which nothing was promised, so others are no reason.
           Row{R"([{"close":"stdin"}])", Verdict::kWarn, true, false},
       }) {
    suite::Case scenario;
    scenario.steps = suite::steps_of(row.steps);
    Judgement one = judgement(row.verdict);
    one.shared = row.shared;
    EXPECT_EQ(ended_oddly(scenario, one), row.odd) << row.steps;
  }
}

}  // namespace
}  // namespace harness::run
