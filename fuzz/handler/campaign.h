// SPDX-License-Identifier: Apache-2.0
// A campaign of a libFuzzer program: it goes on behind what it finds, and sorts it into a folder a
// bug. Wrong answers and exceptions are met in the worker, which does not end by them; what ends it
// is sorted by the process that started it, which then starts another.
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

// Whether a libFuzzer program that is called with these words is to run a campaign: not when it is
// given files, or told to merge, to fork, to minimize, where to keep artifacts, -ignore_crashes=0,
// or RPCSPEC_KEEP_GOING is 0, or AFL++ has started it; then it does what libFuzzer does.
bool is_campaign(const std::vector<std::string>& words);

// Until the workers' time or runs are over, or it is interrupted. `seeds`: a folder of scripts to
// begin with, or null. The exit code of the process: 1 when there is a finding that was not there
// before, 130 when it was interrupted, 2 when it cannot be run.
int run_campaign(const std::vector<std::string>& words, const char* seeds);

// Of a worker: what it meets goes into buckets.
class Worker {
 public:
  // Null where this process is none.
  static std::unique_ptr<Worker> of_environment(Trial& trial);

  // Plays an input of the engine.
  void play(std::string_view input);

 private:
  Worker(Trial& trial, const std::string& folder);
  // What an input shows, an exception that the handler throws included.
  std::optional<Sight> look(std::string_view input);
  bool is_like_one_that_ends_it(std::string_view input) const;

  Trial& trial_;
  Buckets buckets_;
  std::vector<Script> ends_;           // the least scripts of what ends a worker
  std::uint64_t* executed_ = nullptr;  // that the process which started it sees
};

// Plays files, and those of folders, one after the other, and goes on behind a wrong answer. 1 when
// there was any, 2 when there is nothing to play.
int replay(Trial& trial, const std::vector<std::string>& paths);

}  // namespace fuzz
