// SPDX-License-Identifier: Apache-2.0
// The Pool over a scripted target: which sessions are new, and which are used again.
#include "harness/contact/pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/contact/testing.h"
#include "harness/transport/testing.h"

namespace harness::run {
namespace {

using suite::Need;
using testing::HasSubstr;

constexpr const char* kAgreed =
    R"("result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s"}})";

class PoolTest : public testing::Test {
 protected:
  PoolTest() { target.command = {"scripted"}; }

  void begin(const char* profile = "mcp-2025-06-18", Service service = {}) {
    pool = std::make_unique<Pool>(loop.get_executor(), target, std::make_shared<session::Pace>(),
                                  std::move(service), 2, [this] { return server.connect(); });
    pool->settle_on({spec::find_profile(profile), json::null()});
  }

  Result<SessionPtr> try_connect(Need need, SessionHistory history,
                                 const json::Value& client_capabilities = json::null()) {
    return transport::told<Result<SessionPtr>>(loop, [&]() -> awaitable<Result<SessionPtr>> {
      Result<SessionPtr> opened = co_await pool->connect(need, client_capabilities, history);
      co_return std::move(opened);
    });
  }

  SessionPtr connect(Need need, SessionHistory history = SessionHistory::kAny,
                     const json::Value& client_capabilities = json::null()) {
    Result<SessionPtr> opened = try_connect(need, history, client_capabilities);
    EXPECT_TRUE(opened) << opened.error().text();
    return std::move(*opened);
  }

  SessionPtr begin_again(Need need, const json::Value& client_capabilities = json::null(),
                         SessionPtr* left = nullptr,
                         SessionHistory history = SessionHistory::kAny) {
    SessionPtr none;
    return transport::told<SessionPtr>(loop, [&]() -> awaitable<SessionPtr> {
      SessionPtr begun =
          co_await pool->begin_again(need, client_capabilities, history, left ? *left : none);
      co_return std::move(begun);
    });
  }

  // Lets what goes on in the background come to its end.
  void run_out() {
    loop.restart();
    loop.poll();
  }

  boost::asio::io_context loop;
  target::Target target;
  Methods methods{{"initialize", kAgreed}, {"ping", R"("result":{})"}};
  bool ends = false;  // its process does, whatever is said to it
  transport::ScriptedTarget server{[this](const transport::Outgoing& sent, int) {
    return ends ? dies("exit 1") : serve(methods, sent);
  }};
  std::unique_ptr<Pool> pool;
};

const json::Value kSampling = json::object({{"sampling", json::object()}});

// A session of the first need is given back; the second may get it, or a new one.
TEST_F(PoolTest, UsesAgainWhatTheNeedOfTheNextCaseAllows) {
  struct Row {
    const char* what;
    Need first, second;
    SessionHistory history;
    bool again;
  };
  for (const Row& row : {
           Row{"a disposable case takes what had its handshake", Need::kFresh, Need::kDisposable,
               SessionHistory::kAny, true},
           Row{"also when it wants a quiet one", Need::kFresh, Need::kDisposable,
               SessionHistory::kQuiet, true},
           Row{"but not when nothing may have been said", Need::kFresh, Need::kDisposable,
               SessionHistory::kNone, false},
           Row{"a bare case takes what had no handshake", Need::kBare, Need::kBare,
               SessionHistory::kAny, true},
           Row{"but not when nothing may have been said", Need::kBare, Need::kBare,
               SessionHistory::kNone, false},
           Row{"a disposable case shakes hands on it", Need::kBare, Need::kDisposable,
               SessionHistory::kAny, true},
           Row{"a bare case cannot undo a handshake", Need::kFresh, Need::kBare,
               SessionHistory::kAny, false},
           Row{"a fresh case never shares", Need::kFresh, Need::kFresh, SessionHistory::kAny,
               false},
           Row{"nor one with a handshake to come", Need::kBare, Need::kFresh, SessionHistory::kAny,
               false},
           Row{"the sessions that cases share are new", Need::kReady, Need::kReady,
               SessionHistory::kAny, false},
       }) {
    begin();
    SessionPtr first = connect(row.first);
    const std::uint64_t number = first->number();
    pool->give_back(std::move(first));
    const SessionPtr second = connect(row.second, row.history);
    EXPECT_EQ(second->number() == number, row.again) << row.what;
    EXPECT_EQ(second->initialized(), row.second != Need::kBare) << row.what;
  }
}

TEST_F(PoolTest, DoesNotUseAgainWhatIsOver) {
  struct Row {
    const char* what;
    void (*spoil)(session::Session&);
  };
  for (
      const Row& row : {
          Row{"retired", [](session::Session& session) { session.retire(); }},
          Row{"of another profile",
              [](session::Session& session) {
                session.adopt(*spec::find_profile("mcp-2024-11-05"));
              }},
          Row{"another revision was agreed",
              [](session::Session& session) {
                session.set_agreed(json::object({{"protocolVersion", json::string("2024-11-05")}}));
              }},
      }) {
    begin();
    SessionPtr first = connect(Need::kFresh);
    row.spoil(*first);
    pool->give_back(std::move(first));
    EXPECT_FALSE(pool->has_leftover(SessionHistory::kAny)) << row.what;
  }
}

TEST_F(PoolTest, DoesNotUseAgainWhatHasEnded) {
  begin();
  SessionPtr first = connect(Need::kBare);
  ends = true;
  transport::run(loop, [&]() -> awaitable<void> {
    co_await first->send_canary();
    for (bool more = true; more;) more = co_await first->pump(session::Clock::now());
  });
  ASSERT_TRUE(first->closed());
  pool->give_back(std::move(first));
  EXPECT_FALSE(pool->has_untouched());
}

TEST_F(PoolTest, KeepsQuietSessionsFromThoseThatWerePromisedAnswers) {
  begin();
  pool->give_back(connect(Need::kFresh, SessionHistory::kNone, kSampling));
  EXPECT_TRUE(pool->has_leftover(SessionHistory::kAny));
  EXPECT_FALSE(pool->has_leftover(SessionHistory::kQuiet));

  // The quiet one is left to who needs it.
  SessionPtr quiet = connect(Need::kFresh);
  const std::uint64_t number = quiet->number();
  pool->give_back(std::move(quiet));
  EXPECT_TRUE(pool->has_leftover(SessionHistory::kQuiet));
  EXPECT_NE(connect(Need::kDisposable, SessionHistory::kAny)->number(), number);
  EXPECT_EQ(connect(Need::kDisposable, SessionHistory::kQuiet)->number(), number);
}

TEST_F(PoolTest, SharesAgainASessionThatKnowsTheSameCapabilities) {
  begin();
  SessionPtr first = connect(Need::kReady, SessionHistory::kAny, kSampling);
  const std::uint64_t number = first->number();
  pool->give_back(std::move(first));
  const json::Value roots = json::object({{"roots", json::object()}});
  EXPECT_NE(connect(Need::kReady, SessionHistory::kAny, roots)->number(), number);
  EXPECT_EQ(connect(Need::kReady, SessionHistory::kAny, kSampling)->number(), number);
}

// --- sessions begun again

TEST_F(PoolTest, BeginsASessionAgainOnAProcessThatServedAnother) {
  begin();
  EXPECT_FALSE(begin_again(Need::kFresh)) << "nothing waits";
  SessionPtr first = connect(Need::kFresh);
  const std::uint64_t number = first->number();
  EXPECT_FALSE(first->begun_again());
  pool->give_back(std::move(first));
  EXPECT_FALSE(begin_again(Need::kBare)) << "it was not seen to take initialize twice";

  SessionPtr again = begin_again(Need::kReady, kSampling);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->number(), number);
  EXPECT_TRUE(again->begun_again());
  EXPECT_EQ(json::write(again->declared()), R"({"sampling":{}})");

  // One whose case reconnects need not be given back first.
  SessionPtr same = begin_again(Need::kBare, json::null(), &again);
  ASSERT_TRUE(same);
  EXPECT_FALSE(again);
  EXPECT_EQ(same->number(), number);
  EXPECT_EQ(server.connections(), 1);
}

TEST_F(PoolTest, GivesASessionThatWasBegunAgainToNobodyElse) {
  begin();
  pool->give_back(connect(Need::kFresh));
  SessionPtr again = begin_again(Need::kReady, kSampling);
  pool->give_back(std::move(again));
  EXPECT_FALSE(pool->has_leftover(SessionHistory::kAny));
  EXPECT_TRUE(begin_again(Need::kReady, kSampling));
}

TEST_F(PoolTest, KeepsWhatWasPromisedNoAnswersForWhoPromisesNone) {
  begin();
  SessionPtr quiet = connect(Need::kFresh);
  SessionPtr promised = connect(Need::kFresh, SessionHistory::kNone, kSampling);
  const std::uint64_t quiet_number = quiet->number();
  const std::uint64_t promised_number = promised->number();
  pool->give_back(std::move(promised));
  pool->give_back(std::move(quiet));
  EXPECT_FALSE(pool->has_worn(SessionHistory::kAny));

  SessionPtr again = begin_again(Need::kFresh);
  EXPECT_EQ(again->number(), quiet_number);
  pool->give_back(std::move(again));
  again = begin_again(Need::kReady, kSampling);
  EXPECT_EQ(again->number(), promised_number);
  EXPECT_TRUE(pool->has_worn(SessionHistory::kQuiet));
  pool->give_back_worn(std::move(again));

  // What hears the end of its input may not wait for an answer; a signal is obeyed all the same.
  SessionPtr closing =
      begin_again(Need::kDisposable, json::null(), nullptr, SessionHistory::kQuiet);
  EXPECT_EQ(closing->number(), quiet_number);
  EXPECT_FALSE(pool->has_worn(SessionHistory::kQuiet));
  EXPECT_FALSE(begin_again(Need::kDisposable, json::null(), nullptr, SessionHistory::kQuiet));
  EXPECT_TRUE(pool->has_worn(SessionHistory::kAny));
  again = begin_again(Need::kDisposable);
  EXPECT_EQ(again->number(), promised_number);
}

TEST_F(PoolTest, BeginsNothingAgainWhereThatIsNotBorne) {
  begin();
  pool->give_back(connect(Need::kFresh));
  methods["initialize"] = R"("error":{"code":-32600,"message":"once"})";
  EXPECT_FALSE(begin_again(Need::kFresh));
  EXPECT_FALSE(pool->may_begin_again()) << "it was refused";

  methods["initialize"] = kAgreed;
  begin();
  EXPECT_TRUE(pool->may_begin_again());
  for (int i = 0; i < 3; ++i) pool->was_misled();
  EXPECT_FALSE(pool->may_begin_again()) << "what went wrong there went well elsewhere";

  begin("mcp-2026-07-28");
  EXPECT_FALSE(pool->may_begin_again()) << "there is no handshake";
  target.reset.method = "reset";
  begin();
  EXPECT_FALSE(pool->may_begin_again()) << "sessions have a state that is brought back";
}

// --- processes ahead

TEST_F(PoolTest, StartsAsManyAheadAsAreExpectedAndAllowed) {
  struct Row {
    std::size_t expected;
    int started;
  };
  for (const Row& row : {Row{0, 0}, Row{1, 1}, Row{2, 2}, Row{9, 2}}) {
    const int before = server.connections();
    begin();
    pool->expect(row.expected);
    run_out();
    EXPECT_EQ(server.connections() - before, row.started) << row.expected;
  }
}

TEST_F(PoolTest, UsesWhatWasStartedAheadAndStartsTheNext) {
  begin();
  pool->expect(3);
  run_out();
  ASSERT_EQ(server.connections(), 2);
  const SessionPtr first = connect(Need::kFresh);
  run_out();
  EXPECT_EQ(server.connections(), 3);  // for the two that are still expected
  const SessionPtr second = connect(Need::kFresh), third = connect(Need::kBare);
  run_out();
  EXPECT_EQ(server.connections(), 3);
  const SessionPtr unexpected = connect(Need::kFresh);
  EXPECT_EQ(server.connections(), 4);
}

TEST_F(PoolTest, StartsNothingAheadWhereItMightReadAStateThatIsBroughtBack) {
  target.reset.method = "reset";
  begin();
  pool->expect(1);
  run_out();
  EXPECT_EQ(server.connections(), 0);
}

TEST_F(PoolTest, SaysWhyNoSessionCanBeOpened) {
  begin();
  server.refuse(Error{"", "the command cannot be started", "check it"});
  pool->expect(2);
  run_out();
  const Result<SessionPtr> opened = try_connect(Need::kFresh, SessionHistory::kAny);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().text(), HasSubstr("the command cannot be started"));
}

TEST_F(PoolTest, SaysThatAHandshakeFailed) {
  methods["initialize"] = R"("error":{"code":-32603,"message":"no"})";
  begin();
  EXPECT_TRUE(try_connect(Need::kBare, SessionHistory::kAny));
  const Result<SessionPtr> opened = try_connect(Need::kFresh, SessionHistory::kNone);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().text(), HasSubstr("did not get through the handshake"));
}

// --- what is renewed

Status renew(boost::asio::io_context& loop, Pool& pool, bool fresh) {
  return transport::told<Status>(loop, [&]() -> awaitable<Status> {
    const Status renewed = co_await pool.renew(fresh);
    co_return renewed;
  });
}

TEST_F(PoolTest, KeepsNothingWhereEachCaseGetsATargetOfItsOwn) {
  target.restart_each_case = true;
  begin();
  pool->give_back(connect(Need::kFresh));
  EXPECT_FALSE(pool->has_leftover(SessionHistory::kAny));
}

TEST_F(PoolTest, BringsTheStateBackBeforeAFreshCaseOnly) {
  target.reset.method = "reset";
  begin();
  methods["reset"] = R"("result":{})";
  EXPECT_TRUE(renew(loop, *pool, true));
  EXPECT_EQ(server.connections(), 1);
  EXPECT_TRUE(renew(loop, *pool, false));
  EXPECT_EQ(server.connections(), 1);
  methods.erase("reset");
  const Status refused = renew(loop, *pool, true);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text(), HasSubstr("the reset request reset got no result"));
}

TEST_F(PoolTest, StartsAServiceAgainThatDied) {
  bool dead = false;
  int restarts = 0;
  Service service;
  service.ending = [&] { return dead ? std::string("signal 9") : std::string(); };
  service.restart = [&]() -> awaitable<Status> {
    dead = false;
    ++restarts;
    co_return Nothing{};
  };
  begin("mcp-2025-06-18", service);
  pool->give_back(connect(Need::kFresh));
  EXPECT_TRUE(pool->has_leftover(SessionHistory::kAny));
  EXPECT_EQ(pool->lives(), 0u);

  dead = true;
  pool->give_back(connect(Need::kFresh, SessionHistory::kNone));
  EXPECT_EQ(restarts, 1);
  EXPECT_EQ(pool->lives(), 1u);
  // What spoke to the process that died is gone, and those of one that dies are not kept.
  EXPECT_FALSE(pool->has_leftover(SessionHistory::kAny));
}

}  // namespace
}  // namespace harness::run
