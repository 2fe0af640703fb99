// SPDX-License-Identifier: Apache-2.0
#include "reports/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "harness/base/test_folders.h"
#include "harness/base/text.h"
#include "reports/read_json.h"
#include "reports/sample_run_testing.h"

namespace reports {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class Reports : public ::testing::Test {
 protected:
  Reports() {
    std::string name = (fs::temp_directory_path() / "reports-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
    folder_ = name;
  }
  ~Reports() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  // The reporter called `format`, writing to `file`.
  static harness::Result<std::unique_ptr<run::Reporter>> make(const std::string& format,
                                                              const std::string& file,
                                                              const ReportOptions& options) {
    auto made = make_all({format + "=" + file}, options);
    if (!made) return made.error();
    return std::move(made->front());
  }
  static void play(run::Reporter& reporter, const Record& record) {
    reporter.run_started(record.started);
    for (const run::CaseResult& one : record.cases) reporter.case_finished(one);
    reporter.run_finished(record.finished);
  }

  fs::path folder_;
};

TEST_F(Reports, EveryFormatWritesItsFileFromTheEvents) {
  std::vector<std::string> arguments;
  for (const Format& format : formats())
    arguments.push_back(std::string(format.name) + "=" + path(format.name));
  auto reporters = make_all(arguments, sample::options());
  ASSERT_TRUE(reporters) << reporters.error().text();
  for (const auto& reporter : *reporters) play(*reporter, sample::every_kind());
  for (const Format& format : formats()) {
    EXPECT_THAT(sample::read_file(path(format.name)), HasSubstr("jsonrpc")) << format.name;
    EXPECT_GT(std::string(format.help).size(), 10u);
  }
  EXPECT_EQ(files(), formats().size()) << "temporary files are gone";
}

TEST_F(Reports, EveryFormatSurvivesAHostileTarget) {
  for (const Format& format : formats()) {
    auto reporter = make(format.name, path(format.name), sample::options());
    ASSERT_TRUE(reporter);
    play(**reporter, sample::hostile());
    const std::string text = sample::read_file(path(format.name));
    EXPECT_EQ(text.find('\x1b'), std::string::npos) << format.name;
    EXPECT_EQ(text.find('\0'), std::string::npos) << format.name;
    EXPECT_EQ(text.find("\u202e"), std::string::npos) << format.name;
    EXPECT_TRUE(harness::is_utf8(text)) << format.name;
  }
}

TEST_F(Reports, UnknownFormatIsToldWithTheNearestOne) {
  const auto near = make("junt", path("x"), sample::options());
  ASSERT_FALSE(near);
  EXPECT_EQ(near.error().text(), "--report: unknown report format 'junt'; did you mean 'junit'?");
  const auto far = make("spreadsheet", path("x"), sample::options());
  ASSERT_FALSE(far);
  EXPECT_THAT(far.error().text(), HasSubstr("console, agent, json, junit, html"));
}

TEST_F(Reports, AFolderThatIsMissingIsToldBeforeTheRun) {
  const auto reporter = make("json", path("no/such/report.json"), sample::options());
  ASSERT_FALSE(reporter);
  EXPECT_THAT(reporter.error().text(), HasSubstr("no/such' does not exist; create it"));
  const auto folder = make("json", folder_.string(), sample::options());
  ASSERT_FALSE(folder);
  EXPECT_THAT(folder.error().text(), HasSubstr("this is a folder"));
  const auto empty = make_all({"json="}, sample::options());
  ASSERT_FALSE(empty);
  EXPECT_THAT(empty.error().text(), HasSubstr("FORMAT=FILE"));
}

TEST_F(Reports, AnAbortedRunLeavesWhatItHadFoundAndNoOlderReport) {
  std::ofstream(path("report.json")) << "yesterday";
  {
    auto reporter = make("json", path("report.json"), sample::options());
    ASSERT_TRUE(reporter);
    (*reporter)->run_started(sample::started().started);
    EXPECT_EQ(sample::read_file(path("report.json")), "yesterday") << "nothing is judged yet";
    (*reporter)->case_finished(sample::every_kind().cases.front());
    EXPECT_EQ(files(), 1u) << "who is killed now cleans up nothing";
  }
  const auto left = read_json(sample::read_file(path("report.json")), "report.json");
  ASSERT_TRUE(left);
  EXPECT_TRUE(left->finished.interrupted);
  EXPECT_FALSE(left->finished.gate_passed);
  EXPECT_EQ(left->cases.size(), 1u);
  EXPECT_EQ(files(), 1u);
}

TEST_F(Reports, AskingWhetherAFileCanBeWrittenLeavesEverythingAlone) {
  std::ofstream(path("ledger.yaml")) << "accepted";
  EXPECT_TRUE(can_be_written(path("ledger.yaml")));
  EXPECT_TRUE(can_be_written(path("another.yaml")));
  EXPECT_FALSE(can_be_written(path("no/such/ledger.yaml")));
  EXPECT_FALSE(can_be_written(folder_.string()));
  // Nobody reads it, so to open it would take for ever.
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_TRUE(can_be_written(path("pipe")));
  EXPECT_EQ(sample::read_file(path("ledger.yaml")), "accepted");
  EXPECT_EQ(files(), 2u);
}

TEST_F(Reports, ANewReportCanBeReadByOthersAsTheUmaskAllows) {
  const mode_t mask = ::umask(022);
  auto reporter = make("json", path("report.json"), sample::options());
  ASSERT_TRUE(reporter);
  play(**reporter, sample::every_kind());
  ::umask(mask);
  EXPECT_EQ(fs::status(path("report.json")).permissions(), static_cast<fs::perms>(0644));
}

TEST_F(Reports, ADeviceOrALinkIsWrittenThroughNotReplaced) {
  fs::create_symlink(path("real.json"), path("link.json"));
  std::ofstream(path("real.json")) << "old";
  fs::create_symlink("/dev/null", path("null"));
  for (const char* name : {"link.json", "null"}) {
    auto reporter = make("json", path(name), sample::options());
    ASSERT_TRUE(reporter) << reporter.error().text();
    play(**reporter, sample::every_kind());
    EXPECT_TRUE(fs::is_symlink(path(name)));
  }
  EXPECT_THAT(sample::read_file(path("real.json")), HasSubstr("rpcspec-report/1"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(Reports, AReportThatCannotBeFinishedIsTold) {
  std::string told;
  ReportOptions options = sample::options();
  options.on_error = [&](const harness::Error& error) { told = error.text(); };
  fs::create_directory(path("gone"));
  auto reporter = make("json", path("gone/report.json"), options);
  ASSERT_TRUE(reporter);
  fs::remove_all(path("gone"));
  play(**reporter, sample::every_kind());
  EXPECT_THAT(told, HasSubstr("cannot be created"));
}

TEST_F(Reports, AConsoleReportInAFileHasNeitherColourNorProgress) {
  ReportOptions options = sample::options();
  options.terminal = options.colour = true;
  auto reporter = make("console", path("log.txt"), options);
  ASSERT_TRUE(reporter);
  play(**reporter, sample::every_kind());
  EXPECT_EQ(sample::read_file(path("log.txt")),
            sample::read_file(fs::path(harness::source_dir()) / "reports/golden/console.txt"));
}

}  // namespace
}  // namespace reports
