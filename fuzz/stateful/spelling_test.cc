// SPDX-License-Identifier: Apache-2.0
#include "fuzz/stateful/spelling.h"

#include <gtest/gtest.h>

#include "harness/json/read.h"
#include "harness/json/write.h"

namespace fuzz {
namespace {

namespace json = harness::json;

constexpr const char* kRequest =
    R"({"jsonrpc":"2.0","id":"a-1","method":"x","params":{"n":1.0,"s":"é\"\\","l":[{"a":1,"b":[]}]}})";

TEST(Spelling, IsAnotherTextOfTheSameMessage) {
  const json::Value message = json::parse(kRequest);
  for (const std::string& text :
       {json::write(turned_round(message)), json::write(turned_round_inside(message)),
        spaced(message), escaped(message, true, false), escaped(message, false, true)}) {
    EXPECT_NE(text, kRequest);
    EXPECT_TRUE(json::equal(json::parse(text), message)) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos);
  }
}

TEST(Spelling, TurnsOneLevelOrThoseBelow) {
  const json::Value message = json::parse(R"({"a":{"b":{"c":1,"d":2},"e":3},"f":4})");
  EXPECT_EQ(json::write(turned_round(message)), R"({"f":4,"a":{"b":{"c":1,"d":2},"e":3}})");
  EXPECT_EQ(json::write(turned_round_inside(message)), R"({"a":{"e":3,"b":{"d":2,"c":1}},"f":4})");
}

TEST(Spelling, EscapesLettersWhereItIsAsked) {
  const json::Value message = json::parse(R"({"a":"b1"})");
  EXPECT_EQ(escaped(message, true, false), R"({"\u0061":"b1"})");
  EXPECT_EQ(escaped(message, false, true), R"({"a":"\u00621"})");
}

TEST(Spelling, IsDueTheResultThatOneOfThemGot) {
  EXPECT_EQ(due_answer("result", "error -32602"), "result");
  EXPECT_EQ(due_answer("error -32602", "result"), "result");
  EXPECT_EQ(due_answer("error -32602", "error -32603"), "error -32602");
}

}  // namespace
}  // namespace fuzz
