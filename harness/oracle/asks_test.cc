// SPDX-License-Identifier: Apache-2.0
// What is asked of the client, as a request and inside of a result.
#include "harness/oracle/played_testing.h"
#include "harness/oracle/question_text.h"

namespace harness::oracle {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

const char* const kNew = "mcp-2025-11-25";
const char* const kStateless = "mcp-2026-07-28";

// The same question in both eras.
std::vector<std::string> asked(const std::string& profile, const std::string& declared,
                               const std::string& method, const std::string& params) {
  if (profile != kStateless) {
    return breaches(Played(profile)
                        .client_declares(declared)
                        .sent(1, "tools/call")
                        .received(request(9, method, params)),
                    "asks");
  }
  const std::string call =
      request(1, "tools/call",
              R"({"name":"t","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
              R"("io.modelcontextprotocol/clientCapabilities":)" +
                  declared + "}}");
  return breaches(
      Played(kStateless)
          .sent(call)
          .received(
              result("1", R"({"resultType":"input_required","inputRequests":{"k":{"method":")" +
                              method + R"(","params":)" + params + "}}}")),
      "asks");
}

std::string form(const std::string& fields, const std::string& message = "Who are you?") {
  return R"({"message":")" + message + R"(","requestedSchema":{"type":"object","properties":{)" +
         fields + "}}}";
}
std::string page(const std::string& url) {
  return R"({"mode":"url","message":"m","elicitationId":"1","url":")" + url + R"("})";
}

TEST(Asks, OnlyWhatTheClientDeclared) {
  const std::string sample = R"({"messages":[],"maxTokens":1})";
  for (const char* profile : {kNew, kStateless}) {
    EXPECT_THAT(asked(profile, R"({"sampling":{}})", "sampling/createMessage", sample), IsEmpty());
    EXPECT_THAT(asked(profile, R"({"roots":{}})", "roots/list", "{}"), IsEmpty());
    EXPECT_THAT(asked(profile, R"({"elicitation":{}})", "elicitation/create", form("")), IsEmpty());
  }
  EXPECT_THAT(asked(kNew, "{}", "sampling/createMessage", sample),
              ElementsAre("fail mcp.sampling.needs-capability"));
  EXPECT_THAT(asked(kStateless, "{}", "sampling/createMessage", sample),
              ElementsAre("fail mcp.sampling.needs-capability-2026"));
  EXPECT_THAT(asked(kStateless, "{}", "roots/list", "{}"),
              ElementsAre("fail mcp.roots.needs-capability-2026"));
  EXPECT_THAT(asked(kStateless, R"({"sampling":{}})", "elicitation/create", form("")),
              ElementsAre("fail mcp.elicitation.needs-capability-2026"));
}

TEST(Asks, BackForWhatTheClientSpokeOfThoughItDidNotDeclareIt) {
  const auto told = [](const char* notification) {
    return breaches(Played(kNew)
                        .client_declares("{}")
                        .sent(std::string(R"({"jsonrpc":"2.0","method":")") + notification + "\"}")
                        .received(request(9, "roots/list", "{}")),
                    "asks");
  };
  EXPECT_THAT(told("notifications/roots/list_changed"), IsEmpty());
  EXPECT_THAT(told("notifications/initialized"), ElementsAre("fail mcp.roots.needs-capability"));
}

TEST(Asks, InAModeTheClientHas) {
  for (const char* profile : {kNew, kStateless}) {
    const auto mode = [&](const std::string& declared, const std::string& params) {
      return asked(profile, R"({"elicitation":)" + declared + "}", "elicitation/create", params);
    };
    EXPECT_THAT(mode(R"({"form":{},"url":{}})", page("https://vendor.net/")), IsEmpty());
    EXPECT_THAT(mode("{}", page("https://vendor.net/")),
                ElementsAre("fail mcp.elicitation.empty-capability-is-form-only"));
    EXPECT_THAT(mode(R"({"form":{}})", page("https://vendor.net/")),
                ElementsAre("fail mcp.elicitation.mode-supported"));
    EXPECT_THAT(mode(R"({"url":{}})", form("")),
                ElementsAre("fail mcp.elicitation.mode-supported"));
    EXPECT_THAT(mode(R"({"url":{}})", page("https://vendor.net/")), IsEmpty());
    EXPECT_THAT(mode("{}", form("")), IsEmpty());
  }
  EXPECT_THAT(
      asked("mcp-2025-06-18", R"({"elicitation":{"url":{}}})", "elicitation/create", form("")),
      IsEmpty());
}

TEST(Asks, NoSecretsAndNoLinksByForm) {
  const auto field = [](const std::string& name, const std::string& schema) {
    return asked(kNew, R"({"elicitation":{}})", "elicitation/create",
                 form("\"" + name + "\":" + schema));
  };
  const std::string text = R"({"type":"string"})";
  EXPECT_THAT(field("password", text), ElementsAre("fail mcp.elicitation.form-no-secrets"));
  EXPECT_THAT(field("API-Key", text), ElementsAre("fail mcp.elicitation.form-no-secrets"));
  EXPECT_THAT(field("vendorAccessToken", text),
              ElementsAre("warn mcp.elicitation.form-no-secrets"));
  for (const char* name : {"username", "email", "password_hint", "token_count", "secret_santa"}) {
    EXPECT_THAT(field(name, text), IsEmpty()) << name;
  }
  EXPECT_THAT(field("change_password", R"({"type":"boolean"})"), IsEmpty());
  EXPECT_THAT(field("auth", R"({"type":"string","title":"See https://vendor.net/help"})"),
              ElementsAre("warn mcp.elicitation.form-no-links"));
  EXPECT_THAT(field("page", R"({"type":"string","description":"as in https://example.com/me"})"),
              IsEmpty());
}

TEST(Asks, PagesWithoutPersonalData) {
  const auto opened = [](const std::string& url) {
    return asked(kNew, R"({"elicitation":{"url":{}}})", "elicitation/create", page(url));
  };
  EXPECT_THAT(opened("https://vendor.net/connect?request=a1b2"), IsEmpty());
  EXPECT_THAT(opened("https://ada:4711@vendor.net/"),
              ElementsAre("fail mcp.elicitation.url-no-personal-data"));
  EXPECT_THAT(opened("https://vendor.net/?user=ada%40vendor.net"),
              ElementsAre("warn mcp.elicitation.url-no-personal-data"));
  EXPECT_THAT(opened("https://vendor.net/@ada"), IsEmpty());
}

TEST(Asks, PagesWithAnIdOfTheirOwn) {
  const auto two = [](const std::string& other) {
    return breaches(Played(kNew)
                        .client_declares(R"({"elicitation":{"url":{}}})")
                        .received(request(1, "elicitation/create", page("https://vendor.net/a")))
                        .received(request(2, "elicitation/create", page(other)))
                        .received(notification("notifications/elicitation/complete",
                                               R"({"elicitationId":"1"})")),
                    "asks");
  };
  EXPECT_THAT(two("https://vendor.net/a"), IsEmpty());
  EXPECT_THAT(two("https://vendor.net/b"), ElementsAre("fail mcp.elicitation.url-id-unique"));
  EXPECT_THAT(breaches(Played(kNew).received(notification("notifications/elicitation/complete",
                                                          R"({"elicitationId":"2"})")),
                       "asks"),
              ElementsAre("fail mcp.elicitation.complete-notification-id"));
}

TEST(Asks, NoTaskOfAClientWithoutThem) {
  const std::string sample = R"({"messages":[],"maxTokens":1,"task":{}})";
  EXPECT_THAT(asked(kNew, R"({"sampling":{}})", "sampling/createMessage", sample),
              ElementsAre("warn mcp.sampling.task-needs-capability"));
  EXPECT_THAT(
      asked(kNew, R"({"sampling":{},"tasks":{"requests":{"sampling":{"createMessage":{}}}}})",
            "sampling/createMessage", sample),
      IsEmpty());
}

}  // namespace
}  // namespace harness::oracle
