// SPDX-License-Identifier: Apache-2.0
#include "harness/trace/assignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace harness::trace {
namespace {

std::int64_t total(const std::vector<std::vector<std::int64_t>>& costs,
                   const std::vector<std::size_t>& columns) {
  std::int64_t sum = 0;
  for (std::size_t row = 0; row < costs.size(); ++row) sum += costs[row][columns[row]];
  return sum;
}

TEST(Assignment, TakesTheCheapestEvenWhereEachRowWantsTheSame) {
  EXPECT_THAT(cheapest_assignment({{1, 2}, {1, 9}}), testing::ElementsAre(1u, 0u));
  EXPECT_THAT(cheapest_assignment({{5}}), testing::ElementsAre(0u));
  EXPECT_TRUE(cheapest_assignment({}).empty());
}

TEST(Assignment, IsAsCheapAsTheBestOfAllOrders) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const std::size_t size = 1 + random() % 6;
    std::vector<std::vector<std::int64_t>> costs(size, std::vector<std::int64_t>(size));
    for (auto& row : costs)
      for (std::int64_t& cost : row)
        cost = static_cast<int>(random() % 4) * (random() % 3 ? 1 : 1000);
    std::vector<std::size_t> order(size);
    std::iota(order.begin(), order.end(), 0u);
    std::int64_t best = total(costs, order);
    while (std::next_permutation(order.begin(), order.end())) {
      best = std::min(best, total(costs, order));
    }
    const auto found = cheapest_assignment(costs);
    EXPECT_THAT(std::vector<std::size_t>(found), testing::WhenSorted(testing::ElementsAreArray([&] {
                  std::iota(order.begin(), order.end(), 0u);
                  return order;
                }())));
    EXPECT_EQ(total(costs, found), best);
  }
}

}  // namespace
}  // namespace harness::trace
