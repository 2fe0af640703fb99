// SPDX-License-Identifier: Apache-2.0
#include "fuzz/judge/lost.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/oracle/played_testing.h"

namespace fuzz {
namespace {

namespace oracle = harness::oracle;

// A request of the plain profile, whose methods may take their time.
std::string call(int id, const std::string& params = "{}") {
  return oracle::request(id, "look_up", params);
}

struct Seen {
  std::vector<oracle::Finding> findings;
  std::set<std::string> unheard;
};

Seen seen_in(const oracle::Played& story, const Due& due) {
  const oracle::Evidence evidence(story.transcript(), *harness::spec::find_profile("jsonrpc-2.0"),
                                  oracle::test_registry());
  Seen out;
  judge_lost(evidence, due, out.findings);
  out.unheard = unheard_in(evidence, due);
  return out;
}

oracle::Played asked(const std::string& text) {
  return oracle::Played("jsonrpc-2.0").sent(text).sent(8, "ping").received(oracle::result("8"));
}

oracle::Played passed_over(const std::string& text) {
  return asked(text).sent(9, "ping").received(oracle::result("9"));
}

bool is_free(const std::string& params) {
  const auto reading = harness::json::read(call(1, params));
  return is_timeless(std::get<harness::json::Reading>(reading).value);
}

TEST(LostReplies, AreThoseOfCallsThatTwoLaterOnesPassed) {
  const Seen seen = seen_in(passed_over(call(0)), is_timeless);
  ASSERT_EQ(seen.findings.size(), 1u);
  EXPECT_EQ(seen.findings[0].requirement, "jsonrpc.request.reply-exactly-one");
  EXPECT_EQ(seen.findings[0].expected, "a reply to `look_up` with id 0, as others get one at once");
  EXPECT_EQ(signature_of_lost(seen.findings[0]), "lost|jsonrpc.request.reply-exactly-one|look_up");
  EXPECT_TRUE(is_unheard(signature_of_lost(seen.findings[0])));
  EXPECT_EQ(seen.unheard, std::set<std::string>{"look_up"});
}

TEST(LostReplies, MayComeYetWhereOneLaterRequestWasAnswered) {
  const Seen seen = seen_in(asked(call(1)), is_timeless);
  EXPECT_TRUE(seen.findings.empty());
  EXPECT_EQ(seen.unheard, std::set<std::string>{"look_up"});
}

TEST(LostReplies, AreNoneWhereNoneIsDue) {
  const auto nothing = [](const oracle::Played& story, const Due& due) {
    const Seen seen = seen_in(story, due);
    return seen.findings.empty() && seen.unheard.empty();
  };
  EXPECT_TRUE(nothing(passed_over(call(1)), {}));
  EXPECT_TRUE(nothing(passed_over(call(1, R"({"ms":60000})")), is_timeless));
  EXPECT_TRUE(nothing(passed_over(oracle::notification("look_up")), is_timeless));
  EXPECT_TRUE(nothing(passed_over(call(1)).received(oracle::error("null", -32700)), is_timeless));
  // The server waits for us.
  EXPECT_TRUE(nothing(passed_over(call(1)).received(oracle::request(7, "ask")), is_timeless));
}

TEST(LostReplies, AreNotToBeExpectedWhereAnArgumentMayBeATime) {
  EXPECT_TRUE(is_free(R"({"text":"abc","flag":true,"zero":0,"one":1,"less":-5})"));
  EXPECT_TRUE(is_free(R"({"name":"tool2","uri":"a://b/9","_meta":{"progressToken":77}})"));
  EXPECT_FALSE(is_free(R"({"arguments":{"seconds":5}})"));
  EXPECT_FALSE(is_free(R"({"arguments":{"wait":["PT1H"]}})"));
}

bool is_due_after(const std::vector<oracle::Played>& stories, const std::string& request) {
  ServedCalls served({"echo"});
  for (const oracle::Played& story : stories)
    served.learn(oracle::Evidence(story.transcript(), *harness::spec::find_profile("jsonrpc-2.0"),
                                  oracle::test_registry()));
  return served.is_due(std::get<harness::json::Reading>(harness::json::read(request)).value);
}

TEST(ServedCalls, AreThoseThatGotAResult) {
  const auto after = [](const std::string& reply) {
    return is_due_after({oracle::Played("jsonrpc-2.0").sent(call(1)).received(reply)}, call(2));
  };
  EXPECT_TRUE(after(oracle::result("1")));
  EXPECT_FALSE(after(oracle::error("1", -32602)));
  EXPECT_FALSE(after(oracle::result("1", R"({"content":[],"isError":true})")));
  EXPECT_FALSE(is_due_after({}, call(2)));
}

TEST(ServedCalls, AreNotThoseThatWereSeenToBeSlow) {
  const auto request = std::get<harness::json::Reading>(harness::json::read(call(2))).value;
  const oracle::Played story =
      oracle::Played("jsonrpc-2.0").sent(call(1)).received(oracle::result("1"));
  ServedCalls served;
  served.learn(oracle::Evidence(story.transcript(), *harness::spec::find_profile("jsonrpc-2.0"),
                                oracle::test_registry()));
  EXPECT_TRUE(served.is_due(request));
  served.note_slow(request);
  EXPECT_FALSE(served.is_due(request));
}

TEST(ServedCalls, AreSlowWhereALaterRequestOvertookThem) {
  const auto noted = [](const oracle::Played& story, bool overtaken) {
    ServedCalls served;
    return served.note_slow(
        oracle::Evidence(story.transcript(), *harness::spec::find_profile("jsonrpc-2.0"),
                         oracle::test_registry()),
        overtaken);
  };
  const oracle::Played asked = oracle::Played("jsonrpc-2.0").sent(call(1)).sent(8, "ping");
  const oracle::Played behind =
      oracle::Played(asked).received(oracle::result("8")).received(oracle::result("1"));
  EXPECT_TRUE(noted(behind, true));
  EXPECT_FALSE(noted(behind, false));
  EXPECT_FALSE(noted(oracle::Played(asked).received(oracle::result("1")).received(oracle::result("8")),
                     true));
}

TEST(ServedCalls, KnowArgumentsThatAreNoTimes) {
  const auto after = [](const std::string& params) {
    return is_due_after(
        {oracle::Played("jsonrpc-2.0").sent(call(1, params)).received(oracle::result("1"))},
        call(2, R"({"a":7,"b":-1})"));
  };
  EXPECT_TRUE(after(R"({"a":7})"));
  EXPECT_FALSE(after(R"({"a":6})"));
  EXPECT_FALSE(after(R"({"b":7})"));
}

TEST(ServedCalls, SayNothingOfACallThatLacksOneOfTheirArguments) {
  const auto due = [](const std::string& params) {
    return is_due_after({oracle::Played("jsonrpc-2.0")
                             .sent(call(1, R"({"arguments":{"seconds":1,"text":"a"}})"))
                             .received(oracle::result("1"))},
                        call(2, params));
  };
  EXPECT_TRUE(due(R"({"arguments":{"seconds":0,"text":"b","more":true}})"));
  EXPECT_FALSE(due(R"({"arguments":{"text":"b"}})"));
  EXPECT_FALSE(due(R"({"arguments":{"seconds":null,"text":"b"}})"));
  EXPECT_FALSE(due("{}"));
}

TEST(ServedCalls, WithANameThatIsNotOfferedMayHaveGotAnError) {
  const auto tool = [](int id, const std::string& name) {
    return oracle::request(id, "tools/call", R"({"name":")" + name + R"("})");
  };
  const std::vector<oracle::Played> stories = {
      oracle::Played("jsonrpc-2.0").sent(tool(1, "none")).received(oracle::error("1", -32602))};
  EXPECT_TRUE(is_due_after(stories, tool(2, "ECHO")));
  EXPECT_FALSE(is_due_after(stories, tool(2, "echo")));
}

}  // namespace
}  // namespace fuzz
