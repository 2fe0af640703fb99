// SPDX-License-Identifier: Apache-2.0
// rpcspec judge: the oracles over a recorded Transcript; no target is needed.

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/causes/causes.h"
#include "harness/cli/builtin.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/transcripts.h"
#include "harness/oracle/oracle.h"
#include "harness/results/coverage.h"
#include "reports/registry.h"

namespace harness::cli {
namespace {

struct JudgeOptions {
  std::string file, profile;
  std::vector<std::string> reports;
  bool verbose = false;
};

int judge(const JudgeOptions& options) {
  const Result<std::string> text = read_file(options.file);
  if (!text)
    return complain(Error{options.file, "the recording cannot be read",
                          "`rpcspec run --transcripts DIR` writes recordings"},
                    kUsage);
  const Result<wire::Transcript> read = wire::from_json_lines(*text, options.file);
  if (!read) return complain(read.error(), kUsage);
  const std::string name = options.profile.empty() ? read->profile : options.profile;
  const spec::Profile* profile = spec::find_profile(name);
  if (!profile)
    return complain(Error{options.profile.empty() ? options.file : "--profile",
                          "there is no profile `" + printable(name, 60) + "`",
                          "name one with --profile; `rpcspec list profiles` names them"},
                    kUsage);
  const Result<spec::Registry> registry = load_registry("");
  if (!registry) return complain(registry.error(), kUsage);

  reports::ReportOptions report;
  report.requirement = [&registry](const std::string& id) { return registry->find(id); };
  report.verbose = options.verbose;
  report.warnings = true;
  std::vector<std::string> wanted = options.reports;
  if (wanted.empty()) wanted.push_back("console");
  auto made = reports::make_all(wanted, report);
  if (!made) return complain(made.error(), kUsage);
  std::vector<std::unique_ptr<run::Reporter>> reporters = std::move(*made);

  // What binds this conversation of what each oracle looks for.
  std::vector<std::pair<const oracle::Oracle*, std::vector<std::string>>> asked;
  for (const oracle::Oracle& one : oracle::oracles()) {
    std::vector<std::string> binding;
    for (const std::string& id : one.covers) {
      const spec::Requirement* requirement = registry->find(id);
      if (requirement && spec::applies(*requirement, *profile, read->transport))
        binding.push_back(id);
    }
    if (!binding.empty()) asked.emplace_back(&one, std::move(binding));
  }

  const auto transcript = std::make_shared<wire::Transcript>(*read);
  oracle::Evidence evidence(*transcript, *profile, *registry);
  read_agreement(*transcript, evidence);
  const std::vector<oracle::Finding> findings = oracle::judge(evidence);
  run::RunStarted started;
  started.version = RPCSPEC_VERSION;
  started.target = transcript->target.empty() ? options.file : transcript->target;
  started.profile = profile->name;
  started.transport = wire::transport_name(transcript->transport);
  started.cases = asked.size();
  for (const auto& reporter : reporters) reporter->run_started(started);

  run::RunFinished finished;
  std::vector<run::CaseResult> results;
  bool failed = false;
  for (auto& [one, binding] : asked) {
    run::CaseResult result;
    result.id = std::string("oracle/") + one->name;
    result.title = one->help;
    result.transcript = transcript;
    result.requirements = std::move(binding);
    result.level =
        spec::level_name(spec::level_in(*registry->find(result.requirements.front()), *profile));
    for (const oracle::Finding& finding : findings) {
      if (finding.oracle != one->name) continue;
      if (finding.severity == oracle::Severity::kInfo) {
        result.notes.push_back(finding.requirement + ": " + finding.seen);
        continue;
      }
      const bool fail = finding.severity == oracle::Severity::kFail;
      failed |= fail;
      if (fail || result.verdict == run::Verdict::kPass)
        result.verdict = fail ? run::Verdict::kFail : run::Verdict::kWarn;
      result.findings.push_back(finding);
    }
    ++finished.summary[run::verdict_name(result.verdict)];
    for (const auto& reporter : reporters) reporter->case_finished(result);
    results.push_back(std::move(result));
  }
  finished.coverage = run::coverage_rows(*registry, *profile, transcript->transport, results);
  finished.causes = run::causes_of({*registry, *profile, transcript->transport, results});
  finished.gate = failed ? "failed: a MUST is broken" : "passed";
  finished.gate_passed = !failed;
  for (const auto& reporter : reporters) reporter->run_finished(finished);
  return failed ? kViolations : kOk;
}

}  // namespace

Command command_judge(const Invocation&) {
  auto options = std::make_shared<JudgeOptions>();
  Command command{"judge", "Judge a recorded session"};
  command.add({
      {"transcript", &options->file},
      {"--profile", &options->profile},
      {"--report", &options->reports},
      {"--verbose", &options->verbose},
  });
  command.action = [options] { return judge(*options); };
  return command;
}

}  // namespace harness::cli
