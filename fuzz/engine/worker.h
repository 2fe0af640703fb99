// SPDX-License-Identifier: Apache-2.0
// A worker: one process with one target and one engine. It plays what the engine makes, tells the
// engine what was new, and writes a finding for every bug nobody has seen before.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "fuzz/engine/board.h"
#include "fuzz/engine/engine.h"
#include "fuzz/minimizer/finding_folder.h"
#include "fuzz/mutate/mutator.h"
#include "harness/run/negotiate.h"
#include "harness/spec/requirement.h"
#include "harness/suite/loader.h"
#include "harness/target/target.h"

namespace fuzz {

struct WorkerOptions {
  std::size_t number = 0;
  std::size_t workers = 1;
  std::string profile = "auto";
  std::string scratch;  // an empty folder, for seeds
  Program program;
  std::string findings;  // folder
  EngineOptions engine;
  std::uint64_t execs = 0;                     // its share of scripts; 0: no bound
  std::chrono::milliseconds timeout{1000};     // for a reply
  std::chrono::milliseconds minimize{20000};  // for one finding
  std::optional<Level> level;  // only mutators of this level; kRaw: only bytes, with a dictionary
};

// The exit code of a worker whose target cannot be started or reached.
inline constexpr int kUnreachable = 3;

// Where a worker leaves what it looks at when it is ended (suspect.h).
std::string suspect_file(const WorkerOptions& options);

// Runs in a process of its own, and ends it: 0 when its share is done or the board says stop, 3
// when the target can no longer be started or reached (why is on stderr, behind "rpcspec: ").
[[noreturn]] void work(const WorkerOptions& options, harness::target::Target target,
                       const harness::suite::Suite& suite, const harness::spec::Registry& registry,
                       Board& board);

}  // namespace fuzz
