// SPDX-License-Identifier: Apache-2.0
// RunPlan: one run of cases against one target, made ready: all that the user named is right, and
// nothing has been started.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/cli/builtin.h"
#include "harness/contact/served.h"
#include "harness/run/runner.h"
#include "harness/target/target.h"

namespace harness::cli {

// What `rpcspec run` may be told besides its TARGET and what it prints.
struct RunSettings {
  std::string profile = "auto";
  std::vector<std::string> select, exclude, cases;
  std::string requirements, expected_failures, write_expected_failures;
  std::string suite, level = "must", baseline, write_baseline, reason, shard;
  int jobs = 0;  // 0: as the machine has processors
  std::chrono::milliseconds timeout{10000};
  std::chrono::milliseconds max_time{120000};
  bool strict = false;
  bool quick = false;
  bool prune = false;            // drop what no longer fails from `baseline`
  bool named_transport = false;  // the user said how the address is spoken to
  // Where options stand that come from a file, for complaints: "--select" → "rpcspec.yaml:4:11".
  std::map<std::string, std::string> places = {};
};

// The date: "2026-11-25".
std::string today();

class RunPlan {
 public:
  // `program`: as rpcspec was called. Tells warnings of the target and the baseline on stderr.
  // `library`: that of these settings, when it has been loaded; else it is loaded.
  static Result<RunPlan> make(const RunSettings& settings, target::Target target,
                              const std::string& program,
                              std::shared_ptr<const Library> library = {});

  const std::shared_ptr<const Library>& loaded() const { return loaded_; }
  const target::Target& target() const { return *target_; }

  // It is played under several profiles, one after the other: by play_series().
  bool several() const;

  // Plays it once. Returns the exit code; why a target could not be met is told on stderr, and goes
  // to `why`, if that is given.
  int play(std::vector<run::Reporter*> listeners, std::string* why = nullptr);

  // Tells the listeners of a run for each profile, and `close` at the end which entries of the
  // baseline none of them has used, and why nothing could be met ("" where it could).
  using Close =
      std::function<void(const std::vector<std::string>& stale, const std::string& failure)>;
  int play_series(std::vector<run::Reporter*> listeners, const Close& close);

 private:
  RunPlan() = default;
  Status start(boost::asio::io_context& io, run::Served& served, run::RunnerOptions& options);
  class Judged;
  int conclude(run::Ended ended, const std::string& message, const Judged& judged,
               const std::vector<run::CaseResult>& results) const;

  RunSettings settings_;
  std::unique_ptr<target::Target> target_;
  std::shared_ptr<const Library> loaded_;
  run::RunnerOptions options_;
  run::Baseline known_;
  run::Baseline previous_;  // whose reasons and dates a baseline that is written keeps
};

}  // namespace harness::cli
