// SPDX-License-Identifier: Apache-2.0
// What may be open at one time, and who gets it first.
#include "harness/contact/quota.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <map>
#include <string>

namespace harness::run {
namespace {

class QuotaTest : public testing::Test {
 protected:
  void take(const std::string& who, Demand wanted) {
    boost::asio::co_spawn(
        loop,
        [this, who, wanted]() -> boost::asio::awaitable<void> {
          leases[who] = co_await quota.take(wanted);
        },
        boost::asio::detached);
    settle();
  }
  void give_back(const std::string& who) {
    leases.erase(who);
    settle();
  }
  void settle() {
    loop.restart();
    loop.poll();
  }
  std::string holders() const {
    std::string out;
    for (const auto& [who, lease] : leases) out += lease ? who : "";
    return out;
  }

  boost::asio::io_context loop;
  Quota quota{loop.get_executor(), {4, 6}};
  std::map<std::string, Quota::Lease> leases;
};

TEST_F(QuotaTest, BoundsSessionsAndConnections) {
  take("a", {3, 1});
  take("b", {2, 1});
  EXPECT_EQ(holders(), "a") << "sessions";
  give_back("a");
  EXPECT_EQ(holders(), "b");
  take("c", {1, 6});
  EXPECT_EQ(holders(), "b") << "connections";
  give_back("b");
  EXPECT_EQ(holders(), "c");
}

TEST_F(QuotaTest, LetsWhoWantsLittlePassByWhoWaitsForMuch) {
  take("a", {2, 1});
  take("b", {3, 1});
  take("c", {1, 1});
  EXPECT_EQ(holders(), "ac");
  EXPECT_TRUE(quota.has({1, 4}));
  EXPECT_FALSE(quota.has({2, 1}));
  EXPECT_FALSE(quota.has({0, 5}));
  EXPECT_TRUE(quota.wanted());
  give_back("a");
  EXPECT_EQ(holders(), "bc");
  EXPECT_FALSE(quota.wanted());
}

TEST_F(QuotaTest, TellsWhoWantsSomeThatSomethingWasGivenBack) {
  take("a", {1, 6});
  int changes = 0;
  const auto wait = [&]() -> boost::asio::awaitable<void> {
    const bool changed = co_await quota.changes();
    changes += changed;
  };
  boost::asio::co_spawn(loop, wait, boost::asio::detached);
  settle();
  EXPECT_EQ(changes, 0);
  EXPECT_TRUE(quota.wanted());
  EXPECT_FALSE(quota.has({1, 201})) << "all that there may be, not more";
  give_back("a");
  EXPECT_EQ(changes, 1);
  EXPECT_TRUE(quota.has({1, 201}));
}

TEST_F(QuotaTest, GivesWhoWantsMoreThanThereIsAll) {
  take("a", {9, 99});
  EXPECT_EQ(holders(), "a");
  take("b", {1, 0});
  EXPECT_EQ(holders(), "a");
  give_back("a");
  EXPECT_EQ(holders(), "b");
}

TEST_F(QuotaTest, CountsWhatIsOpenBeside) {
  quota.beside(3);
  take("a", {2, 1});
  EXPECT_EQ(holders(), "");
  quota.beside(-1);
  settle();
  EXPECT_EQ(holders(), "a");
}

TEST_F(QuotaTest, IsOutlivedByItsLeases) {
  Quota::Lease lease;
  {
    Quota gone(loop.get_executor(), {1, 1});
    lease = gone.seize({1, 1});
    EXPECT_FALSE(gone.has({1, 0}));
  }
  EXPECT_TRUE(lease);
  lease.give_back();
  EXPECT_FALSE(lease);
}

}  // namespace
}  // namespace harness::run
