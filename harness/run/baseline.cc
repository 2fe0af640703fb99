// SPDX-License-Identifier: Apache-2.0
#include "harness/run/baseline.h"

#include <algorithm>
#include <set>

#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/json/yaml.h"

namespace harness::run {
namespace {

bool gates(const oracle::Finding& finding, bool level_should) {
  return finding.severity == oracle::Severity::kFail ||
         (level_should && finding.severity == oracle::Severity::kWarn);
}

}  // namespace

Result<Baseline> Baseline::load(const std::string& path) {
  Result<json::Value> file = json::read_yaml_file(path);
  if (!file) return file.error();
  const json::Value* known = file->is_object() ? file->find("known") : nullptr;
  if (!known || !(known->is_array() || known->is_null()))
    return Error{json::place(path, file->mark), "a baseline is a mapping with the list `known`",
                 "write `known: []`, or let --write-baseline write the file"};
  Baseline baseline;
  for (const json::Value& item : known->items) {
    BaselineEntry entry;
    entry.where = json::place(path, item.mark);
    if (!item.is_object())
      return Error{entry.where, "an entry of `known` is a mapping", "write `- case: ID`"};
    for (const json::Member& member : item.members) {
      std::string* field = member.name == "case"          ? &entry.scenario
                           : member.name == "requirement" ? &entry.requirement
                           : member.name == "message"     ? &entry.message
                           : member.name == "reason"      ? &entry.reason
                                                          : nullptr;
      if (!field) {
        const std::string near = nearest(member.name, {"case", "requirement", "message", "reason"});
        return Error{json::place(path, member.mark), "unknown field `" + member.name + "`",
                     near.empty() ? "use case, requirement, message, reason"
                                  : "did you mean `" + near + "`?"};
      }
      *field = member.value.text;
    }
    if (entry.scenario.empty())
      return Error{entry.where, "the entry names no case", "add `case: ID`"};
    baseline.entries_.push_back(std::move(entry));
  }
  baseline.used_.assign(baseline.entries_.size(), false);
  return baseline;
}

void Baseline::apply(CaseResult& result, bool level_should) {
  bool all_known = true;
  bool any = false;
  for (const oracle::Finding& finding : result.findings) {
    bool known = false;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const BaselineEntry& entry = entries_[i];
      if (entry.scenario != result.id) continue;
      if (!entry.requirement.empty() && entry.requirement != finding.requirement) continue;
      if (!finding.message().starts_with(entry.message)) continue;
      used_[i] = true;
      known = true;
    }
    if (!gates(finding, level_should)) continue;
    any = true;
    all_known &= known;
  }
  result.baselined = any && all_known;
}

std::vector<std::string> Baseline::stale(const std::vector<std::string>& played,
                                         const std::vector<std::string>& deselected) const {
  std::vector<std::string> stale;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const BaselineEntry& entry = entries_[i];
    if (used_[i] ||
        std::find(deselected.begin(), deselected.end(), entry.scenario) != deselected.end())
      continue;
    const bool was_played = std::find(played.begin(), played.end(), entry.scenario) != played.end();
    stale.push_back(entry.where + ": " + entry.scenario +
                    (entry.message.empty() ? "" : " (" + printable(entry.message, 80) + ")") +
                    (was_played ? " no longer fails like this; remove the entry"
                                : " was not played; remove the entry or correct the id"));
  }
  return stale;
}

std::string baseline_text(const std::vector<CaseResult>& results, bool level_should) {
  std::string text =
      "# Known failures, as written by `rpcspec run --write-baseline`. An entry that no longer\n"
      "# fails makes the run fail: remove it then. Say in `reason` why each is accepted.\n";
  std::set<std::string> written;
  std::string entries;
  for (const CaseResult& result : results) {
    for (const oracle::Finding& finding : result.findings) {
      if (!gates(finding, level_should)) continue;
      std::string entry =
          "  - case: " + json::quoted(result.id) + "\n    requirement: " + finding.requirement +
          "\n    message: " + json::quoted(finding.message()) + "\n    reason: \"\"\n";
      if (written.insert(entry).second) entries += entry;
    }
  }
  return text + (entries.empty() ? "known: []\n" : "known:\n" + entries);
}

}  // namespace harness::run
