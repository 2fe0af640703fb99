// SPDX-License-Identifier: Apache-2.0
#include "harness/base/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/text.h"

namespace harness {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

TEST(ShellWords, SplitsAtBlanksOutsideQuotes) {
  EXPECT_THAT(shell_words("-- node  server.js\t--port\n7"),
              Optional(ElementsAre("--", "node", "server.js", "--port", "7")));
  EXPECT_THAT(shell_words(R"('a b' "c d" e\ f)"), Optional(ElementsAre("a b", "c d", "e f")));
  EXPECT_THAT(shell_words(R"(a'b'"c" '' "")"), Optional(ElementsAre("abc", "", "")));
  EXPECT_THAT(shell_words("  "), Optional(IsEmpty()));
}

TEST(ShellWords, KeepsBackslashesWhereAShellDoes) {
  EXPECT_THAT(shell_words(R"('\n' "\n" "\"" \n)"), Optional(ElementsAre("\\n", "\\n", "\"", "n")));
}

TEST(ShellWords, RefusesAnOpenQuote) {
  EXPECT_FALSE(shell_words("'a b").has_value());
  EXPECT_FALSE(shell_words("a \"b'").has_value());
}

TEST(ShellWords, ReadsWhatShellQuotedWrites) {
  for (const char* word : {"plain", "two words", "it's", "\"", "\\", "$HOME", "{port}", ""})
    EXPECT_THAT(shell_words(shell_quoted(word)), Optional(ElementsAre(word))) << word;
}

TEST(Trimmed, TakesWhatIsBlankAroundText) {
  EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
  EXPECT_EQ(trimmed("a"), "a");
  EXPECT_EQ(trimmed(" \r\n"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(Joined, PutsNothingInFrontOrBehind) {
  EXPECT_EQ(joined(std::vector<std::string>{"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(joined(std::vector<std::string>{"a", "b"}, " or "), "a or b");
  EXPECT_EQ(joined(std::vector<std::string>{}), "");
}

}  // namespace
}  // namespace harness
