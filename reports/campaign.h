// SPDX-License-Identifier: Apache-2.0
// What a report tells of a campaign of the fuzzer besides its findings.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace reports {

// The state of a campaign at a time. Counts are totals since its start.
struct CampaignPoint {
  std::int64_t time_ms = 0;
  std::uint64_t execs = 0, frames = 0, behaviours = 0, edges = 0, corpus = 0, findings = 0;
};

struct Campaign {
  std::vector<CampaignPoint> curve;            // in order of time; a few hundred at most
  std::map<std::string, std::string> scripts;  // by the id of the case: what shows the finding
};

// A curve that limits its own length: when it is full, every second point is dropped.
class CampaignCurve {
 public:
  // Adds the point if enough time has passed since the previous one.
  void add(const CampaignPoint& point);
  // All kept points, and `last` at the end.
  std::vector<CampaignPoint> ended_with(const CampaignPoint& last) const;

 private:
  std::vector<CampaignPoint> points_;
  std::int64_t step_ms_ = 100;
};

}  // namespace reports
