// SPDX-License-Identifier: Apache-2.0
#include "harness/wire/used_ids.h"

#include <gtest/gtest.h>

namespace harness::wire {
namespace {

TEST(UsedIdsTest, KnowsWhatWasUsed) {
  UsedIds ids;
  EXPECT_TRUE(ids.empty());
  EXPECT_FALSE(ids.contains("n:1"));
  EXPECT_TRUE(ids.insert("n:1"));
  EXPECT_FALSE(ids.insert("n:1"));
  EXPECT_TRUE(ids.contains("n:1"));
  EXPECT_FALSE(ids.contains("s:1"));
  EXPECT_FALSE(ids.contains("null"));
  EXPECT_TRUE(ids.insert("null"));
  EXPECT_FALSE(ids.insert("null"));
  EXPECT_TRUE(ids.contains("null"));
  EXPECT_EQ(ids.size(), 2u);
}

TEST(UsedIdsTest, CopiesAreAsTheyWereWhenMade) {
  UsedIds ids;
  ids.insert("n:1");
  const UsedIds before = ids;
  UsedIds with_null = ids;
  with_null.insert("null");
  ids.insert("n:2");
  EXPECT_FALSE(before.contains("n:2"));
  EXPECT_EQ(before.size(), 1u);
  EXPECT_TRUE(with_null.contains("null"));
  EXPECT_TRUE(with_null.contains("n:1"));
  EXPECT_FALSE(with_null.contains("n:2"));
  EXPECT_FALSE(ids.contains("null"));
}

TEST(UsedIdsTest, CopiesGoTheirOwnWay) {
  UsedIds one;
  one.insert("n:1");
  UsedIds other = one;
  one.insert("n:2");
  EXPECT_TRUE(other.insert("n:3"));
  EXPECT_TRUE(other.insert("n:2"));
  EXPECT_FALSE(one.contains("n:3"));
  one.insert("n:4");
  EXPECT_FALSE(other.contains("n:4"));
  EXPECT_TRUE(other.contains("n:1"));
  EXPECT_TRUE(other.contains("n:2"));
  EXPECT_EQ(one.size(), 3u);
  EXPECT_EQ(other.size(), 3u);
}

}  // namespace
}  // namespace harness::wire
