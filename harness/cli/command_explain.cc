// SPDX-License-Identifier: Apache-2.0
// rpcspec explain: a case, requirement, oracle, method, type, error code or finding in full, or
// what may answer a message.
#include <fmt/format.h>

#include <set>
#include <utility>

#include "harness/base/text.h"
#include "harness/cli/builtin.h"
#include "harness/cli/command.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/names.h"
#include "harness/cli/page_text.h"
#include "harness/cli/pages.h"
#include "harness/oracle/oracle.h"
#include "harness/spec/features.h"
#include "harness/spec/model.h"
#include "harness/spec/profile.h"

namespace harness::cli {
namespace {

std::string page_of_oracle(const oracle::Oracle& one, const Library& library) {
  std::string out = fmt::format("oracle/{}\n\n  {}\n  checks every session\n", one.name, one.help);
  for (const std::string& id : one.covers)
    if (const spec::Requirement* requirement = library.registry.find(id))
      out += field("covers", fmt::format("{} ({}): {}", id, spec::level_name(requirement->level),
                                         requirement->statement));
  return out;
}

struct Asked {
  std::string id, suite;
  std::vector<std::string> cases;
};

// Each looks among the things of one kind; "" where none is called so.
Result<std::string> page_of_data(const Asked& asked, const Library& library) {
  const spec::Requirement* clause = library.registry.find(asked.id);
  const bool finding = clause == nullptr && is_finding(asked.id);
  if (clause != nullptr || finding) {
    const Result<Teaching> teaching = load_teaching(asked.suite, library.registry);
    if (!teaching) return teaching.error();
    if (finding) return page_of_finding(asked.id, library, *teaching);
    return page_of(*clause, library, *teaching);
  }
  for (const suite::Case& scenario : library.suite.cases) {
    if (scenario.id != asked.id) continue;
    const Result<json::Value> source = source_of(scenario, asked.suite);
    return page_of(scenario, source ? &*source : nullptr, library);
  }
  return std::string();
}

std::string page_of_protocol(const std::string& id, const Library& library) {
  for (const oracle::Oracle& one : oracle::oracles())
    if (one.name == id || "oracle/" + std::string(one.name) == id)
      return page_of_oracle(one, library);
  if (const spec::MessageRow* message = spec::protocol().find(id)) return page_of(*message);
  if (const spec::TypeRow* type = spec::protocol().find_type(id)) return page_of(*type);
  if (const std::string page = page_of_class(id); !page.empty()) return page;
  if (const auto code = error_code_in(id)) return page_of_code(*code, library.registry);
  return "";
}

std::vector<std::string> all_names(const Library& library) {
  std::vector<std::string> names = finding_words();
  for (std::string& word : report_words(library)) names.push_back(std::move(word));
  for (const spec::Requirement& requirement : library.registry.all())
    names.push_back(requirement.id);
  for (const suite::Case& scenario : library.suite.cases) names.push_back(scenario.id);
  for (const oracle::Oracle& one : oracle::oracles()) names.push_back(one.name);
  for (const spec::MessageRow& message : spec::protocol().messages()) names.push_back(message.name);
  for (const spec::TypeRow* type : spec::protocol().types()) names.push_back(type->name);
  return names;
}

int explain(const Asked& asked) {
  const Result<Library> library = load_library(asked.suite, asked.cases);
  if (!library) return complain(library.error(), kUsage);
  Result<std::string> page = page_of_data(asked, *library);
  if (!page) return complain(page.error(), kUsage);
  if (page->empty()) *page = page_of_protocol(asked.id, *library);
  if (page->empty()) *page = page_of_word(asked.id, *library);
  if (page->empty())
    return complain(Error{"explain", "there is nothing named `" + printable(asked.id) + "`",
                          did_you_mean(asked.id, all_names(*library),
                                       "`rpcspec list cases` and `rpcspec list requirements` name "
                                       "them")},
                    kUsage);
  std::fwrite(page->data(), 1, page->size(), stdout);
  return kOk;
}

struct FrameOptions {
  std::string text, profile, transport = "stdio";
  bool before_handshake = false;
};

// What the grade of an outcome means to who reads it.
const char* verdict_of(spec::Grade grade) {
  switch (grade) {
    case spec::Grade::kLawful: return "lawful";
    case spec::Grade::kTolerated: return "tolerated, with a warning";
    case spec::Grade::kWrong: return "wrong";
  }
  return "";
}

void explain_expectation(const spec::Expectation& expected, const std::string& indent) {
  if (expected.notification()) {
    fmt::print("{}nothing    allowed; a notification gets no response\n", indent);
    return;
  }
  fmt::print("{}result     {}\n", indent, verdict_of(expected.result()));
  std::vector<int> codes = {-32700, -32600, -32601, -32602, -32603};
  for (const int code : codes)
    fmt::print("{}{}     {}\n", indent, code, verdict_of(expected.error(code)));
  // A code nobody defined stands for all others.
  fmt::print("{}any other  {}\n", indent, verdict_of(expected.error(1)));
  if (expected.silence() == spec::Grade::kLawful && expected.sound())
    fmt::print("{}silence    not judged: the method may still be running\n", indent);
  else
    fmt::print("{}silence    {}\n", indent, verdict_of(expected.silence()));
  if (expected.may_lose_id())
    fmt::print("{}id         that of the message if it can be read, else null\n", indent);
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
    fmt::print("{}the message is valid{}\n", indent,
               expected.notification() ? "" : " as a message; what the method allows is below");
}

// What one row asks for, and the clause that another reply breaks.
void explain_row(const std::string& known, const spec::AnswerRow& row,
                 const spec::Situation& situation, const spec::Registry& registry) {
  fmt::print("    {}: {}\n", known, spec::words_of(row));
  std::vector<const char*> clauses;
  for (const std::string& clause : row.covers) clauses.push_back(clause.c_str());
  if (const spec::Requirement* clause =
          spec::strongest(clauses, registry, *situation.profile, situation.transport))
    fmt::print("      {} ({}): {}\n", clause->id,
               spec::level_name(spec::level_in(*clause, *situation.profile)), clause->statement);
}

// A sound request to a known method: what is wrong with its params whatever was said before, and
// what else would decide.
void explain_feature(const json::Value& request, const spec::Situation& situation,
                     const spec::Registry& registry) {
  const json::Value* method = request.is_object() ? request.find("method") : nullptr;
  const spec::MessageRow* message =
      method != nullptr && method->is_string()
          ? situation.profile->protocol().find(method->text, *situation.profile)
          : nullptr;
  if (message == nullptr || message->notification) return;
  const spec::Known nothing(*situation.profile);
  const auto expected = spec::expect_feature(*situation.profile, nothing, request);
  std::set<const spec::AnswerRow*> told;
  fmt::print("\n  of its params\n");
  for (const auto* some : {&expected.objections(), &expected.promises()}) {
    for (const spec::Objection& one : *some) {
      if (one.row == nullptr || !told.insert(one.row).second) continue;
      explain_row(spec::words_of(one), *one.row, situation, registry);
    }
  }
  if (told.empty()) fmt::print("    no error is known: any result and any error are allowed\n");
  bool head = false;
  for (const spec::AnswerRow& row : message->answers) {
    using Kind = spec::AnswerRow::Kind;
    const bool params_tell =
        row.at.empty() && (row.kind == Kind::kMissing || row.kind == Kind::kWrong);
    if (params_tell || !row.reach.has(*situation.profile) || told.contains(&row)) continue;
    if (!std::exchange(head, true))
      fmt::print("\n  judged by what was declared, listed and sent before\n");
    explain_row("where " + spec::situation_of(row), row, situation, registry);
  }
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
              "they are " + listed(wire::transport_names())},
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
  if (expected.sound() && expected.has_id()) explain_feature(message.value, situation, *registry);
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

Command command_explain(const Invocation& invocation) {
  struct ExplainOptions {
    Asked asked;
    FrameOptions frame;
  };
  auto options = std::make_shared<ExplainOptions>();
  Command command{"explain",
                  "Explain a case, requirement, oracle, method, type, error code or finding"};
  command.add({
      {"id", &options->asked.id},
      {"--frame", &options->frame.text},
      {"--profile", &options->frame.profile},
      {"--transport", &options->frame.transport},
      {"--before-handshake", &options->frame.before_handshake},
      {"--cases", &options->asked.cases},
      {"--suite", &options->asked.suite},
  });
  command.action = [options, &invocation] {
    if (invocation.has("--frame")) return explain_frame(options->frame);
    if (options->asked.id.empty())
      return complain(Error{"explain", "nothing to explain", "name something, or use --frame"},
                      kUsage);
    return explain(options->asked);
  };
  return command;
}

}  // namespace harness::cli
