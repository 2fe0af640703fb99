// SPDX-License-Identifier: Apache-2.0
#include "harness/trace/id_change.h"

#include <gtest/gtest.h>

#include <string>

#include "harness/json/read.h"

namespace harness::trace {
namespace {

TEST(IdChange, IsReadOffTheTwoIds) {
  struct Row {
    std::string asked, came;
    Change change;
  };
  const std::string tail(300, 'a');
  const Row rows[] = {
      {"1", "\"1\"", Change::kType},
      {"\"1\"", "1", Change::kType},
      {"\"1e3\"", "1000", Change::kType},
      {"\"01\"", "1", Change::kType},
      {"\"0x10\"", "16", Change::kType},
      {"\"\"", "0", Change::kNone},
      {"{}", "[]", Change::kType},
      {"{\"a\":1}", "[]", Change::kNone},
      {"\"a\"", "0", Change::kNone},
      {"\"abc\"", "\"ABC\"", Change::kText},
      {"\"caf\u00e9\"", "\"caf\u00c3\u00a9\"", Change::kRecoded},
      {"\"caf\u00e9\"", "\"caf?\"", Change::kRecoded},
      {"\"caf\u00e9\"", "\"cafe\"", Change::kNone},
      {"\"abc\"", "\"ab\"", Change::kNone},
      {"\"" + tail + "\"", "\"aaa\"", Change::kCut},
      {"1.5", "1", Change::kFraction},
      {"1.5", "2", Change::kFraction},
      {"1.5", "3", Change::kNone},
      {"1e-400", "0", Change::kFraction},
      {"12345678901234567890.5", "12345678901234567168", Change::kFraction},
      {"9007199254740993", "9007199254740992", Change::kRounded},
      {"2147483647", "2.14748e+09", Change::kRounded},
      {"2147483647", "2.1475e+09", Change::kNone},
      {"18446744073709551615", "-1", Change::kRounded},
      {"2147483648", "-2147483648", Change::kBits},
      {"4294967297", "1", Change::kBits},
      {"4294967297", "2147483647", Change::kBits},
      {"-9007199254740991", "-2147483648", Change::kBits},
      {"4294967297", "2", Change::kNone},
      {"1e+2", "1", Change::kBits},
      {"12.0e1", "12", Change::kBits},
      {"1e+2", "10", Change::kNone},
      {"1e400", "0", Change::kRounded},
      {"1e400", "2147483647", Change::kRounded},
      {"1e400", "1", Change::kRounded},
      {"1e400", "913097", Change::kNone},
      {"9007199254740993", "1", Change::kRounded},
      {"9007199254740993", "7", Change::kNone},
      {"-9007199254740993", "-1", Change::kRounded},
      {"18446744073709551623", "7", Change::kRounded},
      {"7", "8", Change::kNone},
      {"7", "0", Change::kNone},
      {"null", "0", Change::kNone},
      {"true", "\"true\"", Change::kNone},
  };
  for (const Row& row : rows)
    EXPECT_EQ(change_from(json::parse(row.asked), json::parse(row.came)), row.change)
        << row.asked << " " << row.came;
}

TEST(IdChange, ANumberIsRoundedOnlyWhereNoDoubleHoldsIt) {
  struct Row {
    double came;
    const char* spelling;
    bool may_be;
  };
  const Row rows[] = {{9007199254740992.0, "9007199254740993", true},
                      {9007199254740990.0, "9007199254740991", false},
                      {1, "1.5", true},
                      {3, "1.5", false},
                      {0, "1e400", true},
                      {2147483647, "1e400", true},
                      {7, "1e400", false},
                      {7, "7", false}};
  for (const Row& row : rows)
    EXPECT_EQ(may_be_rounded_to(row.came, row.spelling), row.may_be) << row.spelling;
}

TEST(IdChange, TheNearerOfTwoNumbersWasRounded) {
  const json::Value came = json::parse("1.2e29"), near = json::parse("1.1e29"),
                    far = json::parse("-9e18"), text = json::parse("\"x\"");
  EXPECT_TRUE(is_nearer(near, far, came));
  EXPECT_FALSE(is_nearer(far, near, came));
  EXPECT_FALSE(is_nearer(near, text, came));
}

}  // namespace
}  // namespace harness::trace
