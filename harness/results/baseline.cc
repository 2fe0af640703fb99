// SPDX-License-Identifier: Apache-2.0
#include "harness/results/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/json/yaml.h"
#include "harness/oracle/finding_words.h"

namespace harness::run {
namespace {

constexpr std::string_view kOracles = "oracle/";  // what their ids begin with
constexpr const char* kFields[] = {"case",   "requirement", "answer",
                                   "reason", "expires",     "intermittent"};

bool gates(const oracle::Finding& finding, bool level_should) {
  return finding.severity == oracle::Severity::kFail ||
         (level_should && finding.severity == oracle::Severity::kWarn);
}

std::string* field_of(BaselineEntry& entry, std::string_view name) {
  if (name == "case") return &entry.scenario;
  if (name == "requirement") return &entry.requirement;
  if (name == "answer") return &entry.answer;
  if (name == "message") return &entry.message;
  if (name == "reason") return &entry.reason;
  if (name == "expires") return &entry.expires;
  return nullptr;
}

// 2027-01-31; which days a month has is not looked at.
bool is_date(std::string_view text) {
  if (text.size() != 10) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 4 || i == 7;
    if (dash ? text[i] != '-' : !ascii::is_digit(text[i])) return false;
  }
  return true;
}

// One for each case that the entry lists.
Result<std::vector<BaselineEntry>> read_entry(const json::Value& item, const std::string& path) {
  BaselineEntry entry;
  entry.entry = entry.where = json::place(path, item.mark);
  if (!item.is_object())
    return Error{entry.where, "an entry of `known` must be a mapping", "write `- case: ID`"};
  std::vector<BaselineEntry> all;
  const json::Value* cases = nullptr;
  for (const json::Member& member : item.members) {
    if (member.name == "intermittent") {
      if (!member.value.is_boolean())
        return Error{json::place(path, member.mark), "`intermittent` is neither true nor false",
                     "write `intermittent: true` if it does not fail in every run"};
      entry.intermittent = member.value.boolean;
      continue;
    }
    std::string* field = field_of(entry, member.name);
    if (!field) {
      const std::vector<std::string> fields(std::begin(kFields), std::end(kFields));
      const std::string near = nearest(member.name, fields);
      return Error{json::place(path, member.mark), "unknown field `" + member.name + "`",
                   near.empty() ? fmt::format("use {}", fmt::join(fields, ", "))
                                : "did you mean `" + near + "`?"};
    }
    *field = member.value.text;
    if (member.name == "case" && member.value.is_array()) cases = &member.value;
    if (member.name == "expires" && !is_date(entry.expires))
      return Error{json::place(path, member.mark), "`expires` is not a date",
                   "write the last day on which the failure is accepted: 2027-01-31"};
  }
  for (const json::Value& one : cases ? cases->items : std::vector<json::Value>()) {
    all.push_back(entry);
    all.back().scenario = one.text;
    all.back().where = json::place(path, one.mark);
  }
  if (all.empty()) all.push_back(entry);
  for (const BaselineEntry& one : all)
    if (one.scenario.empty() && one.requirement.empty())
      return Error{one.where, "the entry names neither a case nor a requirement",
                   "add `case: ID` or `requirement: ID`"};
  return all;
}

// An oracle tells the same breach again, in words of its own, while that case is played.
bool told_by_its_case(const BaselineEntry& entry, const oracle::Finding& finding) {
  if (finding.oracle.empty() || finding.row.empty() || entry.scenario != finding.row) return false;
  const std::string answer = oracle::answer_class(finding.came);
  return !entry.requirement.empty() && entry.requirement == finding.requirement &&
         (entry.answer.empty() || answer.empty() || entry.answer == answer);
}

bool matches(const BaselineEntry& entry, const std::string& scenario,
             const oracle::Finding& finding) {
  if (told_by_its_case(entry, finding)) return true;
  return (entry.scenario.empty() || entry.scenario == scenario) &&
         (entry.requirement.empty() || entry.requirement == finding.requirement) &&
         (entry.answer.empty() || entry.answer == oracle::answer_class(finding.came)) &&
         oracle::one_line(finding).starts_with(entry.message);
}

// One line, as a case or clause is named in reports.
std::string shown(const BaselineEntry& entry) {
  std::string key = entry.requirement;
  for (const std::string& more : {entry.answer, entry.message})
    if (!more.empty()) key += (key.empty() ? "" : ", ") + more;
  if (entry.scenario.empty()) return printable(key, 120);
  return entry.scenario + (key.empty() ? "" : " (" + printable(key, 120) + ")");
}

}  // namespace

Result<Baseline> Baseline::load(const std::string& path, const std::string& today) {
  Result<json::Value> file = json::read_yaml_file(path);
  if (!file) return file.error();
  const json::Value* known = file->is_object() ? file->find("known") : nullptr;
  if (!known && file->is_object() && (file->find("server") || file->find("client")))
    return Error{json::place(path, file->mark),
                 "this is a list of expected failures of the official suite",
                 "give it as --expected-failures"};
  if (!known || !(known->is_array() || known->is_null()))
    return Error{json::place(path, file->mark),
                 "a baseline must be a mapping with the list "
                 "`known`",
                 "write `known: []`, or let --write-baseline write the file"};
  Baseline baseline;
  for (const json::Value& item : known->items) {
    Result<std::vector<BaselineEntry>> entries = read_entry(item, path);
    if (!entries) return entries.error();
    for (BaselineEntry& entry : *entries) {
      entry.expired = !today.empty() && !entry.expires.empty() && entry.expires < today;
      baseline.entries_.push_back(std::move(entry));
    }
  }
  baseline.used_.assign(baseline.entries_.size(), false);
  return baseline;
}

void Baseline::apply(CaseResult& result, bool level_should) {
  if (result.verdict == Verdict::kInconclusive) undecided_.insert(result.id);
  if (result.verdict == Verdict::kNotApplicable) not_applicable_.insert(result.id);
  bool all_known = true;
  bool any = false;
  bool outside = false;
  for (const oracle::Finding& finding : result.findings) {
    broken_.insert(finding.requirement);
    bool known = false;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].expired || !matches(entries_[i], result.id, finding)) continue;
      used_[i] = true;
      known = true;
    }
    for (Expected& one : expected_) {
      if (std::find(one.clauses.begin(), one.clauses.end(), finding.requirement) ==
          one.clauses.end())
        continue;
      one.used = known = true;
    }
    if (!gates(finding, level_should)) continue;
    const bool newer = !known && frozen_ && !frozen_(result.id, finding.requirement);
    outside |= newer;
    any = true;
    all_known &= known || newer;
  }
  if (outside)
    result.notes.push_back("not in " + frozen_name_ + ": it is reported but does not gate");
  const bool decided = result.verdict == Verdict::kPass || result.verdict == Verdict::kFail ||
                       result.verdict == Verdict::kWarn;
  if (decided) judged_.insert(result.requirements.begin(), result.requirements.end());
  result.baselined = any && all_known;
}

void Baseline::expect(std::string name, std::string where, std::vector<std::string> clauses) {
  expected_.push_back({std::move(name), std::move(where), std::move(clauses), false});
}

void Baseline::freeze(std::string name, Holds holds) {
  frozen_name_ = std::move(name);
  frozen_ = std::move(holds);
}

bool Baseline::lets_through(const std::string& scenario, const oracle::Finding& finding) const {
  const BaselineEntry* entry = find(scenario, finding);
  if (entry && !entry->expired) return true;
  for (const Expected& one : expected_)
    if (std::find(one.clauses.begin(), one.clauses.end(), finding.requirement) != one.clauses.end())
      return true;
  return frozen_ && !frozen_(scenario, finding.requirement);
}

bool Baseline::knows(const std::string& scenario,
                     const std::vector<oracle::Finding>& findings) const {
  bool any = false;
  for (const oracle::Finding& finding : findings) {
    if (finding.severity != oracle::Severity::kFail) continue;
    if (!lets_through(scenario, finding)) return false;
    any = true;
  }
  return any;
}

std::vector<std::string> Baseline::stale(const std::vector<std::string>& played,
                                         const std::vector<std::string>& deselected) const {
  const auto among = [](const std::vector<std::string>& ids, const std::string& id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  std::vector<std::string> stale;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const BaselineEntry& entry = entries_[i];
    const std::string name = entry.where + ": " + shown(entry);
    if (entry.expired) {
      stale.push_back(name + " expired with " + entry.expires +
                      "; fix the failure and remove the entry, or set another date");
      continue;
    }
    if (used_[i] || entry.intermittent || among(deselected, entry.scenario)) continue;
    if (undecided_.contains(entry.scenario)) continue;
    const bool of_oracle = entry.scenario.starts_with(kOracles);
    // What an oracle sees of a clause, and how often, depends on what was played beside it.
    if (of_oracle && broken_.contains(entry.requirement)) continue;
    // Of what oracles see in all conversations nothing is known unless all were played; of a clause
    // that any case may break, unless all were judged.
    if (of_oracle && !deselected.empty()) continue;
    if (entry.scenario.empty() && !(deselected.empty() && undecided_.empty())) continue;
    const bool was_played = entry.scenario.empty() || (among(played, entry.scenario) &&
                                                       !not_applicable_.contains(entry.scenario));
    stale.push_back(name + (was_played ? " no longer fails like this; remove the entry"
                                       : " was not played; remove the entry or correct the id"));
  }
  for (const Expected& one : expected_) {
    const bool judged = std::any_of(one.clauses.begin(), one.clauses.end(),
                                    [&](const auto& clause) { return judged_.contains(clause); });
    if (!one.used && judged)
      stale.push_back(one.where + ": " + one.name + " no longer fails; remove the entry");
  }
  return stale;
}

std::string Baseline::warning() const {
  std::vector<std::string> silent;  // their places
  for (const BaselineEntry& entry : entries_)
    if (entry.reason.empty() && (silent.empty() || silent.back() != entry.entry))
      silent.push_back(entry.entry);
  const std::size_t count = silent.size();
  if (count == 0) return "";
  return silent.front() +
         (count == 1 ? ": the entry gives no reason"
                     : fmt::format(": this and {} more entries give no reason", count - 1)) +
         "; write in `reason` why the failure is accepted";
}

const BaselineEntry* Baseline::find(const std::string& scenario,
                                    const oracle::Finding& finding) const {
  for (const BaselineEntry& entry : entries_)
    if (matches(entry, scenario, finding)) return &entry;
  return nullptr;
}

BaselineDraft draft_baseline(const std::vector<CaseResult>& results, bool level_should,
                             const Baseline& previous, const std::string& reason) {
  struct Entry {
    std::string requirement, answer, reason, expires;
    bool intermittent = false;
    std::vector<std::string> cases;
  };
  std::vector<BaselineEntry> told;  // what cases say
  for (const CaseResult& result : results)
    for (const oracle::Finding& finding : result.findings)
      if (finding.oracle.empty() && gates(finding, level_should)) {
        BaselineEntry& entry = told.emplace_back();
        entry.scenario = result.id;
        entry.requirement = finding.requirement;
        entry.answer = oracle::answer_class(finding.came);
      }
  const auto told_by_case = [&](const oracle::Finding& finding) {
    return std::any_of(told.begin(), told.end(), [&](const BaselineEntry& entry) {
      return told_by_its_case(entry, finding);
    });
  };
  std::vector<Entry> entries;
  std::set<std::string> all_cases;
  for (const CaseResult& result : results) {
    for (const oracle::Finding& finding : result.findings) {
      if (!gates(finding, level_should) || told_by_case(finding)) continue;
      const BaselineEntry* before = previous.find(result.id, finding);
      Entry entry{finding.requirement, oracle::answer_class(finding.came), reason, "", false, {}};
      if (before && !before->reason.empty()) entry.reason = before->reason;
      if (before && !before->expired) entry.expires = before->expires;
      if (before) entry.intermittent = before->intermittent;
      auto same = std::find_if(entries.begin(), entries.end(), [&](const Entry& one) {
        return std::tie(one.requirement, one.answer, one.reason, one.expires, one.intermittent) ==
               std::tie(entry.requirement, entry.answer, entry.reason, entry.expires,
                        entry.intermittent);
      });
      if (same == entries.end()) same = entries.insert(same, std::move(entry));
      if (same->cases.empty() || same->cases.back() != result.id) same->cases.push_back(result.id);
      all_cases.insert(result.id);
    }
  }
  BaselineDraft draft;
  for (const Entry& entry : entries) {
    draft.text += "  - requirement: " + entry.requirement + "\n";
    if (!entry.answer.empty()) draft.text += "    answer: " + entry.answer + "\n";
    draft.text += "    case:";
    if (entry.cases.size() == 1) {
      draft.text += " " + json::quoted(entry.cases.front()) + "\n";
    } else {
      draft.text += "\n";
      for (const std::string& id : entry.cases) draft.text += "      - " + json::quoted(id) + "\n";
    }
    draft.text += "    reason: " + json::quoted(entry.reason) + "\n";
    if (!entry.expires.empty()) draft.text += "    expires: " + entry.expires + "\n";
    if (entry.intermittent) draft.text += "    intermittent: true\n";
    draft.without_reason += entry.reason.empty();
  }
  draft.entries = entries.size();
  draft.cases = all_cases.size();
  draft.text =
      "# Known failures, as written by `rpcspec run --write-baseline`. An entry that no longer\n"
      "# fails makes the run fail: remove it then. Write in `reason` why each is accepted, and "
      "in\n"
      "# `expires: YYYY-MM-DD` until when, if that is known.\n" +
      (draft.entries == 0 ? "known: []\n" : "known:\n" + draft.text);
  return draft;
}

}  // namespace harness::run
