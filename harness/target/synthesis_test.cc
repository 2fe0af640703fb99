// SPDX-License-Identifier: Apache-2.0
#include "harness/target/synthesis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "harness/json/read.h"
#include "harness/json/schema_testing.h"
#include "harness/json/write.h"
#include "harness/schema/normalized_schema.h"
#include "harness/target/good_value.h"

namespace harness::target {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A schema in normal form without what another validator has expressions of its own for.
json::Value without_expressions(const json::Value& schema) {
  if (!schema.is_object()) return schema;
  json::Value out = json::object();
  const bool named = schema.find("patternProperties") != nullptr;
  for (const json::Member& member : schema.members) {
    const std::string& name = member.name;
    if (name == "pattern" || name == "patternProperties" || name == "format" || name == "default" ||
        name == "examples") {
      continue;
    }
    if (name == "additionalProperties" && named) continue;
    if (name == "const" || name == "enum" || name == "required" || name == "type") {
      out.set(name, member.value);
      continue;
    }
    json::Value value = member.value;
    for (json::Value& item : value.items) item = without_expressions(item);
    if (name == "properties" || name == "definitions" || name == "$defs" ||
        name == "dependencies") {
      for (json::Member& one : value.members) one.value = without_expressions(one.value);
    } else {
      value = value.is_object() ? without_expressions(value) : value;
    }
    out.set(name, std::move(value));
  }
  return out;
}

// What is made, once another validator has seen it, too.
Synthesis made_for(const char* text, Arguments kind) {
  const json::Value schema = json::parse(text);
  Synthesis made = synthesise(schema, kind);
  const auto normalized = NormalizedSchema::read(schema);
  if (!normalized) return made;
  const json::Value plain = without_expressions(normalized->root());
  const auto library = json::CompiledSchema::compile(plain);
  EXPECT_TRUE(library) << text;
  // One that is broken by an expression alone is sound without it.
  const bool broken = kind == Arguments::kBroken;
  if (!library || (broken && !json::equal(plain, normalized->root()))) return made;
  for (const Instance& one : made.instances)
    EXPECT_EQ(library->fits(one.value), !broken) << text << " " << json::write(one.value);
  return made;
}

std::string only(const char* schema, Arguments kind = Arguments::kValid) {
  const Synthesis made = made_for(schema, kind);
  if (made.instances.empty()) return "refused: " + made.refused.front();
  return json::write(made.instances.front().value);
}

std::vector<std::string> whats(const char* schema, Arguments kind) {
  std::vector<std::string> out;
  for (const Instance& one : made_for(schema, kind).instances) out.push_back(one.what);
  return out;
}

// A schema for the one member `a`.
std::string about(const std::string& schema) {
  return R"({"type":"object","properties":{"a":)" + schema + R"(},"required":["a"]})";
}

TEST(Synthesis, MakesValidArgumentsFromKeywordsInCommonUse) {
  const std::pair<const char*, const char*> kTable[] = {
      {R"({"type":"string"})", R"({"a":"text"})"},
      {R"({"type":"integer"})", R"({"a":1})"},
      {R"({"type":"number","minimum":2.5})", R"({"a":2.5})"},
      {R"({"type":"number","exclusiveMinimum":5,"exclusiveMaximum":6})", R"({"a":5.5})"},
      {R"({"type":"number","minimum":5,"exclusiveMinimum":true})", R"({"a":6})"},
      {R"({"type":"integer","multipleOf":7,"minimum":10})", R"({"a":14})"},
      {R"({"type":"boolean"})", R"({"a":true})"},
      {R"({"type":"null"})", R"({"a":null})"},
      {R"({"type":["null","string"]})", R"({"a":"text"})"},
      {R"({})", R"({"a":"text"})"},
      {R"(true)", R"({"a":"text"})"},
      {R"({"enum":["x","y"]})", R"({"a":"x"})"},
      {R"({"const":{"b":1}})", R"({"a":{"b":1}})"},
      {R"({"type":"string","minLength":6})", R"({"a":"textaa"})"},
      {R"({"type":"string","maxLength":2})", R"({"a":"te"})"},
      {R"({"type":"string","format":"date"})", R"({"a":"2025-01-02"})"},
      {R"({"type":"string","pattern":"^[A-Z]{3}-\\d{2,}$"})", R"({"a":"AAA-00"})"},
      {R"({"type":"string","default":"d","examples":["e"]})", R"({"a":"e"})"},
      {R"({"type":"string","default":"d"})", R"({"a":"d"})"},
      {R"({"type":"array","items":{"type":"integer"}})", R"({"a":[1]})"},
      {R"({"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"items":false})",
       R"({"a":[1,"text"]})"},
      {R"({"type":"array","items":[{"type":"integer"}],"additionalItems":false})", R"({"a":[1]})"},
      {R"({"type":"array","minItems":3,"uniqueItems":true,"items":{"type":"integer"}})",
       R"({"a":[1,2,3]})"},
      {R"({"type":"array","contains":{"const":5}})", R"({"a":[5]})"},
      {R"({"type":"object","minProperties":2})", R"({"a":{"member1":"text","member2":"text"}})"},
      {R"({"type":"object","additionalProperties":{"type":"integer"},"minProperties":1})",
       R"({"a":{"member1":1}})"},
      {R"({"anyOf":[{"type":"null"},{"type":"integer","minimum":4}]})", R"({"a":4})"},
      {R"({"oneOf":[{"type":"integer"},{"type":"integer","minimum":5}]})", R"({"a":1})"},
      {R"({"allOf":[{"type":"integer","minimum":3},{"maximum":9},{"minimum":5}]})", R"({"a":5})"},
      {R"({"type":"string","not":{"const":"text"}})", R"({"a":"A1"})"},
      {R"({"if":{"type":"string"},"then":{"minLength":5},"type":"string"})", R"({"a":"texta"})"},
      {R"({"type":"object","properties":{"b":{"type":"string"},"c":{"type":"string"}},
           "dependentRequired":{"b":["c"]},"required":["b"]})",
       R"({"a":{"b":"text","c":"text"}})"},
  };
  for (const auto& [schema, value] : kTable)
    EXPECT_EQ(only(about(schema).c_str()), value) << schema;
}

TEST(Synthesis, FollowsReferencesAndStopsAtTheOnesThatNeverEnd) {
  EXPECT_EQ(only(R"({"$defs":{"c":{"type":"integer"}},"type":"object","required":["a"],
                     "properties":{"a":{"$ref":"#/$defs/c"}}})"),
            R"({"a":1})");
  EXPECT_EQ(only(R"({"definitions":{"a/b":{"type":"integer"}},"type":"object","required":["a"],
                     "properties":{"a":{"$ref":"#/definitions/a~1b","description":"x"}}})"),
            R"({"a":1})");
  // A tree: optional children end somewhere.
  const std::string tree = only(R"({"$defs":{"n":{"type":"object","required":["v"],"properties":{
      "v":{"type":"integer"},"next":{"$ref":"#/$defs/n"}}}},"$ref":"#/$defs/n"})");
  EXPECT_THAT(tree, HasSubstr(R"({"v":1,"next":{"v":1)"));
  EXPECT_LT(tree.size(), 200u);
  EXPECT_THAT(only(R"({"$defs":{"n":{"type":"object","required":["n"],"properties":{
      "n":{"$ref":"#/$defs/n"}}}},"$ref":"#/$defs/n"})"),
              HasSubstr("requires itself without end"));
}

TEST(Synthesis, LeavesOptionalMembersOutOfMinimalArguments) {
  const char* schema = R"({"type":"object","properties":{"a":{"type":"string","default":"d"},
                           "b":{"type":"string"}},"required":["b"]})";
  EXPECT_EQ(only(schema), R"({"b":"text","a":"d"})");
  EXPECT_EQ(only(schema, Arguments::kMinimal), R"({"b":"text"})");
}

TEST(Synthesis, GoesToTheEdgeOfEachConstraint) {
  const char* schema =
      R"({"type":"object","required":["n"],"additionalProperties":false,"properties":{
      "n":{"type":"integer","minimum":1,"maximum":5},"s":{"type":"string","maxLength":3},
      "l":{"type":"array","maxItems":2,"items":{"type":"boolean"}},"e":{"enum":["x","y"]}}})";
  EXPECT_THAT(whats(schema, Arguments::kBoundary),
              ElementsAre("with required members only", "/n at its maximum 5", "/s empty",
                          "/s of characters of two to four bytes", "/l at its maxItems 2",
                          "/l empty", "/e the allowed value \"y\""));
}

TEST(Synthesis, TakesAllNumbersToTheEdgeTogether) {
  const char* schema =
      R"({"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number","minimum":0},
      "n":{"type":"integer"},"s":{"type":"string"}},"required":["a","b","n","s"]})";
  std::vector<std::string> together;
  for (const Instance& one : synthesise(json::parse(schema), Arguments::kBoundary).instances)
    if (std::string_view(one.keyword) == "numbers") together.push_back(json::write(one.value));
  EXPECT_THAT(
      together,
      ElementsAre(R"({"a":1.7976931348623157e308,"b":1.7976931348623157e308,"n":1,"s":"text"})",
                  R"({"a":0,"b":0,"n":0,"s":"text"})"));
  EXPECT_THAT(
      whats(R"({"type":"object","properties":{"s":{"type":"string"}}})", Arguments::kBoundary),
      Not(Contains(HasSubstr("every number"))));
}

TEST(Synthesis, BreaksOneConstraintAtATime) {
  const char* schema =
      R"({"type":"object","required":["n","e"],"additionalProperties":false,"properties":{
      "n":{"type":"integer","minimum":1,"maximum":5,"multipleOf":1},"e":{"type":"string","enum":["x"]},
      "s":{"type":"string","minLength":2,"pattern":"^a+$"},
      "u":{"type":"array","uniqueItems":true,"minItems":1,"items":{"type":"integer"}}}})";
  const Synthesis made = synthesise(json::parse(schema), Arguments::kBroken);
  std::vector<std::string> said;
  for (const Instance& one : made.instances) said.push_back(one.what);
  for (const char* wanted :
       {"without 'n'", "without 'e'", "with a member that is not in the schema",
        "/n of the type string", "/n beyond its minimum 1", "/n beyond its maximum 5",
        "/e none of the allowed values", "/s beyond its minLength 2", "/s against its pattern ^a+$",
        "/s of the type null", "/u beyond its minItems 1", "/u with an item twice"})
    EXPECT_THAT(said, Contains(wanted));
  // A number in place of the enum's text breaks two constraints.
  EXPECT_THAT(said, Not(Contains("/e of the type number")));

  const auto normalized = schema::NormalizedSchema::read(json::parse(schema));
  ASSERT_TRUE(normalized);
  for (const Instance& one : made.instances) {
    schema::Steps steps = 10'000;
    EXPECT_EQ(normalized->failures(one.value, normalized->root(), steps).size(), 1u) << one.what;
  }
}

TEST(Synthesis, IsTheSameEachTime) {
  const json::Value schema =
      json::parse(about(R"({"anyOf":[{"type":"array","items":{"pattern":"x|y"}}]})"));
  for (const Arguments kind : {Arguments::kValid, Arguments::kBoundary, Arguments::kBroken}) {
    const Synthesis one = synthesise(schema, kind), other = synthesise(schema, kind);
    ASSERT_EQ(one.instances.size(), other.instances.size());
    for (std::size_t i = 0; i < one.instances.size(); ++i)
      EXPECT_EQ(json::write(one.instances[i].value), json::write(other.instances[i].value));
  }
}

TEST(Synthesis, SaysWhatItCannotMake) {
  const std::pair<std::string, const char*> kTable[] = {
      {about(R"({"type":"string","pattern":"^(?=.*x).*$"})"),
       "its pattern ^(?=.*x).*$ cannot be checked"},
      {about(R"({"$ref":"https://example.com/s.json"})"),
       "it refers to https://example.com/s.json, which is not fetched"},
      {about(R"({"$ref":"#/$defs/none"})"), "it refers to #/$defs/none, which it does not contain"},
      {about(R"({"unevaluatedProperties":false})"), "it uses unevaluatedProperties"},
      {about("false"), "/a: nothing is allowed there"},
      {about(R"({"type":"integer","minimum":5,"maximum":4})"), "/a: no matching value was found"},
      {about(R"({"type":"strin"})"), "type is \"strin\""},
      {about(R"({"type":"string","minLength":100000000})"),
       "/a: texts of that length are not sent"},
      {about(R"({"type":"array","minItems":100000000})"), "/a: lists of that length are not sent"},
      {about(R"({"minLength":-1})"), "minLength is -1"},
      {"7", "there is no inputSchema"},
  };
  for (const auto& [schema, reason] : kTable)
    EXPECT_EQ(only(schema.c_str()), std::string("refused: ") + reason) << schema;
}

// --- hostile schemas: bounded time, and an answer

class Hostile : public testing::TestWithParam<std::pair<const char*, std::string>> {};

std::string repeated(const std::string& text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

std::string laughs() {  // each schema applies the next one twice
  std::string defs;
  for (int i = 0; i < 40; ++i) {
    const std::string next = "{\"$ref\":\"#/$defs/a" + std::to_string(i + 1) + "\"}";
    defs += "\"a" + std::to_string(i) + "\":{\"allOf\":[" + next + "," + next + "]},";
  }
  return "{\"$defs\":{" + defs + "\"a40\":{\"type\":\"object\"}},\"$ref\":\"#/$defs/a0\"}";
}

std::string wide_tree() {  // each object demands two of the next
  std::string defs;
  for (int i = 0; i < 22; ++i) {
    const std::string next = "{\"$ref\":\"#/$defs/a" + std::to_string(i + 1) + "\"}";
    defs += "\"a" + std::to_string(i) + "\":{\"type\":\"object\",\"required\":[\"x\",\"y\"]," +
            "\"properties\":{\"x\":" + next + ",\"y\":" + next + "}},";
  }
  return "{\"$defs\":{" + defs + "\"a22\":{\"type\":\"string\"}},\"$ref\":\"#/$defs/a0\"}";
}

std::string choices() {  // choices of choices that all fail
  std::string schema = "{\"type\":\"integer\",\"minimum\":2,\"maximum\":1}";
  for (int i = 0; i < 14; ++i) schema = "{\"anyOf\":[" + schema + "," + schema + "]}";
  return schema;
}

std::string many_members() {
  std::string out = "{\"type\":\"object\",\"properties\":{";
  for (int i = 0; i < 6000; ++i)
    out += (i ? ",\"m" : "\"m") + std::to_string(i) + "\":{\"type\":\"string\"}";
  return out + "}}";
}

TEST_P(Hostile, CostsBoundedTime) {
  const json::Value schema = json::parse(GetParam().second);
  const std::clock_t began = std::clock();
  for (const Arguments kind :
       {Arguments::kValid, Arguments::kMinimal, Arguments::kBoundary, Arguments::kBroken}) {
    const Synthesis made = synthesise(schema, kind);
    EXPECT_LE(made.instances.size(), 64u);
    const bool varied = kind == Arguments::kBoundary || kind == Arguments::kBroken;
    EXPECT_TRUE(varied || made.instances.empty() != made.refused.empty());
  }
  // Of the processor: what is not bounded takes hours, under a sanitizer and a load as well.
  EXPECT_LT((std::clock() - began) / CLOCKS_PER_SEC, 60);
}

INSTANTIATE_TEST_SUITE_P(
    Schemas, Hostile,
    testing::Values(
        std::pair{"deep", repeated("{\"properties\":{\"a\":", 200) + "{}" + repeated("}}", 200)},
        std::pair{"deep_lists", repeated("{\"items\":", 400) + "{}" + repeated("}", 400)},
        std::pair{"circle",
                  std::string(R"({"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},
                                         "properties":{"x":{"$ref":"#/$defs/a"}}})")},
        std::pair{"itself", std::string(R"({"$ref":"#"})")},
        std::pair{"all_of_itself", std::string(R"({"allOf":[{"$ref":"#"}],"type":"object"})")},
        std::pair{"any_of_itself", std::string(R"({"anyOf":[{"$ref":"#"},{"$ref":"#"}]})")},
        std::pair{"not_itself", std::string(R"({"not":{"$ref":"#"}})")},
        std::pair{"laughs", laughs()}, std::pair{"wide_tree", wide_tree()},
        std::pair{"choices", choices()}, std::pair{"many_members", many_members()},
        std::pair{"patterns",
                  about(R"({"type":"string","pattern":"^(((a*)*)*)*b$","minLength":4000})")},
        std::pair{"pattern_sizes", about(R"({"type":"string","pattern":"^(a{900}){900}$"})")},
        std::pair{"pattern_depth", about("{\"type\":\"string\",\"pattern\":\"" +
                                         repeated("(", 400) + repeated(")", 400) + "\"}")},
        std::pair{"pattern_names",
                  std::string(R"({"type":"object","patternProperties":{"^(a+)+$":{}},
            "additionalProperties":false,"minProperties":30})")},
        std::pair{"huge_text", about("{\"const\":\"" + std::string(2'000'000, '1') + "\"}")},
        std::pair{"huge_date",
                  about("{\"format\":\"date\",\"enum\":[\"" + std::string(500'000, '1') + "\"]}")},
        std::pair{"huge_enum", about("{\"enum\":[" + repeated("1,", 15'000) + "2]}")},
        std::pair{"huge_bounds",
                  about(R"({"type":"integer","minimum":1e308,"multipleOf":1e-300})")}),
    [](const auto& row) { return std::string(row.param.first); });

TEST(Synthesis, ItsFormatsAreThoseTheLibraryKnows) {
  for (const char* format : {"date", "time", "date-time"}) {
    const json::Value schema = json::parse(R"({"format":")" + std::string(format) + R"("})");
    const auto library = json::CompiledSchema::compile(schema);
    ASSERT_TRUE(library);
    EXPECT_FALSE(library->fits(json::string("text")));
    const auto values = values_of_format(format);
    EXPECT_EQ(values.size(), 2u);
    for (const auto& value : values) EXPECT_TRUE(library->fits(json::string(value))) << value;
  }
}

TEST(Synthesis, TakesAPropertyThatIsCalledLikeAKeyword) {
  EXPECT_EQ(
      only(R"({"type":"object","properties":{"$ref":{"type":"string"},"not":{"type":"integer"}}})"),
      R"({"$ref":"text","not":1})");
}

}  // namespace
}  // namespace harness::target
