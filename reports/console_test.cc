// SPDX-License-Identifier: Apache-2.0
#include "reports/console.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
#include <sstream>

#include "reports/layout.h"
#include "reports/sample_run.h"

namespace reports {
namespace {

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

TEST(Console, TellsOneCauseOnceWithItsCasesBelow) {
  const std::string page = render_console(sample::every_kind(), sample::options());
  EXPECT_EQ(times(page, "error -32700 with id null"), 1u);
  for (const char* id : {"garbage", "half-object", "lone-bracket"}) {
    EXPECT_THAT(page, HasSubstr(std::string("jsonrpc/parse/") + id));
  }
}

TEST(Console, KeepsCasesApartThatSawDifferentThings) {
  Record record = sample::started();
  for (const char* code : {"-32600", "-32601"}) {
    run::CaseResult one = sample::result(std::string("a/") + code, "t", run::Verdict::kFail);
    one.findings = {sample::finding("r", "error -32700", std::string("error ") + code)};
    add_case(record, one);
  }
  const std::string page = render_console(record, sample::options());
  EXPECT_EQ(times(page, "FAIL"), 2u);
}

TEST(Console, ShortensALongListOfCasesUnlessVerbose) {
  Record record = sample::started();
  for (int i = 100; i < 150; ++i) {
    run::CaseResult one = sample::result("silent/" + std::to_string(i), "t", run::Verdict::kFail);
    one.findings = {sample::finding("r", "a reply", "silence")};
    add_case(record, one);
  }
  ReportOptions options = sample::options();
  const std::string brief = render_console(record, options);
  EXPECT_THAT(brief, HasSubstr("50 cases, one cause"));
  EXPECT_THAT(brief, HasSubstr("30 more"));
  EXPECT_LT(times(brief, "\n"), 60u);
  options.verbose = true;
  EXPECT_THAT(render_console(record, options), HasSubstr("silent/149"));
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

TEST(ProgressLine, TellsHowFarTheRunIs) {
  EXPECT_EQ(progress_line(123, 310, 2, "jsonrpc/id/string-echo", 80),
            "[ 123/310] 2 failed  jsonrpc/id/string-echo");
  EXPECT_EQ(progress_line(7, 310, 0, "a/b", 80), "[   7/310] 0 failed  a/b");
  EXPECT_LE(width_of(progress_line(7, 310, 0, std::string(300, 'x'), 50)), 50u);
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
