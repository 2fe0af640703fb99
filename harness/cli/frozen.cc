// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/frozen.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "harness/base/text.h"
#include "harness/cli/names.h"
#include "harness/json/yaml.h"

namespace harness::cli {
namespace {

using Names = std::set<std::string>;

Names clauses_of_scenario(const spec::Official& official, const std::string& name) {
  Names out;
  for (const spec::Official::Scenario& scenario : official.scenarios) {
    if (scenario.name != name) continue;
    for (const std::string& check : scenario.checks) {
      const std::vector<std::string> clauses = official.clauses_of(check);
      out.insert(clauses.begin(), clauses.end());
    }
  }
  return out;
}

std::vector<std::string> names_of(const json::Value& mapping) {
  std::vector<std::string> out;
  for (const json::Member& member : mapping.members) out.push_back(member.name);
  return out;
}

std::vector<std::string> scenario_names(const spec::Official& official) {
  std::vector<std::string> out;
  for (const spec::Official::Scenario& one : official.scenarios) out.push_back(one.name);
  return out;
}

Result<std::vector<std::string>> clauses_of_entry(const std::string& file, const json::Value& entry,
                                                  const spec::Official& official) {
  if (!entry.is_string() || entry.text.empty())
    return json::wrong_at(file, entry, "an entry is `SCENARIO` or `SCENARIO:CHECK`",
                          "write it without a space after the colon");
  const std::size_t colon = entry.text.find(':');
  const std::string scenario = entry.text.substr(0, colon);
  const auto row = std::find_if(official.scenarios.begin(), official.scenarios.end(),
                                [&](const auto& one) { return one.name == scenario; });
  if (row == official.scenarios.end())
    return json::wrong_at(file, entry, "there is no scenario `" + printable(scenario, 80) + "`",
                          did_you_mean(scenario, scenario_names(official),
                                       "`rpcspec coverage --against official` names them"));
  if (colon == std::string::npos) {
    const Names clauses = clauses_of_scenario(official, scenario);
    return std::vector<std::string>(clauses.begin(), clauses.end());
  }
  const std::string check = entry.text.substr(colon + 1);
  if (std::find(row->checks.begin(), row->checks.end(), check) == row->checks.end())
    return json::wrong_at(
        file, entry, "the scenario " + scenario + " has no check `" + printable(check, 80) + "`",
        did_you_mean(check, row->checks, "`rpcspec explain` knows them"));
  return official.clauses_of(check);
}

}  // namespace

ProfileAtSet split_profile(const std::string& word) {
  const std::size_t at = word.find('@');
  if (at == std::string::npos) return {word, ""};
  return {word.substr(0, at), word.substr(at + 1)};
}

Result<std::string> freeze(const std::string& set, const std::string& option,
                           const std::string& suite_folder, const Library& library,
                           run::Baseline& baseline) {
  const Result<json::Value> sets = load_frozen(suite_folder);
  if (!sets) return sets.error();
  const json::Value* ours = sets->is_object() ? sets->find("cases") : nullptr;
  const json::Value* theirs = sets->is_object() ? sets->find("official") : nullptr;
  const json::Value none = json::object();
  if (const json::Value* cases = (ours ? *ours : none).find(set)) {
    auto ids = std::make_shared<Names>();
    for (const json::Value& id : cases->items) ids->insert(id.text);
    baseline.freeze(
        "the frozen set " + set,
        [ids](const std::string& scenario, const std::string&) { return ids->contains(scenario); });
    return std::string();
  }
  const json::Value* revision = (theirs ? *theirs : none).find(set);
  if (revision == nullptr) {
    std::vector<std::string> known = names_of(ours ? *ours : none);
    for (const std::string& name : names_of(theirs ? *theirs : none)) known.push_back(name);
    return Error{option, "there is no frozen set `" + printable(set, 60) + "`",
                 did_you_mean(set, known, fmt::format("there are {}", fmt::join(known, ", ")))};
  }
  const Result<spec::Official> official = load_official(suite_folder, library.registry);
  if (!official) return official.error();
  auto clauses = std::make_shared<Names>();
  if (const json::Value* scenarios = revision->find("scenarios"))
    for (const json::Value& scenario : scenarios->items)
      clauses->merge(clauses_of_scenario(*official, scenario.text));
  baseline.freeze("the requirements of the official suite for " + set,
                  [clauses](const std::string&, const std::string& requirement) {
                    return clauses->contains(requirement);
                  });
  return "mcp-" + set;
}

Status expect_failures(const std::string& file, const spec::Official& official,
                       run::Baseline& baseline) {
  const Result<json::Value> root = json::read_yaml_file(file);
  if (!root) return root.error();
  if (root->is_null()) return Nothing{};
  const json::Value* server = root->is_object() ? root->find("server") : nullptr;
  if (!root->is_object() || (server == nullptr && root->find("client") == nullptr))
    return json::wrong_at(file, *root, "expected failures are lists under `server` and `client`",
                          "write server: [SCENARIO, SCENARIO:CHECK]");
  if (server == nullptr) return Nothing{};
  if (!server->is_array())
    return json::wrong_at(file, *server, "`server` is a list of scenarios and checks",
                          "write server: [SCENARIO, SCENARIO:CHECK]");
  for (const json::Value& entry : server->items) {
    Result<std::vector<std::string>> clauses = clauses_of_entry(file, entry, official);
    if (!clauses) return clauses.error();
    baseline.expect(entry.text, json::place(file, entry.mark), std::move(*clauses));
  }
  return Nothing{};
}

std::vector<std::string> frozen_scenarios(const std::string& profile,
                                          const std::string& suite_folder) {
  std::vector<std::string> out;
  const Result<json::Value> sets = load_frozen(suite_folder);
  if (!sets || !profile.starts_with("mcp-")) return out;
  const json::Value* listed = nullptr;
  if (const json::Value* official = sets->is_object() ? sets->find("official") : nullptr)
    if (const json::Value* revision = official->find(profile.substr(4)))
      listed = revision->find("scenarios");
  if (listed != nullptr)
    for (const json::Value& name : listed->items) out.push_back(name.text);
  return out;
}

ExpectedFailures expected_failures(const std::vector<run::CaseResult>& results, bool level_should,
                                   const spec::Official& official,
                                   const std::vector<std::string>& usual) {
  Names broken;
  for (const run::CaseResult& result : results)
    for (const oracle::Finding& finding : result.findings)
      if (finding.severity == oracle::Severity::kFail ||
          (level_should && finding.severity == oracle::Severity::kWarn))
        broken.insert(finding.requirement);
  std::map<std::string, std::string> entries;  // with the clauses they are for
  std::string without;
  ExpectedFailures out;
  for (const std::string& clause : broken) {
    const auto marks = official.clauses.find(clause);
    std::string entry, other;
    for (const spec::Official::Scenario& scenario : official.scenarios) {
      const bool expected = std::find(usual.begin(), usual.end(), scenario.name) != usual.end();
      std::string& slot = expected ? entry : other;
      for (const std::string& check : scenario.checks)
        if (slot.empty() && marks != official.clauses.end() &&
            std::find(marks->second.checks.begin(), marks->second.checks.end(), check) !=
                marks->second.checks.end())
          slot = scenario.name + ":" + check;
    }
    if (entry.empty()) entry = other;
    if (entry.empty()) {
      without += "#   " + clause + "\n";
      ++out.without_check;
      continue;
    }
    std::string& about = entries[entry];
    about += (about.empty() ? "" : ", ") + clause;
  }
  out.entries = entries.size();
  out.text =
      "# Expected failures, for the official conformance suite (--expected-failures) and for\n"
      "# rpcspec (likewise), as written by `rpcspec run --write-expected-failures`.\n";
  out.text += entries.empty() ? "server: []\n" : "server:\n";
  for (const auto& [entry, about] : entries)
    out.text += fmt::format("  - {}  # {}\n", entry, about);
  if (!without.empty())
    out.text +=
        "# The official suite has no check for these, which fail here as well; they need a\n"
        "# baseline of rpcspec (--write-baseline):\n" +
        without;
  return out;
}

}  // namespace harness::cli
