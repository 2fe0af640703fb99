// SPDX-License-Identifier: Apache-2.0
// Outcomes as they are read, and how references in them are filled in. What the reader refuses is
// in loader_test.cc.
#include "harness/suite/outcome.h"

#include <gtest/gtest.h>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/suite/testing.h"

namespace harness::suite {
namespace {

std::string only_pattern(const Outcome& outcome) {
  std::string text;
  each_pattern(outcome, [&](const json::Value& pattern) { text += json::write(pattern) + ' '; });
  return text;
}

TEST(ReadOutcomes, TakesANameAMappingOrAListForWhatPasses) {
  for (const char* text : {"silence", "[silence]", "{silence: true}", "{is: silence}",
                           "{pass: silence}", "{pass: [{silence: true}]}"}) {
    const Outcomes read = outcomes_of(text);
    ASSERT_EQ(read.pass.size(), 1u) << text;
    ASSERT_EQ(read.pass.front().names.size(), 1u) << text;
    EXPECT_EQ(read.pass.front().names.front(), OutcomeName(OutcomeWord::kSilence)) << text;
    EXPECT_TRUE(read.note.empty() && read.warn.empty() && read.fail.empty()) << text;
    EXPECT_EQ(read.set, "") << text;
  }
}

TEST(ReadOutcomes, KeepsASetWholeOnlyWhereItIsAll) {
  EXPECT_EQ(outcomes_of("parse-error").set, "parse-error");
  for (const char* text : {"[parse-error]", "{pass: parse-error}", "{is: parse-error}"}) {
    const Outcomes read = outcomes_of(text);
    EXPECT_EQ(read.set, "") << text;
    EXPECT_EQ(read.pass.front().names.front(), OutcomeName("parse-error")) << text;
  }
}

TEST(ReadOutcomes, TypesEveryMember) {
  const Outcome one =
      outcomes_of(
          "{late: true, alive: true, is: good-json, result: {a: 1}, error: {code: 2}, message: 3, "
          "separate: [4], http: [405, 4xx], body: 5, all: [exited], status: exit 6, id: 7, "
          "headers: "
          "{A: 8}, when: {profiles: [lsp]}, breaks: jsonrpc.id.string-echo, because: b, skip_rest: "
          "true}")
          .pass.front();
  EXPECT_EQ(one.names, (std::vector<OutcomeName>{OutcomeWord::kAlive, OutcomeWord::kLate,
                                                 std::string("good-json")}));
  EXPECT_EQ(only_pattern(one), "{\"a\":1} {\"code\":2} 3 \"exit 6\" 4 5 7 8 ");
  EXPECT_EQ(one.http, (std::vector<std::string>{"405", "4xx"}));
  ASSERT_EQ(one.all.size(), 1u);
  EXPECT_EQ(one.all.front().names.front(), OutcomeName(OutcomeWord::kExited));
  EXPECT_EQ(one.headers.front().name, "A");
  ASSERT_TRUE(one.when.has_value());
  EXPECT_EQ(one.when->profiles, std::vector<std::string>{"lsp"});
  EXPECT_EQ(one.breaks, "jsonrpc.id.string-echo");
  EXPECT_EQ(one.because, "b");
  EXPECT_TRUE(one.skip_rest);

  const Outcome words = outcomes_of("{http: 202, body: empty, id: own}").pass.front();
  ASSERT_TRUE(words.body && words.id);
  EXPECT_TRUE(std::holds_alternative<NoBody>(*words.body));
  EXPECT_TRUE(std::holds_alternative<OwnId>(*words.id));
}

TEST(ReadOutcomes, PutsWhatASetExtendsBehindItsOwn) {
  const Outcomes& set = own_suite().sets.at("not-utf8");
  const Outcomes& base = own_suite().sets.at("parse-error");
  ASSERT_EQ(set.pass.size(), base.pass.size() + 1);
  EXPECT_EQ(set.pass.front().names.front(), OutcomeName(OutcomeWord::kClosed));
  EXPECT_EQ(set.fail.size(), base.fail.size());
}

// A row of the table, whose columns may hold references; a captured value is data.
class Row final : public Scope {
 public:
  explicit Row(const char* row) : values_(json::parse(row)) {}
  std::optional<json::Value> find(const std::vector<std::string>& path) const override {
    if (path.front() == "captured") return json::string("$any");
    return walk(values_, path, 0);
  }
  bool written_in_case(const std::string& root) const override { return root != "captured"; }

 private:
  json::Value values_;
};

Outcomes outcomes_in(const std::string& reply, const std::vector<json::Value>& table) {
  const Step step = steps_of("- {frame: x, reply: " + reply + "}", {"captured"}, table).front();
  return *step.reply;
}

TEST(ExpandOutcomes, FillsInEveryPatternAndText) {
  const std::vector<json::Value> table{
      json::parse(R"({"n":7,"what":"slow","clause":"jsonrpc.id.string-echo","at":404})")};
  const Row row(R"({"n":7,"what":"slow","clause":"jsonrpc.id.string-echo","at":404})");
  const auto filled = expand(
      outcomes_in(
          "{pass: [{error: {code: '${n}'}, id: '${captured}'}], fail: [{http: ['${at}', 5xx], "
          "headers: {'X-${what}': '${n}'}, all: [{result: '${n}'}], breaks: '${clause}', "
          "because: 'it is ${what}'}]}",
          table),
      row);
  ASSERT_TRUE(filled) << filled.error().text();
  // What was captured matches as what it is.
  EXPECT_EQ(only_pattern(filled->pass.front()), R"({"code":7} "$$any" )");
  const Outcome& fail = filled->fail.front();
  EXPECT_EQ(fail.http, (std::vector<std::string>{"404", "5xx"}));
  EXPECT_EQ(fail.headers.front().name, "X-slow");
  EXPECT_EQ(only_pattern(fail), "7 ");
  EXPECT_EQ(only_pattern(fail.all.front()), "7 ");
  EXPECT_EQ(fail.breaks, "jsonrpc.id.string-echo");
  EXPECT_EQ(fail.because, "it is slow");
}

TEST(ExpandOutcomes, TakesWhatTheColumnOfTheRowHas) {
  const char* const kName = R"({"want":"parse-error"})";
  const char* const kGraded = R"({"n":3,"want":{"pass":"silence","warn":[{"result":"${n}"}]}})";
  const char* const kOther = R"({"n":4,"want":"${other}","other":{"error":{"code":"${n}"}}})";
  std::vector<json::Value> table;
  for (const char* row : {kName, kGraded, kOther}) table.push_back(json::parse(row));
  for (json::Value& row : table)
    for (const char* column : {"n", "other"})
      if (row.find(column) == nullptr) row.set(column, json::string("silence"));

  const Outcomes written = outcomes_in("'${want}'", table);
  ASSERT_NE(written.by_row, nullptr);
  EXPECT_EQ(expand(written, Row(kName))->set, "parse-error");
  const auto graded = expand(written, Row(kGraded));
  EXPECT_EQ(graded->pass.front().names.front(), OutcomeName(OutcomeWord::kSilence));
  EXPECT_EQ(only_pattern(graded->warn.front()), "3 ");
  EXPECT_EQ(only_pattern(expand(written, Row(kOther))->pass.front()), R"({"code":4} )");

  table[1].set("want", json::string("normal"));  // in a list it is one outcome
  const Outcomes listed = outcomes_in("[silence, '${want}']", table);
  const auto filled = expand(listed, Row(kOther));
  ASSERT_EQ(filled->pass.size(), 2u);
  EXPECT_EQ(only_pattern(filled->pass.back()), R"({"code":4} )");
}

TEST(ExpandOutcomes, SaysWhatHasNoValue) {
  const std::vector<json::Value> table{json::parse(R"({"want":"silence"})")};
  EXPECT_EQ(expand(outcomes_in("'${want}'", table), Row("{}")).error().text(),
            "${want} has no value here");
  EXPECT_EQ(expand(outcomes_in("{result: '${want}'}", table), Row("{}")).error().text(),
            "${want} has no value here");
}

// --- answers

TEST(ReadAnswers, TypesWordsMembersAndForms) {
  const Step step = steps_of(
      "[{canary: true, answers: {a: wrong-id, b: {result: 1, error: {code: 2}}, c: {raw: x}, "
      "elicitation/create: {accept: broken, of: [enum]}}}]")[0];
  ASSERT_TRUE(step.answers);
  const Answers& all = *step.answers;
  EXPECT_EQ(std::get<AnswerWord>(all.at("a")), AnswerWord::kWrongId);
  const auto& both = std::get<OwnAnswer>(all.at("b"));
  EXPECT_EQ(json::write(*both.result) + json::write(*both.error), R"(1{"code":2})");
  EXPECT_EQ(std::get<OwnAnswer>(all.at("c")).raw, "x");
  const auto& form = std::get<FormAnswer>(all.at("elicitation/create"));
  EXPECT_EQ(form.accept, "broken");
  EXPECT_EQ(form.of, std::vector<std::string>{"enum"});
}

TEST(ExpandAnswers, TakesWhatTheRowHasAndFillsItIn) {
  const std::vector<json::Value> table{json::parse(R"({"n":7,"say":{"result":{"n":"${n}"}}})"),
                                       json::parse(R"({"n":8,"say":"none"})")};
  const Step step = steps_of(
      "[{canary: true, answers: {a: '${say}', '*': {raw: 'n ${n}'}, "
      "elicitation/create: {accept: broken, of: ['${n}']}}}]",
      {}, table)[0];
  const auto own = expand(*step.answers, Row(R"({"n":7,"say":{"result":{"n":"${n}"}}})"));
  ASSERT_TRUE(own) << own.error().text();
  EXPECT_EQ(json::write(*std::get<OwnAnswer>(own->at("a")).result), R"({"n":7})");
  EXPECT_EQ(std::get<OwnAnswer>(own->at("*")).raw, "n 7");
  EXPECT_EQ(std::get<FormAnswer>(own->at("elicitation/create")).of, std::vector<std::string>{"7"});
  const auto none = expand(*step.answers, Row(R"({"n":8,"say":"none"})"));
  EXPECT_EQ(std::get<AnswerWord>(none->at("a")), AnswerWord::kNone);
  EXPECT_EQ(expand(*step.answers, Row(R"({"n":1})")).error().text(), "${say} has no value here");
}

}  // namespace
}  // namespace harness::suite
