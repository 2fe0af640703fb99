// SPDX-License-Identifier: Apache-2.0
// What steps say about the sessions of a case, one row each.
#include "harness/suite/case_traits.h"

#include <gtest/gtest.h>

#include "harness/suite/testing.h"

namespace harness::suite {
namespace {

Case case_of(const std::string& steps, const std::string& table = "[]") {
  Case made;
  made.table = expected(json::read_yaml(table, "t.yaml")).items;
  made.steps = steps_of(steps, {}, made.table);
  return made;
}

TEST(CaseTraits, TellWhatACaseHasOpenAtOneTime) {
  const struct {
    const char* steps;
    Demand demand;
  } kDemands[] = {
      {"[{call: {method: ping}}]", {1, 1}},
      {"[{call: {method: ping}, as: a, reply: later}, {call: {method: ping}}, {await: {a: "
       "any-reply}}]",
       {1, 2}},
      {"[{http: {method: GET, keep_open: true}, as: a}]", {1, 2}},
      {"[{http: {method: GET, keep_open: true}, as: a}, {disconnect: a}, {http: {method: GET, "
       "keep_open: true}, as: b}]",
       {1, 2}},
      {"[{pipelined: [{call: {method: a}}, {call: {method: b}}, {call: {method: c}}]}]", {1, 3}},
      {"[{call: {method: ping}, client: other}]", {2, 2}},
      {"[{call: {method: initialize}}, {call: {method: initialize}}]", {3, 1}},
      {"[{reconnect: fresh}]", {2, 1}},
  };
  for (const auto& row : kDemands) EXPECT_EQ(demand(case_of(row.steps)), row.demand) << row.steps;
}

struct Row {
  const char* steps;
  SessionImpact impact;
  SessionHistory history;
  bool disconnects;
};
using Impact = SessionImpact;
using History = SessionHistory;
constexpr Row kRows[] = {
    {"[{canary: true}]", Impact::kNone, History::kAny, false},
    {"[{close: stdin}]", Impact::kWhole, History::kQuiet, true},
    {"[{close: stdout}]", Impact::kWhole, History::kQuiet, true},
    {"[{signal: TERM}]", Impact::kWhole, History::kAny, true},
    {"[{handshake: {}}]", Impact::kWhole, History::kAny, false},
    {"[{call: {method: initialize}}]", Impact::kPerhaps, History::kAny, false},
    {"[{pipelined: [{call: {method: initialize}}]}]", Impact::kPerhaps, History::kAny, false},
    {"[{send: [{id: 1, method: initialize}]}]", Impact::kPerhaps, History::kAny, false},
    {"[{frame: '{\"method\":\"initialize\"}'}]", Impact::kPerhaps, History::kAny, false},
    {"[{bytes: [{text: '{\"method\":\"initialize\"}'}]}]", Impact::kPerhaps, History::kAny, false},
    {"[{http: {method: POST, body: {method: initialize}}}]", Impact::kPerhaps, History::kAny,
     false},
    // Not the method, but a word of it, or what a reply may be.
    {"[{notify: {method: notifications/initialized}}]", Impact::kNone, History::kAny, false},
    {"[{call: {method: ping}, reply: {error: {message: initialize}}}]", Impact::kNone,
     History::kAny, false},
    {"[{reconnect: bare}, {reconnect: fresh}]", Impact::kNone, History::kAny, false},
};

TEST(CaseTraits, AreReadFromTheSteps) {
  for (const Row& row : kRows) {
    const Case made = case_of(row.steps);
    EXPECT_EQ(impact(made), row.impact) << row.steps;
    EXPECT_EQ(bearable(made), row.history) << row.steps;
    EXPECT_EQ(disconnects(made), row.disconnects) << row.steps;
    EXPECT_EQ(may_reconnect(made),
              std::string_view(row.steps).find("{reconnect") != std::string_view::npos);
  }
}

TEST(CaseTraits, FindAMethodThatAColumnNames) {
  const char* steps = "[{call: {method: '${own}'}}]";
  EXPECT_TRUE(calls_tools(case_of(steps, "[{own: ping}, {own: tools/call}]")));
  EXPECT_FALSE(calls_tools(case_of(steps, "[{own: ping}, {own: tools/list}]")));
  EXPECT_TRUE(calls_tools(case_of("[{frame: '${own}'}]", "[{own: {method: tools/call}}]")));
  // Only the column that is referred to counts.
  EXPECT_FALSE(calls_tools(case_of(steps, "[{own: ping, owner: tools/call}]")));
}

TEST(CaseTraits, FindOutWhatAWalkCalls) {
  EXPECT_TRUE(calls_tools(case_of("[{walk: {call: {method: tools/call}, items: /result}}]")));
}

struct Judged {
  const char* step;
  bool judges;
};
constexpr Judged kJudged[] = {
    {"{call: {method: ping}}", false},
    {"{call: {method: ping}, reply: {result: $any}}", true},
    {"{call: {method: ping}, reply: later}", false},
    {"{pipelined: [{call: {method: ping}}]}", false},
    {"{pipelined: [{call: {method: ping}, reply: {result: $any}}]}", true},
    {"{pipelined: [{call: {method: ping}, as: a}], order: [a]}", true},
    {"{expect: {message: $any}}", true},
    {"{expect: {message: $any, optional: true}}", false},
    {"{stream: {of: s, until: end}}", true},
    {"{stream: {of: s, until: end, optional: true}}", false},
    {"{stream: {of: s, until: end, to: {ended: true}, optional: true}}", true},
    {"{stream: {of: s}}", false},
    {"{compare: {value: 1, to: 2}}", true},
    {"{compare: {value: 1, to: 2, optional: true}}", false},
    {"{reconnect: bare}", false},
    {"{close: stdin}", false},
    {"{exit: {}}", true},
    {"{handshake: {}}", true},
    {"{ping: hi}", true},
    {"{canary: true}", true},
    {"{silence: true}", true},
    {"{compare: {value: 1, to: 1}}", true},
    {"{walk: {call: {method: tools/list}, items: /result/tools}}", true},
};

TEST(CaseTraits, KnowWhichStepsCanFail) {
  for (const Judged& row : kJudged) {
    const std::string before = "{http: {method: GET}, as: s}, ";
    const auto steps = steps_of("[" + before + row.step + "]");
    EXPECT_EQ(judges(steps.back()), row.judges) << row.step;
  }
}

}  // namespace
}  // namespace harness::suite
