// SPDX-License-Identifier: Apache-2.0
#include "harness/spec/profile.h"

#include <gtest/gtest.h>

#include "harness/json/read.h"
#include "harness/json/write.h"

namespace harness::spec {
namespace {

Requirement requirement(std::string id, std::vector<std::string> revisions,
                        Level level = Level::kMust) {
  Requirement out;
  out.id = std::move(id);
  out.level = level;
  out.revisions = std::move(revisions);
  out.transports = wire::TransportSet::all();
  out.source = "somewhere";
  return out;
}

bool counts(const Requirement& entry, const char* profile,
            wire::TransportKind transport = wire::TransportKind::kStdio) {
  return applies(entry, *find_profile(profile), transport);
}

TEST(Profile, SelectorsNameGroupsAndRanges) {
  const auto& middle = *find_profile("mcp-2025-06-18");
  for (const char* yes : {"all", "mcp", "mcp-handshake", "mcp-2025-06-18", "mcp>=2025-06-18",
                          "mcp>=2024-11-05", "mcp<=2025-06-18"}) {
    EXPECT_TRUE(middle.is(yes)) << yes;
  }
  for (const char* no : {"mcp-stateless", "jsonrpc-2.0", "mcp>=2025-11-25", "mcp<=2025-03-26"}) {
    EXPECT_FALSE(middle.is(no)) << no;
  }
  EXPECT_TRUE(find_profile("mcp-2026-07-28")->is("mcp-stateless"));
}

TEST(Profile, TheTutorialDialectIsNotInMcp) {
  const auto& tutorial = *find_profile("mcp-tutorial");
  EXPECT_TRUE(tutorial.is("mcp-tutorial"));
  EXPECT_TRUE(tutorial.is("all"));
  EXPECT_FALSE(tutorial.is("mcp"));
  EXPECT_FALSE(tutorial.is("mcp-handshake"));
  EXPECT_FALSE(tutorial.is("mcp>=2024-11-05"));
}

TEST(Profile, OnlyKnownSelectorsAreSelectors) {
  EXPECT_TRUE(is_profile_selector("mcp<=2026-07-28"));
  EXPECT_FALSE(is_profile_selector("mcp>=2025-06-19"));
  EXPECT_FALSE(is_profile_selector("mcp>2025-06-18"));
  EXPECT_FALSE(is_profile_selector("tutorial"));
}

TEST(Applies, NeedsACommonEditionAndTransport) {
  auto entry = requirement("mcp.x", {"2025-06-18"});
  EXPECT_TRUE(counts(entry, "mcp-2025-06-18"));
  EXPECT_FALSE(counts(entry, "mcp-2025-11-25"));
  EXPECT_FALSE(counts(entry, "jsonrpc-2.0"));
  entry.transports = {wire::TransportKind::kHttp};
  EXPECT_TRUE(counts(entry, "mcp-2025-06-18", wire::TransportKind::kHttp));
  EXPECT_FALSE(counts(entry, "mcp-2025-06-18", wire::TransportKind::kStdio));
}

TEST(Applies, TheTutorialCountsOnlyUnderItsProfile) {
  const auto entry = requirement("tutorial.x", {"tutorial"});
  for (const auto& profile : profiles()) {
    EXPECT_EQ(applies(entry, profile, wire::TransportKind::kStdio), profile.name == "mcp-tutorial")
        << profile.name;
  }
}

TEST(Applies, McpTakesBackClausesOfJsonRpc) {
  const auto null_id = requirement("jsonrpc.id.null-request", {"jsonrpc-2.0"});
  EXPECT_TRUE(counts(null_id, "jsonrpc-2.0"));
  EXPECT_FALSE(counts(null_id, "mcp-2024-11-05"));
  EXPECT_FALSE(counts(null_id, "mcp-tutorial"));
  const auto fractional = requirement("jsonrpc.id.fractional", {"jsonrpc-2.0"});
  EXPECT_FALSE(counts(fractional, "mcp-2026-07-28"));
  EXPECT_TRUE(counts(fractional, "mcp-tutorial"));
  EXPECT_TRUE(
      counts(requirement("jsonrpc.id.fractional-other", {"jsonrpc-2.0"}), "mcp-2026-07-28"));
}

TEST(Applies, LspTakesThePlaceOfClausesOfJsonRpc) {
  for (const char* no : {"jsonrpc.id.null-request", "jsonrpc.batch.mixed", "json.invalid.truncated",
                         "jsonrpc.error.parse-error-code"})
    EXPECT_FALSE(counts(requirement(no, {"jsonrpc-2.0", "rfc8259"}), "lsp")) << no;
  EXPECT_TRUE(counts(requirement("jsonrpc.id.string-echo", {"jsonrpc-2.0"}), "lsp"));
  EXPECT_TRUE(counts(requirement("lsp.x", {"lsp-3.16", "lsp-3.17"}), "lsp"));
  EXPECT_FALSE(counts(requirement("lsp.x", {"lsp-3.16"}), "lsp"));
  EXPECT_FALSE(counts(requirement("lsp.x", {"lsp-3.17"}), "jsonrpc-2.0"));
}

TEST(Applies, AcpHasNoBatchesAndNoFractionsForIds) {
  for (const char* no : {"jsonrpc.batch.mixed", "jsonrpc.id.fractional"})
    EXPECT_FALSE(counts(requirement(no, {"jsonrpc-2.0"}), "acp-1")) << no;
  EXPECT_TRUE(counts(requirement("jsonrpc.error.parse-error-code", {"jsonrpc-2.0"}), "acp-1"));
  EXPECT_FALSE(counts(requirement("acp.x", {"acp-1"}), "jsonrpc-2.0"));
}

TEST(OpensSession, ByAVersionOrWhatTheServerCanDo) {
  const auto opens = [](const char* profile, const char* result) {
    return opens_session(*find_profile(profile), json::parse(result));
  };
  EXPECT_TRUE(opens("mcp-2025-11-25", R"({"protocolVersion":"2025-11-25","capabilities":{}})"));
  EXPECT_FALSE(opens("mcp-2025-11-25", R"({"capabilities":{}})"));
  EXPECT_TRUE(opens("lsp", R"({"capabilities":{}})"));
  EXPECT_TRUE(opens("acp-1", R"({"protocolVersion":1})"));
  for (const char* other : {R"({"protocolVersion":"1"})", R"({"agentCapabilities":{}})"})
    EXPECT_FALSE(opens("acp-1", other)) << other;
  for (const char* other : {R"({"capabilities":[]})", R"({})", "null",
                            R"({"protocolVersion":"2025-11-25","capabilities":{}})"})
    EXPECT_FALSE(opens("lsp", other)) << other;
}

TEST(Applies, BatchesLeaveMcpWith20250618) {
  const auto batch = requirement("jsonrpc.batch.mixed", {"jsonrpc-2.0"});
  for (const char* yes : {"jsonrpc-2.0", "mcp-2024-11-05", "mcp-2025-03-26", "mcp-tutorial"}) {
    EXPECT_TRUE(counts(batch, yes)) << yes;
  }
  for (const char* no : {"mcp-2025-06-18", "mcp-2025-11-25", "mcp-2026-07-28"}) {
    EXPECT_FALSE(counts(batch, no)) << no;
  }
}

TEST(LevelIn, LowerLayersCountAtMostAsShould) {
  const auto& plain = *find_profile("jsonrpc-2.0");
  const auto& official = *find_profile("mcp-2025-11-25");
  const auto must = requirement("jsonrpc.x", {"jsonrpc-2.0"});
  const auto must_not = requirement("json.x", {"rfc8259"}, Level::kMustNot);
  EXPECT_EQ(level_in(must, plain), Level::kMust);
  EXPECT_EQ(level_in(must, official), Level::kShould);
  EXPECT_EQ(level_in(must, *find_profile("mcp-tutorial")), Level::kShould);
  EXPECT_EQ(level_in(must_not, official), Level::kShouldNot);
  EXPECT_EQ(level_in(requirement("json.y", {"rfc8259"}, Level::kMay), official), Level::kMay);
  EXPECT_EQ(level_in(requirement("mcp.x", {"2025-11-25"}), official), Level::kMust);
}

TEST(LevelIn, WhatIsDerivedCountsAtMostAsShould) {
  auto derived = requirement("mcp.x", {"2025-11-25"});
  derived.source = "2025-11-25 basic/transports#stdio (derived)";
  EXPECT_EQ(level_in(derived, *find_profile("mcp-2025-11-25")), Level::kShould);
}

TEST(Canary, FollowsTheEra) {
  EXPECT_EQ(canary_of(*find_profile("mcp-2025-11-25")).method, "ping");
  EXPECT_EQ(canary_of(*find_profile("mcp-tutorial")).method, "ping");
  const auto plain = canary_of(*find_profile("jsonrpc-2.0"));
  EXPECT_TRUE(plain.answered_by_error);
  EXPECT_EQ(json::write(plain.params), "[]");
  const auto stateless = canary_of(*find_profile("mcp-2026-07-28"));
  EXPECT_EQ(stateless.method, "server/discover");
  const auto* version =
      json::at(stateless.params, "/_meta/io.modelcontextprotocol~1protocolVersion");
  ASSERT_NE(version, nullptr);
  EXPECT_EQ(version->text, "2026-07-28");
}

TEST(Meta, IsRequiredOnlyWithoutHandshake) {
  EXPECT_TRUE(required_meta(*find_profile("mcp-2025-11-25")).members.empty());
  EXPECT_NE(required_meta(*find_profile("mcp-2026-07-28"))
                .find("io.modelcontextprotocol/clientCapabilities"),
            nullptr);
}

}  // namespace
}  // namespace harness::spec
