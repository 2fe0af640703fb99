// SPDX-License-Identifier: Apache-2.0
#include "harness/json/value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "harness/base/result.h"
#include "harness/json/number.h"
#include "harness/json/read.h"
#include "harness/json/write.h"

namespace harness::json {
namespace {

TEST(Number, CanonicalTextIsTheSameForEqualNumbers) {
  const std::string nines(40, '9');
  const struct {
    std::string spelling;
    std::string canonical;
  } table[] = {
      {"0", "0"},
      {"-0.00e7", "0"},
      {"1", "1"},
      {"1.0", "1"},
      {"10e-1", "1"},
      {"0.1E+1", "1"},
      {"100", "1e2"},
      {"-12", "-12"},
      {"-120", "-12e1"},
      {"-1.50", "-15e-1"},
      {"0.00120", "12e-4"},
      {"9007199254740993", "9007199254740993"},
      {"1e" + nines, "1e" + nines},
      {"10e" + nines, "1e1" + std::string(40, '0')},
      {"0.1e1" + std::string(40, '0'), "1e" + nines},
      {"10e-1" + std::string(40, '0'), "1e-" + nines},
      {"0.1e-" + nines, "1e-1" + std::string(40, '0')},
      {"1e000005", "1e5"},
      {"1e-000", "1"},
      {"0.1e1000000000000000000", "1e999999999999999999"},
      {"10e999999999999999999", "1e1000000000000000000"},
      {"10e-1", "1"},
      {"100e-1", "1e1"},
  };
  for (const auto& row : table) {
    EXPECT_EQ(decimal(row.spelling).text(), row.canonical);
    EXPECT_EQ(canonical(row.spelling), row.canonical);
    EXPECT_EQ(is_plain_integer(row.spelling),
              row.spelling.find_first_of(".eE") == std::string::npos);
  }
  EXPECT_THROW(decimal("1."), Bug);
}

TEST(Number, PrefixStopsWhereTheGrammarDoes) {
  const struct {
    const char* text;
    std::size_t length;
    bool complete;
  } table[] = {{"", 0, false},     {"-", 1, false},   {"01", 1, true},      {"1.", 2, false},
               {"1.5e", 4, false}, {"1e+", 3, false}, {"1.5e-3x", 6, true}, {"x", 0, false}};
  for (const auto& row : table) {
    EXPECT_EQ(number_prefix(row.text).length, row.length) << row.text;
    EXPECT_EQ(number_prefix(row.text).complete, row.complete) << row.text;
  }
}

TEST(Equal, ComparesAsJsonData) {
  const struct {
    const char* a;
    const char* b;
    bool equal;
  } table[] = {
      {"null", "null", true},
      {"null", "false", false},
      {"1", "1.0", true},
      {"1", "\"1\"", false},
      {"9007199254740992", "9007199254740993", false},
      {"1e999999999999", "10e999999999998", true},
      {"1e999999999999", "1e999999999998", false},
      {"-1", "1", false},
      {"[1,2]", "[2,1]", false},
      {"[1,2]", "[1,2,3]", false},
      {"{\"a\":1,\"b\":[2]}", "{\"b\":[2.0],\"a\":1}", true},
      {"{\"a\":1}", "{\"a\":1,\"b\":2}", false},
      {"{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}", false},
      {"{\"a\":0,\"a\":1}", "{\"a\":1}", true},
      {"{\"a\":1,\"a\":0}", "{\"a\":1}", false},
  };
  for (const auto& row : table) {
    EXPECT_EQ(equal(parse(row.a), parse(row.b)), row.equal) << row.a << " " << row.b;
    EXPECT_EQ(equal(parse(row.b), parse(row.a)), row.equal) << row.b << " " << row.a;
  }
}

TEST(AsInteger, ReadsWholeNumbersThatFit) {
  const struct {
    const char* text;
    std::optional<std::int64_t> value;
    bool whole;
  } table[] = {
      {"0", 0, true},
      {"-0.0", 0, true},
      {"1.0", 1, true},
      {"1e2", 100, true},
      {"-32700", -32700, true},
      {"1.5", std::nullopt, false},
      {"9223372036854775807", std::numeric_limits<std::int64_t>::max(), true},
      {"-9223372036854775808", std::numeric_limits<std::int64_t>::min(), true},
      {"9223372036854775808", std::nullopt, true},
      {"1e999999999999999999999", std::nullopt, true},
      {"1e-999999999999999999999", std::nullopt, false},
      {"\"1\"", std::nullopt, false},
  };
  for (const auto& row : table) {
    EXPECT_EQ(as_integer(parse(row.text)), row.value) << row.text;
    EXPECT_EQ(is_integer(parse(row.text)), row.whole) << row.text;
  }
}

TEST(AsDouble, GoesToInfinityOrZeroBeyondTheRange) {
  EXPECT_EQ(as_double(parse("1.5")), 1.5);
  EXPECT_EQ(as_double(parse("-2e3")), -2000.0);
  EXPECT_EQ(as_double(parse("1e400")), std::numeric_limits<double>::infinity());
  EXPECT_EQ(as_double(parse("-1e99999999999999999999")), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(as_double(parse("1e-400")), 0.0);
  EXPECT_EQ(as_double(parse("1e-99999999999999999999")), 0.0);
  EXPECT_EQ(as_double(parse("0e99999999999999999999")), 0.0);
  EXPECT_EQ(as_double(parse("1" + std::string(400, '0') + ".5")),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(as_double(parse("\"7\"")), 0.0);
}

TEST(Pointer, FindsMembersAndItems) {
  const Value value = parse(R"({"a":[{"b":1},2],"":{"":3},"m/n":4,"t~":5,"01":6})");
  const struct {
    const char* pointer;
    const char* found;  // null: nothing
  } table[] = {
      {"/a/0/b", "1"},     {"/a/1", "2"},
      {"//", "3"},         {"/m~1n", "4"},
      {"/t~0", "5"},       {"/01", "6"},
      {"/a/2", nullptr},   {"/a/01", nullptr},
      {"/a/-", nullptr},   {"/a/+1", nullptr},
      {"a", nullptr},      {"/x", nullptr},
      {"/t~", nullptr},    {"/t~2", nullptr},
      {"/a/1/b", nullptr}, {"/a/99999999999999999999", nullptr},
  };
  EXPECT_EQ(at(value, ""), &value);
  for (const auto& row : table) {
    const Value* found = at(value, row.pointer);
    ASSERT_EQ(found != nullptr, row.found != nullptr) << row.pointer;
    if (found != nullptr) {
      EXPECT_EQ(found->text, row.found) << row.pointer;
    }
  }
}

TEST(Value, SetReplacesOrAppends) {
  Value value = object({{"a", number(1)}, {"b", null()}});
  value.set("a", string("x"));
  value.set("c", array({boolean(true)}));
  EXPECT_EQ(write(value), R"({"a":"x","b":null,"c":[true]})");
  EXPECT_THROW(value.find("a")->set("d", null()), Bug);
  EXPECT_THROW(number_spelled("0x1"), Bug);
}

TEST(Write, EscapesWhatMustBeAndRepairsWhatCannotStand) {
  EXPECT_EQ(quoted("a\"\\\b\f\n\r\t\x01\x1f/é"), R"("a\"\\\b\f\n\r\t\u0001\u001f/é")");
  EXPECT_EQ(quoted("a\xFF"
                   "b\xC3"),
            "\"a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD\"");
  EXPECT_EQ(write(parse(R"( { "a" : [ 1 , { } ] } )")), R"({"a":[1,{}]})");
}

TEST(Write, PrettyIndentsByTwo) {
  EXPECT_EQ(write_pretty(parse(R"({"a":[1,2],"b":{},"c":[]})")),
            "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {},\n  \"c\": []\n}");
}

}  // namespace
}  // namespace harness::json
