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

// The options of `rpcspec run` besides its TARGET and its reports.
struct RunSettings {
  std::string profile = "auto";
  std::vector<std::string> select, exclude, cases;
  std::string requirements, expected_failures, write_expected_failures;
  std::string suite, level = "must", baseline, write_baseline, reason, shard, surface;
  int jobs = 0;  // 0: the number of processors
  std::chrono::milliseconds timeout{10000};
  std::chrono::milliseconds max_time{120000};
  bool strict = false;
  bool quick = false;
  bool prune = false;            // remove what no longer fails from `baseline`
  bool named_transport = false;  // the user named the transport of the address
  bool told = false;  // a report for people goes where stderr goes: it says why nothing was judged
  // For options that come from a file, the place to name in errors: "--select" →
  // "rpcspec.yaml:4:11".
  std::map<std::string, std::string> places = {};
};

// The date: "2026-11-25".
std::string today();

class RunPlan {
 public:
  // `program`: how the user called rpcspec. Prints warnings about the target and the baseline on
  // stderr.
  // `library`: the loaded library of these settings; null: it is loaded.
  static Result<RunPlan> make(const RunSettings& settings, target::Target target,
                              const std::string& program,
                              std::shared_ptr<const Library> library = {});

  const std::shared_ptr<const Library>& loaded() const { return loaded_; }
  const target::Target& target() const { return *target_; }

  // It has several profiles, which play_series() plays one after the other.
  bool several() const;

  // Plays it once. Returns the exit code. The reason for an unreachable target goes to stderr, and
  // to `why`, if that is given.
  int play(std::vector<run::Reporter*> listeners, std::string* why = nullptr);

  // Reports to the listeners for each profile; `close` then reports the baseline entries that no
  // run used, and why the target could not be reached ("" if it could).
  using Close =
      std::function<void(const std::vector<std::string>& stale, const std::string& failure)>;
  int play_series(std::vector<run::Reporter*> listeners, const Close& close);

 private:
  RunPlan() = default;
  // Looks at what the target offers and compares it with the surface that was named. Returns an
  // exit code other than kOk if it cannot be reached.
  int look_at_surface(std::vector<run::SurfaceChange>& out);
  run::RunnerOptions start(boost::asio::io_context& io, run::Served& served);
  class Judged;
  int conclude(run::Ended ended, const std::string& message, const Judged& judged,
               const std::vector<run::CaseResult>& results) const;

  RunSettings settings_;
  std::unique_ptr<target::Target> target_;
  std::shared_ptr<const Library> loaded_;
  run::RunnerOptions options_;
  run::Baseline known_;
  json::Value surface_;     // what the target offered before; null: not asked
  run::Baseline previous_;  // whose reasons and dates a written baseline keeps
};

}  // namespace harness::cli
