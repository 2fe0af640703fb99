// SPDX-License-Identifier: Apache-2.0
// What the cases say of calls, held against the model for features: where a case is about a clause,
// no reply that it passes breaks that clause by the model, and one that the model allows passes.
// The calls are those of the cases to a server that lists a tool, a resource, a template and a
// prompt; each is answered in every way that rows about answers tell apart.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/play/prepare.h"
#include "harness/play/rows.h"
#include "harness/play/scope.h"
#include "harness/results/reply.h"
#include "harness/spec/features.h"
#include "harness/suite/testing.h"
#include "harness/transport/scripted.h"

namespace harness::run {
namespace {

using testing::IsEmpty;

constexpr auto kTransport = wire::TransportKind::kStdio;
const char* const kReplies[] = {
    R"("result":{})",
    R"("result":{"content":[],"contents":[],"messages":[],"tools":[],"resources":[],"prompts":[],)"
    R"("resourceTemplates":[],"tasks":[],"completion":{"values":[]}})",
    R"("result":{"content":[{"type":"text","text":"t"}],"contents":[{"uri":"test://a","text":"t"}]})",
    R"("result":{"content":[],"isError":true})",
    R"("error":{"code":-32600,"message":"m"})",
    R"("error":{"code":-32601,"message":"m"})",
    R"("error":{"code":-32602,"message":"m"})",
    R"("error":{"code":-32603,"message":"m"})",
    R"("error":{"code":-32002,"message":"m"})",
    R"("error":{"code":-32050,"message":"m"})",
};

Offer offered(const spec::Profile& profile) {
  Offer offer;
  offer.tools = json::parse(R"([{"name":"add","inputSchema":{"type":"object","required":["a","c"],
    "additionalProperties":false,"properties":{"a":{"type":"integer","minimum":1,"maximum":9},
    "b":{"enum":["x","y"]},"c":{"type":"string","minLength":2}}}}])");
  offer.resources = json::parse(R"([{"uri":"test://a","name":"a"}])");
  offer.templates = json::parse(R"([{"uriTemplate":"test://made/{id}","name":"made"}])");
  offer.prompts = json::parse(R"([{"name":"p","arguments":[{"name":"a","required":true}]}])");
  auto known = std::make_shared<spec::Known>(profile);
  for (const spec::MessageRow* list : spec::protocol().lists_of(profile))
    if (const json::Value* items = offer.list(list->lists)) known->listed(*list, *items);
  offer.known = std::move(known);
  return offer;
}

class Comparison {
 public:
  explicit Comparison(const spec::Profile& profile)
      : profile_(profile), offer_(offered(profile)), known_(profile, offer_.known) {
    known_.declared(capabilities_);
  }

  void scenario(const suite::Case& scenario) {
    if (scenario.need == suite::Need::kBare || !is_meant(scenario)) return;
    for (const json::Value& row : rows_of(scenario, offer_).rows)
      if (when_applies(row.find("when"), profile_, kTransport)) play(scenario, row);
  }

  const std::set<std::string>& differences() const { return differences_; }
  int compared() const { return compared_; }

 private:
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

  void play(const suite::Case& scenario, const json::Value& row) {
    session::Session session(
        std::make_unique<transport::Scripted>(kTransport, target::Framing::kLine), profile_, "t",
        std::make_shared<session::Pace>());
    const json::Value affordances = json::object();
    RowScope scope(session, affordances);
    for (const json::Member& column : row.members) scope.set_column(column.name, column.value);
    const Setting setting{scenario.file, profile_, capabilities_, session.wire()};
    for (const suite::Step& step : scenario.steps) weigh(scenario, step, scope, setting);
  }

  void weigh(const suite::Case& scenario, const suite::Step& step, RowScope& scope,
             const Setting& setting) {
    scope.next_step();
    if (suite::action_of<suite::Call>(step) == nullptr || !step.reply || step.later ||
        (step.when && !suite::applies(*step.when, profile_, kTransport)))
      return;
    Prepared sent;
    try {
      sent = prepare(step, scope, setting);
    } catch (const Bug&) {
      return;  // it needs what a target said before
    }
    if (const auto expanded = suite::expand(*step.reply, scope)) compare(scenario, sent, *expanded);
  }

  void compare(const suite::Case& scenario, const Prepared& sent, const suite::Outcomes& outcomes) {
    const wire::Message message = wire::read_message(sent.text);
    if (!message.is_json ||
        !spec::expect({&profile_, kTransport, spec::Phase::kReady}, message, sent.text).sound())
      return;
    const auto model = spec::expect_feature(profile_, known_, message.value);
    if (model.open()) return;
    bool passes_any = false, agrees = false, about = false;
    for (const char* reply : kReplies) {
      ++compared_;
      const std::string text =
          R"({"jsonrpc":"2.0","id":)" + json::write(*message.value.find("id")) + "," + reply + "}";
      const json::Value value = json::parse(text);
      const Grade by_case = grade_of(text, message, sent, outcomes);
      const bool passed = by_case == Grade::kPass || by_case == Grade::kNote;
      const spec::Ruling by_model = model.of(value);
      const bool broken = by_model.clauses != nullptr && covers_any(scenario, *by_model.clauses);
      about |= broken;
      passes_any |= passed;
      agrees |= passed && by_model.grade == spec::Grade::kLawful;
      if (passed && broken) tell(scenario, sent, std::string("passes ") + reply);
    }
    if (about && passes_any && !agrees) tell(scenario, sent, "passes nothing the model allows");
  }

  static bool covers_any(const suite::Case& scenario, const spec::Clauses& clauses) {
    return std::any_of(clauses.begin(), clauses.end(), [&](const std::string& clause) {
      return std::find(scenario.covers.begin(), scenario.covers.end(), clause) !=
             scenario.covers.end();
    });
  }

  Grade grade_of(const std::string& text, const wire::Message& message, const Prepared& sent,
                 const suite::Outcomes& outcomes) const {
    const match::MatchContext match{suite::own_suite().shapes, profile_};
    const Judging judging{match, profile_, kTransport, suite::own_suite().sets,
                          spec::canary_of(profile_)};
    Reply reply;
    reply.own_id = wire::id_key(*message.value.find("id"));
    reply.valid_request = sent.valid_request;
    reply.readable = true;
    reply.canary_answered = true;
    session::Inbound inbound;
    inbound.message = wire::read_shared(text);
    reply.messages = {&inbound};
    return grade(outcomes, reply, judging).grade;
  }

  void tell(const suite::Case& scenario, const Prepared& sent, const std::string& does) {
    differences_.insert("\n" + scenario.id + " " + does + ": " + sent.text.substr(0, 300));
  }

  const spec::Profile& profile_;
  const json::Value capabilities_ = json::parse(
      R"({"tools":{},"resources":{"subscribe":true},"prompts":{},"logging":{},"completions":{},
          "tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}},
          "extensions":{"io.modelcontextprotocol/tasks":{}}})");
  const Offer offer_;
  spec::Known known_;
  std::set<std::string> differences_;
  int compared_ = 0;
};

TEST(SuiteAndFeaturesApart, AreFound) {
  suite::Case scenario;
  scenario.id = "a/b";
  scenario.profiles = {"mcp-2025-06-18"};
  scenario.covers = {"mcp.tools.call-unknown-tool"};
  scenario.steps = suite::steps_of(
      "[{call: {method: tools/call, params: {name: no-such-tool-1}}, reply: [{result: $any}]}]");
  Comparison comparison(*spec::find_profile("mcp-2025-06-18"));
  comparison.scenario(scenario);
  EXPECT_THAT(comparison.differences(),
              testing::Contains(testing::HasSubstr("a/b passes \"result")));
}

class SuiteAndFeatures : public testing::TestWithParam<const char*> {};

TEST_P(SuiteAndFeatures, AgreeOnTheCallsOfTheCases) {
  Comparison comparison(*spec::find_profile(GetParam()));
  for (const suite::Case& scenario : suite::own_suite().cases) comparison.scenario(scenario);
  EXPECT_GT(comparison.compared(), 500);
  EXPECT_THAT(comparison.differences(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Profiles, SuiteAndFeatures,
                         testing::Values("mcp-2024-11-05", "mcp-2025-03-26", "mcp-2025-06-18",
                                         "mcp-2025-11-25", "mcp-2026-07-28"));

}  // namespace
}  // namespace harness::run
