// SPDX-License-Identifier: Apache-2.0
#include "fuzz/engine/journal.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fuzz/engine/attempts.h"

namespace fuzz {
namespace {

Journal of_three(std::size_t behind) {
  return {{read_script("1\n"), read_script("2\n"), read_script("3\n")}, behind};
}

std::string text(const std::vector<Script>& scripts) {
  std::string out;
  for (const Script& one : scripts) out += write_script(one);
  return out;
}

TEST(Journal, EndsWithTheScriptInQuestionUnlessAProcessEnded) {
  struct Row {
    const char* signature;
    std::size_t behind;
    const char* wanted;
  };
  const Row table[] = {
      {"model|jsonrpc.id.string-echo|the reply", 0, "1\n2\n3\n"},
      {"model|jsonrpc.id.string-echo|the reply", 1, "1\n2\n"},
      {"model|jsonrpc.id.string-echo|the reply", 2, "1\n"},
      {"silent|", 1, "1\n2\n3\n"},
      {"ended|signal 11|", 1, "1\n2\n3\n"},
  };
  for (const Row& row : table)
    EXPECT_EQ(text(of_three(row.behind).of(row.signature)), row.wanted) << row.signature;
}

TEST(Journal, SuspectsTheScriptWithAllThatWasReadBehindIt) {
  EXPECT_EQ(write_script(of_three(0).suspect()), "3\n");
  EXPECT_EQ(write_script(of_three(1).suspect()), "2\n!sync\n!answer * usual\n3\n");
}

TEST(Attempts, GetRareWhereNothingComesOfThem) {
  Attempts attempts;
  std::vector<int> worth;
  for (int i = 1; i <= 40; ++i)
    if (attempts.another("a")) worth.push_back(i);
  EXPECT_EQ(worth, (std::vector<int>{1, 2, 3, 4, 5, 6, 8, 16, 32}));
  EXPECT_TRUE(attempts.another("b"));
}

TEST(Attempts, BeginAnewWhereSomethingDid) {
  Attempts attempts;
  for (int i = 0; i < 6; ++i) attempts.another("a");
  EXPECT_FALSE(attempts.another("a"));
  attempts.succeeded("a");
  EXPECT_TRUE(attempts.another("a"));
}

}  // namespace
}  // namespace fuzz
