// SPDX-License-Identifier: Apache-2.0
// What the server says of its own accord: _meta, requests, notifications, progress.
#include "harness/oracle/played_testing.h"

namespace harness::oracle {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

const char* const kOld = "mcp-2025-03-26";
const char* const kMcp = "mcp-2025-06-18";
const char* const kNew = "mcp-2025-11-25";
const char* const kStateless = "mcp-2026-07-28";

std::vector<std::string> with_meta(const char* profile, const std::string& meta) {
  return breaches(Played(profile).sent(1, "x").received(result("1", R"({"_meta":)" + meta + "}")));
}

TEST(Meta, KeysFollowTheRevision) {
  EXPECT_THAT(with_meta(kMcp, R"({"com.example/a-b_c.d":1,"plain":2,"x.y/":3})"), IsEmpty());
  EXPECT_THAT(with_meta(kMcp, R"({"io.modelcontextprotocol/related-task":{}})"), IsEmpty());
  EXPECT_THAT(with_meta(kMcp, R"({"-a":1})"), ElementsAre("fail mcp.meta.key-name-format"));
  EXPECT_THAT(with_meta(kMcp, R"({"1.x/a":1})"), ElementsAre("fail mcp.meta.key-prefix-format"));
  EXPECT_THAT(with_meta(kMcp, R"({"a..b/c":1})"), ElementsAre("fail mcp.meta.key-prefix-format"));
  EXPECT_THAT(with_meta(kMcp, R"({"mcp.dev/x":1})"),
              ElementsAre("fail mcp.meta.reserved-prefix-any-label"));
  EXPECT_THAT(with_meta(kNew, R"({"dev.mcp/x":1})"),
              ElementsAre("fail mcp.meta.reserved-prefix-second-label"));
  EXPECT_THAT(with_meta(kNew, R"({"com.example.mcp/x":1})"), IsEmpty());
  EXPECT_THAT(with_meta(kOld, R"({"-a":1,"dev.mcp/x":1})"), IsEmpty());
}

TEST(Meta, IsAnObjectButForeignDataIsNotLookedInto) {
  EXPECT_THAT(with_meta(kOld, "[]"), ElementsAre("fail mcp.meta.is-object"));
  EXPECT_THAT(with_meta(kOld, "null"), ElementsAre("fail mcp.meta.is-object"));
  EXPECT_THAT(breaches(Played(kMcp).sent(1, "x").received(
                  result("1", R"({"content":[{"type":"text","text":"","_meta":1}]})"))),
              ElementsAre("fail mcp.shape.item-meta-is-object"));
  EXPECT_THAT(breaches(Played(kMcp).sent(1, "x").received(
                  result("1", R"({"structuredContent":{"_meta":1}})"))),
              IsEmpty());
}

TEST(Meta, OurOwnKeysMayComeBack) {
  EXPECT_THAT(breaches(Played(kMcp)
                           .sent(request(1, "x", R"({"_meta":{"-odd":1}})"))
                           .received(result("1", R"({"_meta":{"-odd":1}})"))),
              IsEmpty());
}

TEST(Meta, StatelessValuesHaveTheirShape) {
  const auto reply = [](const std::string& meta) {
    return breaches(Played(kStateless).sent(stateless(1, "x")).received(complete("1", meta)));
  };
  EXPECT_THAT(reply(R"(,"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")"),
              IsEmpty());
  EXPECT_THAT(reply(R"(,"traceparent":"1-2-3")"),
              ElementsAre("fail mcp.meta.trace-context-format"));
  EXPECT_THAT(breaches(Played(kStateless)
                           .sent(stateless(1, "x"))
                           .received(result(
                               "1", R"({"resultType":"complete","_meta":)"
                                    R"({"io.modelcontextprotocol/serverInfo":{"name":"s"}}})"))),
              ElementsAre("fail mcp.meta.server-info-shape"));
}

TEST(Meta, OfNotificationsIsAnObjectToo) {
  const auto changed = [](const std::string& meta) {
    return breaches(Played(kMcp).sent(1, "x").received(
        notification("notifications/tools/list_changed", R"({"_meta":)" + meta + "}")));
  };
  EXPECT_THAT(changed("{}"), IsEmpty());
  EXPECT_THAT(changed("[]"), ElementsAre("fail mcp.shape.notification-meta-is-object"));
}

TEST(ServerRequests, DeclaredAndWellFormedOnesAreSound) {
  EXPECT_THAT(breaches(Played(kMcp)
                           .client_declares(R"({"sampling":{},"roots":{},"elicitation":{}})")
                           .received(request(1, "ping"))
                           .received(request(2, "roots/list"))
                           .received(request(3, "sampling/createMessage",
                                             R"({"messages":[],"maxTokens":1})"))
                           .received(request(4, "elicitation/create",
                                             R"({"message":"m","requestedSchema":)"
                                             R"({"type":"object","properties":{}}})"))),
              IsEmpty());
}

TEST(ServerRequests, FaultsAreFound) {
  const auto asked = [](const char* profile, const std::string& message) {
    return breaches(Played(profile).client_declares("{}").sent(1, "x").received(message));
  };
  EXPECT_THAT(asked(kMcp, R"({"jsonrpc":"2.0","id":null,"method":"ping"})"),
              ElementsAre("fail mcp.base.server-request-id"));
  EXPECT_THAT(asked(kMcp, request(1, "roots/list")),
              ElementsAre("fail mcp.roots.needs-capability"));
  EXPECT_THAT(asked(kOld, request(1, "roots/list")),
              ElementsAre("warn mcp.roots.needs-capability-early"));
  EXPECT_THAT(asked(kMcp, request(1, "tools/list")),
              ElementsAre("warn mcp.lifecycle.server-request-methods"));
  EXPECT_THAT(asked(kOld, request(1, "elicitation/create")),
              ElementsAre("fail mcp.elicitation.not-before-2025-06"));
  EXPECT_THAT(asked(kMcp, request(1, "elicitation/create")),
              Contains("fail mcp.elicitation.message-string"));
  EXPECT_THAT(asked(kStateless, request(1, "ping")),
              ElementsAre("fail mcp.stateless.no-server-requests"));
  EXPECT_THAT(asked("jsonrpc-2.0", request(1, "anything")), IsEmpty());
  EXPECT_THAT(asked("mcp-tutorial", request(1, "sampling/createMessage")), IsEmpty());
}

TEST(ServerRequests, UndeclaredToolsAndContextOfSamplingAreFound) {
  const auto asked = [](const std::string& declared, const std::string& more) {
    return breaches(Played(kNew).client_declares(declared).received(
        request(1, "sampling/createMessage", R"({"messages":[],"maxTokens":1)" + more + "}")));
  };
  const std::string tools = R"(,"tools":[{"name":"t","inputSchema":{"type":"object"}}])";
  const std::string context = R"(,"includeContext":"thisServer")";
  EXPECT_THAT(asked(R"({"sampling":{}})", R"(,"includeContext":"none")"), IsEmpty());
  EXPECT_THAT(asked(R"({"sampling":{"tools":{},"context":{}}})", tools + context), IsEmpty());
  EXPECT_THAT(asked(R"({"sampling":{}})", tools),
              ElementsAre("fail mcp.sampling.tools-need-capability"));
  EXPECT_THAT(asked(R"({"sampling":{}})", context),
              ElementsAre("warn mcp.sampling.include-context-needs-capability"));
}

TEST(ServerRequests, RepeatedIdsAndEarlyRequestsAreFound) {
  EXPECT_THAT(breaches(Played(kMcp).received(request(1, "ping")).received(request(1, "ping"))),
              ElementsAre("fail mcp.base.server-request-id-unique"));
  EXPECT_THAT(breaches(Played(kMcp)
                           .client_declares(R"({"roots":{}})")
                           .sent(1, "initialize")
                           .received(result("1"))
                           .received(request(1, "roots/list"))
                           .sent(notification("notifications/initialized")),
                       "server-requests"),
              ElementsAre("warn mcp.lifecycle.no-server-requests-before-initialized"));
}

std::string ping_with_token(int id, const std::string& token) {
  return request(id, "ping", R"({"_meta":{"progressToken":)" + token + "}}");
}

TEST(ServerRequests, ProgressTokensOfActiveRequestsDiffer) {
  EXPECT_THAT(
      breaches(
          Played(kMcp).received(ping_with_token(1, "1")).received(ping_with_token(2, "\"1\""))),
      IsEmpty());
  // The first is over: answered, or given up.
  EXPECT_THAT(breaches(Played(kMcp)
                           .received(ping_with_token(1, "1"))
                           .sent(result("1"))
                           .received(ping_with_token(2, "1"))
                           .received(notification("notifications/cancelled", R"({"requestId":2})"))
                           .received(ping_with_token(3, "1"))),
              IsEmpty());
  EXPECT_THAT(
      breaches(Played(kMcp).received(ping_with_token(1, "1")).received(ping_with_token(2, "1"))),
      ElementsAre("fail mcp.progress.server-token-valid"));
  EXPECT_THAT(breaches(Played(kMcp).received(ping_with_token(1, "1.5"))),
              ElementsAre("fail mcp.progress.server-token-valid"));
}

std::vector<std::string> notified(const char* profile, const std::string& message,
                                  const std::string& declared = "null") {
  return breaches(Played(profile).server_declares(declared).sent(1, "x").received(message));
}

TEST(ServerNotifications, SoundOnes) {
  const std::string log =
      notification("notifications/message", R"({"level":"info","data":null,"logger":"l"})");
  EXPECT_THAT(notified(kMcp, log, R"({"logging":{}})"), IsEmpty());
  EXPECT_THAT(notified(kMcp, notification("notifications/tools/list_changed"),
                       R"({"tools":{"listChanged":true}})"),
              IsEmpty());
  EXPECT_THAT(breaches(Played(kMcp)
                           .server_declares(R"({"resources":{"subscribe":true}})")
                           .sent(request(1, "resources/subscribe", R"({"uri":"a:b"})"))
                           .received(notification("notifications/resources/updated",
                                                  R"({"uri":"a:b"})"))
                           .received(result("1"))),
              IsEmpty());
  EXPECT_THAT(notified("mcp-tutorial",
                       notification("tools/progress", R"({"toolRequestId":1,"progress":1})")),
              IsEmpty());
}

TEST(ServerNotifications, FaultsAreFound) {
  EXPECT_THAT(notified(kMcp, request(3, "notifications/tools/list_changed")),
              ElementsAre("fail mcp.base.server-notification-no-id"));
  EXPECT_THAT(notified(kMcp, notification("notifications/tools/list_changed", "[]")),
              ElementsAre("fail mcp.tools.list-changed-shape"));
  EXPECT_THAT(notified(kMcp, notification("notifications/resources/updated", "{}")),
              ElementsAre("fail mcp.resources.updated-uri"));
  EXPECT_THAT(notified(kMcp, notification("notifications/message", R"({"level":"INFO","data":1})")),
              ElementsAre("fail mcp.logging.message-level"));
  EXPECT_THAT(notified(kMcp, notification("notifications/message", R"({"level":"info"})")),
              ElementsAre("fail mcp.logging.message-data-present"));
  EXPECT_THAT(notified(kOld, notification("notifications/elicitation/complete")),
              ElementsAre("warn mcp.base.server-notification-shape"));
  EXPECT_THAT(notified(kMcp, notification("notifications/tools/list_changed"), R"({"tools":{}})"),
              ElementsAre("fail mcp.lifecycle.only-own-capabilities-strict"));
  EXPECT_THAT(notified(kOld, notification("notifications/tools/list_changed"), R"({"tools":{}})"),
              ElementsAre("warn mcp.lifecycle.only-own-capabilities"));
  EXPECT_THAT(
      notified(kOld, notification("notifications/message", R"({"level":"info","data":1})"), "{}"),
      ElementsAre("fail mcp.capabilities.logging-declared"));
}

TEST(ServerNotifications, TheServerCancelsItsOwnRequestsOnly) {
  const auto cancel = [](const std::string& params) {
    return notification("notifications/cancelled", params);
  };
  const Played asked = Played(kMcp).sent(1, "tools/call").received(request(9, "ping"));
  EXPECT_THAT(breaches(Played(asked).received(cancel(R"({"requestId":9,"reason":"late"})"))),
              IsEmpty());
  EXPECT_THAT(breaches(Played(asked).received(cancel(R"({"requestId":1})"))),
              ElementsAre("fail mcp.cancel.server-sent-own-requests-only"));
  EXPECT_THAT(breaches(Played(asked).received(cancel(R"({"requestId":"9"})"))),
              ElementsAre("fail mcp.cancel.server-sent-own-requests-only"));
  // Before this slice it may have asked anything.
  EXPECT_THAT(breaches(Played(kMcp).earlier("5").received(cancel(R"({"requestId":9})"))),
              IsEmpty());
  EXPECT_THAT(breaches(Played(asked).received(cancel(R"({"requestId":9,"reason":5})"))),
              ElementsAre("fail mcp.cancel.server-sent-shape"));
  EXPECT_THAT(breaches(Played(asked).received(cancel("{}"))),
              ElementsAre("fail mcp.cancel.server-sent-shape"));
  EXPECT_THAT(breaches(Played(kNew).sent(1, "x").received(cancel("{}"))), IsEmpty());
}

TEST(ServerNotifications, OnTheStreamOfARequestOnlyWhatCameThereIsCancelled) {
  const std::string nobody = notification("notifications/cancelled", R"({"requestId":"nobody"})");
  const std::string listing = request(1, "tools/list");
  const Played open = Played(kMcp, "http").posted(1, listing);
  EXPECT_THAT(breaches(Played(open).event(1, nobody)),
              ElementsAre("warn mcp.http.stream-messages-related"));
  EXPECT_THAT(breaches(Played(open)
                           .event(1, request(9, "ping"))
                           .event(1, notification("notifications/cancelled",
                                                  R"({"requestId":9})"))),
              IsEmpty());
  // What it asked before may have been meant for a stream that nobody opened.
  EXPECT_THAT(breaches(Played(open).got(2).event(2, nobody)), IsEmpty());
}

TEST(ServerNotifications, TheStatelessRevisionSendsOnlyWhatWasAskedFor) {
  const std::string log = notification("notifications/message", R"({"level":"info","data":1})");
  const std::string asked = stateless(1, "x", R"(,"io.modelcontextprotocol/logLevel":"info")");
  EXPECT_THAT(breaches(Played(kStateless).sent(asked).received(log)), IsEmpty());
  EXPECT_THAT(breaches(Played(kStateless).sent(stateless(1, "x")).received(log)),
              ElementsAre("fail mcp.logging.no-message-without-log-level"));
  const Played over = Played(kStateless).sent(asked).received(complete("1"));
  EXPECT_THAT(breaches(Played(over).received(log)),
              ElementsAre("fail mcp.logging.before-final-response"));
  EXPECT_THAT(breaches(Played(over).sent(stateless(2, "x")).received(log)),
              ElementsAre("fail mcp.logging.no-message-without-log-level"));
  const std::string changed = notification("notifications/prompts/list_changed");
  const std::string tagged =
      notification("notifications/prompts/list_changed",
                   R"({"_meta":{"io.modelcontextprotocol/subscriptionId":1}})");
  const std::string listen = stateless(1, "subscriptions/listen");
  EXPECT_THAT(breaches(Played(kStateless).sent(listen).received(tagged)), IsEmpty());
  EXPECT_THAT(breaches(Played(kStateless).sent(listen).received(changed)),
              ElementsAre("fail mcp.listen.subscription-id-tag"));
  EXPECT_THAT(breaches(Played(kStateless).sent(stateless(1, "x")).received(changed)),
              UnorderedElementsAre("fail mcp.prompts.list-changed-needs-listen",
                                   "fail mcp.listen.subscription-id-tag"));
  EXPECT_THAT(
      breaches(Played(kStateless)
                   .sent(stateless(1, "x"))
                   .received(notification("notifications/cancelled", R"({"requestId":1})"))),
      ElementsAre("fail mcp.cancel.server-sent-listen-only"));
}

// A sound result of tools/call.
const char* const kCalled = R"({"content":[]})";

TEST(Progress, OfTheTutorialFollowsTheIdOfTheCall) {
  const auto report = [](const std::string& id, const std::string& percent) {
    return notification("tools/progress",
                        R"({"toolRequestId":)" + id + R"(,"progress":)" + percent + "}");
  };
  const Played call = Played("mcp-tutorial").sent(request(1, "tools/call", R"({"name":"a"})"));
  EXPECT_THAT(breaches(Played(call)
                           .received(report("1", "20"))
                           .received(report("1", "20"))
                           .received(report("\"other\"", "10"))
                           .received(result("1", kCalled))),
              IsEmpty());
  EXPECT_THAT(breaches(Played(call).received(report("1", "20")).received(report("1", "10"))),
              ElementsAre("warn tutorial.progress.increasing"));
  EXPECT_THAT(breaches(Played(call).received(result("1", kCalled)).received(report("1", "100"))),
              ElementsAre("fail tutorial.progress.before-result"));
  EXPECT_THAT(breaches(Played(call)
                           .received(result("1", kCalled))
                           .received(notification("notifications/tools/stream",
                                                  R"({"toolRequestId":1,"content":[]})"))),
              ElementsAre("fail tutorial.progress.before-result"));
  // Text that is no JSON to us may be a call under the same id.
  EXPECT_THAT(breaches(Played(call)
                           .sent("\xef\xbb\xbf" + request(1, "tools/call", R"({"name":"a"})"))
                           .received(result("1", kCalled))
                           .received(report("1", "20"))),
              IsEmpty());
  // An error without an id may be about something else, also where the call has none.
  EXPECT_THAT(breaches(Played("mcp-tutorial")
                           .sent("7")
                           .sent(R"({"jsonrpc":"2.0","id":null,"method":"tools/call",)"
                                 R"("params":{"name":"a"}})")
                           .received(error("null", -32600))
                           .received(report("null", "20"))
                           .received(result("null", kCalled)),
                       "progress"),
              IsEmpty());
  // A call under the same id begins anew.
  EXPECT_THAT(breaches(Played(call)
                           .received(report("1", "80"))
                           .received(result("1", kCalled))
                           .sent(request(1, "tools/call", R"({"name":"a"})"))
                           .received(report("1", "20"))
                           .received(result("1", kCalled)),
                       "progress"),
              IsEmpty());
  // What is no request may be refused under the id that a request has later.
  for (const char* other : {R"({"id":1})", R"({"jsonrpc":"2.0","id":1,"method":"x",})"}) {
    EXPECT_THAT(breaches(Played("mcp-tutorial")
                             .sent(other)
                             .sent(request(1, "tools/call", R"({"name":"a"})"))
                             .received(error("1", -32600, "No"))
                             .received(report("1", "20"))
                             .received(result("1", kCalled)),
                         "progress"),
                IsEmpty());
  }
  // Several tools run under the id of a batch_call.
  EXPECT_THAT(breaches(Played("mcp-tutorial")
                           .sent(request(1, "tools/batch_call", R"({"calls":[]})"))
                           .received(report("1", "80"))
                           .received(report("1", "20"))
                           .received(result("1", R"({"results":[]})"))),
              IsEmpty());
}

TEST(Progress, FollowsTheToken) {
  const auto progress = [](const std::string& token, const std::string& value) {
    return notification("notifications/progress",
                        R"({"progressToken":)" + token + R"(,"progress":)" + value + "}");
  };
  const Played call =
      Played(kMcp).sent(request(1, "tools/call", R"({"_meta":{"progressToken":7}})"));
  EXPECT_THAT(breaches(Played(call)
                           .received(progress("7", "0"))
                           .received(progress("7", "0.5"))
                           .received(result("1", kCalled))),
              IsEmpty());
  // Whoever reads numbers as doubles takes it for 0, and may give it back as it was written.
  const Played tiny =
      Played(kMcp).sent(request(1, "tools/call", R"({"_meta":{"progressToken":1e-400}})"));
  EXPECT_THAT(
      breaches(Played(tiny).received(progress("1e-400", "0")).received(result("1", kCalled))),
      IsEmpty());
  const Played half =
      Played(kMcp).sent(request(1, "tools/call", R"({"_meta":{"progressToken":0.5}})"));
  EXPECT_THAT(breaches(Played(half).received(progress("0.5", "0")).received(result("1", kCalled))),
              ElementsAre("warn mcp.progress.shape"));
  // The reply may be to what a server read over the mark.
  EXPECT_THAT(breaches(Played(kMcp)
                           .sent("\xEF\xBB\xBF{\"id\":1}")
                           .sent(request(1, "tools/call", R"({"_meta":{"progressToken":7}})"))
                           .received(error("1", -32600))
                           .received(progress("7", "0")),
                       "progress"),
              IsEmpty());
  // A server may have read the token out of what is no JSON to us.
  EXPECT_THAT(breaches(Played(call)
                           .sent("\xEF\xBB\xBF" +
                                 request(2, "tools/call", R"({"_meta":{"progressToken":7}})"))
                           .received(progress("7", "0.5"))
                           .received(progress("7", "0.5")),
                       "progress"),
              IsEmpty());
  EXPECT_THAT(breaches(Played(call).received(progress("\"7\"", "1"))),
              ElementsAre("fail mcp.progress.token-type-preserved"));
  EXPECT_THAT(
      breaches(Played(call).received(progress("\"7\"", "2")).received(progress("\"7\"", "1"))),
      testing::Contains("fail mcp.progress.increasing"));
  EXPECT_THAT(breaches(Played(call).received(progress("8", "1"))),
              ElementsAre("fail mcp.progress.only-with-token"));
  EXPECT_THAT(breaches(Played(call).received(progress("7", "2")).received(progress("7", "1"))),
              ElementsAre("fail mcp.progress.increasing"));
  EXPECT_THAT(breaches(Played(call).received(result("1", kCalled)).received(progress("7", "1"))),
              ElementsAre("fail mcp.progress.stops-after-completion"));
  // Another message of ours had the same id: the response may be to that.
  EXPECT_THAT(breaches(Played("mcp-2025-06-18")
                           .sent(R"({"id":1})")
                           .sent(request(1, "tools/call", R"({"_meta":{"progressToken":7}})"))
                           .received(error("1", -32600))
                           .received(progress("7", "1"))),
              testing::Not(Contains(testing::HasSubstr("mcp.progress"))));
  // HTTP: the progress of one call on the stream of another; what a GET resumes is as it should be.
  const auto on_stream = [&](const char* profile, int of_first) {
    return breaches(Played(profile, "http")
                        .posted(1, request(1, "tools/call", R"({"_meta":{"progressToken":7}})"))
                        .posted(2, request(2, "tools/call", R"({"_meta":{"progressToken":8}})"))
                        .got(3)
                        .event(of_first, progress("7", "1"))
                        .event(2, progress("8", "1")),
                    "progress");
  };
  EXPECT_THAT(on_stream(kMcp, 1), IsEmpty());
  EXPECT_THAT(on_stream(kMcp, 3), IsEmpty());
  EXPECT_THAT(on_stream(kMcp, 2), ElementsAre("warn mcp.progress.sse-stream"));
  EXPECT_THAT(on_stream("mcp-2026-07-28", 2),
              ElementsAre("fail mcp.http26.sse-notifications-related"));
  EXPECT_THAT(breaches(Played(call).received(progress("7", "\"1\""))),
              ElementsAre("fail mcp.progress.shape"));
  EXPECT_THAT(breaches(Played(call).received(progress("7", R"(1,"message":"one")"))), IsEmpty());
  EXPECT_THAT(breaches(Played(call).received(progress("7", R"(1,"message":"")"))),
              ElementsAre("warn mcp.progress.message-readable"));
}

TEST(Oracles, TheTableNamesRequirementsThatExist) {
  std::set<std::string> names;
  for (const Oracle& oracle : oracles()) {
    EXPECT_TRUE(names.insert(oracle.name).second) << oracle.name;
    EXPECT_FALSE(oracle.falsified_by.empty()) << oracle.name;
    for (const auto& id : oracle.covers) {
      EXPECT_NE(test_registry().find(id), nullptr) << oracle.name << " covers " << id;
    }
  }
}

}  // namespace
}  // namespace harness::oracle
