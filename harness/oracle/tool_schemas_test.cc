// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/played_testing.h"

namespace harness::oracle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const char* const kOld = "mcp-2025-06-18";
const char* const kNew = "mcp-2025-11-25";
const char* const kStateless = "mcp-2026-07-28";

std::string listed(const std::string& schemas) {
  return result("1", R"({"tools":[{"name":"t",)" + schemas + "}]}");
}

std::vector<std::string> told(const char* profile, const std::string& input,
                              const std::string& output = "true") {
  const std::string schemas = "\"inputSchema\":" + input + ",\"outputSchema\":" + output;
  const std::string asked =
      profile == kStateless ? stateless(1, "tools/list") : request(1, "tools/list");
  return breaches(Played(profile).sent(asked).received(listed(schemas)), "tool-schemas");
}

// What an argument with this schema is told of.
std::vector<std::string> marked(const std::string& schema) {
  return told(kStateless, R"({"type":"object","properties":{"a":)" + schema + "}}");
}

TEST(ToolSchemas, AreValidInTheDialectTheyName) {
  EXPECT_THAT(told(kNew, R"({"type":"object","properties":{"a":true}})"), IsEmpty());
  EXPECT_THAT(told(kNew, R"({"type":"object","properties":{"a":{"type":"float"}}})"),
              ElementsAre("fail mcp.tools.input-schema-valid"));
  EXPECT_THAT(told(kNew, R"({"type":"object"})", R"({"type":"object","required":"a"})"),
              ElementsAre("fail mcp.tools.output-schema-valid"));
  const std::string tuple = R"("type":"object","properties":{"a":{"items":[{}]}}})";
  EXPECT_THAT(told(kNew, "{" + tuple), ElementsAre("fail mcp.tools.input-schema-valid"));
  const std::string draft7 = R"({"$schema":"http://json-schema.org/draft-07/schema#",)";
  EXPECT_THAT(told(kNew, draft7 + tuple), IsEmpty());
  EXPECT_THAT(told(kNew, R"({"$schema":"https://example.com/own",)" + tuple), IsEmpty());
}

TEST(ToolSchemas, ReferToWhatTheyHold) {
  const auto referring = [](const std::string& to, const std::string& more = "") {
    return told(kNew, R"({"type":"object","properties":{"a":{"$ref":")" + to +
                          R"("}},"$defs":{"x/y":{"type":"string"}})" + more + "}");
  };
  EXPECT_THAT(referring("#/$defs/z"), ElementsAre("fail mcp.tools.input-schema-valid"));
  for (const char* sound : {"#/$defs/x~1y", "#", "#anchor", "https://example.com/z", "#/$defs/%7A"})
    EXPECT_THAT(referring(sound), IsEmpty()) << sound;
  EXPECT_THAT(referring("#/z", R"(,"$id":"https://example.com/a")"), IsEmpty());
}

TEST(ToolSchemas, OfOlderRevisionsAreValidInSomeDialect) {
  EXPECT_THAT(told(kOld, R"({"type":"object","properties":{"a":{"items":[{}]}}})"), IsEmpty());
  EXPECT_THAT(told(kOld, R"({"type":"object","properties":{"a":{"required":true}}})"),
              ElementsAre("warn mcp.tools.input-schema-valid-early"));
}

TEST(ToolSchemas, AreLeftAloneWhereSomethingElseWasAsked) {
  EXPECT_THAT(
      breaches(Played(kNew).sent(1, "ping").received(listed(R"("inputSchema":{"type":"float"})")),
               "tool-schemas"),
      IsEmpty());
}

TEST(ToolSchemas, MirrorArgumentsInHeadersWhereTheyMay) {
  EXPECT_THAT(marked(R"({"type":"string","x-mcp-header":"A-1"})"), IsEmpty());
  EXPECT_THAT(marked(R"({"type":"object","properties":{"b":{"x-mcp-header":"B"}}})"), IsEmpty());
  EXPECT_THAT(marked(R"({"default":{"x-mcp-header":""}})"), IsEmpty());
  const std::pair<const char*, const char*> kTable[] = {
      {R"({"x-mcp-header":""})", "fail mcp.tools.x-mcp-header-not-empty"},
      {R"({"x-mcp-header":"a b"})", "fail mcp.tools.x-mcp-header-token"},
      {R"({"x-mcp-header":7})", "fail mcp.tools.x-mcp-header-token"},
      {R"({"x-mcp-header":"a\nb"})", "fail mcp.tools.x-mcp-header-no-control"},
      {R"({"type":"number","x-mcp-header":"A"})", "fail mcp.tools.x-mcp-header-primitive"},
      {R"({"type":["string","array"],"x-mcp-header":"A"})",
       "fail mcp.tools.x-mcp-header-primitive"},
      {R"({"items":{"x-mcp-header":"A"}})", "fail mcp.tools.x-mcp-header-reachable"},
      {R"({"not":{"properties":{"b":{"x-mcp-header":"A"}}}})",
       "fail mcp.tools.x-mcp-header-reachable"},
      {R"({"type":"integer","maximum":1e16,"x-mcp-header":"A"})",
       "warn mcp.http26.xmcp-safe-integer"},
      {R"({"x-mcp-header":"A","properties":{"b":{"x-mcp-header":"a"}}})",
       "fail mcp.tools.x-mcp-header-unique"},
      {R"({"properties":{"API_Key":{"x-mcp-header":"A"}}})",
       "warn mcp.tools.x-mcp-header-no-secrets"},
  };
  for (const auto& [schema, clause] : kTable)
    EXPECT_THAT(marked(schema), ElementsAre(clause)) << schema;
}

TEST(ToolSchemas, KnowNoMarksBefore) {
  EXPECT_THAT(told(kNew, R"({"type":"object","properties":{"a":{"x-mcp-header":""}}})"), IsEmpty());
}

}  // namespace
}  // namespace harness::oracle
