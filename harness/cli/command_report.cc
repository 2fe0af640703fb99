// SPDX-License-Identifier: Apache-2.0
// rpcspec report: JSON reports of runs that are over, in other formats; several become one.
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/file.h"
#include "harness/cli/builtin.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/report_settings.h"
#include "reports/merge.h"
#include "reports/read_json.h"
#include "reports/registry.h"

namespace harness::cli {
namespace {

struct ReportCommand {
  std::vector<std::string> from, to;
  bool verbose = false, quiet = false, warnings = false;
};

// NAME=FILE calls the run NAME. A file that is there is none.
std::pair<std::string, std::string> name_and_file(const std::string& argument) {
  const std::size_t equals = argument.find('=');
  std::error_code ignored;
  if (equals == std::string::npos || equals == 0 || std::filesystem::exists(argument, ignored))
    return {"", argument};
  return {argument.substr(0, equals), argument.substr(equals + 1)};
}

int report(const ReportCommand& given) {
  std::vector<std::string> targets = given.to;
  if (targets.empty()) targets.emplace_back("console");
  for (const std::string& argument : targets)
    if (const auto one = reports::read_argument(argument, "--to"); !one)
      return complain(one.error(), kUsage);
  std::vector<reports::Record> records;
  for (const std::string& argument : given.from) {
    const auto [name, file] = name_and_file(argument);
    const Result<std::string> text = read_file(file);
    if (!text) return complain(text.error(), kUsage);
    Result<reports::Record> record = reports::read_json(*text, file);
    if (!record) return complain(record.error(), kUsage);
    record->name = name;
    records.push_back(std::move(*record));
  }
  const Result<spec::Registry> registry = load_registry("");
  if (!registry) return complain(registry.error(), kUsage);
  reports::ReportOptions options = report_settings("", *registry);
  options.origin = {};  // this job did not judge; the reports say who did
  options.verbose = given.verbose;
  options.warnings = given.warnings;
  options.quiet = given.quiet;
  const Status written =
      reports::write_all(targets, reports::merged(std::move(records)), options, "--to");
  if (!written) return complain(written.error(), kUsage);
  return kOk;
}

}  // namespace

Command command_report(const Invocation&) {
  auto options = std::make_shared<ReportCommand>();
  Command command{"report", "Convert JSON reports to other formats, or merge them"};
  command.add({
      {"from", &options->from},
      {"--to", &options->to},
      {"--verbose", &options->verbose},
      {"--warnings", &options->warnings},
      {"--quiet", &options->quiet},
  });
  command.action = [options] { return report(*options); };
  return command;
}

}  // namespace harness::cli
