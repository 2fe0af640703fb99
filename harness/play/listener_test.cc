// SPDX-License-Identifier: Apache-2.0
// The Listener over a scripted Transport: whose reply is whose, and what a canary proves.
#include "harness/play/listener.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/suite/testing.h"
#include "harness/transport/scripted.h"
#include "harness/transport/testing.h"

namespace harness::run {
namespace {

using session::Session;
using testing::IsEmpty;
using testing::SizeIs;
using transport::Arrival;
using transport::Outgoing;
using transport::Scripted;

std::string reply_under(const std::string& id) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{}})";
}

// What answers the canary, and nothing else.
std::vector<Arrival> answer_ping(const Outgoing& outgoing) {
  std::vector<Arrival> arrivals;
  const std::string& text = outgoing.writes.front();
  if (text.find("\"ping\"") == std::string::npos) return arrivals;
  arrivals.push_back(transport::line(reply_under(json::write(*json::parse(text).find("id")))));
  return arrivals;
}

class ListenerTest : public testing::Test {
 protected:
  ListenerTest() {
    auto made = std::make_unique<Scripted>("stdio");
    target = made.get();
    target->otherwise(answer_ping);
    session =
        std::make_unique<Session>(std::move(made), profile, "t", std::make_shared<session::Pace>());
    listener.use(*session);
  }

  template <class Story>
  void play(Story story) {
    transport::run(loop, std::move(story));
  }

  // Sends a request and says what is to come of it.
  awaitable<Asked> ask(std::string text, const std::string& outcomes) {
    Asked asked;
    std::vector<std::string> writes(1, text + "\n");
    asked.sent = co_await session->send_text(std::move(text), std::move(writes), false);
    asked.valid_request = true;
    asked.reply = suite::outcomes_of(outcomes);
    co_return asked;
  }

  // Requests under the ids 1, 2, …, sent together.
  awaitable<std::vector<Asked>> flight_of(int count) {
    std::vector<Asked> all;
    for (int id = 1; id <= count; ++id) {
      std::string text = R"({"jsonrpc":"2.0","method":"x","id":)" + std::to_string(id) + "}";
      all.push_back(co_await ask(std::move(text), "any-reply"));
    }
    co_return all;
  }

  Reply gathered(const std::string& text, const std::string& outcomes) {
    Reply result;
    play([&]() -> awaitable<void> {
      const Asked asked = co_await ask(text, outcomes);
      result = co_await listener.gather(asked, session::Clock::now());
    });
    return result;
  }

  const spec::Profile& profile = *spec::find_profile("mcp-2025-06-18");
  const match::Shapes shapes;
  const suite::OutcomeSets no_sets;
  const match::MatchContext match{shapes, profile};
  const Judging judging{match, profile, wire::TransportKind::kStdio, no_sets,
                        spec::canary_of(profile)};
  boost::asio::io_context loop;
  Scripted* target = nullptr;  // owned by the session
  std::unique_ptr<Session> session;
  Listener listener{judging, Silence::kBelieved};
};

const char* const kRequest = R"({"jsonrpc":"2.0","id":7,"method":"tools/list"})";
const char* const kAnything = "any-reply";

TEST_F(ListenerTest, TakesTheReplyUnderTheIdAndLeavesAnotherForTheOracles) {
  target->arrives({transport::line(reply_under("8")), transport::line(reply_under("7"))});
  const Reply reply = gathered(kRequest, kAnything);
  ASSERT_THAT(reply.messages, SizeIs(1));
  EXPECT_EQ(json::write(*reply.messages[0]->message->id()), "7");
  EXPECT_FALSE(reply.canary_answered) << "nothing had to be proved";
}

// A server whose buffers the answer fills may have no room for another one yet.
TEST_F(ListenerTest, AsksNothingElseWhileALargeBatchIsWorkedOn) {
  std::string batch = "[" + std::string(kRequest);
  std::string replies = "[" + reply_under("7");
  for (int i = 1000; i < 1200; ++i) {
    batch += R"(,{"jsonrpc":"2.0","method":"a","id":)" + std::to_string(i) + "}";
    replies += "," + reply_under(std::to_string(i));
  }
  bool alone = false;
  target->arrives({transport::line(replies + "]")});
  target->acts([&](const Outgoing& outgoing) {
    alone = !session->inbox().empty();
    return answer_ping(outgoing);
  });
  Reply reply;
  play([&]() -> awaitable<void> {
    Asked asked = co_await ask(batch + "]", "{message: $array}");
    asked.valid_request = false;
    reply = co_await listener.gather(asked, session::Clock::now());
  });
  EXPECT_THAT(reply.messages, SizeIs(1));
  EXPECT_TRUE(alone) << "the canary came before the answer was there";
}

// What it says is judged all the same; that it came late is told by those waited for longer.
TEST_F(ListenerTest, TakesTheReplyOfATargetThatIsKnownToHoldRepliesBack) {
  target->otherwise([](const Outgoing& outgoing) {
    std::vector<Arrival> arrivals = answer_ping(outgoing);
    if (!arrivals.empty()) arrivals.insert(arrivals.begin(), transport::line(reply_under("7")));
    return arrivals;
  });
  EXPECT_THAT(gathered(kRequest, kAnything).messages, SizeIs(1));
  EXPECT_TRUE(listener.crossed()) << "it may only be slow";
  Listener later(judging, Silence::kBelieved);
  later.use(*session);
  session->pace().held_back = 2;
  play([&]() -> awaitable<void> {
    const Asked asked = co_await ask(kRequest, kAnything);
    const Reply reply =
        co_await later.gather(asked, session::Clock::now() + std::chrono::milliseconds(300));
    EXPECT_THAT(reply.messages, SizeIs(1));
  });
  EXPECT_FALSE(later.crossed());
}

TEST_F(ListenerTest, PassesOverLinesThatAreNoMessages) {
  target->arrives({transport::line("loading model"), transport::line("[not JSON")});
  Reply reply = gathered(kRequest, kAnything);
  ASSERT_NE(reply.garbage, nullptr) << "a broken message may be the answer";
  EXPECT_FALSE(reply.garbage->noise);

  target->arrives({transport::line("loading model")});
  reply = gathered(R"({"jsonrpc":"2.0","id":8,"method":"tools/list"})", kAnything);
  EXPECT_EQ(reply.garbage, nullptr) << "a log line answers nobody";
  EXPECT_TRUE(reply.canary_answered);
}

// Its deadline is an hour away: nobody waits for it.
TEST_F(ListenerTest, WaitsForNothingBehindAnObjectWithTheIdThatIsNoReply) {
  target->arrives({transport::line(R"({"jsonrpc":"2.0","id":7})")});
  Reply reply;
  play([&]() -> awaitable<void> {
    const Asked asked =
        co_await ask(R"({"jsonrpc":"2.0","id":7,"method":"tools/list"})", "{pass: [error]}");
    const session::Deadline deadline = session::Clock::now() + std::chrono::hours(1);
    reply = co_await listener.gather(asked, deadline);
  });
  EXPECT_THAT(reply.messages, IsEmpty());
  EXPECT_NE(reply.garbage, nullptr);
  EXPECT_TRUE(reply.canary_answered);
}

TEST_F(ListenerTest, TakesAReplyUnderAForeignIdWhenThereIsNoOther) {
  target->arrives({transport::line(reply_under("\"7\""))});
  const Reply reply = gathered(kRequest, kAnything);
  ASSERT_THAT(reply.messages, SizeIs(1));
  EXPECT_EQ(json::write(*reply.messages[0]->message->id()), "\"7\"");
}

TEST_F(ListenerTest, LeavesTheReplyToAnEarlierCaseAlone) {
  Reply reply;
  play([&]() -> awaitable<void> {
    session->begin_slice();
    co_await ask(kRequest, kAnything);
    session->begin_slice();
    target->arrives({transport::line(reply_under("7")),
                     transport::line(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700}})")});
    Asked asked = co_await ask("{", kAnything);
    asked.valid_request = false;
    reply = co_await listener.gather(asked, session::Clock::now());
  });
  ASSERT_THAT(reply.messages, SizeIs(1));
  EXPECT_TRUE(reply.messages[0]->message->id()->is_null());
}

TEST_F(ListenerTest, TakesTheReplyUnderAnIdThatGarbageHolds) {
  Reply reply;
  play([&]() -> awaitable<void> {
    session->begin_slice();
    target->arrives({transport::line(reply_under("7"))});
    Asked asked = co_await ask(R"({"id":7,)", kAnything);
    asked.valid_request = false;
    reply = co_await listener.gather(asked, session::Clock::now());
  });
  EXPECT_THAT(reply.messages, SizeIs(1));
}

TEST_F(ListenerTest, ProvesAnExpectedSilenceByTheCanary) {
  const Reply reply = gathered(R"({"jsonrpc":"2.0","method":"x"})", "silence");
  EXPECT_THAT(reply.messages, IsEmpty());
  EXPECT_TRUE(reply.canary_answered);
  EXPECT_FALSE(listener.believed());
}

TEST_F(ListenerTest, BelievesAnUnexpectedSilenceUntilALatecomer) {
  Reply reply;
  bool contradicted = false;
  play([&]() -> awaitable<void> {
    Asked asked = co_await ask("{", R"({"error":{"code":-32700}})");
    asked.valid_request = false;
    reply = co_await listener.gather(asked, session::Clock::now());
    const bool believed = listener.believed();
    EXPECT_TRUE(believed);
    target->now({transport::line(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700}})")});
    contradicted = co_await listener.hear_latecomers();
  });
  EXPECT_THAT(reply.messages, IsEmpty());
  EXPECT_TRUE(reply.canary_answered);
  EXPECT_TRUE(contradicted);
  EXPECT_FALSE(listener.believed()) << "it was waited out";
}

TEST_F(ListenerTest, WaitsBehindTheCanaryOfATargetThatAnswersOutOfOrder) {
  session->pace().overtaken = 2;
  bool came = false;
  target->idles([&](session::Deadline) -> std::vector<transport::Arrival> {
    if (std::exchange(came, true)) return {};
    return {transport::line(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700}})")};
  });
  Reply reply;
  play([&]() -> awaitable<void> {
    Asked asked = co_await ask("{", R"({"error":{"code":-32700}})");
    asked.valid_request = false;
    reply = co_await listener.gather(asked, session::Clock::now());
  });
  EXPECT_TRUE(reply.canary_answered);
  EXPECT_THAT(reply.messages, SizeIs(1));
}

TEST_F(ListenerTest, IsBeliedByALateReplyUnderAnIdOfTheCaseWhenItHearsOut) {
  Listener thorough{judging, Silence::kHeardOut};
  thorough.use(*session);
  bool contradicted = false;
  play([&]() -> awaitable<void> {
    Asked asked = co_await ask(R"({"jsonrpc":"1.0","id":7})", R"({"error":{}})");
    asked.valid_request = false;
    co_await thorough.gather(asked, session::Clock::now());
    target->now({transport::line(R"({"jsonrpc":"2.0","id":7,"error":{"code":-32600}})")});
    contradicted = co_await thorough.hear_latecomers();
  });
  EXPECT_TRUE(contradicted);
}

TEST_F(ListenerTest, KnowsALateReplyToAMessageThatLackedItsOwn) {
  const char* const may = R"({"pass":["silence",{"separate":[{"$any":true}]}]})";
  for (const auto& [patient, expected] :
       {std::pair(false, R"({"error":{}})"), {true, R"({"error":{}})"}, {false, may}}) {
    Listener one{judging, patient ? Silence::kWaitedOut : Silence::kHeardOut};
    one.use(*session);
    play([&]() -> awaitable<void> {
      Asked asked = co_await ask("[" + std::string(kRequest) + "]", expected);
      asked.valid_request = false;
      co_await one.gather(asked, session::Clock::now());
      Asked other = co_await ask(R"({"jsonrpc":"2.0","method":"x"})", "silence");
      co_await one.gather(other, session::Clock::now());
      target->now({transport::line(R"([{"jsonrpc":"2.0","id":7,"result":{}}])")});
      co_await session->pump(session::Clock::now() + std::chrono::seconds(5));
      const session::Inbound& last = session->inbox().back();
      const int before = session->pace().overtaken;
      EXPECT_TRUE(one.is_late(last));
      EXPECT_GT(session->pace().overtaken, before);
    });
    EXPECT_EQ(one.crossed(), !patient) << "what was waited out stands";
  }
}

// The requests of a batch have as long as they would have alone; that is waited for once, at the
// end.
TEST_F(ListenerTest, HearsOutABatchUntilItsRequestsHadTheirTime) {
  Listener thorough{judging, Silence::kHeardOut};
  thorough.use(*session);
  const session::Deadline due = session::Clock::now() + std::chrono::hours(1);
  play([&]() -> awaitable<void> {
    Asked asked = co_await ask("[" + std::string(kRequest) + "]", R"({"error":{}})");
    asked.valid_request = false;
    const Reply reply = co_await thorough.gather(asked, due);
    EXPECT_TRUE(reply.messages.empty());
  });
  EXPECT_TRUE(thorough.believed());
  EXPECT_EQ(thorough.hear_until(), due);
}

// Text that is no JSON may have been taken for a request, and its answer for that to the next text.
TEST_F(ListenerTest, HearsOutTextThatIsLawfullyNotAnswered) {
  Listener thorough{judging, Silence::kHeardOut};
  thorough.use(*session);
  play([&]() -> awaitable<void> {
    Asked asked = co_await ask("{", kAnything);
    asked.valid_request = false;
    co_await thorough.gather(asked, session::Clock::now());
  });
  EXPECT_TRUE(thorough.believed());
}

TEST_F(ListenerTest, SaysThatAReplyWithoutAnIdMayBeThatToAnEarlierFrame) {
  const char* const outcome = R"({"error":{"code":-32700}})";
  const auto refusal = [] {
    return transport::line(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700}})");
  };
  play([&]() -> awaitable<void> {
    Asked first = co_await ask("{", outcome);
    first.valid_request = false;
    co_await listener.gather(first, session::Clock::now());
    EXPECT_FALSE(listener.crossed());
    Asked second = co_await ask("[", outcome);
    second.valid_request = false;
    target->now({refusal()});
    const Reply reply = co_await listener.gather(second, session::Clock::now());
    EXPECT_EQ(reply.messages.size(), 1U);
  });
  EXPECT_TRUE(listener.crossed());
}

TEST_F(ListenerTest, CallsASilentTargetFailed) {
  target->otherwise([](const Outgoing&) { return std::vector<Arrival>{}; });
  const Reply reply = gathered(kRequest, kAnything);
  EXPECT_THAT(reply.messages, IsEmpty());
  EXPECT_FALSE(reply.canary_answered);
  EXPECT_TRUE(listener.canary_failed());
}

TEST_F(ListenerTest, KeepsAReplyForTheStepThatAwaitsIt) {
  Reply reply;
  play([&]() -> awaitable<void> {
    const Asked early = co_await ask(kRequest, kAnything);
    listener.put_off("early", early);
    target->arrives({transport::line(reply_under("7"))});
    const Asked asked = co_await ask(R"({"jsonrpc":"2.0","id":9,"method":"x"})", kAnything);
    reply = co_await listener.gather(asked, session::Clock::now());
  });
  EXPECT_THAT(reply.messages, IsEmpty()) << "the reply under 7 is awaited elsewhere";
  EXPECT_TRUE(listener.take_up("early").has_value());
  EXPECT_FALSE(listener.take_up("early").has_value());
}

TEST_F(ListenerTest, SharesTheRepliesToOneIdAmongTheFramesThatBearIt) {
  std::vector<Reply> replies;
  play([&]() -> awaitable<void> {
    std::vector<Asked> all;
    all.push_back(co_await ask(kRequest, kAnything));
    all.push_back(co_await ask(kRequest, kAnything));
    target->now({transport::line(reply_under("7")), transport::line(reply_under("7"))});
    replies = co_await listener.gather_flight(all, session::Clock::now() + std::chrono::seconds(1));
  });
  ASSERT_THAT(replies, SizeIs(2));
  EXPECT_THAT(replies[0].messages, SizeIs(1));
  EXPECT_THAT(replies[1].messages, SizeIs(1));
}

// Their deadline is an hour away: nobody waits for it.
TEST_F(ListenerTest, TakesObjectsWithTheIdsOfAFlightForAllThatComes) {
  std::vector<Reply> replies;
  play([&]() -> awaitable<void> {
    const std::vector<Asked> all = co_await flight_of(2);
    target->now({transport::line(R"({"jsonrpc":"2.0","id":2})"),
                 transport::line(R"({"jsonrpc":"2.0","id":1})")});
    replies = co_await listener.gather_flight(all, session::Clock::now() + std::chrono::hours(1));
  });
  ASSERT_THAT(replies, SizeIs(2));
  for (std::size_t i = 0; i < replies.size(); ++i) {
    ASSERT_NE(replies[i].garbage, nullptr);
    EXPECT_EQ(replies[i].garbage->message->key, wire::id_key(json::number(i + 1)));
  }
}

// Nor is one waited for behind as many errors without an id as replies are missing.
TEST_F(ListenerTest, SharesErrorsWithoutAnIdAmongTheFramesOfAFlight) {
  const std::string error = R"({"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"x"}})";
  std::vector<Reply> replies;
  play([&]() -> awaitable<void> {
    const std::vector<Asked> all = co_await flight_of(3);
    target->now(
        {transport::line(error), transport::line(reply_under("1")), transport::line(error)});
    replies = co_await listener.gather_flight(all, session::Clock::now() + std::chrono::hours(1));
  });
  ASSERT_THAT(replies, SizeIs(3));
  for (const Reply& reply : replies) EXPECT_THAT(reply.messages, SizeIs(1));
  EXPECT_EQ(json::write(*replies[0].messages[0]->message->id()), "1");
}

TEST_F(ListenerTest, FindsTheRepliesOfAFlightInAnyOrder) {
  std::vector<Reply> replies;
  play([&]() -> awaitable<void> {
    const std::vector<Asked> all = co_await flight_of(3);
    target->now({transport::line(reply_under("3")), transport::line(reply_under("1"))});
    replies = co_await listener.gather_flight(all, session::Clock::now());
  });
  ASSERT_THAT(replies, SizeIs(3));
  EXPECT_THAT(replies[0].messages, SizeIs(1));
  EXPECT_THAT(replies[1].messages, IsEmpty());
  EXPECT_EQ(json::write(*replies[2].messages[0]->message->id()), "3");
  EXPECT_TRUE(replies[1].canary_answered);
}

// --- HTTP+SSE: a status for each POST, the replies on one stream

class ListenerOverSse : public ListenerTest {
 protected:
  ListenerOverSse() {
    auto made = std::make_unique<Scripted>("http+sse");
    target = made.get();
    target->otherwise([](const Outgoing& outgoing) {
      std::vector<Arrival> arrivals{transport::answer(202, "Accepted"),
                                    transport::end_of_exchange()};
      for (Arrival& arrival : answer_ping(outgoing))
        arrivals.push_back(transport::event(std::get<wire::Frame>(arrival).bytes));
      return arrivals;
    });
    session =
        std::make_unique<Session>(std::move(made), profile, "t", std::make_shared<session::Pace>());
    listener.use(*session);
  }
};

const char* const kAsk = R"({"jsonrpc":"2.0","id":"a","method":"tools/list"})";
const char* const kAnyReply = "any-reply";

TEST_F(ListenerOverSse, TheReplyIsTheOneOnTheStream) {
  target->arrives({transport::answer(202, "Accepted"), transport::end_of_exchange(),
                   transport::event(reply_under("\"a\""))});
  const Reply reply = gathered(kAsk, kAnyReply);
  EXPECT_THAT(reply.messages, SizeIs(1));
  EXPECT_EQ(reply.http, nullptr);
  EXPECT_EQ(reply.garbage, nullptr);
}

TEST_F(ListenerOverSse, WhatComesInTheBodyOfAPostIsNoReply) {
  target->arrives({transport::answer(200, reply_under("\"a\"")), transport::end_of_exchange()});
  const Reply reply = gathered(kAsk, kAnyReply);
  EXPECT_THAT(reply.messages, IsEmpty());
  EXPECT_TRUE(reply.canary_answered);
}

TEST_F(ListenerOverSse, ARefusedPostIsAnswered) {
  target->arrives({transport::answer(400, "no"), transport::end_of_exchange()});
  const Reply reply = gathered(kAsk, kAnyReply);
  EXPECT_THAT(reply.messages, IsEmpty());
  ASSERT_NE(reply.http, nullptr);
  EXPECT_EQ(reply.http->status, 400);
  EXPECT_FALSE(reply.canary_answered);  // nobody had to ask
}

TEST_F(ListenerOverSse, TheErrorThatComesWithARefusalBelongsToIt) {
  const char* error = R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}})";
  target->arrives({transport::answer(400, error), transport::end_of_exchange()});
  const Reply reply = gathered(kAsk, kAnyReply);
  EXPECT_THAT(reply.messages, SizeIs(1));
  ASSERT_NE(reply.http, nullptr);
}

}  // namespace
}  // namespace harness::run
