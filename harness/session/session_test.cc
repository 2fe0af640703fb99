// SPDX-License-Identifier: Apache-2.0
// The Session over a scripted Transport: what it sends, records, answers and remembers.
#include "harness/session/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/session/dialect.h"
#include "harness/transport/scripted.h"
#include "harness/transport/testing.h"

namespace harness::session {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;
using transport::Outgoing;
using transport::Scripted;

std::string joined(const Outgoing& outgoing) {
  std::string text;
  for (const std::string& write : outgoing.writes) text += write;
  return text;
}

// A reply under the id of the request that was sent; `member` is "result" or "error".
std::string reply_to(const Outgoing& request, const std::string& member) {
  const json::Value sent = json::parse(joined(request));
  return R"({"jsonrpc":"2.0","id":)" + json::write(*sent.find("id")) + "," + member + "}";
}

Scripted::Act replies(const std::string& member) {
  return [member](const Outgoing& request) {
    return std::vector<transport::Arrival>{transport::line(reply_to(request, member))};
  };
}

const char* const kAccepted =
    R"("result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s"}})";

class SessionTest : public testing::Test {
 protected:
  void begin(const char* profile, const char* transport = "stdio") {
    auto made = std::make_unique<Scripted>(transport);
    target = made.get();
    session = std::make_unique<Session>(std::move(made), *spec::find_profile(profile), "t",
                                        std::make_shared<Pace>());
  }

  template <class Story>
  void play(Story story) {
    transport::run(loop, std::move(story));
  }

  awaitable<void> take_all() {
    for (bool more = true; more;) more = co_await session->pump(Clock::now());
  }

  boost::asio::io_context loop;
  Scripted* target = nullptr;  // owned by the session
  std::unique_ptr<Session> session;
};

// --- exchanges

TEST_F(SessionTest, KeepsAnExchangeForAsLongAsItIsAskedTo) {
  begin("jsonrpc-2.0", "http");
  const auto asks = [&]() -> awaitable<void> { co_await session->send_canary(); };
  play(asks);
  EXPECT_LT(target->deadline(), Clock::now() + std::chrono::seconds(30));
  session->keep_exchanges(std::chrono::seconds(60));
  play(asks);
  EXPECT_GT(target->deadline(), Clock::now() + std::chrono::seconds(30));
}

// --- handshake

TEST_F(SessionTest, ShakesHandsAndSaysInitialized) {
  begin("mcp-2025-06-18");
  target->acts(replies(kAccepted));
  Handshake shaken;
  play([&]() -> awaitable<void> { shaken = co_await session->handshake(); });

  EXPECT_TRUE(shaken.answered);
  EXPECT_TRUE(shaken.accepted);
  ASSERT_EQ(target->sent().size(), 2u);
  const json::Value asked = json::parse(target->text(0));
  EXPECT_EQ(asked.find("method")->text, "initialize");
  EXPECT_EQ(json::at(asked, "/params/protocolVersion")->text, "2025-06-18");
  EXPECT_EQ(target->text(1), "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
  EXPECT_TRUE(session->initialized());
  EXPECT_NE(session->capabilities()->find("tools"), nullptr);
  EXPECT_EQ(session->agreed().find("protocolVersion")->text, "2025-06-18");
}

TEST_F(SessionTest, SendsNoInitializedAfterARefusal) {
  begin("mcp-2025-06-18");
  target->acts(replies(R"("error":{"code":-32602,"message":"no"})"));
  Handshake shaken;
  play([&]() -> awaitable<void> { shaken = co_await session->handshake(); });

  EXPECT_TRUE(shaken.answered);
  EXPECT_FALSE(shaken.accepted);
  EXPECT_EQ(target->sent().size(), 1u);
  EXPECT_FALSE(session->initialized());
  EXPECT_EQ(session->capabilities(), nullptr);
}

TEST_F(SessionTest, CallsAnUnansweredHandshakeUnanswered) {
  begin("mcp-2025-06-18");
  Handshake shaken;
  play([&]() -> awaitable<void> { shaken = co_await session->handshake(); });
  EXPECT_FALSE(shaken.answered);
  EXPECT_FALSE(shaken.accepted);
  EXPECT_TRUE(shaken.reply.is_null());
  EXPECT_FALSE(session->closed());
}

TEST_F(SessionTest, KnowsItIsInitializedWhenTheCaseSentTheHandshakeAsAFrame) {
  begin("mcp-2025-06-18");
  target->acts(replies(kAccepted));
  play([&]() -> awaitable<void> {
    const json::Value id = json::string("mine");
    const json::Value params = initialize_params("2025-06-18", json::object());
    const json::Value request = message(&id, "initialize", params);
    co_await session->send(request);
    co_await take_all();
  });
  EXPECT_TRUE(session->initialized());
}

TEST_F(SessionTest, HasDeclaredWhatAnyHandshakeDeclared) {
  begin("mcp-2025-06-18");
  const auto say = [&](const char* capabilities) {
    play([&]() -> awaitable<void> {
      const json::Value id = json::number(1);
      const json::Value params = initialize_params("2025-06-18", json::parse(capabilities));
      const json::Value request = message(&id, "initialize", params);
      co_await session->send(request);
    });
    return json::write(session->declared());
  };
  EXPECT_EQ(say(R"({"sampling":{}})"), R"({"sampling":{}})");
  EXPECT_EQ(say("{}"), R"({"sampling":{}})");
}

TEST_F(SessionTest, IsNotInitializedByAResultForSomethingElse) {
  begin("mcp-2025-06-18");
  target->acts(replies(kAccepted));
  play([&]() -> awaitable<void> {
    co_await session->send_canary();
    co_await take_all();
  });
  EXPECT_FALSE(session->initialized());
}

// --- replies under other ids

TEST_F(SessionTest, TakesAReplyUnderAnUnknownIdForTheAnswerAndRemembersIt) {
  begin("mcp-2025-06-18");
  target->arrives(
      {transport::line(std::string(R"({"jsonrpc":"2.0","id":"lost",)") + kAccepted + "}")});
  Handshake shaken;
  play([&]() -> awaitable<void> { shaken = co_await session->handshake(); });
  EXPECT_TRUE(shaken.accepted);
  EXPECT_TRUE(session->alters_ids());
}

// A notification was answered before it, without an id.
TEST_F(SessionTest, TakesItsOwnReplyBehindOneThatNamesNobody) {
  begin("mcp-2025-06-18");
  target->otherwise([](const Outgoing& outgoing) {
    if (outgoing.writes.front().find("\"initialize\"") == std::string::npos)
      return std::vector<transport::Arrival>();
    std::vector<transport::Arrival> both = {transport::line(R"({"jsonrpc":"2.0","result":{}})")};
    for (transport::Arrival& own : replies(kAccepted)(outgoing)) both.push_back(std::move(own));
    return both;
  });
  Handshake shaken;
  play([&]() -> awaitable<void> {
    const json::Value early = json::parse(R"({"jsonrpc":"2.0","method":"early"})");
    co_await session->send(early);
    shaken = co_await session->handshake();
  });
  EXPECT_TRUE(shaken.accepted);
  EXPECT_FALSE(session->alters_ids());
}

TEST_F(SessionTest, WaitsForItsOwnReplyBehindTheAnswerToANotification) {
  begin("mcp-2025-06-18");
  target->otherwise([](const Outgoing& outgoing) {
    if (outgoing.writes.front().find("\"initialize\"") != std::string::npos)
      return replies(kAccepted)(outgoing);
    const bool notified = outgoing.writes.front().find("\"id\"") == std::string::npos;
    return notified ? std::vector<transport::Arrival>{transport::line(
                          R"({"jsonrpc":"2.0","id":null,"result":{}})")}
                    : replies("\"result\":{}")(outgoing);
  });
  play([&]() -> awaitable<void> {
    co_await session->handshake();
    const Sent canary = co_await session->send_canary();
    const Inbound* reply = co_await session->reply_to(canary, Clock::now() + std::chrono::seconds(5));
    EXPECT_TRUE(reply != nullptr && reply->key == canary.id_key);
  });
  EXPECT_FALSE(session->alters_ids());
  EXPECT_TRUE(session->attribution().answers_notes());
}

TEST_F(SessionTest, WaitsAsLongAsForAnyReplyBehindAnErrorThatNamesNobody) {
  begin("jsonrpc-2.0");
  target->acts(replies(R"("result":1)"));  // it keeps ids
  target->arrives({transport::line(R"({"id":null,"error":{"code":-32700,"message":"m"}})")});
  Deadline until;
  target->idles([&](Deadline at) { return until = at, std::vector<transport::Arrival>(); });
  const auto ask = [&]() -> awaitable<void> {
    const Sent canary = co_await session->send_canary();
    co_await session->reply_to(canary, Clock::now() + std::chrono::seconds(50));
  };
  for (int i = 0; i < 2; ++i) play(ask);
  EXPECT_GT(until, Clock::now() + std::chrono::seconds(30));
}

TEST_F(SessionTest, DoesNotTakeTheReplyToAnotherRequestForTheAnswer) {
  begin("mcp-2025-06-18");
  // The canary is answered late: after the handshake that followed it.
  play([&]() -> awaitable<void> {
    const Sent canary = co_await session->send_canary();
    target->arrives({transport::line(R"({"jsonrpc":"2.0","id":100001,"result":{}})")});
    const Handshake shaken = co_await session->handshake();
    EXPECT_EQ(canary.id_key, wire::id_key(json::number(100001)));
    EXPECT_FALSE(shaken.answered);
  });
  EXPECT_FALSE(session->alters_ids());
}

TEST_F(SessionTest, KeepsTheIdsOfASoundTargetApart) {
  begin("mcp-2025-06-18");
  target->acts(replies(kAccepted));
  play([&]() -> awaitable<void> { co_await session->handshake(); });
  EXPECT_FALSE(session->alters_ids());
}

// --- requests of the server

suite::OwnAnswer raw(const char* text) { return {{}, {}, text}; }

struct Asked {
  suite::Answers answers;  // of the case
  const char* request;     // of the server
  const char* expected;    // what goes back; "" for nothing
};

class ServerRequests : public SessionTest, public testing::WithParamInterface<Asked> {};

TEST_P(ServerRequests, AreAnsweredAsTheCaseSays) {
  begin("mcp-2025-06-18");
  SessionOptions options;
  options.client_capabilities = json::parse(R"({"roots":{}})");
  options.answers = GetParam().answers;
  session->set_options(options);
  target->now({transport::line(GetParam().request)});
  play([&]() -> awaitable<void> { co_await take_all(); });
  const std::string expected = GetParam().expected;
  if (expected.empty()) {
    EXPECT_TRUE(target->sent().empty());
  } else {
    ASSERT_EQ(target->sent().size(), 1u);
    EXPECT_EQ(target->text(0), expected + "\n");
  }
  EXPECT_EQ(session->inbox().size(), 1u);  // kept for steps to look at
}

INSTANTIATE_TEST_SUITE_P(
    All, ServerRequests,
    testing::Values(
        Asked{{},
              R"({"jsonrpc":"2.0","id":"a","method":"ping"})",
              R"({"jsonrpc":"2.0","id":"a","result":{}})"},
        Asked{{},
              R"({"jsonrpc":"2.0","id":1,"method":"roots/list"})",
              R"({"jsonrpc":"2.0","id":1,"result":{"roots":[]}})"},
        Asked{{},
              R"({"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"})",
              R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}})"},
        Asked{{{"roots/list",
                suite::OwnAnswer{{}, json::parse(R"({"code":-1,"message":"no"})"), {}}}},
              R"({"jsonrpc":"2.0","id":2,"method":"roots/list"})",
              R"({"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"no"}})"},
        Asked{{{"roots/list", raw("not json")}},
              R"({"jsonrpc":"2.0","id":2,"method":"roots/list"})",
              "not json"},
        Asked{{{"roots/list", raw(R"({"id": ${request.id}, ${request.id})")}},
              R"({"jsonrpc":"2.0","id":"a","method":"roots/list"})",
              R"({"id": "a", "a")"},
        Asked{{{"roots/list", suite::AnswerWord::kNone}},
              R"({"jsonrpc":"2.0","id":2,"method":"roots/list"})",
              ""},
        Asked{{}, R"({"jsonrpc":"2.0","method":"notifications/message"})", ""}));

// --- strays

TEST_F(SessionTest, TakesAReplyThatWasGivenUpForAStrayAlsoInItsOwnSlice) {
  begin("mcp-2025-06-18");
  target->acts(replies(R"("result":{})"));
  session::Sent sent;
  play([&]() -> awaitable<void> {
    session->begin_slice();
    sent = co_await session->send_canary();
    co_await take_all();
  });
  EXPECT_FALSE(session->has_strays()) << "it may come at any time";
  session->attribution().give_up(sent.id_key);
  EXPECT_TRUE(session->has_strays());
  EXPECT_THAT(session->take_strays(), testing::ElementsAre(sent.id_key));
  EXPECT_FALSE(session->has_strays());
}

// --- slices

TEST_F(SessionTest, GivesEachCaseItsOwnSliceAndRemembersTheIdsBefore) {
  begin("mcp-2025-06-18");
  target->acts(replies(R"("result":{})"));
  play([&]() -> awaitable<void> {
    session->begin_slice();  // the first keeps what was there: a handshake
    co_await session->send_canary();
    co_await take_all();
  });
  const auto first = session->slice();
  ASSERT_EQ(first->frames.size(), 2u);
  EXPECT_TRUE(session->earlier_ids().empty());
  EXPECT_EQ(session->inbox().size(), 1u);
  const std::string key = wire::id_key(json::number(100001));

  session->begin_slice();
  EXPECT_TRUE(session->transcript().frames.empty());
  EXPECT_TRUE(session->inbox().empty());
  EXPECT_EQ(session->earlier_ids().size(), 1u);
  EXPECT_TRUE(session->earlier_ids().contains(key));
  EXPECT_TRUE(session->id_used(key));

  play([&]() -> awaitable<void> { co_await session->send_canary(); });
  ASSERT_EQ(session->transcript().frames.size(), 1u);
  EXPECT_EQ(session->transcript().frames[0].seq, 3u);  // numbers go on through the session
  EXPECT_EQ(first->frames.size(), 2u);                 // evidence handed out stays as it was
  EXPECT_EQ(session->transcript().profile, "mcp-2025-06-18");
  EXPECT_EQ(session->transcript().transport, wire::TransportKind::kStdio);
}

TEST_F(SessionTest, CountsIdsThatALenientServerMightReadAsEarlierOnes) {
  begin("jsonrpc-2.0");
  play([&]() -> awaitable<void> {
    std::vector<std::string> writes;
    writes.push_back("x");
    co_await session->send_text(R"({"jsonrpc":"2.0","id":41,"method":"x",})", writes, false);
    co_await session->send_text(R"({'id': 'q')", writes, false);
  });
  EXPECT_TRUE(session->earlier_ids().contains(wire::id_key(json::number(41))));
  EXPECT_TRUE(session->earlier_ids().contains(wire::id_key(json::string("q"))));
  EXPECT_FALSE(session->earlier_ids().contains(wire::id_key(json::number(42))));
}

TEST_F(SessionTest, ReadsTheIdsOfRequestsAndOfEachElementOfABatch) {
  begin("jsonrpc-2.0");
  Sent one, batch, note;
  play([&]() -> awaitable<void> {
    const json::Value request = json::parse(R"({"jsonrpc":"2.0","id":"s","method":"x"})");
    one = co_await session->send(request);
    const json::Value two = json::parse(R"([{"id":1,"method":"x"},{"id":1.5,"method":"x"},3])");
    batch = co_await session->send(two);
    const json::Value notification = json::parse(R"({"jsonrpc":"2.0","method":"x"})");
    note = co_await session->send(notification);
  });
  EXPECT_EQ(one.id_key, wire::id_key(json::string("s")));
  EXPECT_TRUE(batch.is_batch);
  EXPECT_EQ(batch.id_key, "");
  EXPECT_EQ(note.id_key, "");
  EXPECT_TRUE(session->id_used(wire::id_key(json::number(1))));
  EXPECT_TRUE(session->id_used(wire::id_key(json::number_spelled("1.5"))));
  EXPECT_FALSE(session->id_used(wire::id_key(json::number(3))));
}

TEST_F(SessionTest, RecordsAQuestionBeforeItsAnswer) {
  begin("jsonrpc-2.0");
  target->acts(replies(R"("error":{"code":-32601,"message":"no"})"));
  play([&]() -> awaitable<void> {
    co_await session->send_canary();
    co_await take_all();
  });
  const auto& frames = session->transcript().frames;
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].direction, wire::Direction::kSent);
  EXPECT_EQ(frames[1].direction, wire::Direction::kReceived);
  EXPECT_LT(frames[0].seq, frames[1].seq);
  EXPECT_LE(frames[0].time_us, frames[1].time_us);
}

TEST_F(SessionTest, SendsFramesTogetherInOneWrite) {
  begin("jsonrpc-2.0");
  std::vector<Sent> sent;
  play([&]() -> awaitable<void> {
    std::vector<Session::Written> messages;
    for (const char* text : {R"({"id":1,"method":"a"})", R"({"id":2,"method":"b"})"})
      messages.push_back({text, session->wire().frame(text)});
    messages.push_back({"half a line", "half a line", true});
    sent = co_await session->send_together(std::move(messages));
  });
  ASSERT_EQ(target->sent().size(), 1u);
  EXPECT_EQ(target->text(0),
            "{\"id\":1,\"method\":\"a\"}\n{\"id\":2,\"method\":\"b\"}\nhalf a line");
  ASSERT_EQ(sent.size(), 3u);
  EXPECT_NE(sent[0].seq, sent[1].seq);
  const auto& frames = session->transcript().frames;
  ASSERT_EQ(frames.size(), 3u);
  EXPECT_FALSE(frames[1].unframed);
  EXPECT_TRUE(frames[2].unframed);
}

// --- the end

TEST_F(SessionTest, SaysHowTheTargetEnded) {
  begin("jsonrpc-2.0");
  target->now(
      {transport::line("{}"), transport::exit_with("signal 11"), transport::closed("signal 11")});
  play([&]() -> awaitable<void> { co_await take_all(); });
  EXPECT_TRUE(session->closed());
  EXPECT_TRUE(session->exited());
  EXPECT_EQ(session->exit_status(), "signal 11");
  EXPECT_THAT(post_mortem(*session), HasSubstr("it ended with signal 11"));
}

TEST_F(SessionTest, IsNotClosedByQuiet) {
  begin("jsonrpc-2.0");
  bool more = true;
  play([&]() -> awaitable<void> { more = co_await session->pump(Clock::now()); });
  EXPECT_FALSE(more);
  EXPECT_FALSE(session->closed());
  EXPECT_EQ(post_mortem(*session), "");
}

TEST_F(SessionTest, StopsATargetThatFloods) {
  begin("jsonrpc-2.0");
  const std::string megabyte(1u << 20, 'x');
  std::vector<transport::Arrival> flood;
  for (int i = 0; i < 60; ++i) flood.push_back(transport::line(megabyte));
  target->now(std::move(flood));
  play([&]() -> awaitable<void> { co_await take_all(); });
  EXPECT_TRUE(session->closed());
  EXPECT_EQ(session->closed_how(), "flood");
  EXPECT_TRUE(session->unusable());
  EXPECT_THAT(target->signals(), ElementsAre(9));
  EXPECT_LT(session->transcript().frames.size(), 60u);
  EXPECT_FALSE(session->exited());
}

TEST_F(SessionTest, StopsATargetThatFloodsWithSmallFrames) {
  begin("jsonrpc-2.0");
  target->now(std::vector<transport::Arrival>(70'000, transport::line("x")));
  play([&]() -> awaitable<void> { co_await take_all(); });
  EXPECT_EQ(session->closed_how(), "flood");
}

TEST_F(SessionTest, LetsAnotherCaseHaveItsOwnShareOfBytes) {
  begin("jsonrpc-2.0");
  session->begin_slice();
  for (int round = 0; round < 3; ++round) {
    target->now(std::vector<transport::Arrival>(30'000, transport::line("x")));
    play([&]() -> awaitable<void> { co_await take_all(); });
    session->begin_slice();
  }
  EXPECT_FALSE(session->closed());
}

TEST_F(SessionTest, RecordsWhatWeDidToTheTarget) {
  begin("jsonrpc-2.0");
  session->close_input();
  session->send_signal(15);
  const auto& frames = session->transcript().frames;
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].bytes, "stdin");
  EXPECT_EQ(frames[1].bytes, "signal 15");
  EXPECT_TRUE(target->input_closed());
  EXPECT_THAT(target->signals(), ElementsAre(15));
  EXPECT_TRUE(session->unusable());
}

// --- HTTP

std::vector<transport::Arrival> accepted(const Outgoing& request,
                                         std::vector<wire::Header> headers) {
  return {transport::answer(200, reply_to(request, kAccepted), std::move(headers)),
          transport::end_of_exchange()};
}

std::vector<transport::Arrival> http_202(const Outgoing&) {
  return {transport::answer(202, ""), transport::end_of_exchange()};
}

std::string header(const std::vector<wire::Header>& headers, const std::string& name) {
  for (const wire::Header& one : headers)
    if (one.name == name) return one.value;
  return "(none)";
}

TEST_F(SessionTest, KeepsTheHttpSessionIdAndSendsTheAgreedVersion) {
  begin("mcp-2025-06-18", "http");
  target->acts([](const Outgoing& request) {
    return accepted(request, {{"mcp-SESSION-id", "abc"}});
  });
  target->acts(http_202);
  play([&]() -> awaitable<void> { co_await session->handshake(); });
  EXPECT_EQ(session->http_session(), "abc");
  EXPECT_EQ(header(target->headers(), "Mcp-Session-Id"), "abc");
  EXPECT_EQ(header(target->headers(), "MCP-Protocol-Version"), "2025-06-18");
}

TEST_F(SessionTest, EndsWhatTheServerKeepsOfItWhenItIsShutDown) {
  begin("mcp-2025-06-18", "http");
  for (const char* id : {"abc", "def"}) {
    target->acts([id](const Outgoing& request) {
      return accepted(request, {{"Mcp-Session-Id", id}});
    });
    target->acts(http_202);
  }
  target->otherwise(http_202);
  std::size_t said = 0;
  std::uint64_t last = 0;
  play([&]() -> awaitable<void> {
    co_await session->handshake();
    co_await session->handshake();
    said = target->sent().size();
    last = session->last_seq();
    co_await session->shutdown(milliseconds(0));
    co_await session->shutdown(milliseconds(0));
  });
  ASSERT_EQ(target->sent().size(), said + 2) << "each once";
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(target->sent()[said + i].http.method, "DELETE");
    EXPECT_EQ(header(target->sent()[said + i].http.headers, "Mcp-Session-Id"), i ? "def" : "abc");
  }
  EXPECT_EQ(session->last_seq(), last) << "it is no evidence";
}

TEST_F(SessionTest, SendsNoSessionHeaderThatTheServerDidNotGive) {
  begin("mcp-2025-06-18", "http");
  target->acts([](const Outgoing& request) { return accepted(request, {}); });
  target->acts(http_202);
  play([&]() -> awaitable<void> { co_await session->handshake(); });
  EXPECT_EQ(session->http_session(), "");
  EXPECT_EQ(header(target->headers(), "Mcp-Session-Id"), "(none)");
}

TEST_F(SessionTest, SendsNoVersionHeaderBeforeTheRevisionThatHasIt) {
  begin("mcp-2025-03-26", "http");
  target->acts([](const Outgoing& request) {
    return std::vector<transport::Arrival>{
        transport::answer(
            200,
            reply_to(request, R"("result":{"protocolVersion":"2025-03-26","capabilities":{}})")),
        transport::end_of_exchange()};
  });
  target->acts(http_202);
  play([&]() -> awaitable<void> { co_await session->handshake(); });
  EXPECT_EQ(header(target->headers(), "MCP-Protocol-Version"), "(none)");
}

TEST_F(SessionTest, RepeatsTheBodyInTheHeadersOfAStatelessRequest) {
  begin("mcp-2026-07-28", "http");
  play([&]() -> awaitable<void> {
    co_await session->send_canary();
    wire::HttpHead own;
    own.headers.push_back({"mcp-method", "another"});
    const json::Value request = json::parse(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
    co_await session->send(request, own);
  });
  EXPECT_EQ(header(target->sent()[0].http.headers, "Mcp-Method"), "server/discover");
  // What the case wrote replaces what we would send, whatever the letter case.
  EXPECT_EQ(header(target->sent()[1].http.headers, "Mcp-Method"), "(none)");
  EXPECT_EQ(header(target->sent()[1].http.headers, "mcp-method"), "another");
}

TEST_F(SessionTest, KnowsAnExchangeByItsNumberAndHowItFailed) {
  begin("mcp-2025-06-18", "http");
  target->arrives({transport::end_of_exchange("reset")});
  target->acts([](const Outgoing& request) {
    return std::vector<transport::Arrival>{transport::answer(200, "", {{"a", "b"}}),
                                           transport::event(reply_to(request, R"("result":{})")),
                                           transport::end_of_exchange()};
  });
  Sent first, second;
  play([&]() -> awaitable<void> {
    first = co_await session->send_canary();
    second = co_await session->send_canary();
    co_await take_all();
  });
  EXPECT_EQ(session->exchange(first.exchange)->failure, "reset");
  EXPECT_TRUE(session->exchange(first.exchange)->ended);
  EXPECT_EQ(session->exchange(second.exchange)->status, 200);
  EXPECT_EQ(session->exchange(second.exchange)->failure, "");
  ASSERT_EQ(session->inbox().size(), 1u);
  EXPECT_EQ(session->inbox().front().exchange, second.exchange);
  EXPECT_EQ(session->exchange(99), nullptr);
}

// --- pace

TEST_F(SessionTest, LetsAProcessBeStartedForAsLongAsOthersTook) {
  begin("jsonrpc-2.0");
  session->pace().first_answer = std::chrono::seconds(5);
  EXPECT_EQ(session->reply_time(), std::chrono::seconds(10));
  target->acts(replies(R"("result":1)"));
  play([&]() -> awaitable<void> {
    co_await session->send_canary();
    co_await take_all();
  });
  EXPECT_EQ(session->reply_time(), session->pace().reply());
  session->pace().first_answer = std::chrono::minutes(5);
  EXPECT_EQ(session->pace().first(), session->pace().timeout * 2);
}

TEST_F(SessionTest, MeasuresTheFirstAnswerToTheFirstMessageOnly) {
  begin("jsonrpc-2.0");
  EXPECT_EQ(session->pace().first_answer, microseconds(0));
  target->acts(replies(R"("result":1)"));
  play([&]() -> awaitable<void> {
    co_await session->send_canary();
    co_await take_all();
  });
  EXPECT_GT(session->pace().first_answer, microseconds(0));

  // The first was passed over: how long that was waited for says nothing of the target.
  begin("jsonrpc-2.0");
  target->acts([](const Outgoing&) { return std::vector<transport::Arrival>{}; });
  target->acts(replies(R"("result":1)"));
  play([&]() -> awaitable<void> {
    co_await session->send_canary();
    co_await session->send_canary();
    co_await take_all();
  });
  ASSERT_FALSE(session->inbox().empty());
  EXPECT_EQ(session->pace().first_answer, microseconds(0));
}

}  // namespace
}  // namespace harness::session
