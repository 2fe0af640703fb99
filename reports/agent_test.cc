// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/json/value.h"
#include "reports/formats.h"
#include "reports/sample_run_testing.h"

namespace reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(AgentReport, IsTheTextThatWasApproved) {
  ReportOptions options = sample::options();
  static const spec::Advice kAdvice = [] {
    spec::Advice out;
    out.cause = "The id is read as a number.";
    return out;
  }();
  options.advice = [](const std::string& clause) {
    return clause == "jsonrpc.id.string-echo" ? &kAdvice : nullptr;
  };
  const std::string report = render_agent(sample::every_kind(), options);
  EXPECT_EQ(report, sample::golden("agent.txt", report));
}

TEST(AgentReport, ShowsWarningsInFullWhereTheyGate) {
  Record record = sample::every_kind();
  EXPECT_THAT(render_agent(record, sample::options()), HasSubstr("which do not fail the gate"));
  record.finished.level_should = true;
  const std::string report = render_agent(record, sample::options());
  EXPECT_THAT(report, Not(HasSubstr("which do not fail the gate")));
  EXPECT_THAT(report, HasSubstr("warn SHOULD jsonrpc.error.message-short"));
}

TEST(AgentReport, LeavesOutKnownFailures) {
  Record record = sample::every_kind();
  const std::string known = record.finished.causes.front().title;
  ASSERT_THAT(render_agent(record, sample::options()), HasSubstr(known));
  record.finished.causes.front().baselined = true;
  EXPECT_THAT(render_agent(record, sample::options()), Not(HasSubstr(known)));
}

TEST(AgentReport, CountsTheCausesThatItDoesNotShow) {
  Record record = sample::every_kind();
  const run::Cause one = record.finished.causes.front();
  record.finished.causes.assign(23, one);
  const harness::json::Value value = agent_value(record, sample::options());
  EXPECT_EQ(value.find("causes")->items.size(), 20u);
  EXPECT_EQ(value.find("more_causes")->text, "3");
  EXPECT_THAT(render_agent(record, sample::options()), HasSubstr("3 more causes"));
}

TEST(AgentReport, SaysNothingToDoWhereNothingIsBroken) {
  Record record = sample::started();
  record.finished.gate = "passed";
  const std::string report = render_agent(record, sample::options());
  EXPECT_THAT(report, ::testing::StartsWith("gate passed\n"));
  EXPECT_THAT(report, Not(HasSubstr("next:")));
}

}  // namespace
}  // namespace reports
