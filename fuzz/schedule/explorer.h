// SPDX-License-Identifier: Apache-2.0
// Explorer: `rpcspec fuzz --schedules`. It sends each request alone first, then plays one schedule
// after the other, and makes findings of what they show.
//
//   vocabulary ──measure()──► atoms ──► Plan ──► schedules, several at a time where each has a
//   process of its own ──► suspect ──► some plays ──► fewer steps ──► 20 plays ──► finding
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/minimizer/finding_folder.h"
#include "fuzz/mutate/vocabulary.h"
#include "fuzz/schedule/families.h"
#include "fuzz/schedule/schedule_player.h"
#include "harness/transport/timer.h"

namespace fuzz {

inline constexpr int kPlaysOfSchedule = 20;  // for the rate that a finding reports
inline constexpr std::chrono::milliseconds kPatienceOfSchedule{1000};

struct ExplorerOptions {
  Program program;
  std::string findings;  // the folder
  std::uint64_t seed = 1;
  std::uint64_t execs = 0;           // schedules; 0: no bound
  std::chrono::milliseconds time{};  // likewise; the current suspect is finished
  std::chrono::milliseconds timeout{1000};
  bool stop_at_first = false;
};

struct ExplorerStanding {
  std::chrono::milliseconds elapsed{};
  std::uint64_t schedules = 0, frames = 0, sessions = 0, findings = 0, flaky = 0;
  std::vector<std::string> calls;  // to be put in flight, raw
  std::size_t families = 0, scenarios = 0;
  int confirming = 0;
};

class Explorer {
 public:
  // `stop` is asked between plays; `tell` gets the state about as often. What is passed by
  // reference outlives it.
  Explorer(FuzzTarget& fuzz_target, const harness::target::Target& target,
           const harness::spec::Registry& registry, ExplorerOptions options,
           std::function<bool()> stop, std::function<void(const ExplorerStanding&)> tell);

  // Until a limit is reached. The Error says why the target can no longer be played on, or why
  // there is nothing to put in flight.
  harness::session::awaitable<harness::Result<ExplorerStanding>> run();

 private:
  template <class Value>
  using awaitable = harness::session::awaitable<Value>;
  using Played = SchedulePlayer::Played;
  struct Shared;  // by parallel coroutines
  struct Count;
  // `enough`: it ends when that many show it, or no longer can; 0: it does not end early.
  // `patience`: the longest wait without any message, in each play until one has shown it.
  struct Plays {
    int times = 0, enough = 0;
    std::chrono::milliseconds patience = kPatienceOfSchedule;
    std::chrono::milliseconds later() const { return std::min(patience, kPatienceOfSchedule); }
  };

  awaitable<harness::Status> measure(const Vocabulary& vocabulary);
  std::vector<std::string> candidates(const Vocabulary& vocabulary);
  std::vector<Atom> atoms(const std::vector<std::string>& texts) const;
  Setting setting(const Vocabulary& vocabulary) const;
  SchedulePlayer player();
  // Runs this many at a time to their ends.
  awaitable<void> side_by_side(std::size_t count, const std::function<awaitable<void>()>& story);
  awaitable<void> work();
  // `before`: what was played on the same sessions, the latest last.
  awaitable<void> confirm(Script script, Problem problem, const std::vector<Script>& before);
  awaitable<void> look_with(const std::vector<Script>& before, const Script& script);
  awaitable<Count> count(const Script& script, const std::string& signature, Plays plays);
  awaitable<void> reduce(Script& script, const std::string& signature, Plays plays);
  void keep_flaky(const Problem& problem, std::vector<Script> journal, const Script& script);
  void write(const Script& script, Count seen, bool in_flight);
  awaitable<void> confirmed();
  void tell();
  bool ends() const;  // all but time and counts
  bool over();
  std::size_t sides() const;

  FuzzTarget& fuzz_target_;
  const harness::target::Target& target_;
  const harness::spec::Registry& registry_;
  ExplorerOptions options_;
  std::function<bool()> stop_;
  std::function<void(const ExplorerStanding&)> tell_;
  ExplorerStanding standing_;
  KnownAlone known_;
  std::vector<std::string> texts_;  // of requests to measure
  std::optional<Plan> plan_;
  std::set<std::string> claimed_;  // signatures
  std::optional<harness::transport::Timer> nothing_to_confirm_;  // cancelled when that happens
  std::optional<harness::Error> failure_;
  std::chrono::steady_clock::time_point began_;
};

// The calls of a schedule one after the other, each answered before the next.
Script one_after_the_other(const Script& script);

}  // namespace fuzz
