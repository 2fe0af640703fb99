// SPDX-License-Identifier: Apache-2.0
// Twin: a further process of a target that we start and reach by url. It takes some of the cases,
// so that a server of one thread does not leave the other processors idle.
#pragma once

#include <memory>

#include "harness/run/case_judge.h"
#include "harness/run/pool.h"
#include "harness/run/served.h"
#include "harness/run/workers.h"
#include "harness/session/pace.h"

namespace harness::run {

class Twin {
 public:
  // `first`: the workers at the first process, `offer` what that one offers, and `pool` has settled
  // on a profile with it; all outlive this. No more is open here at one time than `most_open`.
  Twin(std::unique_ptr<Served> served, const Workers::Means& first, const Pool& pool,
       const spec::Registry& registry, const Offer& offer, Demand most_open);

  // Takes cases from the schedule until none is left.
  awaitable<void> play();
  std::string ended_how() const { return pool_.ended_how(); }  // as of the Pool

 private:
  std::unique_ptr<Served> served_;
  std::shared_ptr<session::Pace> pace_;
  Offer offer_;
  Pool pool_;
  CaseJudge judge_;
  Workers workers_;
};

}  // namespace harness::run
