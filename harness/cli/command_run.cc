// SPDX-License-Identifier: Apache-2.0
// rpcspec run: plays the cases against a target and gates on what it finds.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/text.h"
#include "harness/cli/bundle.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/fleet.h"
#include "harness/cli/github_output.h"
#include "harness/cli/option_values.h"
#include "harness/cli/play_project.h"
#include "harness/cli/project.h"
#include "harness/cli/report_settings.h"
#include "harness/cli/run_plan.h"
#include "harness/cli/sdk.h"
#include "harness/cli/transcripts.h"
#include "harness/cli/watch.h"
#include "reports/registry.h"
#include "reports/series.h"

namespace harness::cli {
namespace {

struct RunOptions {
  TargetOptions target;
  RunSettings settings;
  std::vector<std::string> reports;
  std::string transcripts, bundle, project;
  std::string targets, into = "rpcspec-targets";
  std::string format = "console";  // on stdout
  std::uint64_t rate = 0;
  bool yes_remote = false;
  bool verbose = false, quiet = false, warnings = false;
  bool watch = false;
};

reports::ReportOptions settings_of(const RunOptions& given, const RunPlan& plan) {
  const spec::Registry& registry = plan.loaded()->registry;
  reports::ReportOptions report = report_settings(given.settings.suite, registry);
  report.quiet = given.quiet;
  report.verbose = given.verbose;
  report.warnings = given.warnings;
  report.sdk = sdk_of(plan.target(), given.settings.suite, registry);
  report.origin.file = file_of(plan.target(), {given.settings.baseline});
  return report;
}

// The reporters; the console is one of them.
Result<std::vector<std::unique_ptr<run::Reporter>>> reporters_of(const RunOptions& given,
                                                                 const RunPlan& plan) {
  const reports::ReportOptions report = settings_of(given, plan);
  std::vector<std::string> wanted = given.reports;
  if (!takes_stdout(wanted)) wanted.push_back(given.format);
  auto made = reports::make_all(wanted, report);
  if (!made) return made.error();
  if (!given.transcripts.empty()) {
    auto keeper = make_transcript_keeper(given.transcripts);
    if (!keeper) return keeper.error();
    made->push_back(std::move(*keeper));
  }
  if (!given.bundle.empty()) {
    auto bundler = make_bundler(given.bundle, report);
    if (!bundler) return bundler.error();
    made->push_back(std::move(*bundler));
  }
  return made;
}

std::vector<std::string> names_of_formats() {
  std::vector<std::string> out;
  for (const reports::Format& one : reports::formats()) out.emplace_back(one.name);
  return out;
}

bool goes_with_projects(const std::string& option) {
  constexpr std::string_view kOptions[] = {"--report", "--verbose",         "--warnings",
                                           "--quiet",  "--quick",           "--project",
                                           "--rate",   "--yes-fuzz-remote", "--format"};
  return std::find(std::begin(kOptions), std::end(kOptions), option) != std::end(kOptions);
}

// With --targets each of them is judged, and what is for one alone is refused.
std::optional<int> run_fleet(const RunOptions& given, const Invocation& invocation) {
  if (given.targets.empty()) {
    if (!invocation.has("--into")) return std::nullopt;
    return complain(Error{"--into", "it is where the reports of many targets go",
                          "add --targets FILE, or write --report json=FILE"},
                    kUsage);
  }
  constexpr const char* kOfOne[] = {"--url",
                                    "--target",
                                    "--project",
                                    "--watch",
                                    "--baseline",
                                    "--write-baseline",
                                    "--prune",
                                    "--reason",
                                    "--bundle",
                                    "--rate",
                                    "--surface",
                                    "--transcripts",
                                    "--expected-failures",
                                    "--auth",
                                    "--yes-fuzz-remote",
                                    "--write-expected-failures"};
  for (const char* option : kOfOne)
    if (invocation.has(option))
      return complain(
          Error{option, "it is for one target, and --targets names many", "leave one of them out"},
          kUsage);
  if (invocation.has_target_command)
    return complain(
        Error{"--", "--targets names the servers", "leave out `-- COMMAND`, or --targets"}, kUsage);
  FleetOptions fleet;
  fleet.targets = given.targets;
  fleet.into = given.into;
  fleet.target = given.target;
  fleet.settings = given.settings;
  fleet.reports = given.reports;
  fleet.format = given.format;
  fleet.quiet = given.quiet;
  fleet.verbose = given.verbose;
  fleet.warnings = given.warnings;
  return play_fleet(fleet, invocation);
}

// Without a TARGET the project is played: what rpcspec.yaml says, or what --project names.
std::optional<int> run_project(const RunOptions& given, const Invocation& invocation,
                               const std::vector<std::string>& others) {
  const bool target =
      invocation.has_target_command || !given.target.url.empty() || !given.target.file.empty();
  if (target && given.project.empty()) return std::nullopt;
  if (target)
    return complain(Error{"--project", "the project file names the targets",
                          "leave out `-- COMMAND`, --url and --target, or leave out --project"},
                    kUsage);
  std::error_code ignored;
  if (given.project.empty() && !std::filesystem::exists(kProjectFile, ignored)) return std::nullopt;
  const std::string file = given.project.empty() ? kProjectFile : given.project;
  if (!others.empty()) {
    const Result<Project> project = read_project(file);
    if (!project) return complain(project.error(), kUsage);
    return complain(
        Error{
            others.front(), "without a TARGET, all of " + printable(file) + " is played as it says",
            "write it into the file, or play one target: add --target " +
                shell_quoted(file + "#" +
                             (project->runs.empty() ? "NAME" : project->runs.front().target.name))},
        kUsage);
  }
  ProjectOptions options;
  options.reference = file;
  options.reports = given.reports;
  options.format = given.format;
  options.rate = given.rate;
  options.yes_remote = given.yes_remote;
  options.quiet = given.quiet;
  options.verbose = given.verbose;
  options.warnings = given.warnings;
  options.quick = given.settings.quick;
  return play_project(options, invocation);
}

// A run for each profile and one report of all; conversations are kept in a folder for each.
int run_several(const RunOptions& given, RunPlan& plan) {
  if (!given.bundle.empty())
    return complain(Error{"--bundle", "it holds one run, under one profile", "name one profile"},
                    kUsage);
  const reports::ReportOptions report = settings_of(given, plan);
  std::vector<std::string> wanted = given.reports;
  if (!takes_stdout(wanted)) wanted.push_back(given.format);
  auto made = reports::SeriesReporter::make(wanted, report);
  if (!made) return complain(made.error(), kUsage);
  reports::SeriesReporter& reporter = **made;
  std::vector<run::Reporter*> listeners{&reporter};
  std::unique_ptr<run::Reporter> transcripts;
  if (!given.transcripts.empty()) {
    auto keeper = make_transcript_keeper(given.transcripts, true);
    if (!keeper) return complain(keeper.error(), kUsage);
    transcripts = std::move(*keeper);
    listeners.push_back(transcripts.get());
  }
  GithubOutput github(takes_stdout(given.reports));
  return plan.play_series(listeners,
                          [&](const std::vector<std::string>& stale, const std::string& failure) {
                            const reports::Record whole = reporter.close(stale, failure);
                            github.tell(whole, report);
                          });
}

// `failed`, where it is wanted: cases that failed and gate.
int run_target(const RunOptions& given, target::Target target, const Invocation& invocation,
               std::vector<std::string>* failed = nullptr) {
  RunSettings settings = given.settings;
  settings.named_transport = !given.target.transport.empty();
  settings.told = told_on_stderr(given.reports, given.format);
  Result<RunPlan> plan = RunPlan::make(settings, std::move(target), invocation.program);
  if (!plan) return complain(plan.error(), kUsage);
  if (plan->several()) return run_several(given, *plan);
  auto reporters = reporters_of(given, *plan);
  if (!reporters) return complain(reporters.error(), kUsage);
  std::vector<run::Reporter*> listeners;
  for (const auto& reporter : *reporters) listeners.push_back(reporter.get());
  GithubOutput github(takes_stdout(given.reports));
  reports::Recorder recorder;
  if (github.active() || failed != nullptr) listeners.push_back(&recorder);
  const int code = plan->play(listeners);
  github.tell(recorder.record(), report_settings(settings.suite, plan->loaded()->registry));
  if (failed != nullptr)
    for (const run::CaseResult& result : recorder.record().cases)
      if (result.verdict == run::Verdict::kFail && !result.baselined &&
          !result.id.starts_with("oracle/"))
        failed->push_back(result.id);
  return code;
}

// Files that it writes: a change of them is none.
std::vector<std::string> written_by(const RunOptions& given) {
  std::vector<std::string> files{given.settings.write_baseline,
                                 given.settings.write_expected_failures, given.bundle};
  if (given.settings.prune) files.push_back(given.settings.baseline);
  for (const std::string& report : given.reports)
    if (const auto one = reports::read_argument(report)) files.push_back(one->file);
  std::erase_if(files, [](const std::string& file) { return file.empty() || file == "-"; });
  return files;
}

int watch_target(const RunOptions& given, const target::Target& target,
                 const Invocation& invocation) {
  const Result<WatchedFiles> files = files_of(target, written_by(given));
  if (!files) return complain(files.error(), kUsage);
  return watch(*files, [&](const std::vector<std::string>& only, std::vector<std::string>& failed) {
    RunOptions mine = given;
    if (!only.empty()) {
      // A look at what failed; what is kept is kept of everything.
      mine.settings.select = only;
      mine.settings.exclude.clear();
      mine.settings.write_baseline.clear();
      mine.settings.prune = false;
      mine.settings.write_expected_failures.clear();
      mine.reports.clear();
      mine.transcripts.clear();
      mine.bundle.clear();
      mine.quiet = true;
    }
    return run_target(mine, target, invocation, &failed);
  });
}

int run_command(const RunOptions& given, const Invocation& invocation,
                const std::vector<std::string>& others) {
  if (const auto played = run_fleet(given, invocation)) return *played;
  if (const auto played = run_project(given, invocation, others)) return *played;
  // What the user asked for, checked before anything is started.
  Result<target::Target> target = given.target.resolve(invocation, given.settings.profile);
  if (!target) return complain(target.error(), kUsage);
  if (given.watch) return watch_target(given, *target, invocation);
  return run_target(given, std::move(*target), invocation);
}

}  // namespace

Command command_run(const Invocation& invocation) {
  auto options = std::make_shared<RunOptions>();
  Command command{"run", "Test a server against the specification"};
  options->target.add_to(command);
  RunSettings& settings = options->settings;
  constexpr Durations kLoss{std::chrono::milliseconds(0), std::chrono::hours(24)};
  command.add({
      {"--profile", &settings.profile},
      {"--select", &settings.select},
      {"--exclude", &settings.exclude},
      {"--quick", &settings.quick},
      {"--watch", &options->watch},
      {"--level", &settings.level},
      {"--strict", &settings.strict},
      {"--requirements", &settings.requirements},
      {"--expected-failures", &settings.expected_failures},
      {"--write-expected-failures", &settings.write_expected_failures},
      {"--baseline", &settings.baseline},
      {"--write-baseline", &settings.write_baseline},
      {"--prune", &settings.prune},
      {"--reason", &settings.reason},
      {"--surface", &settings.surface},
      {"--jobs", &settings.jobs},
      {"--shard", &settings.shard},
      {"--targets", &options->targets},
      {"--into", &options->into},
      timeout_option(settings.timeout),
      option("--max-time", within(kLoss, settings.max_time),
             {.usual = duration_words(settings.max_time)}),
      {"--transcripts", &options->transcripts},
      {"--bundle", &options->bundle},
      {"--cases", &settings.cases},
      {"--suite", &settings.suite},
      option("--format", &options->format, {.words = names_of_formats()}),
      {"--report", &options->reports},
      {"--verbose", &options->verbose},
      {"--warnings", &options->warnings},
      {"--quiet", &options->quiet},
      {"--project", &options->project},
      {"--rate", within(Counts{1, 1'000'000}, options->rate)},
      {"--yes-fuzz-remote", &options->yes_remote},
  });
  command.action = [options, &invocation] {
    std::vector<std::string> others;
    for (const std::string& name : invocation.given)
      if (!goes_with_projects(name)) others.push_back(name);
    return run_command(*options, invocation, others);
  };
  return command;
}

}  // namespace harness::cli
