// SPDX-License-Identifier: Apache-2.0
#include "harness/wire/exchange.h"

#include <gtest/gtest.h>

namespace harness::wire {
namespace {

Frame head(int status, const std::string& type, const std::string& body = "") {
  Frame frame;
  frame.channel = Channel::kHttp;
  frame.head = HttpHead{status, "", "", {{"content-type", type}}};
  frame.bytes = body;
  return frame;
}

Frame closed(const std::string& how) {
  Frame frame;
  frame.channel = Channel::kClose;
  frame.bytes = how;
  return frame;
}

TEST(Exchange, IsWhatItsFramesMakeOfIt) {
  struct Row {
    const char* what;
    std::vector<Frame> frames;
    int status;
    bool streams, ended, refused;
    const char* failure;
  };
  const Row rows[] = {
      {"nothing yet", {}, 0, false, false, false, ""},
      {"a body", {head(200, "application/json", "{}"), closed("end")}, 200, false, true, false, ""},
      {"a stream", {head(200, "text/Event-Stream; charset=utf-8")}, 200, true, false, false, ""},
      {"refused", {head(404, "text/plain")}, 404, false, false, true, ""},
      {"broken off", {closed("reset")}, 0, false, true, true, "reset"},
      {"waited for long enough", {closed("timeout")}, 0, false, true, false, "timeout"},
  };
  for (const Row& row : rows) {
    Exchange exchange;
    for (const Frame& frame : row.frames) take_in(exchange, frame, true);
    EXPECT_EQ(exchange.status, row.status) << row.what;
    EXPECT_EQ(exchange.streams, row.streams) << row.what;
    EXPECT_EQ(exchange.ended, row.ended) << row.what;
    EXPECT_EQ(exchange.refused(), row.refused) << row.what;
    EXPECT_EQ(exchange.failure, row.failure) << row.what;
  }
}

TEST(Exchange, AnEventEndsItOnlyWhereRepliesShareAStream) {
  Frame event;
  event.channel = Channel::kSse;
  event.bytes = "/messages";
  event.head = HttpHead{0, "", "", {{"event", "endpoint"}}};
  Exchange own, shared;
  take_in(own, event, true);
  take_in(shared, event, false);
  EXPECT_FALSE(own.ended);
  EXPECT_TRUE(shared.ended);
  EXPECT_EQ(shared.body, "/messages");
  EXPECT_EQ(shared.headers.back().value, "endpoint");
}

TEST(Exchange, KeepsTheBeginningOfABody) {
  Exchange exchange;
  take_in(exchange, head(200, "text/plain", std::string(1 << 20, 'x')), true);
  EXPECT_EQ(exchange.body.size(), 4096u);
}

}  // namespace
}  // namespace harness::wire
