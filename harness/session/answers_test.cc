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
