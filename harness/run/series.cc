// SPDX-License-Identifier: Apache-2.0
#include "harness/run/series.h"

#include <algorithm>
#include <utility>

namespace harness::run {
namespace {

// The higher, the worse.
int weight(Ended ended) {
  switch (ended) {
    case Ended::kGatePassed:
      return 0;
    case Ended::kUnreachable:
      return 1;
    case Ended::kGateFailed:
      return 2;
    case Ended::kMistaken:
      return 3;
    case Ended::kInterrupted:
      return 4;
  }
  return 0;
}

}  // namespace

Series::Series(boost::asio::any_io_executor executor, const target::Target& target,
               const suite::Suite& suite, const spec::Registry& registry, RunnerOptions options,
               std::vector<std::string> profiles, Baseline baseline,
               std::vector<Reporter*> reporters)
    : executor_(executor),
      target_(target),
      suite_(suite),
      registry_(registry),
      options_(std::move(options)),
      profiles_(std::move(profiles)),
      baseline_(std::move(baseline)),
      reporters_(std::move(reporters)) {
  options_.one_of_several = true;
  options_.ask_revisions = profiles_.empty();
}

awaitable<void> Series::run() {
  if (profiles_.empty()) profiles_.emplace_back("auto");
  for (std::size_t i = 0; i < profiles_.size() && !interrupted_; ++i) {
    const std::string profile = profiles_[i];
    co_await run_one(profile);
    options_.ask_revisions = false;  // what the first found out stands among the profiles now
  }
  if (interrupted_) co_return;
  if (cases_ == 0 && outcome_.ended == Ended::kGatePassed) {
    outcome_.ended = Ended::kUnreachable;
    outcome_.message = "no case fits this selection, these profiles and this transport";
  }
  outcome_.stale = baseline_.stale(played_, deselected_);
  if (!outcome_.stale.empty() && outcome_.ended == Ended::kGatePassed)
    outcome_.ended = Ended::kGateFailed;
}

awaitable<void> Series::run_one(const std::string& profile) {
  options_.profile = profile;
  runner_ = std::make_unique<Runner>(executor_, target_, suite_, registry_, options_,
                                     std::move(baseline_), reporters_);
  co_await runner_->run();
  add(runner_->take_outcome());
  runner_.reset();
}

void Series::add(Outcome one) {
  for (const spec::Profile* other : one.other_revisions) profiles_.push_back(other->name);
  baseline_ = std::move(one.baseline);
  options_.used_before = one.used;
  options_.replay_target = std::move(one.replay_target);
  cases_ += one.cases;
  std::move(one.played.begin(), one.played.end(), std::back_inserter(played_));
  deselected_ = std::move(one.deselected);
  std::move(one.results.begin(), one.results.end(), std::back_inserter(outcome_.results));
  if (weight(one.ended) <= weight(outcome_.ended)) return;
  outcome_.ended = one.ended;
  outcome_.message = one.message.empty() || !one.profile ? std::move(one.message)
                                                         : one.profile->name + ": " + one.message;
}

void Series::interrupt() {
  if (interrupted_) return;
  interrupted_ = true;
  if (!runner_) return;
  runner_->interrupt();
  add(runner_->take_outcome());
}

}  // namespace harness::run
