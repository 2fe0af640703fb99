// SPDX-License-Identifier: Apache-2.0
#include "harness/run/length_limit.h"

#include <gtest/gtest.h>

#include "harness/contact/testing.h"
#include "harness/transport/testing.h"

namespace harness::run {
namespace {

using transport::Outgoing;

std::size_t length_of(const Outgoing& sent) {
  std::size_t bytes = 0;
  for (const std::string& write : sent.writes) bytes += write.size();
  return bytes;
}

// A server of plain JSON-RPC, and how often it was asked.
struct Bench {
  explicit Bench(transport::ScriptedTarget::Server answers)
      : server([this, answers = std::move(answers)](const Outgoing& sent, int number) {
          ++asked;
          return answers(sent, number);
        }) {
    pace->timeout = std::chrono::milliseconds(100);
  }

  std::optional<LengthLimit> between(std::uint64_t answered, std::uint64_t failed, int plays = 24) {
    LengthPlay play;
    play.most_plays = plays;
    play.most_time = std::chrono::minutes(1);
    play.open = [this]() -> awaitable<Result<SessionPtr>> {
      ++opened;
      auto made = server.connect();
      if (!made) co_return made.error();
      co_return std::make_unique<session::Session>(std::move(*made),
                                                   *spec::find_profile("jsonrpc-2.0"), "t", pace);
    };
    play.discard = [](SessionPtr) {};
    return transport::told<std::optional<LengthLimit>>(
        loop, [&]() -> awaitable<std::optional<LengthLimit>> {
          std::optional<LengthLimit> limit =
              co_await measure_length({answered, failed}, std::move(play));
          co_return limit;
        });
  }

  boost::asio::io_context loop;
  std::shared_ptr<session::Pace> pace = std::make_shared<session::Pace>();
  transport::ScriptedTarget server;
  int asked = 0, opened = 0;
};

TEST(LengthLimit, IsFoundToTheByte) {
  std::size_t longest = 0;
  Bench bench([&](const Outgoing& sent, int) {
    const std::size_t bytes = length_of(sent);
    if (bytes > 4000) return dies("exit 1");
    longest = std::max(longest, bytes);
    return serve({}, sent);
  });
  const std::optional<LengthLimit> limit = bench.between(100, 70000);
  ASSERT_TRUE(limit);
  EXPECT_EQ(limit->failed, limit->answered + 1);
  EXPECT_EQ(longest, 4000u) << "a message of just that length was answered";
  EXPECT_NEAR(static_cast<double>(limit->answered), 4000, 1) << "the line feed is not of it";
  EXPECT_EQ(limit->end, "exit 1");
  EXPECT_LE(bench.asked, 40) << "each with one behind it";
  EXPECT_LT(bench.opened, bench.asked) << "who answers is asked again";
}

TEST(LengthLimit, IsNarrowedDownAsFarAsThereIsTime) {
  Bench bench([](const Outgoing& sent, int) {
    return length_of(sent) > 4000 ? std::vector<transport::Arrival>() : serve({}, sent);
  });
  const std::optional<LengthLimit> limit = bench.between(100, 70000, 5);
  ASSERT_TRUE(limit);
  EXPECT_LT(limit->answered, 4000u);
  EXPECT_GT(limit->failed, 4000u);
  EXPECT_EQ(limit->end, "");
  EXPECT_EQ(bench.asked, 10);
}

TEST(LengthLimit, IsNoneWhereTheLengthDoesNoHarm) {
  Bench bench([](const Outgoing& sent, int) { return serve({}, sent); });
  const std::optional<LengthLimit> limit = bench.between(100, 70000);
  ASSERT_TRUE(limit);
  EXPECT_EQ(limit->failed, 0u);
  EXPECT_EQ(bench.asked, 2);
}

TEST(LengthLimit, IsNotMeasuredOnWhoAnswersNothing) {
  Bench bench([](const Outgoing&, int) { return std::vector<transport::Arrival>(); });
  EXPECT_FALSE(bench.between(100, 70000));
  EXPECT_EQ(bench.asked, 4);
}

}  // namespace
}  // namespace harness::run
