// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "rpcspec/conformance.h"

namespace rpcspec {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kMethodless = R"({"jsonrpc":"2.0","id":1,"result":{}})";
constexpr const char* kPing = R"({"jsonrpc":"2.0","id":"7","method":"ping"})";

TEST(JudgeExchange, LetsPassWhatASoundServerMayReply) {
  constexpr struct {
    const char* profile;
    const char* request;
    const char* reply;
  } kRows[] = {
      {"jsonrpc-2.0", R"({"jsonrpc":"2.0","id":1,"method":"x"})",
       R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"none"}})"},
      {"jsonrpc-2.0", R"({"jsonrpc":"2.0","id":1,"method":"x"})",
       "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"result\": 19\n}\n"},
      {"jsonrpc-2.0", R"({"jsonrpc":"2.0","method":"x"})", ""},
      {"jsonrpc-2.0", "{",
       R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}})"},
      {"mcp-2025-06-18", kPing, R"({"jsonrpc":"2.0","id":"7","result":{}})"},
      // It need not have tools.
      {"mcp-2025-06-18", R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})",
       R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"none"}})"},
      {"mcp-2025-06-18", R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})",
       R"({"jsonrpc":"2.0","id":1,"result":{"tools":[]}})"},
  };
  for (const auto& row : kRows)
    EXPECT_EQ(judge_exchange(row.request, row.reply, row.profile), "") << row.request;
}

TEST(JudgeExchange, NamesTheClauseThatAReplyBreaks) {
  EXPECT_THAT(judge_exchange(kPing, R"({"jsonrpc":"2.0","id":7,"result":{}})", "mcp-2025-06-18"),
              HasSubstr("mcp.base.response-same-id"));
  EXPECT_THAT(judge_exchange(R"({"jsonrpc":"2.0","id":1,"method":7})", kMethodless, "jsonrpc-2.0"),
              HasSubstr("-32600"));
  EXPECT_THAT(judge_exchange(R"({"jsonrpc":"2.0","id":1,"method":"x"})", "", "jsonrpc-2.0"),
              HasSubstr("jsonrpc.request.reply-exactly-one"));
  EXPECT_THAT(judge_exchange(R"({"jsonrpc":"2.0","method":"x"})",
                             R"({"jsonrpc":"2.0","id":null,"result":1})", "jsonrpc-2.0"),
              testing::Not(IsEmpty()));
}

TEST(JudgeExchange, SaysWhichProfileWasMeant) {
  try {
    judge_exchange("{}", "", "mcp-2025-06-17");
    FAIL();
  } catch (const std::invalid_argument& wrong) {
    EXPECT_THAT(wrong.what(), HasSubstr("did you mean mcp-2025-06-18?"));
  }
}

}  // namespace
}  // namespace rpcspec
