// SPDX-License-Identifier: Apache-2.0
// The rows themselves, and what a mistake in one is told.
#include "harness/spec/protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "harness/json/yaml.h"
#include "harness/spec/profile.h"
#include "harness/spec/testing.h"

namespace harness::spec {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const Profile& profile(const char* name) { return *find_profile(name); }

Result<Protocol> read(const std::string& text) {
  Result<json::Value> rows = json::read_yaml(text, "rows.yaml");
  if (!rows) throw Bug(rows.error().text());
  return read_protocol({{"rows.yaml", *rows}});
}

std::string mistake(const std::string& text) {
  const auto protocol = read(text);
  return protocol ? "none" : protocol.error().text();
}

TEST(Protocol, MethodsComeAndGoWithTheRevisions) {
  const struct {
    const char* method;
    const char* profile;
    bool there;
  } kRows[] = {
      {"tools/list", "mcp-2024-11-05", true},
      {"tools/list", "mcp-2026-07-28", true},
      {"tools/list", "mcp-tutorial", true},
      {"tools/list", "jsonrpc-2.0", false},
      {"ping", "mcp-2025-11-25", true},
      {"ping", "mcp-2026-07-28", false},
      {"server/discover", "mcp-2025-11-25", false},
      {"server/discover", "mcp-2026-07-28", true},
      {"elicitation/create", "mcp-2025-03-26", false},
      {"elicitation/create", "mcp-2025-06-18", true},
      {"tasks/result", "mcp-2025-11-25", true},
      {"tasks/result", "mcp-2026-07-28", false},
      {"tools/batch_call", "mcp-tutorial", true},
      {"tools/batch_call", "mcp-2024-11-05", false},
      {"no/such", "mcp-2025-11-25", false},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(protocol().find(row.method, profile(row.profile)) != nullptr, row.there)
        << row.method << " " << row.profile;
  }
}

TEST(Protocol, RowsSayWhoSendsWhatAndWhatItNeeds) {
  const Profile& old = profile("mcp-2025-11-25");
  const Profile& stateless = profile("mcp-2026-07-28");
  const MessageRow& list = *protocol().find("tools/list");
  EXPECT_TRUE(list.from_client() && !list.from_server() && !list.notification && list.safe);
  EXPECT_EQ(list.capability_in(old), "server.tools");
  EXPECT_EQ(list.lists, "tools");
  EXPECT_EQ(list.key, "name");
  EXPECT_EQ(protocol().lists_of(old).size(), 5u);
  EXPECT_EQ(protocol().find("roots/list")->answer.find("roots")->items.size(), 0u);
  EXPECT_EQ(list.result.under(old)->is.type->name, "ListToolsResult");
  const MessageRow& ask = *protocol().find("elicitation/create");
  EXPECT_TRUE(ask.from_server() && !ask.from_client());
  EXPECT_EQ(ask.capability_in(old), "client.elicitation");
  EXPECT_EQ(ask.carried_in(old), "");
  EXPECT_EQ(ask.carried_in(stateless), "inputRequests");
  EXPECT_TRUE(protocol().find("tools/progress")->notification);
  EXPECT_EQ(protocol().find("tools/call")->headers.front(),
            (std::pair<std::string, std::string>{"Mcp-Name", "name"}));
  EXPECT_EQ(protocol().find("tasks/get")->capability_in(old), "server.tasks");
  EXPECT_NE(protocol().find_error(-32042, old), nullptr);
  EXPECT_EQ(protocol().find_error(-32042, stateless), nullptr);
}

TEST(Protocol, MembersComeAndGoWithTheRevisions) {
  const TypeRow& tool = *protocol().find_type("Tool");
  const auto has = [&](const char* member, const char* name) {
    return tool.find(member)->under(profile(name)) != nullptr;
  };
  EXPECT_FALSE(has("title", "mcp-2025-03-26"));
  EXPECT_TRUE(has("title", "mcp-2025-06-18"));
  EXPECT_TRUE(has("execution", "mcp-2025-11-25"));
  EXPECT_FALSE(has("execution", "mcp-2026-07-28"));
  EXPECT_FALSE(tool.find("inputSchema")->under(profile("mcp-2024-11-05"))->optional);
  EXPECT_TRUE(tool.find("inputSchema")->under(profile("mcp-tutorial"))->optional);
  // Those of what it extends are its own.
  EXPECT_NE(protocol().find_type("ListToolsResult")->find("nextCursor"), nullptr);
}

TEST(Protocol, ClausesExist) {
  const Registry& registry = own_registry();
  EXPECT_GT(protocol().answer_clauses().size(), 50u);
  for (const std::string& clause : protocol().answer_clauses())
    EXPECT_NE(own_registry().find(clause), nullptr) << clause;
  EXPECT_GT(protocol().clauses().size(), 200u);
  for (const std::string& clause : protocol().clauses()) {
    EXPECT_NE(registry.find(clause), nullptr) << clause;
  }
}

TEST(Protocol, MistakesAreToldWithTheirPlace) {
  EXPECT_EQ(mistake("ping: {from: both, result: $object}\nThing: {a: $string, \"b?\": $Thing}\n"),
            "none");
  EXPECT_EQ(mistake("ping: {from: nobody, result: $object}\n"),
            "rows.yaml:1:14: nobody is called 'nobody'; write client, server or both");
  EXPECT_EQ(mistake("ping: {from: client}\n"),
            "rows.yaml:1:1: the request 'ping' needs a result; write \"result: $EmptyResult\"");
  EXPECT_EQ(mistake("ping: {result: $object}\n"),
            "rows.yaml:1:1: who sends 'ping'?; write \"from: client\"");
  EXPECT_EQ(mistake("Thing: {a: $strng}\n"),
            "rows.yaml:1:12: unknown type '$strng'; did you mean '$string'?");
  EXPECT_EQ(mistake("Thing: {a: $Thong}\n"),
            "rows.yaml:1:12: there is no type 'Thong'; did you mean 'Thing'?");
  EXPECT_EQ(mistake("Thing:\n  a: {is: $string, cover: x}\n"),
            "rows.yaml:2:20: there is no field 'cover' here; did you mean 'covers'?");
  EXPECT_EQ(mistake("Thing: {a: {$list: $string}}\n").substr(0, 13), "rows.yaml:1:1");
  EXPECT_EQ(mistake("Thing: {a: {since: 2025, is: $string}}\n"),
            "rows.yaml:1:13: 'since' is a word; write it without brackets");
  EXPECT_EQ(
      mistake("Thing: {a: {is: $string, dialect: other}}\n"),
      "rows.yaml:1:35: there is no dialect 'other'; write mcp, tutorial, lsp, acp or contract");
  EXPECT_THAT(mistake("A: {$extends: [B]}\nB: {$extends: [A]}\n"), HasSubstr("extends itself"));
  EXPECT_THAT(mistake("A: {$extends: [A, C]}\n"), HasSubstr("extends itself"));
  EXPECT_THAT(mistake("A: {$missing: {x: y}}\n"), HasSubstr("has no member 'x'"));
  EXPECT_THAT(mistake("A: {a: {covers: x}}\n"), HasSubstr("the type of 'a' is missing"));
  EXPECT_THAT(mistake("A: {a: {is: $string, also: {is: $uri}}}\n"), HasSubstr("'also' needs"));
  EXPECT_THAT(mistake("A: {a: {$range: [0]}}\n"), HasSubstr("takes two numbers"));
  const auto answers = [](const std::string& rows) {
    return mistake("m: {from: client, result: $object, answers: " + rows + "}\n");
  };
  EXPECT_THAT(answers("{absent name: {with: [1], covers: c}}"), HasSubstr("by the word 'absent'"));
  EXPECT_THAT(answers("{missing: {with: [1], covers: c}}"), HasSubstr("one member of params"));
  EXPECT_THAT(answers("{declared name: {with: [1], covers: c}}"), HasSubstr("as a whole"));
  EXPECT_THAT(answers("{wrong name: {covers: c}}"), HasSubstr("says what answers it"));
  EXPECT_THAT(answers("{wrong name: {with: [1]}}"), HasSubstr("needs the clauses"));
  EXPECT_THAT(answers("{wrong name: {with: [eror], covers: c}}"),
              HasSubstr("did you mean 'error'?"));
  EXPECT_THAT(answers("{wrong name: {with: [1], covers: c, at: /x}}"),
              HasSubstr("'at' is a place"));
  EXPECT_THAT(answers("{wrong name: {with: [1], covers: c, if: x}}"), HasSubstr("no field 'if'"));
  EXPECT_THAT(mistake("m: {from: client, result: $object, gates: [{at: a, covers: c}]}\n"),
              HasSubstr("a gate needs"));
  EXPECT_THAT(mistake("A: {a: [x]}\n"), Not(HasSubstr("rows.yaml:")));
}

TEST(Protocol, OfAnExtendedTypeOwnMembersCount) {
  const auto rows = read("A: {x: $string, y: $string}\nB: {$extends: [A], \"x?\": $number}\n");
  ASSERT_TRUE(rows);
  const TypeRow& b = *rows->find_type("B");
  EXPECT_EQ(b.members.size(), 2u);
  EXPECT_TRUE(b.find("x")->under(profile("mcp-2025-06-18"))->optional);
  EXPECT_THAT(rows->clauses(), IsEmpty());
}

}  // namespace
}  // namespace harness::spec
