// SPDX-License-Identifier: Apache-2.0
#include "harness/schema/instance_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/json/read.h"
#include "harness/schema/normalized_schema.h"

namespace harness::schema {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(NormalizedSchema, CountsEachBrokenKeyword) {
  const auto normalized = NormalizedSchema::read(json::parse(
      R"({"type":"object","required":["a","b"],"properties":{"a":{"type":"integer","minimum":3}}})"));
  ASSERT_TRUE(normalized);
  Steps steps = 1000;
  EXPECT_THAT(normalized->failures(json::parse(R"({"a":1})"), normalized->root(), steps),
              ElementsAre("required", "minimum"));
  EXPECT_THAT(normalized->failures(json::parse(R"({"a":3,"b":0})"), normalized->root(), steps),
              IsEmpty());
}

std::string broken(const char* schema, const char* value) {
  return broken_keyword(json::parse(schema), json::parse(value)).value_or("");
}

TEST(InstanceCheck, NamesTheKeywordThatIsBroken) {
  constexpr const char* kSum =
      R"({"type":"object","properties":{"sum":{"type":"number"}},"required":["sum"]})";
  EXPECT_EQ(broken(kSum, R"({"sum":5})"), "");
  EXPECT_EQ(broken(kSum, R"({"sum":"5"})"), "type");
  EXPECT_EQ(broken(kSum, "{}"), "required");
  EXPECT_EQ(broken(kSum, "[]"), "type");
  EXPECT_EQ(broken(R"({"type":"array","prefixItems":[{"type":"integer"}],"items":false})", "[1,2]"),
            "false");
  EXPECT_EQ(broken(R"({"$defs":{"a":{"enum":[1]}},"properties":{"x":{"$ref":"#/$defs/a"}}})",
                   R"({"x":2})"),
            "enum");
  EXPECT_EQ(broken(R"({"type":"string","pattern":"^a"})", R"("b")"), "pattern");
}

TEST(InstanceCheck, SaysNothingWhereNobodyCanTell) {
  for (const char* schema :
       {R"({"$ref":"https://example.com/a.json"})", R"({"type":"wrong"})", R"({"minItems":-1})",
        R"({"type":"object","unevaluatedProperties":false})", R"x({"pattern":"(?=a)"})x", "7"})
    EXPECT_EQ(broken(schema, R"({"a":1})"), "") << schema;
}

}  // namespace
}  // namespace harness::schema
