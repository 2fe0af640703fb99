// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/play_project.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "harness/base/text.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/github_output.h"
#include "harness/cli/option_values.h"
#include "harness/cli/project.h"
#include "harness/cli/report_settings.h"
#include "harness/cli/sdk.h"
#include "reports/merge.h"
#include "reports/registry.h"

namespace harness::cli {
namespace {

namespace fs = std::filesystem;

// All that is played, made ready.
struct Plans {
  std::vector<RunPlan> runs;
  std::vector<FuzzPlan> campaigns;
  std::shared_ptr<const Library> loaded;   // of the first
  std::shared_ptr<const Library> builtin;  // without cases of the user's; null until it is needed
};

Result<Plans> plans_of(const std::vector<ProjectRun>& runs, const std::string& file,
                       const std::string& program) {
  Plans out;
  std::map<std::vector<std::string>, std::shared_ptr<const Library>> libraries;  // by case folders
  for (const ProjectRun& one : runs) {
    std::shared_ptr<const Library>& library = libraries[one.settings.cases];
    Result<RunPlan> plan = RunPlan::make(one.settings, one.target, program, library);
    if (!plan) return plan.error();
    if (plan->several())
      return Error{file, "a project lists its profiles",
                   "write profiles: [mcp-2025-06-18, mcp-2025-11-25]"};
    library = plan->loaded();
    if (!out.loaded) out.loaded = library;
    out.runs.push_back(std::move(*plan));
  }
  out.builtin = libraries[{}];
  return out;
}

// An Error of an option that stands in the file as `fuzz`.
Error placed(const Error& error, const ProjectCampaign& campaign) {
  if (!error.where.starts_with("--")) return error;
  return Error{campaign.place, error.what, error.remedy};
}

// Makes the folders of corpora and findings.
Status plan_campaigns(const Project& project, const ProjectOptions& given,
                      const std::string& program, Plans& out) {
  for (const ProjectCampaign& one : project.campaigns) {
    FuzzSettings settings = one.settings;
    settings.yes_remote = given.yes_remote;
    if (given.rate > 0) settings.rate = given.rate;
    target::Target target = one.target;
    target.warnings.clear();  // told by its run
    Result<FuzzPlan> plan = FuzzPlan::make(settings, std::move(target), program, out.builtin);
    if (!plan) return placed(plan.error(), one);
    out.builtin = plan->loaded();
    out.campaigns.push_back(std::move(*plan));
  }
  return Nothing{};
}

// Reports of a project may name a folder that nobody has made yet.
void make_folders(const std::vector<std::string>& reports) {
  for (const std::string& report : reports) {
    const fs::path folder = fs::path(report.substr(report.find('=') + 1)).parent_path();
    std::error_code ignored;  // a report that cannot be written is told when it is opened
    if (!folder.empty()) fs::create_directories(folder, ignored);
  }
}

// What was played so far.
class Played {
 public:
  explicit Played(std::size_t all) : all_(all) {}

  void begin(const target::Target& target, const std::string& what) {
    ++count_;
    std::fprintf(stderr, "rpcspec: %zu of %zu: %s over %s, %s\n", count_, all_,
                 target.secrets.masked(printable(target.name)).c_str(), target.transport_name(),
                 what.c_str());
  }

  void end(reports::Recorder& recorder, int code, const target::Target& target,
           const std::string& profile, const std::string& why) {
    if (gravity(code) > gravity(code_)) code_ = code;
    reports::Record record = record_of(recorder, code, target, profile, why);
    std::fprintf(stderr, "rpcspec: %s\n", printable(record.finished.gate).c_str());
    records_.push_back(std::move(record));
  }

  int code() const { return code_; }
  reports::Record report() { return reports::merged(std::move(records_)); }

 private:
  std::size_t all_, count_ = 0;
  int code_ = kOk;
  std::vector<reports::Record> records_;
};

void play_all(Plans& plans, const Project& project, Played& played) {
  std::map<std::string, std::vector<run::CaseResult>> told;  // of each target
  for (std::size_t i = 0; i < plans.runs.size() && played.code() != kInterrupted; ++i) {
    const std::string& profile = project.runs[i].settings.profile;
    played.begin(plans.runs[i].target(),
                 profile == "auto" ? "the profile that it negotiates" : profile);
    reports::Recorder recorder;
    std::string why;
    const int code = plans.runs[i].play({&recorder}, &why);
    told[project.runs[i].target.name].insert(told[project.runs[i].target.name].end(),
                                             recorder.record().cases.begin(),
                                             recorder.record().cases.end());
    played.end(recorder, code, plans.runs[i].target(), profile, why);
  }
  for (std::size_t i = 0; i < plans.campaigns.size() && played.code() != kInterrupted; ++i) {
    FuzzPlan& plan = plans.campaigns[i];
    plan.leave_out(told[plan.target().name]);
    played.begin(plan.target(), "fuzzing");
    const auto campaign = std::make_shared<reports::Campaign>();
    reports::Recorder recorder(campaign);
    const int code = plan.play({&recorder}, *campaign);
    played.end(recorder, code, plan.target(), project.campaigns[i].settings.profile, "");
  }
}

}  // namespace

int gravity(int code) {
  constexpr int kOrder[] = {kOk, kViolations, kUsage, kUnreachable, kInternal, kInterrupted};
  const auto* const at = std::find(std::begin(kOrder), std::end(kOrder), code);
  return static_cast<int>(at - std::begin(kOrder));
}

reports::Record record_of(reports::Recorder& recorder, int code, const target::Target& target,
                          const std::string& profile, const std::string& why) {
  const bool finished = recorder.finished();
  reports::Record record = recorder.take();
  if (!finished) {  // it never began, and must not look as if nothing had been wrong
    record.started.version = RPCSPEC_VERSION;
    record.started.target = target.secrets.masked(target.name);
    record.started.transport = target.transport_name();
    record.started.profile = profile;
  }
  if (!finished || (code != kOk && record.finished.gate_passed)) {
    record.finished.gate_passed = false;
    record.finished.gate = "failed: " + (why.empty() ? "it did not complete" : why);
  }
  return record;
}

int check_project(const std::string& file, const Invocation& invocation) {
  const Result<Project> project = read_project(file);
  if (!project) return complain(project.error(), kUsage);
  const Result<Plans> plans = plans_of(project->runs, project->file, invocation.program);
  if (!plans) return complain(plans.error(), kUsage);
  for (const ProjectCampaign& one : project->campaigns) {
    const Status allowed = check_remote(false, one.target);
    if (!allowed) return complain(placed(allowed.error(), one), kUsage);
  }
  fmt::print("{}: a project\n", printable(file));
  for (const ProjectRun& one : project->runs)
    fmt::print(
        "  run   {} over {}, {}\n", one.target.secrets.masked(printable(one.target.name)),
        one.target.transport_name(),
        one.settings.profile == "auto" ? "the profile that it negotiates" : one.settings.profile);
  for (const ProjectCampaign& one : project->campaigns)
    fmt::print("  fuzz  {} over {}, for {}\n",
               one.target.secrets.masked(printable(one.target.name)), one.target.transport_name(),
               duration_words(one.settings.time));
  for (const std::string& report : project->reports) fmt::print("  write {}\n", printable(report));
  return kOk;
}

int play_project(const ProjectOptions& given, const Invocation& invocation) {
  Result<Project> project = read_project(given.reference);
  if (!project) return complain(project.error(), kUsage);
  if (given.quick) {
    for (ProjectRun& one : project->runs) one.settings.quick = true;
    project->campaigns.clear();
  }
  std::vector<std::string> all_reports = project->reports;
  all_reports.insert(all_reports.end(), given.reports.begin(), given.reports.end());
  if (project->runs.size() + project->campaigns.size() == 1)
    for (ProjectRun& one : project->runs)
      one.settings.told = told_on_stderr(all_reports, given.format);
  Result<Plans> plans = plans_of(project->runs, project->file, invocation.program);
  if (!plans) return complain(plans.error(), kUsage);
  const Status planned = plan_campaigns(*project, given, invocation.program, *plans);
  if (!planned) return complain(planned.error(), kUsage);
  std::vector<std::string> wanted = project->reports;
  make_folders(wanted);
  wanted.insert(wanted.end(), given.reports.begin(), given.reports.end());
  const std::vector<std::string> named = wanted;
  if (!takes_stdout(wanted)) wanted.push_back(given.format);
  reports::ReportOptions about = report_settings("", plans->loaded->registry);
  about.quiet = given.quiet;
  about.verbose = given.verbose;
  about.warnings = given.warnings;
  about.origin.file = file_of({}, {project->file});
  if (!plans->runs.empty())
    about.sdk = sdk_of(plans->runs.front().target(), "", plans->loaded->registry);
  const std::size_t all = plans->runs.size() + plans->campaigns.size();
  auto made = reports::make_all(wanted, about);  // whatever cannot be written is told now
  if (!made) return complain(made.error(), kUsage);
  if (all == 1) {
    std::vector<run::Reporter*> listeners;
    for (const auto& reporter : *made) listeners.push_back(reporter.get());
    GithubOutput github(takes_stdout(named));
    reports::Recorder recorder;
    if (github.active()) listeners.push_back(&recorder);
    const int code = plans->runs.front().play(listeners);
    github.tell(recorder.record(), about);
    return code;
  }
  made->clear();
  GithubOutput github(takes_stdout(named));
  Played played(all);
  play_all(*plans, *project, played);
  const reports::Record report = played.report();
  const Status written = reports::write_all(wanted, report, about);
  if (!written) return complain(written.error(), kUsage);
  github.tell(report, about);
  return played.code();
}

}  // namespace harness::cli
