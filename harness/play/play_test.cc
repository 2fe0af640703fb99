// SPDX-License-Identifier: Apache-2.0
// Small cases played over a scripted Transport: each passes a sound server and catches a broken
// one.
#include "harness/play/play.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "harness/contact/testing.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/suite/testing.h"
#include "harness/transport/scripted.h"
#include "harness/transport/testing.h"

namespace harness::run {
namespace {

using session::Session;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using transport::Arrival;
using transport::Outgoing;
using transport::Scripted;

// Method → what the reply has behind its id, such as `"result":{}`; "" is silence. A method that is
// not named gets an empty result, a line without an id what stands under "*".
using Replies = std::map<std::string, std::string>;

std::string reply_to(const std::string& line, const Replies& replies) {
  const auto reading = json::read(line);
  const auto* good = std::get_if<json::Reading>(&reading);
  const json::Value* id = good ? good->value.find("id") : nullptr;
  const json::Value* method = good ? good->value.find("method") : nullptr;
  const auto found = replies.find(id && method ? method->text : "*");
  if (found == replies.end() && !(id && method)) return "";
  const std::string members = found == replies.end() ? R"("result":{})" : found->second;
  if (members.empty()) return "";
  return R"({"jsonrpc":"2.0","id":)" + (id ? json::write(*id) : "null") + "," + members + "}";
}

Scripted::Act server(const Replies& replies) {
  return [replies](const Outgoing& outgoing) {
    std::string text;
    for (const std::string& write : outgoing.writes) text += write;
    std::vector<Arrival> arrivals;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      if (const std::string reply = reply_to(line, replies); !reply.empty())
        arrivals.push_back(transport::line(reply));
    return arrivals;
  };
}

class PlayTest : public testing::Test {
 protected:
  // Plays the steps against a server that replies so. `head`: more fields of the case.
  PlayedCase play(const std::string& steps, const Replies& replies = {},
                  const std::string& head = "") {
    const std::string text =
        "title: T\ncovers: [jsonrpc.id.string-echo]\n" + head + "\nsteps:\n" + steps;
    const auto cases = suite::expected(
        suite::load_user_cases({{"t.yaml", text}}, suite::own_suite(), suite::own_registry()));
    session = open(replies);
    if (before) before(*target);
    const PlayContext context{
        suite::own_suite(),
        suite::own_registry(),
        profile,
        offer,
        look,
        [&](suite::Need) -> awaitable<Result<std::unique_ptr<Session>>> {
          ++opened;
          co_return open(replies);
        },
        [](std::unique_ptr<Session>) {},
        [] { return std::uint64_t{0}; },
        why_stop,
        habits,
        true};
    PlayedCase played;
    transport::run(loop, [&]() -> awaitable<void> {
      played = co_await run::play(cases.front(), session, context);
    });
    return played;
  }

  std::unique_ptr<Session> open(const Replies& replies) {
    auto made = std::make_unique<Scripted>("stdio");
    target = made.get();
    target->otherwise(otherwise ? otherwise : server(replies));
    return std::make_unique<Session>(std::move(made), profile, "t",
                                     std::make_shared<session::Pace>());
  }

  static std::vector<std::string> expectations(const PlayedCase& played) {
    std::vector<std::string> out;
    for (const oracle::Finding& finding : played.findings) out.push_back(finding.expected);
    return out;
  }

  std::vector<std::string> found_with_late(const std::vector<std::string>& late);

  const spec::Profile& profile = *spec::find_profile("mcp-2025-06-18");
  boost::asio::io_context loop;
  Offer offer;
  std::unique_ptr<Session> session;
  Scripted* target = nullptr;  // of the last session that was opened; owned by it
  std::function<void(Scripted&)> before;
  Scripted::Act otherwise;  // what it does; empty: what the replies say
  std::function<std::string()> why_stop;
  Habits* habits = nullptr;
  Silence look = Silence::kBelieved;
  int opened = 0;  // sessions that the case asked for
};

struct Row {
  const char* steps;
  Replies sound;
  Replies broken;
  const char* expected;  // part of what the finding says was expected
};

const Row kRows[] = {
    {"- {call: {method: m}, reply: {result: {a: 1}}}",
     {{"m", R"("result":{"a":1})"}},
     {{"m", R"("result":{"a":2})"}},
     "a"},
    {"- {call: {method: m}}\n- {canary: true}", {}, {{"m", ""}}, "reply"},
    {"- {send: {jsonrpc: '2.0', id: 7, method: m}, reply: {error: {code: -32601}}}",
     {{"m", R"("error":{"code":-32601,"message":"m"})"}},
     {},
     "-32601"},
    {"- {frame: '{oops', reply: {error: {code: -32700}}}",
     {{"*", R"("error":{"code":-32700,"message":"m"})"}},
     {},
     "-32700"},
    {"- {notify: {method: m}, reply: silence}", {}, {{"*", R"("result":{})"}}, "no reply"},
    {"- {notify: {method: m}}\n- {silence: true}", {}, {{"*", R"("result":{})"}}, "no reply"},
    {"- call: {method: m}\n  capture: {all: /result/all}\n"
     "- {compare: {value: '${all}', to: {$unique: ''}}}",
     {{"m", R"("result":{"all":[1,2]})"}},
     {{"m", R"("result":{"all":[1,1]})"}},
     ""},
    {"- {call: {method: m}, as: one, reply: later}\n- {await: {one: {result: {a: 1}}}}",
     {{"m", R"("result":{"a":1})"}},
     {},
     "a"},
    {"- {call: {method: m, id: mine}, as: one}\n"
     "- {compare: {value: '${one.id}', to: mine}}\n- {canary: true}",
     {},
     {{"ping", ""}},
     ""},
    {"- pipelined:\n    - {call: {method: a}, as: one}\n    - {call: {method: b}, as: two, reply: "
     "{result: {}}}\n  order: [one, two]",
     {},
     {{"b", R"("error":{"code":1,"message":"m"})"}},
     "result"},
    {"- {walk: {call: {method: m}, items: /result/all}, capture: {n: '/items/*/n'}}\n"
     "- {compare: {value: '${n}', to: [1, 2]}}",
     {{"m", R"("result":{"all":[{"n":1},{},{"n":2}]})"}},
     {{"m", R"("result":{"all":[{"n":1}]})"}},
     "2 elements"},
    {"- {call: {method: m}, capture: {all: /result/all}}\n"
     "- {call: {method: '${one}'}, each: {one: '${all}'}, capture: {n: /result/n}}\n"
     "- {compare: {value: '${n}', to: [1, 2]}}",
     {{"m", R"("result":{"all":["a","b","c"]})"},
      {"a", R"("result":{"n":1})"},
      {"b", R"("result":{"n":2})"}},
     {{"m", R"("result":{"all":["a","b"]})"},
      {"a", R"("result":{"n":2})"},
      {"b", R"("result":{"n":1})"}},
     "1 at /0"},
    {"- {walk: {call: {method: m}, items: /result/all, pages: 2}, capture: {end: /end}}\n"
     "- {compare: {value: '${end}', to: last page}}",
     {{"m", R"("result":{"all":[1]})"}},
     {{"m", R"("result":{"all":[1],"nextCursor":"more"})"}},  // one page more than it was asked
     "last page"},
};

TEST_F(PlayTest, PassesASoundServerAndCatchesABrokenOne) {
  for (const Row& row : kRows) {
    EXPECT_THAT(expectations(play(row.steps, row.sound)), IsEmpty()) << row.steps;
    const auto found = expectations(play(row.steps, row.broken));
    ASSERT_FALSE(found.empty()) << row.steps;
    EXPECT_THAT(found.front(), HasSubstr(row.expected)) << row.steps;
  }
}

TEST_F(PlayTest, AnswersQuestionsInsideOfResults) {
  // The server asks whatever it is told.
  const std::string asks =
      R"("result":{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"}}})";
  const std::string steps =
      "- {call: {method: m, params: {}}, rounds: 2, reply: {result: {resultType: complete}}}";
  const PlayedCase played =
      play(steps, {{"m", asks}}, "answers: {roots/list: {result: {roots: []}}}");
  EXPECT_EQ(played.findings.size(), 1u);
  int repeats = 0;
  for (const wire::Frame& frame : session->transcript().frames)
    repeats += frame.bytes.find(R"("inputResponses":{"k":{"roots":[]}})") != std::string::npos;
  EXPECT_EQ(repeats, 2);
}

TEST_F(PlayTest, TakesAllMessagesThatCameBeforeTheCanary) {
  const std::string steps =
      "- {call: {method: m}}\n- {expect: {message: {method: n}, all: true}, capture: {all: ''}}\n"
      "- {compare: {value: '${all}', to: {$length: 0}}}";
  EXPECT_THAT(play(steps).findings, IsEmpty());
  before = [](Scripted& scripted) {
    scripted.otherwise([](const Outgoing& outgoing) {
      std::string text;
      for (const std::string& write : outgoing.writes) text += write;
      const std::string note = R"({"jsonrpc":"2.0","method":"n"})";
      return std::vector<Arrival>{transport::line(note), transport::line(note),
                                  transport::line(reply_to(text, {}))};
    });
  };
  EXPECT_EQ(play(steps).findings.size(), 1u);
  before = nullptr;
}

TEST_F(PlayTest, SaysWhichRowOfATableWasBroken) {
  const PlayedCase played = play("- {call: {method: '${m}'}, reply: {result: $any}}",
                                 {{"bad", R"("error":{"code":1,"message":"m"})"}},
                                 "table: [{m: good}, {row: the bad one, m: bad}]");
  ASSERT_EQ(played.findings.size(), 1u);
  EXPECT_EQ(played.findings.front().row, "the bad one");
  EXPECT_EQ(played.findings.front().requirement, "jsonrpc.id.string-echo");
}

// Counted in what is sent: the call and the canary of a row.
TEST_F(PlayTest, StopsBetweenRowsWhenTheTimeIsOver) {
  int asked = 0;
  why_stop = [&] { return ++asked < 3 ? "" : "all is over"; };
  const std::string table = "table: [{n: 1}, {n: 2}, {n: 3}, {n: 4}, {n: 5}, {n: 6}, {n: 7}]";
  const std::string steps = "- {call: {method: m, params: ['${n}']}, reply: {result: $any}}";
  const PlayedCase played = play(steps, {{"m", ""}}, table);
  EXPECT_EQ(played.findings.size(), 3u);
  EXPECT_EQ(target->sent().size(), 6u);
  EXPECT_THAT(played.notes, ElementsAre("4 rows were not played: all is over"));
}

// It ends at text that is not JSON, whichever; where it did so twice, each case plays one row.
TEST_F(PlayTest, PlaysOneRowOfWhatTheTargetIsKnownToEndAt) {
  Habits known;
  habits = &known;
  const std::string steps = "- {frame: '${text}', reply: anything}";
  const std::string table = "table: [{text: '{'}, {text: '[1}'}, {text: '{}'}, {text: '{\"a'}]";
  const auto ends = [](const Outgoing& outgoing) -> std::vector<Arrival> {
    const std::string line = outgoing.writes.front();
    if (std::holds_alternative<json::ReadError>(json::read(line))) return dies("exit 1");
    const std::string reply = reply_to(line, {});
    return reply.empty() ? std::vector<Arrival>{} : std::vector<Arrival>{transport::line(reply)};
  };
  otherwise = ends;
  const PlayedCase first = play(steps, {}, table);
  EXPECT_EQ(first.findings.size(), 4u);  // a row: no answer, and its end
  EXPECT_EQ(first.foreseen, 0u);
  EXPECT_EQ(opened, 2);
  EXPECT_THAT(first.notes,
              ElementsAre("1 row was not played: the target exits or hangs when it gets text "
                          "that is not JSON"));
  const PlayedCase second = play(steps, {}, table);
  EXPECT_EQ(second.findings.size(), 2u);
  EXPECT_EQ(second.foreseen, 2u) << "the same again needs no second look";
  EXPECT_THAT(second.notes, ElementsAre(HasSubstr("2 rows were not played")));
  habits = nullptr;
  EXPECT_EQ(play(steps, {}, table).findings.size(), 6u) << "nobody is asked: all are played";
}

// Twice it was heard out: the third time it is late again, and not silent.
TEST_F(PlayTest, TakesAToolThatIsKnownToBeSilentForSlow) {
  Habits known;
  habits = &known;
  const std::string call = input_class(R"({"jsonrpc":"2.0","id":1,"method":"tools/call",)"
                                       R"("params":{"name":"t"}})");
  for (int i = 0; i < 2; ++i) known.saw(Habit::kSilence, true, {call});
  EXPECT_THAT(expectations(play("- {call: {method: tools/call, params: {name: t}}, "
                                "reply: [{result: $any}, late]}",
                                {{"tools/call", ""}})),
              IsEmpty());
}

// A busy machine may be why nothing came in time.
TEST_F(PlayTest, LearnsNoHangOfAFirstLook) {
  Habits known;
  habits = &known;
  otherwise = [](const Outgoing&) { return std::vector<Arrival>{}; };
  const std::string steps = "- {frame: '{', reply: anything}";
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(play(steps).findings.empty());
  EXPECT_FALSE(known.any(Habit::kHarm));
  look = Silence::kHeardOut;
  for (int i = 0; i < 2; ++i) play(steps);
  EXPECT_TRUE(known.any(Habit::kHarm));
}

TEST_F(PlayTest, LeavesOutRowsAndStepsThatAreNotMeantForTheProfile) {
  const std::string wrong = "reply: {result: {a: 1}}, when: {profiles: [jsonrpc-2.0]}}";
  EXPECT_THAT(expectations(play("- {call: {method: m}, " + wrong + "\n- {canary: true}")),
              IsEmpty());
  EXPECT_THAT(expectations(play("- {call: {method: m}, reply: {result: {a: '${a}'}}}",
                                {{"m", R"("result":{"a":2})"}},
                                "table: [{a: 2}, {a: 1, when: {profiles: [jsonrpc-2.0]}}]")),
              IsEmpty());
}

TEST_F(PlayTest, WalksUntilTheLastPageOrOneThatCameBefore) {
  const std::string walk =
      "- walk: {call: {method: m}, items: '${at}', pages: 3}\n"
      "  capture: {keys: /keys, cursors: /cursors, end: /end}\n"
      "  reply: any-reply\n"
      "- {compare: {values: ['${end}', '${keys}', '${cursors}'], to: ";
  const std::string row = "table: [{at: /result/all}]";
  const auto ends = [&](const std::string& answer, const std::string& seen) {
    return expectations(play(walk + seen + "}}", {{"m", answer}}, row));
  };
  EXPECT_THAT(ends(R"("result":{"all":[{"name":"a"},{"uri":"b","name":"c"},4]})",
                   "[last page, [a, b], []]"),
              IsEmpty());
  EXPECT_THAT(ends(R"("result":{"all":[{"name":"b"}],"nextCursor":"a"})",
                   "[page that came before, [b, b], [a, a]]"),
              IsEmpty());
  EXPECT_THAT(ends(R"("error":{"code":1,"message":"m"})", "[error, [], []]"), IsEmpty());
}

TEST_F(PlayTest, CitesTheClauseThatTheRowNames) {
  const PlayedCase played =
      play("- {call: {method: m}, covers: '${clause}', reply: {result: {a: 1}}}",
           {{"m", R"("result":{"a":2})"}}, "table: [{clause: jsonrpc.id.type-preserved}]");
  ASSERT_EQ(played.findings.size(), 1u);
  EXPECT_EQ(played.findings.front().requirement, "jsonrpc.id.type-preserved");
}

TEST_F(PlayTest, LeavesOutRowsForWhatTheTargetDeclares) {
  const std::string steps = "- {call: {method: m}, reply: {result: {a: 1}}}";
  const std::map<std::string, std::string> wrong = {{"m", R"("result":{"a":2})"}};
  const PlayedCase none = play(steps, wrong, "table: [{when: {declared: tools}}]");
  EXPECT_THAT(none.findings, IsEmpty());
  EXPECT_EQ(none.not_applicable, "the target does not declare the capability tools");
  EXPECT_EQ(play(steps, wrong, "table: [{n: 1}, {n: 2, when: {declared: tools}}]").findings.size(),
            1u);
}

TEST_F(PlayTest, TakesAStepByWhatWasCaptured) {
  const std::string steps =
      "- {call: {method: m}, capture: {seen: /result/seen}}\n"
      "- {call: {method: bad}, reply: {result: $any}, when: {value: '${seen}', is: true}}";
  const std::string refusal = R"("error":{"code":1,"message":"m"})";
  EXPECT_EQ(play(steps, {{"m", R"("result":{"seen":true})"}, {"bad", refusal}}).findings.size(),
            1u);
  EXPECT_THAT(play(steps, {{"bad", refusal}}).findings, IsEmpty());
}

TEST_F(PlayTest, ExpectsMessagesOfTheServer) {
  const std::string wanted = "- {expect: {message: {method: x}}}";
  const std::string unwanted = "- {expect: {message: {method: x}, absent: true}}";
  EXPECT_THAT(expectations(play(wanted)), ElementsAre(HasSubstr("a message")));
  EXPECT_THAT(expectations(play(unwanted)), IsEmpty());
  before = [](Scripted& scripted) {
    std::vector<Arrival> arrivals(1, transport::line(R"({"jsonrpc":"2.0","method":"x"})"));
    scripted.now(std::move(arrivals));
  };
  EXPECT_THAT(expectations(play(wanted)), IsEmpty());
  EXPECT_THAT(expectations(play(unwanted)), ElementsAre(HasSubstr("no message")));
}

// A table whose rows ask for acknowledgements with their number, of a server that answers the
// second row with `late`.
std::vector<std::string> PlayTest::found_with_late(const std::vector<std::string>& late) {
  before = [&](Scripted& scripted) {
    scripted.otherwise([late, usual = server({})](const Outgoing& outgoing) {
      const std::string text = outgoing.writes.front();
      if (text.find("listen") == std::string::npos) return usual(outgoing);
      std::vector<Arrival> arrivals;
      if (text.find("72") == std::string::npos) return arrivals;
      for (const std::string& params : late)
        arrivals.push_back(transport::line(R"({"jsonrpc":"2.0","method":"acknowledged","params":)" +
                                           params + "}"));
      return arrivals;
    });
  };
  const PlayedCase played = play(
      "- {call: {method: listen, id: '${own}'}, reply: later, as: stream}\n"
      "- {expect: {message: {method: acknowledged}}, capture: {n: /params/n}}\n"
      "- {compare: {value: '${n}', to: '${own}'}}",
      {}, "table: [{row: first, own: 71}, {row: second, own: 72}]");
  std::vector<std::string> rows;
  for (const oracle::Finding& finding : played.findings) rows.push_back(finding.row);
  return rows;
}

TEST_F(PlayTest, LeavesWhatIsLateToTheRowThatAskedForIt) {
  const auto tagged = [](const char* n, const char* id) {
    return std::string(R"({"n":)") + n + R"(,"_meta":{"io.modelcontextprotocol/subscriptionId":)" +
           id + "}}";
  };
  const auto untagged = [](const char* n) { return std::string(R"({"n":)") + n + "}"; };
  const auto first = ElementsAre("first");
  const auto both = ElementsAre("first", "second");
  EXPECT_THAT(found_with_late({}), both);
  EXPECT_THAT(found_with_late({tagged("71", "71"), tagged("72", "72")}), first);
  EXPECT_THAT(found_with_late({tagged("71", "71")}), both) << "its own did not come";
  EXPECT_THAT(found_with_late({tagged("71", "72")}), both) << "its own is wrong";
  EXPECT_THAT(found_with_late({untagged("71"), untagged("72")}), first);
  EXPECT_THAT(found_with_late({untagged("71"), untagged("71")}), both) << "the second is wrong";
  EXPECT_THAT(found_with_late({untagged("71")}), first) << "whose it is cannot be known";
}

TEST_F(PlayTest, WaitsOnceForAllThatAreNeverAnswered) {
  const auto longest_waits = [&](const Replies& replies) {
    std::set<transport::Deadline> waits;
    before = [&](Scripted& scripted) {
      scripted.idles([&](transport::Deadline until) {
        if (until > transport::Clock::now() + std::chrono::seconds(1)) waits.insert(until);
        return std::vector<Arrival>{};
      });
    };
    play(
        "- {call: {method: a}, as: a, reply: later}\n- {call: {method: b}, as: b, reply: later}\n"
        "- {await: {a: {result: {}}, b: {result: {}}}}\n",
        replies);
    return waits.size();
  };
  EXPECT_EQ(longest_waits({{"a", ""}, {"b", ""}}), 1U);
  EXPECT_EQ(longest_waits({{"b", ""}}), 1U);
}

TEST_F(PlayTest, PlaysAStepForEachElementAndEndsTheRowWhereNothingIsOffered) {
  const std::string steps =
      "- {call: {method: m}, capture: {all: /result/all}}\n"
      "- compare: {value: '${all}', to: {$length: {$range: [1, null]}}, optional: true,"
      " because: none is offered}\n"
      "- {compare: {value: '${one}', to: $number}, each: {one: '${all}'},"
      " when: {value: '${one}', is: {$not: skipped}}}";
  EXPECT_THAT(expectations(play(steps, {{"m", R"("result":{"all":[1,"skipped",["b","c"],"b"]})"}})),
              ElementsAre("a number", "a number"));
  // Of a long list only what sends messages is played in part.
  const std::string many = R"("result":{"all":[1,"a",2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18]})";
  EXPECT_THAT(expectations(play(steps, {{"m", many}})), ElementsAre("a number"));
  const PlayedCase nothing = play(steps, {{"m", R"("result":{"all":[]})"}});
  EXPECT_THAT(nothing.findings, IsEmpty());
  EXPECT_EQ(nothing.not_applicable, "none is offered");
}

TEST_F(PlayTest, EndsTheRowWhereAnAcceptedReplyLacksWhatIsLookedAtLater) {
  const std::string steps =
      "- {call: {method: m}, capture: {seen: /result/seen}, reply: any-reply}\n"
      "- {compare: {value: '${seen}', to: $number}}";
  const PlayedCase other = play(steps, {{"m", R"("error":{"code":-32601,"message":"no"})"}});
  EXPECT_THAT(other.findings, IsEmpty());
  EXPECT_EQ(other.not_applicable, "no reply gave what the case looks at");
  EXPECT_THAT(expectations(play(steps, {{"m", R"("result":{"seen":"x"})"}})),
              ElementsAre("a number"));
}

TEST_F(PlayTest, LeavesOpenWhatARequestOfTheServerWasToBegin) {
  for (const char* steps :
       {"- {expect: {message: {method: sampling/createMessage}}}",
        "- expect: {message: {method: sampling/createMessage}, optional: true}\n"
        "  capture: {asked: /id}\n- {call: {method: m}, reply: {error: {}}}"}) {
    const PlayedCase played = play(steps);
    EXPECT_THAT(played.findings, IsEmpty());
    EXPECT_EQ(played.inconclusive, "the target did not send sampling/createMessage");
    EXPECT_EQ(played.not_applicable, "");
  }
}

TEST_F(PlayTest, LeavesOpenWhatTheServerMakesOfAnAnswerThatItDoesNotAskFor) {
  offer.affordances = json::object({{"tool.roots", json::object()}});
  const std::string head =
      "requires: [{affordance: tool.roots}]\nanswers: {roots/list: {result: {roots: []}}}";
  const std::string steps = "- {call: {method: m}, reply: [any-reply]}";
  EXPECT_EQ(play(steps, {}, head).inconclusive, "the target did not send roots/list");
  const PlayedCase broken = play(steps, {{"m", ""}}, head);
  EXPECT_EQ(broken.inconclusive, "");
  EXPECT_EQ(broken.findings.size(), 1u);
  const Replies in_result = {{"m", R"("result":{"resultType":"input_required"})"}};
  EXPECT_EQ(play(steps, in_result, head).inconclusive, "");
  otherwise = [](const Outgoing& outgoing) {
    std::vector<Arrival> arrivals = server({})(outgoing);
    if (outgoing.writes.front().find("\"m\"") != std::string::npos)
      arrivals.insert(arrivals.begin(),
                      transport::line(R"({"jsonrpc":"2.0","id":"q","method":"roots/list"})"));
    return arrivals;
  };
  const PlayedCase asked = play(steps, {}, head);
  EXPECT_EQ(asked.inconclusive, "");
  EXPECT_THAT(asked.findings, IsEmpty());
}

TEST_F(PlayTest, LetsTheLevelOfTheClauseDecideWhatABreachIsWorth) {
  const struct {
    const char* clause;
    const char* grade;
    oracle::Severity severity;
    bool tolerated;
  } kWorth[] = {
      {"mcp.ping.result", "fail", oracle::Severity::kFail, false},
      {"mcp.ping.result", "warn", oracle::Severity::kWarn, true},
      {"mcp.base.error-message-concise", "fail", oracle::Severity::kWarn, false},
      {"mcp.base.error-message-concise", "warn", oracle::Severity::kWarn, false},
      {"jsonrpc.id.string-echo", "fail", oracle::Severity::kWarn, false},  // of the layer below
  };
  for (const auto& row : kWorth) {
    const PlayedCase played = play("- {call: {method: m}, covers: " + std::string(row.clause) +
                                   ", reply: {" + row.grade + ": [any-reply]}}");
    ASSERT_EQ(played.findings.size(), 1u) << row.clause << " " << row.grade;
    EXPECT_EQ(played.findings[0].requirement, row.clause);
    EXPECT_EQ(played.findings[0].severity, row.severity) << row.clause << " " << row.grade;
    EXPECT_EQ(played.findings[0].seen.ends_with("(tolerated)"), row.tolerated);
  }
}

TEST_F(PlayTest, FailsATargetThatEnds) {
  before = [](Scripted& scripted) {
    std::vector<Arrival> arrivals;
    arrivals.push_back(transport::exit_with("exit 3"));
    arrivals.push_back(transport::closed("exit 3"));
    scripted.arrives(std::move(arrivals));
  };
  EXPECT_THAT(expectations(play("- {frame: '{', reply: [silence, {error: {}}]}")),
              testing::Contains(HasSubstr("the target still runs")));
}

TEST_F(PlayTest, JudgesHowAProcessEnds) {
  before = [](Scripted& scripted) {
    std::vector<Arrival> arrivals;
    arrivals.push_back(transport::exit_with("exit 3"));
    arrivals.push_back(transport::closed("exit 3"));
    scripted.now(std::move(arrivals));
  };
  const std::string head = "transports: [stdio]\nsession: fresh";
  const std::string steps = "- {close: stdin}\n- {exit: {within: 1, status: ";
  EXPECT_THAT(play(steps + "exit 3}}", {}, head).findings, IsEmpty());
  EXPECT_TRUE(target->input_closed());
  EXPECT_EQ(play(steps + "exit 0}}", {}, head).findings.size(), 1u);
}

TEST_F(PlayTest, ShakesHandsOnANewSession) {
  const Replies replies = {
      {"initialize",
       R"("result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{}})"}};
  const std::string steps = "- {reconnect: bare}\n- {handshake: {}, reply: {result: ";
  EXPECT_THAT(play(steps + "{protocolVersion: 2025-06-18}}}", replies).findings, IsEmpty());
  EXPECT_EQ(opened, 1);
  EXPECT_EQ(play(steps + "{protocolVersion: 1999-01-01}}}", replies).findings.size(), 1u);
}

TEST_F(PlayTest, TakesAServerThatNamesNoCapabilitiesForOneThatHasNone) {
  const Replies replies = {
      {"initialize", R"("result":{"protocolVersion":"2025-06-18","serverInfo":{}})"}};
  const PlayedCase played = play(
      "- {reconnect: bare}\n- {handshake: {}, reply: {result: $any}}\n"
      "- {compare: {value: '${session.capabilities}', to: {$exact: {}}}}",
      replies);
  EXPECT_THAT(played.findings, IsEmpty());
}

TEST_F(PlayTest, PausesAndTakesInWhatComesMeanwhile) {
  before = [](Scripted& scripted) {
    scripted.idles([told = false](transport::Deadline) mutable {
      std::vector<Arrival> arrivals;
      if (!std::exchange(told, true))
        arrivals.push_back(transport::line(R"({"jsonrpc":"2.0","method":"x"})"));
      return arrivals;
    });
  };
  EXPECT_THAT(expectations(play("- {pause: 0.001}\n- {expect: {message: {method: x}}}")),
              IsEmpty());
}

TEST_F(PlayTest, CallsNoToolThatMayNotBeCalled) {
  offer.forbidden = {{"rm", "destructive"}};
  const std::string step =
      "- {call: {method: tools/call, params: {name: '${tool.name}'}}, reply: any-reply}";
  const std::string head = "for_each: {tool: tools}";
  offer.tools = json::parse(R"([{"name":"rm"}])");
  const PlayedCase none = play(step, {}, head);
  EXPECT_THAT(none.inconclusive, HasSubstr("rm (destructive)"));
  EXPECT_THAT(target->sent(), IsEmpty());
  offer.tools = json::parse(R"([{"name":"rm"},{"name":"ls"}])");
  const PlayedCase some = play(step, {}, head);
  EXPECT_EQ(some.inconclusive, "");
  EXPECT_THAT(target->text(0), HasSubstr(R"("name":"ls")"));
  // By a name in the case itself.
  const PlayedCase literal =
      play("- {call: {method: tools/call, params: {name: rm}}, reply: any-reply}");
  EXPECT_THAT(literal.inconclusive, HasSubstr("rm (destructive)"));
  EXPECT_THAT(target->sent(), IsEmpty());
}

TEST_F(PlayTest, EndsARowByAnOutcomeThatSaysSo) {
  const std::string steps =
      "- {call: {method: m}, reply: [{error: {}, skip_rest: true, because: not offered}]}\n"
      "- {call: {method: n}, reply: {error: {}}}";
  const PlayedCase played = play(steps, {{"m", R"("error":{"code":1,"message":"m"})"}});
  EXPECT_THAT(played.findings, IsEmpty());
  EXPECT_EQ(played.not_applicable, "not offered");
}

// --- gate

TEST(Gate, OpensByWhatTheTargetDeclaresAndOffers) {
  struct Need {
    suite::Requires need;
    const char* not_applicable;  // part of the reason, "" when it is open
    const char* inconclusive;
    const char* profile = "mcp-2025-11-25";
  };
  Offer offer;
  offer.affordances = json::parse(R"({"tool.echo":{}})");
  offer.http_loopback = true;
  const json::Value declared = json::parse(R"({"tools":{"listChanged":true},"logging":false})");
  const Need needs[] = {
      {{"capability", "tools"}, "", ""},
      {{"capability", "tools.listChanged"}, "", ""},
      {{"capability", "logging"}, "logging", ""},
      {{"capability", "resources"}, "resources", ""},
      {{"capability", "completions"}, "completions", ""},
      {{"capability", "completions"}, "", "", "mcp-2024-11-05"},
      {{"affordance", "tool.echo"}, "", ""},
      {{"affordance", "tool.slow"}, "", "affordance tool.slow"},
      {{"era", "modern-only"}, "", ""},
      {{"era", "dual"}, "only one of handshake and stateless", ""},
      {{"http", "loopback"}, "", ""},
      {{"http", "sessions"}, "session ids", ""},
  };
  for (const Need& row : needs) {
    suite::Case made;
    made.gates = {row.need};
    const Gate decided = gate(made, offer, &declared, *spec::find_profile(row.profile));
    EXPECT_EQ(decided.open(), !*row.not_applicable && !*row.inconclusive) << row.need.name;
    EXPECT_THAT(decided.not_applicable, HasSubstr(row.not_applicable)) << row.need.name;
    EXPECT_THAT(decided.inconclusive, HasSubstr(row.inconclusive)) << row.need.name;
  }
}

}  // namespace
}  // namespace harness::run
