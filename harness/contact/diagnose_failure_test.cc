// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/diagnose_failure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/contact/protection.h"
#include "harness/results/redact.h"

namespace harness::run {
namespace {

using testing::AllOf;
using testing::HasSubstr;

wire::Frame answer(int status, std::vector<wire::Header> headers, std::string body = "") {
  wire::Frame frame;
  frame.direction = wire::Direction::kReceived;
  frame.channel = wire::Channel::kHttp;
  frame.bytes = std::move(body);
  frame.head.emplace();
  frame.head->status = status;
  frame.head->headers = std::move(headers);
  return frame;
}

std::string said_on(std::vector<std::vector<wire::Frame>> contacts, bool auth = false) {
  target::Target target;
  target.url = "http://host:80/mcp";
  if (auth) target.auth = {"bearer", {{"Authorization", "Bearer x", {"x"}}}};
  std::vector<Contact> made;
  for (std::vector<wire::Frame>& frames : contacts) {
    const auto transcript = std::make_shared<wire::Transcript>();
    transcript->frames = std::move(frames);
    made.push_back({spec::find_profile("mcp-2025-11-25"), transcript});
  }
  const auto why = diagnose_failure(made, target);
  return why ? why->text() : "";
}

std::string said(std::vector<wire::Frame> frames, bool auth = false) {
  return said_on({std::move(frames)}, auth);
}

TEST(DiagnoseFailure, NamesWhatStandsInTheWay) {
  EXPECT_THAT(said({answer(401, {{"WWW-Authenticate", "Bearer resource_metadata=\"http://m\""}})}),
              HasSubstr("requires credentials: it answers HTTP 401 with WWW-Authenticate: Bearer "
                        "resource_metadata=\"http://m\"; add --auth bearer:NAME"));
  EXPECT_THAT(said({answer(401, {})}, true), HasSubstr("refuses the credentials"));
  EXPECT_THAT(
      said(
          {answer(403, {{"WWW-Authenticate", "Bearer error=\"insufficient_scope\", scope=\"a\""}})},
          true),
      HasSubstr("; use a token with the scope that it asks for; --auth issuer::SCOPE makes one"));
  EXPECT_THAT(said({answer(307, {{"Location", "/mcp/"}})}),
              HasSubstr("HTTP 307 to /mcp/, which rpcspec does not follow; use --url "
                        "http://host:80/mcp/"));
  EXPECT_THAT(said({answer(404, {})}), HasSubstr("HTTP 404 at http://host:80/mcp; check the path"));
  EXPECT_THAT(said({answer(404, {{"Content-Type", "application/json"}}, R"({"detail":"no"})")}),
              HasSubstr("HTTP 404 at http://host:80/mcp"));
  EXPECT_THAT(said({answer(200, {{"Content-Type", "text/html; charset=utf-8"}}, "<html>")}),
              HasSubstr("sends text/html (HTTP 200) and not JSON-RPC"));
}

TEST(DiagnoseFailure, TellsAGatewayFromTheTarget) {
  EXPECT_THAT(
      said({answer(502, {})}),
      HasSubstr("a gateway in front of the target answers HTTP 502 in its place; check that "
                "the target runs behind it"));
  EXPECT_THAT(said({answer(429, {}, R"({"message":"API rate limit exceeded"})")}),
              HasSubstr("HTTP 429 in its place (Kong); let rpcspec through"));
  EXPECT_THAT(said({answer(401, {}, R"({"message":"No API key found in request"})")}),
              AllOf(HasSubstr("requires credentials: it answers HTTP 401; it comes from a gateway "
                              "in front of it, Kong"),
                    HasSubstr("add --auth")));
}

TEST(DiagnoseFailure, IsNoneWhereAMessageCame) {
  const std::string error = R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}})";
  EXPECT_EQ(said({answer(404, {{"Content-Type", "application/json"}}, error)}), "");
  EXPECT_EQ(said({answer(401, {}), answer(200, {}, error)}), "");
  EXPECT_EQ(said({answer(202, {})}), "");
  EXPECT_EQ(said({}), "");
}

TEST(DiagnoseFailure, LooksAtTheContactsThatWereAnswered) {
  wire::Frame question;
  question.direction = wire::Direction::kSent;
  question.bytes = "{}";
  const std::vector<wire::Frame> page = {question, answer(404, {})};
  EXPECT_THAT(said_on({{question}, page, {}}), HasSubstr("HTTP 404"));
  EXPECT_THAT(said_on({page, {question}}), HasSubstr("HTTP 404"));
  EXPECT_EQ(said_on({page, {question, answer(202, {})}}), "");
  EXPECT_EQ(said_on({{question}, {question}}), "");
}

TEST(Protection, ReadsParametersOfAChallenge) {
  const char* challenge =
      "Bearer realm=\"a, scope=b\", scope=c , resource_metadata=\"http://h/\\\"x\"";
  EXPECT_EQ(challenge_parameter(challenge, "resource_metadata"), "http://h/\"x");
  EXPECT_EQ(challenge_parameter("Bearer scope=c, error=\"e\"", "scope"), "c");
  EXPECT_EQ(challenge_parameter("Bearer", "scope"), "");
}

TEST(Redact, HidesSecretsInAllThatIsTold) {
  Secrets secrets;
  secrets.add("KEY", "the-secret");
  CaseResult result;
  result.replay = "rpcspec --x the-secret";
  result.reason = "it said the-secret";
  result.findings.push_back({});
  result.findings[0].seen = "token the-sec … (50 bytes)";
  result.findings[0].expected = "no the-secret";
  auto transcript = std::make_shared<wire::Transcript>();
  transcript->frames.push_back(answer(200, {{"X", "the-secret"}}, "the%2Dsecret"));
  result.transcript = transcript;
  redact(result, secrets);
  EXPECT_EQ(result.reason, "it said «secret KEY»");
  EXPECT_EQ(result.replay, "rpcspec --x «secret KEY»");
  EXPECT_EQ(result.findings[0].seen, "token «secret KEY» … (50 bytes)");
  EXPECT_EQ(result.findings[0].expected, "no «secret KEY»");
  EXPECT_EQ(result.transcript->frames[0].bytes, "«secret KEY»");
  EXPECT_EQ(result.transcript->frames[0].head->headers[0].value, "«secret KEY»");
  EXPECT_EQ(transcript->frames[0].bytes, "the%2Dsecret");
}

}  // namespace
}  // namespace harness::run
