// SPDX-License-Identifier: Apache-2.0
#include "harness/results/baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "harness/results/baseline_draft.h"

namespace harness::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class BaselineTest : public testing::Test {
 protected:
  BaselineTest()
      : folder_(std::filesystem::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::create_directories(folder_);
  }
  ~BaselineTest() override { std::filesystem::remove_all(folder_); }

  Result<Baseline> load(const std::string& text, const std::string& today = {}) {
    const std::string path = (folder_ / "b.yaml").string();
    std::ofstream(path) << text;
    return Baseline::load(path, today);
  }
  Baseline loaded(const std::string& text, const std::string& today = {}) {
    Result<Baseline> baseline = load(text, today);
    if (!baseline) throw std::runtime_error(baseline.error().text());
    return *baseline;
  }
  // What is said of a file that is refused, without the folder.
  std::string complaint(const std::string& text) {
    const Result<Baseline> baseline = load(text);
    if (baseline) return "";
    const std::string said = baseline.error().text();
    return said.substr(said.find("b.yaml"));
  }

  std::filesystem::path folder_;
};

oracle::Finding finding(const std::string& expected, const std::string& seen,
                        oracle::Severity severity = oracle::Severity::kFail) {
  oracle::Finding out;
  out.requirement = "a.clause";
  out.severity = severity;
  out.expected = expected;
  out.seen = seen;
  if (const wire::Message message = wire::read_message(seen); message.is_json)
    out.came = oracle::observed(message);
  else if (seen.starts_with("no reply"))
    out.came.came = oracle::Nothing{};
  return out;
}

CaseResult failing(const std::string& id, std::vector<oracle::Finding> findings) {
  CaseResult result;
  result.id = id;
  result.verdict = Verdict::kFail;
  result.findings = std::move(findings);
  return result;
}

std::string drafted(const std::vector<CaseResult>& results, bool level_should) {
  return draft_baseline({{results, {}}}, level_should, {}, "").text;
}

Cause cause_of(const char* title, std::vector<FindingRef> findings) {
  Cause out;
  out.title = title;
  out.findings = std::move(findings);
  return out;
}

TEST_F(BaselineTest, KnowsAFailureByCaseAndBeginningOfItsMessage) {
  const struct {
    const char* entry;
    bool known;
  } kRows[] = {
      {"{case: x/y}", true},
      {"{case: x/y, requirement: a.clause}", true},
      {"{case: x/y, requirement: another.clause}", false},
      {"{case: x/y, message: 'a.clause: expected error -32600; seen a result'}", true},
      {"{case: x/y, message: 'a.clause: expected error'}", true},
      {"{case: x/y, message: 'a.clause: expected error -32600; seen no reply'}", false},
      {"{case: x/y, message: 'expected error -32600'}", false},  // not its beginning
      {"{case: x}", false},
      {"{case: x/y/z}", false},
  };
  for (const auto& row : kRows) {
    Baseline baseline = loaded(std::string("known:\n  - ") + row.entry + "\n");
    CaseResult result = failing("x/y", {finding("error -32600", "a result")});
    baseline.apply(result, false);
    EXPECT_EQ(result.baselined, row.known) << row.entry;
    EXPECT_EQ(baseline.knows("x/y", result.findings), row.known) << row.entry;
    EXPECT_FALSE(baseline.knows("x/y", {})) << row.entry;
    EXPECT_EQ(baseline.stale({"x/y"}, {}).empty(), row.known) << row.entry;
  }
}

TEST_F(BaselineTest, DoesNotExcuseAnotherFailureOfAListedCase) {
  Baseline baseline = loaded("known:\n  - {case: x, message: 'a.clause: expected one'}\n");
  CaseResult result = failing("x", {finding("one", "r"), finding("two", "r")});
  baseline.apply(result, false);
  EXPECT_FALSE(result.baselined);
  EXPECT_FALSE(baseline.knows("x", result.findings));
}

std::string refused(const std::string& message) {
  return R"({"jsonrpc":"2.0","id":100001,"error":{"code":-32603,"message":")" + message + "\"}}";
}

TEST_F(BaselineTest, KnowsAFailureByTheClassOfTheAnswerWhateverItsText) {
  const std::string text = drafted({failing("x", {finding("e", refused("old"))})}, false);
  EXPECT_THAT(text, HasSubstr("    answer: error -32603\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("old")));
  Baseline baseline = loaded(text);
  CaseResult later = failing("x", {finding("other words", refused("new"))});
  baseline.apply(later, false);
  EXPECT_TRUE(later.baselined);
  // The code of an error is part of what went wrong.
  Baseline again = loaded(text);
  CaseResult other = failing(
      "x", {finding("e", R"({"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"old"}})")});
  again.apply(other, false);
  EXPECT_FALSE(other.baselined);
}

TEST_F(BaselineTest, HoldsUntilItsDateAndTellsTheLineThatExpired) {
  const std::string text = "known:\n  - {case: x, reason: r, expires: 2026-11-25}\n";
  Baseline last_day = loaded(text, "2026-11-25");
  CaseResult result = failing("x", {finding("one", "r")});
  last_day.apply(result, false);
  EXPECT_TRUE(result.baselined);
  EXPECT_THAT(last_day.stale({"x"}, {}), IsEmpty());
  Baseline after = loaded(text, "2026-11-26");
  CaseResult later = failing("x", {finding("one", "r")});
  after.apply(later, false);
  EXPECT_FALSE(later.baselined);
  const std::vector<std::string> stale = after.stale({"x"}, {});
  ASSERT_EQ(stale.size(), 1u);
  EXPECT_THAT(stale[0], HasSubstr("b.yaml:2:5: x expired with 2026-11-25; fix the failure"));
}

TEST_F(BaselineTest, DoesNotCallAnEntryStaleWhoseCaseCameToNoVerdict) {
  const auto told = [&](Verdict verdict) {
    Baseline baseline = loaded("known:\n  - {case: x, reason: r}\n");
    CaseResult result = failing("x", {});
    result.verdict = verdict;
    baseline.apply(result, false);
    return baseline.stale({"x"}, {});
  };
  EXPECT_THAT(told(Verdict::kInconclusive), IsEmpty());
  EXPECT_THAT(told(Verdict::kPass), ElementsAre(HasSubstr("no longer fails")));
  EXPECT_THAT(told(Verdict::kNotApplicable), ElementsAre(HasSubstr("was not played")));
}

TEST_F(BaselineTest, GathersTheCasesThatShowOneClauseBrokenInOneWay) {
  const std::vector<CaseResult> results = {failing("x", {finding("e", refused("old"))}),
                                           failing("y", {finding("e", refused("other"))}),
                                           failing("z", {finding("e", "no reply")})};
  const std::string text = drafted(results, false);
  EXPECT_THAT(text, HasSubstr("  - requirement: a.clause\n    answer: error -32603\n    case:\n"
                              "      - \"x\"\n      - \"y\"\n    reason: \"\"\n"));
  Baseline baseline = loaded(text);
  EXPECT_THAT(baseline.warning(), HasSubstr("this and 1 more entries"));
  for (CaseResult result : results) {
    if (result.id == "y") continue;  // mended
    baseline.apply(result, false);
    EXPECT_TRUE(result.baselined) << result.id;
  }
  EXPECT_THAT(baseline.stale({"x", "y", "z"}, {}),
              ElementsAre(HasSubstr("b.yaml:9:9: y (a.clause, error -32603) no longer fails")));
}

TEST_F(BaselineTest, TakesAClauseForEveryCaseThatBreaksIt) {
  const std::string text = "known:\n  - {requirement: a.clause, answer: no reply, reason: r}\n";
  Baseline baseline = loaded(text);
  CaseResult silent = failing("x", {finding("e", "no reply at all")});
  baseline.apply(silent, false);
  EXPECT_TRUE(silent.baselined);
  CaseResult refusing = failing("y", {finding("e", refused("no"))});
  baseline.apply(refusing, false);
  EXPECT_FALSE(refusing.baselined);
  EXPECT_THAT(baseline.stale({"x", "y"}, {}), IsEmpty());
  EXPECT_THAT(loaded(text).stale({"x"}, {}), ElementsAre(HasSubstr("no longer fails")));
  EXPECT_THAT(loaded(text).stale({"x"}, {"y"}), IsEmpty());  // y may
}

TEST_F(BaselineTest, WarnsOfEntriesWithoutAReasonAtTheFirst) {
  EXPECT_EQ(loaded("known:\n  - {case: x, reason: because}\n").warning(), "");
  EXPECT_THAT(loaded("known:\n  - {case: x}\n").warning(),
              HasSubstr("b.yaml:2:5: the entry gives no reason; write in `reason` why"));
  EXPECT_THAT(loaded("known:\n  - {case: x, reason: r}\n  - {case: y}\n  - {case: z}\n").warning(),
              HasSubstr("b.yaml:3:5: this and 1 more entries give no reason"));
}

TEST_F(BaselineTest, KeepsReasonsAndDatesAndGivesTheOthersTheReasonThatIsTold) {
  const std::vector<CaseResult> results = {failing("x", {finding("e", "r")}),
                                           failing("y", {finding("e", "r")})};
  const Baseline previous =
      loaded("known:\n  - {case: x, reason: upstream 12, expires: 2026-12-01}\n", "2026-11-25");
  const BaselineDraft draft = draft_baseline({{results, {}}}, false, previous, "as it was");
  EXPECT_THAT(draft.text, HasSubstr("reason: \"upstream 12\"\n    expires: 2026-12-01\n"));
  EXPECT_THAT(draft.text, HasSubstr("reason: \"as it was\"\n"));
  EXPECT_EQ(draft.entries, 2u);
  EXPECT_EQ(draft.cases, 2u);
  EXPECT_EQ(draft.without_reason, 0u);
  EXPECT_EQ(draft_baseline({{results, {}}}, false, previous, "").without_reason, 1u);
}

TEST_F(BaselineTest, NeedsWarningsListedOnlyWhereWarningsGate) {
  const auto warned = [] { return failing("x", {finding("one", "r", oracle::Severity::kWarn)}); };
  Baseline nothing = loaded("known: []\n");
  CaseResult lenient = warned();
  nothing.apply(lenient, false);
  EXPECT_FALSE(lenient.baselined);  // there is nothing that gates
  Baseline listed = loaded("known:\n  - {case: x}\n");
  CaseResult strict = warned();
  listed.apply(strict, true);
  EXPECT_TRUE(strict.baselined);
  CaseResult unlisted = warned();
  nothing.apply(unlisted, true);
  EXPECT_FALSE(unlisted.baselined);
}

TEST_F(BaselineTest, CallsAnEntryStaleThatNoFailureUses) {
  Baseline baseline = loaded(
      "known:\n"
      "  - {case: passes-now, message: 'a.clause: expected'}\n"
      "  - {case: no-such-case}\n"
      "  - {case: deselected}\n"
      "  - {case: fails}\n");
  CaseResult result = failing("fails", {finding("one", "r")});
  baseline.apply(result, false);
  const std::vector<std::string> stale = baseline.stale({"passes-now", "fails"}, {"deselected"});
  ASSERT_EQ(stale.size(), 2u);
  EXPECT_THAT(stale[0], HasSubstr("b.yaml:2:"));
  EXPECT_THAT(stale[0], HasSubstr("passes-now (a.clause: expected) no longer fails like this"));
  EXPECT_THAT(stale[1], HasSubstr("no-such-case was not played"));
}

TEST_F(BaselineTest, IsUsedByAFailureOfAnyRow) {
  Baseline baseline = loaded("known:\n  - {case: x, message: 'a.clause: expected one'}\n");
  CaseResult result = failing("x", {finding("one", "r"), finding("one", "s")});
  baseline.apply(result, false);
  EXPECT_TRUE(result.baselined);
  EXPECT_THAT(baseline.stale({"x"}, {}), IsEmpty());
}

// What the check "model" says of a clause, in words of its own.
CaseResult told_by_oracle(const std::string& while_played) {
  oracle::Finding told = finding("-32601", "code -32603 in a reply");
  told.oracle = "model";
  told.row = while_played;
  return failing("oracle/model", {told});
}

TEST_F(BaselineTest, DoesNotCallStaleWhatFailsNowAndThen) {
  const std::string text = "known:\n  - {case: x, reason: r, intermittent: true}\n";
  EXPECT_THAT(loaded(text).stale({"x"}, {}), IsEmpty());
  Baseline baseline = loaded(text);
  CaseResult result = failing("x", {finding("e", "s")});
  baseline.apply(result, false);
  EXPECT_TRUE(result.baselined);
  EXPECT_THAT(draft_baseline({{{result}, {}}}, false, baseline, "").text,
              HasSubstr("    intermittent: true\n"));
}

TEST_F(BaselineTest, KnowsWhatAnOracleSaysOfAListedCase) {
  Baseline baseline = loaded(R"(
known:
  - {case: a/case, requirement: a.clause, reason: r}
)");
  CaseResult same = told_by_oracle("a/case");
  baseline.apply(same, false);
  EXPECT_TRUE(same.baselined);
  EXPECT_THAT(baseline.stale({"a/case", "oracle/model"}, {}), IsEmpty());
  CaseResult elsewhere = told_by_oracle("another/case");
  baseline.apply(elsewhere, false);
  EXPECT_FALSE(elsewhere.baselined);
  CaseResult other = told_by_oracle("a/case");
  other.findings[0].requirement = "another.clause";
  baseline.apply(other, false);
  EXPECT_FALSE(other.baselined);

  const auto written = [](const std::string& told_at) {
    const std::vector<CaseResult> results = {failing("a/case", {finding("e", "s")}),
                                             told_by_oracle(told_at)};
    return draft_baseline({{results, {}}}, false, Baseline(), "r").text;
  };
  EXPECT_THAT(written("a/case"), Not(HasSubstr("oracle/model")));
  EXPECT_THAT(written("another/case"), HasSubstr("oracle/model"));
}

TEST_F(BaselineTest, KeepsAnEntryForAnOracleWhileItsClauseIsBroken) {
  constexpr const char* kText = R"(
known:
  - {case: oracle/model, requirement: a.clause, reason: r}
)";
  Baseline broken = loaded(kText);
  CaseResult result = failing("a/case", {finding("e", "s")});
  broken.apply(result, false);
  EXPECT_FALSE(result.baselined) << "of a case that is not listed an oracle's entry says nothing";
  EXPECT_THAT(broken.stale({"a/case", "oracle/model"}, {}), IsEmpty());
  EXPECT_THAT(loaded(kText).stale({"a/case", "oracle/model"}, {}),
              ElementsAre(HasSubstr("no longer fails")));
  EXPECT_THAT(loaded(kText).stale({"oracle/model"}, {"a/case"}), IsEmpty())
      << "it may be seen there";
  Baseline judged = loaded(kText);
  CaseResult undecided;
  undecided.id = "a/case";
  undecided.verdict = Verdict::kInconclusive;
  judged.apply(undecided, false);
  EXPECT_THAT(judged.stale({"a/case", "oracle/model"}, {}),
              ElementsAre(HasSubstr("no longer fails")));
}

TEST_F(BaselineTest, WritesAFileThatMakesTheSameRunPass) {
  const std::string odd = "quote \" colon: # \n line \xc3\xa9 ${x}";
  const std::vector<CaseResult> results = {
      failing("x", {finding("one", odd), finding("two", odd)}),  // written once
      failing("y", {finding("w", "r", oracle::Severity::kWarn)})};
  const std::string text = drafted(results, false);
  EXPECT_EQ(
      text,
      "# Known failures, as written by `rpcspec run --write-baseline`. An entry that no longer\n"
      "# fails makes the run fail: `rpcspec run --baseline FILE --prune` removes it. Write in\n"
      "# `reason` why each is accepted, and in `expires: YYYY-MM-DD` until when, if that is "
      "known.\n"
      "known:\n"
      "  - requirement: a.clause\n"
      "    case: \"x\"\n"
      "    reason: \"\"\n");
  Baseline baseline = loaded(text);
  CaseResult again = results[0];
  baseline.apply(again, false);
  EXPECT_TRUE(again.baselined);
  EXPECT_THAT(baseline.stale({"x"}, {}), IsEmpty());
}

TEST_F(BaselineTest, WritesAnEntryForEachCauseAndTellsItsEndInOneLine) {
  const std::vector<CaseResult> results = {failing("x", {finding("e", refused("no"))}),
                                           failing("y", {finding("e", "no reply")}),
                                           failing("z", {finding("e", refused("no"))})};
  const JudgedRun run{
      results,
      {cause_of("A bug: the first", {{"x", 0}, {"y", 0}}), cause_of("Another bug", {{"z", 0}})}};
  const BaselineDraft draft = draft_baseline({run}, false, {}, "later");
  EXPECT_EQ(draft.entries, 2u);
  EXPECT_THAT(draft.text, HasSubstr("known:\n"
                                    "  - cause: \"A bug: the first\"\n"
                                    "    reason: \"later\"\n"
                                    "    findings:\n"
                                    "      - requirement: a.clause\n"
                                    "        answer: error -32603\n"
                                    "        case: \"x\"\n"
                                    "      - requirement: a.clause\n"
                                    "        answer: no reply\n"
                                    "        case: \"y\"\n"
                                    "  - cause: \"Another bug\"\n"));
  Baseline baseline = loaded(draft.text);
  EXPECT_EQ(baseline.warning(), "");
  for (CaseResult result : results) {
    if (result.id != "z") continue;  // the first bug is mended
    baseline.apply(result, false);
    EXPECT_TRUE(result.baselined);
  }
  EXPECT_THAT(baseline.stale({"x", "y", "z"}, {}),
              ElementsAre(HasSubstr("b.yaml:5:5: “A bug: the first” no longer fails like this; "
                                    "remove the entry, or let --prune do it")));
  Baseline half = loaded(draft.text);
  for (CaseResult result : results)
    if (result.id != "y") half.apply(result, false);
  EXPECT_THAT(half.stale({"x", "y", "z"}, {}),
              ElementsAre(HasSubstr("y (a.clause, no reply) no longer fails like this; remove it "
                                    "from the entry, or let --prune do it")));
  half.will_be_pruned();
  EXPECT_THAT(half.stale({"x", "y", "z"}, {}), IsEmpty());
}

TEST_F(BaselineTest, PrunesWhatNoLongerFailsAndAddsNothing) {
  const Baseline previous = loaded(
      "known:\n"
      "  - cause: a bug\n"
      "    reason: r\n"
      "    findings:\n"
      "      - {case: [mended, fails], requirement: a.clause}\n"
      "      - {case: undecided, requirement: a.clause}\n"
      "  - {case: gone, reason: r}\n"
      "  - {case: rare, reason: r, intermittent: true}\n"
      "  - {case: old, reason: r, expires: 2020-01-01}\n",
      "2026-11-25");
  CaseResult mended = failing("mended", {}), undecided = failing("undecided", {});
  mended.verdict = Verdict::kPass;
  undecided.verdict = Verdict::kInconclusive;
  const std::vector<JudgedRun> runs = {
      {{mended, undecided, failing("fails", {finding("e", "r")}),
        failing("old", {finding("e", "r")}), failing("new", {finding("e", "r")})},
       {}}};
  const BaselineDraft draft = prune_baseline(runs, previous);
  EXPECT_EQ(draft.dropped, 2u) << draft.text;
  EXPECT_THAT(draft.text, HasSubstr("known:\n"
                                    "  - cause: \"a bug\"\n"
                                    "    reason: \"r\"\n"
                                    "    findings:\n"
                                    "      - requirement: a.clause\n"
                                    "        case:\n"
                                    "          - \"fails\"\n"
                                    "          - \"undecided\"\n"
                                    "  - case: \"rare\"\n"
                                    "    reason: \"r\"\n"
                                    "    intermittent: true\n"
                                    "  - case: \"old\"\n"
                                    "    reason: \"r\"\n"
                                    "    expires: 2020-01-01\n"));
  EXPECT_THAT(draft.text, Not(HasSubstr("new")));
  // What is written anew keeps what this run could not decide, too.
  const std::string anew = draft_baseline(runs, false, previous, "").text;
  for (const char* kept : {"undecided", "rare", "fails", "old", "new"})
    EXPECT_THAT(anew, HasSubstr(kept));
  for (const char* dropped : {"mended", "gone"}) EXPECT_THAT(anew, Not(HasSubstr(dropped)));
}

TEST_F(BaselineTest, WritesWarningsWhereWarningsGateAndAnEmptyListForACleanRun) {
  const CaseResult warned = failing("y", {finding("w", "r", oracle::Severity::kWarn)});
  EXPECT_THAT(drafted({warned}, true), HasSubstr("case: \"y\""));
  EXPECT_THAT(drafted({warned}, false), HasSubstr("\nknown: []\n"));
  EXPECT_TRUE(loaded(drafted({}, false)).empty());
}

oracle::Finding of_clause(const char* clause) {
  oracle::Finding out = finding("e", "s");
  out.requirement = clause;
  return out;
}

TEST(Frozen, LetsThroughWhatIsNotInTheSetAndSaysSo) {
  Baseline baseline;
  baseline.freeze("the set", [](const std::string& scenario, const std::string& requirement) {
    return scenario == "old" && requirement == "r";
  });
  CaseResult old = failing("old", {of_clause("r")});
  baseline.apply(old, false);
  EXPECT_FALSE(old.baselined);
  CaseResult newer = failing("new", {of_clause("r")});
  EXPECT_TRUE(baseline.knows("new", newer.findings));
  baseline.apply(newer, false);
  EXPECT_TRUE(newer.baselined);
  EXPECT_THAT(newer.notes, ElementsAre(HasSubstr("not in the set")));
  CaseResult both = failing("old", {of_clause("r"), of_clause("other")});
  baseline.apply(both, false);
  EXPECT_FALSE(both.baselined) << "one of its findings is in the set";
}

TEST(ExpectedFailures, KnowWhatBreaksTheirClausesAndGoStale) {
  Baseline baseline;
  baseline.expect("ping:ping", "e.yaml:2:5", {"a", "b"});
  baseline.expect("other", "e.yaml:3:5", {"c"});
  CaseResult sound = failing("x", {});
  sound.verdict = Verdict::kPass;
  sound.requirements = {"a"};
  baseline.apply(sound, false);
  EXPECT_THAT(baseline.stale({"x"}, {}), ElementsAre("e.yaml:2:5: ping:ping no longer fails; "
                                                     "remove the entry"))
      << "what nobody judged is not stale";
  CaseResult broken = failing("y", {of_clause("b")});
  baseline.apply(broken, false);
  EXPECT_TRUE(broken.baselined);
  EXPECT_THAT(baseline.stale({"x", "y"}, {}), IsEmpty());
}

TEST_F(BaselineTest, AcceptsAFlawOfACampaignWhateverElseTheAnswerIs) {
  const Baseline known =
      loaded("known: [{requirement: jsonrpc.id.string-echo, answer: error -32601, reason: r}]\n");
  oracle::Finding other = of_clause("jsonrpc.id.string-echo");
  other.came.came = oracle::ErrorCame{"-32600"};
  EXPECT_FALSE(known.accepts(other));
  other.flaw = "altered";
  EXPECT_TRUE(known.accepts(other));
  other.requirement = "jsonrpc.id.integer-echo";
  EXPECT_FALSE(known.accepts(other));
}

TEST_F(BaselineTest, RefusesWhatItDoesNotUnderstandAtItsPlace) {
  const struct {
    const char* text;
    const char* complaint;
  } kRows[] = {
      {"known:\n  - {case: x, anser: y}\n",
       "b.yaml:2:15: unknown field `anser`; did you mean `answer`?"},
      {"known:\n  - {case: x, intermittent: often}\n",
       "b.yaml:2:15: `intermittent` is neither true nor false; write `intermittent: true` if it "
       "does not fail in every run"},
      {"known:\n  - {case: x, expires: soon}\n",
       "b.yaml:2:15: `expires` is not a date; write the last day on which the failure is "
       "accepted: 2027-01-31"},
      {"known:\n  - {reason: x}\n",
       "b.yaml:2:5: the entry names neither a case nor a requirement; add `case: ID` or "
       "`requirement: ID`"},
      {"known:\n  - {findings: x}\n",
       "b.yaml:2:6: `findings` is not a list; write `- requirement: ID`, `answer` and `case` below "
       "it"},
      {"known:\n  - {findings: [{reason: x}]}\n",
       "b.yaml:2:17: the entry names neither a case nor a requirement; add `case: ID` or "
       "`requirement: ID`"},
      {"known:\n  - x\n", "b.yaml:2:5: an entry of `known` must be a mapping; write `- case: ID`"},
      {"server: [ping]\n",
       "b.yaml:1:1: this is a list of expected failures of the official suite; give it as "
       "--expected-failures"},
      {"- x\n",
       "b.yaml:1:1: a baseline must be a mapping with the list `known`; write `known: []`, or "
       "let --write-baseline write the file"},
  };
  for (const auto& row : kRows) EXPECT_EQ(complaint(row.text), row.complaint) << row.text;
  EXPECT_FALSE(Baseline::load((folder_ / "missing.yaml").string()));
}

}  // namespace
}  // namespace harness::run
