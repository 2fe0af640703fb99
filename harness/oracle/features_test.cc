// SPDX-License-Identifier: Apache-2.0
// Each objection both ways: a reply that it allows, and one that it does not.
#include "harness/json/read.h"
#include "harness/oracle/played_testing.h"

namespace harness::oracle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const char* const kAll =
    R"({"tools":{},"resources":{},"prompts":{},"logging":{},"completions":{}})";
const char* const kTools =
    R"({"tools":[{"name":"add","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object",)"
    R"("required":["a"],"properties":{"a":{"type":"integer","maximum":9},"b":{"enum":["x"]}}}},)"
    R"({"name":"make","inputSchema":{"type":"object"}}]})";

// A session that is ready, with what the server declares.
class Talk : public Played {
 public:
  explicit Talk(const std::string& revision = "2025-06-18", const std::string& declared = kAll)
      : Played("mcp-" + revision) {
    sent(request(900, "initialize", R"({"protocolVersion":")" + revision + R"("})"));
    received(result(
        "900", R"({"protocolVersion":")" + revision + R"(","capabilities":)" + declared + "}"));
    sent(notification("notifications/initialized"));
    server_declares(declared);
  }

  Talk& asked(const std::string& method, const std::string& params, const std::string& answer) {
    sent(request(++id_, method, params));
    received(R"({"jsonrpc":"2.0","id":)" + std::to_string(id_) + "," + answer + "}");
    return *this;
  }
  Talk& lists_tools(const std::string& tools = kTools) {
    return asked("tools/list", "{}", R"("result":)" + tools);
  }
  Talk& calls(const std::string& name, const std::string& arguments, const std::string& answer) {
    return asked("tools/call", R"({"name":")" + name + R"(","arguments":)" + arguments + "}",
                 answer);
  }
  std::vector<std::string> said() const { return breaches(*this, "features"); }

 private:
  int id_ = 0;
};

const std::string kDone = R"("result":{"content":[]})";
const std::string kToolError = R"("result":{"content":[],"isError":true})";
std::string fault(int code) {
  return R"("error":{"code":)" + std::to_string(code) + R"(,"message":"m"})";
}

TEST(FeaturesOracle, AToolThatIsNotListedIsUnknown) {
  EXPECT_THAT(Talk().lists_tools().calls("sub", "{}", fault(-32602)).said(), IsEmpty());
  EXPECT_THAT(Talk().lists_tools().calls("sub", "{}", kToolError).said(),
              ElementsAre("warn mcp.tools.call-unknown-tool"));
  EXPECT_THAT(Talk().lists_tools().calls("sub", "{}", kDone).said(),
              ElementsAre("warn mcp.tools.call-unknown-tool"));
  EXPECT_THAT(Talk().lists_tools().calls("sub", "{}", fault(-32603)).said(),
              ElementsAre("warn mcp.tools.call-unknown-tool-code"));
}

TEST(FeaturesOracle, WhatWasNotListedIsUnknownOnlyWhereTheListIsWhole) {
  EXPECT_THAT(Talk().calls("sub", "{}", kDone).said(), IsEmpty());
  const std::string page = R"({"tools":[],"nextCursor":"2"})";
  EXPECT_THAT(Talk().lists_tools(page).calls("sub", "{}", kDone).said(), IsEmpty());
  EXPECT_THAT(Talk()
                  .lists_tools(page)
                  .asked("tools/list", R"({"cursor":"2"})", R"("result":{"tools":[]})")
                  .calls("sub", "{}", kDone)
                  .said(),
              ElementsAre("warn mcp.tools.call-unknown-tool"));
  // Another call may have made it.
  EXPECT_THAT(Talk().lists_tools().calls("make", "{}", kDone).calls("sub", "{}", kDone).said(),
              IsEmpty());
  Talk changed;
  changed.lists_tools().received(notification("notifications/tools/list_changed"));
  EXPECT_THAT(changed.calls("sub", "{}", kDone).said(), IsEmpty());
  // Nobody has a tool of such a name.
  EXPECT_THAT(Talk().calls("rpcspec-none", "{}", kDone).said(),
              ElementsAre("warn mcp.tools.call-unknown-tool"));
}

TEST(FeaturesOracle, ArgumentsAreHeldAgainstTheSchemaOfTheTool) {
  const auto called = [](const std::string& arguments, const std::string& answer) {
    return Talk().lists_tools().calls("add", arguments, answer).said();
  };
  EXPECT_THAT(called(R"({"a":1})", kDone), IsEmpty());
  EXPECT_THAT(called(R"({"a":1})", fault(-32602)), IsEmpty());  // it may want more
  EXPECT_THAT(called("{}", fault(-32602)), IsEmpty());
  EXPECT_THAT(called("{}", kToolError), IsEmpty());
  EXPECT_THAT(called("{}", kDone), ElementsAre("fail mcp.tools.call-missing-required-argument"));
  EXPECT_THAT(called(R"({"a":10})", kDone), ElementsAre("fail mcp.tools.call-range-violation"));
  EXPECT_THAT(called(R"({"a":1,"b":"y"})", kDone),
              ElementsAre("fail mcp.tools.call-enum-violation"));
  EXPECT_THAT(called(R"({"a":"1"})", kDone),
              ElementsAre("warn mcp.tools.call-wrong-type-argument"));
  EXPECT_THAT(called("[]", fault(-32600)), IsEmpty());
  EXPECT_THAT(called("[]", kToolError), ElementsAre("warn mcp.tools.call-arguments-not-object"));
}

TEST(FeaturesOracle, BrokenParamsAreRefused) {
  EXPECT_THAT(Talk().asked("tools/call", "{}", fault(-32602)).said(), IsEmpty());
  EXPECT_THAT(Talk().asked("tools/call", "{}", kDone).said(),
              ElementsAre("warn mcp.tools.call-name-missing"));
  EXPECT_THAT(Talk().asked("tools/call", R"({"name":7})", kDone).said(),
              ElementsAre("warn mcp.tools.call-name-not-string"));
  EXPECT_THAT(Talk().asked("resources/read", "{}", fault(-32603)).said(),
              ElementsAre("warn mcp.resources.read-uri-missing"));
  EXPECT_THAT(Talk().asked("logging/setLevel", R"({"level":"loud"})", R"("result":{})").said(),
              ElementsAre("warn mcp.logging.set-level-invalid"));
  EXPECT_THAT(Talk().asked("logging/setLevel", R"({"level":7})", fault(-32600)).said(), IsEmpty());
  EXPECT_THAT(Talk().asked("logging/setLevel", R"({"level":"info"})", R"("result":{})").said(),
              IsEmpty());
  EXPECT_THAT(Talk().asked("logging/setLevel", R"({"level":"info"})", fault(-32602)).said(),
              ElementsAre("fail mcp.logging.set-level-all-levels"));
  // With two things wrong either may be named, and a member nobody knows may be refused.
  EXPECT_THAT(Talk().asked("logging/setLevel", R"({"level":"info","x":1})", fault(-32602)).said(),
              IsEmpty());
}

TEST(FeaturesOracle, ResourcesPromptsAndReferencesAreLookedUp) {
  const std::string none = R"("result":{"resources":[]})";
  const auto read = [&](const std::string& uri, const std::string& answer, bool templates = true) {
    Talk talk;
    talk.asked("resources/list", "{}", none);
    if (templates)
      talk.asked("resources/templates/list", "{}",
                 R"("result":{"resourceTemplates":[{"name":"t","uriTemplate":"a://b/{c}"}]})");
    return talk.asked("resources/read", R"({"uri":")" + uri + R"("})", answer).said();
  };
  const std::string contents = R"("result":{"contents":[]})";
  EXPECT_THAT(read("nosuch://y", fault(-32002)), IsEmpty());
  EXPECT_THAT(read("nosuch://y", fault(-32602)),
              ElementsAre("warn mcp.resources.read-unknown-code"));
  EXPECT_THAT(read("x://y", contents), IsEmpty());  // it need not be listed
  EXPECT_THAT(read("nosuch://y", contents), ElementsAre("warn mcp.resources.read-unknown-error"));
  EXPECT_THAT(read("a://b/d", contents), IsEmpty());            // of the template
  EXPECT_THAT(read("nosuch://y", contents, false), IsEmpty());  // or of one that was not heard of
  const std::string prompts =
      R"("result":{"prompts":[{"name":"p","arguments":[{"name":"a","required":true}]}]})";
  const std::string got = R"("result":{"messages":[]})";
  const auto get = [&](const std::string& params, const std::string& answer) {
    return Talk().asked("prompts/list", "{}", prompts).asked("prompts/get", params, answer).said();
  };
  EXPECT_THAT(get(R"({"name":"q"})", fault(-32602)), IsEmpty());
  EXPECT_THAT(get(R"({"name":"q"})", got), ElementsAre("warn mcp.prompts.get-unknown-code"));
  EXPECT_THAT(get(R"({"name":"p"})", fault(-32602)), IsEmpty());
  EXPECT_THAT(get(R"({"name":"p"})", got),
              ElementsAre("warn mcp.prompts.get-missing-required-argument"));
  EXPECT_THAT(get(R"({"name":"p","arguments":{"a":"x"}})", got), IsEmpty());
  EXPECT_THAT(get(R"({"name":"p","arguments":{"a":7}})", got), IsEmpty());  // taken as text
  EXPECT_THAT(get(R"({"name":"p","arguments":[]})", got),
              ElementsAre("warn mcp.prompts.get-arguments-not-object"));
  EXPECT_THAT(Talk()
                  .asked("completion/complete",
                         R"({"ref":{"type":"ref/x"},"argument":{"name":"a","value":""}})",
                         R"("result":{"completion":{"values":[]}})")
                  .said(),
              ElementsAre("warn mcp.completion.ref-type-unknown"));
}

TEST(FeaturesOracle, CursorsAreThoseThatWereHandedOut) {
  const std::string first = R"({"tools":[],"nextCursor":"2"})", last = R"("result":{"tools":[]})";
  const auto with = [&](const std::string& cursor, const std::string& answer) {
    return Talk()
        .lists_tools(first)
        .asked("tools/list", R"({"cursor":)" + cursor + "}", answer)
        .said();
  };
  EXPECT_THAT(with(R"("2")", last), IsEmpty());
  EXPECT_THAT(with(R"("2")", fault(-32602)), ElementsAre("warn mcp.pagination.cursor-accepted"));
  EXPECT_THAT(with(R"("no such cursor")", fault(-32602)), IsEmpty());
  EXPECT_THAT(with(R"("no such cursor")", last), ElementsAre("warn mcp.pagination.invalid-cursor"));
  EXPECT_THAT(with("7", last), ElementsAre("warn mcp.pagination.cursor-not-string"));
  EXPECT_THAT(with(R"("3")", last), IsEmpty());  // it may be one
  // Without a second page there is no use for cursors.
  EXPECT_THAT(Talk().lists_tools().asked("tools/list", R"({"cursor":7})", last).said(), IsEmpty());
}

TEST(FeaturesOracle, CapabilitiesSayWhichMethodsThereAre) {
  EXPECT_THAT(Talk().asked("prompts/list", "{}", fault(-32601)).said(),
              ElementsAre("warn mcp.capabilities.declared-feature-answers-list"));
  const auto without = [](const std::string& answer) {
    return Talk("2025-06-18", "{}").asked("prompts/list", "{}", answer).said();
  };
  EXPECT_THAT(without(fault(-32601)), IsEmpty());
  EXPECT_THAT(without(R"("result":{"prompts":[]})"),
              ElementsAre("warn mcp.base.unadvertised-feature-method-legacy"));
}

TEST(FeaturesOracle, ATaskThatEndedStaysAsItIs) {
  const std::string tasks = R"({"tasks":{"list":{},"cancel":{}}})";
  const auto task = [](const char* status) {
    return R"("result":{"taskId":"t","status":")" + std::string(status) +
           R"(","createdAt":"","lastUpdatedAt":"","ttl":null})";
  };
  const std::string own = R"({"taskId":"t"})";
  Talk ended("2025-11-25", tasks);
  ended.asked("tasks/get", own, task("completed"));
  EXPECT_THAT(Talk(ended).asked("tasks/get", own, task("completed")).said(), IsEmpty());
  EXPECT_THAT(Talk(ended).asked("tasks/get", own, fault(-32602)).said(), IsEmpty());
  EXPECT_THAT(Talk(ended).asked("tasks/get", own, task("working")).said(),
              ElementsAre("fail mcp.tasks.terminal-is-final"));
  EXPECT_THAT(Talk(ended).asked("tasks/cancel", own, fault(-32602)).said(), IsEmpty());
  EXPECT_THAT(Talk(ended).asked("tasks/cancel", own, task("cancelled")).said(),
              ElementsAre("fail mcp.tasks.cancel-terminal"));
  EXPECT_THAT(
      Talk("2025-11-25", tasks).asked("tasks/get", R"({"taskId":"none-7"})", fault(-32603)).said(),
      ElementsAre("fail mcp.tasks.get-unknown"));
}

TEST(FeaturesOracle, TasksAreMadeOfToolsThatHaveThem) {
  const std::string declared = R"({"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}})";
  const auto called = [&](const char* support, const std::string& params,
                          const std::string& answer) {
    return Talk("2025-11-25", declared)
        .lists_tools(R"({"tools":[{"name":"t","inputSchema":{"type":"object"},"execution":)"
                     R"({"taskSupport":")" +
                     std::string(support) + R"("}}]})")
        .asked("tools/call", params, answer)
        .said();
  };
  const std::string plain = R"({"name":"t"})", task = R"({"name":"t","task":{}})";
  EXPECT_THAT(called("required", plain, fault(-32601)), IsEmpty());
  EXPECT_THAT(called("required", plain, fault(-32600)),
              ElementsAre("warn mcp.tasks.tool-required"));
  EXPECT_THAT(called("required", plain, kDone), ElementsAre("fail mcp.tasks.tool-required"));
  EXPECT_THAT(called("optional", plain, kDone), IsEmpty());
  EXPECT_THAT(called("forbidden", task, fault(-32601)), IsEmpty());
  EXPECT_THAT(called("forbidden", task, kDone), testing::SizeIs(1));
}

TEST(FeaturesOracle, UpdatesFollowFromSubscriptions) {
  const std::string declared = R"({"resources":{"subscribe":true}})";
  const auto updated = [](const char* uri) {
    return notification("notifications/resources/updated",
                        R"({"uri":")" + std::string(uri) + R"("})");
  };
  const std::string own = R"({"uri":"a:b"})", done = R"("result":{})";
  const auto talk = [&] { return Talk("2025-06-18", declared); };
  Talk never = talk();
  never.received(updated("a:b"));
  EXPECT_THAT(never.said(), ElementsAre("warn mcp.resources.updated-only-after-subscribe"));
  Talk subscribed = talk();
  subscribed.asked("resources/subscribe", own, done).asked("ping", "{}", done);
  Talk same = subscribed, below = subscribed, other = subscribed;
  same.received(updated("a:b"));
  EXPECT_THAT(same.said(), IsEmpty());
  below.received(updated("a:b/c"));
  EXPECT_THAT(below.said(), IsEmpty());
  other.received(updated("c:d"));
  EXPECT_THAT(other.said(), ElementsAre("warn mcp.resources.updated-only-for-subscribed-uri"));
  Talk left = subscribed;
  left.asked("resources/unsubscribe", own, done);
  Talk under_way = left;
  under_way.received(updated("a:b"));
  EXPECT_THAT(under_way.said(), IsEmpty());
  left.asked("ping", "{}", done).received(updated("a:b"));
  EXPECT_THAT(left.said(), ElementsAre("warn mcp.resources.unsubscribe-stops-updates"));
}

TEST(FeaturesOracle, LogMessagesKeepToTheLevel) {
  const auto logged = [](const char* level) {
    return notification("notifications/message",
                        R"({"level":")" + std::string(level) + R"(","data":1})");
  };
  Talk talk;
  talk.received(logged("debug"));
  talk.asked("logging/setLevel", R"({"level":"error"})", R"("result":{})");
  talk.received(logged("info"));  // it was under way
  talk.asked("ping", "{}", R"("result":{})");
  talk.received(logged("error"));
  EXPECT_THAT(talk.said(), IsEmpty());
  talk.received(logged("warning"));
  EXPECT_THAT(talk.said(), ElementsAre("warn mcp.logging.threshold"));
  talk.asked("logging/setLevel", R"({"level":"debug"})", R"("result":{})");
  talk.asked("ping", "{}", R"("result":{})");
  talk.received(logged("debug"));
  EXPECT_THAT(talk.said(), testing::SizeIs(1));
}

TEST(FeaturesOracle, ErrorsHaveTheirStatus) {
  const std::string call = stateless(1, "tools/list");
  const auto answered = [&](int status, int code) {
    return breaches(Played("mcp-2026-07-28", "http")
                        .posted(1, call)
                        .answered(1, status, "application/json", error("1", code)),
                    "features");
  };
  EXPECT_THAT(answered(400, -32020), IsEmpty());
  EXPECT_THAT(answered(200, -32020), ElementsAre("fail mcp.http26.header-mismatch-error-body"));
}

}  // namespace
}  // namespace harness::oracle
