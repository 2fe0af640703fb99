// SPDX-License-Identifier: Apache-2.0
#include "harness/spec/requirement.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "harness/spec/testing.h"

namespace harness::spec {
namespace {

constexpr const char* kEntry = R"(# a comment
- id: jsonrpc.id.zero-echo
  level: MUST NOT
  revisions: ["jsonrpc-2.0", "2025-06-18"]
  transports: [stdio, http]
  requires: ["a \"quoted, one\"", tools]
  statement: "Id 0 \u2026 is echoed."
  source: "JSON-RPC 2.0 §5"
  observable: "yes"
  probe: "Send: {\"id\":0}"
)";

std::string complaint(const std::string& text) {
  Registry registry;
  const auto status = registry.add(text, "r.yaml");
  return status ? "" : status.error().text();
}

std::string without(const std::string& line) {
  std::string text = kEntry;
  const auto begin = text.find("  " + line);
  return text.erase(begin, text.find('\n', begin) + 1 - begin);
}

TEST(Registry, ReadsEveryField) {
  Registry registry;
  ASSERT_TRUE(registry.add(kEntry, "r.yaml"));
  const auto* entry = registry.find("jsonrpc.id.zero-echo");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->level, Level::kMustNot);
  EXPECT_EQ(entry->revisions, (std::vector<std::string>{"jsonrpc-2.0", "2025-06-18"}));
  EXPECT_EQ(entry->transports,
            wire::TransportSet({wire::TransportKind::kStdio, wire::TransportKind::kHttp}));
  EXPECT_EQ(entry->needs, (std::vector<std::string>{"a \"quoted, one\"", "tools"}));
  EXPECT_EQ(entry->statement, "Id 0 … is echoed.");
  EXPECT_EQ(entry->source, "JSON-RPC 2.0 §5");
  EXPECT_EQ(entry->observable, "yes");
  EXPECT_EQ(entry->probe, "Send: {\"id\":0}");
  EXPECT_EQ(entry->file + ":" + std::to_string(entry->line), "r.yaml:2");
}

TEST(Registry, NamesTheLineOfAMistake) {
  EXPECT_EQ(complaint("- id: a\n  levl: MUST\n"),
            "r.yaml:2: unknown field 'levl'; did you mean 'level'?");
  EXPECT_EQ(complaint("- id: a\n  level: OUGHT\n"),
            "r.yaml:2: 'level' cannot be read; write MUST, MUST NOT, SHOULD, SHOULD NOT or MAY");
  EXPECT_EQ(complaint("- id: a\n  revisions: [\"x\",]\n"),
            "r.yaml:2: 'revisions' cannot be read; write a list like [\"a\", \"b\"] on one line");
  EXPECT_EQ(
      complaint("- id: a\n  transports: [stdio, htp]\n"),
      "r.yaml:2: 'transports' cannot be read; write [all], or a list like [stdio, http] on one "
      "line");
  EXPECT_EQ(complaint("- id: a\n  statement: \"open\n"),
            "r.yaml:2: 'statement' cannot be read; write a string in double quotes");
  EXPECT_EQ(complaint("id: a\n"),
            "r.yaml:1: a requirement begins with \"- id: …\", its fields with two blanks");
}

TEST(Registry, RefusesAnEntryThatLacksAField) {
  EXPECT_EQ(complaint(without("level:")),
            "r.yaml:2: the requirement has no level; add a line \"level: …\"");
  EXPECT_EQ(complaint(without("statement:")),
            "r.yaml:2: the requirement has no statement; add a line \"statement: …\"");
}

TEST(Registry, RefusesAnIdThatIsTaken) {
  EXPECT_EQ(
      complaint(std::string(kEntry) + kEntry),
      "r.yaml:12: requirement 'jsonrpc.id.zero-echo' is already defined at r.yaml:2; give one "
      "of them another id");
}

TEST(Registry, ReadsTheCatalogues) {
  const Registry& registry = own_registry();
  EXPECT_GT(registry.all().size(), 1500u);
  EXPECT_NE(registry.find("mcp.ping.result"), nullptr);
}

}  // namespace
}  // namespace harness::spec
