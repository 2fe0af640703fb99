// SPDX-License-Identifier: Apache-2.0
// FuzzPlan: one campaign against one target, made ready: what the user named is right, folders are
// there, and nothing has been started.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/engine/campaign.h"
#include "harness/cli/builtin.h"
#include "harness/results/event.h"
#include "harness/target/target.h"
#include "reports/campaign.h"

namespace harness::cli {

struct FuzzSettings {
  std::string profile = "auto", corpus, mutators, findings = "findings";
  std::string baseline;               // or a JSON report: its findings are not reported again; "":
                                      // none
  std::uint64_t execs = 0, seed = 0;  // 0: left out
  std::chrono::milliseconds time{};   // likewise
  std::size_t max_len = fuzz::EngineOptions().longest;
  int jobs = 1;
  std::uint64_t rate = 0;   // messages per second, all workers together; 0: no limit
  bool yes_remote = false;  // the user agreed to fuzz an address on another machine
  std::chrono::milliseconds timeout{1000};
  bool stop_at_first = false;
  // What the survey of `run` reports is left out. Nothing: if the clock may have a part in it, and
  // no rate is to be kept to.
  std::optional<bool> survey;
};

// Messages per second to a server on another machine when --rate is not given.
inline constexpr std::uint64_t kRemoteRate = 20;
// Requires consent to fuzz a server on another machine: fuzzing may break it, and it may belong to
// somebody else.
Status check_remote(bool consented, const target::Target& target);
// Messages per second for the target when this many are asked for; 0: no limit.
std::uint64_t rate_for(std::uint64_t asked, const target::Target& target);
// Creates the folder if necessary and checks that a file can be written there.
Status make_writable(const std::string& folder);

class FuzzPlan {
 public:
  // `program`: how the user called rpcspec. Creates the folders of corpus and findings. Prints
  // warnings about the target on stderr.
  static Result<FuzzPlan> make(const FuzzSettings& settings, target::Target target,
                               const std::string& program,
                               std::shared_ptr<const Library> library = {});

  const std::shared_ptr<const Library>& loaded() const { return loaded_; }
  const target::Target& target() const { return target_; }
  const fuzz::WorkerOptions& worker() const { return options_.worker; }
  // Plays it once, and fills `campaign` before reporters are called. Returns the exit code.
  int play(const std::vector<run::Reporter*>& reporters, reports::Campaign& campaign) const;
  // Unless the settings say otherwise, plays the survey of `run` on the target, and leaves out what
  // it reports. It takes a third of the time at most. Returns kOk, or the exit code if it could not
  // be played.
  int survey(const std::string& program);
  // Does not report again what a run of the same target has reported.
  void leave_out(const std::vector<run::CaseResult>& told);

 private:
  FuzzPlan() = default;

  FuzzSettings settings_;
  target::Target target_;
  std::shared_ptr<const Library> loaded_;
  fuzz::CampaignOptions options_;
};

}  // namespace harness::cli
