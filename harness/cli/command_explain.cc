// SPDX-License-Identifier: Apache-2.0
// rpcspec explain: a case, requirement, oracle or error code in full.
#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/cli/builtin.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/oracle/oracle.h"
#include "harness/run/coverage.h"
#include "harness/spec/error_codes.h"
#include "harness/spec/profile.h"

namespace harness::cli {
namespace {

std::string list_of(const std::vector<std::string>& words, const char* none) {
  return words.empty() ? none : fmt::format("{}", fmt::join(words, ", "));
}

void explain_requirement(const spec::Requirement& requirement, const Library& library) {
  fmt::print("{}\n\n  {}: {}\n  source      {}\n  editions    {}\n  transports  {}\n",
             requirement.id, spec::level_name(requirement.level), requirement.statement,
             requirement.source, list_of(requirement.revisions, "-"),
             list_of(requirement.transports, "-"));
  if (!requirement.needs.empty()) fmt::print("  needs       {}\n", list_of(requirement.needs, "-"));
  fmt::print("  observable  {}\n  probe       {}\n", requirement.observable, requirement.probe);
  for (const run::CoverageRow& row : run::suite_coverage(library.registry, library.suite, nullptr))
    if (row.requirement == requirement.id)
      fmt::print("  covered by  {}\n", list_of(row.cases, "nothing yet"));
}

const char* session_needed(suite::Need need) {
  switch (need) {
    case suite::Need::kReady:
      return "ready, shared with other cases";
    case suite::Need::kBare:
      return "bare: no handshake yet";
    case suite::Need::kFresh:
      return "fresh: its own";
    case suite::Need::kApart:
      return "apart: needed by no other case any more";
  }
  return "";
}

void explain_case(const suite::Case& scenario, const Library& library) {
  fmt::print("{}\n\n  {}\n  file        {}\n  profiles    {}\n  transports  {}\n  session     {}\n",
             scenario.id, scenario.title, scenario.file,
             list_of(scenario.profiles, "wherever one of its requirements applies"),
             list_of(scenario.transports, "all"), session_needed(scenario.need));
  for (const suite::Requires& gate : scenario.gates)
    fmt::print("  requires    {} {}\n", gate.kind, gate.name);
  fmt::print("  proved by   {}\n", list_of(scenario.falsified_by, "-"));
  for (const std::string& id : scenario.covers)
    if (const spec::Requirement* requirement = library.registry.find(id))
      fmt::print("  covers      {} ({}): {}\n", id, spec::level_name(requirement->level),
                 requirement->statement);
}

void explain_oracle(const oracle::Oracle& one, const Library& library) {
  fmt::print("oracle/{}\n\n  {}\n  runs over every conversation\n", one.name, one.help);
  for (const std::string& id : one.covers)
    if (const spec::Requirement* requirement = library.registry.find(id))
      fmt::print("  covers      {} ({}): {}\n", id, spec::level_name(requirement->level),
                 requirement->statement);
}

int explain(const std::string& id, const std::string& suite_folder,
            const std::vector<std::string>& user_cases) {
  const Result<Library> library = load_library(suite_folder, user_cases);
  if (!library) return complain(library.error(), kUsage);
  std::vector<std::string> names;
  if (const spec::Requirement* requirement = library->registry.find(id)) {
    explain_requirement(*requirement, *library);
    return kOk;
  }
  for (const spec::Requirement& requirement : library->registry.all())
    names.push_back(requirement.id);
  for (const suite::Case& scenario : library->suite.cases) {
    if (scenario.id == id) {
      explain_case(scenario, *library);
      return kOk;
    }
    names.push_back(scenario.id);
  }
  for (const oracle::Oracle& one : oracle::oracles()) {
    if (one.name == id || "oracle/" + std::string(one.name) == id) {
      explain_oracle(one, *library);
      return kOk;
    }
    names.push_back(one.name);
  }
  bool any = false;
  for (const spec::ErrorCode& code : spec::error_codes()) {
    if (std::to_string(code.code) != id) continue;
    fmt::print("{}{}  {}\n  {}\n", any ? "\n" : "", code.code, code.name, code.meaning);
    any = true;
  }
  if (any) return kOk;
  const std::string near = nearest(id, names);
  return complain(
      Error{"explain", "nothing is called `" + printable(id) + "`",
            near.empty() ? "`rpcspec list cases` and `rpcspec list requirements` name them"
                         : "did you mean `" + near + "`?"},
      kUsage);
}

}  // namespace

std::function<int()> add_explain(CLI::App& app, const Invocation&) {
  struct Options {
    std::string id, suite;
    std::vector<std::string> cases;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("explain", "Explain a case, requirement, oracle or error code in full");
  command
      ->add_option("id", options->id, "As `rpcspec list` names it, or an error code such as -32602")
      ->required();
  command->add_option("--cases", options->cases, "Your own cases, beside the built-in ones")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command
      ->add_option("--suite", options->suite, "A cases/ tree to use in place of the built-in suite")
      ->type_name("DIR");
  return [options] { return explain(options->id, options->suite, options->cases); };
}

}  // namespace harness::cli
