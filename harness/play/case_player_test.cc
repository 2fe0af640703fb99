// SPDX-License-Identifier: Apache-2.0
// What a session does to one message of a case, and what the player does next.
#include "harness/play/case_player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/contact/testing.h"
#include "harness/transport/testing.h"

namespace harness::run {
namespace {

using oracle::Symptom;
using session::Session;
using testing::ElementsAreArray;
using testing::HasSubstr;
using transport::Arrival;
using transport::Outgoing;
using transport::Scripted;
using Texts = std::vector<std::string>;

class CasePlayerTest : public testing::Test {
 protected:
  using Act = std::function<std::vector<Arrival>(const Outgoing&)>;

  // Plays the steps. `first` is what arrives for the method `first`, the first time; all else is
  // answered.
  PlayedCase play(const std::string& steps, Act first, const std::string& head = "") {
    first_ = std::move(first);
    sent.clear();
    opened = 0;
    const std::string text =
        "title: T\ncovers: [jsonrpc.id.string-echo]\n" + head + "\nsteps:\n" + steps;
    const suite::Suite suite = suite_of({{"t", text}});
    session = open();
    PlayContext context{suite,
                        suite::own_registry(),
                        profile,
                        offer,
                        Silence::kBelieved,
                        [this](suite::Need) -> awaitable<Result<std::unique_ptr<Session>>> {
                          ++opened;
                          co_return open();
                        },
                        [](std::unique_ptr<Session>) {},
                        [] { return std::uint64_t{0}; }};
    if (ending)
      context.ending = [this]() -> awaitable<std::optional<PlayContext::Ending>> {
        if (asked_while_it_ends > 0) {
          --asked_while_it_ends;
          co_return std::nullopt;
        }
        co_return ending;
      };
    PlayedCase played;
    transport::run(loop, [&]() -> awaitable<void> {
      CasePlayer player(suite.cases.front(), session, context);
      played = co_await player.play();
      over = player.over();
    });
    return played;
  }

  std::unique_ptr<Session> open() {
    auto made = std::make_unique<Scripted>(transport);
    made->otherwise([this](const Outgoing& outgoing) -> std::vector<Arrival> {
      const json::Value* method = message_of(outgoing).find("method");
      const bool bare = outgoing.writes.front().starts_with("first");  // no JSON
      const std::string name = method ? method->text : bare ? "first" : "?";
      sent.push_back(name);
      if (name == "first" && first_) return std::exchange(first_, nullptr)(outgoing);
      if (name == "ping" && !canary_answered) return {};
      return serve({{name, R"("result":{})"}}, outgoing);
    });
    return std::make_unique<Session>(std::move(made), profile, "t",
                                     std::make_shared<session::Pace>());
  }

  const spec::Profile& profile = *spec::find_profile("mcp-2025-06-18");
  boost::asio::io_context loop;
  Offer offer;
  std::unique_ptr<Session> session;
  const char* transport = "stdio";
  std::optional<PlayContext::Ending> ending;  // of the process behind a url
  int asked_while_it_ends = 0;                // so often that process still accepts connections
  Act first_;
  bool canary_answered = true;
  Texts sent;      // methods, in order
  int opened = 0;  // sessions that the case asked for
  bool over = false;
};

std::vector<Arrival> nothing(const Outgoing&) { return {}; }
std::vector<Arrival> ends(const Outgoing&) { return dies("signal 11"); }
std::vector<Arrival> refuses(const Outgoing& outgoing) {
  return serve({{"first", R"("error":{"code":1,"message":"m"})"}}, outgoing);
}
std::vector<Arrival> answers(const Outgoing& outgoing) {
  return serve({{"first", R"("result":{})"}}, outgoing);
}

TEST_F(CasePlayerTest, GoesOnByWhatTheSessionDoes) {
  struct Row {
    const char* what;
    Act first;
    bool canary;                     // is answered
    Texts sent;                      // methods
    std::optional<Symptom> symptom;  // nothing: there is no finding
    bool missed, usable;
  };
  const std::string steps =
      "- {call: {method: first}, reply: {result: {}}}\n"
      "- {call: {method: second}, reply: {result: {}}}";
  const Row rows[] = {
      {"it answers", answers, true, {"first", "second", "ping"}, {}, false, true},
      {"it answers with what is wrong: the next step is played all the same",
       refuses,
       true,
       {"first", "second", "ping"},
       Symptom::kAnswer,
       false,
       true},
      {"it is silent, as a canary shows: so it is",
       nothing,
       true,
       {"first", "ping", "second", "ping"},
       Symptom::kSilence,
       true,
       true},
      {"it answers nothing more: the row is over",
       nothing,
       false,
       {"first", "ping"},
       Symptom::kHang,
       false,
       false},
      {"it ends: the row is over", ends, true, {"first"}, Symptom::kEnd, false, false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    canary_answered = row.canary;
    const PlayedCase played = play(steps, row.first);
    EXPECT_THAT(sent, ElementsAreArray(row.sent));
    ASSERT_EQ(played.findings.empty(), !row.symptom);
    if (row.symptom) {
      EXPECT_EQ(oracle::symptom_of(played.findings.front()), *row.symptom);
    }
    EXPECT_EQ(played.missed > 0, row.missed);
    EXPECT_EQ(!session->closed() && !session->unusable(), row.usable);
    EXPECT_EQ(opened, 0);
  }
}

TEST_F(CasePlayerTest, TakesUpARowOnlyWhereTheCaseReconnects) {
  struct Row {
    const char* what;
    const char* steps;
    const char* head;
    Texts sent;
    int opened;
    std::size_t rows;  // that were judged
  };
  const std::string call = "- {call: {method: first, params: ['${n}']}, reply: {result: {}}}\n";
  const Row rows[] = {
      {"a step that reconnects goes on with the row",
       "- {call: {method: first}, reply: {result: {}}}\n- {reconnect: fresh}\n"
       "- {call: {method: second}, reply: {result: {}}}",
       "",
       {"first", "second", "ping"},
       1,
       1},
      {"the next row has a session of its own",
       "",
       "table: [{n: 1}, {n: 2}]",
       {"first", "first", "ping"},
       1,
       2},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    const PlayedCase played = play(*row.steps ? row.steps : call, ends, row.head);
    EXPECT_THAT(sent, ElementsAreArray(row.sent));
    EXPECT_EQ(opened, row.opened);
    EXPECT_FALSE(played.findings.empty());
    for (const oracle::Finding& finding : played.findings)
      EXPECT_EQ(oracle::symptom_of(finding), Symptom::kEnd);
    EXPECT_EQ(played.rows, row.rows);
    EXPECT_FALSE(session->closed());
  }
}

// Whoever can start it again need not ask.
TEST_F(CasePlayerTest, TellsWhetherAnotherConnectionIsServedAfterAnEnd) {
  transport = "tcp";
  for (const bool served : {true, false}) {
    canary_answered = served;
    const PlayedCase played = play("- {call: {method: first}, reply: {result: {}}}\n",
                                   [](const Outgoing&) {
                                     return std::vector<Arrival>{transport::closed("eof")};
                                   });
    EXPECT_EQ(opened, 1);
    ASSERT_EQ(played.findings.empty(), false);
    const auto* end = oracle::came_as<oracle::Ended>(played.findings.back().came);
    ASSERT_NE(end, nullptr);
    EXPECT_EQ(end->others_served, served);
  }
}

// What a server behind a url does is told of each row, as that of a process of our own is.
TEST_F(CasePlayerTest, TellsTheEndOfTheProcessBehindAUrlAndGoesOn) {
  transport = "tcp";
  const std::string steps = "- {call: {method: first}, reply: {result: {}}}\n";
  const std::string rows = "table: [{n: 1}, {n: 2}]";
  const auto hangs_up = [](const Outgoing&) {
    return std::vector<Arrival>{transport::closed("eof")};
  };

  PlayedCase played = play(steps, hangs_up, rows);
  EXPECT_THAT(sent, ElementsAreArray(Texts{"first", "ping"})) << "another case may have ended it";
  EXPECT_EQ(played.ends, 0u);

  ending = {"exit 1", "starting\nKeyError: 'name'\n"};
  played = play(steps, hangs_up, rows);
  EXPECT_THAT(sent, ElementsAreArray(Texts{"first", "first", "ping"}));
  EXPECT_EQ(played.rows, 2u);
  EXPECT_EQ(played.ends, 1u);
  ASSERT_FALSE(played.findings.empty());
  for (const oracle::Finding& finding : played.findings) EXPECT_EQ(finding.row, "n = 1");
  EXPECT_THAT(played.findings.back().seen, HasSubstr("exit 1"));
  std::string shown;
  for (const wire::Frame& frame : played.slices.front().transcript->frames)
    if (frame.channel == wire::Channel::kStderr) shown += frame.bytes + "|";
  EXPECT_EQ(shown, "starting|KeyError: 'name'|");
}

TEST_F(CasePlayerTest, AsksAgainForTheEndOfAProcessThatServesNobodyElse) {
  transport = "tcp";
  ending = {"signal 6", "what(): map::at\n"};
  asked_while_it_ends = 1;
  canary_answered = false;
  const PlayedCase played = play("- {frame: first, reply: {error: {code: -32700}}}\n",
                                 [](const Outgoing&) {
                                   return std::vector<Arrival>{transport::closed("eof")};
                                 });
  ASSERT_FALSE(played.findings.empty());
  EXPECT_THAT(played.findings.back().seen, HasSubstr("signal 6"));
}

TEST_F(CasePlayerTest, SaysWhyNothingWasJudged) {
  struct Row {
    const char* what;
    const char* first;  // its reply, as the case has it
    const char* not_applicable;
    const char* inconclusive;  // parts
    Texts sent;
  };
  offer.forbidden = {{"rm", "destructive"}};
  const std::string second = "\n- {call: {method: second}, reply: {result: {}}}";
  const Row rows[] = {
      {"an outcome ends the row: what it is about is not offered",
       "- {call: {method: first}, reply: [{error: {}, skip_rest: true, because: not offered}]}",
       "not offered",
       "",
       {"first"}},
      {"a tool that may not be called is not",
       "- {call: {method: tools/call, params: {name: rm}}, reply: any-reply}",
       "",
       "rm (destructive)",
       {}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    const PlayedCase played = play(row.first + second, refuses);
    EXPECT_TRUE(played.findings.empty());
    EXPECT_THAT(played.not_applicable, HasSubstr(row.not_applicable));
    EXPECT_THAT(played.inconclusive, HasSubstr(row.inconclusive));
    EXPECT_EQ(played.inconclusive.empty(), !*row.inconclusive);
    EXPECT_THAT(sent, ElementsAreArray(row.sent));
  }
}

}  // namespace
}  // namespace harness::run
