// SPDX-License-Identifier: Apache-2.0
#include "harness/run/twin.h"

#include <utility>

namespace harness::run {
namespace {

std::shared_ptr<session::Pace> like(const session::Pace& first) {
  auto pace = std::make_shared<session::Pace>();
  pace->timeout = first.timeout;
  return pace;
}

Workers::Means means(const Workers::Means& first, const Served& served, Pool& pool,
                     CaseJudge& judge, session::Pace& pace) {
  return {first.executor,   served.target(), first.suite, pool,           judge,
          first.ledger,     first.budget,    pace,        first.schedule, first.jobs,
          first.most_cases, nullptr,         first.begin, first.settle,   first.known};
}

}  // namespace

Twin::Twin(std::unique_ptr<Served> served, const Workers::Means& first, const Pool& pool,
           const spec::Registry& registry, const Offer& offer, Demand most_open)
    : served_(std::move(served)),
      pace_(like(first.pace)),
      pool_(first.executor, served_->target(), pace_, served_->service(first.executor), 1),
      judge_(first.executor, served_->target(), first.suite, registry, offer, pool_),
      workers_(means(first, *served_, pool_, judge_, *pace_)) {
  pool_.bound(most_open);
  pool_.settle_like(pool);
}

awaitable<void> Twin::play() {
  co_await workers_.play_all();
  co_await pool_.drain();
}

}  // namespace harness::run
