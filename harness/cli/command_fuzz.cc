// SPDX-License-Identifier: Apache-2.0
// rpcspec fuzz: a campaign against a target.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/fuzz_plan.h"
#include "harness/cli/github_output.h"
#include "harness/cli/option_values.h"
#include "harness/cli/report_settings.h"
#include "harness/cli/schedule_plan.h"
#include "harness/cli/sdk.h"
#include "reports/registry.h"

namespace harness::cli {
namespace {

struct FuzzOptions {
  TargetOptions target;
  FuzzSettings settings;
  std::vector<std::string> reports;
  bool survey = false, no_survey = false;
  bool schedules = false;
};

// Plays, with all that listens to it.
using Play = std::function<int(const std::vector<run::Reporter*>&, reports::Campaign&)>;
int play_reported(const FuzzOptions& given, const std::string& file, const spec::Registry& registry,
                  const Play& play) {
  reports::ReportOptions about;
  about.requirement = [&registry](const std::string& id) { return registry.find(id); };
  const auto campaign = std::make_shared<reports::Campaign>();
  about.campaign = campaign;
  about.origin.file = file;
  auto reporters = reports::make_all(given.reports, about);
  if (!reporters) return complain(reporters.error(), kUsage);
  std::vector<run::Reporter*> listeners;
  for (const auto& reporter : *reporters) listeners.push_back(reporter.get());
  GithubOutput github(takes_stdout(given.reports));
  reports::Recorder recorder(campaign);
  if (github.active()) listeners.push_back(&recorder);
  const int code = play(listeners, *campaign);
  github.tell(recorder.record(), about);
  return code;
}

int fuzz_command(const FuzzOptions& given, const Invocation& invocation) {
  // What the user asked for, checked before anything is started.
  if (given.schedules) {
    Result<SchedulePlan> plan = SchedulePlan::make(given.target, given.settings, invocation);
    if (!plan) return complain(plan.error(), kUsage);
    return play_reported(
        given, file_of({}, {}), plan->registry(),
        [&](const auto& reporters, auto& campaign) { return plan->play(reporters, campaign); });
  }
  Result<target::Target> target = given.target.resolve(invocation, given.settings.profile);
  if (!target) return complain(target.error(), kUsage);
  FuzzSettings settings = given.settings;
  if (given.survey || given.no_survey) settings.survey = given.survey;
  Result<FuzzPlan> plan = FuzzPlan::make(settings, std::move(*target), invocation.program);
  if (!plan) return complain(plan.error(), kUsage);
  if (const int code = plan->survey(invocation.program); code != kOk) return code;
  const std::string file = file_of(plan->target(), {given.settings.baseline});
  return play_reported(
      given, file, plan->loaded()->registry,
      [&](const auto& reporters, auto& campaign) { return plan->play(reporters, campaign); });
}

}  // namespace

Command command_fuzz(const Invocation& invocation) {
  auto options = std::make_shared<FuzzOptions>();
  Command command{"fuzz", "Fuzz a server, and keep what breaks the specification"};
  options->target.add_to(command);
  FuzzSettings& settings = options->settings;
  const Durations campaigns{std::chrono::seconds(1), std::chrono::hours(24 * 1000)};
  command.add({
      {"--for", within(campaigns, settings.time)},
      {"--execs", within(Counts{1, kMostExecs}, settings.execs)},
      {"--seed", within(Counts{1}, settings.seed)},
      {"--jobs", &settings.jobs},
      {"--max-len", &settings.max_len},
      {"--corpus", &settings.corpus},
      {"--findings", &settings.findings},
      {"--baseline", &settings.baseline},
      {"--survey", &options->survey},
      {"--no-survey", &options->no_survey},
      {"--schedules", &options->schedules},
      {"--stop-at-first", &settings.stop_at_first},
      {"--rate", within(Counts{1, 1'000'000}, settings.rate)},
      {"--yes-fuzz-remote", &settings.yes_remote},
      {"--report", &options->reports},
      {"--profile", &settings.profile},
      timeout_option(settings.timeout),
      {"--mutators", &settings.mutators},
  });
  command.commands.push_back(command_merge(invocation));
  command.action = [options, &invocation] { return fuzz_command(*options, invocation); };
  return command;
}

}  // namespace harness::cli
