// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "harness/oracle/played_testing.h"

namespace harness::oracle {
namespace {

const std::string kInitialize =
    request(1, "initialize", R"({"processId":null,"rootUri":null,"capabilities":{}})");

// A session behind its handshake, with that much tracing.
Played session(const std::string& trace = "off") {
  const std::string params = R"({"processId":null,"rootUri":null,"capabilities":{},"trace":")";
  Played played("lsp", "stdio+content-length");
  played.by_length()
      .sent(request(1, "initialize", params + trace + R"("})"))
      .received(result("1", R"({"capabilities":{}})"))
      .sent(notification("initialized", "{}"));
  return played;
}

std::string progress(const std::string& token, const std::string& value) {
  return notification("$/progress", R"({"token":)" + token + R"(,"value":)" + value + "}");
}

constexpr const char* kBegin = R"({"kind":"begin","title":"t"})";
constexpr const char* kEnd = R"({"kind":"end"})";

TEST(LspOracle, LetsPassWhatServersMaySay) {
  Played played("lsp", "stdio+content-length");
  played.by_length()
      .sent(kInitialize)
      .received(notification("window/logMessage", R"({"type":3,"message":"starting"})"))
      .received(result("1", R"({"capabilities":{}})"))
      .sent(notification("initialized", "{}"))
      .received(
          notification("textDocument/publishDiagnostics", R"({"uri":"a:b","diagnostics":[]})"))
      .received(notification("$/own", "[]"))
      .sent(request(2, "workspace/symbol", R"({"query":"a","workDoneToken":7})"))
      .received(progress("7", kBegin))
      .received(progress("7", R"({"kind":"report","percentage":100})"))
      .received(progress("7", kEnd))
      .received(result("2", "null"))
      .sent(request(3, "workspace/symbol", R"({"query":"a"})"))
      .sent(notification("$/cancelRequest", R"({"id":3})"))
      .received(error("3", -32800))
      .sent(request(4, "shutdown"))
      .received(result("4", "null"))
      .sent(notification("exit"))
      .ended("exit 0");
  EXPECT_THAT(played.judged(), testing::IsEmpty());
}

TEST(LspOracle, CitesTheKindOfAnIdThatComesBackAltered) {
  const char* const asked = R"({"jsonrpc":"2.0","id":"last a","method":"none"})";
  EXPECT_THAT(breaches(session().sent(asked).received(error("\"last b\"", -32601)), "replies"),
              testing::ElementsAre("fail lsp.requests.id-string"));
}

TEST(LspOracle, LetsComeBackUnresolvedWhatWasGiven) {
  const auto resolved = [](const std::string& given, const std::string& came) {
    return breaches(session().sent(request(2, "codeLens/resolve", given)).received(result("2", came)),
                    "shapes");
  };
  EXPECT_THAT(resolved("{}", "{}"), testing::IsEmpty());
  EXPECT_THAT(resolved(R"({"range":5})", R"({"range":5})"), testing::IsEmpty());
  EXPECT_THAT(resolved("{}", R"({"range":5})"), testing::SizeIs(1));
  const std::string sound =
      R"({"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}}})";
  EXPECT_THAT(resolved(sound, "{}"), testing::SizeIs(1));
}

TEST(LspOracle, SeesWhatTheyMayNotSay) {
  struct Row {
    const char* clause;
    Played played;
  };
  const std::string asks = R"({"query":"a","workDoneToken":7})";
  const std::string configuration =
      R"({"jsonrpc":"2.0","id":1,"method":"workspace/configuration","params":{"items":[]}})";
  Played early("lsp", "stdio+content-length");
  early.by_length().sent(kInitialize).received(notification("$/own", "{}"));
  for (Row& row : std::vector<Row>{
           {"lsp.lifecycle.quiet-until-initialized", early},
           {"lsp.outgoing.gated-requests", session().received(configuration)},
           {"lsp.progress.known-token-only", session().received(progress("9", kBegin))},
           {"lsp.progress.token-echo", session()
                                           .sent(request(2, "workspace/symbol", asks))
                                           .received(progress("\"7\"", kBegin))},
           {"lsp.progress.begin-first",
            session().sent(request(2, "workspace/symbol", asks)).received(progress("7", kEnd))},
           {"lsp.progress.not-after-response", session()
                                                   .sent(request(2, "workspace/symbol", asks))
                                                   .received(progress("7", kBegin))
                                                   .received(result("2", "null"))
                                                   .received(progress("7", kEnd))},
           {"lsp.progress.ended-once", session()
                                           .sent(request(2, "workspace/symbol", asks))
                                           .received(progress("7", kBegin))
                                           .received(result("2", "null"))},
           {"lsp.errors.not-initialized-only-then",
            session().sent(request(2, "a/b", "{}")).received(error("2", -32002))},
           {"lsp.errors.cancelled-unasked",
            session().sent(request(2, "a/b", "{}")).received(error("2", -32800))},
           {"lsp.batch.never-sent", session().received("[]")},
           {"lsp.dollar.trace-off",
            session().received(notification("$/logTrace", R"({"message":"a"})"))},
           {"lsp.dollar.trace-messages",
            session("messages")
                .received(notification("$/logTrace", R"({"message":"a","verbose":"b"})"))},
           {"lsp.shutdown.output-flushed",
            session()
                .sent(notification("exit"))
                .received_torn("{", "the stream ended after 1 of 9 bytes")
                .ended("exit 0")},
           {"lsp.lifecycle.log-message-shape",
            session().received(notification("window/logMessage", R"({"type":9,"message":"a"})"))},
       }) {
    std::vector<std::string> clauses;
    for (const Finding& finding : row.played.judged()) clauses.push_back(finding.requirement);
    EXPECT_THAT(clauses, testing::ElementsAre(row.clause));
  }
}

}  // namespace
}  // namespace harness::oracle
