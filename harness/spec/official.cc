// SPDX-License-Identifier: Apache-2.0
#include "harness/spec/official.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "harness/base/text.h"
#include "harness/json/yaml.h"

namespace harness::spec {
namespace {

// "sep-2575" → 2575; 0 for anything else.
int sep_number(std::string_view name) {
  constexpr std::string_view kPrefix = "sep-";
  if (!name.starts_with(kPrefix)) return 0;
  name.remove_prefix(kPrefix.size());
  int number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? number : 0;
}

Result<std::vector<std::string>> texts(const json::Value& list, const std::string& name) {
  if (!list.is_array()) return json::wrong_at(name, list, "this is a list of check ids");
  std::vector<std::string> all;
  for (const json::Value& item : list.items) {
    if (!item.is_string() || item.text.empty())
      return json::wrong_at(name, item, "a check id is text");
    all.push_back(item.text);
  }
  return all;
}

Result<Official::Clause> read_clause(const json::Member& member, const std::string& name,
                                     const Registry& registry) {
  if (registry.find(member.name) == nullptr)
    return Error{json::place(name, member.mark),
                 "there is no requirement `" + printable(member.name) + "`", ""};
  const json::Value* seps = member.value.find("sep");
  const json::Value* checks = member.value.find("checks");
  if (seps == nullptr || checks == nullptr || !seps->is_array())
    return json::wrong_at(name, member.value,
                          "a clause has `sep`, a list of numbers, and `checks`");
  Official::Clause clause;
  for (const json::Value& sep : seps->items) {
    const auto number = json::as_integer(sep);
    if (!number || *number <= 0) return json::wrong_at(name, sep, "a SEP is a number");
    clause.seps.push_back(static_cast<int>(*number));
  }
  Result<std::vector<std::string>> ids = texts(*checks, name);
  if (!ids) return ids.error();
  clause.checks = std::move(*ids);
  return clause;
}

// SEPs that no clause may name.
Status read_others(const json::Value& others, const std::string& name, Official& official) {
  for (const json::Member& member : others.members) {
    const int number = sep_number("sep-" + member.name);
    if (number <= 0 || member.value.text.empty())
      return json::wrong_at(name, member.value, "this is a SEP with what it is about");
    if (!official.clauses_of("sep-" + member.name).empty())
      return json::wrong_at(name, member.value, "SEP " + member.name + " stands at a clause");
    official.binds_no_server.emplace(number, member.value.text);
  }
  return Nothing{};
}

}  // namespace

std::vector<std::string> Official::clauses_of(std::string_view name) const {
  const int sep = sep_number(name);
  std::vector<std::string> found;
  for (const auto& [id, clause] : clauses) {
    const bool is =
        sep > 0
            ? std::find(clause.seps.begin(), clause.seps.end(), sep) != clause.seps.end()
            : std::find(clause.checks.begin(), clause.checks.end(), name) != clause.checks.end();
    if (is) found.push_back(id);
  }
  return found;
}

std::string Official::about(std::string_view name) const {
  const auto found = binds_no_server.find(sep_number(name));
  return found == binds_no_server.end() ? "" : found->second;
}

std::vector<std::string> Official::unscheduled() const {
  std::set<std::string> checks;
  for (const auto& [id, clause] : clauses)
    checks.insert(clause.checks.begin(), clause.checks.end());
  for (const Scenario& scenario : scenarios)
    for (const std::string& check : scenario.checks) checks.erase(check);
  return {checks.begin(), checks.end()};
}

Result<Official> read_official(const json::Value& root, const std::string& name,
                               const Registry& registry) {
  Official official;
  const json::Value* suite = root.find("suite");
  const json::Value* scenarios = root.find("scenarios");
  const json::Value* without = root.find("without_clause");
  const json::Value* clauses = root.find("clauses");
  if (suite == nullptr || scenarios == nullptr || without == nullptr || clauses == nullptr)
    return json::wrong_at(name, root,
                          "it has `suite`, `scenarios`, `without_clause` and `clauses`");
  official.suite = suite->text;
  std::set<std::string> known;
  for (const json::Member& member : clauses->members) {
    Result<Official::Clause> clause = read_clause(member, name, registry);
    if (!clause) return clause.error();
    known.insert(clause->checks.begin(), clause->checks.end());
    official.clauses.emplace(member.name, std::move(*clause));
  }
  if (const json::Value* others = root.find("binds_no_server"))
    if (const Status read = read_others(*others, name, official); !read) return read.error();
  for (const json::Member& member : without->members) {
    if (known.contains(member.name))
      return json::wrong_at(name, member.value, "`" + member.name + "` stands at a clause");
    official.without_clause.emplace(member.name, member.value.text);
  }
  for (const json::Member& member : scenarios->members) {
    Result<std::vector<std::string>> checks = texts(member.value, name);
    if (!checks) return checks.error();
    for (const std::string& check : *checks)
      if (!known.contains(check) && !official.without_clause.contains(check))
        return json::wrong_at(name, member.value,
                              "`" + printable(check) + "` has neither a clause nor a reason");
    official.scenarios.push_back({member.name, std::move(*checks)});
  }
  return official;
}

}  // namespace harness::spec
