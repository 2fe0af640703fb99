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
  std::uint64_t rate = 0;      // messages a second at most, all workers together; 0: as many as go
  bool stop_at_first = false;  // also a bound: that there is a finding
};

inline constexpr std::chrono::seconds kLastLook{25};

// How a campaign stands: sums over its workers.
struct Standing {
  std::string profile;  // "" until it is known
  std::chrono::milliseconds elapsed{};
  std::uint64_t execs = 0, frames = 0, sessions = 0, findings = 0, flaky = 0, withheld = 0;
  std::uint64_t unconfirmed = 0;             // suspects there was no time left for
  std::uint64_t behaviours = 0, places = 0;  // of the worker that saw most
  std::uint64_t corpus = 0;                  // inputs that were kept
  std::chrono::milliseconds last_new{};      // when a worker saw something new the last time
  std::chrono::milliseconds starting{}, examining{};  // of a worker: sessions opened, suspects
  std::uint64_t waiting = 0;                          // suspects there is no time for so far
  bool by_clock = false;  // the time something took decided what was played: no seed repeats it
  int confirming = 0;     // workers that look at a suspect at the moment
  std::string suspect;    // the clause that one of these breaks
  int running = 0;
  bool ending = false;  // it is over; what is left to be done is bounded in time
};

struct CampaignEnd {
  Standing standing;
  std::uint64_t digest = 0;  // of the scripts played: the same for the same seed and behaviour
  int code = 0;              // the worst of the workers'; 3 also when no script could be played
  std::string message;       // why, when that is not 0
  bool interrupted = false;  // before a bound was reached
};

// Runs until a bound is reached, every worker has ended, or somebody asked for an end: `asked`
// counts how often. Who is looking at a suspect by then gets kLastLook to find out whether it is a
// bug, and what is not known after that is kept unconfirmed; who asks again later waits for
// nothing. `tell` is called a few times a second.
harness::Result<CampaignEnd> run_campaign(const CampaignOptions& options,
                                          const harness::target::Target& target,
                                          const harness::suite::Suite& suite,
                                          const harness::spec::Registry& registry,
                                          const std::function<int()>& asked,
                                          const std::function<void(const Standing&)>& tell);

}  // namespace fuzz
