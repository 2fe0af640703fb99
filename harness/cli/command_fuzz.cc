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
  Result<FuzzPlan> plan = FuzzPlan::make(given.settings, std::move(*target), invocation.program);
  if (!plan) return complain(plan.error(), kUsage);
  if (given.settings.survey)
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
      option("--for", within(campaigns, settings.time), "TIME",
             "How long to fuzz: 90s, 10m, 2h (default: until interrupted)"),
      option("--execs", within(Counts{1, kMostExecs}, settings.execs), "N",
             "How many scripts to play, with those of the corpus"),
      option("--seed", within(Counts{1}, settings.seed), "N",
             "Random seed; the same seed makes the same scripts"),
      option("--jobs", &settings.jobs, "N", "Workers to run in parallel, each with its own target",
             {.shown = true}),
      option("--max-len", &settings.max_len, "BYTES",
             "Longest script to make, except in the search for size limits; shorter scripts give "
             "more coverage per second",
             {.shown = true}),
      option("--corpus", &settings.corpus, "DIR",
             "Scripts that showed new behaviour: read first, added to later", {.named = true}),
      option("--findings", &settings.findings, "DIR",
             "Folder for findings; those in it are left out", {.named = true, .shown = true}),
      option("--baseline", &settings.baseline, "FILE",
             "Known failures, not reported again: a baseline, or a JSON report of run"),
      option("--survey", &settings.survey, "",
             "First play the survey of run; what it reports is not reported again"),
      option("--schedules", &options->schedules, "",
             "Explore the order of calls in flight instead of mutations",
             {.excludes = {"--jobs", "--corpus", "--max-len", "--baseline", "--survey"}}),
      option("--stop-at-first", &settings.stop_at_first, "",
             "Stop at the first finding, once its script is reduced"),
      option("--rate", within(Counts{1, 1'000'000}, settings.rate), "N",
             "Messages per second at most, all workers together (default: no limit; 20 for another "
             "machine)"),
      option("--yes-fuzz-remote", &settings.yes_remote, "",
             "Allow a server on another machine; make sure that you may fuzz it"),
      option("--report", &options->reports, "FORMAT=FILE",
             "Write a report; `rpcspec list reporters` lists the formats", {.repeatable = true}),
      option("--profile", &settings.profile, "NAME", "Profile to test; auto negotiates one",
             {.shown = true}),
      timeout_option(settings.timeout),
      option("--mutators", &settings.mutators, "NAME",
             "Use only one level of mutators: sequence, envelope, arguments, json-text, framing, "
             "reverse or raw",
             {.excludes = {"--schedules"}}),
  });
  command.commands.push_back(command_merge(invocation));
  command.action = [options, &invocation] { return fuzz_command(*options, invocation); };
  return command;
}

}  // namespace harness::cli
