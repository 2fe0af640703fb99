// SPDX-License-Identifier: Apache-2.0
#include "harness/results/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/json/yaml.h"
#include "harness/oracle/finding_words.h"

namespace harness::run {
namespace {

constexpr std::string_view kOracles = "oracle/";  // what their ids begin with
constexpr const char* kFields[] = {"case",    "requirement",  "answer", "reason",
                                   "expires", "intermittent", "cause",  "findings"};

std::string* field_of(BaselineEntry& entry, std::string_view name) {
  if (name == "cause") return &entry.cause;
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

// One for each case that the entry lists; what its findings do not say, the entry says for them.
Result<std::vector<BaselineEntry>> read_entry(const json::Value& item, const std::string& path,
                                              BaselineEntry entry = {}) {
  entry.where = json::place(path, item.mark);
  const bool whole = entry.entry.empty();
  if (whole) entry.entry = entry.where;
  if (!item.is_object())
    return Error{entry.where, "an entry of `known` must be a mapping", "write `- case: ID`"};
  std::vector<BaselineEntry> all;
  const json::Value* cases = nullptr;
  const json::Value* findings = nullptr;
  for (const json::Member& member : item.members) {
    if (member.name == "intermittent") {
      if (!member.value.is_boolean())
        return Error{json::place(path, member.mark), "`intermittent` is neither true nor false",
                     "write `intermittent: true` if it does not fail in every run"};
      entry.intermittent = member.value.boolean;
      continue;
    }
    if (member.name == "findings" && whole) {
      if (!member.value.is_array())
        return Error{json::place(path, member.mark), "`findings` is not a list",
                     "write `- requirement: ID`, `answer` and `case` below it"};
      findings = &member.value;
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
  if (findings != nullptr) {
    for (const json::Value& one : findings->items) {
      Result<std::vector<BaselineEntry>> more = read_entry(one, path, entry);
      if (!more) return more.error();
      all.insert(all.end(), more->begin(), more->end());
    }
    return all;
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

bool gates(const oracle::Finding& finding, bool level_should) {
  return finding.severity == oracle::Severity::kFail ||
         (level_should && finding.severity == oracle::Severity::kWarn);
}

bool told_by_its_case(const BaselineEntry& entry, const oracle::Finding& finding) {
  if (finding.oracle.empty() || finding.row.empty() || entry.scenario != finding.row) return false;
  const std::string answer = oracle::answer_class(finding.came);
  return !entry.requirement.empty() && entry.requirement == finding.requirement &&
         (entry.answer.empty() || answer.empty() || entry.answer == answer);
}

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
  baseline.fails_ = baseline.used_;
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
      if (!matches(entries_[i], result.id, finding)) continue;
      fails_[i] = true;
      if (entries_[i].expired) continue;
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

Baseline::Stale Baseline::stale(std::size_t i, const std::vector<std::string>& played,
                                const std::vector<std::string>& deselected) const {
  const auto among = [](const std::vector<std::string>& ids, const std::string& id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  const BaselineEntry& entry = entries_[i];
  if (entry.expired && (fails_[i] || !pruned_)) return Stale::kExpired;
  if (used_[i] || entry.intermittent || among(deselected, entry.scenario)) return Stale::kNo;
  if (undecided_.contains(entry.scenario)) return Stale::kNo;
  const bool of_oracle = entry.scenario.starts_with(kOracles);
  // What an oracle sees of a clause, and how often, depends on what was played beside it.
  if (of_oracle && broken_.contains(entry.requirement)) return Stale::kNo;
  // Of what oracles see in all conversations nothing is known unless all were played; of a clause
  // that any case may break, unless all were judged.
  if (of_oracle && !deselected.empty()) return Stale::kNo;
  if (entry.scenario.empty() && !(deselected.empty() && undecided_.empty())) return Stale::kNo;
  const bool was_played = entry.scenario.empty() || (among(played, entry.scenario) &&
                                                     !not_applicable_.contains(entry.scenario));
  return was_played ? Stale::kFails : Stale::kPlayed;
}

std::vector<std::string> Baseline::stale(const std::vector<std::string>& played,
                                         const std::vector<std::string>& deselected) const {
  std::vector<std::string> out;
  for (std::size_t begin = 0, end = 0; begin < entries_.size(); begin = end) {
    std::map<Stale, std::vector<const BaselineEntry*>> by;
    for (; end < entries_.size() && entries_[end].entry == entries_[begin].entry; ++end)
      by[stale(end, played, deselected)].push_back(&entries_[end]);
    by.erase(Stale::kNo);
    if (pruned_) {
      by.erase(Stale::kFails);
      by.erase(Stale::kPlayed);
    }
    for (const auto& [why, entries] : by) {
      const BaselineEntry& first = *entries.front();
      const bool all = entries.size() == end - begin;
      std::string name = (all ? first.entry : first.where) + ": ";
      name += all && !first.cause.empty() ? "“" + printable(first.cause, 120) + "”" : shown(first);
      if (entries.size() > 1 && !(all && !first.cause.empty()))
        name += fmt::format(" and {} more of its findings", entries.size() - 1);
      const std::string drop = all ? "remove the entry" : "remove it from the entry";
      switch (why) {
        case Stale::kExpired:
          name += " expired with " + first.expires + "; fix the failure and remove the entry, or " +
                  "set another date";
          break;
        case Stale::kFails:
          name += " no longer fails like this; " + drop + ", or let --prune do it";
          break;
        default: name += " was not played; " + drop + " or correct the id";
      }
      out.push_back(name);
    }
  }
  for (const Expected& one : expected_) {
    const bool judged = std::any_of(one.clauses.begin(), one.clauses.end(),
                                    [&](const auto& clause) { return judged_.contains(clause); });
    if (!one.used && judged)
      out.push_back(one.where + ": " + one.name + " no longer fails; remove the entry");
  }
  return out;
}

std::vector<BaselineEntry> Baseline::kept(const std::vector<CaseResult>& results,
                                          bool failed) const {
  Baseline judged;
  judged.entries_ = entries_;
  judged.used_.assign(entries_.size(), false);
  judged.fails_ = judged.used_;
  judged.pruned_ = true;
  std::vector<std::string> played;
  for (CaseResult result : results) {
    judged.apply(result, true);
    played.push_back(result.id);
  }
  std::vector<BaselineEntry> out;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Stale why = judged.stale(i, played, {});
    if ((why == Stale::kNo || why == Stale::kExpired) && (failed || !judged.fails_[i]))
      out.push_back(entries_[i]);
  }
  return out;
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

const BaselineEntry* Baseline::find_cause(const std::string& title) const {
  for (const BaselineEntry& entry : entries_)
    if (!title.empty() && entry.cause == title) return &entry;
  return nullptr;
}

bool Baseline::accepts(const oracle::Finding& finding) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const BaselineEntry& entry) {
    // A named flaw is the same one whatever the message says besides: an id that is altered.
    const bool same_flaw = !finding.flaw.empty() && entry.requirement == finding.requirement &&
                           entry.answer.starts_with("error") &&
                           oracle::answer_class(finding.came).starts_with("error");
    return !entry.expired && !entry.requirement.empty() &&
           (same_flaw || matches(entry, entry.scenario, finding));
  });
}

}  // namespace harness::run
