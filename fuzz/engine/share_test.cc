// SPDX-License-Identifier: Apache-2.0
#include "fuzz/engine/share.h"

#include <gtest/gtest.h>

namespace fuzz {
namespace {

using std::chrono::seconds;

TEST(Share, IsAPartOfTheTimeAndWhatIsGivenFirst) {
  Share share(5, seconds(2));
  EXPECT_TRUE(share.is_open(seconds(0)));
  share.spend(seconds(2));
  EXPECT_FALSE(share.is_open(seconds(0)));
  EXPECT_EQ(share.left(seconds(1)), std::chrono::milliseconds(200));
  share.spend(seconds(3));
  EXPECT_FALSE(share.is_open(seconds(15)));
  EXPECT_EQ(share.left(seconds(20)), seconds(1));
}

TEST(Share, WaitsAsLongAsItWasOverdrawn) {
  Share share(3, seconds(0));
  share.set_spent(seconds(10));
  EXPECT_FALSE(share.is_open(seconds(30)));
  EXPECT_TRUE(share.is_open(seconds(31)));
}

TEST(Share, IsClosedToWorkThatUsuallyTakesLongerThanIsLeft) {
  Share share(2, seconds(0));
  share.spend(seconds(8));  // a quarter of it counts as usual
  EXPECT_FALSE(share.is_open(seconds(20)));
  EXPECT_TRUE(share.is_open(seconds(21)));
}

}  // namespace
}  // namespace fuzz
