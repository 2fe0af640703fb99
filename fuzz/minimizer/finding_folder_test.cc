// SPDX-License-Identifier: Apache-2.0
#include "fuzz/minimizer/finding_folder.h"
#include "harness/oracle/finding_words.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

namespace fuzz {
namespace {

namespace fs = std::filesystem;

class FindingFolder : public ::testing::Test {
 protected:
  fs::path folder_ =
      fs::temp_directory_path() / (std::string("finding_folder_") +
                                   ::testing::UnitTest::GetInstance()->current_test_info()->name());

  const harness::spec::Profile& profile_ = *harness::spec::find_profile("jsonrpc-2.0");

  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  static Reduced reduced() {
    Reduced out;
    out.repeats = Repeats::kAlone;
    out.script = read_script(R"({"jsonrpc":"2.0","id":1,"method":"a"})");
    out.problem.finding.requirement = "jsonrpc.request.reply-exactly-one";
    out.problem.finding.expected = "a reply";
    out.problem.finding.seen = "nothing";
    out.problem.signature = "model|jsonrpc.request.reply-exactly-one||no reply";
    out.confirmed = kConfirmations;
    return out;
  }

  std::string readme_of(const Reduced& reduced, std::optional<std::string> case_text = "title: a") {
    const harness::spec::Registry registry;
    const harness::Secrets secrets;
    const FindingContext context{folder_.string(),
                                 {"rpcspec", " --timeout 3s"},
                                 "-- ./server",
                                 *harness::spec::find_profile("jsonrpc-2.0"),
                                 "stdio",
                                 registry,
                                 secrets,
                                 "",
                                 7,
                                 case_text};
    const auto name = write_finding(reduced, {reduced.script}, context);
    if (!name) throw std::runtime_error(name.error().text());
    std::ifstream file(folder_ / *name / "README.md");
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

// What stands in its folder is one case, `case`; all others would be played besides.
TEST_F(FindingFolder, SaysHowToPlayItAndNothingElse) {
  const std::string text = readme_of(reduced());
  EXPECT_NE(text.find("rpcspec replay --profile jsonrpc-2.0 --timeout 3s "), std::string::npos)
      << text;
  EXPECT_NE(text.find("rpcspec run --profile jsonrpc-2.0 --timeout 3s --cases "), std::string::npos)
      << text;
  EXPECT_NE(text.find(" --select case -- ./server\n"), std::string::npos) << text;
  EXPECT_NE(text.find("reproducible: seen in 3 of 3 plays"), std::string::npos) << text;
}

// No case is promised that is not there.
TEST_F(FindingFolder, HasACaseOnceOneWasSeenToFail) {
  const std::string before = readme_of(reduced(), std::nullopt);
  EXPECT_NE(before.find("There was no time to check a case"), std::string::npos) << before;
  EXPECT_EQ(before.find("rpcspec run"), std::string::npos) << before;
  EXPECT_FALSE(findings_in(folder_.string()).at(0).has_case);

  const std::string without_case = readme_of(reduced(), "");
  EXPECT_NE(without_case.find("The case language cannot express it, so it has no case. To replay"),
            std::string::npos)
      << without_case;
  EXPECT_EQ(without_case.find("rpcspec run"), std::string::npos) << without_case;
  EXPECT_FALSE(findings_in(folder_.string()).at(0).has_case);

  const std::string seen = readme_of(reduced(), "title: a");
  EXPECT_NE(seen.find("rpcspec run"), std::string::npos) << seen;
  EXPECT_TRUE(findings_in(folder_.string()).at(0).has_case);
}

// A broken SHOULD ends with 1 only where that is asked for.
TEST_F(FindingFolder, AsksForTheLevelThatShowsIt) {
  EXPECT_EQ(readme_of(reduced()).find("--level"), std::string::npos);
  Reduced should = reduced();
  should.problem.finding.severity = harness::oracle::Severity::kWarn;
  const std::string text = readme_of(should);
  EXPECT_NE(text.find("rpcspec replay --profile jsonrpc-2.0 --level should "), std::string::npos)
      << text;
  EXPECT_NE(text.find("rpcspec run --profile jsonrpc-2.0 --level should "), std::string::npos);
}

TEST_F(FindingFolder, CountsFramesThatAreAlike) {
  Reduced many = reduced();
  auto transcript = std::make_shared<harness::wire::Transcript>();
  for (const char* bytes : {"[]", "[]", "[]", "[]", "{}"}) {
    harness::wire::Frame frame;
    frame.seq = transcript->frames.size() + 1;
    frame.direction = harness::wire::Direction::kSent;
    frame.bytes = bytes;
    transcript->frames.push_back(std::move(frame));
  }
  many.problem.finding.frames = {2};
  many.execution.slices.emplace_back().transcript = std::move(transcript);
  const std::string text = readme_of(many);
  const std::size_t at = text.find("#1   []\n* ");
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_NE(text.find("#2   []\n  … 2 more like this\n", at), std::string::npos) << text;
  EXPECT_NE(text.find("#5   {}\n```", at), std::string::npos) << text;
}

TEST_F(FindingFolder, SaysThatTheScriptMayBeLongerThanItHasToBe) {
  Reduced cut = reduced();
  EXPECT_EQ(readme_of(cut).find("time for reducing"), std::string::npos);
  cut.cut = true;
  EXPECT_NE(readme_of(cut).find("time for reducing it ran out"), std::string::npos);
}

TEST_F(FindingFolder, TellsTheLastThatWasPrintedLineByLine) {
  Reduced crash = reduced();
  crash.execution.stderr_tail = std::string(10'000, 'x') + "\nterminate\x1b called\nAborted\n";
  const std::string text = readme_of(crash);
  EXPECT_NE(text.find("\nterminate\\x1b called\nAborted\n```\n"), std::string::npos) << text;
  EXPECT_LT(text.size(), 9000u);
}

TEST_F(FindingFolder, IsListedInItsOwnWordsOnceItIsWritten) {
  EXPECT_TRUE(findings_in(folder_.string()).empty());
  Reduced one = reduced();
  one.problem.finding.seen = "two\nlines and \x1b[31m";
  readme_of(one);
  Reduced other = reduced();
  other.problem.finding.requirement = "jsonrpc.id.fractional";
  readme_of(other);
  fs::create_directories(folder_ / "begun");
  const std::vector<Found> found = findings_in(folder_.string());
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0].name.starts_with("wrong-answer-jsonrpc.id.fractional-")) << found[0].name;
  EXPECT_EQ(found[1].signature, one.problem.signature);
  EXPECT_EQ(found[1].expected, "a reply");
  EXPECT_EQ(found[1].seen, "two\\nlines and \\x1b[31m");
}

TEST_F(FindingFolder, IsAFailedCaseForReports) {
  Reduced one = reduced();
  auto transcript = std::make_shared<harness::wire::Transcript>();
  transcript->profile = "jsonrpc-2.0";
  for (const char* bytes : {"[]", "{}"}) {
    harness::wire::Frame frame;
    frame.seq = transcript->frames.size() + 1;
    frame.direction = harness::wire::Direction::kSent;
    frame.bytes = bytes;
    transcript->frames.push_back(std::move(frame));
  }
  one.problem.finding.frames = {2};
  one.problem.finding.oracle = "model";
  one.execution.slices.emplace_back().transcript = std::move(transcript);
  readme_of(one);
  const std::string name = findings_in(folder_.string()).at(0).name;
  const auto failed = result_in(folder_.string(), name);
  EXPECT_EQ(failed.id, name);
  EXPECT_EQ(failed.verdict, harness::run::Verdict::kFail);
  EXPECT_NE(failed.replay.find("rpcspec replay --profile jsonrpc-2.0 "), std::string::npos);
  ASSERT_EQ(failed.findings.size(), 1u);
  EXPECT_EQ(harness::oracle::one_line(failed.findings[0]),
            harness::oracle::one_line(one.problem.finding));
  EXPECT_EQ(failed.findings[0].oracle, "model");
  EXPECT_EQ(failed.findings[0].frames, one.problem.finding.frames);
  ASSERT_TRUE(failed.transcript);
  EXPECT_EQ(failed.transcript->frames.at(1).bytes, "{}");

  one.problem.finding.severity = harness::oracle::Severity::kWarn;
  readme_of(one);
  EXPECT_EQ(result_in(folder_.string(), name).verdict, harness::run::Verdict::kWarn);
}

// A folder may hold anything by the time it is read again.
TEST_F(FindingFolder, IsNoTroubleWhenItsFactsAreNonsense) {
  readme_of(reduced());
  const std::string name = findings_in(folder_.string()).at(0).name;
  for (const char* nonsense : {"", "[1]", "{\"frames\":[\"a\",-1],\"seen\":7}", "{"}) {
    std::ofstream(folder_ / name / "finding.json") << nonsense;
    std::ofstream(folder_ / name / "transcript.jsonl") << nonsense;
    EXPECT_EQ(findings_in(folder_.string()).at(0).seen, "") << nonsense;
    EXPECT_EQ(result_in(folder_.string(), name).id, name) << nonsense;
  }
}

TEST_F(FindingFolder, KeepsTheWorseOfTwoThatShareACause) {
  const auto shown = [](const char* requirement, const char* said, const char* seen) {
    Reduced out = reduced();
    auto transcript = std::make_shared<harness::wire::Transcript>();
    harness::wire::Frame frame;
    frame.seq = 1;
    frame.direction = harness::wire::Direction::kSent;
    frame.bytes = said;
    transcript->frames.push_back(frame);
    out.script = read_script(said);
    out.problem.finding.requirement = requirement;
    out.problem.finding.oracle = "model";
    out.problem.finding.seen = seen;
    out.problem.finding.frames = {1};
    out.problem.signature = std::string("model|") + requirement + "|a|" + seen;
    out.execution.slices.emplace_back().transcript = std::move(transcript);
    return out;
  };
  Reduced should = shown("a.b", R"({"jsonrpc":"2.0","id":[],"method":"a"})", "nothing");
  should.problem.finding.severity = harness::oracle::Severity::kWarn;
  const Reduced must = shown("a.c", R"([{"jsonrpc":"2.0","id":{},"method":"a"}])", "none for it");
  const Reduced other = shown("a.b", R"({"jsonrpc":"2.0","id":[],"method":"a"})", "a result: {}");
  readme_of(should);
  EXPECT_TRUE(kin_of(should, folder_.string(), profile_).told);
  EXPECT_FALSE(kin_of(other, folder_.string(), profile_).told);
  const Kin kin = kin_of(must, folder_.string(), profile_);
  EXPECT_FALSE(kin.told);
  EXPECT_EQ(kin.longer.size(), 1u);
}

TEST_F(FindingFolder, SaysWhatItIsWithTheWorstInFront) {
  Reduced slight = reduced();
  slight.problem.finding.severity = harness::oracle::Severity::kWarn;
  slight.problem.signature = "model|a|b|c";
  readme_of(slight);
  readme_of(reduced());
  Reduced hang = reduced();
  hang.problem.signature = "silent|x";
  readme_of(hang);
  Reduced crash = reduced();
  crash.problem.signature = "ended|signal 11|x";
  crash.script = read_script("1\n");
  readme_of(crash);
  std::vector<std::string> begins;
  for (const Found& found : findings_in(folder_.string()))
    begins.push_back(found.name.substr(0, found.name.find("-jsonrpc")));
  const std::vector<std::string> worst_first{"hang", "crash", "wrong-answer", "wrong-answer"};
  EXPECT_EQ(begins, worst_first);
  EXPECT_EQ(findings_in(folder_.string()).back().signature, slight.problem.signature);
}

// A reply without an id too many breaks another clause for each message it may belong to.
TEST_F(FindingFolder, TakesTheShorterOfTwoAboutAReplyWithoutAnId) {
  Reduced brief = reduced();
  brief.problem.unnamed = true;
  brief.script = read_script("{\"method\":\"a\"}\n{\"method\":\"a\"}\n");
  Reduced longer = brief;
  longer.script = read_script("[0]\n{\"method\":\"a\"}\n[{\"method\":\"a\"}]\n");
  longer.problem.finding.requirement = "jsonrpc.batch.failure-isolated";

  EXPECT_FALSE(kin_of(brief, folder_.string(), profile_).told);
  readme_of(longer);
  EXPECT_TRUE(kin_of(longer, folder_.string(), profile_).told);
  const Kin kin = kin_of(brief, folder_.string(), profile_);
  EXPECT_FALSE(kin.told);
  ASSERT_EQ(kin.longer.size(), 1u);
  EXPECT_TRUE(fs::exists(fs::path(kin.longer.front()) / "script"));

  readme_of(brief);
  EXPECT_TRUE(kin_of(longer, folder_.string(), profile_).told);
  std::set<std::string> signatures;
  for (const Found& found : findings_in(folder_.string())) signatures.insert(found.signature);
  EXPECT_EQ(signatures.size(), 1u);  // both have the same here
  Reduced named = longer;
  named.problem.unnamed = false;
  EXPECT_FALSE(kin_of(named, folder_.string(), profile_).told);
}

}  // namespace
}  // namespace fuzz
