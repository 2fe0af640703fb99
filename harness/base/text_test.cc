// SPDX-License-Identifier: Apache-2.0
#include "harness/base/text.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

using namespace std::string_view_literals;

TEST(Utf8, AcceptsEveryWellFormedLength) {
  for (const auto text : {""sv, "plain"sv, "\0"sv, "é"sv, "€"sv, "\xF0\x9F\x98\x80"sv,
                          "\xEF\xBF\xBF"sv, "\xF4\x8F\xBF\xBF"sv, "\xED\x9F\xBF"sv}) {
    EXPECT_TRUE(is_utf8(text)) << printable(text);
  }
}

TEST(Utf8, NamesTheOffsetOfTheFirstMalformedByte) {
  const struct {
    std::string_view bytes;
    std::size_t offset;
  } table[] = {
      {"a\x80"sv, 1},           // continuation without a start
      {"\xC0\xAF"sv, 0},        // overlong in two bytes
      {"ab\xE0\x80\xAF"sv, 2},  // overlong in three
      {"\xF0\x80\x80\xAF"sv, 0},
      {"\xED\xA0\x80"sv, 0},      // surrogate
      {"\xF4\x90\x80\x80"sv, 0},  // above U+10FFFF
      {"\xF5\x80\x80\x80"sv, 0},
      {"é\xC3"sv, 2},  // cut off
      {"\xE2\x82"sv, 0},
      {"\xFF"sv, 0},
  };
  for (const auto& row : table) EXPECT_EQ(first_invalid_utf8(row.bytes), row.offset);
}

TEST(Printable, LeavesNothingATerminalCouldActOn) {
  const struct {
    std::string_view bytes;
    std::string_view shown;
  } table[] = {
      {"plain é €"sv, "plain é €"sv},
      {"a\nb\tc\rd"sv, "a\\nb\\tc\\rd"sv},
      {"\x1b[2J"sv, "\\x1b[2J"sv},
      {"\0\x7f"sv, "\\x00\\x7f"sv},
      {"\xC2\x9B"
       "2J"sv,
       "\\u{9b}2J"sv},
      {"\xE2\x80\xAEtxt"sv, "\\u{202e}txt"sv},
      {"\xE2\x80\x8B"sv, "\\u{200b}"sv},
      {"\xEF\xBB\xBF{"sv, "\\u{feff}{"sv},
      {"\xFF\xC3"sv, "\\xff\\xc3"sv},
      {"\xF3\xA0\x80\x81"sv, "\\u{e0001}"sv},
  };
  for (const auto& row : table) EXPECT_EQ(printable(row.bytes), row.shown);
}

TEST(Printable, CutsAtTheLimitWithoutSplittingACharacter) {
  EXPECT_EQ(printable("abcdef", 3), "abc … (6 bytes)");
  EXPECT_EQ(printable("abc", 3), "abc");
  EXPECT_EQ(printable("ab€", 3), "ab … (5 bytes)");
}

TEST(Nearest, SuggestsOnlyWhatResembles) {
  const std::vector<std::string> known = {"string", "number", "one-of", "each"};
  EXPECT_EQ(nearest("strng", known), "string");
  EXPECT_EQ(nearest("Number", known), "number");
  EXPECT_EQ(nearest("oneof", known), "one-of");
  EXPECT_EQ(nearest("elephant", known), "");
  EXPECT_EQ(nearest("rnu", {"list", "run"}), "run") << "letters in another order";
  EXPECT_EQ(nearest("--args", {"--allow-tools", "--arguments"}), "--arguments");
  EXPECT_EQ(nearest("ars", {"arguments", "arrows"}), "") << "it may abbreviate either";
  EXPECT_EQ(nearest("--a", {"--arena"}), "") << "too short to say anything";
  EXPECT_EQ(nearest("x", {"y"}), "");
  EXPECT_EQ(nearest("", known), "");
  EXPECT_EQ(nearest(std::string(100000, 'a'), known), "");
}

TEST(ShellQuoted, QuotesOnlyWhatTheShellWouldRead) {
  EXPECT_EQ(shell_quoted("./server"), "./server");
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("a b"), "'a b'");
  EXPECT_EQ(shell_quoted("it's $HOME"), "'it'\\''s $HOME'");
}

TEST(Glob, StarStandsForAnyRun) {
  const struct {
    std::string_view pattern;
    std::string_view text;
    bool matches;
  } table[] = {
      {"", "", true},          {"", "a", false},
      {"*", "", true},         {"*", "a/b", true},
      {"a*", "abc", true},     {"a*", "ba", false},
      {"*c", "abcc", true},    {"a*b*c", "a-b-bc", true},
      {"a*b*c", "acb", false}, {"tools/*", "tools", false},
      {"a**b", "ab", true},    {"?", "a", false},
  };
  for (const auto& row : table) {
    EXPECT_EQ(matches_glob(row.pattern, row.text), row.matches) << row.pattern << " " << row.text;
  }
  const std::string stars = std::string(2000, '*') + "b";
  EXPECT_FALSE(matches_glob(stars, std::string(20000, 'a')));
}

}  // namespace
}  // namespace harness
