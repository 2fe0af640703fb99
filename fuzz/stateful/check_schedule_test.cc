// SPDX-License-Identifier: Apache-2.0
#include "fuzz/stateful/check_schedule.h"

#include <gtest/gtest.h>

namespace fuzz {
namespace {

TEST(CheckSchedule, GivesChecksATenth) {
  CheckSchedule schedule(5);
  std::uint64_t checking = 0, executions = 0;
  std::size_t turns = 0;
  for (; executions < 300'000; ++executions) {
    for (std::size_t check = 0; check < 5; ++check) {
      if (!schedule.due(check, executions, true)) continue;
      const std::size_t price = 1 + ++turns % 200;
      schedule.spent(check, executions, price);
      checking += price;
    }
  }
  EXPECT_NEAR(static_cast<double>(checking) / static_cast<double>(checking + executions), 0.1,
              0.01);
}

TEST(CheckSchedule, WaitsForSomethingNewFirst) {
  CheckSchedule schedule(2);
  schedule.spent(1, 1000, 10);
  const std::uint64_t next = 1000 + (CheckSchedule::kShare - 1) * 2 * 10;
  EXPECT_FALSE(schedule.due(1, next - 1, true));
  EXPECT_TRUE(schedule.due(1, next, true));
  EXPECT_FALSE(schedule.due(1, next, false));
  EXPECT_TRUE(schedule.due(1, next + CheckSchedule::kPatience, false));
  EXPECT_TRUE(schedule.due(0, 1001, true));
}

TEST(CheckSchedule, OffersNotEveryScriptToACheckWithoutSuspects) {
  CheckSchedule schedule(1);
  EXPECT_TRUE(schedule.due(0, 100, true));
  schedule.passed(0, 100);
  EXPECT_FALSE(schedule.due(0, 100 + CheckSchedule::kStride - 1, true));
  EXPECT_TRUE(schedule.due(0, 100 + CheckSchedule::kStride, true));
}

TEST(CheckSchedule, LooksAtASuspectOnce) {
  CheckSchedule schedule(1);
  EXPECT_TRUE(schedule.first_sight(7));
  EXPECT_TRUE(schedule.first_sight(8));
  EXPECT_FALSE(schedule.first_sight(7));
}

}  // namespace
}  // namespace fuzz
