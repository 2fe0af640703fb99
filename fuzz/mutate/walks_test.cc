// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/walks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fuzz/mutate/testing.h"
#include "fuzz/script/steps.h"

namespace fuzz {
namespace {

bool has_close(const Script& script) {
  return std::any_of(script.steps.begin(), script.steps.end(),
                     [](const Step& step) { return std::holds_alternative<Close>(step); });
}

TEST(Walks, KnowWhatChangesAState) {
  const Vocabulary vocabulary = testing::vocabulary("mcp-2025-11-25");
  const std::vector<std::string> names = Walks(vocabulary, 1, true).names();
  for (const char* name : {"resources/subscribe", "resources/unsubscribe", "logging/setLevel",
                           "a task", "tasks/cancel of it", "calls under way", "cancel",
                           "the next page", "initialize", "the end of the session", "tools/list"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  const std::vector<std::string> alone = Walks(vocabulary, 1, false).names();
  EXPECT_EQ(std::find(alone.begin(), alone.end(), "the end of the session"), alone.end());
}

TEST(Walks, RepeatEachOperationAHundredTimesFirst) {
  const Vocabulary vocabulary = testing::vocabulary();
  Walks walks(vocabulary, 1, false);
  for (std::size_t i = 0; i < walks.operations(); ++i)
    EXPECT_GE(count_frames(walks.next()), 100u) << walks.names()[i];
  EXPECT_LT(count_frames(walks.next()), 100u);
}

TEST(Walks, HoldEachPairAndEachTripleOneByOneAndInFlight) {
  const Vocabulary vocabulary = testing::vocabulary("jsonrpc-2.0");
  Walks walks(vocabulary, 1, false);
  for (std::size_t i = 0; i < walks.operations(); ++i) walks.next();
  const std::size_t all = walks.left();
  const std::size_t k = walks.operations();
  ASSERT_EQ(all, k * k + k * k * k);
  std::size_t scripts = 0;
  const auto waits = [](const Script& script) {
    return std::count_if(script.steps.begin(), script.steps.end(),
                         [](const Step& step) { return std::holds_alternative<Sync>(step); });
  };
  for (; walks.left() > 0 && scripts < all; ++scripts) EXPECT_GT(waits(walks.next()), 0);
  EXPECT_EQ(walks.left(), 0u);
  // A walk of 24 holds 22 triples: few are wasted.
  EXPECT_LT(scripts, all / 22 * 2);
  const Script together = walks.next();
  EXPECT_EQ(waits(together), 0);
  EXPECT_TRUE(in_flight_together(together));
  EXPECT_GT(walks.left(), 0u);
}

TEST(Walks, AreTheSameForASeed) {
  const Vocabulary vocabulary = testing::vocabulary();
  Walks one(vocabulary, 7, true), same(vocabulary, 7, true), other(vocabulary, 8, true);
  bool differs = false;
  for (std::size_t i = 0; i < one.operations() + 20; ++i) {
    const Script script = one.next();
    EXPECT_EQ(script, same.next());
    differs |= script != other.next();
  }
  EXPECT_TRUE(differs);
}

TEST(Walks, EndSessionsOnlyWhereThereAreSeveral) {
  const Vocabulary vocabulary = testing::vocabulary();
  Walks several(vocabulary, 1, true), one(vocabulary, 1, false);
  bool ended = false;
  for (int i = 0; i < 200; ++i) {
    ended |= has_close(several.next());
    EXPECT_FALSE(has_close(one.next()));
  }
  EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace fuzz
