// SPDX-License-Identifier: Apache-2.0
// Series: one target judged under several profiles, a Runner for each, one after the other. Time
// limit and baseline are passed from one to the next.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <string>
#include <vector>

#include "harness/results/baseline.h"
#include "harness/results/event.h"
#include "harness/run/runner.h"
#include "harness/spec/profile.h"
#include "harness/suite/loader.h"
#include "harness/target/target.h"

namespace harness::run {

struct SeriesOutcome {
  Ended ended = Ended::kGatePassed;  // the worst of all runs
  std::string message;               // why unreachable, or the mistake; "" otherwise
  std::vector<CaseResult> results;   // of all runs
  std::vector<std::string> stale;    // entries of the baseline that no run has used
};

class Series {
 public:
  // `profiles`: their names, in this order; empty: the newest revision that the target speaks, and
  // then each other one. All `options` except the profile hold for every run; `max_time` is for all
  // runs together. The reporters receive the events of each run, and outlive the series.
  Series(boost::asio::any_io_executor executor, const target::Target& target,
         const suite::Suite& suite, const spec::Registry& registry, RunnerOptions options,
         std::vector<std::string> profiles, Baseline baseline, std::vector<Reporter*> reporters);

  awaitable<void> run();
  // Ends the current run, as Runner does, and the series.
  void interrupt();
  const SeriesOutcome& outcome() const { return outcome_; }

 private:
  awaitable<void> run_one(const std::string& profile);
  void add(Outcome one);

  boost::asio::any_io_executor executor_;
  const target::Target& target_;
  const suite::Suite& suite_;
  const spec::Registry& registry_;
  RunnerOptions options_;
  std::vector<std::string> profiles_;
  Baseline baseline_;
  std::vector<Reporter*> reporters_;
  std::unique_ptr<Runner> runner_;
  bool interrupted_ = false;
  std::size_t cases_ = 0;
  std::vector<std::string> played_, deselected_;
  SeriesOutcome outcome_;
};

}  // namespace harness::run
