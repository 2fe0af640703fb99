// SPDX-License-Identifier: Apache-2.0
// What a worker of a campaign is told when it is made.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/engine/engine.h"
#include "fuzz/minimizer/finding_folder.h"
#include "fuzz/minimizer/limit.h"
#include "fuzz/mutate/mutator.h"
#include "harness/contact/pool.h"
#include "harness/oracle/finding.h"

namespace fuzz {

struct WorkerOptions {
  std::size_t number = 0;
  std::size_t workers = 1;
  std::string profile = "auto";
  std::string scratch;  // an empty folder, for seeds
  Program program;
  std::string findings;  // folder
  EngineOptions engine;
  std::uint64_t execs = 0;     // its share of scripts; 0: no limit
  bool timed = false;          // timing may influence what is played; else a seed repeats it
  bool one_is_enough = false;  // of findings: suspects still waiting at the end are dropped
  std::chrono::milliseconds timeout{1000};     // for a reply
  std::chrono::milliseconds minimize{20000};   // for one finding
  double rate = 0;                             // messages per second; 0: no limit
  harness::run::MakeTransport make_transport;  // of sessions; empty: what the target's address
                                               // implies
  // Known findings, which are not reported again; empty: none. The end of a process is always
  // reported: a finding does not show which message causes it.
  std::function<bool(const harness::oracle::Finding&)> known;
  std::vector<Limit> known_limits;  // likewise, and of ends of the process
  std::optional<Level> level;  // only mutators of this level; kRaw: only byte mutations, with a
                               // dictionary
};

// Where a worker leaves its suspect when it is ended (suspect.h).
std::string suspect_file(const WorkerOptions& options);

}  // namespace fuzz
