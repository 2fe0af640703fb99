// SPDX-License-Identifier: Apache-2.0
// Values against small types, one property of the language of rows each.
#include "harness/spec/type_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/json/read.h"
#include "harness/json/yaml.h"

namespace harness::spec {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kRows = R"(
Thing:
  $covers: whole
  name: {is: $string, covers: name, also: {is: {$length: [1, 3]}, covers: length, at_most: warn}}
  size?: {is: {$range: [0, null]}, covers: size}
  note?: $string
  later?: {is: $string, since: 2025-06-18, covers: later, outside: not-yet}
  gone?: {outside: gone}
  free?: {is: $string, covers: []}
  kind?: {is: {$one_of: [big, small, 3]}, covers: kind}
  parts?: {is: {$array: $Part}, covers: parts, also: {is: {$distinct: id}, covers: distinct}}
  map?: {is: {$map: $boolean}, covers: map}
  links?: {is: $string, covers: links, also: {is: $uri-scheme, covers: scheme}}
  uri?: {is: $uri, covers: uri}
  _meta?: $object
Part: {id: {is: $id, covers: id}}
Lone: {$any_of: {of: [a, b], covers: any}, "a?": $string}
Block:
  $by: type
  $covers: block
  $unknown: unknown
  text: $Text
  new: {is: $Text, since: 2025-06-18, outside: too-new}
Text: {type: $string, text: {is: $string, covers: text}}
Either: {$with: {text: $Text, blob: $Blob}, $covers: either}
Blob: {blob: {is: $base64, covers: blob}}
Line: {content: {is: {$one_of: [{$array: $Block}, $Block]}, covers: content}}
Several: {value: {is: {$one_of: [$Name, $Sized, {$array: $Name}]}, covers: several}}
Name: {name: $string, "note?": $string}
Sized: {size: $integer, "note?": $string}
Derived: {$extends: [Thing], $missing: {name: no-name}}
Total: {"completion": {is: $object, covers: total, also: {is: {$counts: [total, values]}, covers: counts}}}
Empty: {done: {is: $object, covers: done, also: {is: {$only: [_meta, kind]}, covers: only, at_most: warn}}}
Input:
  $by: method
  $covers: input
  $untagged: untagged
  a: $Text
Role: {$is: [{is: {$one_of: [user, other]}, dialect: mcp}, {is: $string}]}
)";

const Protocol& rows() {
  static const Protocol kProtocol = [] {
    Result<json::Value> read = json::read_yaml(kRows, "rows.yaml");
    if (!read) throw Bug(read.error().text());
    Result<Protocol> protocol = read_protocol({{"rows.yaml", *read}});
    if (!protocol) throw Bug(protocol.error().text());
    return std::move(*protocol);
  }();
  return kProtocol;
}

// "missing name /name: a string" for each breach.
std::vector<std::string> breaches(const char* type, const std::string& value,
                                  const char* profile = "mcp-2025-06-18") {
  static const char* const kKinds[] = {"missing", "wrong", "null", "also", "outside"};
  std::vector<std::string> out;
  const json::Value read = json::parse(value);
  for (const TypeBreach& one : check_type(*find_profile(profile), *rows().find_type(type), read)) {
    std::string text = kKinds[static_cast<int>(one.kind)];
    text += one.clauses == nullptr ? " silent"
            : one.clauses->empty() ? " -"
                                   : " " + one.clauses->front();
    if (one.at_most != AtMost::kFail) text += " at most warn";
    out.push_back(text + " " + one.place + ": " + one.expected);
  }
  return out;
}

TEST(TypeCheck, SoundValuesPass) {
  EXPECT_THAT(breaches("Thing", R"({"name":"a","size":1e2,"kind":3,"unknown":null,"uri":"a:b",)"
                                R"("parts":[{"id":1},{"id":"1"}],"map":{"x":true}})"),
              IsEmpty());
  EXPECT_THAT(breaches("Role", R"("user")"), IsEmpty());
  EXPECT_THAT(breaches("Role", R"("system")", "mcp-tutorial"), IsEmpty());
}

TEST(TypeCheck, EachBreachHasItsPlaceAndClause) {
  EXPECT_THAT(breaches("Thing", "[]"), ElementsAre("wrong whole : an object"));
  EXPECT_THAT(breaches("Thing", "{}"), ElementsAre("missing name /name: a string"));
  EXPECT_THAT(breaches("Derived", "{}"), ElementsAre("missing no-name /name: a string"));
  EXPECT_THAT(breaches("Thing", R"({"name":7})"), ElementsAre("wrong name /name: a string"));
  EXPECT_THAT(breaches("Thing", R"({"name":null})"), ElementsAre("wrong name /name: a string"));
  EXPECT_THAT(breaches("Thing", R"({"name":"long"})"),
              ElementsAre("also length at most warn /name: a length of 1 to 3"));
  EXPECT_THAT(breaches("Thing", R"({"name":"\u00e4\u00f6\u00fc"})"), IsEmpty());
  EXPECT_THAT(breaches("Thing", R"({"name":"a","size":-1})"),
              ElementsAre("wrong size /size: a number, 0 or more"));
  EXPECT_THAT(breaches("Thing", R"({"name":"a","note":[]})"),
              ElementsAre("wrong whole /note: a string"));
  EXPECT_THAT(breaches("Thing", R"({"name":"a","note":null})"),
              ElementsAre("null whole /note: a string, or no such member"));
  EXPECT_THAT(breaches("Thing", R"({"name":"a","free":1,"_meta":1})"),
              ElementsAre("wrong silent /free: a string", "wrong silent /_meta: an object"));
  EXPECT_THAT(breaches("Thing", R"({"name":"a","kind":"middle"})"),
              ElementsAre("wrong kind /kind: \"big\" or \"small\" or 3"));
  EXPECT_THAT(breaches("Thing", R"({"name":"a","map":{"x":1}})"),
              ElementsAre("wrong map /map/*: a boolean"));
  EXPECT_THAT(breaches("Empty", R"({"done":{"_meta":{},"kind":1}})"), IsEmpty());
  EXPECT_THAT(
      breaches("Empty", R"({"done":{"_meta":{},"x":1}})"),
      ElementsAre("also only at most warn /done: an object with no member but _meta or kind"));
  EXPECT_THAT(breaches("Thing", R"({"name":"a","uri":"no"})"),
              ElementsAre("wrong uri /uri: a URI"));
}

TEST(TypeCheck, WhatARevisionDoesNotHaveIsToldWhereAClauseForbidsIt) {
  EXPECT_THAT(breaches("Thing", R"({"name":"a","later":1})"),
              ElementsAre("wrong later /later: a string"));
  EXPECT_THAT(breaches("Thing", R"({"name":"a","later":1})", "mcp-2025-03-26"),
              ElementsAre("outside not-yet /later: nothing, in this revision"));
  EXPECT_THAT(breaches("Thing", R"({"name":"a","gone":1})"),
              ElementsAre("outside gone /gone: nothing, in this revision"));
}

TEST(TypeCheck, ElementsAreLookedAtOneByOne) {
  EXPECT_THAT(breaches("Thing", R"({"name":"a","parts":[{"id":1},{"id":1}]})"),
              ElementsAre("also distinct /parts: elements that differ in id"));
  EXPECT_THAT(breaches("Thing", R"({"name":"a","parts":[{"id":1.5},{}, 7]})"),
              ElementsAre("wrong id /parts/*/id: a string or an integer",
                          "missing id /parts/*/id: a string or an integer",
                          "wrong parts /parts/*: an object"));
  // A number that no double tells from 0 may be an integer to whoever sent it back.
  EXPECT_THAT(breaches("Part", R"({"id":1e-400})"), IsEmpty());
}

TEST(TypeCheck, AMemberTellsTheType) {
  EXPECT_THAT(breaches("Block", R"({"type":"text","text":"a"})"), IsEmpty());
  EXPECT_THAT(breaches("Block", R"({"type":"text"})"), ElementsAre("missing text /text: a string"));
  EXPECT_THAT(breaches("Block", "{}"), ElementsAre("missing block /type: a string"));
  EXPECT_THAT(breaches("Block", R"({"type":1})"), ElementsAre("wrong block /type: a string"));
  EXPECT_THAT(breaches("Block", R"({"type":"other"})"),
              ElementsAre("wrong unknown /type: \"text\" or \"new\""));
  EXPECT_THAT(breaches("Block", R"({"type":"new","text":"a"})", "mcp-2025-03-26"),
              ElementsAre("wrong too-new /type: a type of this revision"));
}

TEST(TypeCheck, AMissingTagMayHaveAClauseOfItsOwn) {
  EXPECT_THAT(breaches("Input", "{}"), ElementsAre("missing untagged /method: a string"));
  EXPECT_THAT(breaches("Input", "7"), ElementsAre("wrong input : an object"));
}

TEST(TypeCheck, SchemesAndCounts) {
  EXPECT_THAT(breaches("Thing", R"({"name":"a","links":"my-scheme://x"})"), IsEmpty());
  EXPECT_THAT(breaches("Thing", R"({"name":"a","links":"x"})"), IsEmpty());
  EXPECT_THAT(breaches("Thing", R"({"name":"a","links":"my_scheme://x"})"),
              ElementsAre("also scheme /links: a scheme before ://"));
  EXPECT_THAT(breaches("Total", R"({"completion":{"total":1,"values":["a"]}})"), IsEmpty());
  EXPECT_THAT(breaches("Total", R"({"completion":{"values":["a"]}})"), IsEmpty());
  EXPECT_THAT(breaches("Total", R"({"completion":{"total":0,"values":["a"]}})"),
              ElementsAre("also counts /completion: total not below the number of values"));
}

TEST(TypeCheck, APresentMemberTellsTheType) {
  EXPECT_THAT(breaches("Either", R"({"blob":"YQ==","text":null})"), IsEmpty());
  EXPECT_THAT(breaches("Either", R"({"blob":"YQ"})"),
              ElementsAre("wrong blob /blob: Base64 with padding and without line breaks"));
  EXPECT_THAT(breaches("Either", "{}"), ElementsAre("missing either : text or blob"));
  EXPECT_THAT(breaches("Lone", "{}"), ElementsAre("missing any : a or b"));
  EXPECT_THAT(breaches("Lone", R"({"b":1})"), IsEmpty());
}

TEST(TypeCheck, OfAlternativesTheOneOfTheSameKindIsLookedInto) {
  EXPECT_THAT(breaches("Line", R"({"content":{"type":"text"}})"),
              ElementsAre("missing text /content/text: a string"));
  EXPECT_THAT(breaches("Line", R"({"content":[{"type":"x"}]})"),
              ElementsAre("wrong unknown /content/*/type: \"text\" or \"new\""));
  EXPECT_THAT(breaches("Line", R"({"content":"x"})"),
              ElementsAre("wrong content /content: an array or an object"));
}

TEST(TypeCheck, OfSeveralObjectsTheOneWithTheFewestBreachesIsMeant) {
  EXPECT_THAT(breaches("Several", R"({"value":{"size":1,"note":"a"}})"), IsEmpty());
  EXPECT_THAT(breaches("Several", R"({"value":{"name":"a"}})"), IsEmpty());
  EXPECT_THAT(breaches("Several", R"({"value":{"size":1,"note":2}})"),
              ElementsAre("wrong several /value/note: a string"));
  EXPECT_THAT(breaches("Several", R"({"value":[{"name":"a"},{}]})"),
              ElementsAre("missing several /value/*/name: a string"));
}

TEST(TypeCheck, ManyBreachesEnd) {
  std::string parts;
  for (int i = 0; i < 1000; ++i) parts += std::string(i == 0 ? "" : ",") + "{}";
  EXPECT_EQ(breaches("Thing", R"({"name":"a","parts":[)" + parts + "]}").size(), kMostBreaches);
}

}  // namespace
}  // namespace harness::spec
