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

std::function<int()> add_fuzz(CLI::App& app, const Invocation& invocation) {
  auto options = std::make_shared<FuzzOptions>();
  CLI::App* command = app.add_subcommand(
      "fuzz", "Play scripts nobody thought of, for as long as you like; keep what is wrong");
  options->target.add_to(*command);
  FuzzSettings& settings = options->settings;
  const Durations campaigns{std::chrono::seconds(1), std::chrono::hours(24 * 1000)};
  add_bounded(*command, "--for", settings.time, campaigns,
              "How long: 90s, 10m, 2h; until it is interrupted when left out")
      ->type_name("TIME");
  add_bounded(
      *command, "--execs", settings.execs, Counts{1, kMostExecs},
      "How many scripts, all workers together; those of the corpus and the first ones count")
      ->type_name("N");
  add_bounded(*command, "--seed", settings.seed, Counts{1}, "The same seed makes the same scripts")
      ->type_name("N");
  command->add_option("--jobs", settings.jobs, "Workers side by side, each with a target")
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--max-len", settings.max_len,
                   "No script is longer, but in the search for limits of size (over stdio, unless "
                   "this is less\n"
                   "than is usual); short ones tell an engine with coverage more, sooner")
      ->type_name("BYTES")
      ->capture_default_str();
  named(command->add_option("--corpus", settings.corpus,
                            "Scripts that showed something new: read, and added to"))
      ->type_name("DIR");
  named(command->add_option("--findings", settings.findings,
                            "Where findings go; those there are known"))
      ->type_name("DIR")
      ->capture_default_str();
  CLI::Option* schedules = command->add_flag(
      "--schedules", options->schedules,
      "Put a few calls in flight on one or two sessions, and explore orders, gaps,\n"
      "cancellations, cut connections and held answers, in place of what mutators make");
  for (const char* other : {"--jobs", "--corpus", "--max-len"})
    schedules->excludes(command->get_option(other));
  auto* stop = command->add_flag("--stop-at-first", settings.stop_at_first,
                                 "End with the first finding, once it is made small");
  command->add_flag("--keep-going")
      ->description("Go on after a finding; so it is when nothing is said")
      ->excludes(stop);
  add_bounded(
      *command, "--rate", settings.rate, Counts{1, 1'000'000},
      "Messages a second at most, all workers together; an address of another machine gets\n"
      "20 unless this says otherwise")
      ->type_name("N");
  command->add_flag("--yes-fuzz-remote", settings.yes_remote,
                    "The address is not on this machine, and you may fuzz what is there");
  repeatable(command
                 ->add_option("--report", options->reports,
                              "Write a report of what was found, at the end; `rpcspec list "
                              "reporters` names the formats")
                 ->type_name("FORMAT=FILE"));
  command->add_option("--profile", settings.profile, "Judge as this; auto negotiates")
      ->type_name("NAME")
      ->capture_default_str();
  add_timeout(*command, settings.timeout);
  command
      ->add_option(
          "--mutators", settings.mutators,
          "Only changes of this level, to compare: sequence, envelope, arguments, json-text, "
          "framing, reverse, or raw (of bytes, with a dictionary)")
      ->type_name("NAME")
      ->excludes(command->get_option("--schedules"));
  command
      ->add_option("--suite", settings.suite, "A cases/ tree to use in place of the built-in suite")
      ->type_name("DIR");
  return [options, &invocation] { return fuzz_command(*options, invocation); };
}

}  // namespace harness::cli
