// SPDX-License-Identifier: Apache-2.0
// rpcspec explain: a case, requirement, oracle, method, type or error code in full, or what may
// answer a message.
#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/cli/builtin.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/method_page.h"
#include "harness/oracle/oracle.h"
#include "harness/run/coverage.h"
#include "harness/spec/error_codes.h"
#include "harness/spec/model.h"
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
             list_of(requirement.transports.words(), "-"));
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
    case suite::Need::kDisposable:
      return "disposable: needed by no other case any more";
  }
  return "";
}

void explain_case(const suite::Case& scenario, const Library& library) {
  fmt::print("{}\n\n  {}\n  file        {}\n  profiles    {}\n  transports  {}\n  session     {}\n",
             scenario.id, scenario.title, scenario.file,
             list_of(scenario.profiles, "wherever one of its requirements applies"),
             list_of(scenario.transports.words(), "-"), session_needed(scenario.need));
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
  if (const spec::MessageRow* message = spec::protocol().find(id)) {
    fmt::print("{}", page_of(*message));
    return kOk;
  }
  if (const spec::TypeRow* type = spec::protocol().find_type(id)) {
    fmt::print("{}", page_of(*type));
    return kOk;
  }
  for (const spec::MessageRow& message : spec::protocol().messages()) names.push_back(message.name);
  for (const spec::TypeRow* type : spec::protocol().types()) names.push_back(type->name);
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

struct FrameOptions {
  std::string text, profile, transport = "stdio";
  bool before_handshake = false;
};

// What the grade of an outcome means to who reads it.
const char* verdict_of(spec::Grade grade) {
  switch (grade) {
    case spec::Grade::kLawful:
      return "lawful";
    case spec::Grade::kTolerated:
      return "tolerated, with a warning";
    case spec::Grade::kWrong:
      return "wrong";
  }
  return "";
}

void explain_expectation(const spec::Expectation& expected, const std::string& indent) {
  if (expected.notification()) {
    fmt::print("{}nothing    lawful; no message answers a notification\n", indent);
    return;
  }
  fmt::print("{}result     {}\n", indent, verdict_of(expected.result()));
  std::vector<int> codes = {-32700, -32600, -32601, -32602, -32603};
  for (const int code : codes)
    fmt::print("{}{}     {}\n", indent, code, verdict_of(expected.error(code)));
  // A code nobody defined stands for all others.
  fmt::print("{}any other  {}\n", indent, verdict_of(expected.error(1)));
  if (expected.silence() == spec::Grade::kLawful && expected.sound())
    fmt::print("{}silence    not judged: the method may take its time\n", indent);
  else
    fmt::print("{}silence    {}\n", indent, verdict_of(expected.silence()));
  if (expected.may_lose_id())
    fmt::print("{}id         its own where one can be read, or null\n", indent);
}

void explain_reasons(const spec::Expectation& expected, const spec::Situation& situation,
                     const spec::Registry& registry, const std::string& indent) {
  for (const spec::ModelRule* rule : expected.found()) {
    fmt::print("{}{}: {}\n", indent, rule->name, rule->says);
    if (const spec::Requirement* clause =
            spec::strongest(rule->clauses, registry, *situation.profile, situation.transport))
      fmt::print("{}  {} ({}): {}\n", indent, clause->id,
                 spec::level_name(spec::level_in(*clause, *situation.profile)), clause->statement);
  }
  if (expected.sound())
    fmt::print("{}nothing is wrong with it{}\n", indent,
               expected.notification() ? "" : ": what its method makes of the params is open");
}

int explain_frame(const FrameOptions& options) {
  const spec::Profile* profile = spec::find_profile(options.profile);
  if (profile == nullptr)
    return complain(
        Error{"--profile", "there is no profile `" + printable(options.profile, 60) + "`",
              "`rpcspec list profiles` names them"},
        kUsage);
  const auto transport = wire::transport_named(options.transport);
  if (!transport || !wire::traits_of(*transport).of_targets)
    return complain(
        Error{"--transport", "there is no transport `" + printable(options.transport, 60) + "`",
              "they are " + list_of(wire::transport_names(), "-")},
        kUsage);
  const Result<spec::Registry> registry = load_registry("");
  if (!registry) return complain(registry.error(), kUsage);
  const spec::Situation situation{
      profile, *transport, options.before_handshake ? spec::Phase::kBefore : spec::Phase::kReady};
  const wire::Message message = wire::read_message(options.text);
  const spec::Expectation expected = spec::expect(situation, message, options.text);
  fmt::print("{}\n\n", printable(options.text, 300));
  explain_reasons(expected, situation, *registry, "  ");
  fmt::print("\n");
  explain_expectation(expected, "  ");
  if (wire::traits_of(*transport).exchanges) fmt::print("  http 4xx   lawful\n");
  const bool elements = message.kind == wire::MessageKind::kBatch && !expected.open() &&
                        spec::batches_in(*profile) == spec::Batches::kServed;
  if (!elements) return kOk;
  for (std::size_t i = 0; i < message.value.items.size(); ++i) {
    fmt::print("\n  element {}, answered in the array\n", i);
    const spec::Expectation one = spec::expect_element(situation, message.value.items[i]);
    explain_reasons(one, situation, *registry, "    ");
    explain_expectation(one, "    ");
  }
  return kOk;
}

}  // namespace

std::function<int()> add_explain(CLI::App& app, const Invocation&) {
  struct ExplainOptions {
    std::string id, suite;
    std::vector<std::string> cases;
    FrameOptions frame;
  };
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand(
      "explain", "Explain a case, requirement, oracle, method, type or error code in full");
  CLI::Option* id = command->add_option(
      "id", options->id,
      "As `rpcspec list` names it, a type such as Tool, or an error code such as -32602");
  CLI::Option* frame =
      command
          ->add_option("--frame", options->frame.text, "Say what may answer this message, and why")
          ->type_name("TEXT")
          ->excludes(id);
  CLI::Option* profile = command
                             ->add_option("--profile", options->frame.profile,
                                          "With --frame: the profile it is sent under")
                             ->type_name("NAME")
                             ->needs(frame);
  frame->needs(profile);
  command
      ->add_option("--transport", options->frame.transport, "With --frame: how it is sent (stdio)")
      ->type_name("KIND")
      ->needs(frame);
  command
      ->add_flag("--before-handshake", options->frame.before_handshake,
                 "With --frame: the handshake is not done yet")
      ->needs(frame);
  repeatable(
      command->add_option("--cases", options->cases, "Your own cases, beside the built-in ones")
          ->type_name("DIR"));
  command
      ->add_option("--suite", options->suite, "A cases/ tree to use in place of the built-in suite")
      ->type_name("DIR");
  return [options, frame] {
    if (frame->count() > 0) return explain_frame(options->frame);
    if (options->id.empty())
      return complain(Error{"explain", "nothing to explain", "name something, or use --frame"},
                      kUsage);
    return explain(options->id, options->suite, options->cases);
  };
}

}  // namespace harness::cli
