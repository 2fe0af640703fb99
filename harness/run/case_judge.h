// SPDX-License-Identifier: Apache-2.0
// CaseJudge: plays one case on a session of the pool and comes to a Judgement of it.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <utility>

#include "harness/contact/pool.h"
#include "harness/play/play.h"
#include "harness/results/judgement.h"
#include "harness/run/second_look.h"
#include "harness/spec/requirement.h"
#include "harness/suite/loader.h"
#include "harness/target/target.h"

namespace harness::run {

class CaseJudge {
 public:
  // All but the executor outlive it. `pool` has agreed on a profile.
  CaseJudge(boost::asio::any_io_executor executor, const target::Target& target,
            const suite::Suite& suite, const spec::Registry& registry, const Offer& offer,
            Pool& pool);

  // Plays the case on `session`, on a new one if that is null, and runs the oracles over the
  // transcript. Afterwards `session` may be another one, or unusable. Catches our own bugs: they
  // become the Verdict `error` of this case.
  awaitable<Judgement> judge(const suite::Case& scenario, SessionPtr& session, Look look);

  // Asked between rows, as in PlayContext.
  void stop_when(std::function<std::string()> asked) { why_stop_ = std::move(asked); }
  // Which classes of input end the target, so that only one row of a case with them is played.
  // `alone`: no other case is played at the same time by a process that serves this one.
  void foresee(Habits& habits, bool alone) { habits_ = &habits, alone_ = alone; }

 private:
  awaitable<Result<SessionPtr>> open(const suite::Case& scenario, bool alone, SessionPtr& refused);
  awaitable<Judgement> judge_refused(const suite::Case& scenario, SessionPtr refused,
                                     std::string why);
  awaitable<Result<SessionPtr>> connect_again(const suite::Case& scenario, suite::Need need,
                                              Look look);
  PlayContext context_for(const suite::Case& scenario, Look look);
  awaitable<std::optional<PlayContext::Ending>> ending(std::uint64_t& told);
  awaitable<void> notice_death(const PlayedCase& played);
  void blame_death(PlayedCase& played, session::Session& session);
  awaitable<bool> replace_wedged(std::uint64_t life);
  awaitable<bool> serves();

  boost::asio::any_io_executor executor_;
  const target::Target& target_;
  const suite::Suite& suite_;
  const spec::Registry& registry_;
  const Offer& offer_;
  Pool& pool_;
  std::function<std::string()> why_stop_;
  Habits* habits_ = nullptr;
  bool alone_ = false;
  int refusals_ = 0;       // cases for which no session could be opened
  bool hopeless_ = false;  // a restarted service served nobody either
};

}  // namespace harness::run
