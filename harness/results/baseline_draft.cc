// SPDX-License-Identifier: Apache-2.0
#include "harness/results/baseline_draft.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/oracle/finding.h"

namespace harness::run {
namespace {

// What the findings of one entry have in common.
struct Shown {
  std::string requirement, answer, message;
  std::vector<std::string> cases;
};

struct Entry {
  std::string cause, reason, expires;
  bool intermittent = false;
  std::vector<Shown> findings;
};

class Draft {
 public:
  void add(BaselineEntry one) {
    const auto same = [&](const Entry& entry) {
      // Without a cause, findings have nothing in common but their clause.
      const bool alike =
          !one.cause.empty() || (entry.findings.front().requirement == one.requirement &&
                                 entry.findings.front().answer == one.answer &&
                                 entry.findings.front().message == one.message);
      return alike && std::tie(entry.cause, entry.reason, entry.expires, entry.intermittent) ==
                          std::tie(one.cause, one.reason, one.expires, one.intermittent);
    };
    auto entry = std::find_if(entries_.begin(), entries_.end(), same);
    if (entry == entries_.end()) {
      entries_.push_back({one.cause, one.reason, one.expires, one.intermittent, {}});
      entry = std::prev(entries_.end());
    }
    auto shown = std::find_if(entry->findings.begin(), entry->findings.end(), [&](const Shown& of) {
      return std::tie(of.requirement, of.answer, of.message) ==
             std::tie(one.requirement, one.answer, one.message);
    });
    if (shown == entry->findings.end()) {
      entry->findings.push_back({one.requirement, one.answer, one.message, {}});
      shown = std::prev(entry->findings.end());
    }
    if (one.scenario.empty()) return;
    cases_.insert(one.scenario);
    if (std::find(shown->cases.begin(), shown->cases.end(), one.scenario) == shown->cases.end())
      shown->cases.push_back(std::move(one.scenario));
  }

  BaselineDraft written() const {
    BaselineDraft draft;
    for (const Entry& entry : entries_) {
      std::string text;
      if (!entry.cause.empty()) text += "cause: " + json::quoted(entry.cause) + "\n    ";
      const std::string mine =
          "reason: " + json::quoted(entry.reason) + "\n" +
          (entry.expires.empty() ? "" : "    expires: " + entry.expires + "\n") +
          (entry.intermittent ? "    intermittent: true\n" : "");
      if (!entry.cause.empty()) {
        text += mine + "    findings:\n";
        for (const Shown& one : entry.findings) text += "      - " + fields(one, "        ");
      } else {
        text += fields(entry.findings.front(), "    ") + "    " + mine;
      }
      draft.text += "  - " + text;
      draft.without_reason += entry.reason.empty();
    }
    draft.entries = entries_.size();
    draft.cases = cases_.size();
    draft.text =
        "# Known failures, as written by `rpcspec run --write-baseline`. An entry that no longer\n"
        "# fails makes the run fail: `rpcspec run --baseline FILE --prune` removes it. Write in\n"
        "# `reason` why each is accepted, and in `expires: YYYY-MM-DD` until when, if that is "
        "known.\n" +
        (draft.entries == 0 ? "known: []\n" : "known:\n" + draft.text);
    return draft;
  }

 private:
  static std::string fields(const Shown& of, const std::string& indent) {
    std::vector<std::string> lines;
    if (!of.requirement.empty()) lines.push_back("requirement: " + of.requirement);
    if (!of.answer.empty()) lines.push_back("answer: " + of.answer);
    if (!of.message.empty()) lines.push_back("message: " + json::quoted(of.message));
    if (of.cases.size() == 1) lines.push_back("case: " + json::quoted(of.cases.front()));
    if (of.cases.size() > 1) {
      lines.emplace_back("case:");
      for (const std::string& id : of.cases) lines.push_back("  - " + json::quoted(id));
    }
    std::string out;
    for (const std::string& line : lines) out += (out.empty() ? "" : indent) + line + "\n";
    return out;
  }

  std::vector<Entry> entries_;
  std::set<std::string> cases_;
};

// The findings of a run that gate and are to be listed, with the title of their cause, in the order
// of the causes.
std::vector<BaselineEntry> listed(const JudgedRun& run, bool level_should, const Baseline& previous,
                                  const std::string& reason) {
  std::vector<BaselineEntry> told;  // what cases say
  std::map<std::string, const CaseResult*> by_id;
  for (const CaseResult& result : run.results) {
    by_id.emplace(result.id, &result);
    for (const oracle::Finding& finding : result.findings)
      if (finding.oracle.empty() && gates(finding, level_should)) {
        BaselineEntry& entry = told.emplace_back();
        entry.scenario = result.id;
        entry.requirement = finding.requirement;
        entry.answer = oracle::answer_class(finding.came);
      }
  }
  std::vector<BaselineEntry> out;
  std::set<const oracle::Finding*> done;
  const auto list = [&](const CaseResult& result, const oracle::Finding& finding,
                        const std::string& cause) {
    if (!done.insert(&finding).second || !gates(finding, level_should)) return;
    if (std::any_of(told.begin(), told.end(),
                    [&](const BaselineEntry& entry) { return told_by_its_case(entry, finding); }))
      return;
    const BaselineEntry* before = previous.find(result.id, finding);
    BaselineEntry entry;
    entry.cause = cause;
    entry.scenario = result.id;
    entry.requirement = finding.requirement;
    entry.answer = oracle::answer_class(finding.came);
    entry.reason = reason;
    if (before == nullptr) before = previous.find_cause(cause);
    if (before != nullptr && !before->reason.empty()) entry.reason = before->reason;
    if (before != nullptr && !before->expired) entry.expires = before->expires;
    if (before != nullptr) entry.intermittent = before->intermittent;
    out.push_back(std::move(entry));
  };
  for (const Cause& cause : run.causes)
    for (const FindingRef& ref : cause.findings)
      if (const auto at = by_id.find(ref.case_id);
          at != by_id.end() && ref.finding < at->second->findings.size())
        list(*at->second, at->second->findings[ref.finding], printable(cause.title, 200));
  for (const CaseResult& result : run.results)
    for (const oracle::Finding& finding : result.findings) list(result, finding, "");
  return out;
}

std::vector<CaseResult> all_results(const std::vector<JudgedRun>& runs) {
  std::vector<CaseResult> out;
  for (const JudgedRun& run : runs) out.insert(out.end(), run.results.begin(), run.results.end());
  return out;
}

}  // namespace

BaselineDraft draft_baseline(const std::vector<JudgedRun>& runs, bool level_should,
                             const Baseline& previous, const std::string& reason) {
  Draft draft;
  for (const JudgedRun& run : runs)
    for (BaselineEntry& entry : listed(run, level_should, previous, reason))
      draft.add(std::move(entry));
  const std::vector<CaseResult> results = all_results(runs);
  for (BaselineEntry& entry : previous.kept(results, false)) draft.add(std::move(entry));
  BaselineDraft out = draft.written();
  out.dropped = previous.size() - previous.kept(results, true).size();
  return out;
}

BaselineDraft prune_baseline(const std::vector<JudgedRun>& runs, const Baseline& previous) {
  Draft draft;
  const std::vector<BaselineEntry> kept = previous.kept(all_results(runs), true);
  for (const BaselineEntry& entry : kept) draft.add(entry);
  BaselineDraft out = draft.written();
  out.dropped = previous.size() - kept.size();
  return out;
}

}  // namespace harness::run
