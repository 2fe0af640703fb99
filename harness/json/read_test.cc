// SPDX-License-Identifier: Apache-2.0
#include "harness/json/read.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "harness/base/result.h"
#include "harness/json/write.h"

namespace harness::json {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

std::string repeated(std::string_view unit, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += unit;
  return out;
}

TEST(Read, KeepsNumbersOrderAndDuplicatesAsWritten) {
  const struct {
    std::string_view text;
    std::string_view written;
  } table[] = {
      {"null", "null"},
      {" [ true , false ] ", "[true,false]"},
      {"{\"b\":1,\"a\":2}", "{\"b\":1,\"a\":2}"},
      {"[1,1.0,10e-1,-0,0.0,1E+2]", "[1,1.0,10e-1,-0,0.0,1E+2]"},
      {"9007199254740993", "9007199254740993"},
      {"[12345678901234567890123, 5]", "[12345678901234567890123,5]"},
      {"[1e400,-1e400 ,1e-400,7]", "[1e400,-1e400,1e-400,7]"},
      {"{\"a\":1e9999999999999999999999,\"b\":1}", "{\"a\":1e9999999999999999999999,\"b\":1}"},
      {"\"a\\u0041\\n\\/\\u00e9\"", "\"aA\\n/é\""},
      {"\"\\uD83D\\uDE00\"", "\"\xF0\x9F\x98\x80\""},
      {"\"1e400 -5 \\\"12345678901234567890\\\"\"", "\"1e400 -5 \\\"12345678901234567890\\\"\""},
      {"\"\x7f\"", "\"\x7f\""},
      {"\"\\u0000\"", "\"\\u0000\""},
      {"{\"a\":1,\"a\":2}", "{\"a\":1,\"a\":2}"},
      {"{\"\":{},\"x\":[]}", "{\"\":{},\"x\":[]}"},
      {"\"\xE2\x80\xA8\"", "\"\xE2\x80\xA8\""},
  };
  for (const auto& row : table) {
    const auto outcome = read(row.text);
    const auto* reading = std::get_if<Reading>(&outcome);
    ASSERT_NE(reading, nullptr) << row.text << ": " << std::get<ReadError>(outcome).reason;
    EXPECT_EQ(write(reading->value), row.written);
  }
}

TEST(Read, RefusesWhatTheGrammarDoesNotAllowAndSaysWhere) {
  const struct {
    std::string_view text;
    std::size_t offset;
    std::string_view reason;
  } table[] = {
      {"", 0, "the text holds no value"},
      {"  \n", 3, "the text holds no value"},
      {"\xEF\xBB\xBF{}", 0, "a byte order mark precedes the value"},
      {"{} x", 3, "something follows the end of the value"},
      {"1 2", 2, "something follows the end of the value"},
      {"12345678901234567890 2", 21, "something follows the end of the value"},
      {"{}\0"sv, 2, "a NUL byte is outside of a string"},
      {"\0"sv, 0, "a NUL byte is outside of a string"},
      {"[1,\0]"sv, 3, "a NUL byte is outside of a string"},
      {"\"a\0b\""sv, 2, "a control character in a string is not escaped"},
      {"\"a\nb\"", 2, "a control character in a string is not escaped"},
      {"\"a\x1f\"", 2, "a control character in a string is not escaped"},
      {"[\"text of many characters, \\n then \x1a and more of them\"]", 35,
       "a control character in a string is not escaped"},
      {"\"text of many characters \x1e and no end", 25,
       "a control character in a string is not escaped"},
      {"[} \"text of many characters \x1f\"", 1, "a value was expected"},
      {"\"abc", 4, "the text ends inside a string"},
      {"\"\\x\"", 1, "a backslash starts no known escape"},
      {"\"\\u12G4\"", 1, "\\u must be followed by four hexadecimal digits"},
      {"[1,]", 3, "a value was expected"},
      {"[1 2]", 3, "a comma or a closing bracket was expected"},
      {"{\"a\":1,}", 7, "a member name in double quotes was expected"},
      {"{a:1}", 1, "a member name in double quotes was expected"},
      {"{\"a\" 1}", 5, "a colon was expected after the member name"},
      {"{\"a\":1 \"b\":2}", 7, "a comma or a closing brace was expected"},
      {"01", 1, "something follows the end of the value"},
      {"[1.]", 3, "a digit was expected after the decimal point"},
      {"[1e]", 3, "a digit was expected in the exponent"},
      {"+1", 0, "a value was expected"},
      {".5", 0, "a value was expected"},
      {"-", 1, "the text ends where a value was expected"},
      {"NaN", 0, "a value was expected"},
      {"[Infinity]", 1, "a value was expected"},
      {"'a'", 0, "a value was expected"},
      {"12-3e4", 2, "something follows the end of the value"},
      {"[184467-4073700955161616]", 7, "a comma or a closing bracket was expected"},
      {"[1.-2e3]", 3, "a digit was expected after the decimal point"},
      {"[1e--2e3]", 4, "a digit was expected in the exponent"},
      {"--2e3", 1, "a value was expected"},
      {"[1]//c", 3, "something follows the end of the value"},
  };
  for (const auto& row : table) {
    const auto outcome = read(row.text);
    const auto* error = std::get_if<ReadError>(&outcome);
    ASSERT_NE(error, nullptr) << row.text;
    EXPECT_EQ(error->fault, ReadFault::kSyntax) << row.text;
    EXPECT_EQ(error->offset, row.offset) << row.text;
    EXPECT_EQ(error->reason, row.reason) << row.text;
  }
}

TEST(Read, RefusesEveryTruncationOfAnObject) {
  const std::string text = R"({"a":[1.5e3,"x\u00e9",true,null],"b":{"c":false}})";
  ASSERT_TRUE(std::holds_alternative<Reading>(read(text)));
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_TRUE(std::holds_alternative<ReadError>(read(text.substr(0, length)))) << length;
  }
}

TEST(Read, ReportsBytesThatAreNotUtf8) {
  const auto outcome = read("[\"\xED\xA0\x80\"]");
  const auto& error = std::get<ReadError>(outcome);
  EXPECT_EQ(error.fault, ReadFault::kEncoding);
  EXPECT_EQ(error.offset, 2U);
}

TEST(Read, TakesUnpairedSurrogatesAndRemarksOnThem) {
  const struct {
    std::string_view text;
    std::string_view value;
    bool lone;
  } table[] = {
      {R"("\ud800")", "\xEF\xBF\xBD", true},
      {R"("\uDC00x")", "\xEF\xBF\xBDx", true},
      {R"("\ud800\ud83d\ude00")", "\xEF\xBF\xBD\xF0\x9F\x98\x80", true},
      {R"("\ud800\u0041")",
       "\xEF\xBF\xBD"
       "A",
       true},
      {R"("\ud83d\ude00")", "\xF0\x9F\x98\x80", false},
      {R"("\\ud800")", "\\ud800", false},
      {R"("\ufffd")", "\xEF\xBF\xBD", false},
  };
  for (const auto& row : table) {
    const auto outcome = read(row.text);
    const auto* reading = std::get_if<Reading>(&outcome);
    ASSERT_NE(reading, nullptr) << row.text;
    EXPECT_EQ(reading->value.text, row.value) << row.text;
    EXPECT_EQ(reading->lone_surrogate, row.lone) << row.text;
  }
  EXPECT_TRUE(std::holds_alternative<ReadError>(read(R"("\ud800\u00")")));
}

TEST(Read, NamesTheFirstRepeatedMember) {
  const auto duplicate = [](std::string_view text) {
    return std::get<Reading>(read(text)).duplicate_name;
  };
  EXPECT_EQ(duplicate(R"({"a":1,"b":2})"), "");
  EXPECT_EQ(duplicate(R"({"a":1,"b":2,"b":3,"a":4})"), "b");
  EXPECT_EQ(duplicate(R"([{"x":{"id":1,"\u0069d":2}}])"), "id");
  EXPECT_EQ(duplicate(R"({"":1,"":2})"), "\"\"");
  EXPECT_EQ(std::get<Reading>(read(R"({"a":1,"a":2})")).value.find("a")->text, "2");
}

TEST(Read, StopsAtTheDepthLimit) {
  const auto nested = [](std::size_t depth) { return repeated("[", depth) + repeated("]", depth); };
  EXPECT_TRUE(std::holds_alternative<Reading>(read(nested(512))));
  const auto outcome = read(nested(513));
  EXPECT_EQ(std::get<ReadError>(outcome).fault, ReadFault::kTooDeep);
  EXPECT_EQ(std::get<ReadError>(outcome).offset, 512U);
  EXPECT_TRUE(std::holds_alternative<Reading>(read("[[{}]]", {.max_depth = 3})));
  EXPECT_TRUE(std::holds_alternative<ReadError>(read("[[{}]]", {.max_depth = 2})));
}

TEST(Read, StopsAtTheValueLimit) {
  EXPECT_EQ(std::get<Reading>(read("[1,{\"a\":2}]")).values, 4U);
  EXPECT_TRUE(std::holds_alternative<Reading>(read("[1,2]", {.max_values = 3})));
  const auto outcome = read("[1,2,3]", {.max_values = 3});
  EXPECT_EQ(std::get<ReadError>(outcome).fault, ReadFault::kTooDeep);
  EXPECT_EQ(std::get<ReadError>(outcome).reason, "it holds more than 3 values");
  const auto huge = read("[" + repeated("1,", 5'000'000) + "1]");
  EXPECT_EQ(std::get<ReadError>(huge).reason, "it holds more than 250000 values");
}

TEST(Read, HostileSizesStayLinear) {
  const auto start = std::chrono::steady_clock::now();
  const auto deep = read(repeated("[", 1'000'000));
  EXPECT_EQ(std::get<ReadError>(deep).fault, ReadFault::kTooDeep);
  const auto deep_objects = read(repeated("{\"a\":", 200'000));
  EXPECT_EQ(std::get<ReadError>(deep_objects).fault, ReadFault::kTooDeep);

  const auto numbers = read("[" + repeated("1e999,", 200'000) + "0]");
  EXPECT_EQ(std::get<Reading>(numbers).value.items.size(), 200'001U);
  EXPECT_EQ(std::get<Reading>(numbers).value.items[199'999].text, "1e999");

  const std::string digits(1'000'000, '7');
  EXPECT_EQ(std::get<Reading>(read(digits)).value.text, digits);
  EXPECT_TRUE(std::holds_alternative<ReadError>(read(digits + ".")));

  const auto surrogates = read("\"" + repeated("\\ud800", 200'000) + "\"");
  EXPECT_TRUE(std::get<Reading>(surrogates).lone_surrogate);

  std::string members = "{";
  for (int i = 0; i < 100'000; ++i) members += "\"" + std::to_string(i) + "\":0,";
  EXPECT_EQ(std::get<Reading>(read(members + "\"7\":1}")).duplicate_name, "7");
  EXPECT_TRUE(std::holds_alternative<ReadError>(read(repeated("-", 1'000'000))));
  // Generous for a sanitizer build; anything quadratic takes minutes.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Parse, ThrowsForOurOwnMistakes) {
  EXPECT_EQ(parse("[1]").items[0].text, "1");
  EXPECT_THROW(parse("[1"), Bug);
}

TEST(Opens, CountsWhatIsOpenOutsideStrings) {
  EXPECT_TRUE(opens(R"({"a":[[)", 3));
  EXPECT_FALSE(opens(R"({"a":[[)", 4));
  EXPECT_FALSE(opens(R"([]][{"[[\"[":1})", 3)) << "brackets in a string, and behind their end";
}

}  // namespace
}  // namespace harness::json
