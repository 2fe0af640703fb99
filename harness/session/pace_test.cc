// SPDX-License-Identifier: Apache-2.0
#include "harness/session/pace.h"

#include <gtest/gtest.h>

namespace harness::session {
namespace {

TEST(Pace, GivesASlowTargetMoreTimeAndNeverMoreThanTheUserAllows) {
  Pace pace;
  EXPECT_EQ(pace.reply(), milliseconds(3000));
  for (int i = 0; i < 40; ++i) pace.measured(milliseconds(50));
  EXPECT_NEAR(static_cast<double>(pace.reply().count()), 5000, 10);
  for (int i = 0; i < 40; ++i) pace.measured(milliseconds(900));
  EXPECT_EQ(pace.reply(), pace.timeout);
}

TEST(Pace, GivesALargeMessageASecondForEachMebibyte) {
  const Pace pace;
  EXPECT_EQ(pace.reply(0, 100), pace.reply());
  EXPECT_EQ(pace.reply(0, 5u << 20), pace.reply() + milliseconds(5 * 1024));
  EXPECT_EQ(pace.reply(0, std::size_t{1} << 30), pace.reply() + pace.timeout * 2);
}

TEST(Pace, GivesABatchTheTimeOfItsRequestsWithinBounds) {
  Pace pace;
  pace.round_trip = milliseconds(1);
  EXPECT_EQ(pace.reply(2000), pace.reply() + milliseconds(2000));
  EXPECT_EQ(pace.reply(1'000'000), pace.reply() + pace.timeout * 2);
}

TEST(Pace, OneSlowMomentDoesNotSetThePace) {
  Pace pace;
  const milliseconds usual = pace.grace(true);
  pace.measured(milliseconds(800));
  EXPECT_EQ(pace.round_trip, microseconds(6'500));
  EXPECT_EQ(pace.grace(true), usual);
  pace.measured(milliseconds(0));
  EXPECT_EQ(pace.round_trip, microseconds(4'875));
  EXPECT_GT(pace.grace(true), pace.grace(false));
}

TEST(Pace, WaitsLongerForRepliesOnABusyMachineAndNoLongerForTheRest) {
  Pace pace;
  const milliseconds usual = pace.reply(), grace = pace.grace(true);
  const milliseconds large = pace.reply(0, 4 << 20);
  pace.slowdown = 3;
  EXPECT_EQ(pace.reply(), usual * 3);
  EXPECT_EQ(pace.reply(0, 4 << 20), large * 3);
  EXPECT_EQ(pace.grace(true), grace);
}

TEST(Pace, GivesAStartTwiceTheTimeOfAnEarlierOneWithinBounds) {
  Pace pace;
  const milliseconds usual = pace.to_begin();
  pace.first_answer = std::chrono::seconds(4);
  EXPECT_EQ(pace.to_begin(), usual);
  pace.first_answer = std::chrono::seconds(9);
  EXPECT_EQ(pace.to_begin(), milliseconds(18'000));
  pace.first_answer = std::chrono::minutes(9);
  EXPECT_EQ(pace.to_begin(), pace.timeout * 3);
}

TEST(Pace, WhatIsAlwaysSlowSetsThePaceWithinAFewAnswers) {
  Pace pace;
  for (int i = 0; i < 8; ++i) pace.measured(milliseconds(100));
  EXPECT_GT(pace.round_trip, milliseconds(80));
}

TEST(Pace, OthersActSoonWhereAnswersComeLate) {
  Pace pace;
  pace.round_trip = microseconds(150'000);
  EXPECT_EQ(pace.brief(), milliseconds(100));
  pace.distant = true;
  EXPECT_EQ(pace.brief(), milliseconds(10));
}

}  // namespace
}  // namespace harness::session
