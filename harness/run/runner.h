// SPDX-License-Identifier: Apache-2.0
// Runner: plays the selected cases of a suite against one target, judges them, and sends events to
// reporters.
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
  bool writes_known = false;  // what fails is written as known afterwards, and does not gate
  bool strict = false;        // inconclusive gates
  int jobs = 2;               // cases that act at a time; with 1, no other is in progress
  // For a server that all cases share: how much may be open at a time; more with more jobs.
  Demand most_open{4, 6};
  std::chrono::milliseconds timeout{10000};
  // Time limit of the run. 0: none, and every row is played, whatever the target does at others.
  std::chrono::milliseconds max_time{120000};
  std::chrono::milliseconds used_before{0};  // of it, in runs before this one
  bool ask_revisions = false;                // find out which other revisions the target speaks
  // One of several runs: mistakes of the baseline are reported after the last, and a selection
  // without cases for this run is not a failure.
  bool one_of_several = false;
  std::string replay_prefix;  // "rpcspec run … " of the commands that play one case again
  std::string replay_target;  // the TARGET at their end
  std::shared_ptr<session::Rate> rate = {};  // counts what is sent, without a limit
  Service service;               // empty unless we started the target and reach it by url
  std::optional<Error> unstarted = {};  // why we could not: nothing is played
  MakeTransport make_transport;  // empty: by the address of the target
  // Called if the first contact failed and the target refuses POSTs: true if another transport is
  // used from now on, and replay_target was changed accordingly.
  std::function<awaitable<bool>(std::string& replay_target)> otherwise;
  // Switches to another framing from now on; empty: the framing stays as described.
  std::function<void(target::Framing)> reframe;
  std::vector<SurfaceChange> surface = {};  // a breaking one fails the gate
  Explanation::Find find_causes = run::find_causes;
};

enum class Ended {
  kGatePassed,
  kGateFailed,
  kMistaken,     // our own rules for causes failed: everything else was reported
  kUnreachable,  // the target could not be started or reached, or nothing could be tested
  kInterrupted,
};

struct Outcome {
  Ended ended = Ended::kGatePassed;
  std::string message;  // why unreachable, or the mistake; "" otherwise
  std::vector<CaseResult> results;
  // What the next run of the same target starts with.
  const spec::Profile* profile = nullptr;             // null: it could not be judged
  std::vector<const spec::Profile*> other_revisions;  // if they were requested
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
  // Ends the run at once: reporters finish, targets are stopped. For Ctrl-C.
  void interrupt();
  const Outcome& outcome() const;
  Outcome take_outcome();  // once it is over

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace harness::run
