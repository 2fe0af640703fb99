// SPDX-License-Identifier: Apache-2.0
// A campaign: some workers side by side, watched by a parent that plays nothing itself. It reports
// progress while they work, and sums up at the end.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fuzz/engine/worker.h"

namespace fuzz {

struct CampaignOptions {
  WorkerOptions worker;  // all but its number, its share of runs, and its seed
  int jobs = 1;
  std::uint64_t execs = 0;    // all workers together; 0: no limit
  std::uint64_t seconds = 0;  // likewise
  std::chrono::steady_clock::duration before{};  // of it, already over when it begins
  std::uint64_t seed = 1;
  std::uint64_t rate = 0;      // messages per second, all workers together; 0: no limit
  bool stop_at_first = false;  // also stop at the first finding
  std::vector<std::string> known_signatures;  // of what is not reported again
};

inline constexpr std::chrono::seconds kLastLook{25};

// The state of a campaign: sums over its workers.
struct Standing {
  std::string profile;  // "" until it is known
  std::chrono::milliseconds elapsed{};
  std::uint64_t execs = 0, frames = 0, sessions = 0, findings = 0, flaky = 0, withheld = 0;
  std::uint64_t unconfirmed = 0;                      // suspects that no time was left for
  std::uint64_t behaviours = 0, places = 0;           // of the worker that saw most
  std::uint64_t corpus = 0;                           // inputs that were kept
  std::chrono::milliseconds last_new{};               // when a worker last saw something new
  std::chrono::milliseconds starting{}, examining{};  // of one worker: time for opening sessions,
                                                      // time for suspects
  std::uint64_t waiting = 0;                          // suspects that wait for time
  bool by_clock = false;  // timing influenced what was played: no seed repeats it
  int confirming = 0;     // workers that are confirming a suspect
  std::string suspect;    // the clause that one of these breaks
  int running = 0;
  bool ending = false;  // the time is up; what remains has a time limit
};

struct CampaignEnd {
  Standing standing;
  std::uint64_t digest = 0;  // hash of the scripts played: the same for the same seed and behaviour
  int code = 0;              // the worst exit code of the workers; 3 also when no script could be
                             // played
  std::string message;       // the reason, when that is not 0
  bool interrupted = false;  // before a limit was reached
};

// Runs until a limit is reached, every worker has ended, or somebody requests an end: `asked`
// counts the requests. Workers that are confirming a suspect at that time get kLastLook to finish;
// what is still unknown then is kept as not confirmed. A second request waits for nothing. Calls
// `tell` a few times a second.
harness::Result<CampaignEnd> run_campaign(const CampaignOptions& options,
                                          const harness::target::Target& target,
                                          const harness::suite::Suite& suite,
                                          const harness::spec::Registry& registry,
                                          const std::function<int()>& asked,
                                          const std::function<void(const Standing&)>& tell);

}  // namespace fuzz
