// SPDX-License-Identifier: Apache-2.0
// Credentials that come back.
#include "harness/oracle/played_testing.h"

namespace harness::oracle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Played over_http(const char* profile, const std::string& message) {
  Played played(profile, "http");
  played.posted(1, request(1, "ping")).answered(1, 200, "application/json", message);
  return played;
}

TEST(Credentials, DoNotComeBack) {
  const std::string echo = error("1", -32603, "no access for the-long-secret");
  EXPECT_THAT(breaches(over_http("mcp-2025-11-25", echo).with_secret("T", "the-long-secret")),
              ElementsAre("warn mcp.auth.oauth-security-practice"));
  EXPECT_THAT(breaches(over_http("mcp-tutorial", echo).with_secret("T", "the-long-secret")),
              ElementsAre("warn tutorial.auth.no-credential-echo"));
  EXPECT_THAT(breaches(over_http("mcp-2025-11-25", echo).with_secret("T", "another-long-secret")),
              IsEmpty());
}

TEST(Credentials, HaveNoPlaceInLogMessagesAndQuestionsToAModel) {
  const auto told = [](const std::string& message) {
    return breaches(Played("mcp-2025-11-25", "http")
                        .client_declares(R"({"sampling":{}})")
                        .posted(1, request(1, "ping"))
                        .answered(1, 200, "application/json", message)
                        .with_secret("T", "the-long-secret"),
                    "credentials");
  };
  EXPECT_THAT(told(notification("notifications/message",
                                R"({"level":"info","data":"Bearer the-long-secret"})")),
              ElementsAre("fail mcp.logging.no-secrets"));
  EXPECT_THAT(told(request(1, "sampling/createMessage", R"({"systemPrompt":"the-long-secret"})")),
              ElementsAre("fail mcp.sampling.sensitive-data"));
}

TEST(Credentials, OfAFewCharactersMayBeOrdinaryWords) {
  const std::string text = error("1", -32603, "the password is wrong");
  EXPECT_THAT(breaches(over_http("mcp-2025-11-25", text).with_secret("T", "password")), IsEmpty());
}

TEST(Credentials, AreSeenInAHeaderOfAnyName) {
  Played played = over_http("mcp-2025-11-25", error("1", -32603, "no access"));
  played.with_header("X\xff\x1b", "the-long-secret").with_secret("T", "the-long-secret");
  ASSERT_THAT(breaches(played), ElementsAre("warn mcp.auth.oauth-security-practice"));
  EXPECT_EQ(played.judged().front().seen, "they stand in header X\\xff\\x1b");
}

TEST(Credentials, AreMarkedInARecording) {
  const std::string echo = error("1", -32603, "no access for \xc2\xabsecret T\xc2\xbb");
  EXPECT_THAT(breaches(over_http("mcp-2025-11-25", echo)),
              ElementsAre("warn mcp.auth.oauth-security-practice"));
}

}  // namespace
}  // namespace harness::oracle
