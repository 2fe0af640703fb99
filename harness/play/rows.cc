// SPDX-License-Identifier: Apache-2.0
#include "harness/play/rows.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/text.h"
#include "harness/contract/in_use.h"
#include "harness/json/write.h"
#include "harness/target/made_arguments.h"
#include "harness/target/made_uris.h"
#include "harness/target/synthesis.h"

namespace harness::run {
namespace {

// Of a loop over arguments: tools, more of them where each is called once or a few times, and
// instances of each.
constexpr std::size_t kMostTools = 24;
constexpr std::size_t kMostCalled = 96;
constexpr std::size_t kMostInstances = 12;

bool chosen_to_succeed(target::Arguments kind) {
  return kind == target::Arguments::kValid || kind == target::Arguments::kMinimal;
}

// The arguments that keep a tool short which otherwise takes its time; null where nobody named any.
const json::Value* short_arguments(const Offer& offer, const std::string& tool) {
  for (const char* affordance : {"tool.slow", "tool.progress"}) {
    const json::Value* told = offer.affordances.find(affordance);
    const json::Value* name = told ? told->find("name") : nullptr;
    if (name && name->text == tool) return told->find("arguments");
  }
  return nullptr;
}

// Of such a tool, what is valid is what keeps it short: by others it may take as long as it likes.
std::vector<target::Instance> instances_of(const Offer& offer, const std::string& tool,
                                           const json::Value& schema, target::Arguments kind) {
  const json::Value* told = chosen_to_succeed(kind) ? short_arguments(offer, tool) : nullptr;
  if (told) return {{*told, "with arguments that keep it short", "", ""}};
  return target::synthesise(schema, kind).instances;
}

// So many at most, of every place in the arguments as many as of another: a server may look at the
// first of them alone.
std::vector<target::Instance> spread(std::vector<target::Instance> all, std::size_t most) {
  if (all.size() <= most) return all;
  std::map<std::string, std::size_t> seen;
  std::multimap<std::size_t, target::Instance> rounds;
  for (target::Instance& one : all) {
    const std::size_t round = seen[one.where]++;
    rounds.emplace(round, std::move(one));
  }
  std::vector<target::Instance> some;
  for (auto& [round, one] : rounds)
    if (some.size() < most) some.push_back(std::move(one));
  return some;
}

// Arguments made from the inputSchemas of tools that may be called.
Rows rows_of_arguments(const suite::Case& scenario, const Offer& offer,
                       const std::vector<json::Value>& rows) {
  Rows out;
  const target::Arguments kind = target::arguments_kind(scenario.for_each_kind);
  const auto& of = scenario.for_each_of;
  struct Called {
    const json::Value* tool;
    std::vector<target::Instance> instances;
  };
  std::vector<Called> called;
  for (const json::Value& tool : offer.tools.items) {
    const json::Value* name = tool.find("name");
    const json::Value* schema = tool.find("inputSchema");
    if (!name || !name->is_string() || !schema) continue;
    if (offer.forbidden.contains(name->text)) {
      out.withheld.insert(name->text);
      continue;
    }
    std::vector<target::Instance> instances = instances_of(offer, name->text, *schema, kind);
    std::erase_if(instances, [&](const target::Instance& one) {
      return !of.empty() && std::find(of.begin(), of.end(), one.keyword) == of.end();
    });
    if (!instances.empty()) called.push_back({&tool, std::move(instances)});
  }
  const Spread some(called.size(), chosen_to_succeed(kind) ? kMostCalled : kMostTools);
  bool cut = !some.whole();
  for (std::size_t i = 0; i < some.size(); ++i) {
    auto& [tool, instances] = called[some[i]];
    const json::Value& name = *tool->find("name");
    cut |= instances.size() > kMostInstances;
    for (const target::Instance& one : spread(std::move(instances), kMostInstances)) {
      for (json::Value row : rows) {
        row.set(scenario.for_each_name, json::object({{"tool", *tool},
                                                      {"name", name},
                                                      {"arguments", one.value},
                                                      {"what", json::string(one.what)}}));
        row.set("row", json::string(name.text + " " + one.what));
        out.rows.push_back(std::move(row));
      }
    }
  }
  if (cut) out.note = "only some of the possible arguments were played";
  if (out.rows.empty() && out.withheld.empty())
    out.not_applicable = "no tool's inputSchema gives " + scenario.for_each_kind + " arguments" +
                         (scenario.for_each_of.empty() ? "" : " of this kind");
  return out;
}

// One thing a loop binds its name to, and what a report calls it.
struct Bound {
  json::Value value;
  std::string what;
};

std::vector<Bound> bound_uris(const suite::Case& scenario, const Offer& offer) {
  std::vector<std::string> values;
  for (const json::Value& one : scenario.for_each_values) values.push_back(one.text);
  std::vector<Bound> out;
  for (const target::MadeUri& one :
       target::made_uris(offer, target::uris_kind(scenario.for_each_kind), values))
    out.push_back({json::object({{"uri", json::string(one.uri)},
                                 {"template", one.made_of},
                                 {"value", json::string(one.value)},
                                 {"listed", json::boolean(one.listed)},
                                 {"what", json::string(one.what)}}),
                   one.what});
  return out;
}

std::vector<Bound> bound_arguments(const suite::Case& scenario, const Offer& offer) {
  std::vector<Bound> out;
  for (const target::PromptArguments& one : target::prompt_arguments(
           offer, target::arguments_kind(scenario.for_each_kind), scenario.for_each_values))
    out.push_back({json::object({{"prompt", one.prompt},
                                 {"name", *one.prompt.find("name")},
                                 {"arguments", one.arguments},
                                 {"all", one.all},
                                 {"argument", json::string(one.argument)},
                                 {"value", one.value},
                                 {"what", json::string(one.what)}}),
                   one.what});
  return out;
}

std::vector<Bound> bound_completions(const Offer& offer) {
  std::vector<Bound> out;
  for (const target::Completable& one : target::completables(offer))
    out.push_back({json::object({{"ref", one.ref},
                                 {"name", json::string(one.name)},
                                 {"context", one.context},
                                 {"what", json::string(one.what)}}),
                   one.what});
  return out;
}

// An item by whose name or URI nobody can ask is left to the oracles, which judge its shape.
bool can_be_asked_for(const std::string& list, const json::Value& item) {
  const char* key = list == "tools" || list == "prompts" ? "name"
                    : list == "resources"                ? "uri"
                    : list == "templates"                ? "uriTemplate"
                                                         : nullptr;
  const json::Value* named = key && item.is_object() ? item.find(key) : nullptr;
  return !key || (named && named->is_string());
}

// Of a long list some, evenly spread. False: some were left out.
bool bound_items(const suite::Case& scenario, const json::Value& list, std::vector<Bound>& out) {
  std::vector<const json::Value*> items;
  for (const json::Value& item : list.items)
    if (can_be_asked_for(scenario.for_each_list, item)) items.push_back(&item);
  const bool every = scenario.for_each_list == "tools";
  const Spread spread(items.size(), every ? items.size() : Spread::kMost);
  for (std::size_t i = 0; i < spread.size(); ++i) {
    const json::Value& item = *items[spread[i]];
    const json::Value* name = item.is_object() ? item.find("name") : &item;
    if (!name) name = item.find("method");
    out.push_back({item, scenario.for_each_name + " " + (name ? name->text : "")});
  }
  return spread.whole();
}

}  // namespace

Rows rows_of(const suite::Case& scenario, const Offer& offer) {
  Rows out;
  std::vector<json::Value> rows = scenario.table;
  if (rows.empty()) rows.push_back(json::object());
  const std::string& of = scenario.for_each_list;
  if (scenario.for_each_name.empty()) return {std::move(rows), "", "", "", "", {}};
  if (of == "arguments") return rows_of_arguments(scenario, offer, rows);
  std::vector<Bound> all;
  if (of == "uris") {
    all = bound_uris(scenario, offer);
  } else if (of == "prompt-arguments") {
    all = bound_arguments(scenario, offer);
  } else if (of == "completions") {
    all = bound_completions(offer);
  } else if (of == "calls") {
    if (offer.contract != nullptr)
      for (const json::Value& call : contract::calls_of(*offer.contract, scenario.for_each_kind))
        all.push_back({call, call.find("what")->text});
  } else {
    const json::Value* named = json::at(offer.affordances, "/methods/list");
    const json::Value* known = json::at(offer.affordances, "/known_method");
    json::Value none = json::array();
    if (of == "methods" && known) none.items.push_back(*known);
    const json::Value& list = of == "methods"     ? (named ? *named : none)
                              : of == "tools"     ? offer.tools
                              : of == "resources" ? offer.resources
                              : of == "templates" ? offer.templates
                              : of == "versions"  ? offer.versions
                                                  : offer.prompts;
    if (!bound_items(scenario, list, all))
      out.note = "not all " + of + " that are listed were played";
    if (all.empty()) {
      out.inconclusive = "the target lists no " + of;
    }
  }
  for (const Bound& bound : all) {
    for (json::Value row : rows) {
      const json::Value* named = row.find("row");
      row.set("row", json::string((named ? named->text + ", " : "") + bound.what));
      row.set(scenario.for_each_name, bound.value);
      out.rows.push_back(std::move(row));
    }
  }
  if (all.empty() && out.inconclusive.empty())
    out.not_applicable =
        of == "completions" ? "the target lists nothing that can be completed"
        : of == "calls"
            ? "no described method that may be called gives such calls: " + scenario.for_each_kind
        : of == "uris"
            ? "no listed resource or template gives URIs of this kind: " + scenario.for_each_kind
            : "no listed prompt gives " + scenario.for_each_kind + " arguments";
  return out;
}

std::string label_of(const suite::Case& scenario, const json::Value& row) {
  if (scenario.table.size() <= 1 && scenario.for_each_name.empty()) return "";
  if (const json::Value* name = row.find("row")) return name->text;
  std::string label;
  for (const json::Member& member : row.members) {
    if (member.name == "when") continue;
    const std::string text =
        member.value.is_string() ? member.value.text : json::write(member.value);
    label += (label.empty() ? "" : ", ") + member.name + " = " + printable(text, 60);
  }
  return label;
}

}  // namespace harness::run
