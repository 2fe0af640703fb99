// SPDX-License-Identifier: Apache-2.0
#include "reports/curl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "reports/sample_run_testing.h"

namespace reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using wire::Channel;
using wire::Direction;

struct Asked {
  std::shared_ptr<wire::HttpSession> session = std::make_shared<wire::HttpSession>();
  wire::Frame request;
  Asked() {
    session->url = "http://127.0.0.1:3000/mcp";
    session->headers = {{"Host", "127.0.0.1:3000"},
                        {"User-Agent", "rpcspec/1"},
                        {"Accept", "application/json, text/event-stream"}};
    request = sample::frame(1, Channel::kHttp, R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
    request.direction = Direction::kSent;
    request.exchange = 1;
    request.head = wire::HttpHead{0, "POST", "", {}};
  }
  std::string curl(std::vector<std::uint64_t> frames = {1}) {
    request.session = session;
    wire::Frame answer = sample::frame(2, Channel::kHttp, "{}");
    answer.exchange = 1;
    answer.head = wire::HttpHead{200, "", "", {}};
    run::CaseResult result = sample::result("a", "A", run::Verdict::kFail);
    result.transcript = sample::transcript({request, answer});
    return curl_of(result, sample::finding("x", "y", "z", std::move(frames)));
  }
};

TEST(Curl, SendsAddressHeadersAndBody) {
  EXPECT_EQ(Asked().curl(),
            "curl -isSgN --path-as-is -m 30 http://127.0.0.1:3000/mcp \\\n"
            "  -H 'Accept: application/json, text/event-stream' \\\n"
            "  -H 'Content-Type: application/json' \\\n"
            "  --data-raw '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}'");
}

TEST(Curl, IsOfTheRequestThatTheFramesAnswer) {
  EXPECT_THAT(Asked().curl({2}), HasSubstr("\"ping\""));
}

TEST(Curl, SaysWhatACaseReplacesAndLeavesOut) {
  Asked asked;
  asked.request.head->headers = {
      {"accept", "text/html"}, {"Content-Type", std::string(1, '\0')}, {"X-Empty", ""}};
  const std::string curl = asked.curl();
  EXPECT_THAT(curl, HasSubstr("-H 'accept: text/html'"));
  EXPECT_THAT(curl, Not(HasSubstr("event-stream")));
  EXPECT_THAT(curl, HasSubstr("-H Content-Type: "));
  EXPECT_THAT(curl, HasSubstr("-H 'X-Empty;'"));
}

TEST(Curl, SaysAnotherMethodAndPath) {
  Asked asked;
  asked.request.head = wire::HttpHead{0, "DELETE", "/other?a=1&b=[2]", {}};
  asked.request.bytes.clear();
  asked.request.size = 0;
  const std::string curl = asked.curl();
  EXPECT_THAT(curl, HasSubstr("-X DELETE 'http://127.0.0.1:3000/other?a=1&b=[2]'"));
  EXPECT_THAT(curl, Not(HasSubstr("--data")));
}

TEST(Curl, OpensASessionFirst) {
  Asked asked;
  asked.session->headers.push_back({"Mcp-Session-Id", "of-the-run"});
  asked.session->opening = R"({"method":"initialize"})";
  const std::string curl = asked.curl();
  EXPECT_THAT(curl, testing::StartsWith("SESSION=$(curl "));
  EXPECT_THAT(curl, HasSubstr(R"(--data-raw '{"method":"initialize"}')"));
  EXPECT_THAT(curl, HasSubstr("notifications/initialized"));
  EXPECT_THAT(curl, HasSubstr(R"(-H "Mcp-Session-Id: $SESSION")"));
  EXPECT_THAT(curl, Not(HasSubstr("of-the-run")));
}

TEST(Curl, NeedsNoSessionWhereTheCaseSaysAnother) {
  Asked asked;
  asked.session->headers.push_back({"Mcp-Session-Id", "of-the-run"});
  asked.session->opening = R"({"method":"initialize"})";
  asked.request.head->headers = {{"Mcp-Session-Id", "wrong"}};
  EXPECT_THAT(asked.curl(), testing::StartsWith("curl "));
  EXPECT_THAT(asked.curl(), HasSubstr("-H 'Mcp-Session-Id: wrong'"));
}

TEST(Curl, TellsNoSecret) {
  Asked asked;
  asked.session->headers.push_back({"Authorization", "Bearer «secret MY_TOKEN»"});
  asked.session->headers.push_back({"X-Api-Key", "abc"});  // too short to be looked for elsewhere
  asked.session->headers.push_back({"X-More", "«secret key.txt»"});
  const std::string curl = asked.curl();
  EXPECT_THAT(curl, HasSubstr("-H 'Authorization: Bearer '\"$MY_TOKEN\" "));
  EXPECT_THAT(curl, HasSubstr("-H 'X-Api-Key: «secret X-Api-Key»'"));
  EXPECT_THAT(curl, HasSubstr("-H 'X-More: «secret key.txt»'"));
}

TEST(Curl, PrintsBytesThatAShellOrAPageWouldChange) {
  Asked asked;
  asked.request.bytes = std::string("\xef\xbb\xbf{\"a\":\"50% \\n'\0\"}", 19);
  asked.request.size = asked.request.bytes.size();
  const std::string curl = asked.curl();
  EXPECT_THAT(curl, testing::StartsWith(R"(printf '\357\273\277{"a":"50%% \134n\047\000"}' |)"
                                        "\ncurl "));
  EXPECT_THAT(curl, testing::EndsWith("--data-binary @-"));
}

TEST(Curl, IsNotThereWhereItWouldSendSomethingElse) {
  Asked cut;
  cut.request.size = 100'000;
  EXPECT_EQ(cut.curl(), "");
  Asked chunked;
  chunked.request.head->headers = {{"Transfer-Encoding", "chunked"}};
  EXPECT_EQ(chunked.curl(), "");
  Asked two_lines;
  two_lines.request.head->headers = {{"X", "a\r\nb: c"}};
  EXPECT_EQ(two_lines.curl(), "");
  Asked unknown;
  unknown.session->url.clear();
  EXPECT_EQ(unknown.curl(), "");
}

TEST(ShellWord, QuotesWhatAShellActsOn) {
  EXPECT_EQ(shell_word("http://a:1/b"), "http://a:1/b");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("it's $(x) `y`"), R"('it'\''s $(x) `y`')");
  EXPECT_EQ(shell_word("«secret A»"), R"("$A")");
}

}  // namespace
}  // namespace reports
