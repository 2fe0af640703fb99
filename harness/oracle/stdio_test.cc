// SPDX-License-Identifier: Apache-2.0
// Lines on stdout.
#include "harness/oracle/played_testing.h"

namespace harness::oracle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const char* const kPlain = "jsonrpc-2.0";
const char* const kMcp = "mcp-2025-06-18";

Played ping(const char* profile) { return Played(profile).sent(1, "ping"); }

TEST(Stdout, TextIsFoundUnderTheClauseOfTheProfile) {
  const auto logged = [](const char* profile) {
    return breaches(ping(profile).received("[INFO] ready").received(result("1")));
  };
  EXPECT_THAT(logged(kMcp), ElementsAre("fail mcp.stdio.stdout-only-messages"));
  EXPECT_THAT(logged("mcp-tutorial"), ElementsAre("fail tutorial.stdio.line-delimited"));
  EXPECT_THAT(logged(kPlain), ElementsAre("fail json.output.grammar"));
}

TEST(Stdout, ABannerBeforeTheFirstInputHasItsOwnClause) {
  EXPECT_THAT(breaches(Played(kMcp).received("Server 1.0").sent(1, "ping").received(result("1"))),
              ElementsAre("fail mcp.stdio.no-startup-output"));
  EXPECT_THAT(breaches(Played(kMcp).received(
                  notification("notifications/message", R"({"level":"info","data":1})"))),
              IsEmpty());
}

TEST(Stdout, ASocketIsAStreamOfLinesToo) {
  EXPECT_THAT(
      breaches(Played(kPlain, "tcp").sent(1, "ping").received("ready").received(result("1"))),
      ElementsAre("fail json.output.grammar"));
  EXPECT_THAT(breaches(Played(kPlain, "tcp").sent(1, "ping").received(result("1"))), IsEmpty());
}

TEST(Stdout, BehindAHeaderAMessageMayHaveLines) {
  const auto framed = [] {
    return Played(kPlain, "stdio+content-length").by_length().sent(1, "ping");
  };
  EXPECT_THAT(breaches(framed().received("{\n\"jsonrpc\":\"2.0\",\r\n\"id\":1,\"result\":0}\n")),
              IsEmpty());
  EXPECT_THAT(breaches(framed().received("hello").received(result("1"))),
              ElementsAre("fail json.output.grammar"));
  EXPECT_THAT(
      breaches(
          framed().received_torn("ready\n", "a line that is not a header").received(result("1"))),
      ElementsAre("fail json.output.grammar"));
  EXPECT_THAT(
      breaches(
          framed().received(result("1")).received_torn("{", "the stream ended after 1 of 9 bytes")),
      IsEmpty());
}

TEST(Stdout, ManyLinesAreOneFinding) {
  Played played = ping(kMcp);
  for (int i = 0; i < 50; ++i) played.received("log");
  const auto findings = played.received(result("1")).judged();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].seen, testing::HasSubstr("49 more"));
}

TEST(Stdout, FramingFaultsAreSorted) {
  const auto lines = [](std::vector<std::string> text) {
    Played played = ping(kMcp);
    for (const auto& line : text) played.received(line);
    return breaches(played);
  };
  EXPECT_THAT(lines({"{", "  \"jsonrpc\": \"2.0\",", "  \"id\": 1,", "  \"result\": {}", "}"}),
              ElementsAre("fail mcp.stdio.no-embedded-newlines"));
  EXPECT_THAT(
      lines({result("1") + notification("notifications/message", R"({"level":"info","data":1})")}),
      ElementsAre("fail mcp.stdio.newline-delimited"));
  EXPECT_THAT(lines({"Content-Length: 38\r", "", result("1")}),
              testing::UnorderedElementsAre("fail mcp.stdio.stdout-only-messages",
                                            "warn mcp.stdio.stdout-only-messages"));
  EXPECT_THAT(lines({"\x1b[32mok\x1b[0m", result("1")}),
              ElementsAre("fail mcp.stdio.stdout-only-messages"));
  EXPECT_THAT(lines({result("1") + "\r"}), ElementsAre("warn mcp.stdio.newline-delimited"));
  const auto ended = ping(kMcp).received(result("1") + "\r").judged();
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].headline, "Lines end with a carriage return before the newline");
  EXPECT_THAT(lines({"", result("1"), ""}), ElementsAre("warn mcp.stdio.stdout-only-messages"));
  EXPECT_THAT(lines({R"({"level":"info","msg":"up"})", result("1")}),
              ElementsAre("fail mcp.stdio.stdout-only-messages"));
  EXPECT_THAT(lines({R"({"jsonrpc":"2.0","id":"a,"result":{}})", result("1")}),
              ElementsAre("fail json.output.grammar"))
      << "a whole message in which a string does not end";
}

TEST(Stdout, AnUnterminatedLineIsMilderAfterWeClosed) {
  EXPECT_THAT(breaches(ping(kMcp).received_without_newline(result("1")).ended("exit 0")),
              ElementsAre("fail mcp.stdio.newline-delimited"));
  EXPECT_THAT(breaches(ping(kMcp).we_close("stdin").received_without_newline("{\"json")),
              ElementsAre("warn mcp.stdio.newline-delimited"));
  EXPECT_THAT(breaches(ping(kMcp).we_close("signal 15").received_without_newline("{\"json")),
              IsEmpty());
}

}  // namespace
}  // namespace harness::oracle
