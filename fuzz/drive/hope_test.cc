// SPDX-License-Identifier: Apache-2.0
#include "fuzz/drive/hope.h"

#include <gtest/gtest.h>

namespace fuzz {
namespace {

int waits(Hope& hope, int times, bool comes) {
  int waited = 0;
  for (int i = 0; i < times; ++i) {
    hope.another();
    if (!hope.worth_waiting()) continue;
    ++waited;
    hope.learn(comes);
  }
  return waited;
}

TEST(Hope, GivesUpWhatNeverComes) {
  Hope hope(3, 1);
  EXPECT_FALSE(hope.lost());
  EXPECT_EQ(waits(hope, 100, false), 3);
  EXPECT_TRUE(hope.lost());
}

TEST(Hope, WaitsNowAndThenForWhatComes) {
  Hope hope(12, 8);
  EXPECT_EQ(waits(hope, 12, true), 12);
  EXPECT_EQ(waits(hope, 80, true), 10);
}

TEST(Hope, KnowsSoonAndLooksAgainSeldom) {
  Hope hope(2, 4);
  EXPECT_FALSE(hope.comes());
  waits(hope, 2, true);
  EXPECT_TRUE(hope.comes());
  EXPECT_FALSE(hope.known());
  int unknown = 0;
  for (int i = 0; i < 64; ++i) {
    hope.another();
    unknown += !hope.known();
  }
  EXPECT_EQ(unknown, 2);
  waits(hope, 1000, false);
  EXPECT_FALSE(hope.comes());
}

TEST(Hope, WaitsLongerForWhatCameBefore) {
  Hope hope(2, 1);
  waits(hope, 3, true);
  EXPECT_EQ(waits(hope, 100, false), 2 * (1 + 3));
}

}  // namespace
}  // namespace fuzz
