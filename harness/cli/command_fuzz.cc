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
int play_reported(const FuzzOptions& given, const spec::Registry& registry, const Play& play) {
  reports::ReportOptions about;
  about.requirement = [&registry](const std::string& id) { return registry.find(id); };
  const auto campaign = std::make_shared<reports::Campaign>();
  about.campaign = campaign;
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
    return play_reported(given, plan->registry(), [&](const auto& reporters, auto& campaign) {
      return plan->play(reporters, campaign);
    });
  }
  Result<target::Target> target = given.target.resolve(invocation, given.settings.profile);
  if (!target) return complain(target.error(), kUsage);
  const Result<FuzzPlan> plan =
      FuzzPlan::make(given.settings, std::move(*target), invocation.program);
  if (!plan) return complain(plan.error(), kUsage);
  return play_reported(given, plan->loaded()->registry, [&](const auto& reporters, auto& campaign) {
    return plan->play(reporters, campaign);
  });
}

}  // namespace

Command command_fuzz(const Invocation& invocation) {
  auto options = std::make_shared<FuzzOptions>();
  Command command{"fuzz",
                  "Play scripts nobody thought of, for as long as you like; keep what is wrong"};
  options->target.add_to(command);
  FuzzSettings& settings = options->settings;
  const Durations campaigns{std::chrono::seconds(1), std::chrono::hours(24 * 1000)};
  command.add({
      {"--for", within(campaigns, settings.time), "TIME",
       "How long: 90s, 10m, 2h; until it is interrupted when left out"},
      {"--execs", within(Counts{1, kMostExecs}, settings.execs), "N",
       "How many scripts, all workers together; those of the corpus and the first ones count"},
      {"--seed", within(Counts{1}, settings.seed), "N", "The same seed makes the same scripts"},
      {"--jobs", &settings.jobs, "N", "Workers side by side, each with a target", {.shown = true}},
      {"--max-len",
       &settings.max_len,
       "BYTES",
       "No script is longer, but in the search for limits of size (over stdio, unless "
       "this is less\n"
       "than is usual); short ones tell an engine with coverage more, sooner",
       {.shown = true}},
      {"--corpus",
       &settings.corpus,
       "DIR",
       "Scripts that showed something new: read, and added to",
       {.named = true}},
      {"--findings",
       &settings.findings,
       "DIR",
       "Where findings go; those there are known",
       {.named = true, .shown = true}},
      {"--schedules",
       &options->schedules,
       "",
       "Put a few calls in flight on one or two sessions, and explore orders, gaps,\n"
       "cancellations, cut connections and held answers, in place of what mutators make",
       {.excludes = {"--jobs", "--corpus", "--max-len"}}},
      {"--stop-at-first", &settings.stop_at_first, "",
       "End with the first finding, once it is made small"},
      {"--keep-going",
       {},
       "",
       "Go on after a finding; so it is when nothing is said",
       {.excludes = {"--stop-at-first"}}},
      {"--rate", within(Counts{1, 1'000'000}, settings.rate), "N",
       "Messages a second at most, all workers together; an address of another machine gets\n"
       "20 unless this says otherwise"},
      {"--yes-fuzz-remote", &settings.yes_remote, "",
       "The address is not on this machine, and you may fuzz what is there"},
      {"--report",
       &options->reports,
       "FORMAT=FILE",
       "Write a report of what was found, at the end; `rpcspec list "
       "reporters` names the formats",
       {.repeatable = true}},
      {"--profile", &settings.profile, "NAME", "Judge as this; auto negotiates", {.shown = true}},
      timeout_option(settings.timeout),
      {"--mutators",
       &settings.mutators,
       "NAME",
       "Only changes of this level, to compare: sequence, envelope, arguments, json-text, "
       "framing, reverse, or raw (of bytes, with a dictionary)",
       {.excludes = {"--schedules"}}},
      suite_option(settings.suite),
  });
  command.action = [options, &invocation] { return fuzz_command(*options, invocation); };
  return command;
}

}  // namespace harness::cli
