// SPDX-License-Identifier: Apache-2.0
#include "fuzz/probe/schedule.h"

#include <gtest/gtest.h>

namespace fuzz {
namespace {

TEST(Schedule, GivesProbesATenth) {
  Schedule schedule(5);
  std::uint64_t probing = 0, executions = 0;
  std::size_t turns = 0;
  for (; executions < 300'000; ++executions) {
    for (std::size_t probe = 0; probe < 5; ++probe) {
      if (!schedule.due(probe, executions, true)) continue;
      const std::size_t price = 1 + ++turns % 200;
      schedule.spent(probe, executions, price);
      probing += price;
    }
  }
  EXPECT_NEAR(static_cast<double>(probing) / static_cast<double>(probing + executions), 0.1, 0.01);
}

TEST(Schedule, WaitsForSomethingNewFirst) {
  Schedule schedule(2);
  schedule.spent(1, 1000, 10);
  const std::uint64_t next = 1000 + (Schedule::kShare - 1) * 2 * 10;
  EXPECT_FALSE(schedule.due(1, next - 1, true));
  EXPECT_TRUE(schedule.due(1, next, true));
  EXPECT_FALSE(schedule.due(1, next, false));
  EXPECT_TRUE(schedule.due(1, next + Schedule::kPatience, false));
  EXPECT_TRUE(schedule.due(0, 1001, true));
}

TEST(Schedule, OffersNotEveryScriptToAProbeWithoutSuspects) {
  Schedule schedule(1);
  EXPECT_TRUE(schedule.due(0, 100, true));
  schedule.passed(0, 100);
  EXPECT_FALSE(schedule.due(0, 100 + Schedule::kStride - 1, true));
  EXPECT_TRUE(schedule.due(0, 100 + Schedule::kStride, true));
}

TEST(Schedule, LooksAtASuspectOnce) {
  Schedule schedule(1);
  EXPECT_TRUE(schedule.first_sight(7));
  EXPECT_TRUE(schedule.first_sight(8));
  EXPECT_FALSE(schedule.first_sight(7));
}

}  // namespace
}  // namespace fuzz
