// SPDX-License-Identifier: Apache-2.0
#include "harness/base/ascii.h"

#include <gtest/gtest.h>

#include <cctype>

namespace harness::ascii {
namespace {

using namespace std::string_view_literals;

// The locale of a test is "C", where the library's functions know ASCII only.
TEST(Ascii, AgreesWithTheCLocaleOnEveryByte) {
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    EXPECT_EQ(is_digit(c), std::isdigit(byte) != 0) << byte;
    EXPECT_EQ(is_upper(c), std::isupper(byte) != 0) << byte;
    EXPECT_EQ(is_lower(c), std::islower(byte) != 0) << byte;
    EXPECT_EQ(is_letter(c), std::isalpha(byte) != 0) << byte;
    EXPECT_EQ(is_alphanumeric(c), std::isalnum(byte) != 0) << byte;
    EXPECT_EQ(is_hex(c), std::isxdigit(byte) != 0) << byte;
    EXPECT_EQ(lower(c), static_cast<char>(std::tolower(byte))) << byte;
    EXPECT_EQ(upper(c), static_cast<char>(std::toupper(byte))) << byte;
    EXPECT_EQ(swapped_case(swapped_case(c)), c) << byte;
    EXPECT_EQ(swapped_case(c) != c, is_letter(c)) << byte;
  }
}

TEST(Ascii, ComparesWithoutTheCaseOfItsOwnLettersOnly) {
  const struct {
    std::string_view a;
    std::string_view b;
    bool equal;
    bool starts;
  } table[] = {
      {"", "", true, true},
      {"Content-Type", "content-TYPE", true, true},
      {"Content-Type", "Content", false, true},
      {"Content", "Content-Type", false, false},
      {"localhost", "localhosT.", false, false},
      {"É", "é", false, false},
      {"a\0b"sv, "A\0B"sv, true, true},
      {"[", "{", false, false},  // 0x20 apart as letters are
      {"@", "`", false, false},
  };
  for (const auto& row : table) {
    EXPECT_EQ(equal_ignoring_case(row.a, row.b), row.equal) << row.a << " " << row.b;
    EXPECT_EQ(starts_with_ignoring_case(row.a, row.b), row.starts) << row.a << " " << row.b;
  }
  EXPECT_EQ(lower("HTTPS://Ünï.Example"), "https://Ünï.example");
}

TEST(Ascii, ReadsHexadecimalDigits) {
  EXPECT_EQ(hex_digit('0'), 0);
  EXPECT_EQ(hex_digit('9'), 9);
  EXPECT_EQ(hex_digit('a'), 10);
  EXPECT_EQ(hex_digit('F'), 15);
  for (const char c : "gG/:@`-\xff"sv) EXPECT_EQ(hex_digit(c), -1) << c;
  const struct {
    std::string_view text;
    std::string_view bytes;
  } table[] = {
      {"", ""}, {"fF 0a", "\xff\n"}, {"e2-82-ac", "\xe2\x82\xac"}, {"4", ""}, {"4 1", "A"}};
  for (const auto& row : table) EXPECT_EQ(from_hex(row.text), row.bytes) << row.text;
}

TEST(Ascii, KnowsTheTokensOfHttp) {
  for (const auto text : {"GET"sv, "X-Api_Key.1"sv, "!#$%&'*+-.^_`|~"sv})
    EXPECT_TRUE(is_token(text)) << text;
  for (const auto text : {""sv, "a b"sv, "a:"sv, "\"a\""sv, "a\0"sv, "é"sv, "(a)"sv, "a/b"sv})
    EXPECT_FALSE(is_token(text)) << text;
}

}  // namespace
}  // namespace harness::ascii
