// SPDX-License-Identifier: Apache-2.0
// A campaign of a libFuzzer program: it goes on behind what it finds, and sorts it into a folder a
// bug. The worker sees wrong replies and exceptions itself and goes on. What ends the worker is
// sorted by the process that started it, which then starts another one.
//
//   program ─► worker (the same program, as libFuzzer has it) ─► findings/crash-…/
//      └── the input at which a worker ended, played and reduced in processes of its own ──┘
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/handler/trial.h"
#include "fuzz/triage/buckets.h"

namespace fuzz {

// Whether a libFuzzer program with these arguments is to run a campaign. It is not, and acts as
// libFuzzer, when it is given files, or options to merge, fork, minimize or place artifacts,
// -ignore_crashes=0, RPCSPEC_KEEP_GOING=0, or when AFL++ started it.
bool is_campaign(const std::vector<std::string>& words);

// Runs until the workers' time or runs are used up, or it is interrupted. `seeds`: a folder of
// scripts to begin with, or null. The exit code of the process: 1 when there is a new finding, 130
// when it was interrupted, 2 when it cannot run.
int run_campaign(const std::vector<std::string>& words, const char* seeds);

// In a worker: its findings go into buckets.
class Worker {
 public:
  // Null if this process is not a worker.
  static std::unique_ptr<Worker> of_environment(Trial& trial);

  // Plays an input of the engine.
  void play(std::string_view input);

 private:
  Worker(Trial& trial, const std::string& folder);
  // What an input shows, including an exception that the handler throws.
  std::optional<Sight> look(std::string_view input);
  bool is_like_one_that_ends_it(std::string_view input) const;

  Trial& trial_;
  Buckets buckets_;
  std::vector<Script> ends_;           // the smallest scripts that end a worker
  std::uint64_t* executed_ = nullptr;  // seen by the process that started it
};

// Plays files, and those of folders, one after the other, and continues after a wrong reply.
// Returns 1 when there was any, 2 when there is nothing to play.
int replay(Trial& trial, const std::vector<std::string>& paths);

}  // namespace fuzz
