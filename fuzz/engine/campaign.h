// SPDX-License-Identifier: Apache-2.0
// A campaign: some workers side by side, watched by a parent that plays nothing itself. It says how
// things stand while they work, and sums up.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fuzz/engine/worker.h"

namespace fuzz {

struct CampaignOptions {
  WorkerOptions worker;  // but for its number, its share of runs, and its seed
  int jobs = 1;
  std::uint64_t execs = 0;    // all workers together; 0: no bound
  std::uint64_t seconds = 0;  // likewise
  std::uint64_t seed = 1;
};

// How a campaign stands: sums over its workers.
struct Standing {
  std::string profile;  // "" until it is known
  std::chrono::milliseconds elapsed{};
  std::uint64_t execs = 0, frames = 0, sessions = 0, findings = 0, flaky = 0, withheld = 0;
  std::uint64_t behaviours = 0, places = 0;  // of the worker that saw most
  std::uint64_t corpus = 0;                  // inputs that were kept
  std::chrono::milliseconds last_new{};      // when a worker saw something new the last time
  int triaging = 0;                          // workers that reduce a finding at the moment
  int running = 0;
};

struct Ended {
  Standing standing;
  std::uint64_t digest = 0;  // of the scripts played: the same for the same seed and behaviour
  int code = 0;              // the worst of the workers'
  std::string message;       // why, when a worker could not go on
};

// Runs until a bound is reached, every worker has ended, or `interrupted` says so. `tell` is called
// a few times a second.
harness::Result<Ended> run_campaign(const CampaignOptions& options,
                                    const harness::target::Target& target,
                                    const harness::suite::Suite& suite,
                                    const harness::spec::Registry& registry,
                                    const std::function<bool()>& interrupted,
                                    const std::function<void(const Standing&)>& tell);

}  // namespace fuzz
