// SPDX-License-Identifier: Apache-2.0
#include "fuzz/learn/automaton.h"

#include <gtest/gtest.h>

namespace fuzz {
namespace {

Automaton door() {
  return {{"open", "lock"},
          {{{1, "opened"}, {2, "locked"}}, {{1, "is open"}, {1, "cannot"}}, {{2, "cannot"}, {2, "-"}}}};
}

TEST(Automaton, AnswersWords) {
  EXPECT_EQ(door().outputs({0, 1, 0}), (Outputs{"opened", "cannot", "is open"}));
  EXPECT_EQ(door().state_after({1}), 2u);
  EXPECT_EQ(door().ways(), (std::vector<Word>{{}, {0}, {1}}));
}

TEST(Automaton, IsPutInOrder) {
  Automaton mixed = door();
  std::swap(mixed.states[1], mixed.states[2]);
  for (auto& edges : mixed.states)
    for (auto& edge : edges) edge.to = edge.to == 0 ? 0 : 3 - edge.to;
  mixed.states.push_back({{3, "never"}, {3, "never"}});
  EXPECT_EQ(in_order(mixed), door());
}

TEST(Difference, IsAShortestWord) {
  Automaton other = door();
  EXPECT_FALSE(difference(door(), other));
  other.states[2][0].output = "opened";
  EXPECT_EQ(difference(door(), other), (Word{1, 0}));
}

TEST(Changes, SayWhatAStateAnswersOtherwise) {
  Automaton after = door();
  after.states[2][0].output = "opened";
  after.states[1][1] = {2, "locked"};
  const Changes found = changes(door(), after);
  ASSERT_EQ(found.changes.size(), 2u);
  EXPECT_EQ(found.changes[0].way, (std::vector<std::string>{"open"}));
  EXPECT_EQ(found.changes[0].symbol, "lock");
  EXPECT_EQ(found.changes[0].before, "cannot");
  EXPECT_EQ(found.changes[0].after, "locked");
  EXPECT_EQ(found.changes[1].way, (std::vector<std::string>{"lock"}));
}

TEST(Changes, ComparesWhatBothKnow) {
  Automaton after = door();
  after.alphabet = {"lock", "knock"};
  for (auto& edges : after.states) edges = {edges[1], {0, "heard"}};
  const Changes found = changes(door(), after);
  EXPECT_EQ(found.gone, std::vector<std::string>{"open"});
  EXPECT_EQ(found.come, std::vector<std::string>{"knock"});
  EXPECT_TRUE(found.changes.empty());
  EXPECT_TRUE(changes(door(), door()).none());
}

}  // namespace
}  // namespace fuzz
