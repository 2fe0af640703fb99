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

std::vector<Problem> problems(const oracle::Played& story, Ending ending = Ending::kAnswered,
                              bool served_ended = false) {
  harness::trace::Slice slice;
  slice.transcript = std::make_shared<const harness::wire::Transcript>(story.transcript());
  for (const harness::wire::Frame& frame : story.transcript().frames)
    slice.messages.push_back(harness::wire::read_shared(frame.bytes));
  Execution execution;
  execution.slices.push_back(std::move(slice));
  execution.ending = ending;
  execution.served_ended = served_ended;
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

TEST(Judge, DoesNotSayNothingOfWhatIsNoResponse) {
  const auto asked = [](const std::string& came) {
    oracle::Played story("jsonrpc-2.0");
    story.sent(R"({"jsonrpc":"2.0","id":7,"method":1})").received(came);
    story.sent(901, "sum").received(oracle::result("901"));
    return clauses(story.sent(902, "sum").received(oracle::result("902")));
  };
  const std::string kClause = "jsonrpc.request.method-not-string";
  EXPECT_THAT(asked(R"({"jsonrpc":"2.0","id":8})"), testing::Contains(kClause));
  EXPECT_THAT(asked(R"({"jsonrpc":"2.0","id":7})"), testing::Not(testing::Contains(kClause)));
  EXPECT_THAT(asked(R"({"jsonrpc":"2.0","id":{,"result":0})"),
              testing::Not(testing::Contains(kClause)));
}

TEST(Judge, TakesResultsWithoutAnIdForNoSilence) {
  oracle::Played story("jsonrpc-2.0");
  story.sent(1, "sum").sent(901, "sum").received(oracle::result("null"));
  const std::vector<Problem> found = problems(story, Ending::kSilent);
  EXPECT_FALSE(found.empty());
  for (const Problem& problem : found) EXPECT_FALSE(is_silence(problem.signature));
  oracle::Played refused("jsonrpc-2.0");
  refused.sent("{").sent(901, "sum").received(oracle::error("null", -32700));
  EXPECT_TRUE(is_silence(problems(refused, Ending::kSilent).front().signature));
}

TEST(Judge, PointsAtTheNotificationThatEndedTheProcess) {
  oracle::Played story("jsonrpc-2.0");
  story.sent(oracle::notification("sum"));
  const std::uint64_t culprit = story.transcript().frames.back().seq;
  const std::vector<Problem> found =
      problems(story.sent(901, "sum").ended("exit 1"), Ending::kGone);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().finding.frames.front(), culprit);
}

TEST(Judge, CitesTheClauseAboutAClientThatHangsUpForTheEndBehindIt) {
  struct OverHttp : oracle::Played {
    OverHttp() : Played("jsonrpc-2.0", "http") {}
    void hang_up(int exchange) {
      we_close("hung up");
      last().exchange = exchange;
    }
  };
  const auto clause = [](bool hangs_up, Ending ending) {
    OverHttp story;
    story.posted(1, R"({"jsonrpc":"2.0","method":)").framed_wrongly();
    if (hangs_up) story.hang_up(1);
    story.posted(2, oracle::request(901, "sum"));
    return problems(story, ending, ending == Ending::kGone).front().finding.requirement;
  };
  for (const Ending ending : {Ending::kGone, Ending::kSilent}) {
    EXPECT_EQ(clause(true, ending), "robust.client-gone");
    EXPECT_EQ(clause(false, ending), "jsonrpc.robust.survives-parse-error");
  }
}

TEST(Judge, TellsWhatWasEndedByWhetherItIsValid) {
  const auto clause = [](const std::string& text) {
    oracle::Played story("jsonrpc-2.0");
    story.sent(text).sent(901, "sum");
    return problems(story, Ending::kSilent).front().finding.requirement;
  };
  const std::string invalid = "jsonrpc.robust.survives-invalid-request";
  EXPECT_EQ(clause("[null]"), invalid);
  EXPECT_EQ(clause("[]"), invalid);
  EXPECT_EQ(clause(R"({"jsonrpc":"2.0","id":[{}],"method":"rpcspec/x"})"), invalid);
  EXPECT_EQ(clause(oracle::request(1, "rpcspec/x")), "jsonrpc.request.reply-exactly-one");
  EXPECT_EQ(clause("[" + oracle::request(1, "sum") + "]"), "jsonrpc.request.reply-exactly-one");
}

TEST(Judge, TellsASilenceByTheMessageBeforeTheCanary) {
  oracle::Played story("jsonrpc-2.0");
  story.sent(1, "sum").received(oracle::result("1"));
  story.sent(R"({"jsonrpc":"2.0","id":{"a":0,"a":0},"method":"sum"})");
  const std::uint64_t culprit = story.transcript().frames.back().seq;
  story.sent(901, "sum");
  const std::vector<Problem> found = problems(story, Ending::kSilent);
  ASSERT_FALSE(found.empty());
  ASSERT_TRUE(is_silence(found.front().signature));
  EXPECT_THAT(found.front().finding.frames, testing::ElementsAre(culprit));
}

TEST(Judge, AsksNoCodeOfAMessageWithRepeatedNames) {
  oracle::Played story("jsonrpc-2.0");
  story.sent(R"({"jsonrpc":"2.0","id":1,"id":1,"method":"rpcspec/x"})");
  story.received(oracle::error("null", -32600));
  EXPECT_THAT(clauses(story), testing::IsEmpty());
}

TEST(Judge, TellsAnIdBeyond64BitsByTheIdThatCame) {
  oracle::Played story("jsonrpc-2.0");
  story.sent(R"({"jsonrpc":"2.0","id":18446744073709551615,"method":"rpcspec/x"})");
  story.received(oracle::error("-1", -32601));
  story.sent(901, "sum").received(oracle::result("901"));
  EXPECT_THAT(clauses(story), testing::ElementsAre("jsonrpc.id.beyond-safe-integer"));
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

TEST(Judge, ReportsTheEndOfAListeningProcessOnceAndNotItsConnections) {
  oracle::Played story("jsonrpc-2.0", "tcp");
  story.sent(1, "ping").closed(0, "eof");
  const auto found = [&](bool ended) { return problems(story, Ending::kGone, ended); };
  ASSERT_EQ(found(true).size(), 1u);
  EXPECT_EQ(found(true)[0].finding.oracle, "process");
  ASSERT_EQ(found(false).size(), 1u);
  EXPECT_EQ(found(false)[0].finding.oracle, "connection");
}

}  // namespace
}  // namespace fuzz
