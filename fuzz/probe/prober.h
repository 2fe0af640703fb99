// SPDX-License-Identifier: Apache-2.0
// Prober: the probes of a campaign. It has sessions of its own, so the ones that scripts are played
// on see nothing of it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "fuzz/executor/fuzz_target.h"
#include "fuzz/probe/probe.h"
#include "fuzz/probe/schedule.h"

namespace fuzz {

struct Turn {
  const Probe* probe = nullptr;
  Script suspect;
};

class Prober {
 public:
  // `process_group` as for Stage. `local`: there is one. What is passed by reference outlives it.
  Prober(FuzzTarget& fuzz_target, const harness::spec::Registry& registry, std::string transport,
         std::function<int()> process_group, bool local, std::uint64_t seed);

  // Suspects of one request each, for probes that are systematic.
  void offer(const std::vector<Script>& requests);
  // What to look at now, if anything. `executions`: of the campaign so far.
  std::optional<Turn> next(const Script& script, const Played& played, bool fresh,
                           std::uint64_t executions);
  // What would take longer than `time` may be put off, to be looked at with the next suspects.
  harness::session::awaitable<std::optional<Sight>> look(const Turn& turn,
                                                         std::chrono::steady_clock::duration time);
  // Likewise, to reduce what was seen; counts for nothing, and takes its time.
  harness::session::awaitable<std::optional<Sight>> look_again(const Turn& turn);

 private:
  Setting setting_;
  std::unique_ptr<Player> player_;
  std::unique_ptr<Player> other_;
  Stage stage_;
  Schedule schedule_;
  Random random_;
  std::vector<Script> gathered_;             // for each probe that looks at suspects together
  std::vector<Script> put_off_;              // for each of these, what there was no time for
  std::vector<std::deque<Script>> offered_;  // for each probe that is systematic
  std::uint64_t executions_ = 0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::duration used_{};
};

}  // namespace fuzz
