// SPDX-License-Identifier: Apache-2.0
#include "harness/run/twin.h"

#include <utility>

#include "harness/run/protection.h"

namespace harness::run {
namespace {

std::shared_ptr<session::Pace> like(const session::Pace& first) {
  auto pace = std::make_shared<session::Pace>();
  pace->timeout = first.timeout;
  pace->distant = first.distant;
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
      offer_(offer),
      pool_(first.executor, served_->target(), pace_, served_->service(first.executor), 1),
      judge_(first.executor, served_->target(), first.suite, registry, offer_, pool_),
      workers_(means(first, *served_, pool_, judge_, *pace_)) {
  pool_.bound(most_open);
  pool_.settle_on(pool.terms());
}

awaitable<void> Twin::play() {
  // What tells how to be let in names its own address.
  const SessionOpener another = [this] { return pool_.open(pool_.profile()); };
  offer_.protection = co_await examine_protection(served_->target(), another);
  co_await workers_.play_all();
  co_await pool_.drain();
}

}  // namespace harness::run
