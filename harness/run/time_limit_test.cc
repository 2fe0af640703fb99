// SPDX-License-Identifier: Apache-2.0
#include "harness/run/time_limit.h"

#include <gtest/gtest.h>

namespace harness::run {
namespace {

using std::chrono::milliseconds;

TEST(TimeLimit, IsOverWhenRunsBeforeTookAllOfIt) {
  const TimeLimit limit(milliseconds(90'500), milliseconds(90'500));
  EXPECT_TRUE(limit.over());
  EXPECT_EQ(limit.reason(), "the time limit of 90.5 s was reached (--max-time)");
  EXPECT_GE(limit.used(), milliseconds(90'500));
}

TEST(TimeLimit, HasNoReasonWhileThereIsTime) {
  const TimeLimit limit(milliseconds(3'600'000), milliseconds(1000));
  EXPECT_FALSE(limit.over());
  EXPECT_EQ(limit.reason(), "");
}

TEST(TimeLimit, IsNoneWhenItIsZero) {
  EXPECT_FALSE(TimeLimit(milliseconds(0), milliseconds(1'000'000)).over());
}

}  // namespace
}  // namespace harness::run
