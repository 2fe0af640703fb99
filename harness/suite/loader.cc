// SPDX-License-Identifier: Apache-2.0
// Files to Suite: shapes and outcome sets first, because cases name them; then the head of every
// case here, its steps in steps.cc and outcomes.cc.
#include "harness/suite/loader.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "harness/base/text.h"
#include "harness/contract/in_use.h"
#include "harness/json/yaml.h"
#include "harness/match/table.h"
#include "harness/spec/profile.h"
#include "harness/suite/case_traits.h"
#include "harness/suite/check.h"
#include "harness/suite/checker.h"
#include "harness/suite/own_clauses.h"
#include "harness/suite/step_reader.h"
#include "harness/suite/when.h"

namespace harness::suite {
namespace {

constexpr std::size_t kMostErrors = 10;

// One Error out of many: the first as it is, or up to ten, a line each.
Error joined(const std::vector<Error>& errors) {
  if (errors.size() == 1) return errors.front();
  std::string text;
  for (std::size_t i = 0; i < errors.size() && i < kMostErrors; ++i)
    text += (i == 0 ? "" : "\n") + errors[i].text();
  if (errors.size() > kMostErrors)
    text += "\n… and " + std::to_string(errors.size() - kMostErrors) + " more";
  return {"", text, ""};
}

bool begins_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}
bool ends_with(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

const std::vector<Field>& head_fields() {
  static const std::vector<Field> kFields = {{"title", Type::kText, true},
                                             {"case", Type::kText},
                                             {"covers", Type::kTexts},
                                             {"clause", Type::kMapping},
                                             {"profiles", Type::kTexts},
                                             {"transports", Type::kTexts},
                                             {"session", Type::kText},
                                             {"requires", Type::kList},
                                             {"falsified_by", Type::kTexts},
                                             {"table", Type::kList},
                                             {"growing", Type::kFlag},
                                             {"survey", Type::kFlag},
                                             {"for_each", Type::kMapping},
                                             {"answers", Type::kMapping},
                                             {"client_capabilities", Type::kMapping},
                                             {"steps", Type::kList, true}};
  return kFields;
}

void read_covers(Checker& checker, const json::Value& list, Case& out) {
  if (list.items.empty()) checker.complain(list.mark, "'covers' names no requirement");
  for (const auto& id : list.items) {
    checker.requirement(id);
    if (std::count(out.covers.begin(), out.covers.end(), id.text) != 0)
      checker.complain(id.mark, "requirement '" + id.text + "' is covered twice", "remove one");
    out.covers.push_back(id.text);
  }
}

// A rule of the user's own; add_own_clauses() has added it.
void read_clause(Checker& checker, const json::Value& clause, const std::string& path, Case& out) {
  checker.fields(clause, "'clause'",
                 {{"id", Type::kText},
                  {"level", Type::kText, true},
                  {"statement", Type::kText, true},
                  {"source", Type::kText}});
  if (const auto* level = clause.find("level"))
    checker.word(*level, "level", {"MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY"});
  out.covers.insert(out.covers.begin(), own_clause_id(clause, path));
}

void read_session(Checker& checker, const json::Value& value, Case& out) {
  if (!checker.word(value, "session", {"ready", "own", "bare", "fresh", "disposable"})) return;
  if (value.text == "bare") out.need = Need::kBare;
  if (value.text == "own") out.need = Need::kOwn;
  if (value.text == "fresh") out.need = Need::kFresh;
  if (value.text == "disposable") out.need = Need::kDisposable;
}

void read_requires(Checker& checker, const json::Value& list, Case& out) {
  for (const auto& entry : list.items) {
    if (!entry.is_object() || entry.members.size() != 1 ||
        !entry.members.front().value.is_string()) {
      checker.complain(entry.mark, "an entry of 'requires' must be one key and a name",
                       "write capability: tools, affordance: tool.slow, era: dual, http: sessions "
                       "or auth: bearer");
      continue;
    }
    const auto& [kind, name, mark] = entry.members.front();
    json::Value word = json::string(kind);
    word.mark = mark;
    if (!checker.word(word, "requirement of the target",
                      {"capability", "affordance", "era", "http", "auth"}))
      continue;
    if (kind == "http") checker.word(name, "use of HTTP", {"sessions", "loopback"});
    if (kind == "auth")
      checker.word(name, "kind of credentials",
                   {"none", "any", "bearer", "api_key", "custom", "signed", "demanded", "metadata",
                    "named-metadata", "scopes", "dpop"});
    if (kind == "era") checker.word(name, "era", {"modern-only", "dual"});
    if (name.text.empty()) checker.complain(name.mark, "'" + kind + "' must name one");
    out.gates.push_back({kind, name.text});
  }
}

void read_faults(Checker& checker, const json::Value& list, Case& out) {
  for (const auto& item : list.items) {
    const bool sound =
        !item.text.empty() && std::all_of(item.text.begin(), item.text.end(), [](char c) {
          return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
        });
    if (!sound) checker.complain(item.mark, "'" + item.text + "' is not the name of a fault");
    out.falsified_by.push_back(item.text);
  }
}

void read_table(Checker& checker, const json::Value& list, Case& out) {
  if (list.items.empty())
    checker.complain(list.mark, "'table' has no rows", "remove it, or add a row");
  for (const auto& row : list.items) {
    if (!checker.type(row, "a row of 'table'", Type::kMapping)) continue;
    if (const auto* name = row.find("row")) checker.type(*name, "'row'", Type::kScalar);
    if (const auto* when = row.find("when")) checker.when_of_row(*when);
    out.table.push_back(row);
  }
  checker.columns(out.table);
}

// A loop over what is made from lists: arguments of tools or prompts, or URIs.
void read_made(Checker& checker, const json::Value& list, Case& out) {
  if (!checker.fields(list, "the list",
                      {{"arguments", Type::kScalar},
                       {"uris", Type::kScalar},
                       {"calls", Type::kScalar},
                       {"from", Type::kScalar},
                       {"of", Type::kTexts},
                       {"values", Type::kList}}))
    return;
  if (const json::Value* calls = list.find("calls"); calls && list.members.size() == 1) {
    checker.word(*calls, "kind of calls", contract::call_kinds());
    out.for_each_list = "calls";
    out.for_each_kind = calls->text;
    return;
  }
  const json::Value* arguments = list.find("arguments");
  const json::Value* uris = list.find("uris");
  const json::Value* from = list.find("from");
  const json::Value* of = list.find("of");
  const json::Value* values = list.find("values");
  if ((arguments == nullptr) == (uris == nullptr)) {
    checker.complain(list.mark, "the list does not say which arguments or URIs to make",
                     "write {arguments: valid} or {uris: unknown}");
    return;
  }
  const json::Value& kind = arguments != nullptr ? *arguments : *uris;
  out.for_each_kind = kind.text;
  out.for_each_of = texts(of);
  if (values != nullptr) out.for_each_values = values->items;
  const bool prompts = from != nullptr && from->text == "prompts";
  if (uris != nullptr) {
    checker.word(kind, "kind of URIs", {"unknown", "expanded", "escaping"});
    if (from != nullptr) checker.complain(from->mark, "'from' goes with arguments");
  } else {
    checker.word(kind, "kind of arguments", {"valid", "minimal", "boundary", "broken"});
    if (from != nullptr) checker.word(*from, "source of arguments", {"tools", "prompts"});
  }
  out.for_each_list = uris != nullptr ? "uris" : prompts ? "prompt-arguments" : "arguments";
  if (of != nullptr && (uris != nullptr || prompts))
    checker.complain(of->mark, "'of' goes with arguments of tools");
  else if (of != nullptr && kind.text != "boundary" && kind.text != "broken")
    checker.complain(of->mark, "'of' goes with boundary and broken arguments");
  if (values != nullptr && kind.text != "expanded" && !(prompts && kind.text == "valid"))
    checker.complain(values->mark,
                     "'values' goes with expanded URIs and valid arguments of prompts");
}

void read_loop(Checker& checker, const json::Value& loop, Case& out) {
  if (loop.members.size() != 1) {
    checker.complain(loop.mark, "'for_each' binds one name", "write {tool: tools}");
    return;
  }
  const auto& [name, list, mark] = loop.members.front();
  checker.define(name, mark, "the loop variable");
  out.for_each_name = name;
  if (list.is_object()) return read_made(checker, list, out);
  checker.word(
      list, "list",
      {"tools", "resources", "templates", "prompts", "versions", "completions", "methods"});
  out.for_each_list = list.text;
}

// The clauses of the case that count over the transport, under a profile that it is for.
std::vector<std::string_view> counting(const Case& item, const spec::Registry& registry,
                                       const spec::Profile& profile,
                                       wire::TransportKind transport) {
  std::vector<std::string_view> out;
  if (!item.transports.has(transport)) return out;
  if (!item.profiles.empty() && std::none_of(item.profiles.begin(), item.profiles.end(),
                                             [&](const auto& s) { return profile.is(s); }))
    return out;
  for (const std::string& id : item.covers) {
    const auto* requirement = registry.find(id);
    if (requirement != nullptr && spec::applies(*requirement, profile, transport))
      out.push_back(id);
  }
  return out;
}

// Whether the case can be played over the transport, in some profile.
bool plays_on(const Case& item, const spec::Registry& registry, wire::TransportKind transport) {
  const auto& all = spec::judged_profiles();
  return std::any_of(all.begin(), all.end(), [&](const spec::Profile& profile) {
    return !counting(item, registry, profile, transport).empty();
  });
}

void read_head(Checker& checker, const json::Value& root, const std::string& path, Case& out) {
  if (const auto* title = root.find("title")) {
    out.title = title->text;
    if (out.title.empty()) checker.complain(title->mark, "'title' is empty");
  }
  const auto* covers = root.find("covers");
  const auto* clause = root.find("clause");
  if (covers) read_covers(checker, *covers, out);
  if (clause) read_clause(checker, *clause, path, out);
  if (!covers && !clause)
    checker.complain(
        root.mark, "the case has no 'covers'",
        "add covers: [ID] (`rpcspec list requirements`), or a rule of your own: clause: "
        "{level: MUST, statement: …}");
  if (const auto* list = root.find("profiles")) checker.profiles(*list);
  if (const auto* list = root.find("transports")) checker.transports(*list);
  out.profiles = texts(root.find("profiles"));
  const std::vector<std::string> transports = texts(root.find("transports"));
  if (!transports.empty()) out.transports = {};
  for (const std::string& word : transports)
    out.transports.add(wire::transports_selected(word).value_or(wire::TransportSet()));
  if (const auto* value = root.find("session")) read_session(checker, *value, out);
  if (const auto* list = root.find("requires")) read_requires(checker, *list, out);
  if (const auto* list = root.find("falsified_by")) read_faults(checker, *list, out);
  if (const auto* loop = root.find("for_each")) read_loop(checker, *loop, out);
  if (const auto* list = root.find("table")) read_table(checker, *list, out);
  if (const auto* flag = root.find("growing")) out.growing = flag->boolean;
  if (const auto* flag = root.find("survey")) out.survey = flag->boolean;
  if (const auto* answers = root.find("answers")) out.answers = read_answers(checker, *answers);
  if (const auto* declared = root.find("client_capabilities")) out.client_capabilities = *declared;
  checker.answering(true);
  for (const auto* value :
       {root.find("table"), root.find("answers"), root.find("client_capabilities")})
    if (value != nullptr) checker.references(*value);
  checker.answering(false);
}

// Whether an outcome fails or warns and does not say what it breaks.
bool leaves_open(const Outcomes& reply, const OutcomeSets& sets) {
  if (reply.by_row)
    return std::any_of(reply.by_row->of.begin(), reply.by_row->of.end(),
                       [&](const auto& one) { return leaves_open(one.second, sets); });
  const auto named = sets.find(reply.set);
  const Outcomes& all = named == sets.end() ? reply : named->second;
  const auto open = [](const Outcome& one) { return one.breaks.empty(); };
  return std::any_of(all.warn.begin(), all.warn.end(), open) ||
         std::any_of(all.fail.begin(), all.fail.end(), open);
}

// Whether several clauses of one specification count somewhere that the step is for. Of one that
// MCP takes over from JSON-RPC both say the same.
bool several_count(const Case& item, const Step& step, const spec::Registry& registry) {
  for (const spec::Profile& profile : spec::judged_profiles()) {
    for (const wire::TransportTraits& row : wire::kTransports) {
      if (!row.of_targets || (step.when && !applies(*step.when, profile, row.kind))) continue;
      std::set<std::string_view> of;
      for (const std::string_view id : counting(item, registry, profile, row.kind))
        if (!of.insert(id.substr(0, id.find('.'))).second) return true;
    }
  }
  return false;
}

// Whether whatever the step cites is a MAY.
bool cites_may(const Case& item, const Step& step, const spec::Registry& registry) {
  const auto is_may = [&](const std::string& id) {
    const auto* requirement = registry.find(id);
    return requirement != nullptr && spec::is_may(requirement->level);
  };
  if (!step.covers.empty()) return is_may(step.covers);
  return !item.covers.empty() && std::all_of(item.covers.begin(), item.covers.end(), is_may);
}

// Of several clauses only the step or the outcome can say which is broken, and none breaks a MAY.
void name_clauses(Checker& checker, const Case& item, const std::vector<Step>& steps,
                  const OutcomeSets& sets) {
  for (const Step& step : steps) {
    if (const auto* together = action_of<Pipelined>(step))
      name_clauses(checker, item, together->steps, sets);
    bool open = step.reply && leaves_open(*step.reply, sets);
    if (const auto* await = action_of<Await>(step))
      for (const Await::One& one : await->all) open = open || leaves_open(one.reply, sets);
    if (open && cites_may(item, step, checker.known().registry))
      checker.complain(step.mark, "an outcome fails or warns, and a MAY cannot be broken",
                       "give the outcome 'breaks', or make it a note");
    else if (open && item.covers.size() > 1 && step.covers.empty() &&
             several_count(item, step, checker.known().registry))
      checker.complain(step.mark, "an outcome could break one of several clauses",
                       "give the step 'covers', or the outcome 'breaks'");
  }
}

// Those members of the head that have the right type.
json::Value sound_part(const json::Value& root, const std::string& file, const Known& known) {
  json::Value out = json::object();
  out.mark = root.mark;
  for (const json::Member& member : root.members)
    for (const Field& field : head_fields()) {
      Checker quiet(file, known);
      if (member.name == field.name && quiet.type(member.value, field.name, field.type))
        out.members.push_back(member);
    }
  return out;
}

// Takes the name of a case of a file; `ids` has those of the cases before it.
void read_name(Checker& checker, const CaseText& text, bool alone, const std::string& id,
               std::set<std::string>& ids) {
  const json::Value* name = text.said.is_object() ? text.said.find("case") : nullptr;
  const json::Value& at = name == nullptr ? text.said : *name;
  if (name == nullptr ? !alone : !is_case_name(*name))
    checker.complain(at.mark, name ? "'case' is not a name" : "the case has no 'case'",
                     "name each case of a file: case: string-echo");
  else if (!ids.insert(id).second)
    checker.complain(at.mark, "there is another case '" + id + "'", "choose another name");
}

// `out` has the id and the file.
std::vector<Error> read_case(Checker& checker, const CaseText& text, const Known& known,
                             const OutcomeSets& sets, Case& out) {
  const json::Value* root = &text.said;
  checker.fields(*root, "the case", head_fields());
  const json::Value head = sound_part(*root, out.file, known);
  // One mistake does not hide another; of steps alone nothing can be said.
  if (head.find("steps") == nullptr) return checker.errors();
  read_head(checker, head, text.path, out);
  const bool head_is_sound = checker.errors().empty();

  Surroundings around;
  around.bare = out.need == Need::kBare;
  for (const Requires& gate : out.gates)
    if (gate.kind == "affordance") around.affordances.insert(gate.name);
  for (const wire::TransportTraits& row : wire::kTransports)
    if (row.of_targets && (!head_is_sound || plays_on(out, known.registry, row.kind)))
      around.transports.add(row.kind);
  if (around.transports.empty()) {
    const json::Value* covers = root->find("covers");
    checker.complain(covers ? covers->mark : root->mark,
                     "no clause of 'covers' applies in any of the case's profiles and transports",
                     "change 'covers', 'profiles' or 'transports'");
  }
  const json::Value& steps = *head.find("steps");
  out.steps = StepReader(checker, std::move(around)).steps(steps);
  out.references = checker.all_references();
  const bool answers_change = std::any_of(out.steps.begin(), out.steps.end(),
                                          [](const Step& one) { return !!one.answers; });
  if (answers_change && !out.answers) out.answers.emplace();
  if (checker.errors().empty() && std::none_of(out.steps.begin(), out.steps.end(), judges)) {
    checker.complain(steps.mark, "the case judges nothing",
                     "add a reply, expect, silence, compare, or canary: true");
  }
  name_clauses(checker, out, out.steps, sets);
  return checker.errors();
}

// Adds the cases of the file that are without a mistake; ids are paths without the first
// `above_ids` bytes.
void read_cases(const SourceFile& file, std::size_t above_ids, const Known& known,
                const OutcomeSets& sets, std::set<std::string>& ids, Checked& out) {
  const Result<std::vector<CaseText>> cases = cases_of(file);
  if (!cases) return out.errors.push_back(cases.error());
  for (const CaseText& one : *cases) {
    Case item;
    item.id = one.path.substr(above_ids);
    item.file = file.name;
    Checker checker(file.name, known);
    read_name(checker, one, cases->size() == 1, item.id, ids);
    std::vector<Error> errors = read_case(checker, one, known, sets, item);
    if (errors.empty()) out.cases.push_back(std::move(item));
    for (Error& error : errors) out.errors.push_back(std::move(error));
  }
}

// The outcomes of one grade as a list.
std::vector<json::Value> listed(const json::Value* outcomes) {
  if (outcomes == nullptr) return {};
  return outcomes->is_array() ? outcomes->items : std::vector<json::Value>{*outcomes};
}

// A set that extends an earlier one: in each grade its own outcomes are looked at first.
json::Value extended(const json::Value& set, const json::Value& base) {
  json::Value out = json::object();
  out.mark = set.mark;
  for (const char* grade : {"pass", "note", "warn", "fail"}) {
    std::vector<json::Value> outcomes = listed(set.find(grade));
    for (json::Value& more : listed(base.find(grade))) outcomes.push_back(std::move(more));
    if (!outcomes.empty()) out.set(grade, json::array(std::move(outcomes)));
  }
  return out;
}

// Puts what a set extends into it. `sets` are those above it in the file. False: it cannot be, and
// that was said.
bool extend(Checker& checker, json::Value& set, const json::Value& sets) {
  const json::Value* name = set.is_object() ? set.find("extends") : nullptr;
  if (name == nullptr) return true;
  std::vector<std::string> above;
  for (const auto& member : sets.members) above.push_back(member.name);
  if (!checker.word(*name, "outcome set above this one", above)) return false;
  if (!checker.fields(set, "the set",
                      {{"extends", Type::kText}, {"pass"}, {"note"}, {"warn"}, {"fail"}}))
    return false;
  set = extended(set, *sets.find(name->text));
  return true;
}

// Adds the sets of outcomes.yaml; they may name each other.
std::vector<Error> read_sets(const SourceFile& file, const spec::Registry& registry, Suite& out) {
  auto root = root_of(file);
  if (!root) return {root.error()};
  std::vector<std::string> names;
  for (const auto& member : root->members) names.push_back(member.name);
  const Known known{registry, out.shapes, names};
  Checker checker(file.name, known);
  if (!checker.type(*root, "the file", Type::kMapping)) return checker.errors();
  for (auto& member : root->members) {
    if (!extend(checker, member.value, out.outcomes)) continue;
    out.sets.insert_or_assign(member.name, read_outcomes(checker, member.value));
    checker.references(member.value);
    out.outcomes.set(member.name, member.value);
  }
  return checker.errors();
}

// A text with marks for language servers: cases refer to each of them.
std::vector<Error> check_text(const std::string& file, const json::Value& root,
                              const Known& known) {
  constexpr const char* kTexts[] = {"language", "uri",   "other", "before",
                                    "after",    "error", "word",  "wide_word"};
  constexpr const char* kPlaces[] = {"declared",   "used",   "call",     "keyword",
                                     "blank",      "wide",   "wide_end", "wide_utf8",
                                     "wide_utf32", "inside", "end"};
  Checker checker(file, known);
  std::vector<Field> members = {{"server", Type::kTexts, true},
                                {"identifiers", Type::kFlag, true},
                                {"emoji", Type::kMapping, true}};
  for (const char* name : kTexts) members.push_back({name, Type::kText, true});
  for (const char* name : kPlaces) members.push_back({name, Type::kMapping, true});
  if (!checker.fields(root, "the text", members)) return checker.errors();
  const auto place = [&](const json::Value& value, const std::string& name) {
    checker.fields(value, "'" + name + "'",
                   {{"line", Type::kInteger, true}, {"character", Type::kInteger, true}});
  };
  for (const char* name : kPlaces) place(*root.find(name), name);
  const json::Value& emoji = *root.find("emoji");
  if (checker.fields(emoji, "'emoji'", {{"start", Type::kAny, true}, {"end", Type::kAny, true}}))
    for (const json::Member& one : emoji.members) place(one.value, one.name);
  return checker.errors();
}

std::vector<std::string> outcome_names(const json::Value& outcomes) {
  std::vector<std::string> out;
  for (const auto& member : outcomes.members) out.push_back(member.name);
  return out;
}

bool is_case(const SourceFile& file) {
  return begins_with(file.name, "suite/") && ends_with(file.name, ".yaml");
}

SourceFile shown(const SourceFile& file, const std::string& below) {
  return {below + file.name, file.text, file.is_json};
}

}  // namespace

Result<Suite> load(const std::vector<SourceFile>& files, const spec::Registry& registry,
                   const std::string& shown_below) {
  Suite suite;
  std::vector<Error> errors;
  const auto keep = [&](std::vector<Error> more) {
    errors.insert(errors.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
  };

  for (const auto& file : files) {
    if (!begins_with(file.name, "shapes/") || !ends_with(file.name, ".yaml")) continue;
    const auto source = shown(file, shown_below);
    auto root = root_of(source);
    auto status = root ? suite.shapes.add(*root, source.name) : Status(root.error());
    if (!status) keep({status.error()});
  }
  if (auto status = suite.shapes.check(); !status) keep({status.error()});

  json::Value documents = json::array();
  for (const auto& file : files) {
    if (file.name == "outcomes.yaml") {
      keep(read_sets(shown(file, shown_below), registry, suite));
    } else if (file.name == "fixtures.yaml") {
      auto root = root_of(shown(file, shown_below));
      if (root)
        suite.fixtures = std::move(*root);
      else
        keep({root.error()});
    } else if (begins_with(file.name, "languages/")) {
      auto root = root_of(shown(file, shown_below));
      if (!root) {
        keep({root.error()});
        continue;
      }
      keep(check_text(shown(file, shown_below).name, *root, {registry, suite.shapes, {}}));
      documents.items.push_back(std::move(*root));
    }
  }
  if (!documents.items.empty()) suite.fixtures.set("document", std::move(documents));

  const Known known{registry, suite.shapes, outcome_names(suite.outcomes)};
  constexpr std::string_view kAboveIds = "suite/";
  Checked checked;
  std::set<std::string> ids;
  for (const auto& file : files)
    if (is_case(file))
      read_cases(shown(file, shown_below), shown_below.size() + kAboveIds.size(), known, suite.sets,
                 ids, checked);
  keep(std::move(checked.errors));
  if (!errors.empty()) return joined(errors);
  suite.cases = std::move(checked.cases);
  const auto by_id = [](const Case& a, const Case& b) { return a.id < b.id; };
  if (!std::is_sorted(suite.cases.begin(), suite.cases.end(), by_id))
    std::sort(suite.cases.begin(), suite.cases.end(), by_id);
  return suite;
}

Result<std::vector<Case>> load_user_cases(const std::string& folder, const Suite& suite,
                                          const spec::Registry& registry) {
  auto files = read_folder(folder);
  if (!files) return files.error();
  if (files->empty()) {
    return Error{folder, "the folder holds no case files",
                 "cases are files that end in .yaml or .io"};
  }
  const std::string below = folder.empty() || folder.back() == '/' ? folder : folder + "/";
  return load_user_cases(*files, suite, registry, below);
}

Result<std::vector<Case>> load_user_cases(const std::vector<SourceFile>& files, const Suite& suite,
                                          const spec::Registry& registry,
                                          const std::string& shown_below) {
  std::vector<SourceFile> named;
  for (const auto& file : files) named.push_back(shown(file, shown_below));
  Checked checked = check_cases(named, suite, registry);
  if (!checked.errors.empty()) return joined(checked.errors);
  for (Case& item : checked.cases) item.id.erase(0, shown_below.size());
  return std::move(checked.cases);
}

Checked check_cases(const std::vector<SourceFile>& files, const Suite& suite,
                    const spec::Registry& registry) {
  const Known known{registry, suite.shapes, outcome_names(suite.outcomes)};
  Checked out;
  std::set<std::string> ids;
  for (const auto& file : files) read_cases(file, 0, known, suite.sets, ids, out);
  return out;
}

}  // namespace harness::suite
