// SPDX-License-Identifier: Apache-2.0
// Two judges of the same frames must not disagree: the cases, written one by one, and the model of
// `spec`, which knows every message. Each frame that a case writes out is answered in every way the
// model tells apart, and graded by both.
//
//   frame of a case ──► reply: error -32700 … result, silence ──► the case's outcomes: pass …
//   breach
//                                                            └──► the model: lawful … wrong
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/json/yaml.h"
#include "harness/play/prepare.h"
#include "harness/play/scope.h"
#include "harness/results/reply.h"
#include "harness/spec/model.h"
#include "harness/spec/profile.h"
#include "harness/suite/testing.h"
#include "harness/transport/scripted.h"

namespace harness::run {
namespace {

using testing::IsEmpty;

// One way to answer a frame.
struct PossibleReply {
  spec::Outcome outcome;
  int code = 0;  // of an error

  std::string words() const {
    if (outcome == spec::Outcome::kSilence) return "silence";
    return outcome == spec::Outcome::kResult ? "a result" : "error " + std::to_string(code);
  }
};

std::vector<PossibleReply> answers() {
  std::vector<PossibleReply> all = {{spec::Outcome::kResult}, {spec::Outcome::kSilence}};
  for (const int code : {-32700, -32600, -32601, -32602, -32603, -32000})
    all.push_back({spec::Outcome::kError, code});
  return all;
}

std::string message_of(const PossibleReply& answer, const json::Value* id) {
  json::Value message = json::object({{"jsonrpc", json::string("2.0")}});
  message.set("id", id == nullptr ? json::null() : *id);
  if (answer.outcome == spec::Outcome::kResult) {
    message.set("result", json::object());
  } else {
    message.set("error", json::object({{"code", json::number(answer.code)},
                                       {"message", json::string("m")}}));
  }
  return json::write(message);
}

// Plays the rows of cases on a session that nobody answers.
class Comparison {
 public:
  explicit Comparison(const spec::Profile& profile) : profile_(profile) {}

  void scenario(const suite::Case& scenario) {
    const bool early = scenario.need == suite::Need::kBare && profile_.era == spec::Era::kHandshake;
    if (early || !scenario.for_each_name.empty() || !is_meant(scenario)) return;
    std::vector<json::Value> rows = scenario.table;
    if (rows.empty()) rows.push_back(json::object());
    for (const json::Value& row : rows)
      if (when_applies(row.find("when"), profile_, kTransport)) play(scenario, row);
  }

  const std::set<std::string>& differences() const { return differences_; }
  int compared() const { return compared_; }

 private:
  static constexpr auto kTransport = wire::TransportKind::kStdio;

  bool is_meant(const suite::Case& scenario) const {
    if (!scenario.transports.has(kTransport)) return false;
    if (!scenario.profiles.empty())
      return std::any_of(scenario.profiles.begin(), scenario.profiles.end(),
                         [&](const std::string& name) { return profile_.is(name); });
    return std::any_of(scenario.covers.begin(), scenario.covers.end(), [&](const std::string& id) {
      const spec::Requirement* requirement = suite::own_registry().find(id);
      return requirement && spec::applies(*requirement, profile_, kTransport);
    });
  }

  static bool knows_era(const suite::Case& scenario) {
    return std::any_of(scenario.gates.begin(), scenario.gates.end(),
                       [](const suite::Requires& gate) { return gate.kind == "era"; });
  }

  void play(const suite::Case& scenario, const json::Value& row) {
    session::Session session(
        std::make_unique<transport::Scripted>(kTransport, target::Framing::kLine), profile_, "t",
        std::make_shared<session::Pace>());
    const json::Value affordances = json::object();
    RowScope scope(session, affordances);
    for (const json::Member& column : row.members) scope.set_column(column.name, column.value);
    const json::Value capabilities = json::object();
    const Setting setting{scenario.file, profile_, capabilities, session.wire()};
    for (const suite::Step& step : scenario.steps) {
      if (const auto* pipelined = suite::action_of<suite::Pipelined>(step)) {
        for (const suite::Step& one : pipelined->steps) weigh(scenario, one, scope, setting);
      } else {
        weigh(scenario, step, scope, setting);
      }
    }
  }

  // The outcomes that will judge the step: its own, or those of the step that awaits it.
  static const suite::Outcomes* outcomes_of(const suite::Case& scenario, const suite::Step& step) {
    if (step.reply) return &*step.reply;
    if (!step.later) return nullptr;
    for (const suite::Step& other : scenario.steps)
      if (const auto* await = suite::action_of<suite::Await>(other))
        for (const suite::Await::One& one : await->all)
          if (one.name == step.as) return &one.reply;
    return nullptr;
  }

  void weigh(const suite::Case& scenario, const suite::Step& step, RowScope& scope,
             const Setting& setting) {
    scope.next_step();
    const suite::Outcomes* outcomes = outcomes_of(scenario, step);
    const bool as_written = suite::action_of<suite::Frame>(step) != nullptr ||
                            suite::action_of<suite::Send>(step) != nullptr;
    if (outcomes == nullptr || !as_written || step.write.eol || step.write.times ||
        (step.when && !suite::applies(*step.when, profile_, kTransport)))
      return;
    Prepared sent;
    try {
      sent = prepare(step, scope, setting);
    } catch (const Bug&) {
      return;  // it needs what a target said before
    }
    const auto expanded = suite::expand(*outcomes, scope);
    if (!expanded || sent.text.find('\n') != std::string::npos) return;  // more than one line
    compare(scenario, sent, *expanded);
  }

  void compare(const suite::Case& scenario, const Prepared& sent, const suite::Outcomes& outcomes) {
    const wire::Message message = wire::read_message(sent.text);
    const spec::Expectation model =
        spec::expect({&profile_, kTransport, spec::Phase::kReady}, message, sent.text);
    if (model.open() || model.notification()) return;
    const json::Value* id = message.is_json ? spec::readable_id(message.value) : nullptr;
    // Of an array the model knows what may refuse it; what is served is answered element by
    // element.
    const bool array = message.kind == wire::MessageKind::kBatch;
    bool passes_any = false, agrees = false;
    for (const PossibleReply& answer : answers()) {
      if (array && answer.outcome != spec::Outcome::kError) continue;
      ++compared_;
      const Grade by_case = grade_of(answer, message, sent, id, outcomes);
      const spec::Grade by_model = grade_of(answer, model);
      const bool passed = by_case == Grade::kPass || by_case == Grade::kNote;
      passes_any |= passed;
      agrees |= passed && by_model != spec::Grade::kWrong;
      // A case may want more of a result than that it is one.
      const bool refused = by_case == Grade::kFail ||
                           (by_case == Grade::kBreach && answer.outcome != spec::Outcome::kResult);
      // Silence proves nothing where a method may be at work, and the model does not know of what
      // era the target is.
      const bool has_opinion = !model.sound() && !knows_era(scenario) &&
                               (answer.outcome != spec::Outcome::kSilence || model.prompt());
      if (refused && has_opinion && by_model == spec::Grade::kLawful)
        tell(scenario, sent, "refuses " + answer.words());
    }
    if (array) return;
    // What passes no answer of ours waits for a certain result.
    if (!passes_any) agrees = model.result() != spec::Grade::kWrong;
    if (!agrees) tell(scenario, sent, "passes nothing the model allows");
  }

  static spec::Grade grade_of(const PossibleReply& answer, const spec::Expectation& model) {
    if (answer.outcome == spec::Outcome::kResult) return model.result();
    return answer.outcome == spec::Outcome::kSilence ? model.silence() : model.error(answer.code);
  }

  // With the id that the frame seems to have or with none, whichever the case likes better.
  Grade grade_of(const PossibleReply& answer, const wire::Message& message, const Prepared& sent,
                 const json::Value* id, const suite::Outcomes& outcomes) const {
    const match::MatchContext match{suite::own_suite().shapes, profile_};
    const Judging judging{match, profile_, kTransport, suite::own_suite().sets,
                          spec::canary_of(profile_)};
    Reply reply;
    if (id != nullptr && !id->is_null()) reply.own_id = wire::id_key(*id);
    reply.valid_request = sent.valid_request;
    reply.readable = message.is_json;
    reply.canary_answered = true;
    if (answer.outcome == spec::Outcome::kSilence) return grade(outcomes, reply, judging).grade;
    Grade best = Grade::kBreach;
    for (const json::Value* carried : {id, static_cast<const json::Value*>(nullptr)}) {
      session::Inbound inbound;
      inbound.message = wire::read_shared(message_of(answer, carried));
      reply.messages = {&inbound};
      best = std::min(best, grade(outcomes, reply, judging).grade);
    }
    return best;
  }

  void tell(const suite::Case& scenario, const Prepared& sent, const std::string& does) {
    differences_.insert("\n" + scenario.id + " " + does + ": " + sent.text.substr(0, 100));
  }

  const spec::Profile& profile_;
  std::set<std::string> differences_;
  int compared_ = 0;
};

std::set<std::string> differences(const std::string& step) {
  suite::Case scenario;
  scenario.id = "a/b";
  scenario.profiles = {"jsonrpc-2.0"};
  scenario.steps = suite::steps_of("[" + step + "]");
  Comparison comparison(*spec::find_profile("jsonrpc-2.0"));
  comparison.scenario(scenario);
  return comparison.differences();
}

TEST(SuiteAndModelApart, AreFound) {
  using testing::ElementsAre;
  EXPECT_THAT(differences("{frame: '{oops', reply: parse-error}"), IsEmpty());
  EXPECT_THAT(differences("{frame: '{oops', reply: {pass: [{error: {code: -32600}}]}}"),
              ElementsAre("\na/b refuses error -32700: {oops"));
  EXPECT_THAT(differences("{frame: '{oops', reply: {pass: [silence], warn: [any-reply]}}"),
              ElementsAre("\na/b passes nothing the model allows: {oops"));
  EXPECT_THAT(differences("{send: {id: 1}, as: a, reply: later}, "
                          "{await: {a: {error: {code: -32601}}}}"),
              testing::Contains("\na/b refuses error -32600: {\"id\":1}"));
}

class SuiteAndModel : public testing::TestWithParam<const char*> {};

TEST_P(SuiteAndModel, AgreeOnTheFramesThatCasesWriteOut) {
  Comparison comparison(*spec::find_profile(GetParam()));
  for (const suite::Case& scenario : suite::own_suite().cases) comparison.scenario(scenario);
  EXPECT_GT(comparison.compared(), 500);
  EXPECT_THAT(comparison.differences(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Profiles, SuiteAndModel,
                         testing::Values("jsonrpc-2.0", "mcp-2024-11-05", "mcp-2025-03-26",
                                         "mcp-2025-06-18", "mcp-2025-11-25", "mcp-2026-07-28",
                                         "mcp-tutorial"));

}  // namespace
}  // namespace harness::run
