// SPDX-License-Identifier: Apache-2.0
#include "harness/json/schema_testing.h"

#include <gtest/gtest.h>

#include "harness/json/read.h"

namespace harness::json {
namespace {

const Value& point_schema() {
  static const Value kSchema = parse(R"({
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$defs": {"coordinate": {"type": "integer", "minimum": 0}},
    "type": "object",
    "required": ["x"],
    "properties": {"x": {"$ref": "#/$defs/coordinate"}, "kind": {"const": "point"}},
    "additionalProperties": false
  })");
  return kSchema;
}

TEST(Schema, TakesAValueThatFits) {
  EXPECT_TRUE(validate(point_schema(), parse(R"({"x": 3, "kind": "point"})")));
}

TEST(Schema, FollowsReferencesIntoDefs) {
  const auto status = validate(point_schema(), parse(R"({"x": "3"})"));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().where, "/x");
}

TEST(Schema, ComparesConstants) {
  EXPECT_FALSE(validate(point_schema(), parse(R"({"x": 3, "kind": "line"})")));
}

TEST(Schema, RefusesMissingAndUnknownMembers) {
  EXPECT_FALSE(validate(point_schema(), parse("{}")));
  EXPECT_FALSE(validate(point_schema(), parse(R"({"x": 1, "y": 2})")));
}

TEST(Schema, DividesWhateverNumberItIs) {
  const Value by_two = parse(R"({"multipleOf": 2})");
  EXPECT_TRUE(validate(by_two, parse("4")));
  EXPECT_TRUE(validate(by_two, parse("1e308")));
  EXPECT_FALSE(validate(by_two, parse("3")));
  EXPECT_FALSE(validate(by_two, parse("2.5")));
}

TEST(Schema, SaysWhenTheSchemaItselfIsBroken) {
  const auto status = validate(parse(R"({"type": "nonsense"})"), parse("1"));
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().what.find("JSON Schema cannot be read"), std::string::npos);
}

}  // namespace
}  // namespace harness::json
