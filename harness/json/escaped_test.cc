// SPDX-License-Identifier: Apache-2.0
#include "harness/json/escaped.h"

#include <gtest/gtest.h>

#include <string>

#include "harness/json/read.h"
#include "harness/json/write.h"

namespace harness::json {
namespace {

TEST(EscapedForEyes, LeavesNothingATerminalActsOnAndSaysTheSame) {
  const struct {
    std::string text;
    const char* escaped;
  } kRows[] = {
      {"plain \xc3\xa9 \xf0\x9f\x98\x80", "\"plain \xc3\xa9 \xf0\x9f\x98\x80\""},
      {"\x7f", "\"\\u007f\""},
      {"\xc2\x9b", "\"\\u009b\""},
      {"a\xe2\x80\xae"
       "b\xe2\x80\xac",
       "\"a\\u202eb\\u202c\""},
      {"\xe2\x81\xa6", "\"\\u2066\""},
      {"\xf3\xa0\x80\x81", "\"\\udb40\\udc01\""},
  };
  for (const auto& row : kRows) {
    const std::string escaped = escaped_for_eyes(json::quoted(row.text));
    EXPECT_EQ(escaped, row.escaped);
    const auto read_back = read(escaped);
    ASSERT_TRUE(std::holds_alternative<Reading>(read_back));
    EXPECT_EQ(std::get<Reading>(read_back).value.text, row.text);
  }
}

}  // namespace
}  // namespace harness::json
