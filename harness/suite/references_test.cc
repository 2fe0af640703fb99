// SPDX-License-Identifier: Apache-2.0
#include "harness/suite/references.h"

#include <gtest/gtest.h>

#include "harness/base/base64.h"
#include "harness/json/read.h"
#include "harness/json/write.h"

namespace harness::suite {
namespace {

// Columns are `col…`, everything else is data.
class Names final : public Scope {
 public:
  json::Value values = json::parse(R"({
    "n": 7, "s": "say \"hi\"", "o": {"b": [1, {"c": "deep"}]}, "evil": "$any", "nested": "${n}",
    "uri": "skill://a/SKILL.md", "uris": ["skill://a/SKILL.md", 7],
    "list": ["$any", 2], "col": "id-${n}", "colpattern": {"code": "$integer"}, "colloop": "${colloop}"
  })");
  std::optional<json::Value> find(const std::vector<std::string>& path) const override {
    return walk(values, path, 0);
  }
  bool written_in_case(const std::string& root) const override {
    return root.substr(0, 3) == "col";
  }
};

std::string shown(const Result<json::Value>& value) {
  return value ? json::write(*value) : value.error().text();
}
std::string filled(const char* text) { return shown(expand(json::parse(text), Names())); }
std::string pattern(const char* text) { return shown(expand_pattern(json::parse(text), Names())); }

TEST(References, AStringThatIsOneBecomesTheValue) {
  EXPECT_EQ(filled(R"({"id":"${n}","x":["${o.b}"]})"), R"({"id":7,"x":[[1,{"c":"deep"}]]})");
  EXPECT_EQ(filled(R"("${o.b.1.c}")"), R"("deep")");
}

TEST(References, InsideTextStringsStandAsTheyAreAndTheRestAsJson) {
  EXPECT_EQ(*expand_text(R"({"id":${n},"s":${json:s},"t":"${evil}","o":${o}})", Names()),
            R"({"id":7,"s":"say \"hi\"","t":"$any","o":{"b":[1,{"c":"deep"}]}})");
  EXPECT_EQ(filled(R"("${n}-${n}")"), R"("7-7")");
  EXPECT_EQ(filled(R"("${json:n}")"), R"("7")");
}

TEST(References, ADoubledDollarIsALiteral) {
  EXPECT_EQ(*expand_text("$${n} ${n} $5", Names()), "${n} 7 $5");
}

TEST(References, MemberNamesAreFilledIn) { EXPECT_EQ(filled(R"({"k${n}":1})"), R"({"k7":1})"); }

TEST(References, FormsTurnValuesRound) {
  EXPECT_EQ(filled(R"("${reversed:list}")"), R"([2,"$any"])");
  EXPECT_EQ(filled(R"("${swapcase:o}")"), R"({"B":[1,{"c":"deep"}]})");
  EXPECT_EQ(filled(R"("x${swapcase:evil}")"), R"("x$ANY")");
  EXPECT_EQ(filled(R"("=?base64?${base64:evil}?=")"), R"("=?base64?JGFueQ==?=")");
  EXPECT_EQ(filled(R"("${base64:list}")"), R"("WyIkYW55IiwyXQ==")");
  EXPECT_EQ(filled(R"("${altered:evil}")"), R"("$anz")");
  Names lines;
  lines.values.set("text", json::string("a\nb\n"));
  EXPECT_EQ(*expand_text("${crlf:text}", lines), "a\r\nb\r\n");
}

TEST(References, WriteATextForEachNumberInsideOfAToken) {
  const auto changed = [](const std::string& token) {
    Names names;
    names.values.set("token", json::string(token));
    return *expand_text("${mistyped:token}", names);
  };
  EXPECT_EQ(changed(to_base64(R"({"o":12,"of":"a"})")), to_base64(R"({"o":"x12","of":"a"})"));
  EXPECT_EQ(changed("eyJvIjoxMn0"), "eyJvIjoieDEyIn0");  // no padding
  EXPECT_EQ(changed("MTA="), to_base64(R"("x10")"));
  for (const char* kept : {"page-2", "10", "", "a.b", "eyJvIjoiMTIifQ=="})
    EXPECT_EQ(changed(kept), kept);
}

TEST(References, OnlyWhatTheCaseWroteIsExpandedAgain) {
  EXPECT_EQ(filled(R"("${nested}")"), R"("${n}")");
  EXPECT_EQ(filled(R"("${o.b.*.c}")"), R"(["deep"])");
  EXPECT_EQ(filled(R"("${folder:uri}/b.txt")"), R"("skill://a/b.txt")");
  EXPECT_EQ(filled(R"("${folder:uris}")"), R"(["skill://a",7])");
  EXPECT_EQ(filled(R"("${col}")"), R"("id-7")");
}

TEST(References, DataDoesNotBecomeAMatcher) {
  EXPECT_EQ(pattern(R"({"a":"${evil}"})"), R"({"a":"$$any"})");
  EXPECT_EQ(pattern(R"("${evil}x")"), R"("$$anyx")");
  EXPECT_EQ(pattern(R"("${o}")"), R"({"$exact":{"b":[1,{"c":"deep"}]}})");
  EXPECT_EQ(pattern(R"({"$one_of":"${list}"})"), R"({"$one_of":["$$any",2]})");
}

TEST(References, DataOfMatchersStaysData) {
  EXPECT_EQ(pattern(R"({"$exact":"${evil}"})"), R"({"$exact":"$any"})");
  EXPECT_EQ(pattern(R"({"$same_set":"${list}"})"), R"({"$same_set":["$any",2]})");
  EXPECT_EQ(pattern(R"({"$says":"${evil}"})"), R"({"$says":"$any"})");
}

TEST(References, AColumnMayHoldAPattern) {
  EXPECT_EQ(pattern(R"({"error":"${colpattern}"})"), R"({"error":{"code":"$integer"}})");
}

TEST(References, MistakesAreErrors) {
  EXPECT_EQ(filled(R"("${nobody.x}")"), "${nobody.x} has no value here");
  EXPECT_EQ(filled(R"("${n")"),
            "a reference is not closed: ${n; write ${name}, or $${ for a literal ${");
  EXPECT_EQ(filled(R"("${a b}")"),
            "'${a b}' is not a reference; write ${name}, or $${ for a literal ${");
  EXPECT_EQ(filled(R"("${colloop}")"),
            "a column of the table refers to itself; write $${ for a literal ${");
}

}  // namespace
}  // namespace harness::suite
