// SPDX-License-Identifier: Apache-2.0
#include "reports/console.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
#include <sstream>

#include "reports/evidence.h"
#include "reports/layout.h"
#include "reports/merge.h"
#include "reports/progress.h"
#include "reports/sample_run_testing.h"

namespace reports {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

// What a terminal gets: an Output that says it is stdout.
class Terminal final : public Output {
 public:
  explicit Terminal(std::ostream& stream) : stream_(stream) {}
  std::ostream& stream() override { return stream_; }
  harness::Status commit() override { return harness::Nothing{}; }
  bool is_stdout() const override { return true; }

 private:
  std::ostream& stream_;
};

TEST(Console, PrintsThePageThatWasApproved) {
  const std::string page = render_console(sample::every_kind(), sample::options());
  EXPECT_EQ(page, sample::golden("console.txt", page));
}

TEST(Console, ListsPassesAndRemarksWhenVerbose) {
  ReportOptions options = sample::options();
  options.verbose = true;
  const std::string page = render_console(sample::every_kind(), options);
  EXPECT_EQ(page, sample::golden("console-verbose.txt", page));
}

TEST(Console, TellsOneCauseOnceAndListsItsCasesWhenVerbose) {
  ReportOptions options = sample::options();
  const std::string brief = render_console(sample::every_kind(), options);
  EXPECT_EQ(times(brief, "error -32700 with id null"), 1u);
  EXPECT_THAT(brief, HasSubstr("2 more findings in 3 cases"));
  EXPECT_THAT(brief, Not(HasSubstr("jsonrpc/parse/half-object")));
  options.verbose = true;
  const std::string page = render_console(sample::every_kind(), options);
  for (const char* id : {"garbage", "half-object", "lone-bracket"})
    EXPECT_THAT(page, HasSubstr(std::string("jsonrpc/parse/") + id));
}

TEST(Console, LeavesOutWhatFailsOnlyBehindAFailureThatItTells) {
  Record record = sample::every_kind();
  for (run::CaseResult& result : record.cases)
    if (result.verdict == run::Verdict::kFlaky) result.findings.resize(1);
  EXPECT_THAT(render_console(record, sample::options()), HasSubstr("FLAKY Keeps up"));
  run::Cause& warning = record.finished.causes.back();
  warning.findings.push_back({"jsonrpc/order/many", 0});
  EXPECT_THAT(render_console(record, sample::options()), HasSubstr("FLAKY Keeps up"));
  record.finished.causes.front().findings.push_back({"jsonrpc/order/many", 0});
  EXPECT_THAT(render_console(record, sample::options()), Not(HasSubstr("FLAKY Keeps up")));
}

TEST(Console, ListsWhatFailedWhereNoCausesCouldBeFound) {
  Record record = sample::every_kind();
  record.finished.causes.clear();
  ReportOptions options = sample::options();
  for (const bool quiet : {false, true}) {
    options.quiet = quiet;
    const std::string page = render_console(record, options);
    for (const char* slug : {"garbage", "half-object", "lone-bracket"})
      EXPECT_THAT(page, HasSubstr(std::string("FAIL  Answers ") + slug));
  }
}

TEST(Console, TellsTheFirstCauseFirstAndTheGateLast) {
  const std::string page = render_console(sample::every_kind(), sample::options());
  const std::size_t first = page.find("FAIL  Text that is not JSON is never answered");
  const std::size_t second = page.find("FAIL  A string id comes back");
  ASSERT_NE(first, std::string::npos);
  ASSERT_NE(second, std::string::npos);
  EXPECT_LT(page.find("Warnings: 1 recommendation"), first) << "warnings come before failures";
  EXPECT_LT(first, second);
  EXPECT_LT(page.find("\ngate failed"), first) << "and on top";
  EXPECT_GT(page.rfind("\ngate failed"), second);
}

// A server that is sound but lenient breaks sixty clauses of SHOULD in a hundred rows each.
TEST(Console, GivesTwoLinesToAClauseThatIsNoMust) {
  Record record = sample::started();
  for (int i = 100; i < 130; ++i) {
    const std::string id = "json/invalid/" + std::to_string(i);
    run::CaseResult one = sample::result(id, "Something else is refused", run::Verdict::kWarn);
    std::vector<run::FindingRef> rows;
    for (std::size_t row = 0; row < 40; ++row) {
      one.findings.push_back(
          sample::finding("json.invalid." + std::to_string(i), "an error", "{}"));
      one.findings.back().severity = oracle::Severity::kWarn;
      rows.push_back({id, row});
    }
    add_case(record, one);
    record.finished.causes.push_back(sample::cause(one.title, one.findings.front().requirement,
                                                   run::Verdict::kWarn, std::move(rows)));
  }
  record.finished.gate = "passed";
  ReportOptions options = sample::options();
  const std::string brief = render_console(record, options);
  EXPECT_LE(times(brief, "\n"), 10u);
  EXPECT_THAT(brief, HasSubstr("Warnings: 30 recommendations are not followed (--warnings"));
  options.warnings = true;
  const std::string page = render_console(record, options);
  EXPECT_LE(times(page, "\n"), 70u);
  EXPECT_EQ(times(page, "40 times"), 30u);
  record.finished.causes[1].requirement = record.finished.causes[0].requirement;
  const std::string merged = render_console(record, options);
  EXPECT_EQ(times(merged, "40 times"), 28u) << "a clause has a line, and not each of its causes";
  EXPECT_EQ(times(merged, "80 times"), 1u);
}

TEST(Console, FoldsWhatIsToBeToldHowToProvoke) {
  Record record = sample::started();
  const auto idle = [&](const std::string& id, const std::string& name) {
    run::CaseResult one = sample::result(id, "Something", run::Verdict::kInconclusive);
    one.remedy = "affordances: {" + name + ": {…}}";
    add_case(record, one);
  };
  idle("mcp/a", "prompt.image");
  ReportOptions options = sample::options();
  EXPECT_THAT(render_console(record, options),
              HasSubstr("Inconclusive: 1 case asks for affordances: prompt.image"));
  idle("mcp/b", "tool.task");
  idle("mcp/c", "tool.task");
  EXPECT_THAT(render_console(record, options),
              HasSubstr("3 cases ask for affordances: tool.task (2), prompt.image"));
  options.verbose = true;
  EXPECT_THAT(render_console(record, options), Not(HasSubstr("(2)"))) << "lists them";
}

// Three runs of which one fails: a column for each, what follows below as ever.
Record several() {
  Record one = sample::every_kind(), other = one, third = one;
  other.started.profile = "mcp-2025-11-25";
  third.started.profile = "mcp-2024-11-05";
  std::erase_if(other.cases, [](const run::CaseResult& result) {
    return result.verdict != run::Verdict::kPass;
  });
  third.cases = other.cases;
  for (Record* sound : {&other, &third}) {
    sound->finished.causes.clear();
    sound->finished.stale.clear();
    sound->finished.gate = "passed";
    sound->finished.gate_passed = true;
    sound->finished.unjudged = {"mcp-2025-06-18"};
  }
  return merged({one, other, third});
}

TEST(Console, ShowsSeveralRunsSideBySide) {
  ReportOptions options = sample::options();
  const std::string page = render_console(several(), options);
  EXPECT_EQ(page, sample::golden("console-runs.txt", page));
  EXPECT_THAT(page, HasSubstr("under     jsonrpc-2.0\n"));
  EXPECT_THAT(page, HasSubstr("not judged: mcp-2025-06-18"));
  // Columns that have no room beside the others stand below them.
  options.width = 44;
  std::size_t longest = 0;
  std::istringstream lines(render_console(several(), options));
  for (std::string line; std::getline(lines, line);)
    if (line.find("rpcspec run") == std::string::npos) longest = std::max(longest, width_of(line));
  EXPECT_LE(longest, 44u);
}

TEST(Console, GivesElevenLinesToAFailureBeforeItsFrames) {
  Record record = sample::started();
  run::CaseResult one = sample::result("a/b", std::string(400, 't'), run::Verdict::kFail);
  one.transcript = sample::transcript({sample::frame(1, wire::Channel::kStdin, "the frame")});
  one.findings = {sample::finding("r", std::string(5000, 'e'), std::string(5000, 's'), {1})};
  one.findings[0].row = std::string(500, 'r');
  one.findings.push_back(one.findings[0]);
  add_case(record, one);
  run::Cause cause = sample::cause(one.title, "r", run::Verdict::kFail, {{"a/b", 0}, {"a/b", 1}});
  cause.by_clause = false;
  cause.sentence = std::string(3000, 'x');
  record.finished.causes = {cause};
  const std::string page = render_console(record, sample::options());
  const std::size_t from = page.find("FAIL"), to = page.find("the frame");
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  EXPECT_LE(times(page.substr(from, to - from), "\n"), 12u) << "eleven, and a blank one";
}

TEST(Console, StaysWithinTheWidthExceptForCommands) {
  for (const std::size_t width : {60u, 80u, 100u, 250u}) {
    ReportOptions options = sample::options();
    options.width = width;
    options.verbose = true;
    std::istringstream page(render_console(sample::hostile(), options));
    for (std::string line; std::getline(page, line);) {
      // Case ids and commands are for copying and stay whole.
      if (line.find("replay") != std::string::npos || line.find("  a/") == 0 ||
          line.find("    a/") != std::string::npos) {
        continue;
      }
      EXPECT_LE(width_of(line), std::min<std::size_t>(width, 100)) << line;
    }
  }
}

TEST(Console, LetsNoControlOfTheTargetThrough) {
  ReportOptions options = sample::options();
  options.verbose = true;
  const std::string page = render_console(sample::hostile(), options);
  for (std::size_t i = 0; i < page.size();) {
    const CodePoint point = code_point_at(page, i);
    ASSERT_TRUE(point.valid) << "not UTF-8 at " << i;
    ASSERT_TRUE(point.value >= 0x20 || point.value == '\n') << "control at " << i;
    ASSERT_FALSE(point.value >= 0x7f && point.value < 0xa0) << "C1 at " << i;
    ASSERT_NE(point.value, 0x202eu);
    ASSERT_NE(point.value, 0x2066u);
    i = point.next;
  }
  EXPECT_THAT(page, HasSubstr("\\x1b[2J"));
  EXPECT_LT(page.size(), 200'000u) << "megabytes of the target are told, not shown";
}

TEST(Console, ColoursOnlyWhenAsked) {
  ReportOptions options = sample::options();
  EXPECT_THAT(render_console(sample::every_kind(), options), Not(HasSubstr("\x1b")));
  options.colour = true;
  EXPECT_THAT(render_console(sample::every_kind(), options), HasSubstr("\x1b[1;31mFAIL"));
}

TEST(Console, SaysPassedWhenTheGatePassed) {
  Record record = sample::started();
  add_case(record, sample::result("a/b", "t", run::Verdict::kPass));
  sample::count_verdicts(record);
  record.finished.gate = "passed";
  const std::string page = render_console(record, sample::options());
  EXPECT_THAT(page, HasSubstr("1 case in 4.2 s: 1 passed\ngate passed\n"));
  EXPECT_THAT(page, Not(HasSubstr("FAIL")));
}

TEST(Console, TellsOnlyWhatFailedAndTheGateWhenQuiet) {
  ReportOptions options = sample::options();
  options.quiet = true;
  const std::string page = render_console(sample::every_kind(), options);
  EXPECT_THAT(page, HasSubstr("FAIL"));
  EXPECT_THAT(page, Not(HasSubstr("WARN")));
  EXPECT_THAT(page, Not(HasSubstr("Inconclusive")));
  EXPECT_THAT(page, Not(HasSubstr("passed in")));
  EXPECT_THAT(page, HasSubstr("\ngate failed"));

  Record record = sample::started();
  add_case(record, sample::result("a/b", "t", run::Verdict::kPass));
  record.finished.gate = "passed";
  EXPECT_EQ(render_console(record, options), "1 case in 4.2 s: nothing was played\ngate passed\n");
}

TEST(Console, SaysLoudlyWhyAPassSaysLittle) {
  Record record = sample::started();
  record.finished.gate = run::kPassedInPart;
  record.finished.partial = "No method of the server was called";
  const std::string page = render_console(record, sample::options());
  EXPECT_EQ(times(page, "PARTIAL: No method of the server was called.\n"), 1u);
}

// A server with three bugs, each seen in many cases, and all that a run has besides.
TEST(Console, HasAPageForAServerWithThreeBugs) {
  Record record = sample::every_kind();
  record.finished.stale.clear();
  const run::Cause failing = record.finished.causes[1];
  record.finished.causes = {failing, failing, failing, record.finished.causes.back()};
  std::erase_if(record.cases, [](const run::CaseResult& result) {
    return result.verdict == run::Verdict::kFlaky || result.verdict == run::Verdict::kError ||
           result.baselined;
  });
  const std::string page = render_console(record, sample::options());
  EXPECT_EQ(times(page, "\nFAIL "), 3u);
  EXPECT_LE(times(page, "\n"), 40u) << page;
}

TEST(Console, ShowsTheHeadersThatACauseSpeaksOf) {
  wire::Frame frame = sample::frame(1, wire::Channel::kHttp, "{}");
  frame.direction = wire::Direction::kSent;
  frame.head =
      wire::HttpHead{0, "POST", "/mcp", {{"Origin", "http://evil.example"}, {"Accept", "*/*"}}};
  run::Cause cause;
  cause.title = "A foreign Origin is served";
  EXPECT_EQ(deciding_headers(frame, cause, {}), "Origin: http://evil.example");
  cause.title = "Something else";
  EXPECT_EQ(deciding_headers(frame, cause, {}), "");
  frame.head->headers = {{"Sec-WebSocket-Key", "dGVzdA=="}, {"Sec-WebSocket-Version", "13"}};
  cause.requirement = "ws.handshake.missing-key";
  EXPECT_EQ(deciding_headers(frame, cause, {}), "Sec-WebSocket-Key: dGVzdA==");
}

TEST(Console, ShowsTheRequestOfAReplyThatIsTheOnlyProof) {
  run::CaseResult result;
  result.id = "a/b";
  oracle::Finding finding;
  finding.frames = {3};
  const auto shown = [&](std::vector<wire::Frame> frames) {
    result.transcript = sample::transcript(std::move(frames));
    std::vector<std::uint64_t> out;
    for (const wire::Frame* frame : frames_of(result, finding)) out.push_back(frame->seq);
    return out;
  };
  const auto sent = [](std::uint64_t seq, const char* text) {
    return sample::frame(seq, wire::Channel::kStdin, text);
  };
  const wire::Frame reply = sample::frame(3, wire::Channel::kStdout, R"({"id":7,"result":1})");
  const auto other = sent(2, R"({"id":8,"method":"b"})");
  EXPECT_THAT(shown({sent(1, R"({"id":7,"method":"a"})"), other, reply}), ElementsAre(1, 3));
  EXPECT_THAT(shown({other, reply}), ElementsAre(3)) << "its request is not kept";
  finding.frames = {2, 3};
  EXPECT_THAT(shown({sent(1, R"({"id":7,"method":"a"})"), other, reply}), ElementsAre(2, 3));
}

TEST(ProgressLine, NamesTheCaseThatIsInProgressForLongest) {
  std::ostringstream screen;
  ReportOptions options = sample::options();
  options.terminal = true;
  std::chrono::steady_clock::time_point now{};
  options.now = [&] { return now; };
  const auto reporter = make_console(std::make_unique<Terminal>(screen), options);
  const Record record = sample::every_kind();
  reporter->run_started(record.started);
  reporter->case_started("slow/one");
  now += milliseconds(800);
  reporter->case_started(record.cases[0].id);
  EXPECT_THAT(screen.str(), HasSubstr("slow/one 0.8 s"));
  now += milliseconds(800);
  reporter->case_finished(record.cases[0]);
  EXPECT_THAT(screen.str(), HasSubstr("slow/one 1.6 s"));
  EXPECT_THAT(screen.str(), Not(HasSubstr(record.cases[0].id)));
}

TEST(ProgressLine, TellsHowFarTheRunIs) {
  EXPECT_EQ(progress_line({123, 310, 2, milliseconds(0), "jsonrpc/id/string-echo", {}}, 80),
            "[ 123/310] 2 failed  jsonrpc/id/string-echo");
  EXPECT_EQ(progress_line({7, 310, 0, milliseconds(5000), "a/b", milliseconds(100)}, 80),
            "[   7/310] 0 failed  a/b");
  EXPECT_LE(width_of(progress_line({7, 310, 0, {}, std::string(300, 'x'), milliseconds(900)}, 50)),
            50u);
  EXPECT_EQ(progress_line({100, 310, 1, milliseconds(2000), "a/b", milliseconds(1230)}, 80),
            "[ 100/310] 1 failed, about 5 s left  a/b 1.2 s");
}

TEST(ProgressLine, SaysWhatIsWaitedFor) {
  const std::string waits = "waiting for a reply to tools/call, 3 s of 10 s";
  EXPECT_EQ(progress_line({7, 310, 0, milliseconds(0), "a/b", milliseconds(3100), waits}, 100),
            "[   7/310] 0 failed  a/b, " + waits);
  EXPECT_EQ(progress_line({0, 0, 0, {}, "", {}, waits}, 100), waits) << "the target is not met yet";
  EXPECT_LE(width_of(progress_line({7, 310, 0, {}, "a/b", {}, waits}, 40)), 40u);
}

TEST(ProgressLine, IsThrottledAndClearedBeforeThePage) {
  std::ostringstream screen;
  ReportOptions options = sample::options();
  options.terminal = true;
  std::chrono::steady_clock::time_point now{};
  options.now = [&] { return now; };
  {
    const auto reporter = make_console(std::make_unique<Terminal>(screen), options);
    const Record record = sample::every_kind();
    reporter->run_started(record.started);
    for (int i = 0; i < 30; ++i) {
      now += std::chrono::milliseconds(10);
      reporter->case_finished(record.cases[0]);
    }
    EXPECT_EQ(times(screen.str(), "failed"), 3u);
    reporter->run_finished(record.finished);
  }
  EXPECT_THAT(screen.str(), HasSubstr("\r\x1b[K"
                                      "rpcspec 1.2.3"));
}

TEST(ProgressLine, IsNotWrittenWithoutATerminal) {
  std::ostringstream log;
  const auto reporter = make_console(std::make_unique<Terminal>(log), sample::options());
  const Record record = sample::every_kind();
  reporter->run_started(record.started);
  reporter->case_finished(record.cases[0]);
  EXPECT_EQ(log.str(), "");
}

}  // namespace
}  // namespace reports
