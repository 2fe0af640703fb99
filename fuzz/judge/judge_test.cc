// SPDX-License-Identifier: Apache-2.0
#include "fuzz/judge/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "harness/oracle/played_testing.h"

namespace fuzz {
namespace {

namespace oracle = harness::oracle;

std::vector<Problem> problems(const oracle::Played& story) {
  harness::trace::Slice slice;
  slice.transcript = std::make_shared<const harness::wire::Transcript>(story.transcript());
  for (const harness::wire::Frame& frame : story.transcript().frames)
    slice.messages.push_back(harness::wire::read_shared(frame.bytes));
  Execution execution;
  execution.slices.push_back(std::move(slice));
  return judge(execution, *harness::spec::find_profile("jsonrpc-2.0"), oracle::test_registry(),
               nullptr);
}

std::vector<std::string> clauses(const oracle::Played& story) {
  std::vector<std::string> out;
  for (const Problem& problem : problems(story)) out.push_back(problem.finding.requirement);
  return out;
}

oracle::Played refused(const std::vector<std::string>& texts) {
  oracle::Played story("jsonrpc-2.0");
  for (const std::string& text : texts) story.sent(text);
  story.received(oracle::error("null", -32601));
  story.sent(901, "sum").received(oracle::result("901"));
  story.sent(902, "sum").received(oracle::result("902"));
  return story;
}

TEST(Judge, LeavesWhatIsNotSureToAScriptWithoutTheOtherMessages) {
  EXPECT_THAT(clauses(refused({"[]"})), testing::ElementsAre("jsonrpc.batch.empty-array"));
  const std::string other = R"({"jsonrpc":"2.0","id":1e400,"method":"nix"})";
  EXPECT_THAT(clauses(refused({"[]", other})), testing::IsEmpty());
}

TEST(Judge, TellsWhatIsNoJsonByWhatIsOddAboutIt) {
  const auto signature = [](const std::string& odd) {
    const std::string text = R"({"jsonrpc":"2.0","id":1,"method":"sum","a":")" + odd;
    const std::vector<Problem> found =
        problems(oracle::Played("jsonrpc-2.0").sent(text).received(oracle::result("1")));
    return found.size() == 1 ? found.front().signature : "";
  };
  const std::string syntax = signature("\"}}");
  EXPECT_NE(syntax, "");
  EXPECT_EQ(signature("\",}"), syntax);
  EXPECT_EQ(signature("\xff\"}"), syntax + "|utf-8");
  EXPECT_EQ(signature("\xff\"}}"), syntax);
  EXPECT_EQ(signature("\"}" + std::string(1, '\0')), syntax + "|nul");
}

}  // namespace
}  // namespace fuzz
