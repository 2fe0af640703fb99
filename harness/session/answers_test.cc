// SPDX-License-Identifier: Apache-2.0
#include "harness/session/answers.h"

#include <gtest/gtest.h>

#include "harness/json/read.h"
#include "harness/json/write.h"

namespace harness::session {
namespace {

std::string said(const ServerAnswer& answer) {
  std::string out;
  for (const json::Value& one : answer.now) out += "now " + json::write(one) + "\n";
  if (answer.text) out += "text " + *answer.text + "\n";
  if (answer.late) out += "late " + json::write(*answer.late) + "\n";
  return out;
}

SessionOptions answering(suite::Answers answers) {
  SessionOptions options;
  options.answers = std::move(answers);
  return options;
}

suite::OwnAnswer result(const char* text) { return {json::parse(text), {}, {}}; }

TEST(AnswerTo, FillsInTheForm) {
  const json::Value form = json::parse(
      R"({"id":4,"method":"elicitation/create","params":{"message":"m","requestedSchema":)"
      R"({"type":"object","properties":{"age":{"type":"integer"}},"required":["age"]}}})");
  const ServerAnswer good =
      answer_to(form, answering({{"elicitation/create", suite::FormAnswer{"valid", {}}}}));
  ASSERT_EQ(good.now.size(), 1u);
  EXPECT_TRUE(good.made);
  EXPECT_EQ(json::at(good.now.front(), "/result/action")->text, "accept");
  EXPECT_TRUE(json::at(good.now.front(), "/result/content/age")->is_number());
  const ServerAnswer broken = answer_to(
      form, answering({{"elicitation/create", suite::FormAnswer{"broken", {"required"}}}}));
  EXPECT_TRUE(broken.made);
  EXPECT_EQ(json::at(broken.now.front(), "/result/content/age"), nullptr);
  const ServerAnswer none =
      answer_to(form, answering({{"elicitation/create", suite::FormAnswer{"broken", {"enum"}}}}));
  EXPECT_FALSE(none.made);
  EXPECT_EQ(json::at(none.now.front(), "/result/action")->text, "decline");
}

TEST(RepeatedWithAnswers, CarriesAllAnswersAndTheState) {
  const json::Value call = json::parse(R"({"id":1,"method":"tools/call","params":{"name":"t"}})");
  const json::Value asked = json::parse(
      R"({"resultType":"input_required","requestState":"s","inputRequests":)"
      R"({"a":{"method":"roots/list"},"b":{"method":"elicitation/create","params":{"mode":"url"}}}})");
  bool made = true;
  const auto again =
      repeated_with_answers(call, asked,
                            answering({{"roots/list", result(R"({"roots":[]})")},
                                       {"elicitation/create", suite::FormAnswer{"valid", {}}}}),
                            made);
  ASSERT_TRUE(again);
  EXPECT_TRUE(made);
  EXPECT_EQ(json::write(*json::at(*again, "/params")),
            R"({"name":"t","inputResponses":{"a":{"roots":[]},"b":{"action":"accept"}},)"
            R"("requestState":"s"})");
  EXPECT_FALSE(
      repeated_with_answers(call, asked, answering({{"*", suite::AnswerWord::kNone}}), made));
}

TEST(AnswerTo, IsWhatTheCaseSaysOrTheUsualOne) {
  const std::string usual = R"({"jsonrpc":"2.0","id":4,"result":{}})";
  using enum suite::AnswerWord;
  struct Row {
    suite::Answers answers;
    std::string expected;
  };
  const Row rows[] = {
      {{}, "now " + usual + "\n"},
      {{{"other", kNone}}, "now " + usual + "\n"},
      {{{"ping", kNone}}, ""},
      {{{"*", kNone}}, ""},
      {{{"ping", kUsual}, {"*", kNone}}, "now " + usual + "\n"},
      {{{"ping", kTwice}}, "now " + usual + "\nnow " + usual + "\n"},
      {{{"ping", kLate}}, "late " + usual + "\n"},
      {{{"ping", kWrongId}},
       "now {\"jsonrpc\":\"2.0\",\"id\":\"nobody asked this\",\"result\":{}}\n"},
      {{{"ping", kGarbage}}, "text {\"jsonrpc\":\"2.0\",\"id\":\n"},
      {{{"ping", suite::OwnAnswer{{}, {}, "<${request.id}|${request.id}>"}}}, "text <4|4>\n"},
      {{{"ping", suite::OwnAnswer{{}, json::parse(R"({"code":-1})"), {}}}},
       "now {\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-1}}\n"},
  };
  const json::Value request = json::parse(R"({"jsonrpc":"2.0","id":4,"method":"ping"})");
  for (const Row& row : rows)
    EXPECT_EQ(said(answer_to(request, answering(row.answers))), row.expected);
}

}  // namespace
}  // namespace harness::session
