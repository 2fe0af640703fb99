// SPDX-License-Identifier: Apache-2.0
// What the sound server replies, as tables of message and reply per profile.
#include "harness/reference/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/json/read.h"
#include "harness/reference/conversation_testing.h"

namespace harness::reference {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Row {
  const char* message;
  const char* reply;  // contained in the one reply; "" for silence
};

void expect_all(Conversation& talk, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    SCOPED_TRACE(row.message);
    const auto heard = talk.say(row.message);
    if (std::string(row.reply).empty()) {
      EXPECT_THAT(heard, IsEmpty());
    } else {
      EXPECT_THAT(heard, ElementsAre(HasSubstr(row.reply)));
    }
  }
}

const std::string kMetaMember =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}})";

TEST(PlainProfile, AnswersAsJsonRpcAsks) {
  Conversation talk("jsonrpc-2.0");
  expect_all(
      talk,
      {
          {"{", R"("id":null,"error":{"code":-32700)"},
          {"{} x", "-32700"},
          {"1", R"("id":null,"error":{"code":-32600)"},
          {"[]", R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600)"},
          {R"({"jsonrpc":"1.0","id":4,"method":"sum"})", R"("id":4,"error":{"code":-32600)"},
          {R"({"jsonrpc":"2.0","id":[],"method":"sum"})", R"("id":null,"error":{"code":-32600)"},
          {R"({"jsonrpc":"2.0","id":1,"method":"nobody"})", R"("id":1,"error":{"code":-32601)"},
          {R"({"jsonrpc":"2.0","id":1.0,"method":"echo","params":[1.50]})",
           R"("id":1.0,"result":[1.50])"},
          {R"({"jsonrpc":"2.0","id":"1","method":"subtract","params":[42,23]})",
           R"("id":"1","result":19)"},
          {R"({"jsonrpc":"2.0","id":2,"method":"subtract","params":{"subtrahend":23,"minuend":42}})",
           R"("result":19)"},
          {R"({"jsonrpc":"2.0","id":2,"method":"subtract","params":[1]})", "-32602"},
          {R"({"jsonrpc":"2.0","id":2,"method":"subtract","params":3})", "-32600"},
          {R"({"jsonrpc":"2.0","id":null,"method":"sum","params":[1,2]})",
           R"("id":null,"result":3)"},
          {R"({"jsonrpc":"2.0","id":9007199254740993,"method":"sum","params":[9007199254740992,1]})",
           R"("id":9007199254740993,"result":9007199254740993)"},
          {R"({"jsonrpc":"2.0","id":2,"method":"fail"})", R"("error":{"code":1001)"},
          {R"({"jsonrpc":"2.0","method":"nobody"})", ""},
          {R"({"jsonrpc":"2.0","method":"subtract","params":["x"]})", ""},
          {R"({"jsonrpc":"2.0","id":7,"result":1})", ""},
          {R"([{"jsonrpc":"2.0","method":"sum","params":[1]}])", ""},
          {R"([1])", R"([{"jsonrpc":"2.0","id":null,"error":{"code":-32600)"},
          {R"([{"jsonrpc":"2.0","id":1,"method":"get_data"},{"jsonrpc":"2.0","method":"x"}])",
           R"([{"jsonrpc":"2.0","id":1,"result":["hello",5]}])"},
          {R"({"jsonrpc":"2.0","id":3,"method":"echo","params":{"a":1,"a":2}})",
           R"("result":{"a":2})"},
      });
}

TEST(PlainProfile, SleepsWithoutKeepingOthersWaiting) {
  Conversation talk("jsonrpc-2.0");
  EXPECT_THAT(talk.say(R"({"jsonrpc":"2.0","id":1,"method":"sleep","params":{"ms":100}})"),
              IsEmpty());
  EXPECT_THAT(talk.say(R"({"jsonrpc":"2.0","id":2,"method":"get_data"})"), SizeIs(1));
  EXPECT_THAT(talk.wait(0.05), IsEmpty());
  EXPECT_THAT(talk.wait(0.06), ElementsAre(HasSubstr(R"("id":1,"result":"slept")")));
}

TEST(PlainProfile, RefusesNestingBeyondItsLimitAndAcceptsItBelow) {
  Conversation talk("jsonrpc-2.0");
  const std::string deep(600, '[');
  EXPECT_THAT(talk.say(deep + std::string(600, ']')), ElementsAre(HasSubstr("-32700")));
  const std::string shallow(100, '[');
  EXPECT_THAT(talk.say(shallow + std::string(100, ']')), ElementsAre(HasSubstr("-32600")));
}

TEST(McpProfile, KeepsTheLifecycle) {
  Conversation talk("mcp-all");
  expect_all(
      talk,
      {
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})", "-32600"},
          {R"({"jsonrpc":"2.0","id":2,"method":"ping"})", R"("id":2,"result":{})"},
          {R"({"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":1}})",
           "-32602"},
          {R"({"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":"1999",)"
           R"("capabilities":{},"clientInfo":{"name":"x","version":"1"}}})",
           R"("protocolVersion":"2025-11-25")"},
          {R"({"jsonrpc":"2.0","method":"notifications/initialized"})", ""},
          {R"({"jsonrpc":"2.0","id":5,"method":"initialize","params":{"protocolVersion":"1999",)"
           R"("capabilities":{},"clientInfo":{"name":"x","version":"1"}}})",
           "-32600"},
          {R"({"jsonrpc":"2.0","id":6,"method":"nobody"})", "-32601"},
          {R"({"jsonrpc":"2.0","id":null,"method":"ping"})", "-32600"},
          {R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", "-32600"},
          {R"({"jsonrpc":"2.0","id":7,"method":"ping","params":[1]})", "-32602"},
          {R"([{"jsonrpc":"2.0","id":8,"method":"ping"}])",
           R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600)"},
      });
}

TEST(McpProfile, TreatsToolTroubleAsItsRevisionAsks) {
  const std::string missing =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}})";
  const std::string unknown =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nobody"}})";
  const std::string unread =
      R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"test://no"}})";
  for (const char* revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    SCOPED_TRACE(revision);
    Conversation talk(std::string("mcp-") + revision);
    talk.open(revision);
    const bool as_result = std::string(revision) == "2025-11-25";
    EXPECT_THAT(talk.say(missing), ElementsAre(HasSubstr(as_result ? "isError" : "-32602")));
    EXPECT_THAT(talk.say(unknown), ElementsAre(HasSubstr("-32602")));
    EXPECT_THAT(talk.say(unread), ElementsAre(HasSubstr("-32002")));
  }
}

TEST(McpProfile, AnswersBatchesOnlyWhereTheRevisionHasThem) {
  const std::string batch = R"([{"jsonrpc":"2.0","id":1,"method":"ping"},)"
                            R"({"jsonrpc":"2.0","id":2,"method":"initialize"}])";
  for (const char* revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    SCOPED_TRACE(revision);
    Conversation talk(std::string("mcp-") + revision);
    talk.open(revision);
    const bool served = std::string(revision) < "2025-06-18";
    EXPECT_THAT(
        talk.say(batch),
        ElementsAre(HasSubstr(
            served
                ? R"([{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"error":{"code":-32600)"
                : R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600)")));
  }
}

TEST(McpProfile, WalksAllPagesOfEveryListOnce) {
  Conversation talk("mcp-2025-11-25");
  talk.open("2025-11-25");
  for (const auto& [method, member] : {std::pair{"tools/list", "tools"},
                                       {"resources/list", "resources"},
                                       {"resources/templates/list", "resourceTemplates"},
                                       {"prompts/list", "prompts"}}) {
    SCOPED_TRACE(method);
    std::set<std::string> names;
    std::size_t listed = 0;
    std::string params = "{}";
    int pages = 0;
    while (++pages < 20) {
      const auto heard = talk.say(R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) +
                                  R"(","params":)" + params + "}");
      const json::Value reply = json::parse(heard.at(0));
      for (const auto& item : json::at(reply, std::string("/result/") + member)->items) {
        names.insert(item.find("name")->text);
        ++listed;
      }
      const json::Value* next = json::at(reply, "/result/nextCursor");
      if (next == nullptr) break;
      params = R"({"cursor":")" + next->text + "\"}";
    }
    EXPECT_GT(pages, 1);
    EXPECT_EQ(names.size(), listed);
    EXPECT_THAT(talk.say(R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) +
                         R"(","params":{"cursor":"made up"}})"),
                ElementsAre(HasSubstr("-32602")));
  }
}

TEST(McpProfile, CancelsWithoutAReplyAndReportsProgressBefore) {
  Conversation talk("mcp-2025-06-18");
  talk.open("2025-06-18");
  const auto call = [](int id) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
           R"(,"method":"tools/call","params":{"name":"slow_operation",)"
           R"("arguments":{"durationMs":1000},"_meta":{"progressToken":7}}})";
  };
  talk.say(call(1));
  EXPECT_THAT(talk.wait(0.25), SizeIs(2));
  talk.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  EXPECT_THAT(talk.wait(2), IsEmpty());
  talk.say(call(2));
  const auto heard = talk.wait(2);
  ASSERT_THAT(heard, SizeIs(11));
  EXPECT_THAT(heard.back(), HasSubstr(R"("id":2,"result")"));
  EXPECT_THAT(heard.front(), HasSubstr(R"("progressToken":7,"progress":1,"total":10)"));
}

TEST(McpProfile, AsksTheClientAndUsesItsAnswer) {
  Conversation talk("mcp-2025-06-18");
  talk.open("2025-06-18");
  EXPECT_THAT(talk.say(R"({"jsonrpc":"2.0","id":1,"method":"tools/call",)"
                       R"("params":{"name":"test_list_roots"}})"),
              ElementsAre(HasSubstr(R"("id":"server-1","method":"roots/list")")));
  EXPECT_THAT(
      talk.say(R"({"jsonrpc":"2.0","id":"server-1","result":{"roots":[{"uri":"file:///a"}]}})"),
      ElementsAre(HasSubstr("Roots: file:///a")));
}

TEST(McpProfile, GivesUpARequestOfItsOwnOnlyWhenItIsNotAnswered) {
  const auto after_a_while = [](bool answered) {
    // Keeps the call open, which otherwise ends with the answer and takes its timers along.
    Conversation talk("mcp-2025-06-18", {"client-error-swallowed"});
    talk.open("2025-06-18");
    talk.say(R"({"jsonrpc":"2.0","id":1,"method":"tools/call",)"
             R"("params":{"name":"test_sampling","arguments":{"prompt":"x"}}})");
    if (answered) {
      talk.say(R"({"jsonrpc":"2.0","id":"server-1","error":{"code":-1,"message":"no"}})");
    }
    return talk.wait(30);
  };
  EXPECT_THAT(after_a_while(false),
              ElementsAre(HasSubstr("notifications/cancelled"), HasSubstr(R"("isError":true)")));
  EXPECT_THAT(after_a_while(true), IsEmpty());
}

TEST(StatelessProfile, DemandsItsMetaAndMarksItsResults) {
  Conversation talk("mcp-2026-07-28");
  const std::string list =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{)" + kMetaMember + "}}";
  const auto heard = talk.say(list);
  ASSERT_THAT(heard, SizeIs(1));
  for (const char* part : {R"("resultType":"complete")", "ttlMs", "cacheScope",
                           "io.modelcontextprotocol/serverInfo"}) {
    EXPECT_THAT(heard[0], HasSubstr(part));
  }
  const std::string unread =
      R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"x",)" + kMetaMember +
      "}}";
  const std::string ping =
      R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{)" + kMetaMember + "}}";
  expect_all(
      talk,
      {
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})", "-32602"},
          {R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{)"
           R"("io.modelcontextprotocol/protocolVersion":"2030-01-01",)"
           R"("io.modelcontextprotocol/clientCapabilities":{}}}})",
           R"("code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"2030-01-01"})"},
          {unread.c_str(), "-32602"},
          {ping.c_str(), "-32601"},
      });
}

TEST(StatelessProfile, AsksForInputAndTakesTheAnswer) {
  Conversation talk("mcp-2026-07-28");
  const std::string head = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{)"
                           R"("name":"test_input_required_result_elicitation",)" +
                           kMetaMember;
  EXPECT_THAT(talk.say(head + "}}"), ElementsAre(HasSubstr(R"("resultType":"input_required")")));
  EXPECT_THAT(
      talk.say(head +
               R"(,"inputResponses":{"user_name":{"action":"accept","content":{"name":"Bo"}}}}})"),
      ElementsAre(HasSubstr("Hello, Bo!")));
}

TEST(StatelessProfile, TellsListenersOfChanges) {
  Conversation talk("mcp-2026-07-28");
  EXPECT_THAT(talk.say(R"({"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{)"
                       R"("notifications":{"toolsListChanged":true},)" +
                       kMetaMember + "}}"),
              ElementsAre(HasSubstr("subscriptions/acknowledged")));
  EXPECT_THAT(talk.say(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{)"
                       R"("name":"test_trigger_tool_change",)" +
                       kMetaMember + "}}"),
              ElementsAre(HasSubstr(R"("io.modelcontextprotocol/subscriptionId":"l")"),
                          HasSubstr("tools/list_changed"), HasSubstr(R"("id":2,"result")")));
}

TEST(TutorialProfile, UsesItsOwnCodes) {
  Conversation talk("mcp-tutorial");
  const auto call = [](const std::string& name, const std::string& arguments) {
    return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + name +
           R"(","arguments":)" + arguments + "}}";
  };
  EXPECT_THAT(talk.say(call("nobody", "{}")), ElementsAre(HasSubstr("-32000")));
  EXPECT_THAT(talk.say(call("admin_reset", "{}")), ElementsAre(HasSubstr("required_permission")));
  EXPECT_THAT(talk.say(call("calculator", R"({"operation":"pow","a":"x"})")),
              ElementsAre(::testing::AllOf(HasSubstr("-32005"), HasSubstr(R"("field":"operation")"),
                                           HasSubstr(R"("field":"b")"))));
  EXPECT_THAT(talk.say(call("calculator", R"({"operation":"add","a":5,"b":3})")),
              ElementsAre(HasSubstr("5 + 3 = 8")));
  EXPECT_THAT(
      talk.say(R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"x"}})"),
      ElementsAre(HasSubstr("-32001")));
  for (int i = 0; i < 5; ++i) {
    EXPECT_THAT(talk.say(call("limited_lookup", R"({"key":"k"})")),
                ElementsAre(HasSubstr("content")));
  }
  EXPECT_THAT(talk.say(call("limited_lookup", R"({"key":"k"})")), ElementsAre(HasSubstr("-32003")));
  EXPECT_THAT(talk.say(call("slow_report", R"({"seconds":1})")), IsEmpty());
  EXPECT_THAT(talk.wait(0.3), ElementsAre(HasSubstr("-32004")));
}

TEST(TutorialProfile, KeepsTheOrderOfABatchCall) {
  Conversation talk("mcp-tutorial");
  EXPECT_THAT(talk.say(R"({"jsonrpc":"2.0","id":1,"method":"tools/batch_call","params":{"calls":[)"
                       R"({"name":"slow_report","arguments":{"seconds":0.1}},)"
                       R"({"name":"nobody"},{"name":"echo","arguments":{"message":"last"}}]}})"),
              IsEmpty());
  const auto heard = talk.wait(1);
  ASSERT_THAT(heard, SizeIs(1));
  const json::Value reply = json::parse(heard[0]);
  EXPECT_EQ(json::at(reply, "/result/results/2/content/0/text")->text, "last");
  EXPECT_TRUE(json::at(reply, "/result/results/1/isError")->boolean);
  EXPECT_THAT(json::at(reply, "/result/results/0/content/0/text")->text, HasSubstr("took"));
}

}  // namespace
}  // namespace harness::reference
