// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/async_event.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>

namespace harness::transport {
namespace {

using std::chrono_literals::operator""ms;

struct Waiting {
  explicit Waiting(boost::asio::io_context& io) : event(io.get_executor()) {}
  AsyncEvent event;
  int woken = 0;
};

boost::asio::awaitable<void> wait(std::shared_ptr<Waiting> waiting, Deadline deadline) {
  const bool notified = co_await waiting->event.wait(deadline);
  waiting->woken += notified ? 1 : 10;
}

TEST(BellTest, WakesWhoWaits) {
  boost::asio::io_context io;
  auto waiting = std::make_shared<Waiting>(io);
  for (int i = 0; i < 2; ++i)
    boost::asio::co_spawn(io, wait(waiting, Deadline::max()), boost::asio::detached);
  io.poll();
  waiting->event.notify_all();
  io.poll();
  EXPECT_EQ(waiting->woken, 2);
}

TEST(BellTest, WakesAtTheDeadlineAndWhenClosed) {
  boost::asio::io_context io;
  auto waiting = std::make_shared<Waiting>(io);
  boost::asio::co_spawn(io, wait(waiting, Clock::now() + 1ms), boost::asio::detached);
  io.run();
  EXPECT_EQ(waiting->woken, 10);
  boost::asio::co_spawn(io, wait(waiting, Deadline::max()), boost::asio::detached);
  io.restart();
  io.poll();
  waiting->event.close();
  io.poll();
  EXPECT_EQ(waiting->woken, 20);
}

TEST(BellTest, WhoWaitsForAnOwnBellEndsWithTheContext) {
  std::weak_ptr<Waiting> left;
  {
    boost::asio::io_context io;
    auto waiting = std::make_shared<Waiting>(io);
    left = waiting;
    boost::asio::co_spawn(io, wait(std::move(waiting), Deadline::max()), boost::asio::detached);
    io.poll();
    EXPECT_FALSE(left.expired());
  }
  EXPECT_TRUE(left.expired());
}

TEST(BellTest, MayOutliveTheContext) {
  auto io = std::make_unique<boost::asio::io_context>();
  AsyncEvent event(io->get_executor());
  EXPECT_TRUE(io->poll() == 0);
  io.reset();
}

}  // namespace
}  // namespace harness::transport
