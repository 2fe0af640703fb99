// SPDX-License-Identifier: Apache-2.0
// WaitBudget: what a run may lose altogether to answers that do not come and to starting a target
// again that ended. A target that costs more is judged by what was seen until then. Pure.
#pragma once

#include <chrono>
#include <set>
#include <string>
#include <utility>

#include "harness/run/entry.h"
#include "harness/run/judgement.h"

namespace harness::run {

class WaitBudget {
 public:
  using Time = std::chrono::milliseconds;

  // `most`: 0 for no limit. `jobs` lose time side by side.
  WaitBudget(Time most, int jobs) : most_(most), jobs_(jobs < 1 ? 1 : jobs) {}

  // A case was played in that time. What was lost with it counts; what it took to play one that got
  // its answers does not.
  void played(const Judgement& judgement, Time took);
  // Time that was waited in vain apart from that.
  void lost(Time time) { lost_ += time; }
  bool spent() const { return most_.count() > 0 && lost_ / jobs_ >= most_; }
  // Why something was not played.
  std::string reason() const;

  // A second play showed the failures of this judgement again.
  void confirmed(const Judgement& judgement);
  // There is no time for a second play: what stands of the first. A failure does where one of its
  // kind came again elsewhere; else nothing is known.
  void settle_unconfirmed(Entry& entry) const;

 private:
  Time most_;
  int jobs_;
  Time lost_{0};
  std::set<std::pair<std::string, oracle::Symptom>> confirmed_;  // clause, and how it showed
};

}  // namespace harness::run
