// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/mcp_offer.h"
#include "harness/cli/report_settings.h"
#include "harness/cli/run_plan.h"
#include "harness/json/write.h"
#include "reports/formats.h"
#include "reports/output.h"

namespace harness::cli {
namespace {

// What is written to the descriptors of stdout and stderr while it lives goes to a file.
class McpCaught {
 public:
  McpCaught() : file_(std::tmpfile()) {
    check(file_ != nullptr, "the output file cannot be created");
    for (const int one : {STDOUT_FILENO, STDERR_FILENO}) dup2(fileno(file_), one);
  }
  std::string text() const {
    std::fflush(nullptr);
    std::fseek(file_, 0, SEEK_END);
    std::string out(static_cast<std::size_t>(std::max(0L, std::ftell(file_))), '\0');
    std::rewind(file_);
    out.resize(std::fread(out.data(), 1, out.size(), file_));
    return out;
  }

 private:
  std::FILE* file_;  // as long as the process, which ends with its work
};

class McpTeller final : public run::Reporter {
 public:
  explicit McpTeller(const McpProgress& tell) : tell_(tell) {}
  void run_started(const run::RunStarted& started) override {
    total_ = static_cast<std::int64_t>(started.cases);
  }
  void case_finished(const run::CaseResult& result) override {
    tell_(++done_, total_, result.id + ": " + run::verdict_name(result.verdict));
  }

 private:
  const McpProgress& tell_;
  std::int64_t done_ = 0, total_ = 0;
};

McpOutcome not_judged(const std::string& why) { return {mcp_failure(why), "", ""}; }

}  // namespace

McpSaid say(const std::vector<std::string>& words) {
  const McpCaught caught;
  McpSaid said;
  said.code = run_command_line(words);
  said.text = caught.text();
  return said;
}

McpSaid check_text(const std::string& yaml) {
  std::string folder = (std::filesystem::temp_directory_path() / "rpcspec-mcp-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr)
    return {kInternal,
            "the folder for the case cannot be "
            "created"};
  const std::string file = folder + "/case.yaml";
  const Status written = reports::write_file(file, yaml);
  McpSaid said = written ? say({"check", file}) : McpSaid{kInternal, written.error().text()};
  for (std::size_t at = 0; (at = said.text.find(folder + "/", at)) != std::string::npos;)
    said.text.erase(at, folder.size() + 1);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return said;
}

McpOutcome judge(const McpRun& wanted, const McpProgress& progress) {
  const McpCaught caught;
  Invocation invocation;
  invocation.program = wanted.program;
  std::optional<target::Target> target = wanted.target;
  if (!target) {
    invocation.target_command = wanted.command;
    invocation.has_target_command = !wanted.command.empty();
    TargetOptions named;
    named.url = wanted.url;
    named.allow_tools = wanted.allow_tools;
    Result<target::Target> resolved = named.resolve(invocation, wanted.profile);
    if (!resolved) return not_judged(resolved.error().text());
    target = std::move(*resolved);
  }
  RunSettings settings;
  settings.profile = wanted.profile;
  settings.select = wanted.select;
  settings.quick = wanted.quick;
  Result<RunPlan> plan = RunPlan::make(settings, std::move(*target), wanted.program);
  if (!plan) return not_judged(plan.error().text());
  if (plan->several()) return not_judged("name one profile: `list` names them");
  reports::Recorder recorder;
  McpTeller told(progress);
  std::string why;
  plan->play({&recorder, &told}, &why);
  if (!recorder.finished()) return not_judged(why.empty() ? caught.text() : why);
  const reports::ReportOptions options = report_settings("", plan->loaded()->registry);
  const reports::Record& record = recorder.record();
  return {mcp_result(reports::agent_value(record, options)),
          json::write(reports::json_value(record, options)), ""};
}

}  // namespace harness::cli
