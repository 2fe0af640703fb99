// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "fuzz/executor/adaptive_wait.h"

namespace fuzz {
namespace {

int waits(AdaptiveWait& wait, int times, bool comes) {
  int waited = 0;
  for (int i = 0; i < times; ++i) {
    wait.another();
    if (!wait.worth_waiting()) continue;
    ++waited;
    wait.learn(comes);
  }
  return waited;
}

TEST(AdaptiveWait, GivesUpWhatNeverComes) {
  AdaptiveWait wait(3, 1);
  EXPECT_FALSE(wait.lost());
  EXPECT_EQ(waits(wait, 100, false), 3);
  EXPECT_TRUE(wait.lost());
}

TEST(AdaptiveWait, WaitsNowAndThenForWhatComes) {
  AdaptiveWait wait(12, 8);
  EXPECT_EQ(waits(wait, 12, true), 12);
  EXPECT_EQ(waits(wait, 80, true), 10);
}

TEST(AdaptiveWait, KnowsSoonAndLooksAgainSeldom) {
  AdaptiveWait wait(2, 4);
  EXPECT_FALSE(wait.comes());
  waits(wait, 2, true);
  EXPECT_TRUE(wait.comes());
  EXPECT_FALSE(wait.known());
  int unknown = 0;
  for (int i = 0; i < 64; ++i) {
    wait.another();
    unknown += !wait.known();
  }
  EXPECT_EQ(unknown, 2);
  waits(wait, 1000, false);
  EXPECT_FALSE(wait.comes());
}

TEST(AdaptiveWait, WaitsLongerForWhatCameBefore) {
  AdaptiveWait wait(2, 1);
  waits(wait, 3, true);
  EXPECT_EQ(waits(wait, 100, false), 2 * (1 + 3));
}

}  // namespace
}  // namespace fuzz
