// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/causes/causes_testing.h"
#include "harness/results/contact_results.h"

namespace harness::run {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

TEST_F(Causes, LayToARefusedPingOnlyWhatDependsOnItWhereAnotherWasAsked) {
  clues_.canary = spec::Canary{"tools/list", json::null()};
  clues_.canaries_answered = 9;
  about("ping", "mcp.ping.result").came.code = "-32601";
  about("ping", "mcp.meta.unknown-keys-tolerated").came.code = "-32601";
  about("tools/list", "mcp.base.utf8").came.code = "-32603";
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].requirement, "mcp.ping.result");
  EXPECT_EQ(causes[0].title, "ping is refused");
  EXPECT_THAT(causes[0].sentence, HasSubstr("everything else was judged without it"));
  EXPECT_THAT(causes[0].findings, SizeIs(2));
}

TEST_F(Causes, LayToAnOddContactWhatCasesSeeOfIt) {
  const auto of_contact = [&](const char* name, const char* clause) {
    clue(clause);
    clues_.all.back().ref.case_id = results_.back().id = name;
  };
  of_contact(kNoHandshake, "mcp.lifecycle.initialize-result");
  of_contact(kOddVersion, "mcp.lifecycle.version-negotiation-fallback");
  about("initialize", "mcp.lifecycle.server-info-shape").came.code = "-32601";
  clue("mcp.lifecycle.version-supported-echo");
  clue("mcp.base.utf8");
  const std::vector<Cause> causes = found();
  ASSERT_THAT(causes, SizeIs(3));
  EXPECT_EQ(causes[0].requirement, "mcp.lifecycle.initialize-result");
  EXPECT_THAT(causes[0].findings, SizeIs(2));
  EXPECT_EQ(causes[1].requirement, "mcp.lifecycle.version-negotiation-fallback");
  EXPECT_THAT(causes[1].findings, SizeIs(2));
}

TEST_F(Causes, TellOfAVersionThatOnlyComesBackOnce) {
  for (const char* clause :
       {"mcp.lifecycle.version-negotiation-fallback", "mcp.lifecycle.initialize-result"}) {
    Clue& echoed = about("initialize", clause);
    echoed.trigger.members["params.protocolVersion"] = "5";
    echoed.came.result = "{\"protocolVersion\":5,\"capabilities\":{}}";
    echoed.answered = echoed.came.message = true;
  }
  ASSERT_THAT(found(), SizeIs(1));
  EXPECT_EQ(found()[0].title, "initialize accepts any protocolVersion");
  clues_.all.back().trigger.members["params.protocolVersion"] = "6";
  EXPECT_THAT(found(), SizeIs(2));
  clues_.all.back().trigger.members.erase("params.protocolVersion");
  clues_.all.back().came.result = "{\"protocolVersion\":null,\"capabilities\":{}}";
  EXPECT_THAT(found(), SizeIs(1)) << "none comes back as none";
}

TEST_F(Causes, LayWhatNobodyAskedForToResponsesThatGoToAnotherConnection) {
  clue("mcp.sse.response-on-stream");
  clues_.all.back().ref.case_id = results_.back().id = kOneEach;
  clue("mcp.base.jsonrpc-conformance").oracle = "replies";
  const auto over_sse = [&] { return found("mcp-2024-11-05", wire::TransportKind::kHttpSse); };
  EXPECT_THAT(over_sse(), SizeIs(1));
  clues_.all.back().trigger.seq = 1;
  EXPECT_THAT(over_sse(), SizeIs(2)) << "something was sent for which it came";
}

}  // namespace
}  // namespace harness::run
