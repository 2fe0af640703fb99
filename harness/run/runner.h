// SPDX-License-Identifier: Apache-2.0
// Runner: plays the selected cases of a suite against one Target, judges, and tells Reporters.
//
//   negotiate ─► play (jobs side by side) ─► judge failures again alone ─► oracles, baseline, gate
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "harness/contact/pool.h"
#include "harness/play/play.h"
#include "harness/results/baseline.h"
#include "harness/results/event.h"
#include "harness/run/explanation.h"
#include "harness/suite/loader.h"
#include "harness/suite/selection.h"
#include "harness/target/target.h"

namespace harness::run {

struct RunnerOptions {
  std::string profile = "auto";
  suite::Selection selection;
  bool level_should = false;  // warnings gate
  bool strict = false;        // inconclusive gates
  int jobs = 2;               // cases that act at one time; with 1 no other is in progress either
  // Against a server that all share: what is open at one time. More where more jobs ask for it.
  Demand most_open{4, 6};
  std::chrono::milliseconds timeout{10000};
  // How long all may take. 0: any time, and each row is played, whatever the target does at others.
  std::chrono::milliseconds max_time{120000};
  std::chrono::milliseconds used_before{0};  // of it, in runs before this one
  bool ask_revisions = false;  // find out which other revisions the target speaks
  // One of several runs: what is wrong with the baseline is told after the last, and a selection
  // that leaves nothing of this one is no failure.
  bool one_of_several = false;
  std::string replay_prefix;     // "rpcspec run … " of the commands that play one case again
  std::string replay_target;     // the TARGET at their end
  std::shared_ptr<session::Rate> rate = {};  // counts what is sent; nothing is held up
  Service service;               // empty unless we started the target and reach it by url
  MakeTransport make_transport;  // empty: by the address of the target
  // Asked when a target could not be met and refuses what is posted to it: true when it is spoken
  // to in another way from now on, and replay_target has changed with that.
  std::function<awaitable<bool>(std::string& replay_target)> otherwise;
  // Has the target spoken to in another framing from now on; empty: it is spoken to as described.
  std::function<void(target::Framing)> reframe;
  Explanation::Find find_causes = run::find_causes;
};

enum class Ended {
  kGatePassed,
  kGateFailed,
  kMistaken,     // we erred about the causes: all else was told
  kUnreachable,  // the target could not be started or reached, or nothing could be exercised
  kInterrupted,
};

struct Outcome {
  Ended ended = Ended::kGatePassed;
  std::string message;  // why unreachable, or the mistake; "" otherwise
  std::vector<CaseResult> results;
  // What a run after this one, of the same target, begins with.
  const spec::Profile* profile = nullptr;             // null: it could not be judged
  std::vector<const spec::Profile*> other_revisions;  // where they were asked for
  std::vector<std::string> played, deselected;        // ids of cases
  std::size_t cases = 0;                              // that were selected and apply
  std::chrono::milliseconds used{0};
  std::string replay_target;  // as it became
  Baseline baseline;          // and what of it was used
};

class Runner {
 public:
  Runner(boost::asio::any_io_executor executor, const target::Target& target,
         const suite::Suite& suite, const spec::Registry& registry, RunnerOptions options,
         Baseline baseline, std::vector<Reporter*> reporters);
  ~Runner();

  awaitable<void> run();
  // Ends the run as it is: reporters are told, targets are stopped. For Ctrl-C.
  void interrupt();
  const Outcome& outcome() const;
  Outcome take_outcome();  // once it is over

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace harness::run
