// SPDX-License-Identifier: Apache-2.0
#include "fuzz/schedule/interleaving.h"

#include <gtest/gtest.h>

#include <set>

namespace fuzz {
namespace {

Move send(std::size_t call, std::size_t session = 1) { return {MoveKind::kSend, call, session}; }
Move await(std::size_t call, std::size_t session = 1) { return {MoveKind::kAwait, call, session}; }

Flight calls(std::size_t count) {
  Flight out;
  for (std::size_t i = 0; i < count; ++i) {
    out.calls.push_back({"call " + std::to_string(i), "cancel " + std::to_string(i)});
    out.strands.push_back({send(i), await(i)});
  }
  return out;
}

std::string text(const Flight& scenario, const Order& order, Gap gap = {}) {
  return write_script(to_script(scenario, order, [&] { return gap; }));
}

TEST(Orders, AreOneForEachOrderOfStrandsWhereNothingIsPreempted) {
  EXPECT_EQ(orders(calls(2), 0, 100).size(), 2u);
  EXPECT_EQ(orders(calls(3), 0, 100).size(), 6u);
}

TEST(Orders, AreAllThereAreOverAllNumbersOfPreemptions) {
  const Flight scenario = calls(3);
  std::set<std::string> all;
  std::size_t count = 0;
  for (int preemptions = 0; preemptions <= 6; ++preemptions)
    for (const Order& order : orders(scenario, preemptions, 1000)) {
      ++count;
      all.insert(text(scenario, order));
    }
  EXPECT_EQ(count, 90u);  // 6! / (2! 2! 2!)
  EXPECT_EQ(all.size(), 90u);
}

TEST(Orders, LeaveACallInFlightWithOnePreemption) {
  const std::vector<Order> found = orders(calls(2), 1, 100);
  const Order wanted = {send(0), send(1), await(1), await(0)};
  EXPECT_NE(std::find(found.begin(), found.end(), wanted), found.end());
  for (const Order& order : found) EXPECT_NE(order[1], await(order[0].call));
}

TEST(Orders, CancelNothingThatWasNotCalled) {
  Flight scenario = calls(1);
  scenario.strands.push_back({{MoveKind::kCancel, 0, 1}});
  scenario.strands.push_back({{MoveKind::kCut, 0, 1}});
  for (int preemptions = 0; preemptions < 4; ++preemptions)
    for (const Order& order : orders(scenario, preemptions, 100)) EXPECT_EQ(order[0], send(0));
}

TEST(Orders, AreNoMoreThanWereAskedFor) { EXPECT_EQ(orders(calls(3), 2, 7).size(), 7u); }

TEST(DrawOrder, MakesEveryMoveOnceAndIsTheSameForASeed) {
  const Flight scenario = calls(3);
  std::set<std::string> drawn;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random one(seed), other(seed);
    const Order order = draw_order(scenario, 2, one);
    EXPECT_EQ(order.size(), 6u);
    EXPECT_EQ(order, draw_order(scenario, 2, other));
    drawn.insert(text(scenario, order));
  }
  EXPECT_GT(drawn.size(), 20u);
}

TEST(DrawOrder, EndsWhereAMoveHasNothingToActOn) {
  Flight scenario = calls(1);
  scenario.strands.push_back({{MoveKind::kCut, 0, 2}});
  Random random(1);
  EXPECT_EQ(draw_order(scenario, 1, random).size(), 2u);
}

TEST(ToScript, SaysAScheduleAsText) {
  Flight scenario = calls(2);
  scenario.holds = true;
  const Order order = {send(0),  send(1, 2), {MoveKind::kCancel, 0, 1}, {MoveKind::kRelease, 0, 2},
                       await(1), await(0),   {MoveKind::kCut, 0, 2}};
  EXPECT_EQ(text(scenario, order, {GapKind::kApart}),
            "!answer * held\ncall 0\n!pause 0\n!session 2\ncall 1\n!pause 0\n!session 1\n"
            "cancel 0\n!pause 0\n!session 2\n!release first\n!await 2\n!await 1\n!cut\n");
  EXPECT_EQ(text(scenario, {send(0), send(1)}, {GapKind::kPause, 7}),
            "!answer * held\ncall 0\n!pause 7\ncall 1\n");
  EXPECT_EQ(text(scenario, {send(0), send(1)}, {GapKind::kArrival}),
            "!answer * held\ncall 0\n!arrival\ncall 1\n");
}

}  // namespace
}  // namespace fuzz
