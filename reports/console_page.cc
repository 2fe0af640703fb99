// SPDX-License-Identifier: Apache-2.0
// The page is written section by section in the order of what a reader does next: repair, look at
// again, consider, describe the target better, tidy the baseline.
#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "reports/console.h"
#include "reports/evidence.h"
#include "reports/groups.h"
#include "reports/layout.h"
#include "reports/page.h"

namespace reports {
namespace {

namespace run = harness::run;
namespace wire = harness::wire;
using run::Verdict;

constexpr std::size_t kIndent = 6;
constexpr std::size_t kMaxFrames = 8;   // of one finding
constexpr std::size_t kMaxClauses = 3;  // quoted in full in one block
constexpr std::size_t kMaxListed = 20;  // cases of one block, unless verbose
constexpr std::size_t kMaxFrameText = 200;

std::vector<const run::CaseResult*> cases_with(const Record& record, Verdict verdict) {
  std::vector<const run::CaseResult*> out;
  for (const run::CaseResult& result : record.cases) {
    if (result.verdict == verdict && !result.baselined) out.push_back(&result);
  }
  return out;
}

class ConsolePage {
 public:
  ConsolePage(const Record& record, const ReportOptions& options)
      : record_(record), options_(options), page_(options.width, options.colour) {}

  std::string render() {
    title();
    failures("FAIL", Ink::kRed, Verdict::kFail);
    failures("FLAKY", Ink::kMagenta, Verdict::kFlaky);
    failures("ERROR", Ink::kMagenta, Verdict::kError);
    failures("WARN", Ink::kYellow, Verdict::kWarn);
    known();
    if (options_.verbose) {
      passes();
      remarks();
      not_applicable();
    }
    inconclusive();
    stale();
    summary();
    return page_.take();
  }

 private:
  void title() {
    const run::RunStarted& started = record_.started;
    page_.blank();
    page_.paragraph(0, fmt::format("rpcspec {}  {}", started.version, started.target), Ink::kBold,
                    3);
    page_.paragraph(0,
                    fmt::format("{} over {}, {}, seed {}", started.profile, started.transport,
                                counted(started.cases, "case", "cases"), started.seed),
                    Ink::kDim);
  }

  void failures(const std::string& label, Ink ink, Verdict verdict) {
    for (const Group& group : group_by_cause(cases_with(record_, verdict))) {
      page_.blank();
      block(label, ink, group);
    }
  }

  // One cause: what was seen, which clauses forbid it, where, and how to see it again.
  void block(const std::string& label, Ink ink, const Group& group) {
    const run::CaseResult& first = *group.cases.front();
    const bool many = group.cases.size() > 1;
    page_.heading(label, ink,
                  many ? fmt::format("{} cases, one cause", group.cases.size()) : first.title);
    if (!many) page_.paragraph(kIndent, first.id, Ink::kDim);
    if (!first.reason.empty()) page_.paragraph(kIndent, first.reason);
    for (const Cause& cause : group.causes) show_cause(cause, many);
    for (const Cause& cause : group.lesser) show_lesser(cause, many);
    if (many) list_cases(group);
    if (!first.replay.empty()) {
      page_.blank();
      page_.verbatim(kIndent, "replay", first.replay);
    }
  }

  void show_cause(const Cause& cause, bool many) {
    page_.blank();
    if (!many) quote(clause_of(cause.finding->requirement, record_.started.profile, options_));
    show_finding(cause, many);
  }

  void show_finding(const Cause& cause, bool name_case) {
    const harness::oracle::Finding& finding = *cause.finding;
    page_.field(kIndent, "expected", finding.expected, Ink::kGreen);
    page_.field(kIndent, "seen", finding.seen, Ink::kRed);
    if (!cause.rows.empty()) page_.field(kIndent, "rows", joined(cause.rows));
    if (!finding.oracle.empty()) page_.field(kIndent, "found by", "oracle " + finding.oracle);
    const auto frames = frames_of(*cause.result, finding);
    if (frames.empty()) return;
    page_.blank();
    if (name_case) page_.paragraph(kIndent, "for example in " + cause.result->id + ":", Ink::kDim);
    for (std::size_t i = 0; i < frames.size(); ++i) {
      if (frames.size() > kMaxFrames && i == kMaxFrames / 2) {
        page_.paragraph(kIndent, fmt::format("… {} more frames", frames.size() - kMaxFrames),
                        Ink::kDim);
        i = frames.size() - kMaxFrames / 2;
      }
      show_frame(*frames[i]);
    }
  }

  void show_frame(const wire::Frame& frame) {
    std::string label = frame_label(frame);
    const std::size_t left = page_.width() - kIndent - width_of(label) - 2;
    for (const std::string& part : chunks(frame_text(frame, kMaxFrameText), left)) {
      page_.pair(kIndent, label, Ink::kCyan, part, Ink::kPlain);
      label.assign(width_of(label), ' ');
    }
  }

  void show_lesser(const Cause& cause, bool many) {
    page_.blank();
    const Clause clause = clause_of(cause.finding->requirement, record_.started.profile, options_);
    page_.paragraph(kIndent,
                    fmt::format("also {}{}", clause.id, many ? ", in " + cause.result->id : ""),
                    Ink::kYellow);
    page_.field(kIndent, "expected", cause.finding->expected);
    page_.field(kIndent, "seen", cause.finding->seen);
  }

  void quote(const Clause& clause) {
    const std::string head = (clause.level.empty() ? "" : level_text(clause) + "  ") + clause.id;
    page_.paragraph(kIndent, clause.source.empty() ? head : head + " · " + clause.source,
                    Ink::kCyan, 3);
    page_.paragraph(kIndent, clause.statement);
  }

  // The cases of a group below the clauses they break: each clause is quoted once.
  void list_cases(const Group& group) {
    std::vector<Shared> clauses;
    for (const run::CaseResult* result : group.cases) {
      const std::vector<Cause> causes = causes_of(*result);
      add_shared(clauses, causes.empty() ? "" : causes.front().finding->requirement, *result);
    }
    std::stable_sort(clauses.begin(), clauses.end(), [](const Shared& a, const Shared& b) {
      return a.cases.size() > b.cases.size();
    });
    std::size_t listed = 0;
    for (std::size_t i = 0; i < clauses.size(); ++i) {
      if (listed >= kMaxListed && !options_.verbose) break;
      if (i <= kMaxClauses) page_.blank();
      const Clause clause = clause_of(clauses[i].text, record_.started.profile, options_);
      if (i < kMaxClauses) {
        if (!clause.id.empty()) quote(clause);
      } else {
        page_.paragraph(kIndent, (clause.level.empty() ? "" : clause.level + "  ") + clause.id,
                        Ink::kCyan);
      }
      for (const run::CaseResult* result : clauses[i].cases) {
        if (listed++ >= kMaxListed && !options_.verbose) break;
        page_.pair(kIndent + 2, result->id + rows_of(*result), Ink::kPlain, "", Ink::kPlain);
      }
    }
    if (group.cases.size() > kMaxListed && !options_.verbose) {
      page_.paragraph(
          kIndent + 2,
          fmt::format("… and {} more (--verbose lists them)", group.cases.size() - kMaxListed),
          Ink::kDim);
    }
  }

  static std::string rows_of(const run::CaseResult& result) {
    std::size_t rows = 0;
    for (const Cause& cause : causes_of(result)) rows = std::max(rows, cause.count);
    return rows > 1 ? fmt::format(" ({} rows)", rows) : "";
  }

  static std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) {
      if (!out.empty()) out += ", ";
      out += harness::printable(word, 60);
    }
    return out;
  }

  void section(const std::string& name, const std::string& explanation) {
    page_.blank();
    page_.paragraph(0, name + ": " + explanation, Ink::kBold);
  }

  void list_ids(const std::vector<const run::CaseResult*>& cases) {
    std::size_t listed = 0;
    for (const run::CaseResult* result : cases) {
      if (listed++ == kMaxListed && !options_.verbose) {
        page_.paragraph(4, fmt::format("… and {} more", cases.size() - kMaxListed), Ink::kDim);
        return;
      }
      page_.pair(4, result->id, Ink::kDim, "", Ink::kPlain);
    }
  }

  void known() {
    std::vector<const run::CaseResult*> cases;
    for (const run::CaseResult& result : record_.cases) {
      if (result.baselined) cases.push_back(&result);
    }
    if (cases.empty()) return;
    section("Known", counted(cases.size(), "case breaks", "cases break") +
                         " a clause as the baseline says" +
                         (options_.verbose ? "" : " (--verbose lists them)"));
    if (options_.verbose) list_ids(cases);
  }

  void passes() {
    const auto cases = cases_with(record_, Verdict::kPass);
    if (cases.empty()) return;
    section("Passed", counted(cases.size(), "case", "cases"));
    for (const run::CaseResult* result : cases) {
      page_.paragraph(2, "✓ " + result->title, Ink::kPlain, 3);
      page_.pair(4, result->id, Ink::kDim, "", Ink::kPlain);
    }
  }

  void remarks() {
    std::vector<Shared> notes;
    for (const run::CaseResult& result : record_.cases) {
      for (const std::string& note : result.notes) add_shared(notes, note, result);
    }
    shared_section("Remarks", "lawful, and worth knowing", notes);
  }

  void not_applicable() {
    std::vector<Shared> reasons;
    for (const run::CaseResult* result : cases_with(record_, Verdict::kNotApplicable)) {
      add_shared(reasons, result->reason, *result);
    }
    shared_section("Not applicable", "nothing here binds this target", reasons);
  }

  void inconclusive() {
    std::vector<Shared> remedies;
    for (const run::CaseResult* result : cases_with(record_, Verdict::kInconclusive)) {
      add_shared(remedies,
                 result->remedy.empty() ? result->reason
                                        : "add to the target description: " + result->remedy,
                 *result);
    }
    shared_section("Inconclusive", "these could not be exercised", remedies);
  }

  void shared_section(const std::string& name, const std::string& explanation,
                      const std::vector<Shared>& groups) {
    if (groups.empty()) return;
    section(name, explanation);
    for (const Shared& shared : groups) {
      page_.paragraph(2, shared.text.empty() ? "(no reason was given)" : shared.text);
      list_ids(shared.cases);
    }
  }

  void stale() {
    if (record_.finished.stale.empty()) return;
    section("Stale", "listed in the baseline, but not seen in this run; remove these entries");
    for (const std::string& entry : record_.finished.stale) page_.paragraph(4, entry, Ink::kYellow);
  }

  void summary() {
    const run::RunFinished& finished = record_.finished;
    const auto known_failures = std::count_if(
        record_.cases.begin(), record_.cases.end(), [](const run::CaseResult& result) {
          return result.baselined && result.verdict == Verdict::kFail;
        });
    std::string counts;
    const auto add = [&](Verdict verdict, const std::string& words) {
      const auto found = finished.summary.find(verdict_name(verdict));
      if (found == finished.summary.end() || found->second == 0) return;
      counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", found->second, words);
    };
    add(Verdict::kPass, "passed");
    add(Verdict::kFail,
        known_failures > 0 ? fmt::format("failed ({} known)", known_failures) : "failed");
    add(Verdict::kFlaky, "flaky");
    add(Verdict::kError, "in error");
    add(Verdict::kWarn, "warned");
    add(Verdict::kInconclusive, "inconclusive");
    add(Verdict::kNotApplicable, "not applicable");
    page_.blank();
    page_.paragraph(0, fmt::format("{} in {}: {}{}", counted(record_.cases.size(), "case", "cases"),
                                   duration_text(finished.duration_ms),
                                   counts.empty() ? "nothing was played" : counts,
                                   finished.interrupted ? " (interrupted)" : ""));
    std::size_t notes = 0;
    for (const run::CaseResult& result : record_.cases) notes += result.notes.size();
    if (notes > 0 && !options_.verbose) {
      page_.paragraph(0, counted(notes, "remark", "remarks") + " (--verbose shows them)",
                      Ink::kDim);
    }
    page_.paragraph(0, "gate " + finished.gate, finished.gate_passed ? Ink::kGreen : Ink::kRed);
  }

  const Record& record_;
  const ReportOptions& options_;
  Page page_;
};

}  // namespace

std::string render_console(const Record& record, const ReportOptions& options) {
  return ConsolePage(record, options).render();
}

}  // namespace reports
