// SPDX-License-Identifier: Apache-2.0
#include "reports/campaign.h"

namespace reports {

namespace {
constexpr std::size_t kMostPoints = 240;
}  // namespace

void CampaignCurve::add(const CampaignPoint& point) {
  if (!points_.empty() && point.time_ms < points_.back().time_ms + step_ms_) return;
  points_.push_back(point);
  if (points_.size() < kMostPoints) return;
  std::vector<CampaignPoint> half;
  for (std::size_t i = 0; i < points_.size(); i += 2) half.push_back(points_[i]);
  points_ = std::move(half);
  step_ms_ *= 2;
}

std::vector<CampaignPoint> CampaignCurve::ended_with(const CampaignPoint& last) const {
  std::vector<CampaignPoint> out = points_;
  while (!out.empty() && out.back().time_ms >= last.time_ms) out.pop_back();
  out.push_back(last);
  return out;
}

}  // namespace reports
