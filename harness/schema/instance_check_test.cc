// SPDX-License-Identifier: Apache-2.0
#include "harness/schema/instance_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "harness/json/read.h"
#include "harness/json/schema_testing.h"
#include "harness/json/write.h"
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

std::string breach(const char* schema, const char* value) {
  const auto found =
      InstanceCheck(json::parse(schema), InstanceCheck::Readings::kAll).breach(json::parse(value));
  return found ? found->keyword + " " + found->place + " " + found->schema : "";
}

TEST(InstanceCheck, LetsNullPassWhereTheSchemaIsWrittenForOpenApi) {
  constexpr const char* kSchema =
      R"({"type":"object","properties":{"a":{"type":"string","nullable":true}}})";
  EXPECT_EQ(breach(kSchema, R"({"a":null})"), "");
  EXPECT_EQ(breach(kSchema, R"({"a":1})"), "type /a /properties/a");
}

TEST(InstanceCheck, SaysWhereInTheValueAndTheSchemaABreachIs) {
  constexpr const char* kTree =
      R"({"$ref":"#/definitions/a~1b","definitions":{"a/b":{"type":"object","required":["n"],
         "properties":{"n":{"type":"integer"},"in":{"type":"array","items":{"$ref":"#/definitions/a~1b"}}},
         "additionalProperties":false}}})";
  EXPECT_EQ(breach(kTree, R"({"n":1,"in":[{"n":2}]})"), "");
  EXPECT_EQ(breach(kTree, R"({"n":1,"in":[{"n":2},{"n":"3"}]})"),
            "type /in/1/n /definitions/a~1b/properties/n");
  EXPECT_EQ(breach(kTree, R"({"n":1,"x":2})"), "additionalProperties  /definitions/a~1b");
  EXPECT_EQ(breach(R"({"allOf":[{"minimum":3}]})", "2"), "minimum  /allOf/0");
}

TEST(InstanceCheck, OfTwoReadingsOnlyWhatBothSayCounts) {
  // Two alternatives fit: the schema's own fault.
  constexpr const char* kOne = R"({"oneOf":[{"type":"integer"},{"minimum":0},{"const":"a"}]})";
  EXPECT_EQ(broken(kOne, "3"), "oneOf");
  EXPECT_EQ(breach(kOne, "3"), "");
  EXPECT_EQ(breach(kOne, "-0.5"), "oneOf  ");
  // Beside a $ref nothing counted before 2019-09.
  constexpr const char* kBeside =
      R"({"$ref":"#/definitions/a","maximum":5,"definitions":{"a":{"type":"integer"}}})";
  EXPECT_EQ(broken(kBeside, "7"), "maximum");
  EXPECT_EQ(breach(kBeside, "7"), "");
  EXPECT_EQ(breach(kBeside, "\"x\""), "type  /definitions/a");
  // Turned round, the other reading would say more.
  EXPECT_EQ(breach(R"({"not":{"oneOf":[{"minimum":0},{"type":"integer"}]}})", "3"), "");
}

// --- held against somebody else's validator

// Schemas and values at random, the same ones each time.
class Chance {
 public:
  std::size_t below(std::size_t end) { return random_() % end; }

  json::Value value(int depth = 0) {
    static const json::Value kPlain = json::parse(
        R"([null,true,false,0,1,2,3,-1,1.5,1.0,1e2,"","a","ab","abc",[],{},[1],{"a":1}])");
    if (depth == 3 || below(3) != 0) return kPlain.items[below(kPlain.items.size())];
    json::Value out = below(2) == 0 ? json::array() : json::object();
    for (std::size_t i = below(4); i > 0; --i) {
      if (out.is_array())
        out.items.push_back(value(depth + 1));
      else
        out.set(name(), value(depth + 1));
    }
    return out;
  }

  json::Value schema(int depth = 0) {
    if (depth > 0 && below(8) == 0) return json::boolean(below(2) == 0);
    json::Value out = json::object();
    for (std::size_t i = 1 + below(2); i > 0; --i) add_keyword(out, depth);
    return out;
  }

 private:
  std::string name() { return std::string(1, static_cast<char>('a' + below(3))); }
  json::Value count() { return json::number(static_cast<int>(below(4))); }
  json::Value schemas(int depth) {
    json::Value out = json::array({schema(depth + 1)});
    for (std::size_t i = below(2); i > 0; --i) out.items.push_back(schema(depth + 1));
    return out;
  }
  json::Value schema_map(int depth) {
    json::Value out = json::object();
    for (std::size_t i = 1 + below(2); i > 0; --i) out.set(name(), schema(depth + 1));
    return out;
  }

  void add_keyword(json::Value& out, int depth) {
    static const char* const kTypes[] = {"null",   "boolean", "object", "array",
                                         "number", "string",  "integer"};
    static const char* const kCounts[] = {"minLength", "maxLength",     "minItems",
                                          "maxItems",  "minProperties", "maxProperties"};
    static const char* const kBounds[] = {"minimum", "maximum", "exclusiveMinimum",
                                          "exclusiveMaximum"};
    static const char* const kLists[] = {"allOf", "anyOf", "oneOf"};
    static const char* const kInner[] = {"not",      "items",         "additionalItems",
                                         "contains", "propertyNames", "additionalProperties"};
    switch (below(depth < 3 ? 12 : 7)) {
      case 0:
        out.set("type", json::string(kTypes[below(7)]));
        return;
      case 1:
        out.set("enum", json::array({value(), value()}));
        return;
      case 2:
        out.set("const", value());
        return;
      case 3:
        out.set(kCounts[below(6)], count());
        return;
      case 4:
        out.set(kBounds[below(4)], count());
        return;
      case 5:
        if (below(2) == 0)
          out.set("uniqueItems", json::boolean(true));
        else
          out.set("multipleOf", json::number_spelled(below(2) == 0 ? "2" : "0.5"));
        return;
      case 6:
        out.set("required", json::array({json::string(name())}));
        return;
      case 7:
        out.set(kLists[below(3)], schemas(depth));
        return;
      case 8:
        out.set(kInner[below(6)], schema(depth + 1));
        return;
      case 9:
        out.set("properties", schema_map(depth));
        return;
      case 10:
        out.set("items", schemas(depth));
        return;
      default:
        out.set("if", schema(depth + 1));
        out.set(below(2) == 0 ? "then" : "else", schema(depth + 1));
    }
  }

  std::mt19937 random_{7};
};

TEST(InstanceCheck, AgreesWithAnotherValidator) {
  Chance chance;
  int taken = 0, refused = 0;
  for (int i = 0; i < 1500; ++i) {
    const json::Value schema = chance.schema();
    const auto normalized = NormalizedSchema::read(schema);
    const auto other = json::CompiledSchema::compile(schema);
    if (!normalized || !other) continue;
    for (int k = 0; k < 6; ++k) {
      const json::Value value = chance.value();
      const auto broken = broken_keyword(schema, value);
      EXPECT_EQ(!broken, other->fits(value))
          << json::write(schema) << " " << json::write(value) << " " << broken.value_or("");
      ++(broken ? refused : taken);
    }
  }
  EXPECT_GT(taken, 2000);
  EXPECT_GT(refused, 2000);
}

}  // namespace
}  // namespace harness::schema
