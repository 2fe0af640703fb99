// SPDX-License-Identifier: Apache-2.0
// rpcspec coverage: which requirement is covered by which case or oracle, and why the rest is not.
#include <fmt/format.h>

#include <map>

#include "harness/cli/builtin.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/official_coverage.h"
#include "harness/cli/pages.h"
#include "harness/contract/in_use.h"
#include "harness/json/write.h"
#include "harness/results/coverage.h"
#include "harness/run/described.h"
#include "reports/formats.h"

namespace harness::cli {
namespace {

struct CoverageOptions {
  std::string profile, format = "text", suite, against;
  std::vector<std::string> cases;
  bool missing = false;
  TargetOptions contract;  // --openrpc and --methods alone
};

std::string family(const std::string& id) {
  const std::size_t first = id.find('.');
  const std::size_t second = id.find('.', first + 1);
  return id.substr(
      0, id.starts_with("mcp.") || id.starts_with("tutorial.") || id.starts_with("json") ? second
                                                                                         : first);
}

// MUST and MUST NOT are one level, SHOULD and SHOULD NOT another.
std::string strength(const std::string& level) { return level.substr(0, level.find(' ')); }

struct Share {
  int with = 0, total = 0;
};

// The methods of a document instead of clauses: what a run would call, and what it would try.
int coverage_of_contract(const CoverageOptions& options, const Library& library) {
  const Result<target::Target> target = options.contract.resolve_contract();
  if (!target) return complain(target.error(), kUsage);
  Result<contract::Document> document =
      contract::Document::read(target->openrpc_text, target->openrpc);
  if (!document) return complain(document.error(), kUsage);
  const spec::Profile& plain = *spec::find_profile("jsonrpc-2.0");
  const contract::InUse& use = contract::put_to_use(*document, {target->call_methods}, plain);
  const auto methods = run::planned_methods(use, library.suite);
  if (options.format == "json")
    fmt::print("{}\n", json::write_pretty(reports::methods_value(methods)));
  else
    fmt::print("{}\n{}\n", methods_page(methods), use.counts());
  return kOk;
}

int coverage(const CoverageOptions& options) {
  const Result<Library> library = load_library(options.suite, options.cases);
  if (!library) return complain(library.error(), kUsage);
  if (!options.contract.openrpc.empty()) return coverage_of_contract(options, *library);
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
  if (!options.against.empty()) {
    const Result<spec::Official> official = load_official(options.suite, library->registry);
    if (!official) return complain(official.error(), kUsage);
    const OfficialCoverage against(*official, *library, rows);
    const bool json = options.format == "json";
    if (options.against == "official") {
      out = against.of_suite(json, options.missing);
    } else {
      const auto page = against.of_checkout(options.against, json, options.missing);
      if (!page) return complain(page.error(), kUsage);
      out = *page;
    }
  } else if (options.format == "json") {
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
                json::string(why_no_case(*library->registry.find(row.requirement), *library)));
      all.items.push_back(std::move(one));
    }
    out = json::write_pretty(all) + "\n";
  } else {
    std::map<std::string, Share> families, levels;
    int covered = 0;
    for (const run::CoverageRow& row : rows) {
      std::vector<Share*> shares = {&families[family(row.requirement)]};
      if (library->registry.find(row.requirement)->observable == "yes")
        shares.push_back(&levels[strength(row.level)]);
      for (Share* share : shares) {
        ++share->total;
        if (!row.cases.empty()) ++share->with;
      }
      if (!row.cases.empty()) ++covered;
      if (!options.missing)
        out +=
            fmt::format("{:<10} {:<52} {}\n", row.level, row.requirement,
                        row.cases.empty()
                            ? "- " + why_no_case(*library->registry.find(row.requirement), *library)
                            : fmt::format("{}", fmt::join(row.cases, " ")));
      else if (row.cases.empty())
        out += fmt::format("{:<10} {:<52} {}\n", row.level, row.requirement,
                           why_no_case(*library->registry.find(row.requirement), *library));
    }
    out += "\n";
    for (const auto& [name, counts] : families)
      out += fmt::format("{:>4} of {:<4} {}\n", counts.with, counts.total, name);
    out += fmt::format("{:>4} of {:<4} requirements are covered\n", covered, rows.size());
    out += "\nOf what can be observed from outside:\n";
    for (const auto& [name, counts] : levels)
      out += fmt::format("{:>4} of {:<4} {}\n", counts.with, counts.total, name);
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
  return kOk;
}

}  // namespace

Command command_coverage(const Invocation&) {
  auto options = std::make_shared<CoverageOptions>();
  Command command{"coverage", "Show which cases cover which requirements, and what is not covered"};
  command.add({
      {"--profile", &options->profile},
      {"--format", &options->format},
      {"--against", &options->against},
      {"--missing", &options->missing},
      {"--openrpc", &options->contract.openrpc},
      {"--methods", &options->contract.call_methods},
      {"--cases", &options->cases},
      {"--suite", &options->suite},
  });
  command.action = [options] { return coverage(*options); };
  return command;
}

}  // namespace harness::cli
