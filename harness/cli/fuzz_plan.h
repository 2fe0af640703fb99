// SPDX-License-Identifier: Apache-2.0
// FuzzPlan: one campaign against one target, made ready: what the user named is right, folders are
// there, and nothing has been started.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/engine/campaign.h"
#include "harness/cli/builtin.h"
#include "harness/results/event.h"
#include "harness/target/target.h"
#include "reports/campaign.h"

namespace harness::cli {

struct FuzzSettings {
  std::string profile = "auto", suite, corpus, mutators, findings = "findings";
  std::string baseline;               // or a JSON report: what it holds is not told; "" for none
  std::uint64_t execs = 0, seed = 0;  // 0: left out
  std::chrono::milliseconds time{};   // likewise
  std::size_t max_len = fuzz::EngineOptions().longest;
  int jobs = 1;
  std::uint64_t rate = 0;   // messages a second, all workers together; 0: as many as go
  bool yes_remote = false;  // an address on another machine may be fuzzed
  std::chrono::milliseconds timeout{1000};
  bool stop_at_first = false;
};

// What a server on another machine gets when nobody says --rate.
inline constexpr std::uint64_t kRemoteRate = 20;
// Who sends a server on another machine what may break it says so: it may be somebody else's.
Status check_remote(bool consented, const target::Target& target);
// Messages a second that the target gets where so many are asked for; 0: as many as go.
std::uint64_t rate_for(std::uint64_t asked, const target::Target& target);
// Makes the folder where there is none; a file can be put into it.
Status make_writable(const std::string& folder);

class FuzzPlan {
 public:
  // `program`: as rpcspec was called. Makes the folders of corpus and findings. Tells warnings of
  // the target on stderr.
  static Result<FuzzPlan> make(const FuzzSettings& settings, target::Target target,
                               const std::string& program,
                               std::shared_ptr<const Library> library = {});

  const std::shared_ptr<const Library>& loaded() const { return loaded_; }
  const target::Target& target() const { return target_; }
  // Plays it once, and fills `campaign` before reporters are told. Returns the exit code.
  int play(const std::vector<run::Reporter*>& reporters, reports::Campaign& campaign) const;
  // What a run of the same target has told is not told again.
  void leave_out(const std::vector<run::CaseResult>& told);

 private:
  FuzzPlan() = default;

  FuzzSettings settings_;
  target::Target target_;
  std::shared_ptr<const Library> loaded_;
  fuzz::CampaignOptions options_;
};

}  // namespace harness::cli
