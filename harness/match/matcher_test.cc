// SPDX-License-Identifier: Apache-2.0
#include "harness/match/matcher.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/json/yaml.h"

namespace harness::match {
namespace {

json::Value yaml(const std::string& text) {
  auto value = json::read_yaml(text, "t.yaml");
  if (!value) throw std::runtime_error(value.error().text());
  return *value;
}

const Shapes& shapes() {
  static const Shapes kShapes = [] {
    Shapes out;
    const auto status = out.add(yaml("Tool: {name: $nonempty, 'title?': $string}\n"
                                     "Tree: {'kids?': {$each: {$shape: Tree}}}\n"
                                     "Loop: {$shape: Loop}\n"
                                     "Block:\n"
                                     "  - {when: [mcp>=2025-06-18], is: {type: $string}}\n"
                                     "  - {when: [mcp], is: {kind: $string}}\n"),
                                "shapes.yaml");
    if (!status) throw std::runtime_error(status.error().text());
    return out;
  }();
  return kShapes;
}

std::optional<Mismatch> off(const std::string& pattern, const std::string& seen,
                            const char* profile = "mcp-2025-06-18") {
  const auto value = json::parse(seen);
  return mismatch(yaml(pattern), &value, {shapes(), *spec::find_profile(profile)});
}

bool fits(const std::string& pattern, const std::string& seen) { return !off(pattern, seen); }

bool fits_absent(const std::string& pattern) {
  return !mismatch(yaml(pattern), nullptr, {shapes(), *spec::find_profile("mcp-2025-06-18")});
}

std::string complaint(const std::string& pattern) {
  const auto status = check_pattern(yaml(pattern), "case.yaml", &shapes());
  return status ? "" : status.error().text();
}

// Every matcher: something it takes and something it refuses.
struct Row {
  const char* pattern;
  const char* sound;
  const char* broken;
};
constexpr Row kRows[] = {
    {"$null", "null", "0"},
    {"$boolean", "false", "\"false\""},
    {"$number", "1.5", "\"1\""},
    {"$integer", "1e2", "1.5"},
    {"$string", "\"\"", "1"},
    {"$nonempty", "\"a\"", "\"\""},
    {"$object", "{}", "[]"},
    {"$array", "[]", "{}"},
    {"$uri", "\"file:///a%20b\"", "\"/a b\""},
    {"$uri", "\"urn:x\"", "\"a%2\""},
    {"$base64", "\"YWI=\"", "\"YWI\""},
    {"$base64", "\"\"", "\"Y===\""},
    {"$base64", "\"YQ==\"", "\"YR==\""},  // bits that no encoder sets (RFC 4648, 3.5)
    {"$id", "\"1\"", "null"},
    {"{$one_of: [1, $string]}", "\"x\"", "2"},
    {"{$all: [$integer, {$range: [1, 3]}]}", "3", "4"},
    {"{$not: $null}", "1", "null"},
    {"{$regex: '^a+$'}", "\"aa\"", "\"ab\""},
    {"{$range: [null, -1]}", "-1.0", "0"},
    {"{$range: [1, null]}", "9007199254740993", "0.5"},
    {"{$length: 2}", "\"é😀\"", "\"abc\""},
    {"{$bytes: 6}", "\"é😀\"", "\"é\""},
    {"{$decoded: {$regex: \"^a\"}}", "\"YWI=\"", "\"YmE=\""},
    {"{$decoded: {$bytes: 2}}", "\"YWI=\"", "\"YWI\""},
    {"{$media_type: text/plain}", "\"Text/Plain; charset=utf-8\"", "\"text/plainer\""},
    {"{$length: {$range: [1, null]}}", "{\"a\":1}", "{}"},
    {"{$contains: {id: 1}}", "[{\"id\":2},{\"id\":1}]", "[{\"id\":2}]"},
    {"{$each: $string}", "{\"a\":\"b\"}", "{\"a\":\"b\",\"c\":1}"},
    {"{$keys: {$regex: '^x'}}", "{\"xa\":1}", "{\"a\":1}"},
    {"{$permutation: [$any, 1]}", "[1,2]", "[2,3]"},
    {"{$unique: /n}", "[{\"n\":1},{},{\"n\":2}]", "[{\"n\":1},{\"n\":1.0}]"},
    {"{$unique: ''}", "[1,\"1\"]", "[1,1]"},
    {"{$unique: /n}", "{\"a\":{\"n\":1},\"b\":{}}", "{\"a\":{\"n\":1},\"b\":{\"n\":1}}"},
    {"{$increasing: strict}", "[1,1.5,2]", "[1,1]"},
    {"{$increasing: weak}", "[1,1,2]", "[2,1]"},
    {"{$recorded: {code: 1, message: a}}", "{\"code\":1.0,\"message\":\"b\"}",
     "{\"code\":1,\"message\":\"a\",\"data\":1}"},
    {"{$exact: {a: 1}}", "{\"a\":1}", "{\"a\":1,\"b\":2}"},
    {"{$spelled: '1.0'}", "1.0", "1"},
    {"{$shape: Tool}", "{\"name\":\"t\",\"extra\":1}", "{\"name\":\"t\",\"title\":null}"},
    {"{$says: 'no such'}", "{\"m\":\"no such tool\"}", "{\"m\":\"ok\"}"},
    {"{$same_set: [1, 2]}", "[2,1,1]", "[1,3]"},
    {"{$renamed: {value: [{text: no tool a here}], from: a, to: bc}}",
     "[{\"text\":\"no tool bc here\"}]", "[{\"text\":\"no tool a here\"}]"},
    {"{$valid_against: {type: object, required: [a]}}", "{\"a\":1}", "{}"},
    {"{$openrpc: version}", "{\"openrpc\":\"1.3.2\"}", "{\"openrpc\":\"1.3\"}"},
    {"{$json_text: {a: $number}}", "\"{\\\"a\\\":1}\"", "\"{\\\"a\\\":\""},
    {"{$sum: {$range: [null, 3]}}", "[1,2,\"x\"]", "[1,2.5]"},
    {"{$digest: 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'}",
     "\"abc\"", "\"abc\\n\""},
    {"{$front_matter: {name: a}}", "\"---\\r\\nname: a\\r\\n---\\nText --- more\"",
     "\"Text\\n---\\nname: a\\n---\""},
    {"{$front_matter: {name: a}}", "\"---\\nname: !!str a\\n---\"", "\"---\\nname: [a\\n---\""},
    {"$any", "null", nullptr},
    {"$absent", nullptr, "null"},
};

TEST(Matcher, TakesTheSoundAndRefusesTheBroken) {
  for (const auto& row : kRows) {
    EXPECT_EQ(complaint(row.pattern), "") << row.pattern;
    EXPECT_TRUE(row.sound == nullptr ? fits_absent(row.pattern) : fits(row.pattern, row.sound))
        << row.pattern;
    EXPECT_FALSE(row.broken == nullptr ? fits_absent(row.pattern) : fits(row.pattern, row.broken))
        << row.pattern;
  }
}

TEST(Matcher, EveryRowOfTheTableIsShownBothWays) {
  for (const auto& matcher : matchers()) {
    const bool shown = std::any_of(std::begin(kRows), std::end(kRows), [&](const Row& row) {
      const std::string pattern = row.pattern;
      return pattern == matcher.name ||
             pattern.substr(0, matcher.name.size() + 2) == "{" + matcher.name + ":";
    });
    EXPECT_TRUE(shown) << matcher.name;
    EXPECT_FALSE(matcher.help.empty()) << matcher.name;
  }
}

TEST(Matcher, RefusesAnAbsentValueUnlessNamed) {
  for (const auto& row : kRows) {
    const std::string pattern = row.pattern;
    if (pattern == "$absent" || pattern.substr(0, 5) == "{$not") continue;
    EXPECT_FALSE(fits_absent(pattern)) << pattern;
  }
}

TEST(Pattern, MappingsMatchAsSubsets) {
  EXPECT_TRUE(fits("{a: 1}", R"({"b":2,"a":1.0})"));
  EXPECT_FALSE(fits("{a: 1, b: $absent}", R"({"b":2,"a":1})"));
  EXPECT_TRUE(fits("{'a?': 1}", "{}"));
  EXPECT_FALSE(fits("{'a?': 1}", R"({"a":2})"));
}

TEST(Pattern, ArraysMatchElementByElement) {
  EXPECT_TRUE(fits("[1, $string]", R"([1,"a"])"));
  EXPECT_FALSE(fits("[1]", "[1,2]"));
}

TEST(Pattern, ADoubledDollarIsALiteralOne) {
  EXPECT_TRUE(fits("$$any", R"("$any")"));
  EXPECT_FALSE(fits("$$any", "1"));
  EXPECT_TRUE(fits("{$$ref: a}", R"({"$ref":"a"})"));
}

TEST(Pattern, APermutationIsNotFooledByGreed) {
  EXPECT_TRUE(fits("{$permutation: [$integer, 1]}", "[1,2]"));
}

TEST(Mismatch, PointsAtTheDeepestDeparture) {
  const auto found = off("{error: {code: -32600, message: $string}}",
                         R"({"error":{"code":-32700,"message":"x"}})");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->path, "/error/code");
  EXPECT_EQ(found->expected, "-32600");
  EXPECT_EQ(found->seen, "-32700");
  EXPECT_EQ(off("{a/b: {$each: $string}}", R"({"a/b":["x",1]})")->path, "/a~1b/1");
  EXPECT_EQ(off("{a: $string}", "{}")->seen, "nothing");
}

TEST(Mismatch, ShowsHostileTextHarmless) {
  const auto found = off("{a: 1}", "{\"a\":\"\\u001b[2J\"}");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->seen.find('\x1b'), std::string::npos);
}

TEST(Shape, IsChosenByProfile) {
  EXPECT_FALSE(off("{$shape: Block}", R"({"type":"x"})", "mcp-2025-11-25"));
  EXPECT_TRUE(off("{$shape: Block}", R"({"type":"x"})", "mcp-2024-11-05"));
  EXPECT_THROW(static_cast<void>(off("{$shape: Block}", "{}", "jsonrpc-2.0")), Bug);
}

TEST(Shape, MayReferToItselfButNotInPlace) {
  EXPECT_TRUE(fits("{$shape: Tree}", R"({"kids":[{"kids":[]}]})"));
  EXPECT_FALSE(fits("{$shape: Tree}", R"({"kids":[{"kids":1}]})"));
  EXPECT_THROW(static_cast<void>(fits("{$shape: Loop}", "1")), Bug);
}

TEST(Shape, IsATypeOfTheProtocolWhereTheSuiteHasNoneOfTheName) {
  const char* resource = "{a: {$shape: Resource}}";
  EXPECT_FALSE(off(resource, R"({"a":{"uri":"x:y","name":"n","more":1}})"));
  const auto lacks = off(resource, R"({"a":{"uri":"x:y"}})");
  ASSERT_TRUE(lacks);
  EXPECT_EQ(lacks->path, "/a/name");
  EXPECT_EQ(lacks->seen, "nothing");
  EXPECT_EQ(off(resource, R"({"a":{"uri":1,"name":"n"}})")->path, "/a/uri");
  EXPECT_EQ(off(resource, R"({"a":[]})")->path, "/a");
  EXPECT_EQ(off(resource, "{}")->seen, "nothing");
  EXPECT_TRUE(off(resource, R"({"a":{"uri":"x:y","name":"n","title":1}})"));
  EXPECT_FALSE(off(resource, R"({"a":{"uri":"x:y","name":"n","title":1}})", "mcp-2024-11-05"));
  // That it has to be an absolute URI is a clause of its own.
  EXPECT_FALSE(off(resource, R"({"a":{"uri":"x","name":"n"}})"));
  EXPECT_TRUE(fits("{$shape: Tool}", R"({"name":"n"})")) << "that of the suite goes first";
}

TEST(CheckPattern, NamesThePlaceAndTheNearestWord) {
  EXPECT_EQ(complaint("{a: $strng}"),
            "case.yaml:1:5: unknown matcher '$strng'; did you mean '$string'? ($$ is a literal $)");
  EXPECT_EQ(complaint("{a: {$oneof: [1]}}"),
            "case.yaml:1:6: unknown matcher '$oneof'; did you mean '$one_of'? ($$ is a literal $)");
  EXPECT_EQ(complaint("$zzzzzzzzzz"),
            "case.yaml:1:1: unknown matcher '$zzzzzzzzzz'; `rpcspec list matchers` "
            "names them; write $$ for a literal $");
  EXPECT_EQ(complaint("$one_of"),
            "case.yaml:1:1: $one_of needs an argument; write {$one_of: [M, …]}");
  EXPECT_EQ(complaint("{$string: 1}"),
            "case.yaml:1:2: $string takes no argument; write it as a plain string: $string");
  EXPECT_EQ(complaint("{$one_of: 1}"),
            "case.yaml:1:11: $one_of takes a list of patterns; write {$one_of: [M, …]}");
  EXPECT_EQ(
      complaint("{$not: 1, a: 2}"),
      "case.yaml:1:2: $not must be the only key of its mapping; join patterns with {$all: [M, …]}");
  EXPECT_EQ(complaint("{$shape: Tol}"),
            "case.yaml:1:10: unknown shape 'Tol'; did you mean 'Tool'?");
  EXPECT_EQ(complaint("{$shape: Resource}"), "");
  EXPECT_EQ(complaint("{$shape: Resuorce}"),
            "case.yaml:1:10: unknown shape 'Resuorce'; did you mean 'Resource'?");
  EXPECT_EQ(
      complaint("{$range: 1}"),
      "case.yaml:1:10: $range takes two numbers; write {$range: [1, 10]}; null leaves a side open");
  EXPECT_EQ(complaint("{$increasing: up}"),
            "case.yaml:1:15: $increasing takes strict or weak; write {$increasing: strict}");
  EXPECT_EQ(complaint("{$spelled: 1.0}"),
            "case.yaml:1:12: this matcher takes a string; put it in quotes");
  EXPECT_NE(complaint("{$regex: '('}").find("the regular expression cannot be read"),
            std::string::npos);
}

TEST(CheckPattern, TakesReferencesOnTrust) {
  EXPECT_EQ(complaint("{a: '${own}', b: {$regex: '^${own}'}, c: {$one_of: '${list}'}}"), "");
}

TEST(Describe, IsShortAndReadable) {
  EXPECT_EQ(describe(yaml("$string")), "a string");
  EXPECT_EQ(describe(yaml("{code: -32600}")), "an object with code -32600");
  EXPECT_EQ(describe(yaml("{code: $integer, 'data?': $any, x: $absent}")),
            "an object with code an integer, optional data any value, no x");
  EXPECT_EQ(describe(yaml("{$one_of: [1, {$shape: Tool}]}")), "1 or a valid Tool");
  EXPECT_EQ(describe(yaml("{error: {code: -32600}, id: null, 'data?': {a: 1}}")),
            "an object with error.code -32600, id null, optional data an object with a 1");
  EXPECT_EQ(describe(yaml("[{id: 1}, {id: 1}, {id: 1}]")),
            "an array of 3, each an object with id 1");
  EXPECT_EQ(describe(yaml("[1, 2, 3]")), "an array of 1, 2 and 3");
  EXPECT_EQ(describe(yaml("{$regex: '(?i)^text/html'}")), "a string like /^text/html/i");
  EXPECT_EQ(members_of(yaml("{isError: true}")), "isError true");
  EXPECT_EQ(members_of(yaml("{$not: {isError: true}}")), "");
  EXPECT_EQ(describe(yaml("{$range: [1, null]}")), "a number from 1");
}

TEST(Literal, MatchesHostileDataAsData) {
  for (const char* text :
       {"\"$any\"", "\"$$\"", R"({"$any":1})", R"({"a?":1})", R"(["$string"])", "1.50"}) {
    const auto value = json::parse(text);
    const auto other = json::parse("\"other\"");
    const MatchContext context{shapes(), *spec::find_profile("mcp-2025-06-18")};
    EXPECT_FALSE(mismatch(literal(value), &value, context)) << text;
    EXPECT_TRUE(mismatch(literal(value), &other, context)) << text;
  }
}

}  // namespace
}  // namespace harness::match
