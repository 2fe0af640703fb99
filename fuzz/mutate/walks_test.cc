// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutate/walks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fuzz/mutate/mutate_testing.h"
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
  const std::size_t before = walks.left();
  walks.next();
  EXPECT_LT(walks.left(), before);
}

std::ptrdiff_t waits(const Script& script) {
  return std::count_if(script.steps.begin(), script.steps.end(),
                       [](const Step& step) { return std::holds_alternative<Sync>(step); });
}

TEST(Walks, HoldEachPairAndEachTripleInFlightAndOneByOne) {
  const Vocabulary vocabulary = testing::vocabulary("jsonrpc-2.0");
  Walks walks(vocabulary, 1, false);
  for (std::size_t i = 0; i < walks.operations(); ++i) walks.next();
  const std::size_t k = walks.operations();
  ASSERT_EQ(walks.left(), 2 * (k * k + k * k * k));
  std::size_t together = 0, one_by_one = 0;
  while (walks.left() > 0 && together + one_by_one < k * k * k) {
    const Script script = walks.next();
    EXPECT_TRUE(waits(script) > 0 || in_flight_together(script));
    ++(waits(script) > 0 ? one_by_one : together);
  }
  EXPECT_EQ(walks.left(), 0u);
  // A walk of 24 holds 22 triples: few are wasted.
  EXPECT_LT(one_by_one, k * k * k / 22 * 5 / 4);
  EXPECT_LE(together, one_by_one * 2);
}

// Whoever asks for tools in many ways meets each order of methods long before each order of ways.
TEST(Walks, HoldEachTripleOfNamesInFlightFirst) {
  for (const char* profile : {"mcp-2025-06-18", "mcp-2025-11-25"}) {
    const Vocabulary vocabulary = testing::vocabulary(profile);
    Walks walks(vocabulary, 1, false);
    std::set<std::string> names;
    for (const std::string& one : walks.names())
      if (one != "the next page" && !one.ends_with(" of it")) names.insert(one);
    for (std::size_t i = 0; i < walks.operations(); ++i) walks.next();
    const std::size_t all = names.size() * names.size() * names.size();
    ASSERT_EQ(walks.names_left(), all);
    std::size_t scripts = 0;
    // A walk of 64 holds 62 triples, and one of four is one by one: few are wasted.
    for (; walks.names_left() > 0 && scripts < all; ++scripts) walks.next();
    EXPECT_LT(scripts, all / 25) << profile;
    EXPECT_GT(walks.left(), all) << profile;
  }
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
