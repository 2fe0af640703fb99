// SPDX-License-Identifier: Apache-2.0
#include "harness/results/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/suite/testing.h"

namespace harness::run {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

CaseResult result(Verdict verdict, bool baselined = false) {
  CaseResult made;
  made.verdict = verdict;
  made.baselined = baselined;
  return made;
}

TEST(Gate, NamesTheFirstReasonNotToPass) {
  struct Row {
    std::vector<CaseResult> results;
    GateRules rules;
    bool stale;
    std::size_t played;
    const char* gate;
  };
  const CaseResult pass = result(Verdict::kPass), fail = result(Verdict::kFail),
                   warn = result(Verdict::kWarn), unclear = result(Verdict::kInconclusive),
                   error = result(Verdict::kError), flaky = result(Verdict::kFlaky),
                   known_fail = result(Verdict::kFail, true),
                   known_warn = result(Verdict::kWarn, true);
  const GateRules usual, should{true, false}, strict{false, true};
  for (const Row& row : {
           Row{{pass}, usual, false, 1, "passed"},
           Row{{pass, warn, unclear, flaky}, usual, false, 1, "passed"},
           Row{{pass, fail}, usual, false, 1, "failed: a MUST is broken"},
           Row{{known_fail}, usual, false, 1, "passed"},
           Row{{warn}, should, false, 1, "failed: a SHOULD is broken (--level should)"},
           Row{{known_warn}, should, false, 1, "passed"},
           Row{{pass, fail}, {false, false, true}, false, 1, kPassedAsKnown},
           Row{{pass, warn}, {true, false, true}, false, 1, kPassedAsKnown},
           Row{{pass, warn}, {false, false, true}, false, 1, "passed"},
           Row{{fail, error}, {false, false, true}, false, 1, "failed: rpcspec itself went wrong"},
           Row{{fail, warn}, should, true, 1, "failed: a MUST is broken"},
           Row{{pass}, usual, true, 1, "failed: the baseline has stale entries"},
           Row{{pass, unclear},
               strict,
               false,
               1,
               "failed: not everything could be tested (--strict)"},
           Row{{pass, error}, usual, false, 1, "failed: rpcspec itself went wrong"},
           Row{{unclear}, usual, false, 0, "failed: nothing could be tested"},
           Row{{}, usual, false, 0, "failed: nothing could be tested"},
       })
    EXPECT_EQ(gate_of(row.results, row.rules, row.stale, row.played), row.gate);
}

TEST(Summary, CountsVerdictsAndWhatTheBaselineKnows) {
  EXPECT_THAT(count_verdicts({result(Verdict::kPass), result(Verdict::kFail, true),
                              result(Verdict::kFail), result(Verdict::kPass)}),
              ElementsAre(Pair("baselined", 1), Pair("fail", 2), Pair("pass", 2)));
  EXPECT_THAT(count_verdicts({}), IsEmpty());
}

TEST(Summary, ListsTheClausesThatApplyAndTheirHighestLevel) {
  const spec::Profile& plain = *spec::find_profile("jsonrpc-2.0");
  const auto blank = [&](const std::vector<std::string>& covers) {
    return blank_result("a/b", "T", covers, suite::own_registry(), plain,
                        wire::TransportKind::kStdio);
  };
  const std::optional<CaseResult> some =
      blank({"mcp.ping.result", "jsonrpc.request.reply-exactly-one"});
  ASSERT_TRUE(some);
  EXPECT_EQ(some->id, "a/b");
  EXPECT_EQ(some->level, "MUST");
  EXPECT_THAT(some->requirements, ElementsAre("jsonrpc.request.reply-exactly-one"));
  EXPECT_FALSE(blank({"mcp.ping.result"}));
}

TEST(Summary, TakesFromAJudgementWhatItsVerdictIsAbout) {
  struct Row {
    Verdict verdict;
    const char* reason;
    const char* remedy;
  };
  for (const Row& row : {
           Row{Verdict::kPass, "", ""},
           Row{Verdict::kFail, "", ""},
           Row{Verdict::kError, "a bug", ""},
           Row{Verdict::kInconclusive, "no affordance", "add one"},
           Row{Verdict::kNotApplicable, "no tools", ""},
       }) {
    Judgement judgement;
    judgement.verdict = row.verdict;
    judgement.error = "a bug";
    judgement.played.inconclusive = "no affordance";
    judgement.played.remedy = "add one";
    judgement.played.not_applicable = "no tools";
    judgement.played.notes = {"odd"};
    judgement.played.findings.resize(2);
    judgement.transcript = std::make_shared<wire::Transcript>();
    CaseResult filled;
    fill(filled, judgement);
    EXPECT_EQ(filled.verdict, row.verdict);
    EXPECT_EQ(filled.reason, row.reason);
    EXPECT_EQ(filled.remedy, row.remedy);
    EXPECT_THAT(filled.findings, SizeIs(2));
    EXPECT_THAT(filled.notes, ElementsAre("odd"));
    EXPECT_EQ(filled.transcript, judgement.transcript);
  }
}

TEST(Summary, LeavesAResultThatSaysAlreadyWhyTheCaseWasNotPlayed) {
  for (const Verdict verdict : {Verdict::kInconclusive, Verdict::kNotApplicable}) {
    CaseResult gated = result(verdict);
    gated.reason = "it offers no tools";
    Judgement judgement;
    fill(gated, judgement);
    EXPECT_EQ(gated.verdict, verdict);
    EXPECT_EQ(gated.reason, "it offers no tools");
  }
}

TEST(Summary, TakesFromAnOracleAllItTold) {
  OracleLedger::Told told;
  told.verdict = Verdict::kFlaky;
  told.reason = "seen once";
  told.findings.resize(1);
  told.notes = {"and 3 more"};
  told.transcript = std::make_shared<wire::Transcript>();
  const auto shown = told.transcript;
  CaseResult filled;
  fill(filled, std::move(told));
  EXPECT_EQ(filled.verdict, Verdict::kFlaky);
  EXPECT_EQ(filled.reason, "seen once");
  EXPECT_THAT(filled.findings, SizeIs(1));
  EXPECT_THAT(filled.notes, ElementsAre("and 3 more"));
  EXPECT_EQ(filled.transcript, shown);
}

}  // namespace
}  // namespace harness::run
