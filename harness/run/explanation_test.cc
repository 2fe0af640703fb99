// SPDX-License-Identifier: Apache-2.0
#include "harness/run/explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <stdexcept>

#include "harness/suite/testing.h"

namespace harness::run {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kClause = "jsonrpc.request.reply-exactly-one";

CaseResult failed() {
  CaseResult result;
  result.id = "a/1";
  result.title = "A request is answered";
  result.requirements = {kClause};
  result.verdict = Verdict::kFail;
  oracle::Finding finding;
  finding.requirement = kClause;
  result.findings = {finding};
  return result;
}

const spec::Profile& plain() { return *spec::find_profile("jsonrpc-2.0"); }

std::vector<Cause> causes(Explanation& explanation, const std::vector<CaseResult>& results) {
  for (const CaseResult& result : results) explanation.add(result, {}, plain());
  return explanation.causes({suite::own_registry(), plain(), wire::TransportKind::kStdio, results});
}

TEST(Explanation, FindsTheCausesOfWhatWasAdded) {
  Explanation explanation;
  const std::vector<Cause> found = causes(explanation, {failed()});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].requirement, kClause);
  EXPECT_EQ(found[0].title, "A request is not answered by exactly one response");
  ASSERT_THAT(found[0].findings, SizeIs(1));
  EXPECT_EQ(found[0].findings[0].case_id, "a/1");
  EXPECT_EQ(explanation.mistake(), "");
}

TEST(Explanation, OutlivesAMistakeInTheRules) {
  struct Row {
    const char* what;
    Explanation::Find find;
    const char* mistake;
  };
  const Row rows[] = {
      {"a rule throws",
       [](const Clues&, const CauseContext&) -> std::vector<Cause> {
         throw std::out_of_range("no such clue");
       },
       "(no such clue)"},
      {"a rule crashes",
       [](const Clues&, const CauseContext&) -> std::vector<Cause> {
         ::raise(SIGSEGV);
         return {};
       },
       "(Segmentation fault)"},
  };
  for (const Row& row : rows) {
    Explanation explanation(row.find);
    EXPECT_THAT(causes(explanation, {failed()}), IsEmpty()) << row.what;
    EXPECT_THAT(explanation.mistake(), HasSubstr(row.mistake)) << row.what;
    const CaseResult told = explanation.result_of_mistake();
    EXPECT_EQ(told.verdict, Verdict::kError) << row.what;
    EXPECT_EQ(told.reason, explanation.mistake()) << row.what;
  }
}

}  // namespace
}  // namespace harness::run
