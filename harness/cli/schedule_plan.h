// SPDX-License-Identifier: Apache-2.0
// SchedulePlan: `rpcspec fuzz --schedules` on one target, made ready: what the user named is right,
// the folder of findings is there, and nothing has been started.
#pragma once

#include <vector>

#include "fuzz/schedule/explorer.h"
#include "harness/cli/command.h"
#include "harness/cli/command_context.h"
#include "harness/cli/fuzz_plan.h"
#include "harness/results/event.h"
#include "reports/campaign.h"

namespace harness::cli {

class SchedulePlan {
 public:
  // Uses the `settings` that have a meaning for schedules. Prints warnings about the target on
  // stderr.
  static Result<SchedulePlan> make(const TargetOptions& target, const FuzzSettings& settings,
                                   const Invocation& invocation);

  const spec::Registry& registry() const { return context_.registry(); }
  // Explores once, and fills `campaign` before reporters are called. Returns the exit code.
  int play(const std::vector<run::Reporter*>& reporters, reports::Campaign& campaign);

 private:
  SchedulePlan(CommandContext context, fuzz::ExplorerOptions options)
      : context_(std::move(context)), options_(std::move(options)) {}

  CommandContext context_;
  fuzz::ExplorerOptions options_;
};

}  // namespace harness::cli
