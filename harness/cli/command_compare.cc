// SPDX-License-Identifier: Apache-2.0
// rpcspec compare: what became worse and better from one JSON report to another.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "harness/base/file.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/report_settings.h"
#include "harness/cli/surface_file.h"
#include "harness/json/escaped.h"
#include "harness/json/write.h"
#include "reports/compare.h"
#include "reports/read_json.h"

namespace harness::cli {
namespace {

struct CompareCommand {
  std::string before, after, level = "must", format = "text";
  bool strict = false, surface = false;
};

Result<reports::Record> read(const std::string& file) {
  const Result<std::string> text = read_file(file);
  if (!text) return text.error();
  return reports::read_json(*text, file);
}

int compare_surfaces(const CompareCommand& given) {
  const Result<json::Value> before = surface_in(given.before);
  if (!before) return complain(before.error(), kUsage);
  const Result<json::Value> after = surface_in(given.after);
  if (!after) return complain(after.error(), kUsage);
  return tell_changes(*before, *after, given.format);
}

int compare(const CompareCommand& given) {
  if (given.surface) return compare_surfaces(given);
  const Result<reports::Record> before = read(given.before);
  if (!before) return complain(before.error(), kUsage);
  const Result<reports::Record> after = read(given.after);
  if (!after) return complain(after.error(), kUsage);
  const reports::Comparison found = reports::compare(*before, *after);
  if (given.format == "json") {
    const std::string text = json::escaped_for_eyes(
        json::write_pretty(reports::comparison_json(found, *before, *after)));
    std::printf("%s\n", text.c_str());
  } else {
    const spec::Registry none;
    const std::string text =
        reports::comparison_text(found, *before, *after, report_settings("", none));
    std::fputs(text.c_str(), stdout);
  }
  const bool should = given.level == "should";
  const bool worse = std::any_of(found.worse.begin(), found.worse.end(),
                                 [&](const reports::Change& one) { return one.must || should; });
  return worse || !found.surface.empty() || (given.strict && !found.unsure.empty()) ? kViolations
                                                                                    : kOk;
}

}  // namespace

Command command_compare(const Invocation&) {
  auto options = std::make_shared<CompareCommand>();
  Command command{"compare", "Show what became worse or better between two JSON reports"};
  command.add({
      {"old", &options->before},
      {"new", &options->after},
      {"--level", &options->level},
      {"--surface", &options->surface},
      {"--strict", &options->strict},
      {"--format", &options->format},
  });
  command.action = [options] { return compare(*options); };
  return command;
}

}  // namespace harness::cli
