// SPDX-License-Identifier: Apache-2.0
#include "harness/transport/sse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace harness::transport {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "event|id|data", with ~ in front when the stream broke off in it.
std::string shown(const SseEvent& e) {
  return (e.terminated ? "" : "~") + e.event.value_or("") + "|" + e.id.value_or("") + "|" + e.data;
}

// Gives the stream in pieces of `size` bytes.
std::vector<std::string> events(std::string_view stream, std::size_t size = 1u << 20) {
  SseSplitter splitter(1u << 20);
  std::vector<std::string> out;
  for (; !stream.empty(); stream.remove_prefix(std::min(size, stream.size()))) {
    splitter.give(stream.substr(0, size));
    while (auto event = splitter.next()) out.push_back(shown(*event));
  }
  if (auto event = splitter.rest()) out.push_back(shown(*event));
  return out;
}

TEST(SseSplitter, ReadsTheSameEventsHoweverTheStreamIsCut) {
  const std::string stream =
      "\xEF\xBB\xBF"
      "data: {\"a\":1}\n\n"
      ": a comment\r\n"
      "event: message\r\nid: 7\r\ndata: one\r\ndata:two\r\ndata\r\n\r\n"
      "id: only\n\n"
      "data: by cr\r\r"
      "data:  two spaces\nunknown: x\n\n"
      "data: broken off";
  const auto expected = ElementsAre("||{\"a\":1}", "message|7|one\ntwo\n", "||by cr",
                                    "|| two spaces", "~||broken off");
  for (std::size_t size : {1u, 2u, 3u, 5u, 1000u}) EXPECT_THAT(events(stream, size), expected);
}

TEST(SseSplitter, ABlockWithoutDataIsNoEvent) {
  EXPECT_THAT(events("event: ping\n\n\n\n: hello\n\n"), IsEmpty());
  EXPECT_THAT(events("data:\n\n"), ElementsAre("||"));
}

TEST(SseSplitter, ShowsAnIdWithANul) {
  EXPECT_THAT(events(std::string_view("id: a\0b\ndata: x\n\n", 17)),
              ElementsAre(std::string("|a\0b|x", 6)));
}

TEST(SseSplitter, ShowsARetryTimeTheStreamEndsWith) {
  SseSplitter splitter(100);
  splitter.give("data: x\n\nretry: 250\n\n");
  EXPECT_EQ(splitter.next()->data, "x");
  EXPECT_FALSE(splitter.next());
  const auto last = splitter.rest();
  ASSERT_TRUE(last);
  EXPECT_EQ(last->retry, "250");
  EXPECT_TRUE(last->terminated);
}

TEST(SseSplitter, ShowsTheRetryTimeWithTheNextEvent) {
  SseSplitter splitter(100);
  splitter.give("retry: 250\n\ndata: x\n\ndata: y\n\n");
  EXPECT_EQ(splitter.next()->retry, "250");
  EXPECT_EQ(splitter.next()->retry, std::nullopt);
}

TEST(SseSplitter, CutsALongEventAndTellsItsLength) {
  SseSplitter splitter(10);
  const std::string stream =
      "data: " + std::string(500, 'x') + "\ndata: " + std::string(20, 'y') + "\n\ndata: next\n\n";
  splitter.give(stream);
  auto event = splitter.next();
  EXPECT_EQ(event->data, "xxxxxxxxxx");
  EXPECT_EQ(event->size, 521u);
  EXPECT_EQ(splitter.next()->data, "next");
}

}  // namespace
}  // namespace harness::transport
