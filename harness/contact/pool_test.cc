// SPDX-License-Identifier: Apache-2.0
// The Pool over a scripted target: which sessions are new, and which are used again.
#include "harness/contact/pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

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

  // Gives it back, and says which it was.
  std::uint64_t left(SessionPtr session, bool tidy) {
    const std::uint64_t number = session->number();
    pool->give_back(std::move(session), tidy);
    return number;
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
           Row{"what is changed is shared with nobody", Need::kReady, Need::kReady,
               SessionHistory::kAny, false},
       }) {
    begin();
    SessionPtr first = connect(row.first);
    const std::uint64_t number = first->number();
    pool->give_back(std::move(first), false);
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
    pool->give_back(std::move(first), false);
    EXPECT_FALSE(pool->has_leftover(SessionHistory::kAny)) << row.what;
  }
}

TEST_F(PoolTest, DoesNotUseAgainWhatACaseBeganAtAServerOfBothEras) {
  for (const bool dual : {false, true}) {
    begin("mcp-2026-07-28");
    Terms terms{spec::find_profile("mcp-2026-07-28"), json::object()};
    terms.dual_era = dual;
    pool->settle_on(terms);
    pool->give_back(connect(Need::kBare), true);
    EXPECT_EQ(pool->has_leftover(SessionHistory::kAny), !dual);
    pool->give_back(connect(Need::kReady, SessionHistory::kNone), true);
    EXPECT_TRUE(pool->has_leftover(SessionHistory::kAny));
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
  pool->give_back(std::move(first), false);
  EXPECT_FALSE(pool->has_untouched());
}

TEST_F(PoolTest, KeepsQuietSessionsFromThoseThatWerePromisedAnswers) {
  begin();
  pool->give_back(connect(Need::kFresh, SessionHistory::kNone, kSampling), false);
  EXPECT_TRUE(pool->has_leftover(SessionHistory::kAny));
  EXPECT_FALSE(pool->has_leftover(SessionHistory::kQuiet));

  // The quiet one is left to who needs it.
  SessionPtr quiet = connect(Need::kFresh);
  const std::uint64_t number = quiet->number();
  pool->give_back(std::move(quiet), false);
  EXPECT_TRUE(pool->has_leftover(SessionHistory::kQuiet));
  EXPECT_NE(connect(Need::kDisposable, SessionHistory::kAny)->number(), number);
  EXPECT_EQ(connect(Need::kDisposable, SessionHistory::kQuiet)->number(), number);
}

TEST_F(PoolTest, SharesAgainASessionThatKnowsTheSameCapabilities) {
  begin();
  SessionPtr first = connect(Need::kReady, SessionHistory::kAny, kSampling);
  const std::uint64_t number = first->number();
  pool->give_back(std::move(first), true);
  const json::Value roots = json::object({{"roots", json::object()}});
  EXPECT_NE(connect(Need::kReady, SessionHistory::kAny, roots)->number(), number);
  EXPECT_EQ(connect(Need::kReady, SessionHistory::kAny, kSampling)->number(), number);
}

TEST_F(PoolTest, GivesWhatWasLeftTidyToWhoeverDeclaresTheSame) {
  begin();
  const std::uint64_t number = left(connect(Need::kReady, SessionHistory::kAny, kSampling), false);
  EXPECT_FALSE(pool->has_tidy(kSampling));
  EXPECT_NE(connect(Need::kOwn, SessionHistory::kAny, kSampling)->number(), number);

  const std::uint64_t tidy = left(connect(Need::kOwn, SessionHistory::kAny, kSampling), true);
  EXPECT_TRUE(pool->has_tidy(kSampling));
  EXPECT_FALSE(pool->has_tidy(json::null()));
  // What is good for nothing else goes first.
  EXPECT_EQ(connect(Need::kDisposable)->number(), number);
  EXPECT_EQ(connect(Need::kReady, SessionHistory::kAny, kSampling)->number(), tidy);
}

TEST_F(PoolTest, GivesADisposableCaseThatDeclaresSomethingNoOther) {
  begin();
  const std::uint64_t number = left(connect(Need::kFresh), false);
  EXPECT_NE(connect(Need::kDisposable, SessionHistory::kAny, kSampling)->number(), number);
  EXPECT_EQ(connect(Need::kDisposable)->number(), number);
}

TEST_F(PoolTest, DeclaresNothingOfTheCaseBeforeInAHandshakeToCome) {
  begin();
  const std::uint64_t number = left(connect(Need::kBare, SessionHistory::kAny, kSampling), true);
  const SessionPtr second = connect(Need::kBare);
  EXPECT_EQ(second->number(), number);
  EXPECT_TRUE(second->declared().members.empty());
}

TEST_F(PoolTest, KeepsNoMoreThanADozen) {
  begin();
  std::vector<SessionPtr> all;
  for (int i = 0; i < 14; ++i) all.push_back(connect(Need::kFresh, SessionHistory::kNone));
  std::set<std::uint64_t> kept;
  for (SessionPtr& one : all) kept.insert(left(std::move(one), false));
  std::size_t again = 0;
  while (pool->has_leftover(SessionHistory::kAny)) {
    all.push_back(connect(Need::kDisposable));
    again += kept.count(all.back()->number());
  }
  EXPECT_EQ(again, 12u);
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
  EXPECT_THAT(opened.error().text(), HasSubstr("the handshake of a new session failed"));
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
  pool->give_back(connect(Need::kFresh), false);
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
  service.output = [] { return std::string("at map::at"); };
  service.restart = [&]() -> awaitable<Status> {
    dead = false;
    ++restarts;
    co_return Nothing{};
  };
  begin("mcp-2025-06-18", service);
  pool->give_back(connect(Need::kFresh), false);
  EXPECT_TRUE(pool->has_leftover(SessionHistory::kAny));
  EXPECT_EQ(pool->lives(), 0u);

  dead = true;
  pool->give_back(connect(Need::kFresh, SessionHistory::kNone), false);
  EXPECT_EQ(restarts, 1);
  EXPECT_EQ(pool->lives(), 1u);
  EXPECT_EQ(pool->last_death().how, "signal 9");
  EXPECT_EQ(pool->last_death().output, "at map::at");
  EXPECT_EQ(pool->last_death().number, 1u);
  // What spoke to the process that died is gone, and those of one that dies are not kept.
  EXPECT_FALSE(pool->has_leftover(SessionHistory::kAny));
}

// It runs, and somebody saw that it serves nobody: it is started anew once, whoever says so.
TEST_F(PoolTest, ReplacesAServiceThatRunsOnceALife) {
  int restarts = 0;
  Service service;
  service.ending = [] { return std::string(); };
  service.restart = [&]() -> awaitable<Status> {
    ++restarts;
    co_return Nothing{};
  };
  begin("mcp-2025-06-18", service);
  pool->give_back(connect(Need::kFresh), false);
  const auto replaced = [&] {
    return transport::told<bool>(loop, [&]() -> awaitable<bool> {
      const bool done = co_await pool->replace(0);
      co_return done;
    });
  };
  EXPECT_TRUE(replaced() && replaced());
  EXPECT_EQ(restarts, 1);
  EXPECT_EQ(pool->lives(), 1u);
  EXPECT_EQ(pool->ended_how(), "") << "nobody ended it but us";
  EXPECT_FALSE(pool->has_leftover(SessionHistory::kAny));
}

}  // namespace
}  // namespace harness::run
