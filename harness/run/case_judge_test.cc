// SPDX-License-Identifier: Apache-2.0
// One case on one session: what the server does, and the Judgement that this comes to.
#include "harness/run/case_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "harness/contact/testing.h"
#include "harness/transport/testing.h"

namespace harness::run {
namespace {

using oracle::Symptom;
using testing::HasSubstr;
using transport::Arrival;
using transport::Outgoing;

constexpr const char* kAgreed =
    R"("result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s"}})";
constexpr const char* kRefused = R"("error":{"code":-32602,"message":"sampling?"})";

constexpr const char* kPing = R"(title: A ping is answered
covers: [mcp.ping.result]
steps:
  - call: {method: ping}
    reply: {result: {}}
)";
constexpr const char* kPingOfASampler = R"(title: A ping is answered
covers: [mcp.ping.result]
client_capabilities: {sampling: {}}
steps:
  - call: {method: ping}
    reply: {result: {}}
)";
constexpr const char* kList = R"(title: Tools are listed
covers: [mcp.ping.result]
steps:
  - call: {method: tools/list}
    reply: {result: {tools: $array}}
)";
constexpr const char* kUngiven = R"(title: A slow tool is called
covers: [mcp.ping.result]
requires: [{affordance: tool.slow}]
steps:
  - call: {method: tools/call, params: {name: '${target.tool.slow.name}'}}
    reply: any-reply
)";

class CaseJudgeTest : public testing::Test {
 protected:
  CaseJudgeTest() { target.command = {"scripted"}; }

  // `methods`: on the connection of this number, from 1; nullopt: its process ends.
  using Serves = std::function<std::optional<Methods>(int connection)>;

  Judgement judge(const char* text, Serves serves, Look look, Service service = {}) {
    serves_ = std::move(serves);
    suite_ = suite_of({{"c", text}});
    server_.emplace([this](const Outgoing& sent, int connection) -> std::vector<Arrival> {
      const json::Value message = message_of(sent);
      const json::Value* method = message.find("method");
      const std::optional<Methods> methods = serves_(connection);
      const bool starts = method && method->text.find("initialize") != std::string::npos;
      if (!methods && !starts) return dies("signal 11");
      return serve(methods ? *methods : Methods{{"initialize", kAgreed}}, sent);
    });
    pool_.emplace(loop_.get_executor(), target, std::make_shared<session::Pace>(),
                  std::move(service), 0, [this] { return server_->connect(); });
    if (refused_) server_->refuse(Error{"", "no such program", ""});
    pool_->settle_on({&profile, json::null()});
    CaseJudge judge(loop_.get_executor(), target, suite_, suite::own_registry(), offer, *pool_);
    Judgement judgement;
    transport::run(loop_, [&]() -> awaitable<void> {
      judgement = co_await judge.judge(suite_.cases.front(), session, look);
    });
    return judgement;
  }

  const spec::Profile& profile = *spec::find_profile("mcp-2025-06-18");
  target::Target target;
  Offer offer;
  bool refused_ = false;  // no process can be started
  SessionPtr session;
  boost::asio::io_context loop_;
  Serves serves_;
  suite::Suite suite_ = suite_of({});
  std::optional<transport::ScriptedTarget> server_;
  std::optional<Pool> pool_;
};

// A server with these methods beside the handshake, on each connection.
std::function<std::optional<Methods>(int)> always(Methods methods) {
  methods.emplace("initialize", kAgreed);
  methods.emplace("ping", R"("result":{})");
  return [methods](int) { return std::optional(methods); };
}

TEST_F(CaseJudgeTest, ComesToAJudgementByWhatTheServerDoes) {
  struct Row {
    const char* what;
    const char* scenario;
    Serves serves;
    Look look;
    Verdict verdict;
    std::optional<Symptom> symptom;  // of the first finding; nothing: there is none
    bool missed;                     // the failure rests on a reply that did not come
    bool usable;                     // the session, for the next case
    int connections;
  };
  const Methods lists = {{"tools/list", R"("result":{"tools":[]})"}};
  const Methods wrong = {{"tools/list", R"("result":{"tools":7})"}};
  const Methods silent = {{"tools/list", ""}};
  const Methods hangs = {{"tools/list", ""}, {"ping", ""}};
  const auto dies = [](int) { return std::optional<Methods>(); };
  const Row rows[] = {
      {"it is sound", kList, always(lists), Look::kFirst, Verdict::kPass, {}, false, true, 1},
      {"it is wrong", kList, always(wrong), Look::kFirst, Verdict::kFail, Symptom::kAnswer, false,
       true, 1},
      {"it ends", kList, dies, Look::kFirst, Verdict::kFail, Symptom::kEnd, false, false, 1},
      {"it is silent, and answers the canary", kList, always(silent), Look::kFirst, Verdict::kFail,
       Symptom::kSilence, true, true, 1},
      {"the same, and the silence is waited out", kList, always(silent), Look::kPatient,
       Verdict::kFail, Symptom::kSilence, true, true, 1},
      {"it answers nothing more", kList, always(hangs), Look::kFirst, Verdict::kFail,
       Symptom::kHang, false, false, 1},
      {"it shakes hands with a client of other capabilities alone", kPingOfASampler,
       [](int connection) {
         const char* first = connection == 1 ? kRefused : kAgreed;
         return std::optional<Methods>({{"initialize", first}, {"ping", R"("result":{})"}});
       },
       Look::kFirst, Verdict::kFail, Symptom::kAnswer, false, false, 2},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    session = nullptr;
    const Judgement judgement = judge(row.scenario, row.serves, row.look);
    EXPECT_EQ(judgement.verdict, row.verdict) << judgement.played.inconclusive << judgement.error;
    const std::vector<oracle::Finding>& findings = judgement.played.findings;
    ASSERT_EQ(findings.empty(), !row.symptom);
    if (row.symptom) {
      EXPECT_EQ(oracle::symptom_of(findings.front()), *row.symptom);
    }
    EXPECT_EQ(judgement.played.missed > 0, row.missed);
    EXPECT_EQ(session && !session->closed() && !session->unusable(), row.usable);
    EXPECT_EQ(server_->connections(), row.connections);
    EXPECT_FALSE(judgement.unplayed);
    ASSERT_TRUE(judgement.transcript);
  }
}

TEST_F(CaseJudgeTest, AccusesNobodyWhereTheCaseWasNotPlayed) {
  struct Row {
    const char* what;
    const char* scenario;
    bool starts;  // a process does
    const char* handshake;
    Verdict verdict;
    const char* why;  // part of it
    bool unplayed;    // for a reason that lies with the target
  };
  const Row rows[] = {
      {"no process starts", kPing, false, kAgreed, Verdict::kInconclusive, "no such program", true},
      {"each handshake is refused", kPing, true, kRefused, Verdict::kInconclusive,
       "no session could be opened", true},
      {"so it is whatever the client declares", kPingOfASampler, true, kRefused,
       Verdict::kInconclusive, "no session could be opened", true},
      {"we are wrong: what the case needs was not given", kUngiven, true, kAgreed, Verdict::kError,
       "tool.slow", false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    session = nullptr;
    refused_ = !row.starts;
    Methods methods;
    methods["initialize"] = row.handshake;
    const auto serves = [&](int) { return std::optional<Methods>(methods); };
    const Judgement judgement = judge(row.scenario, serves, Look::kFirst);
    EXPECT_EQ(judgement.verdict, row.verdict);
    EXPECT_THAT(judgement.played.inconclusive + judgement.error, HasSubstr(row.why));
    EXPECT_TRUE(judgement.played.findings.empty());
    EXPECT_EQ(judgement.unplayed, row.unplayed);
    if (row.verdict == Verdict::kError) {
      EXPECT_TRUE(session->unusable());
    }
  }
}

// A process that serves a url serves all: that it ended is seen when the case is over.
TEST_F(CaseJudgeTest, BlamesTheCaseForTheEndOfAService) {
  int asked = 0;
  bool ended = false;
  Service service;
  service.ending = [&] { return ended ? "exit 1" : ""; };
  service.life = [] { return std::uint64_t{0}; };
  service.wait = [](std::chrono::milliseconds) -> awaitable<void> { co_return; };
  const Serves serves = [&](int) {
    ended = ++asked > 2;  // behind the handshake
    return std::optional<Methods>({{"initialize", kAgreed}, {"ping", R"("result":{})"}});
  };
  const Judgement judgement = judge(kPing, serves, Look::kFirst, std::move(service));
  ASSERT_EQ(judgement.played.findings.size(), 1u);
  EXPECT_EQ(oracle::symptom_of(judgement.played.findings[0]), Symptom::kEnd);
  EXPECT_EQ(judgement.verdict, Verdict::kFail);
  EXPECT_TRUE(judgement.played.doubtful) << "another case may have done it";
  EXPECT_TRUE(session->unusable());
}

// It runs, and serves nobody any more: the next case would be blamed for that.
TEST_F(CaseJudgeTest, StartsAServiceAnewThatServesNobodyAnyMore) {
  for (const bool cured : {true, false}) {
    int asked = 0, started = 0;
    bool wedged = false;
    Service service;
    service.ending = [] { return std::string(); };
    service.wait = [](std::chrono::milliseconds) -> awaitable<void> { co_return; };
    service.restart = [&]() -> awaitable<Status> {
      ++started;
      wedged = !cured;
      co_return Nothing{};
    };
    const Serves serves = [&](int) {
      wedged |= ++asked == 3;  // at what comes behind the handshake
      const char* ping = wedged ? "" : R"("result":{})";
      return std::optional<Methods>({{"initialize", kAgreed}, {"ping", ping}});
    };
    session.reset();
    const Judgement judgement = judge(kPing, serves, Look::kFirst, std::move(service));
    EXPECT_EQ(judgement.verdict, Verdict::kFail);
    EXPECT_EQ(started, 1);
    EXPECT_EQ(judgement.played.doubtful, cured) << "another case may have done it";
  }
}

}  // namespace
}  // namespace harness::run
