// SPDX-License-Identifier: Apache-2.0
#include "fuzz/diff/shape.h"

#include <gtest/gtest.h>

#include "harness/json/read.h"

namespace fuzz {
namespace {

namespace json = harness::json;

Shape shape(const char* text) {
  const auto reading = json::read(text);
  const auto* good = std::get_if<json::Reading>(&reading);
  EXPECT_NE(good, nullptr) << text;
  return good ? shape_of(good->value) : Shape{};
}

std::string apart(const char* a, const char* b) {
  const ShapePair told = told_apart(shape(a), shape(b));
  return told.a + " | " + told.b;
}

TEST(Shape, IsTheSameWhateverTheValuesAndTheirOrder) {
  for (const auto& [a, b] : {
           std::pair(R"({"a":1,"b":"x"})", R"({"b":"y","a":2.5})"),
           std::pair(R"([{"a":1},{"b":1}])", R"([{"b":1},{"a":1},{"a":3}])"),
           std::pair(R"({"isError":false,"content":[]})", R"({"content":[]})"),
           std::pair(R"({"_meta":{"a":1},"x":{"_meta":1}})", R"({"x":{}})"),
           std::pair(R"({"a":{"b":{"c":{"deep":1}}}})", R"({"a":{"b":{"c":{"other":"1"}}}})"),
       })
    EXPECT_EQ(apart(a, b), " | ") << a << " " << b;
}

TEST(Shape, TellsMembersAndKindsApart) {
  EXPECT_EQ(apart(R"({"a":1,"next":"x"})", R"({"a":1})"), "with next | without next");
  EXPECT_EQ(apart(R"({"a":1})", R"({"a":"1"})"), "with number as a | with string as a");
  EXPECT_EQ(apart("1", R"("1")"), "with number | with string");
  EXPECT_EQ(apart("[]", "[1]"), "without [] | with []");
  EXPECT_EQ(apart(R"([{"a":1}])", R"([{"a":1},{"a":null}])"),
            "with number as [].a | with null or number as [].a");
  EXPECT_EQ(apart(R"({"isError":true})", "{}"), "with isError | without isError");
}

TEST(Shape, TellsTheOutermostAlone) {
  EXPECT_EQ(apart(R"({"a":{"b":{"c":1}}})", "{}"), "with a | without a");
  EXPECT_EQ(apart(R"({"a":[1],"ab":1})", R"({"ab":"1"})"),
            "with a, with number as ab | without a, with string as ab");
  EXPECT_EQ(apart(R"({"a":1,"b":1,"c":1,"d":1,"e":1})", "{}"),
            "with a, with b, with c, 2 more | without a, without b, without c, 2 more");
}

TEST(Shape, IsBoundedAndPrintable) {
  std::string large = "{";
  for (int i = 0; i < 5000; ++i) large += "\"" + std::to_string(i) + "\":1,";
  EXPECT_LE(shape((large + "\"x\":1}").c_str()).size(), 500u);
  EXPECT_EQ(apart(R"({"\u001b[2J":1})", "{}"), "with \\x1b[2J | without \\x1b[2J");
}

}  // namespace
}  // namespace fuzz
