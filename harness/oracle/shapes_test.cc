// SPDX-License-Identifier: Apache-2.0
// Which row is for which message, what is told of a breach, and where the oracle keeps silent. What
// the rows themselves say is held against the schemas in harness/spec.
#include "harness/oracle/played_testing.h"

namespace harness::oracle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const char* const kFirst = "mcp-2024-11-05";
const char* const kOld = "mcp-2025-03-26";
const char* const kMcp = "mcp-2025-06-18";
const char* const kNew = "mcp-2025-11-25";
const char* const kStateless = "mcp-2026-07-28";

std::vector<std::string> answered(const char* profile, const std::string& method,
                                  const std::string& value) {
  return breaches(Played(profile).sent(1, method).received(result("1", value)), "shapes");
}

std::vector<std::string> answered_new(const std::string& method, const std::string& value) {
  return breaches(Played(kStateless).sent(stateless(1, method)).received(result("1", value)),
                  "shapes");
}

std::vector<std::string> notified(const char* profile, const std::string& method,
                                  const std::string& params) {
  return breaches(
      Played(profile).server_declares(R"({"logging":{}})").received(notification(method, params)),
      "shapes");
}

std::vector<std::string> asked(const char* profile, const std::string& method,
                               const std::string& params) {
  return breaches(Played(profile)
                      .client_declares(R"({"sampling":{},"roots":{},"elicitation":{"url":{}}})")
                      .received(request(1, method, params)),
                  "shapes");
}

TEST(Shapes, ResultsHaveTheShapeOfTheirMethod) {
  const std::string tool = R"({"name":"t","inputSchema":{"type":"object"})";
  EXPECT_THAT(answered(kMcp, "tools/list", R"({"tools":[)" + tool + R"(,"other":1}],"x":null})"),
              IsEmpty());
  EXPECT_THAT(answered(kMcp, "tools/list", "{}"),
              ElementsAre("fail mcp.tools.list-result-tools-array"));
  EXPECT_THAT(answered(kMcp, "tools/list", R"({"tools":[{"name":"t"}]})"),
              ElementsAre("fail mcp.tools.input-schema-present"));
  EXPECT_THAT(answered(kMcp, "tools/list", R"({"tools":[)" + tool + R"(,"title":7}]})"),
              ElementsAre("fail mcp.tools.title-string"));
  EXPECT_THAT(answered(kOld, "tools/list", R"({"tools":[)" + tool + R"(,"title":7}]})"),
              IsEmpty());  // not a member yet
  EXPECT_THAT(answered(kMcp, "resources/read", R"({"contents":[{"uri":"a:b","blob":"!"}]})"),
              ElementsAre("fail mcp.resources.read-blob-base64"));
  EXPECT_THAT(answered(kMcp, "resources/read", R"({"contents":[{"uri":"a:b","blob":"YQ"}]})"),
              ElementsAre("warn mcp.resources.read-blob-base64"));
  EXPECT_THAT(answered("mcp-tutorial", "tools/list", R"({"tools":[{"name":"t"}]})"), IsEmpty());
  EXPECT_THAT(answered("mcp-tutorial", "tools/list", R"({"tools":[{}]})"),
              ElementsAre("fail tutorial.tools.list"));
  EXPECT_THAT(answered("jsonrpc-2.0", "tools/list", "7"), IsEmpty());
}

TEST(Shapes, ResultsAreObjectsWhateverTheMethod) {
  EXPECT_THAT(answered(kMcp, "x", "[]"), ElementsAre("fail mcp.base.result-is-object"));
  EXPECT_THAT(answered(kMcp, "resources/subscribe", "true"),
              ElementsAre("fail mcp.resources.subscribe-empty-result"));
  EXPECT_THAT(answered("jsonrpc-2.0", "x", "[]"), IsEmpty());
}

TEST(Shapes, BlocksAreThoseOfTheRevisionAndThePlace) {
  const auto called = [](const char* profile, const std::string& block) {
    return answered(profile, "tools/call", R"({"content":[)" + block + "]}");
  };
  const std::string audio = R"({"type":"audio","data":"YQ==","mimeType":"audio/wav"})";
  const std::string link = R"({"type":"resource_link","uri":"a:b","name":"n"})";
  EXPECT_THAT(called(kMcp, audio + "," + link), IsEmpty());
  EXPECT_THAT(called(kFirst, audio), ElementsAre("fail mcp.content.audio-not-before-2025-03"));
  EXPECT_THAT(called(kOld, link), ElementsAre("fail mcp.content.resource-link-not-before-2025-06"));
  EXPECT_THAT(called(kMcp, R"({"type":"json"})"), ElementsAre("fail mcp.tools.content-types"));
  EXPECT_THAT(called(kMcp, R"({"text":"a"})"), ElementsAre("fail mcp.content.type-string"));
  EXPECT_THAT(called(kNew, R"({"type":"tool_use","id":"1","name":"t","input":{}})"),
              ElementsAre("fail mcp.content.no-sampling-blocks"));
  EXPECT_THAT(answered(kMcp, "prompts/get",
                       R"({"messages":[{"role":"user","content":[{"type":"text","text":"a"}]}]})"),
              ElementsAre("fail mcp.prompts.message-content-single-block"));
  // Annotations inside the resource, as the page of tools shows them.
  EXPECT_THAT(called(kMcp, R"({"type":"resource","resource":{"uri":"a:b","text":"t",)"
                           R"("annotations":{"priority":0.5}}})"),
              IsEmpty());
}

TEST(Shapes, OtherResultsAreToldByTheirType) {
  EXPECT_THAT(answered_new("x", R"({"resultType":"complete"})"), IsEmpty());
  EXPECT_THAT(answered_new("x", "{}"), ElementsAre("fail mcp.base.result-type-required"));
  EXPECT_THAT(answered_new("x", R"({"resultType":"odd"})"),
              ElementsAre("fail mcp.base.result-type-known"));
  EXPECT_THAT(answered_new("tools/list", "{}"),
              testing::Contains("fail mcp.base.result-type-required"));
  // A server of both eras may answer initialize the old way.
  EXPECT_THAT(breaches(Played(kStateless).sent(1, "initialize").received(result("1"))), IsEmpty());
  EXPECT_THAT(answered_new("tools/list", R"({"resultType":"input_required"})"),
              ElementsAre("fail mcp.mrtr.only-three-methods"));
  EXPECT_THAT(answered_new("tools/call", R"({"resultType":"input_required"})"),
              ElementsAre("fail mcp.input-required.something-present"));
  EXPECT_THAT(answered_new("tools/call", R"({"resultType":"input_required","inputRequests":)"
                                         R"({"a":{"method":"roots/list"}}})"),
              IsEmpty());
  EXPECT_THAT(answered_new("tools/call", R"({"resultType":"input_required","inputRequests":)"
                                         R"({"a":{"method":"tools/call","params":{}}}})"),
              ElementsAre("fail mcp.input-required.request-methods"));
  EXPECT_THAT(answered_new("tools/call", R"({"resultType":"task"})"),
              ElementsAre("fail mcp.tasks-ext.only-to-declaring-client"));
  // A task in place of the result, which 2025-11-25 tells by its member.
  EXPECT_THAT(answered(kNew, "tools/call",
                       R"({"task":{"taskId":"1","status":"working","ttl":null,)"
                       R"("createdAt":"2025-11-25T10:00:00Z","lastUpdatedAt":"yesterday"}})"),
              ElementsAre("fail mcp.tasks.last-updated-at-iso"));
  EXPECT_THAT(answered(kMcp, "tools/call", R"({"task":{}})"),
              ElementsAre("fail mcp.tools.call-result-content-array"));
}

TEST(Shapes, CachingHintsAreThoseOfEachMethod) {
  EXPECT_THAT(answered_new("prompts/list", R"({"resultType":"complete","prompts":[],"ttlMs":0})"),
              ElementsAre("fail mcp.caching.hints-prompts-list"));
  EXPECT_THAT(answered_new("prompts/list", R"({"resultType":"complete","prompts":[],"ttlMs":1.5,)"
                                           R"("cacheScope":"shared"})"),
              ElementsAre("warn mcp.caching.ttl-integer", "fail mcp.caching.scope-value"));
}

TEST(Shapes, NullIsNotLeavingOut) {
  const std::string tool = R"("name":"t","inputSchema":{"type":"object","default":null})";
  EXPECT_THAT(answered(kMcp, "tools/list", R"({"tools":[{)" + tool + R"(,"later":null}]})"),
              IsEmpty());
  EXPECT_THAT(answered(kMcp, "tools/list", R"({"tools":[],"nextCursor":null})"),
              ElementsAre("fail mcp.shape.optional-fields-not-null"));
  // Told once.
  const std::string untitled = "{" + tool + R"(,"title":null})";
  EXPECT_THAT(answered(kMcp, "tools/list", R"({"tools":[)" + untitled + "," + untitled + "]}"),
              ElementsAre("fail mcp.shape.optional-fields-not-null"));
  EXPECT_THAT(answered(kNew, "tools/call", R"({"content":[],"structuredContent":null})"),
              ElementsAre("fail mcp.shape.optional-fields-not-null"));
  EXPECT_THAT(answered_new("tools/call", R"({"resultType":"complete","content":[],)"
                                         R"("structuredContent":null})"),
              IsEmpty());
}

TEST(Shapes, IconsHaveAddressesThatAClientMayLoad) {
  const auto listed = [](const char* profile, const std::string& icons) {
    return answered(profile, "prompts/list", R"({"prompts":[{"name":"p","icons":)" + icons + "}]}");
  };
  EXPECT_THAT(
      listed(kNew, R"([{"src":"https://x/i.png","sizes":["48x48","any"],"theme":"dark"},)"
                   R"({"src":"data:image/png;base64,iVBORw0KGgo=","mimeType":"image/png"}])"),
      IsEmpty());
  EXPECT_THAT(listed(kMcp, R"({"a":1})"), IsEmpty());  // not a member yet
  EXPECT_THAT(listed(kNew, "{}"), ElementsAre("fail mcp.icons.array"));
  EXPECT_THAT(listed(kNew, R"(["https://x/i.png"])"), ElementsAre("fail mcp.icons.shape"));
  EXPECT_THAT(listed(kNew, R"([{"mimeType":"image/png"}])"),
              ElementsAre("fail mcp.icons.src-string"));
  EXPECT_THAT(listed(kNew, R"([{"src":"https://x","sizes":"48x48"}])"),
              ElementsAre("fail mcp.icons.sizes"));
  EXPECT_THAT(listed(kNew, R"([{"src":"https://x","theme":"blue"}])"),
              ElementsAre("fail mcp.icons.theme"));
  EXPECT_THAT(listed(kNew, R"([{"src":"file:///i.png"}])"),
              ElementsAre("warn mcp.icons.safe-scheme"));
  EXPECT_THAT(listed(kNew, R"([{"src":"data:image/svg+xml,<svg/>"}])"),
              ElementsAre("warn mcp.icons.data-uri-base64"));
  // The output of a tool is its own.
  EXPECT_THAT(answered(kNew, "tools/call", R"({"content":[],"structuredContent":{"icons":{}}})"),
              IsEmpty());
}

TEST(Shapes, NotificationsHaveThatOfTheirOwn) {
  EXPECT_THAT(notified(kMcp, "notifications/message", R"({"level":"info","data":null})"),
              IsEmpty());
  EXPECT_THAT(notified(kMcp, "notifications/message", R"({"level":"INFO","data":1})"),
              ElementsAre("fail mcp.logging.message-level"));
  EXPECT_THAT(notified(kNew, "notifications/elicitation/complete", "{}"),
              ElementsAre("fail mcp.elicitation.complete-notification-id"));
  EXPECT_THAT(notified(kStateless, "notifications/elicitation/complete", "{}"),
              ElementsAre("fail mcp.elicitation.complete-notification-removed"));
  EXPECT_THAT(notified(kMcp, "notifications/other", "{}"),
              ElementsAre("info mcp.base.server-notification-shape"));
  EXPECT_THAT(notified("mcp-tutorial", "tools/progress", R"({"toolRequestId":1})"),
              ElementsAre("fail tutorial.progress.tools-progress-shape"));
}

TEST(Shapes, RequestsHaveThatOfTheirOwn) {
  const std::string url = R"({"mode":"url","message":"m","url":"https://x")";
  EXPECT_THAT(asked(kNew, "elicitation/create", url + R"(,"elicitationId":"1"})"), IsEmpty());
  EXPECT_THAT(asked(kNew, "elicitation/create", url + "}"),
              ElementsAre("fail mcp.elicitation.url-id-present"));
  EXPECT_THAT(asked(kNew, "elicitation/create", R"({"mode":"voice","message":"m"})"),
              ElementsAre("fail mcp.elicitation.mode-value"));
  EXPECT_THAT(asked(kMcp, "sampling/createMessage",
                    R"({"maxTokens":1,"messages":[{"role":"system",)"
                    R"("content":{"type":"text","text":"t"}}]})"),
              ElementsAre("fail mcp.sampling.message-role"));
  EXPECT_THAT(asked(kMcp, "tools/list", "{}"),
              ElementsAre("warn mcp.lifecycle.server-request-methods"));
}

TEST(Shapes, DataOfErrorsHasThatOfItsCode) {
  const auto refused = [](const std::string& data) {
    return breaches(Played(kStateless)
                        .sent(stateless(1, "tools/call"))
                        .received(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32021,)"
                                  R"("message":"m")" +
                                  data + "}}"),
                    "shapes");
  };
  EXPECT_THAT(refused(R"(,"data":{"requiredCapabilities":{"sampling":{}}})"), IsEmpty());
  EXPECT_THAT(refused(""), ElementsAre("fail mcp.input-required.missing-capability-error"));
  EXPECT_THAT(refused(R"(,"data":{})"),
              ElementsAre("fail mcp.input-required.missing-capability-error"));
}

TEST(Shapes, NothingIsSaidWhereItIsNotKnownWhatWasAnswered) {
  // Another revision was agreed on.
  EXPECT_THAT(
      breaches(Played(kNew)
                   .sent(request(1, "initialize",
                                 R"({"protocolVersion":"2024-11-05","capabilities":{},)"
                                 R"("clientInfo":{"name":"c","version":"1"}})"))
                   .received(result("1", R"({"protocolVersion":"2024-11-05","capabilities":{},)"
                                         R"("serverInfo":{"name":"s","version":"1"}})"))
                   .sent(2, "tools/list")
                   .received(result("2", "{}")),
               "shapes"),
      IsEmpty());
  // The request was no good, or is one of several under its id.
  EXPECT_THAT(breaches(Played(kNew)
                           .sent(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":7})")
                           .received(result("1", "{}")),
                       "shapes"),
              IsEmpty());
  EXPECT_THAT(
      breaches(Played(kNew).sent(1, "tools/list").sent(1, "ping").received(result("1", "{}")),
               "shapes"),
      IsEmpty());
  // What we sent comes back as it was.
  EXPECT_THAT(breaches(Played(kNew)
                           .sent(request(1, "tools/call", R"({"name":"t","arguments":{"a":"!"}})"))
                           .received(result("1", R"({"content":[{"type":"image","data":"!",)"
                                                 R"("mimeType":"image/png"}]})")),
                       "shapes"),
              IsEmpty());
  // A client of the other era speaks.
  EXPECT_THAT(
      breaches(Played(kStateless).sent(1, "tools/list").received(result("1", "{}")), "shapes"),
      IsEmpty());
}

}  // namespace
}  // namespace harness::oracle
