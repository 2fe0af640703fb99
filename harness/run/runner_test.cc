// SPDX-License-Identifier: Apache-2.0
// The Runner plays three small cases against a scripted server, from the first contact to the gate.
#include "harness/run/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <utility>

#include "harness/contact/testing.h"
#include "harness/transport/testing.h"

namespace harness::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using transport::Arrival;
using transport::Outgoing;

constexpr const char* kSum = R"(title: A sum is the sum
covers: [jsonrpc.request.reply-exactly-one]
steps:
  - call: {method: sum, params: [1, 2]}
    reply: {result: 3}
)";
constexpr const char* kUpdate = R"(title: A notification is not answered
covers: [jsonrpc.notification.no-reply]
steps:
  - notify: {method: update, params: [1]}
    reply: notification-silence
)";
constexpr const char* kSlow = R"(title: A slow method is answered
covers: [jsonrpc.request.reply-exactly-one]
requires: [{affordance: method.slow}]
steps:
  - canary: true
)";

struct Recorder final : Reporter {
  void run_started(const RunStarted& event) override { started = event; }
  void case_finished(const CaseResult& result) override { results.push_back(result); }
  void run_finished(const RunFinished& event) override {
    finished = event;
    for (const CaseResult& result : results) told_at_the_end.push_back(result.id);
  }
  RunStarted started;
  std::vector<CaseResult> results;
  std::vector<std::string> told_at_the_end;  // ids
  RunFinished finished;
};

class RunnerTest : public testing::Test {
 protected:
  RunnerTest() {
    target.name = "scripted";
    target.command = {"scripted"};
    options.profile = "jsonrpc-2.0";
    options.jobs = 1;
  }

  // A server that sums; `odd` may take its place for what is said on a connection.
  using Odd = std::function<std::optional<std::vector<Arrival>>(const json::Value&, int)>;
  const Outcome& run(Odd odd = {}) {
    serve_ = [odd = std::move(odd)](const Outgoing& sent, int connection) {
      if (odd) {
        std::optional<std::vector<Arrival>> instead = odd(message_of(sent), connection);
        if (instead) return *instead;
      }
      return serve({{"sum", R"("result":3)"}}, sent);
    };
    options.make_transport = [this] { return server.connect(); };
    runner = std::make_unique<Runner>(loop.get_executor(), target, suite, suite::own_registry(),
                                      options, Baseline{}, std::vector<Reporter*>{&recorder});
    transport::run(loop, [&]() -> awaitable<void> { co_await runner->run(); });
    return runner->outcome();
  }

  // Verdicts of the cases, in the order in which they were told.
  std::map<std::string, std::string> verdicts() const {
    std::map<std::string, std::string> out;
    for (const CaseResult& result : recorder.results)
      if (!result.id.starts_with("oracle/")) out[result.id] = verdict_name(result.verdict);
    return out;
  }

  const CaseResult& result_of(const std::string& id) const {
    for (const CaseResult& result : recorder.results)
      if (result.id == id) return result;
    throw std::runtime_error("no result of " + id);
  }

  boost::asio::io_context loop;
  target::Target target;
  suite::Suite suite = suite_of({{"slow", kSlow}, {"sum", kSum}, {"update", kUpdate}});
  RunnerOptions options;
  transport::ScriptedTarget::Server serve_;
  transport::ScriptedTarget server{
      [this](const Outgoing& sent, int connection) { return serve_(sent, connection); }};
  Recorder recorder;
  std::unique_ptr<Runner> runner;
};

bool calls(const json::Value& message, const char* method) {
  const json::Value* name = message.find("method");
  return name && name->text == method;
}

std::vector<Arrival> reply(const json::Value& message, const std::string& member) {
  return {transport::line(R"({"jsonrpc":"2.0","id":)" + json::write(*message.find("id")) + "," +
                          member + "}")};
}

TEST_F(RunnerTest, PassesASoundServer) {
  const Outcome& outcome = run();
  EXPECT_EQ(outcome.ended, Ended::kGatePassed);
  EXPECT_THAT(verdicts(), ElementsAre(Pair("slow", "inconclusive"), Pair("sum", "pass"),
                                      Pair("update", "pass")));
  EXPECT_EQ(recorder.finished.gate, "passed");
  EXPECT_EQ(recorder.started.profile, "jsonrpc-2.0");
  // Cases that leave no trace share the session that the target was met on.
  EXPECT_EQ(server.connections(), 1);
  for (const CaseResult& result : recorder.results)
    EXPECT_TRUE(result.findings.empty()) << result.id;
}

TEST_F(RunnerTest, SaysWhatACaseLacksThatCannotBePlayed) {
  run();
  EXPECT_THAT(result_of("slow").reason, HasSubstr("method.slow"));
  EXPECT_THAT(result_of("slow").remedy, HasSubstr("affordances"));
  options.strict = true;
  recorder = {};
  EXPECT_EQ(run().ended, Ended::kGateFailed);
  EXPECT_THAT(recorder.finished.gate, HasSubstr("--strict"));
}

TEST_F(RunnerTest, FailsWhatIsWrongAgain) {
  const Outcome& outcome = run([](const json::Value& message, int) {
    return calls(message, "sum") ? std::optional(reply(message, R"("result":4)")) : std::nullopt;
  });
  EXPECT_EQ(outcome.ended, Ended::kGateFailed);
  EXPECT_THAT(verdicts(), ElementsAre(Pair("slow", "inconclusive"), Pair("sum", "fail"),
                                      Pair("update", "pass")));
  const CaseResult& sum = result_of("sum");
  ASSERT_THAT(sum.findings, testing::SizeIs(1));
  EXPECT_EQ(sum.findings[0].requirement, "jsonrpc.request.reply-exactly-one");
  EXPECT_THAT(sum.findings[0].seen, HasSubstr("4"));
  EXPECT_THAT(sum.replay, HasSubstr("--select sum"));
  EXPECT_EQ(recorder.finished.gate, "failed: a MUST is broken");
  EXPECT_EQ(server.connections(), 2);  // the second look had a session of its own
}

TEST_F(RunnerTest, TellsEverythingButTheCausesWhereARuleIsWrong) {
  options.find_causes = [](const Clues&, const CauseContext&) -> std::vector<Cause> {
    throw std::out_of_range("no such clue");
  };
  const Outcome& outcome = run([](const json::Value& message, int) {
    return calls(message, "sum") ? std::optional(reply(message, R"("result":4)")) : std::nullopt;
  });
  EXPECT_EQ(outcome.ended, Ended::kMistaken);
  EXPECT_THAT(outcome.message, HasSubstr("no such clue"));
  EXPECT_EQ(result_of("sum").verdict, Verdict::kFail);
  EXPECT_EQ(result_of(kCausesResult).verdict, Verdict::kError);
  EXPECT_EQ(result_of(kCausesResult).reason, outcome.message);
  EXPECT_THAT(recorder.finished.causes, IsEmpty());
  EXPECT_EQ(recorder.finished.summary["fail"], 1u);
  EXPECT_EQ(recorder.finished.gate, "failed: a MUST is broken");
  EXPECT_FALSE(recorder.finished.coverage.empty());
}

TEST_F(RunnerTest, CallsFlakyWhatIsWrongOnce) {
  const Outcome& outcome = run([](const json::Value& message, int connection) {
    return connection == 1 && calls(message, "sum") ? std::optional(reply(message, R"("result":4)"))
                                                    : std::nullopt;
  });
  EXPECT_EQ(outcome.ended, Ended::kGatePassed);
  EXPECT_EQ(verdicts()["sum"], "flaky");
  EXPECT_THAT(result_of("sum").reason, HasSubstr("not alone on a fresh one"));
  EXPECT_THAT(result_of("sum").findings, testing::SizeIs(1));
}

TEST_F(RunnerTest, FailsTheCaseThatEndsTheServerAndPlaysTheOthers) {
  const Outcome& outcome = run([](const json::Value& message, int) {
    return calls(message, "sum") ? std::optional(dies("signal 11")) : std::nullopt;
  });
  EXPECT_EQ(outcome.ended, Ended::kGateFailed);
  EXPECT_EQ(verdicts()["sum"], "fail");
  EXPECT_EQ(verdicts()["update"], "pass");
  EXPECT_THAT(result_of("sum").findings.front().seen, HasSubstr("signal 11"));
}

TEST_F(RunnerTest, AsksForOtherRevisionsEachOnAProcessOfItsOwn) {
  suite = suite_of({{"ping", R"(title: A ping is answered
covers: [mcp.ping.result]
steps:
  - call: {method: ping}
    reply: {result: {}}
)"}});
  options.profile = "mcp-2025-06-18";
  options.ask_revisions = true;
  const auto echoes = [](const json::Value& message, int) {
    const json::Value* params = message.find("params");
    const json::Value* version = params ? params->find("protocolVersion") : nullptr;
    if (!calls(message, "initialize") || !version)
      return message.find("id") ? std::optional(reply(message, R"("result":{})"))
                                : std::optional(std::vector<Arrival>{});
    return std::optional(
        reply(message, R"("result":{"protocolVersion":")" + version->text +
                           R"(","capabilities":{},"serverInfo":{"name":"s","version":"1"}})"));
  };
  const Outcome& outcome = run(echoes);
  EXPECT_THAT(outcome.other_revisions, testing::SizeIs(3));
  const int asked = server.connections();
  options.ask_revisions = false;
  recorder = {};
  run(echoes);
  EXPECT_EQ(2 * asked - server.connections(), 4) << "and the one without a handshake";
}

// --- a target that stops

TEST_F(RunnerTest, TellsReportersWhyATargetCannotBeReached) {
  server.refuse(Error{"", "the command cannot be started", "check it"});
  const Outcome& outcome = run();
  EXPECT_EQ(outcome.ended, Ended::kUnreachable);
  EXPECT_THAT(outcome.message, HasSubstr("the command cannot be started"));
  EXPECT_THAT(recorder.finished.gate, HasSubstr("could not be judged"));
  EXPECT_FALSE(recorder.finished.gate_passed);
  EXPECT_THAT(recorder.results, IsEmpty());
}

TEST_F(RunnerTest, JudgesTheAnswersOfATargetThatCannotBeMet) {
  // It means to speak JSON-RPC, but nothing of it can be taken for an answer.
  const Outcome& outcome = run([](const json::Value&, int) {
    return std::optional(std::vector<Arrival>{transport::line(R"({"jsonrpc":"2.0","id":)")});
  });
  EXPECT_EQ(outcome.ended, Ended::kGateFailed);
  for (const auto& [id, verdict] : verdicts()) EXPECT_EQ(verdict, "inconclusive") << id;
  EXPECT_THAT(result_of("sum").reason, HasSubstr("not played: "));
  std::size_t failed = 0;
  for (const CaseResult& result : recorder.results)
    failed += result.verdict == Verdict::kFail && result.id.starts_with("oracle/");
  EXPECT_GT(failed, 0u);
}

TEST_F(RunnerTest, LeavesOutWhatWasNotSelected) {
  options.selection.select = {"sum"};
  run();
  EXPECT_THAT(verdicts(), ElementsAre(Pair("sum", "pass")));
  EXPECT_EQ(recorder.started.cases, 1u);
}

TEST_F(RunnerTest, HasNothingToJudgeWhereNoCaseFits) {
  options.selection.select = {"nobody"};
  const Outcome& outcome = run();
  EXPECT_EQ(outcome.ended, Ended::kUnreachable);
  EXPECT_THAT(outcome.message, HasSubstr("no case fits this selection"));
}

TEST_F(RunnerTest, ReportsWhatItHasWhenItIsInterrupted) {
  const Outcome& outcome = run([this](const json::Value& message, int) {
    if (calls(message, "update")) runner->interrupt();
    return std::optional<std::vector<Arrival>>();
  });
  EXPECT_EQ(outcome.ended, Ended::kInterrupted);
  EXPECT_TRUE(recorder.finished.interrupted);
  EXPECT_EQ(recorder.finished.gate, "interrupted");
  EXPECT_THAT(recorder.told_at_the_end, testing::IsSupersetOf({"slow", "sum"}));
  EXPECT_THAT(recorder.told_at_the_end, Not(testing::Contains("update")));
}

}  // namespace
}  // namespace harness::run
