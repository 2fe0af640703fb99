// SPDX-License-Identifier: Apache-2.0
#include "harness/schema/schema_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/json/read.h"

namespace harness::schema {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> mistakes(const char* text, Dialect dialect = Dialect::k2020) {
  std::vector<std::string> out;
  for (const SchemaMistake& one : mistakes_in(json::parse(text), dialect))
    out.push_back(one.path + " " + one.expected);
  return out;
}

TEST(SchemaCheck, TakesWhatPeopleWrite) {
  for (const char* text :
       {R"({"type":"object"})", "true", "{}", R"({"type":["string","null"],"enum":[]})",
        R"({"properties":{"a":true,"b":{"minLength":1.0}},"required":[]})",
        R"({"$schema":"x","$defs":{"a":{"type":"integer"}},"$ref":"#/$defs/nowhere"})",
        R"({"prefixItems":[{}],"items":false,"dependentRequired":{"a":["b"]}})",
        R"({"dependencies":{"a":["b"],"c":{"type":"object"}},"definitions":{"d":{}}})",
        R"({"properties":{"type":{"type":"string"},"required":{"type":"boolean"}}})",
        R"({"x-own":[1],"nullable":"yes","default":{"type":7},"examples":[{"items":5}]})"})
    EXPECT_THAT(mistakes(text), IsEmpty()) << text;
}

TEST(SchemaCheck, SaysWhereAndWhatADialectForbids) {
  EXPECT_THAT(mistakes("7"), ElementsAre(" a schema"));
  EXPECT_THAT(mistakes(R"({"type":"float"})"),
              ElementsAre("/type a type of JSON Schema or a list of them"));
  EXPECT_THAT(mistakes(R"({"type":[]})"),
              ElementsAre("/type a type of JSON Schema or a list of them"));
  EXPECT_THAT(mistakes(R"({"properties":{"a/b":{"required":true}}})"),
              ElementsAre("/properties/a~1b/required a list of names, each once"));
  EXPECT_THAT(mistakes(R"({"properties":[]})"), ElementsAre("/properties an object of schemas"));
  EXPECT_THAT(mistakes(R"({"properties":{"a":"string"}})"), ElementsAre("/properties/a a schema"));
  EXPECT_THAT(mistakes(R"({"anyOf":[]})"), ElementsAre("/anyOf a list of at least one schema"));
  EXPECT_THAT(mistakes(R"({"items":{"minimum":"1","maxItems":-1,"multipleOf":0}})"),
              ElementsAre("/items/minimum a number", "/items/multipleOf a number above 0",
                          "/items/maxItems a whole number from 0"));
  EXPECT_THAT(mistakes(R"({"required":["a","a"]})"),
              ElementsAre("/required a list of names, each once"));
}

TEST(SchemaCheck, KnowsWhereDialectsDiffer) {
  const struct {
    const char* text;
    bool draft4, draft7, newest;  // sound
  } kTable[] = {
      {R"({"items":[{"type":"string"}]})", true, true, false},
      {R"({"minimum":1,"exclusiveMinimum":true})", true, false, false},
      {R"({"exclusiveMinimum":1})", false, true, true},
      {R"({"if":5})", true, false, false},
      {R"({"prefixItems":5,"unevaluatedItems":5})", true, true, false},
      {R"({"$ref":"#/a","type":"float"})", true, true, false},
  };
  for (const auto& row : kTable) {
    EXPECT_EQ(mistakes(row.text, Dialect::kDraft4).empty(), row.draft4) << row.text;
    EXPECT_EQ(mistakes(row.text, Dialect::kDraft7).empty(), row.draft7) << row.text;
    EXPECT_EQ(mistakes(row.text).empty(), row.newest) << row.text;
  }
  EXPECT_EQ(dialect_named("http://json-schema.org/draft-07/schema#"), Dialect::kDraft7);
  EXPECT_EQ(dialect_named("https://json-schema.org/draft/2020-12/schema"), Dialect::k2020);
  EXPECT_FALSE(dialect_named("https://json-schema.org/draft/next/schema"));
}

TEST(SchemaCheck, LeavesPartsInAnotherDialectOut) {
  EXPECT_THAT(mistakes(R"({"$defs":{"old":{"$schema":"http://json-schema.org/draft-04/schema#",
                           "properties":{"a":{"exclusiveMinimum":true}}}}})"),
              IsEmpty());
}

TEST(SchemaCheck, TellsWhatPropertiesAloneLeadTo) {
  const json::Value schema = json::parse(
      R"({"properties":{"a":{"properties":{"b":{}}},"l":{"items":{"properties":{"c":{}}}}}})");
  std::vector<std::string> plain, other;
  for (const SchemaPlace& place : places_in(schema))
    (place.properties_only ? plain : other).push_back(place.property);
  EXPECT_THAT(plain, ElementsAre("", "a", "b", "l"));
  EXPECT_THAT(other, ElementsAre("", "c"));
}

TEST(SchemaCheck, EndsWithAnyDepth) {
  std::string deep;
  for (int i = 0; i < 400; ++i) deep += R"({"not":)";
  deep += "7" + std::string(400, '}');
  EXPECT_THAT(mistakes(deep.c_str()), IsEmpty());
}

}  // namespace
}  // namespace harness::schema
