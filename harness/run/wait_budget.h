// SPDX-License-Identifier: Apache-2.0
// WaitBudget: what a run may lose altogether to answers that do not come and to starting a target
// again that ended. A target that costs more is judged by what was seen until then. Pure.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "harness/run/entry.h"
#include "harness/run/judgement.h"

namespace harness::run {

// Whether it took a wait or a restart to find. A silence that was believed took a canary.
bool takes_time(const oracle::Finding& finding, bool believed);

class WaitBudget {
 public:
  using Time = std::chrono::milliseconds;
  struct Span {
    session::Clock::time_point from, to;
    // Of session::Pace: so many times longer all takes because others have the processors. What is
    // lost to them does not count; a target that starves itself is believed no more than this.
    double slowdown = 1;
  };
  static constexpr double kMostSlowdown = 4;

  // `most`: 0 for no limit. `before`: what was lost of it already, in a run before this one.
  explicit WaitBudget(Time most, Time before = Time(0)) : most_(most), lost_(before) {}

  // A case was played in that time. What was lost with it counts; what it took to play one that got
  // its answers does not.
  void played(const Judgement& judgement, Span span);
  // Time that was waited in vain apart from that. What several lose side by side is lost once.
  void lost(Span span);
  bool spent() const { return most_.count() > 0 && lost_ >= most_; }
  Time lost() const { return std::chrono::duration_cast<Time>(lost_); }  // as on a quiet machine
  // Whether it would be, had this been lost as well.
  bool spent_with(Span span) const;
  // Why something was not played.
  std::string reason() const;

  // So much was lost that what is played next should show something new.
  bool scarce() const { return most_.count() > 0 && lost_ * 3 >= most_; }

  // A second play showed the failures of this judgement again.
  void confirmed(const Judgement& judgement);
  // Whether it did for a failure of the same kind.
  bool came_again(const Judgement& judgement) const;
  // There is no time for a second play: what stands of the first. A failure does where one of its
  // kind came again elsewhere; else nothing is known.
  void settle_unconfirmed(Entry& entry) const;

 private:
  Time most_;
  session::Clock::duration lost_{0};
  std::map<session::Clock::time_point, session::Clock::time_point> spans_;  // apart, from → to
  std::set<std::pair<std::string, oracle::Symptom>> confirmed_;  // clause, and how it showed
};

}  // namespace harness::run
