// SPDX-License-Identifier: Apache-2.0
#include "harness/reference/http_sessions.h"

#include <gtest/gtest.h>

#include "harness/reference/conversation_testing.h"

namespace harness::reference {
namespace {

// Two sessions of a server, "a" and "b".
struct Two {
  explicit Two(const std::vector<std::string>& faults = {})
      : conversation("mcp-2025-11-25", faults), sessions(conversation.server().faults) {
    sessions.add("a", a);
    sessions.add("b", b);
  }
  Conversation conversation;
  std::shared_ptr<Session> a = std::make_shared<Session>(conversation.server());
  std::shared_ptr<Session> b = std::make_shared<Session>(conversation.server());
  HttpSessions sessions;
};

TEST(HttpSessions, AreFoundByTheirIdsUntilTheyEnd) {
  Two two;
  EXPECT_EQ(two.sessions.find("a"), two.a);
  EXPECT_EQ(two.sessions.find("b"), two.b);
  EXPECT_EQ(two.sessions.find("c"), nullptr);
  const EventStreamPtr stream = two.sessions.book_of(*two.a)->open(true, false);
  two.sessions.end("a", *two.a);
  EXPECT_EQ(two.sessions.find("a"), nullptr);
  EXPECT_TRUE(stream->finished);
  EXPECT_EQ(two.sessions.find("b"), two.b);
  two.sessions.end_all();
  EXPECT_EQ(two.sessions.find("b"), nullptr);
}

TEST(HttpSessions, ASecondOneReplacesTheFirstOnlyWithTheFault) {
  EXPECT_EQ(Two({"second-session-replaces-first"}).sessions.find("a"), nullptr);
}

TEST(HttpSessions, AnEventIsFoundInItsOwnSessionOnly) {
  for (const bool faulty : {false, true}) {
    Two two(faulty ? std::vector<std::string>{"resume-across-sessions"}
                   : std::vector<std::string>{});
    const auto book = two.sessions.book_of(*two.a);
    const EventStreamPtr stream = book->open(false, false);
    book->add(*stream, "first");
    book->add(*stream, "second");
    const std::string id = stream->events.back().id;
    const auto own = two.sessions.find_event(*two.a, id);
    ASSERT_TRUE(own);
    EXPECT_EQ(own->stream, stream);
    EXPECT_EQ(own->event, stream->events.back().number);
    EXPECT_EQ(two.sessions.find_event(*two.b, id).has_value(), faulty);
    EXPECT_FALSE(two.sessions.find_event(*two.a, "nothing"));
  }
}

TEST(HttpSessions, AMessageReachesTheListenersOfItsSessionOnly) {
  for (const bool faulty : {false, true}) {
    Two two(faulty ? std::vector<std::string>{"messages-reach-other-sessions"}
                   : std::vector<std::string>{});
    const EventStreamPtr ours = two.sessions.book_of(*two.a)->open(true, false);
    const EventStreamPtr theirs = two.sessions.book_of(*two.b)->open(true, false);
    two.sessions.tell_listeners(two.a.get(), "news");
    ASSERT_EQ(ours->events.size(), 1u);
    EXPECT_EQ(ours->events.front().message, "news");
    EXPECT_EQ(theirs->events.empty(), !faulty);
  }
}

}  // namespace
}  // namespace harness::reference
