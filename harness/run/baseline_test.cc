// SPDX-License-Identifier: Apache-2.0
#include "harness/run/baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace harness::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class BaselineTest : public testing::Test {
 protected:
  BaselineTest()
      : folder_(std::filesystem::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::create_directories(folder_);
  }
  ~BaselineTest() override { std::filesystem::remove_all(folder_); }

  Result<Baseline> load(const std::string& text) {
    const std::string path = (folder_ / "b.yaml").string();
    std::ofstream(path) << text;
    return Baseline::load(path);
  }
  Baseline loaded(const std::string& text) {
    Result<Baseline> baseline = load(text);
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
  return out;
}

CaseResult failing(const std::string& id, std::vector<oracle::Finding> findings) {
  CaseResult result;
  result.id = id;
  result.verdict = Verdict::kFail;
  result.findings = std::move(findings);
  return result;
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
    EXPECT_EQ(baseline.stale({"x/y"}, {}).empty(), row.known) << row.entry;
  }
}

TEST_F(BaselineTest, DoesNotExcuseAnotherFailureOfAListedCase) {
  Baseline baseline = loaded("known:\n  - {case: x, message: 'a.clause: expected one'}\n");
  CaseResult result = failing("x", {finding("one", "r"), finding("two", "r")});
  baseline.apply(result, false);
  EXPECT_FALSE(result.baselined);
}

TEST_F(BaselineTest, LeavesNumbersThatVaryBetweenRunsOutOfTheMessage) {
  const std::string text =
      baseline_text({failing("x", {finding("id 100001", "id 100002")})}, false);
  Baseline baseline = loaded(text);
  CaseResult later = failing("x", {finding("id 100901", "id 100902")});
  baseline.apply(later, false);
  EXPECT_TRUE(later.baselined);
  // The code of an error is part of what went wrong.
  Baseline codes = loaded(baseline_text({failing("x", {finding("e", "error -32603")})}, false));
  CaseResult other = failing("x", {finding("e", "error -32602")});
  codes.apply(other, false);
  EXPECT_FALSE(other.baselined);
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

TEST_F(BaselineTest, WritesAFileThatMakesTheSameRunPass) {
  const std::string odd = "quote \" colon: # \n line \xc3\xa9 ${x}";
  const std::vector<CaseResult> results = {
      failing("x", {finding("one", odd), finding("one", odd)}),  // twice, written once
      failing("y", {finding("w", "r", oracle::Severity::kWarn)})};
  const std::string text = baseline_text(results, false);
  EXPECT_EQ(
      text,
      "# Known failures, as written by `rpcspec run --write-baseline`. An entry that no longer\n"
      "# fails makes the run fail: remove it then. Say in `reason` why each is accepted.\n"
      "known:\n"
      "  - case: \"x\"\n"
      "    requirement: a.clause\n"
      "    message: \"a.clause: expected one; seen quote \\\" colon: # \\n line \xc3\xa9 ${x}\"\n"
      "    reason: \"\"\n");
  Baseline baseline = loaded(text);
  CaseResult again = results[0];
  baseline.apply(again, false);
  EXPECT_TRUE(again.baselined);
  EXPECT_THAT(baseline.stale({"x"}, {}), IsEmpty());
}

TEST_F(BaselineTest, WritesWarningsWhereWarningsGateAndAnEmptyListForACleanRun) {
  const CaseResult warned = failing("y", {finding("w", "r", oracle::Severity::kWarn)});
  EXPECT_THAT(baseline_text({warned}, true), HasSubstr("- case: \"y\""));
  EXPECT_THAT(baseline_text({warned}, false), HasSubstr("\nknown: []\n"));
  EXPECT_TRUE(loaded(baseline_text({}, false)).empty());
}

TEST_F(BaselineTest, RefusesWhatItDoesNotUnderstandAtItsPlace) {
  const struct {
    const char* text;
    const char* complaint;
  } kRows[] = {
      {"known:\n  - {case: x, mesage: y}\n",
       "b.yaml:2:15: unknown field `mesage`; did you mean `message`?"},
      {"known:\n  - {requirement: x}\n", "b.yaml:2:5: the entry names no case; add `case: ID`"},
      {"known:\n  - x\n", "b.yaml:2:5: an entry of `known` is a mapping; write `- case: ID`"},
      {"- x\n",
       "b.yaml:1:1: a baseline is a mapping with the list `known`; write `known: []`, or let "
       "--write-baseline write the file"},
  };
  for (const auto& row : kRows) EXPECT_EQ(complaint(row.text), row.complaint) << row.text;
  EXPECT_FALSE(Baseline::load((folder_ / "missing.yaml").string()));
}

}  // namespace
}  // namespace harness::run
