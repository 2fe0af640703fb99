// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <variant>

#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/value.h"
#include "reports/formats.h"
#include "reports/sample_run_testing.h"

namespace reports {
namespace {

namespace json = harness::json;

// The value at `pointer`, which must be there.
const json::Value& member_at(const json::Value& document, const std::string& pointer) {
  const json::Value* found = json::at(document, pointer);
  if (found == nullptr) throw std::runtime_error("nothing at " + pointer);
  return *found;
}

std::vector<std::string> names(const json::Value& object) {
  std::vector<std::string> out;
  for (const json::Member& member : object.members) out.push_back(member.name);
  return out;
}

TEST(JsonReport, IsTheDocumentThatWasApproved) {
  const std::string report = render_json(sample::every_kind(), sample::options());
  EXPECT_EQ(report, sample::golden("report.json", report));
}

TEST(JsonReport, HasThePromisedFields) {
  const json::Value report = json::parse(render_json(sample::every_kind(), sample::options()));
  EXPECT_EQ(names(report),
            (std::vector<std::string>{"format", "rpcspec", "target", "profile", "transport", "seed",
                                      "summary", "gate", "causes", "cases", "not_called", "stale",
                                      "unjudged", "coverage", "latency"}));
  EXPECT_EQ(names(member_at(report, "/summary")),
            (std::vector<std::string>{"pass", "fail", "warn", "inconclusive", "not_applicable",
                                      "flaky", "error", "duration_ms"}));
  EXPECT_EQ(member_at(report, "/format").text, "rpcspec-report/1");
  EXPECT_EQ(member_at(report, "/summary/fail").text, "5");
  EXPECT_FALSE(member_at(report, "/gate/passed").boolean);
  EXPECT_EQ(member_at(report, "/coverage/1/status").text, "not_covered");
}

TEST(JsonReport, SortsCasesById) {
  Record record = sample::started();
  for (const char* id : {"b", "c", "a"}) {
    add_case(record, sample::result(id, "t", run::Verdict::kPass));
  }
  finish(record, {});
  const json::Value report = json::parse(render_json(record, sample::options()));
  EXPECT_EQ(member_at(report, "/cases/0/id").text, "a");
  EXPECT_EQ(member_at(report, "/cases/2/id").text, "c");
}

TEST(JsonReport, KeepsASeedOf64Bits) {
  Record record = sample::started();
  record.started.seed = 18446744073709551615u;
  const json::Value report = json::parse(render_json(record, sample::options()));
  EXPECT_EQ(member_at(report, "/seed").text, "18446744073709551615");
}

TEST(JsonReport, GivesBackTheBytesOfAFrame) {
  Record record = sample::started();
  run::CaseResult one = sample::result("a", "t", run::Verdict::kFail);
  one.transcript = sample::transcript({sample::frame(1, wire::Channel::kStdin, "\x1b[2J\u202e"),
                                       sample::frame(2, wire::Channel::kStdout, "\xff\xfe!")});
  one.findings = {sample::finding("r", "e", "s", {1, 2, 77})};
  add_case(record, one);
  const json::Value report = json::parse(render_json(record, sample::options()));
  const json::Value& frames = member_at(report, "/cases/0/findings/0/frames");
  ASSERT_EQ(frames.items.size(), 2u);
  EXPECT_EQ(member_at(frames, "/0/text").text, "\x1b[2J\u202e");
  EXPECT_EQ(member_at(frames, "/1/base64").text, "//4h");
}

TEST(JsonReport, CutsAHugeFrameBetweenCharactersAndTellsItsSize) {
  Record record = sample::started();
  run::CaseResult one = sample::result("a", "t", run::Verdict::kFail);
  std::string huge = "x";
  while (huge.size() < (1u << 20)) huge += "é";
  one.transcript = sample::transcript({sample::frame(1, wire::Channel::kStdout, huge)});
  one.findings = {sample::finding("r", "e", "s", {1})};
  add_case(record, one);
  const json::Value report = json::parse(render_json(record, sample::options()));
  const json::Value& frame = member_at(report, "/cases/0/findings/0/frames/0");
  EXPECT_EQ(member_at(frame, "/size").text, std::to_string(huge.size()));
  EXPECT_LE(member_at(frame, "/text").text.size(), kMaxFrameBytes);
  EXPECT_GT(member_at(frame, "/text").text.size(), kMaxFrameBytes - 4);
}

TEST(JsonReport, HasNoRawControlsWhateverTheTargetSays) {
  const std::string report = render_json(sample::hostile(), sample::options());
  ASSERT_TRUE(std::holds_alternative<json::Reading>(json::read(report)));
  std::string lines = report;
  std::erase(lines, '\n');
  EXPECT_EQ(harness::printable(lines, lines.size()), lines);
  EXPECT_LT(report.size(), 4u << 20) << "a flood is told, not repeated";
  const json::Value value = json::parse(report);
  EXPECT_THAT(member_at(value, "/cases/0/title").text, ::testing::HasSubstr("<script>"));
}

}  // namespace
}  // namespace reports
