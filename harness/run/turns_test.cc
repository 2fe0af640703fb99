// SPDX-License-Identifier: Apache-2.0
// Who may begin when others act, and when they wait.
#include "harness/run/turns.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

namespace harness::run {
namespace {

class TurnsTest : public testing::Test {
 protected:
  // As many ask for a turn.
  void ask(int many) {
    for (int i = 0; i < many; ++i)
      boost::asio::co_spawn(
          loop,
          [this]() -> boost::asio::awaitable<void> {
            co_await turns.take();
            ++begun;
          },
          boost::asio::detached);
    settle();
  }
  void settle() {
    loop.restart();
    loop.poll();
  }

  boost::asio::io_context loop;
  Turns turns{loop.get_executor(), 2, 3};
  int begun = 0;
};

TEST_F(TurnsTest, AreAsManyAsMayAct) {
  ask(3);
  EXPECT_EQ(begun, 2);
  turns.give_back();
  settle();
  EXPECT_EQ(begun, 3);
}

TEST_F(TurnsTest, AreGivenToOthersByThoseThatWait) {
  ask(4);
  turns.waits(true);
  settle();
  EXPECT_EQ(begun, 3);
  turns.waits(true);
  turns.waits(true);
  settle();
  EXPECT_EQ(begun, 3) << "no more are in progress than may be";
  turns.waits(false);
  turns.waits(false);
  turns.waits(false);
  turns.give_back();
  settle();
  EXPECT_EQ(begun, 3) << "those that go on act again: two";
  turns.give_back();
  settle();
  EXPECT_EQ(begun, 4);
}

TEST_F(TurnsTest, AreTakenFromTheOthersByWhoJoins) {
  turns.join();
  ask(2);
  EXPECT_EQ(begun, 1);
  turns.waits(true);
  settle();
  EXPECT_EQ(begun, 2);
  turns.leave();
  turns.waits(false);
  ask(1);
  EXPECT_EQ(begun, 2) << "two act";
}

TEST_F(TurnsTest, AreNotFewerForThoseThatJoinedAndWait) {
  for (int i = 0; i < 3; ++i) {
    turns.join();
    turns.waits(true);
  }
  ask(2);
  EXPECT_EQ(begun, 2);
}

}  // namespace
}  // namespace harness::run
