// SPDX-License-Identifier: Apache-2.0
#include "reports/read_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/formats.h"
#include "reports/merge.h"
#include "reports/registry.h"
#include "reports/sample_run_testing.h"

namespace reports {
namespace {

using ::testing::HasSubstr;

Record read_back(const Record& record) {
  auto read = read_json(render_json(record, sample::options()), "r.json");
  if (!read) throw std::runtime_error(read.error().text());
  return std::move(*read);
}

TEST(ReadJson, EveryFormatSaysTheSameOfAReportThatWasReadBack) {
  Record record = sample::every_kind();
  record.latencies["tools/list"] = {3, {120, 90, 4000}};
  record.finished.causes[1].by_clause = true;
  const Record read = read_back(record);
  for (const Format& format : formats())
    EXPECT_EQ(format.render(read, sample::options()), format.render(record, sample::options()))
        << format.name;
}

TEST(ReadJson, KeepsHeadsBytesAndSizesOfFrames) {
  Record record = sample::started();
  run::CaseResult one = sample::result("a", "t", run::Verdict::kFail);
  wire::Frame http = sample::frame(4, wire::Channel::kHttp, "\xff\xfe!");
  http.head = wire::HttpHead{503, "", "", {{"Content-Type", "text/plain"}}};
  http.size = 9000;
  wire::Frame post = sample::frame(3, wire::Channel::kHttp, "{}");
  post.direction = wire::Direction::kSent;
  post.head = wire::HttpHead{0, "POST", "/mcp", {}};
  one.transcript = sample::transcript({post, http});
  one.findings = {sample::finding("r", "e", "s", {3, 4})};
  add_case(record, one);
  const Record read = read_back(record);
  const std::vector<wire::Frame>& frames = read.cases.front().transcript->frames;
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].head->method + frames[0].head->target, "POST/mcp");
  EXPECT_EQ(frames[0].direction, wire::Direction::kSent);
  EXPECT_EQ(frames[1].head->status, 503);
  EXPECT_EQ(*frames[1].head->header("content-type"), "text/plain");
  EXPECT_EQ(frames[1].bytes, "\xff\xfe!");
  EXPECT_EQ(frames[1].size, 9000u);
}

TEST(ReadJson, KeepsASeedOf64Bits) {
  Record record = sample::started();
  record.started.seed = 18446744073709551615u;
  EXPECT_EQ(read_back(record).started.seed, record.started.seed);
}

TEST(ReadJson, SaysWhatIsNoReport) {
  const auto complaint = [](const std::string& text) {
    const auto read = read_json(text, "r.json");
    return read ? std::string() : read.error().text();
  };
  EXPECT_THAT(complaint("{"), HasSubstr("r.json: this is not JSON"));
  EXPECT_THAT(complaint("[]"), HasSubstr("not a report of rpcspec"));
  EXPECT_THAT(complaint(R"({"format": "rpcspec-report/9"})"), HasSubstr("rpcspec-report/9"));
  EXPECT_THAT(complaint(R"({"format": "rpcspec-report/1", "cases": [{"id": "a"}]})"),
              HasSubstr("the case a has an unknown verdict"));
  EXPECT_THAT(complaint(R"({"format": "rpcspec-report/1", "cases": [{}]})"),
              HasSubstr("a case without an id"));
  EXPECT_EQ(complaint(R"({"format": "rpcspec-report/1", "cases": 7, "causes": [{}]})"), "");
}

TEST(ReadJson, ReadsWhatAHostileTargetLeft) {
  const Record read = read_back(sample::hostile());
  EXPECT_EQ(read.cases.size(), sample::hostile().cases.size());
}

}  // namespace
}  // namespace reports
