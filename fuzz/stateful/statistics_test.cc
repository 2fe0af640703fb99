// SPDX-License-Identifier: Apache-2.0
#include "fuzz/stateful/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fuzz/mutate/random.h"

namespace fuzz {
namespace {

// Even over -1 to 1.
double noise(Random& random) { return static_cast<double>(random.below(2001)) / 1000 - 1; }

TEST(Interval, HoldsTheMeanAsOftenAsItSays) {
  Random random(1);
  int missed = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<double> values;
    for (int i = 0; i < 8; ++i) values.push_back(5 + noise(random));
    const Interval found = interval_of(values);
    missed += found.low > 5 || found.high < 5;
  }
  EXPECT_LE(missed, 25);  // of 1000; 10 are expected
  EXPECT_GE(missed, 1);
}

TEST(Interval, OfTooFewValuesProvesNothing) {
  EXPECT_TRUE(std::isinf(interval_of({3}).low));
  EXPECT_TRUE(std::isinf(interval_of({}).high));
  EXPECT_EQ(interval_of({2, 2, 2}).low, 2);
}

std::vector<double> levels(double (*level)(int), double wobble) {
  Random random(7);
  std::vector<double> out;
  for (int i = 0; i <= 12; ++i) out.push_back(level(i) + wobble * noise(random));
  return out;
}

TEST(Growth, TellsALeakFromACacheThatFills) {
  const Growth leak = growth_of(levels([](int i) { return 1000.0 + 100 * i; }, 20));
  EXPECT_GT(leak.step.low, 0);
  EXPECT_TRUE(leak.goes_on);
  EXPECT_NEAR(leak.total, 1200, 60);
  // Full after a quarter: not even the mean is safely above nothing.
  const Growth cache = growth_of(levels([](int i) { return 1000.0 + 100 * std::min(i, 3); }, 20));
  EXPECT_FALSE(cache.goes_on);
  // Full near the end.
  const Growth late = growth_of(levels([](int i) { return 100.0 * std::min(i, 7); }, 0));
  EXPECT_FALSE(late.goes_on);
  const Growth flat = growth_of(levels([](int) { return 1000.0; }, 20));
  EXPECT_LT(flat.step.low, 0);
  // A heap that is swept now and then.
  const Growth saw = growth_of(levels([](int i) { return 100.0 * (i % 4); }, 0));
  EXPECT_LT(saw.step.low, 0);
  EXPECT_FALSE(growth_of({1, 2}).goes_on);
}

TEST(Exponent, IsThatOfTheCostOrLess) {
  Random random(3);
  for (const double exponent : {1.0, 1.1, 2.0, 3.0}) {
    std::vector<std::vector<double>> rows;
    for (int row = 0; row < 5; ++row) {
      rows.emplace_back();
      for (int doubling = 0; doubling < 3; ++doubling)
        rows.back().push_back(std::pow(2.0, exponent * doubling) * (1 + 0.05 * noise(random)));
    }
    const Interval found = exponent_of(rows);
    EXPECT_LE(found.low, exponent) << exponent;
    EXPECT_GE(found.high, exponent - 0.1) << exponent;
    EXPECT_EQ(found.low > 1.4, exponent > 1.5) << exponent;
  }
}

TEST(Exponent, IsNoneOfAJump) {
  EXPECT_LT(exponent_of({{1, 2, 60}, {1, 2, 61}, {1, 2, 62}, {1, 2, 60}}).mean, 1.4);
  EXPECT_LT(exponent_of({{1, 30, 60}, {1, 30, 61}, {1, 30, 62}, {1, 30, 60}}).mean, 1.4);
}

// Another thread on the same core makes work up to twice as dear, for as long as it likes.
TEST(Exponent, IsSeenOnABusyMachine) {
  Random random(5);
  int square = 0, straight = 0;
  for (int trial = 0; trial < 200; ++trial) {
    for (const double exponent : {1.0, 2.0}) {
      std::vector<std::vector<double>> rows(12);
      for (std::vector<double>& row : rows)
        for (int doubling = 0; doubling < 3; ++doubling)
          row.push_back(std::pow(2.0, exponent * doubling) * (1.5 + 0.5 * noise(random)));
      (exponent > 1.5 ? square : straight) += exponent_of(rows).low > 1.4;
    }
  }
  EXPECT_GE(square, 190);
  EXPECT_EQ(straight, 0);
}

TEST(Exponent, OfNoiseHasNoBound) {
  const Interval found = exponent_of({{1, 9, 2, 60}, {9, 1, 1, 1}, {5, 5, 80, 1}});
  EXPECT_LT(found.low, 1.4);
}

}  // namespace
}  // namespace fuzz
