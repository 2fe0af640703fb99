// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>

#include "harness/base/text.h"
#include "reports/formats.h"
#include "reports/sample_run_testing.h"

namespace reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The page that a reader of GitHub's dialect makes of it; "" where cmark-gfm is not installed.
std::string as_html(const std::string& markdown) {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("markdown-" + std::to_string(::getpid())))
          .string();
  std::ofstream(file, std::ios::binary) << markdown;
  const std::string command =
      "cmark-gfm --unsafe -e table -e autolink -e strikethrough " + file + " 2>/dev/null";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::string out;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) out += static_cast<char>(c);
  ::pclose(pipe);
  std::filesystem::remove(file);
  return out;
}

// Markdown that would do something, in every place a report shows.
Record luring() {
  Record record = sample::started();
  const std::string bad =
      "[x](http://evil.example) ![i](//evil.example/p.png) <img src=x onerror=alert(1)> @team #12 "
      "www.evil.example https://evil.example `tick` ``` | cell \\| **b** ~~s~~ <!-- & &amp; \n# h";
  record.started.target = record.started.profile = record.started.transport = bad;
  for (const run::Verdict verdict : {run::Verdict::kFail, run::Verdict::kInconclusive,
                                     run::Verdict::kFlaky, run::Verdict::kError}) {
    run::CaseResult one = sample::result(bad + "/b/" + run::verdict_name(verdict), bad, verdict);
    one.reason = one.remedy = one.replay = bad;
    one.findings = {sample::finding(bad, bad, bad, {1})};
    one.transcript = sample::transcript({sample::frame(1, wire::Channel::kStdout, bad)});
    add_case(record, one);
  }
  sample::count_verdicts(record);
  run::Cause cause = sample::cause(bad, bad, run::Verdict::kFail, {{record.cases[0].id, 0}});
  cause.sentence = bad;
  cause.by_clause = false;
  record.finished.causes = {cause};
  record.finished.stale = {bad};
  record.finished.gate = bad;
  record.finished.gate_passed = false;
  return record;
}

TEST(MarkdownReport, IsTheDocumentThatWasApproved) {
  const std::string report = render_markdown(sample::every_kind(), sample::options());
  EXPECT_EQ(report, sample::golden("markdown.txt", report));
}

TEST(MarkdownReport, PutsCausesBeforeWarningsAndWhatIsFlaky) {
  EXPECT_THAT(render_markdown(sample::every_kind(), sample::options()),
              HasSubstr("1 warning does not fail the gate"));
  ReportOptions options = sample::options();
  options.warnings = true;
  const std::string report = render_markdown(sample::every_kind(), options);
  const auto repair = report.find("## What to fix");
  const auto warnings = report.find("## Warnings"), flaky = report.find("## Flaky");
  ASSERT_NE(repair, std::string::npos);
  EXPECT_LT(repair, warnings);
  EXPECT_LT(warnings, flaky);
  EXPECT_THAT(report, HasSubstr("Text that is not JSON is never answered"));
}

// The text without what stands in code: between runs of as many backticks.
std::string without_code(const std::string& markdown) {
  std::string out;
  const auto run_at = [&](std::size_t at) {
    const std::size_t end = markdown.find_first_not_of('`', at);
    return (end == std::string::npos ? markdown.size() : end) - at;
  };
  for (std::size_t i = 0; i < markdown.size();) {
    if (markdown[i] == '\\') {
      out += markdown.substr(i, 2);
      i += 2;
    } else if (markdown[i] != '`') {
      out += markdown[i++];
    } else {
      const std::size_t ticks = run_at(i);
      std::size_t close = i + ticks;
      while ((close = markdown.find('`', close)) != std::string::npos && run_at(close) != ticks)
        close += run_at(close);
      if (close == std::string::npos) return out + markdown.substr(i);
      i = close + ticks;
    }
  }
  return out;
}

TEST(MarkdownReport, LeavesNothingOfATargetThatDoesSomething) {
  const std::string report = render_markdown(luring(), sample::options());
  EXPECT_THAT(report, HasSubstr("<img src=x")) << "in code it is shown as it came";
  const std::string prose = without_code(report);
  for (const char* bad : {"<img", "<!--", "@team", "https://evil", "www.evil", "[x](", "![i]"})
    EXPECT_THAT(prose, Not(HasSubstr(bad)));
  EXPECT_THAT(prose, HasSubstr("&#64;team"));
}

TEST(MarkdownReport, BecomesAPageWithoutLinksPicturesOrMarkupOfTheTarget) {
  if (std::system("cmark-gfm --version >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "cmark-gfm is not installed";
  for (const Record& record : {luring(), sample::hostile()}) {
    const std::string page = as_html(render_markdown(record, sample::options()));
    for (const char* bad : {"<img", "<script", "<a href=\"http://evil", "<a href=\"https://evil",
                            "<a href=\"//evil", "<del>", "<!--"})
      EXPECT_THAT(page, Not(HasSubstr(bad)));
    EXPECT_THAT(page, HasSubstr("<table>"));
  }
}

TEST(MarkdownReport, HasNoControlsAndAnEndWhateverTheTargetSays) {
  std::string report = render_markdown(sample::hostile(), sample::options());
  EXPECT_LT(report.size(), 1u << 20);
  std::erase(report, '\n');
  EXPECT_EQ(harness::printable(report, report.size()), report);
}

}  // namespace
}  // namespace reports
