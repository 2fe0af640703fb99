// SPDX-License-Identifier: Apache-2.0
// rpcspec coverage: which requirement is covered by which case or oracle, and why the rest is not.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/base/text.h"
#include "harness/cli/builtin.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/json/write.h"
#include "harness/oracle/oracle.h"
#include "harness/run/coverage.h"

namespace harness::cli {
namespace {

struct CoverageOptions {
  std::string profile, format = "text", suite;
  std::vector<std::string> cases;
  bool missing = false;
};

// Why a requirement has no case: what the catalogue says of it, or what the authors wrote down.
std::string reason_of(const spec::Requirement& requirement, const Library& library) {
  if (const auto found = library.not_covered.find(requirement.id);
      found != library.not_covered.end())
    return found->second;
  if (requirement.observable == "no") return "cannot be observed from outside";
  for (const oracle::Oracle& one : oracle::oracles())
    if (std::find(one.unproved.begin(), one.unproved.end(), requirement.id) != one.unproved.end())
      return std::string("judged by the oracle ") + one.name + ", which no Fault shows yet";
  return "no case yet";
}

std::string family(const std::string& id) {
  const std::size_t first = id.find('.');
  const std::size_t second = id.find('.', first + 1);
  return id.substr(
      0, id.starts_with("mcp.") || id.starts_with("tutorial.") || id.starts_with("json") ? second
                                                                                         : first);
}

int coverage(const CoverageOptions& options) {
  const Result<Library> library = load_library(options.suite, options.cases);
  if (!library) return complain(library.error(), kUsage);
  const spec::Profile* profile = nullptr;
  if (!options.profile.empty()) {
    profile = spec::find_profile(options.profile);
    if (!profile)
      return complain(Error{"--profile", "there is no profile `" + options.profile + "`",
                            "`rpcspec list profiles` names them"},
                      kUsage);
  }
  const auto rows = run::suite_coverage(library->registry, library->suite, profile);
  std::string out;
  if (options.format == "json") {
    json::Value all = json::array();
    for (const run::CoverageRow& row : rows) {
      json::Value cases = json::array();
      for (const std::string& id : row.cases) cases.items.push_back(json::string(id));
      json::Value one = json::object({{"requirement", json::string(row.requirement)},
                                      {"level", json::string(row.level)},
                                      {"status", json::string(row.status)},
                                      {"cases", cases}});
      if (row.cases.empty())
        one.set("reason",
                json::string(reason_of(*library->registry.find(row.requirement), *library)));
      all.items.push_back(std::move(one));
    }
    out = json::write_pretty(all) + "\n";
  } else {
    std::map<std::string, std::pair<int, int>> families;
    int covered = 0;
    for (const run::CoverageRow& row : rows) {
      auto& [with, total] = families[family(row.requirement)];
      ++total;
      if (!row.cases.empty()) ++with, ++covered;
      if (!options.missing)
        out += fmt::format(
            "{:<10} {:<52} {}\n", row.level, row.requirement,
            row.cases.empty() ? "- " + reason_of(*library->registry.find(row.requirement), *library)
                              : fmt::format("{}", fmt::join(row.cases, " ")));
      else if (row.cases.empty())
        out += fmt::format("{:<10} {:<52} {}\n", row.level, row.requirement,
                           reason_of(*library->registry.find(row.requirement), *library));
    }
    out += "\n";
    for (const auto& [name, counts] : families)
      out += fmt::format("{:>4} of {:<4} {}\n", counts.first, counts.second, name);
    out += fmt::format("{:>4} of {:<4} requirements are covered\n", covered, rows.size());
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
  return kOk;
}

}  // namespace

std::function<int()> add_coverage(CLI::App& app, const Invocation&) {
  auto options = std::make_shared<CoverageOptions>();
  CLI::App* command =
      app.add_subcommand("coverage", "Requirement by case, and why the rest is not covered");
  command->add_option("--profile", options->profile, "Only what counts under this profile")
      ->type_name("NAME");
  command->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  command->add_flag("--missing", options->missing, "Only what is not covered");
  repeatable(
      command->add_option("--cases", options->cases, "Your own cases, beside the built-in ones")
          ->type_name("DIR"));
  command
      ->add_option("--suite", options->suite, "A cases/ tree to use in place of the built-in suite")
      ->type_name("DIR");
  return [options] { return coverage(*options); };
}

}  // namespace harness::cli
