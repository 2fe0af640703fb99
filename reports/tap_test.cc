// SPDX-License-Identifier: Apache-2.0
// The grammar of TAP 14 is checked line by line here, and by TAP::Parser where perl has it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <regex>
#include <sstream>

#include "harness/json/yaml.h"
#include "reports/formats.h"
#include "reports/sample_run_testing.h"

namespace reports {
namespace {

using ::testing::HasSubstr;

struct Tap {
  std::size_t planned = 0, passed = 0, failed = 0, skipped = 0, to_do = 0;
  std::vector<std::string> blocks;  // the YAML of each
  std::string wrong;                // the first line that is not TAP
};

Tap read_tap(const std::string& text) {
  static const std::regex kPlan(R"(1\.\.(\d+)( # .*)?)");
  static const std::regex kPoint(R"((not )?ok (\d+) - ((\\[\\#]|[^#\\])*)( # (SKIP|TODO) ?.*)?)");
  Tap tap;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  if (line != "TAP version 14") tap.wrong = line;
  std::smatch match;
  std::size_t number = 0;
  bool in_block = false;
  while (std::getline(lines, line)) {
    if (in_block) {
      in_block = line != "  ...";
      if (!line.starts_with("  ") && tap.wrong.empty()) tap.wrong = line;
      if (in_block) tap.blocks.back() += line.substr(2) + "\n";
    } else if (line == "  ---") {
      in_block = true;
      tap.blocks.emplace_back();
    } else if (std::regex_match(line, match, kPlan)) {
      tap.planned = std::stoul(match[1]);
    } else if (std::regex_match(line, match, kPoint)) {
      if (std::stoul(match[2]) != ++number && tap.wrong.empty()) tap.wrong = line;
      const std::string kind = match[6];
      if (kind == "SKIP")
        ++tap.skipped;
      else if (kind == "TODO")
        ++tap.to_do;
      else
        ++(match[1].matched ? tap.failed : tap.passed);
    } else if (!line.starts_with("# ") && !line.starts_with("Bail out!") && tap.wrong.empty()) {
      tap.wrong = line;
    }
  }
  if (in_block) tap.wrong = "a block that does not end";
  if (number != tap.planned) tap.wrong = "planned " + std::to_string(tap.planned);
  return tap;
}

TEST(TapReport, IsTheDocumentThatWasApproved) {
  const std::string report = render_tap(sample::every_kind(), sample::options());
  EXPECT_EQ(report, sample::golden("report.tap", report));
}

TEST(TapReport, FollowsTheGrammarWhateverTheTargetSays) {
  for (const Record& record : {sample::every_kind(), sample::hostile(), sample::started()}) {
    const Tap tap = read_tap(render_tap(record, sample::options()));
    EXPECT_EQ(tap.wrong, "");
    EXPECT_EQ(tap.planned, record.cases.size());
    for (const std::string& block : tap.blocks) {
      const auto yaml = harness::json::read_yaml(block, "block");
      ASSERT_TRUE(yaml) << yaml.error().text() << "\n" << block;
      EXPECT_NE(yaml->find("message"), nullptr);
    }
  }
}

TEST(TapReport, MapsEveryVerdict) {
  const Tap tap = read_tap(render_tap(sample::every_kind(), sample::options()));
  EXPECT_EQ(tap.failed, 5u) << "four that fail, and one in error";
  EXPECT_EQ(tap.to_do, 1u) << "known to the baseline";
  EXPECT_EQ(tap.skipped, 3u);
  EXPECT_EQ(tap.passed, 3u) << "a warning and what is flaky do not fail";
}

TEST(TapReport, AHashInANameIsNoDirective) {
  Record record = sample::started();
  add_case(record, sample::result("a # SKIP b\\", "t", run::Verdict::kPass));
  const std::string report = render_tap(record, sample::options());
  EXPECT_THAT(report, HasSubstr("ok 1 - a \\# SKIP b\\\\"));
  EXPECT_EQ(read_tap(report).passed, 1u);
}

TEST(TapReport, AnInterruptedRunBailsOut) {
  Record record = sample::started();
  record.finished.interrupted = true;
  EXPECT_THAT(render_tap(record, sample::options()), HasSubstr("Bail out! interrupted\n"));
}

TEST(TapReport, IsReadByTheParserOfPerl) {
  if (std::system("perl -MTAP::Parser=3.44 -e 1 2>/dev/null") != 0)
    GTEST_SKIP() << "perl has no TAP::Parser 3.44";
  const std::string file =
      (std::filesystem::temp_directory_path() / ("tap-" + std::to_string(::getpid()))).string();
  std::string report = render_tap(sample::every_kind(), sample::options());
  report.replace(report.find("14"), 2, "13");  // the newest it knows; what is written is both
  std::ofstream(file, std::ios::binary) << report;
  const std::string command =
      "perl -MTAP::Parser -e '"
      "my $p = TAP::Parser->new({tap => do { local $/; open F, $ARGV[0]; <F> }}); $p->run;"
      "print join(q( ), scalar $p->passed, scalar $p->failed, scalar $p->skipped,"
      " scalar $p->todo, scalar $p->parse_errors)' " +
      file;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::string out;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) out += static_cast<char>(c);
  ::pclose(pipe);
  std::filesystem::remove(file);
  EXPECT_EQ(out, "7 5 3 1 0") << "passed (with what is skipped or to do), failed, …, mistakes";
}

}  // namespace
}  // namespace reports
