// SPDX-License-Identifier: Apache-2.0
// The shape is checked by what GitHub and the schema ask for; by the schema itself where a copy of
// it is: RPCSPEC_SARIF_SCHEMA names the file, else it is looked for beside this tree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/base/test_folders.h"
#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/schema_testing.h"
#include "reports/formats.h"
#include "reports/sample_run_testing.h"

namespace reports {
namespace {

namespace json = harness::json;
using json::Value;
using ::testing::HasSubstr;
using ::testing::Not;

Value parsed(const Record& record, const ReportOptions& options = sample::options()) {
  return json::parse(render_sarif(record, options));
}

const Value& member_at(const Value& value, const std::string& pointer) {
  const Value* found = json::at(value, pointer);
  if (found == nullptr) throw std::runtime_error("nothing at " + pointer);
  return *found;
}

TEST(SarifReport, IsTheDocumentThatWasApproved) {
  const std::string report = render_sarif(sample::every_kind(), sample::options());
  EXPECT_EQ(report, sample::golden("report.sarif", report));
}

TEST(SarifReport, FollowsItsSchema) {
  const char* named = std::getenv("RPCSPEC_SARIF_SCHEMA");
  const std::string file =
      named != nullptr ? named
                       : harness::source_dir() + "/../shared/schemas/sarif-schema-2.1.0.json";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no schema of SARIF 2.1.0 at " << file;
  const Value schema = json::parse(sample::read_file(file));
  for (const Record& record : {sample::every_kind(), sample::hostile(), sample::started()}) {
    const harness::Status fits = json::validate(schema, parsed(record));
    EXPECT_TRUE(fits) << fits.error().text();
  }
  Value wrong = parsed(sample::every_kind());
  wrong.find("runs")->items[0].find("results")->items[0].set("level", json::string("bad"));
  EXPECT_FALSE(json::validate(schema, wrong));
}

// What the schema asks of the objects that are written, and what GitHub asks beyond it.
TEST(SarifReport, HasWhatCodeScanningNeeds) {
  const std::set<std::string> levels = {"none", "note", "warning", "error"};
  for (const Record& record : {sample::every_kind(), sample::hostile()}) {
    const Value log = parsed(record);
    EXPECT_EQ(member_at(log, "/version").text, "2.1.0");
    ASSERT_EQ(member_at(log, "/runs").items.size(), 1u);
    const Value& rules = member_at(log, "/runs/0/tool/driver/rules");
    EXPECT_EQ(member_at(log, "/runs/0/tool/driver/name").text, "rpcspec");
    std::set<std::string> ids;
    for (const Value& rule : rules.items) {
      EXPECT_TRUE(ids.insert(member_at(rule, "/id").text).second) << "ids of rules are unique";
      EXPECT_FALSE(member_at(rule, "/shortDescription/text").text.empty());
      EXPECT_TRUE(levels.contains(member_at(rule, "/defaultConfiguration/level").text));
    }
    EXPECT_FALSE(member_at(log, "/runs/0/results").items.empty());
    std::set<std::string> marks;
    for (const Value& result : member_at(log, "/runs/0/results").items) {
      const auto index = json::as_integer(member_at(result, "/ruleIndex"));
      ASSERT_TRUE(index && *index < static_cast<std::int64_t>(rules.items.size()));
      EXPECT_EQ(member_at(rules.items[static_cast<std::size_t>(*index)], "/id").text,
                member_at(result, "/ruleId").text);
      EXPECT_TRUE(levels.contains(member_at(result, "/level").text));
      EXPECT_FALSE(member_at(result, "/message/text").text.empty());
      const std::string uri =
          member_at(result, "/locations/0/physicalLocation/artifactLocation/uri").text;
      EXPECT_EQ(uri.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789-._/%"),
                std::string::npos)
          << uri;
      EXPECT_TRUE(
          marks.insert(member_at(result, "/partialFingerprints/primaryLocationLineHash").text)
              .second);
    }
  }
}

TEST(SarifReport, TellsBreachesByTheirLevelAndWhatIsKnown) {
  EXPECT_THAT(render_sarif(sample::every_kind(), sample::options()),
              Not(HasSubstr("jsonrpc.error.message-short")))
      << "it holds what gates";
  ReportOptions options = sample::options();
  options.warnings = true;
  const Value log = parsed(sample::every_kind(), options);
  std::map<std::string, std::string> levels;
  std::size_t suppressed = 0;
  for (const Value& result : member_at(log, "/runs/0/results").items) {
    levels[member_at(result, "/ruleId").text] = member_at(result, "/level").text;
    suppressed += result.find("suppressions") != nullptr;
  }
  EXPECT_EQ(levels["jsonrpc.id.string-echo"], "error");
  EXPECT_EQ(levels["jsonrpc.error.message-short"], "warning");
  EXPECT_EQ(suppressed, 1u);
  const std::string told = render_sarif(sample::every_kind(), sample::options());
  EXPECT_THAT(told, HasSubstr("https://www.jsonrpc.org/specification#response_object"));
  EXPECT_THAT(told, HasSubstr("stale baseline entry"));
}

TEST(SarifReport, PointsAtTheFileThatStandsForTheServer) {
  const auto uri = [](const Record& record, const ReportOptions& options) {
    return member_at(parsed(record, options),
                     "/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri")
        .text;
  };
  ReportOptions options = sample::options();
  Record record = sample::every_kind();
  EXPECT_THAT(uri(record, options), testing::StartsWith("rpcspec/"));
  options.origin.file = "src/my server.js";
  EXPECT_EQ(uri(record, options), "src/my%20server.js");
  record.origin.file = "rpcspec.yaml";  // it was read
  EXPECT_EQ(uri(record, options), "rpcspec.yaml");
}

TEST(SarifReport, AFindingKeepsItsFingerprintWhenItsWordsChange) {
  const auto mark = [](const std::string& seen) {
    Record record = sample::started();
    run::CaseResult one = sample::result("a", "t", run::Verdict::kFail);
    one.findings = {sample::finding("r", "e", seen)};
    add_case(record, one);
    return member_at(parsed(record),
                     "/runs/0/results/0/partialFingerprints/primaryLocationLineHash")
        .text;
  };
  EXPECT_EQ(mark("one"), mark("another"));
}

TEST(SarifReport, HasOneResultForACauseWithAllItsCases) {
  Record record = sample::started();
  for (const char* id : {"a", "b"}) {
    run::CaseResult one = sample::result(id, "t", run::Verdict::kFail);
    one.findings = {sample::finding("r", "e", "s"), sample::finding("q", "e", "s")};
    add_case(record, one);
  }
  record.finished.causes.push_back(
      {.requirement = "r", .title = "One bug", .findings = {{"a", 0}, {"b", 0}, {"a", 1}}});
  const Value log = parsed(record);
  const Value& results = member_at(log, "/runs/0/results");
  ASSERT_EQ(results.items.size(), 2u) << "the cause, and the finding that none has";
  EXPECT_THAT(member_at(results.items[0], "/message/text").text, testing::StartsWith("One bug."));
  EXPECT_EQ(member_at(results.items[0], "/occurrenceCount").text, "3");
  EXPECT_EQ(member_at(results.items[0], "/properties/cases").items.size(), 2u);
  EXPECT_EQ(member_at(results.items[1], "/ruleId").text, "q");
  EXPECT_EQ(member_at(results.items[1], "/properties/cases/0").text, "b");
}

TEST(SarifReport, HasNoRawControlsWhateverTheTargetSays) {
  std::string report = render_sarif(sample::hostile(), sample::options());
  EXPECT_LT(report.size(), 1u << 20);
  std::erase(report, '\n');
  EXPECT_EQ(harness::printable(report, report.size()), report);
}

}  // namespace
}  // namespace reports
