// SPDX-License-Identifier: Apache-2.0
#include "reports/compare.h"

#include <fmt/format.h>

#include <iterator>
#include <map>

#include "harness/base/text.h"
#include "reports/layout.h"
#include "reports/page.h"
#include "reports/surface.h"

namespace reports {
namespace {

namespace json = harness::json;
namespace oracle = harness::oracle;
namespace run = harness::run;
using json::Value;
using run::Verdict;

constexpr std::size_t kCompareIndent = 8;

// Clauses that a result breaks, each with the first finding that shows it.
std::map<std::string, const oracle::Finding*> broken(const run::CaseResult& result,
                                                     oracle::Severity severity) {
  std::map<std::string, const oracle::Finding*> out;
  for (const oracle::Finding& finding : result.findings)
    if (finding.severity == severity) out.emplace(finding.requirement, &finding);
  return out;
}

bool is_known(Verdict verdict) {
  return verdict == Verdict::kPass || verdict == Verdict::kWarn || verdict == Verdict::kFail;
}

class Comparer {
 public:
  Comparer(const Record& before, const Record& after) : before_(before), after_(after) {}

  Comparison compare() {
    for (const run::SurfaceChange& one : after_.finished.surface) {
      const auto& old = before_.finished.surface;
      const bool known = std::any_of(old.begin(), old.end(), [&](const run::SurfaceChange& other) {
        return surface_line(one) == surface_line(other);
      });
      if (one.grade == Grade::kBreaking && !known) out_.surface.push_back(one);
    }
    std::map<std::string, const run::CaseResult*> old;
    for (const run::CaseResult& result : before_.cases) old[result.id] = &result;
    for (const run::CaseResult& result : after_.cases) {
      const auto found = old.find(result.id);
      if (found == old.end()) {
        add_new(result);
      } else {
        add(*found->second, result);
        old.erase(found);
      }
    }
    // Oracles look at every run, and are told of where they find something.
    for (auto place = old.begin(); place != old.end();) {
      const run::CaseResult& before = *place->second;
      run::CaseResult after;
      after.id = before.id;
      after.title = before.title;
      const bool mended = before.id.starts_with("oracle/") && add_mended(before, after);
      place = mended ? old.erase(place) : std::next(place);
    }
    out_.removed = old.size();
    return std::move(out_);
  }

 private:
  static Change change(const run::CaseResult* before, const run::CaseResult& after,
                       const oracle::Finding* finding) {
    Change out;
    out.case_id = after.id;
    out.title = after.title;
    if (before != nullptr) out.before = run::verdict_name(before->verdict);
    out.after = run::verdict_name(after.verdict);
    out.text = after.reason;
    out.replay = after.replay;
    if (finding == nullptr) return out;
    out.requirement = finding->requirement;
    out.must = finding->severity == oracle::Severity::kFail;
    out.text = "expected " + finding->expected + "; seen " + finding->seen;
    return out;
  }

  void add_new(const run::CaseResult& result) {
    ++out_.added;
    // What the same program asks now and did not ask before is another server, or a campaign.
    const bool comparable = before_.started.version == after_.started.version;
    for (const oracle::Severity severity : {oracle::Severity::kFail, oracle::Severity::kWarn}) {
      const auto clauses = broken(result, severity);
      if (clauses.empty()) continue;
      const Change one = change(nullptr, result, clauses.begin()->second);
      (comparable ? out_.worse : out_.first_time).push_back(one);
      return;
    }
  }

  void add(const run::CaseResult& before, const run::CaseResult& after) {
    if (!is_known(after.verdict)) {
      if (is_known(before.verdict))
        out_.unsure.push_back(change(&before, after, nullptr));
      else
        ++out_.same;
      return;
    }
    const bool worse = add_news(before, after);
    const bool better = is_known(before.verdict) && add_mended(before, after);
    out_.same += !worse && !better;
  }

  // Clauses that are broken now and were not.
  bool add_news(const run::CaseResult& before, const run::CaseResult& after) {
    bool any = false;
    const auto failed = broken(before, oracle::Severity::kFail);
    const auto warned = broken(before, oracle::Severity::kWarn);
    for (const oracle::Severity severity : {oracle::Severity::kFail, oracle::Severity::kWarn})
      for (const auto& [clause, finding] : broken(after, severity)) {
        if (failed.contains(clause)) continue;
        if (severity == oracle::Severity::kWarn && warned.contains(clause)) continue;
        out_.worse.push_back(change(&before, after, finding));
        any = true;
      }
    return any;
  }

  bool add_mended(const run::CaseResult& before, const run::CaseResult& after) {
    bool any = false;
    const auto failed = broken(after, oracle::Severity::kFail);
    const auto warned = broken(after, oracle::Severity::kWarn);
    for (const oracle::Severity severity : {oracle::Severity::kFail, oracle::Severity::kWarn})
      for (const auto& [clause, finding] : broken(before, severity)) {
        if (failed.contains(clause)) continue;
        if (severity == oracle::Severity::kWarn && warned.contains(clause)) continue;
        Change one = change(&before, after, finding);
        one.text.clear();
        one.replay.clear();
        out_.better.push_back(std::move(one));
        any = true;
      }
    return any;
  }

  const Record& before_;
  const Record& after_;
  Comparison out_;
};

std::string verdicts(const Change& change) {
  return (change.before.empty() ? "new" : change.before) + " → " + change.after;
}

void add_changes(Page& page, const char* label, Ink ink, const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    page.heading(label, ink, fmt::format("{}  ({})", change.case_id, verdicts(change)));
    if (!change.requirement.empty())
      page.paragraph(kCompareIndent,
                     fmt::format("{} {}", change.must ? "MUST" : "SHOULD", change.requirement),
                     Ink::kDim);
    if (!change.text.empty()) page.paragraph(kCompareIndent, change.text, Ink::kPlain, 4);
    if (!change.replay.empty()) page.verbatim(kCompareIndent, "replay  ", change.replay);
  }
}

Value change_value(const Change& change) {
  const auto text = [](const std::string& bytes) {
    return json::string(harness::printable(bytes, 4096));
  };
  return json::object({
      {"case", text(change.case_id)},
      {"title", text(change.title)},
      {"before", text(change.before)},
      {"after", text(change.after)},
      {"requirement", text(change.requirement)},
      {"text", text(change.text)},
      {"must", json::boolean(change.must)},
      {"replay", text(change.replay)},
  });
}

Value changes_value(const std::vector<Change>& changes) {
  Value out = json::array();
  for (const Change& change : changes) out.items.push_back(change_value(change));
  return out;
}

Value side_value(const Record& record) {
  const auto text = [](const std::string& bytes) {
    return json::string(harness::printable(bytes, 4096));
  };
  return json::object({
      {"rpcspec", text(record.started.version)},
      {"target", text(record.started.target)},
      {"profile", text(record.started.profile)},
      {"transport", text(record.started.transport)},
      {"cases", json::number(static_cast<std::int64_t>(record.cases.size()))},
  });
}

}  // namespace

Comparison compare(const Record& before, const Record& after) {
  return Comparer(before, after).compare();
}

std::string comparison_text(const Comparison& comparison, const Record& before, const Record& after,
                            const ReportOptions& options) {
  Page page(options.width, options.colour);
  const auto differ = [&](const char* what, std::string run::RunStarted::*member) {
    if (before.started.*member != after.started.*member)
      page.paragraph(0,
                     fmt::format("the {} differs: {} → {}", what, before.started.*member,
                                 after.started.*member),
                     Ink::kYellow);
  };
  differ("target", &run::RunStarted::target);
  differ("profile", &run::RunStarted::profile);
  differ("transport", &run::RunStarted::transport);
  differ("version of rpcspec", &run::RunStarted::version);
  add_changes(page, "BETTER", Ink::kGreen, comparison.better);
  add_changes(page, "UNSURE", Ink::kYellow, comparison.unsure);
  add_changes(page, "NEW   ", Ink::kYellow, comparison.first_time);
  add_changes(page, "WORSE ", Ink::kRed, comparison.worse);
  for (const run::SurfaceChange& one : comparison.surface)
    page.paragraph(0, surface_line(one), Ink::kRed, 2);
  page.blank();
  page.paragraph(
      0,
      fmt::format("{} worse, {} better, {} no longer certain, {} the same; {} only "
                  "in the new report, {} only in the old one",
                  comparison.worse.size(), comparison.better.size(), comparison.unsure.size(),
                  comparison.same, comparison.added, comparison.removed),
      Ink::kBold);
  return page.take();
}

Value comparison_json(const Comparison& comparison, const Record& before, const Record& after) {
  const auto count = [](std::size_t n) { return json::number(static_cast<std::int64_t>(n)); };
  return json::object({
      {"format", json::string("rpcspec-comparison/1")},
      {"old", side_value(before)},
      {"new", side_value(after)},
      {"worse", changes_value(comparison.worse)},
      {"better", changes_value(comparison.better)},
      {"unsure", changes_value(comparison.unsure)},
      {"first_time", changes_value(comparison.first_time)},
      {"surface", *surface_json(comparison.surface).find("changes")},
      {"same", count(comparison.same)},
      {"added", count(comparison.added)},
      {"removed", count(comparison.removed)},
  });
}

}  // namespace reports
