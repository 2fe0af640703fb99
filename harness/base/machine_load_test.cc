// SPDX-License-Identifier: Apache-2.0
#include "harness/base/machine_load.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

TEST(MachineLoad, IsTheWorseOfTheLastMinuteAndOfNow) {
  EXPECT_DOUBLE_EQ(load_of("8.00 2.00 1.00 1/300 4711\n", 2), 4);
  EXPECT_DOUBLE_EQ(load_of("0.50 2.00 1.00 9/300 4711\n", 3), 3);
  EXPECT_DOUBLE_EQ(load_of("0.50 0.00 0.00 1/300 4711\n", 0), 1);
}

TEST(MachineLoad, IsNoneWhereNothingIsSaid) {
  EXPECT_DOUBLE_EQ(load_of("", 2), 0);
  EXPECT_DOUBLE_EQ(load_of("no numbers", 2), 0);
}

}  // namespace
}  // namespace harness
