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

SessionOptions answering(const char* answers) {
  SessionOptions options;
  options.answers = json::parse(answers);
  return options;
}

TEST(AnswerTo, FillsInTheForm) {
  const json::Value form = json::parse(
      R"({"id":4,"method":"elicitation/create","params":{"message":"m","requestedSchema":)"
      R"({"type":"object","properties":{"age":{"type":"integer"}},"required":["age"]}}})");
  const ServerAnswer good =
      answer_to(form, answering(R"({"elicitation/create":{"accept":"valid"}})"));
  ASSERT_EQ(good.now.size(), 1u);
  EXPECT_TRUE(good.made);
  EXPECT_EQ(json::at(good.now.front(), "/result/action")->text, "accept");
  EXPECT_TRUE(json::at(good.now.front(), "/result/content/age")->is_number());
  const ServerAnswer broken =
      answer_to(form, answering(R"({"elicitation/create":{"accept":"broken","of":["required"]}})"));
  EXPECT_TRUE(broken.made);
  EXPECT_EQ(json::at(broken.now.front(), "/result/content/age"), nullptr);
  const ServerAnswer none =
      answer_to(form, answering(R"({"elicitation/create":{"accept":"broken","of":["enum"]}})"));
  EXPECT_FALSE(none.made);
  EXPECT_EQ(json::at(none.now.front(), "/result/action")->text, "decline");
}

TEST(RepeatedWithAnswers, CarriesAllAnswersAndTheState) {
  const json::Value call = json::parse(R"({"id":1,"method":"tools/call","params":{"name":"t"}})");
  const json::Value asked = json::parse(
      R"({"resultType":"input_required","requestState":"s","inputRequests":)"
      R"({"a":{"method":"roots/list"},"b":{"method":"elicitation/create","params":{"mode":"url"}}}})");
  bool made = true;
  const auto again = repeated_with_answers(
      call, asked,
      answering(
          R"({"roots/list":{"result":{"roots":[]}},"elicitation/create":{"accept":"valid"}})"),
      made);
  ASSERT_TRUE(again);
  EXPECT_TRUE(made);
  EXPECT_EQ(json::write(*json::at(*again, "/params")),
            R"({"name":"t","inputResponses":{"a":{"roots":[]},"b":{"action":"accept"}},)"
            R"("requestState":"s"})");
  EXPECT_FALSE(repeated_with_answers(call, asked, answering(R"({"*":"none"})"), made));
}

TEST(AnswerTo, IsWhatTheCaseSaysOrTheUsualOne) {
  const std::string usual = R"({"jsonrpc":"2.0","id":4,"result":{}})";
  struct Row {
    const char* answers;
    std::string expected;
  };
  const Row rows[] = {
      {"null", "now " + usual + "\n"},
      {R"({"other":"none"})", "now " + usual + "\n"},
      {R"({"ping":"none"})", ""},
      {R"({"*":"none"})", ""},
      {R"({"ping":"usual","*":"none"})", "now " + usual + "\n"},
      {R"({"ping":"twice"})", "now " + usual + "\nnow " + usual + "\n"},
      {R"({"ping":"late"})", "late " + usual + "\n"},
      {R"({"ping":"wrong-id"})",
       "now {\"jsonrpc\":\"2.0\",\"id\":\"nobody asked this\",\"result\":{}}\n"},
      {R"({"ping":"garbage"})", "text {\"jsonrpc\":\"2.0\",\"id\":\n"},
      {R"({"ping":{"raw":"<${request.id}|${request.id}>"}})", "text <4|4>\n"},
      {R"({"ping":{"error":{"code":-1}}})",
       "now {\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-1}}\n"},
  };
  const json::Value request = json::parse(R"({"jsonrpc":"2.0","id":4,"method":"ping"})");
  for (const Row& row : rows) {
    SessionOptions options;
    options.answers = json::parse(row.answers);
    EXPECT_EQ(said(answer_to(request, options)), row.expected) << row.answers;
  }
}

}  // namespace
}  // namespace harness::session
