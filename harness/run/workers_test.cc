// SPDX-License-Identifier: Apache-2.0
// A few cases played by Workers over a server in memory: how often each is played, on what, and
// what stands of it in the end.
#include "harness/run/workers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/contact/testing.h"
#include "harness/transport/testing.h"

namespace harness::run {
namespace {

using testing::HasSubstr;
using transport::Arrival;
using transport::Outgoing;

// Methods of their own, so that a server may treat them apart.
constexpr const char* kOne = R"(title: One is one
covers: [jsonrpc.request.reply-exactly-one]
steps:
  - call: {method: one}
    reply: {result: 1}
)";
constexpr const char* kTwo = R"(title: Two is two
covers: [jsonrpc.request.reply-exactly-one]
steps:
  - call: {method: two}
    reply: {result: 2}
)";
constexpr const char* kOdd = R"(title: What is no request is refused
covers: [jsonrpc.request.reply-exactly-one]
steps:
  - send: {jsonrpc: '1.0', id: 77, method: quiet}
    reply: {pass: [{error: {}}], warn: [silence]}
)";

// A message on a connection of this number; `asked`: so often its method was, this time included.
struct Said {
  std::string method;
  int connection = 0;
  int asked = 0;
};
// What stands in a reply behind its id; "" is silence, kDies the end of the process.
constexpr const char* kDies = "dies";
using Answer = std::function<std::string(const Said&)>;

std::string sound(const Said& said) {
  if (said.method == "quiet") return "";
  return said.method == "one"   ? R"("result":1)"
         : said.method == "two" ? R"("result":2)"
                                : R"("error":{"code":-32601,"message":"Method not found"})";
}

class WorkersTest : public testing::Test {
 protected:
  void play(const std::map<std::string, std::string>& cases, Answer answer) {
    target.name = "scripted";
    target.command = {"scripted"};
    suite = suite_of(cases);
    asked.clear(), begun.clear(), settled.clear();
    transport::ScriptedTarget server(
        [&](const Outgoing& sent, int connection) { return arrivals(answer, sent, connection); });
    Pool pool(loop.get_executor(), target, pace, {}, 0, [&] { return server.connect(); });
    pool.settle_on({&profile, json::null()});
    CaseJudge judge(loop.get_executor(), target, suite, suite::own_registry(), offer, pool);
    entries.clear();
    std::vector<Entry*> all;
    for (const suite::Case& scenario : suite.cases) {
      Entry entry;
      entry.scenario = &scenario;
      entry.result.id = scenario.id;
      entries.push_back(std::move(entry));
    }
    for (Entry& entry : entries) all.push_back(&entry);
    Schedule schedule(all, false);
    OracleLedger ledger;
    Workers workers({loop.get_executor(), target, suite, pool, judge, ledger, limit, *pace,
                     schedule, 1, 1, nullptr, [&](const Entry& entry) { ++begun[entry.result.id]; },
                     [&](Entry& entry) {
                       EXPECT_FALSE(std::exchange(entry.finished, true)) << entry.result.id;
                       settled.push_back(entry.result.id);
                     },
                     [&](const Entry& entry) { return known.count(entry.result.id) > 0; }});
    transport::run(loop, [&]() -> awaitable<void> {
      co_await workers.play_all();
      co_await workers.judge_again(all);
      co_await pool.drain();
    });
    connections = server.connections();
  }

  std::vector<Arrival> arrivals(const Answer& answer, const Outgoing& sent, int connection) {
    const json::Value message = message_of(sent);
    const json::Value* method = message.find("method");
    if (!method) return {};
    const std::string member = answer({method->text, connection, ++asked[method->text]});
    if (member == kDies) return dies("signal 11");
    std::vector<Arrival> out = std::exchange(late, {});
    for (Arrival& arrival : serve({{method->text, member}}, sent)) out.push_back(arrival);
    return out;
  }

  const Entry& entry_of(const std::string& id) const {
    for (const Entry& entry : entries)
      if (entry.result.id == id) return entry;
    throw std::runtime_error("no case " + id);
  }

  const spec::Profile& profile = *spec::find_profile("jsonrpc-2.0");
  boost::asio::io_context loop;
  target::Target target;
  Offer offer;
  suite::Suite suite = suite_of({});
  std::shared_ptr<session::Pace> pace = std::make_shared<session::Pace>();
  TimeLimit limit{TimeLimit::Time(0)};
  std::vector<Entry> entries;
  std::map<std::string, int> asked;  // by method
  std::map<std::string, int> begun;  // how often a case was played
  std::vector<std::string> settled;
  std::set<std::string> known;  // by the baseline
  std::vector<Arrival> late;    // comes in front of the next reply
  int connections = 0;
};

TEST_F(WorkersTest, PlaysACaseAgainUntilItIsKnownWhatStands) {
  struct Row {
    const char* what;
    // What comes for the method `one`, each time it is asked; the last from then on.
    std::vector<std::string> answers;
    Verdict verdict;
    int plays;
    int connections;
    const char* reason;  // part of it
  };
  const std::string kSound = R"("result":1)";
  const std::string kWrong = R"("result":7)";
  const std::string kError = R"("error":{"code":1,"message":"m"})";
  // The second look is had beside those at other cases; what does not fail again there is played
  // once more, alone.
  const Row rows[] = {
      {"it is sound", {kSound}, Verdict::kPass, 1, 1, ""},
      {"it is wrong each time", {kWrong}, Verdict::kFail, 2, 2, ""},
      {"it is wrong once", {kWrong, kSound}, Verdict::kFlaky, 2, 3, "not when it was played again"},
      {"it is wrong otherwise each time",
       {kWrong, kDies, kError, kDies},
       Verdict::kFlaky,
       3,
       5,
       "each time differently"},
      {"the third look shows what the second showed", {kWrong, kDies}, Verdict::kFail, 3, 4, ""},
      {"it ends each time", {kDies}, Verdict::kFail, 2, 3, ""},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    play({{"one", kOne}, {"two", kTwo}}, [&](const Said& said) {
      if (said.method != "one") return sound(said);
      return row.answers[std::min<std::size_t>(said.asked, row.answers.size()) - 1];
    });
    EXPECT_EQ(entry_of("one").judgement.verdict, row.verdict);
    EXPECT_EQ(begun["one"], row.plays);
    EXPECT_EQ(connections, row.connections);
    EXPECT_THAT(entry_of("one").result.reason, HasSubstr(row.reason));
    EXPECT_EQ(entry_of("two").judgement.verdict, Verdict::kPass);
    EXPECT_EQ(begun["two"], 1);
    EXPECT_EQ(settled.size(), 2u);
  }
}

TEST_F(WorkersTest, DoesNotPlayAgainWhatTheBaselineKnows) {
  known = {"one"};
  play({{"one", kOne}},
       [](const Said& said) { return said.method == "one" ? R"("result":7)" : sound(said); });
  EXPECT_EQ(entry_of("one").judgement.verdict, Verdict::kFail);
  EXPECT_EQ(begun["one"], 1);
}

TEST_F(WorkersTest, JudgesASilenceAgainThatALateReplyContradicts) {
  const std::map<std::string, std::string> cases = {{"a", kOdd}, {"one", kOne}, {"two", kTwo}};
  play(cases, sound);
  EXPECT_EQ(begun["a"], 1);
  EXPECT_EQ(entry_of("a").judgement.verdict, Verdict::kWarn) << "it is silent";
  // It is refused after all, while the next case is played; and at once the next time.
  const std::string refusal = R"("error":{"code":-32600,"message":"m"})";
  bool due = false;
  play(cases, [&](const Said& said) {
    const bool next = said.method == "one" || said.method == "two";
    if (next && std::exchange(due, false))
      late = {transport::line(R"({"jsonrpc":"2.0","id":77,)" + refusal + "}")};
    due |= said.method == "quiet" && said.asked == 1;
    return said.method == "quiet" && said.asked > 1 ? refusal : sound(said);
  });
  EXPECT_EQ(begun["a"], 2);
  EXPECT_EQ(entry_of("a").judgement.verdict, Verdict::kPass);
  EXPECT_EQ(begun["one"], 1);
  EXPECT_EQ(settled.size(), 3u);
}

TEST_F(WorkersTest, StopsWhereNothingNewIsTold) {
  struct Row {
    const char* what;
    Answer answer;
    TimeLimit limit;
    const char* reason;  // of the cases that are not played
    std::size_t played;
  };
  std::map<std::string, std::string> cases;
  for (int i = 10; i < 40; ++i) cases["c/" + std::to_string(i)] = kOne;
  const TimeLimit over(TimeLimit::Time(1), TimeLimit::Time(5));
  const TimeLimit endless(TimeLimit::Time(0));
  const Row rows[] = {
      {"all are answered", sound, endless, "", 30},
      {"runs before took all the time", sound, over, "time limit", 0},
      {"nothing is answered", [](const Said&) { return std::string(); }, endless,
       "answered nothing", 4},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    limit = row.limit;
    play(cases, row.answer);
    std::size_t played = 0;
    for (const Entry& entry : entries) {
      played += !entry.judgement.unplayed;
      if (entry.judgement.unplayed) {
        EXPECT_THAT(entry.judgement.played.inconclusive, HasSubstr(row.reason));
      }
    }
    EXPECT_EQ(played, row.played);
    EXPECT_EQ(settled.size(), cases.size());
  }
}

}  // namespace
}  // namespace harness::run
