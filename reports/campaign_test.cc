// SPDX-License-Identifier: Apache-2.0
#include "reports/campaign.h"

#include <gtest/gtest.h>

#include "harness/json/read.h"
#include "reports/formats.h"
#include "reports/read_json.h"
#include "reports/sample_run_testing.h"

namespace reports {
namespace {

CampaignPoint at(std::int64_t time_ms) {
  CampaignPoint point;
  point.time_ms = time_ms;
  point.execs = static_cast<std::uint64_t>(time_ms);
  return point;
}

TEST(CampaignCurve, StaysShortAndKeepsItsEnds) {
  CampaignCurve curve;
  for (std::int64_t time = 0; time <= 10'000'000; time += 250) curve.add(at(time));
  const std::vector<CampaignPoint> points = curve.ended_with(at(10'000'123));
  EXPECT_LT(points.size(), 250u);
  EXPECT_GT(points.size(), 100u);
  EXPECT_EQ(points.front().time_ms, 0);
  EXPECT_EQ(points.back().time_ms, 10'000'123);
  for (std::size_t i = 1; i < points.size(); ++i)
    EXPECT_LT(points[i - 1].time_ms, points[i].time_ms);
}

TEST(CampaignCurve, OfAShortCampaignIsItsEnd) {
  EXPECT_EQ(CampaignCurve().ended_with(at(40)).size(), 1u);
}

TEST(Campaign, IsInTheJsonReportAndReadBack) {
  Record record = sample::every_kind();
  auto campaign = std::make_shared<Campaign>();
  campaign->curve = {at(100), at(900)};
  campaign->curve[1].edges = 77;
  campaign->scripts["jsonrpc/id/string-echo"] = "send {\"id\":1}\n";
  record.campaign = campaign;
  const std::string report = render_json(record, sample::options());
  const auto read = read_json(report, "r.json");
  ASSERT_TRUE(read);
  ASSERT_TRUE(read->campaign);
  EXPECT_EQ(read->campaign->curve.size(), 2u);
  EXPECT_EQ(read->campaign->curve[1].edges, 77u);
  EXPECT_EQ(read->campaign->scripts, campaign->scripts);
  EXPECT_EQ(render_json(*read, sample::options()), report);
}

}  // namespace
}  // namespace reports
