// SPDX-License-Identifier: Apache-2.0
// Streams that end before the response: which are resumed, and what comes of them.
#include "harness/session/resumption.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "harness/json/read.h"
#include "harness/session/session.h"
#include "harness/transport/scripted.h"
#include "harness/transport/testing.h"

namespace harness::session {
namespace {

using transport::Arrival;
using transport::Scripted;

wire::HttpHead fields(std::vector<wire::Header> headers) {
  wire::HttpHead head;
  head.headers = std::move(headers);
  return head;
}

Arrival event_of(std::string data, std::vector<wire::Header> headers) {
  Arrival arrival = transport::event(std::move(data));
  std::get<wire::Frame>(arrival).head = fields(std::move(headers));
  return arrival;
}

TEST(ResumptionTest, GoesOnWhereAnUnansweredStreamWithEventIdsEnded) {
  const Resumption::Time now{};
  Resumption streams;
  streams.asked(1, "n1");
  EXPECT_FALSE(streams.ended(1, now)) << "no event had an id";
  streams.take_event(1, fields({{"id", "a"}}));
  streams.take_event(1, fields({{"retry", "200"}}));
  EXPECT_TRUE(streams.ended(1, now));
  const auto due = streams.next();
  ASSERT_TRUE(due);
  EXPECT_EQ(due->last_id, "a");
  EXPECT_EQ(due->at, now + std::chrono::milliseconds(200));
  streams.resumed(*due, 7);
  EXPECT_FALSE(streams.next());
  EXPECT_EQ(streams.origin(7), 1);
  EXPECT_EQ(streams.current(1), 7);
  streams.answered(1, "n1");
  EXPECT_FALSE(streams.ended(1, now)) << "it was answered";
  EXPECT_FALSE(streams.ended(2, now)) << "nothing was asked there";
}

TEST(ResumptionTest, ASessionResumesAStreamForTheResponse) {
  auto made = std::make_unique<Scripted>("http");
  Scripted* target = made.get();
  Session session(std::move(made), *spec::find_profile("mcp-2025-11-25"), "t",
                  std::make_shared<Pace>());
  const Arrival head = transport::answer(200, "", {{"Content-Type", "text/event-stream"}});
  target->arrives({head, event_of("", {{"id", "1-0"}}), event_of("", {{"retry", "0"}}),
                   transport::end_of_exchange()});
  target->arrives({head, event_of(R"({"jsonrpc":"2.0","id":100001,"result":{}})", {{"id", "1-1"}}),
                   transport::end_of_exchange()});
  boost::asio::io_context loop;
  const Inbound* reply = nullptr;
  transport::run(loop, [&]() -> awaitable<void> {
    const Sent sent = co_await session.send_canary();
    reply = co_await session.reply_to(sent, Clock::now() + std::chrono::seconds(5));
  });
  ASSERT_NE(reply, nullptr);
  EXPECT_EQ(reply->exchange, 1) << "of the POST";
  ASSERT_EQ(target->sent().size(), 2u);
  EXPECT_EQ(target->sent()[1].http.method, "GET");
  EXPECT_EQ(*target->sent()[1].http.header("Last-Event-ID"), "1-0");
}

}  // namespace
}  // namespace harness::session
