// SPDX-License-Identifier: Apache-2.0
// The page is written section by section: how it ended, where things stand, what may be described
// better or considered, and last, where the eye ends up, what has to be fixed, cause by cause.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "harness/base/text.h"
#include "reports/breaches.h"
#include "reports/console.h"
#include "reports/evidence.h"
#include "reports/layout.h"
#include "reports/page.h"
#include "reports/surface.h"

namespace reports {
namespace {

namespace run = harness::run;
namespace wire = harness::wire;
using run::Verdict;

constexpr std::size_t kIndent = 6;
constexpr std::size_t kMaxFrames = 8;  // of one finding
constexpr std::size_t kFrameLines = 2;
constexpr std::size_t kAreaColumns = 22;
constexpr std::size_t kMostOfReason = 400;  // bytes; a reason may quote the target
constexpr std::size_t kMostInLine = 3;      // of areas and affordances, in a line

std::vector<const run::CaseResult*> cases_with(const Record& record, Verdict verdict) {
  std::vector<const run::CaseResult*> out;
  for (const run::CaseResult& result : record.cases)
    if (result.verdict == verdict && !result.baselined) out.push_back(&result);
  return out;
}

class ConsolePage {
 public:
  ConsolePage(const Record& record, const ReportOptions& options)
      : record_(record), options_(options), page_(options.width, options.colour) {}

  std::string render() {
    if (options_.quiet) return quiet();
    title();
    areas();
    if (options_.verbose) {
      passes();
      remarks();
      not_applicable();
    }
    known();
    inconclusive();
    warnings();
    stale();
    lone_results("FLAKY", Verdict::kFlaky);
    lone_results("ERROR", Verdict::kError);
    causes("FAIL", Ink::kRed, Verdict::kFail);
    summary();
    return page_.take();
  }

 private:
  // What failed, and the gate.
  std::string quiet() {
    stale();
    lone_results("ERROR", Verdict::kError);
    if (record_.finished.level_should) warnings();
    causes("FAIL", Ink::kRed, Verdict::kFail);
    page_.blank();
    page_.paragraph(0, counts());
    gate();
    return page_.take();
  }

  void title() {
    const run::RunStarted& started = record_.started;
    page_.blank();
    page_.paragraph(0, fmt::format("rpcspec {}  {}", started.version, started.target), Ink::kBold,
                    3);
    page_.paragraph(
        0, fmt::format("{} over {}, seed {}", started.profile, started.transport, started.seed),
        Ink::kDim);
    if (side_by_side(record_) || record_.cases.empty()) return;
    const run::RunFinished& finished = record_.finished;
    const Ink ink = finished.gate_passed ? Ink::kGreen : Ink::kRed;
    const std::size_t problems = problem_count();
    page_.paragraph(0,
                    "gate " + finished.gate + (problems > 0 ? ", " : "") +
                        (problems > 0 ? counted(problems, "problem", "problems") : ""),
                    ink);
    page_.paragraph(0, counts());
  }

  void partial() {
    if (record_.finished.partial.empty()) return;
    page_.blank();
    page_.paragraph(0, "PARTIAL: " + record_.finished.partial + ".", Ink::kYellow);
  }

  std::size_t problem_count() const {
    const auto& causes = record_.finished.causes;
    return static_cast<std::size_t>(
        std::count_if(causes.begin(), causes.end(), [](const run::Cause& cause) {
          return cause.verdict == Verdict::kFail && !cause.baselined;
        }));
  }
  using Results = std::vector<const run::CaseResult*>;
  using Row = std::pair<std::string, std::vector<Results>>;  // an area; a cell for each run

  // Of several runs: a column for each. The areas in which all is well in all of them share a row.
  void area_table() {
    std::map<std::string, std::vector<Results>> areas;
    for (const run::CaseResult& result : record_.cases) {
      auto& cells = areas[area_within(record_, result.id)];
      cells.resize(record_.parts.size());
      if (const Part* part = part_of(record_, result.id))
        cells[static_cast<std::size_t>(part - record_.parts.data())].push_back(&result);
    }
    std::vector<Row> rows;
    Row well{"", std::vector<Results>(record_.parts.size())};
    std::size_t well_areas = 0;
    for (auto& [area, cells] : areas) {
      if (options_.verbose || !std::all_of(cells.begin(), cells.end(), all_well)) {
        rows.emplace_back(area, std::move(cells));
        continue;
      }
      ++well_areas;
      for (std::size_t i = 0; i < cells.size(); ++i)
        well.second[i].insert(well.second[i].end(), cells[i].begin(), cells[i].end());
    }
    well.first = counted(well_areas, rows.empty() ? "area" : "other area",
                         rows.empty() ? "areas" : "other areas");
    if (well_areas > 0) rows.push_back(std::move(well));
    page_.blank();
    const std::size_t first = columns(rows, 0);
    for (std::size_t from = first; from < record_.parts.size(); page_.blank())
      from = columns(rows, from);
  }

  static bool all_well(const Results& results) {
    return std::all_of(results.begin(), results.end(), [](const run::CaseResult* one) {
      return one->verdict == Verdict::kPass || one->verdict == Verdict::kNotApplicable;
    });
  }

  // As many columns from that one on as stand beside each other; returns the first of the rest.
  std::size_t columns(const std::vector<Row>& rows, std::size_t from) {
    constexpr std::size_t kGap = 2;
    std::vector<std::size_t> widths;
    std::size_t used = 2 + kAreaColumns;
    for (std::size_t i = from; i < record_.parts.size(); ++i) {
      std::size_t width = std::max(width_of(column_name(record_.parts[i])), width_of("passed"));
      for (const Row& row : rows) width = std::max(width, width_of(cell_of(row.second[i])));
      used += kGap + width;
      if (!widths.empty() && used > page_.width()) break;
      widths.push_back(width);
    }
    const auto line = [&](const std::string& first, Ink ink, auto cell) {
      std::string text;
      for (std::size_t i = 0; i < widths.size(); ++i) {
        const std::string one = cell(from + i);
        text += i + 1 < widths.size() ? padded(one, widths[i] + kGap) : one;
      }
      page_.pair(2, padded(fit(first, kAreaColumns), kAreaColumns), ink, text, Ink::kDim);
    };
    line("", Ink::kPlain, [&](std::size_t i) { return column_name(record_.parts[i]); });
    for (const Row& row : rows) {
      const bool failed =
          std::any_of(row.second.begin(), row.second.end(),
                      [](const Results& cell) { return cell_of(cell).ends_with(" failed"); });
      line(row.first, failed ? Ink::kRed : Ink::kPlain,
           [&](std::size_t i) { return cell_of(row.second[i]); });
    }
    line("gate", Ink::kBold, [&](std::size_t i) {
      return std::string(record_.parts[i].gate_passed ? "passed" : "failed");
    });
    return from + widths.size();
  }

  static std::string column_name(const Part& part) {
    return harness::printable(part.name.starts_with("mcp-") ? part.name.substr(4) : part.name, 40);
  }

  // The worst there is to say of an area in one run.
  static std::string cell_of(const Results& results) {
    for (const auto& [verdict, word] : kWorstFirst) {
      const auto count = std::count_if(results.begin(), results.end(),
                                       [&, is = verdict](auto one) { return one->verdict == is; });
      if (count > 0 && verdict != Verdict::kNotApplicable && verdict != Verdict::kInconclusive)
        return fmt::format("{} {}", count, word);
      if (count > 0) return word;
    }
    return "–";
  }

  static constexpr std::pair<Verdict, const char*> kWorstFirst[] = {
      {Verdict::kFail, "failed"},    {Verdict::kError, "in error"},
      {Verdict::kFlaky, "flaky"},    {Verdict::kWarn, "warned"},
      {Verdict::kPass, "passed"},    {Verdict::kInconclusive, "inconclusive"},
      {Verdict::kNotApplicable, "–"}};

  // The areas that failed, and how many have no problem; when verbose a row for each.
  void areas() {
    if (side_by_side(record_)) {
      area_table();
      return;
    }
    std::map<std::string, std::map<Verdict, std::size_t>> areas;
    for (const run::CaseResult& result : record_.cases)
      ++areas[area_of(record_, result.id)][result.verdict];
    if (areas.size() < 2) return;
    std::map<std::string, std::size_t> failed;
    std::size_t well = 0, passed = 0;
    for (auto& [area, verdicts] : areas) {
      if (verdicts[Verdict::kFail] > 0) failed[area] = verdicts[Verdict::kFail];
      if (verdicts[Verdict::kPass] + verdicts[Verdict::kNotApplicable] == total(verdicts)) {
        well += verdicts[Verdict::kPass] > 0;
        passed += verdicts[Verdict::kPass];
      } else if (options_.verbose) {
        const Ink ink = verdicts[Verdict::kFail] > 0 ? Ink::kRed : Ink::kPlain;
        page_.pair(2, padded(fit(area, kAreaColumns), kAreaColumns), ink, area_row(verdicts),
                   Ink::kDim);
      }
    }
    std::string line;
    if (!failed.empty() && !options_.verbose) line = "Failed: " + most_first(failed);
    if (well > 0)
      line += fmt::format("{}{} without a problem ({})", line.empty() ? "" : "; ",
                          counted(well, "area", "areas"), counted(passed, "case", "cases"));
    if (!line.empty()) page_.paragraph(0, line, Ink::kDim, 2);
  }

  static constexpr std::pair<Verdict, const char*> kWords[] = {
      {Verdict::kPass, "passed"}, {Verdict::kFail, "failed"},
      {Verdict::kFlaky, "flaky"}, {Verdict::kError, "in error"},
      {Verdict::kWarn, "warned"}, {Verdict::kInconclusive, "inconclusive"}};

  static std::string area_row(const std::map<Verdict, std::size_t>& verdicts) {
    std::string row;
    for (const auto& [verdict, word] : kWords)
      if (const auto found = verdicts.find(verdict); found != verdicts.end() && found->second > 0)
        row += fmt::format("{}{} {}", row.empty() ? "" : ", ", found->second, word);
    return row;
  }

  static std::size_t total(const std::map<Verdict, std::size_t>& verdicts) {
    std::size_t out = 0;
    for (const auto& [verdict, count] : verdicts) out += count;
    return out;
  }

  // Their number; with --warnings a line a clause, of several causes with one the title of the
  // first; in full when verbose, when they fail the gate, and where they are asked for and few.
  void warnings() {
    struct Line {
      const run::Cause* first;
      std::size_t rows;
    };
    std::vector<Line> lines;
    std::map<std::string, std::size_t> places;
    for (const run::Cause& cause : record_.finished.causes) {
      if (cause.verdict != Verdict::kWarn || cause.baselined) continue;
      const auto [place, fresh] = places.emplace(cause.requirement, lines.size());
      if (fresh) lines.push_back({&cause, 0});
      lines[place->second].rows += cause.findings.size();
    }
    if (lines.empty()) return;
    const bool few = options_.warnings && lines.size() <= kMostInLine;
    if (options_.verbose || few || record_.finished.level_should) {
      causes("WARN", Ink::kYellow, Verdict::kWarn);
      return;
    }
    line("Warnings",
         counted(lines.size(), "recommendation is", "recommendations are") + " not followed" +
             (options_.warnings ? " (--verbose shows them in full)" : " (--warnings lists them)"));
    // How the target had to be talked to says how all the rest was judged.
    for (const run::Cause& cause : record_.finished.causes) {
      if (cause.verdict != Verdict::kWarn || cause.baselined) continue;
      if (!cause.findings.front().case_id.starts_with("contact/")) continue;
      page_.blank();
      show_cause("WARN", Ink::kYellow, cause);
    }
    if (!options_.warnings) return;
    for (const auto& [cause, count] : lines) {
      page_.pair(2, cause->requirement, Ink::kYellow, counted(count, "time", "times"), Ink::kDim);
      page_.paragraph(4, harness::printable(cause->title, kMostOfReason), Ink::kDim);
    }
  }

  void causes(const std::string& label, Ink ink, Verdict verdict) {
    // Where none could be found, results stand for themselves.
    if (record_.finished.causes.empty()) return lone_results(label, verdict);
    for (const run::Cause& cause : record_.finished.causes) {
      if (cause.verdict != verdict || cause.baselined) continue;
      page_.blank();
      show_cause(label, ink, cause);
    }
  }

  // What was seen, which clause forbids it, what follows from it, and how to see it again.
  void show_cause(const std::string& label, Ink ink, const run::Cause& cause) {
    const Clause clause =
        clause_of(cause.requirement, profile_of(record_, cause.findings.front().case_id), options_);
    page_.heading(label, ink, fit(cause.title, 2 * page_.width() - 4 * kIndent));
    const std::string level = level_text(clause);
    const std::string graver = graver_clause(record_, cause, options_);
    const std::string head = (graver.empty() ? "" : "MUST " + graver + ", and ") +
                             (level.empty() ? "" : level + "  ") + cause.requirement;
    page_.paragraph(kIndent, clause.here.empty() ? head : head + " · " + clause.here, Ink::kCyan,
                    2);
    const std::string sentence = sentence_of(cause, clause);
    if (!sentence.empty() && (!cause.by_clause || options_.verbose))
      page_.paragraph(kIndent, fit_words(sentence, two_lines()));
    const run::FindingRef& first = cause.findings.front();
    const run::CaseResult* result = result_of(record_, first);
    if (result) show_finding(*result, result->findings[first.finding], followers_of(cause));
    show_runs(cause);
    if (options_.verbose) show_followers(cause);
    if (const auto known = known_from(cause.requirement, options_);
        options_.verbose && !known.empty())
      page_.field(kIndent, "known", fmt::format("in {}", fmt::join(known, "; ")), Ink::kDim);
    if (result) show_frames(*result, result->findings[first.finding], cause);
    if (const std::string sdk = sdk_of(cause, record_, options_); !sdk.empty())
      page_.field(kIndent, "sdk",
                  "The SDK answers this: " + harness::printable(sdk) +
                      ". To accept it, list it: --write-baseline FILE");
    if (!cause.replay.empty()) page_.verbatim(kIndent, "replay", cause.replay);
    if (!cause.replay_note.empty())
      page_.field(kIndent, cause.replay.empty() ? "replay" : "", cause.replay_note, Ink::kDim);
  }

  std::size_t two_lines() const { return 2 * (page_.width() - kIndent - 10) - 20; }

  void show_finding(const run::CaseResult& result, const harness::oracle::Finding& finding,
                    const std::string& followers = "") {
    page_.field(kIndent, "expected", fit_words(finding.expected, two_lines()), Ink::kGreen);
    if (!is_shown(result, finding))
      page_.field(kIndent, "seen", fit(finding.seen, two_lines()), Ink::kRed);
    const auto* ended = harness::oracle::came_as<harness::oracle::Ended>(finding.came);
    if (ended && !ended->why.empty() && finding.seen.find(ended->why) == std::string::npos)
      page_.field(kIndent, "stderr", fit(ended->why, page_.width() - kIndent - 10), Ink::kRed);
    std::string row;
    if (!finding.row.empty())
      row = (finding.oracle.empty() ? ", row " : ", seen in ") + finding.row;
    // The case is what a reader looks for; a long row is told by the frames.
    if (!finding.row.empty() && finding.oracle.empty() && row.size() > page_.width() / 2)
      row.clear();
    page_.field(kIndent, "in", fit_words(result.id + row + followers, two_lines()), Ink::kDim);
  }

  // The frames below say it.
  static bool is_shown(const run::CaseResult& result, const harness::oracle::Finding& finding) {
    const auto& texts = finding.came.texts;
    if (texts.size() != 1 || finding.seen != texts.front()) return false;
    const auto frames = frames_of(result, finding);
    return !frames.empty() && frames.back()->direction == wire::Direction::kReceived &&
           wire::carries_message(*frames.back());
  }

  // What else is told by it, in short.
  static std::string followers_of(const run::Cause& cause) {
    if (cause.findings.size() < 2) return "";
    std::set<std::string> cases;
    for (const run::FindingRef& ref : cause.findings) cases.insert(ref.case_id);
    const std::size_t more = cause.findings.size() - 1;
    if (cases.size() == 1) return "; " + counted(more, "more finding", "more findings");
    return fmt::format("; {} in {} cases", counted(more, "more finding", "more findings"),
                       cases.size());
  }

  void show_runs(const run::Cause& cause) {
    if (!side_by_side(record_)) return;
    std::set<const Part*> seen;
    for (const run::FindingRef& ref : cause.findings) seen.insert(part_of(record_, ref.case_id));
    std::vector<std::string> names;
    for (const Part& part : record_.parts)
      if (seen.contains(&part)) names.push_back(column_name(part));
    const bool all = names.size() == record_.parts.size();
    page_.field(kIndent, "under",
                all ? "all " + std::to_string(names.size()) + " of them"
                    : fit_words(fmt::format("{}", fmt::join(names, ", ")), two_lines()),
                Ink::kPlain);
  }

  void show_followers(const run::Cause& cause) {
    if (cause.findings.size() < 2) return;
    page_.field(kIndent, "also",
                counted(cause.findings.size() - 1, "more finding", "more findings"), Ink::kDim);
    std::map<std::pair<std::string, std::string>, std::size_t> rows;
    for (const run::FindingRef& ref : cause.findings)
      if (const run::CaseResult* result = result_of(record_, ref))
        ++rows[{ref.case_id, result->findings[ref.finding].requirement}];
    for (const auto& [where, count] : rows)
      page_.pair(kIndent + 2, where.first + (count > 1 ? fmt::format(" ({} rows)", count) : ""),
                 Ink::kPlain, where.second == cause.requirement ? "" : where.second, Ink::kDim);
  }

  void show_frames(const run::CaseResult& result, const harness::oracle::Finding& finding,
                   const run::Cause& cause) {
    const auto frames = frames_of(result, finding);
    for (std::size_t i = 0; i < frames.size(); ++i) {
      if (frames.size() > kMaxFrames && i == kMaxFrames / 2) {
        page_.paragraph(kIndent, fmt::format("… {} more frames", frames.size() - kMaxFrames),
                        Ink::kDim);
        i = frames.size() - kMaxFrames / 2;
      }
      show_frame(*frames[i], deciding_headers(*frames[i], cause, finding));
    }
  }

  void lone_results(const std::string& label, Verdict verdict) {
    for (const run::CaseResult* result : cases_with(record_, verdict)) {
      if (verdict == Verdict::kFlaky && is_told_by_failures(record_, *result)) continue;
      page_.blank();
      page_.heading(label, Ink::kMagenta, fit(result->title, 2 * page_.width()));
      page_.paragraph(kIndent, result->id, Ink::kDim);
      if (!result->reason.empty()) page_.paragraph(kIndent, result->reason);
      if (!result->findings.empty()) show_finding(*result, result->findings.front());
      if (!result->replay.empty()) page_.verbatim(kIndent, "replay", result->replay);
    }
  }

  void show_frame(const wire::Frame& frame, const std::string& headers) {
    std::string label = frame_label(frame);
    std::size_t line = 0;
    const std::size_t left = page_.width() - kIndent - width_of(label) - 2;
    const std::size_t most = kFrameLines * left;
    if (!headers.empty()) {
      page_.pair(kIndent, label, Ink::kCyan, fit(headers, left), Ink::kBold);
      label.assign(width_of(label), ' ');
    }
    for (const std::string& part : chunks(frame_text(frame, most), left)) {
      page_.pair(kIndent, label, Ink::kCyan, part, Ink::kPlain);
      label.assign(width_of(label), ' ');
      if (const auto caret = caret_under(frame, line++, left); !caret.empty())
        page_.pair(kIndent, label, Ink::kCyan, caret, Ink::kRed);
    }
    if (const std::optional<WrongByte> wrong = wrong_byte(frame))
      page_.pair(kIndent, label, Ink::kCyan,
                 fit(fmt::format("byte {}: {}", wrong->offset, wrong->reason), left), Ink::kRed);
  }

  // The line that points at the wrong byte of a frame, if that stands in this line of its text.
  static std::string caret_under(const wire::Frame& frame, std::size_t line, std::size_t columns) {
    const std::optional<WrongByte> wrong = wrong_byte(frame);
    if (!wrong) return "";
    const std::size_t most = kFrameLines * columns;
    const std::string before = frame.bytes.substr(0, wrong->offset);
    const std::size_t at =
        width_of(frame_head(frame, most)) + width_of(harness::printable(before, before.size()));
    const bool shown = at < width_of(frame_text(frame, most));
    const bool last = wrong->offset >= frame.bytes.size();  // behind the end of it
    if ((!shown && !last) || at > most || at / columns != line) return "";
    return std::string(at % columns, ' ') + "^";
  }

  void line(const std::string& name, const std::string& text) {
    page_.paragraph(0, harness::printable(name + ": " + text, kMostOfReason));
  }

  void section(const std::string& name, const std::string& explanation) {
    page_.blank();
    page_.paragraph(0, name + ": " + explanation, Ink::kBold);
  }

  void list_ids(const std::vector<const run::CaseResult*>& cases) {
    for (const run::CaseResult* result : cases)
      page_.pair(4, result->id, Ink::kDim, "", Ink::kPlain);
  }

  void known() {
    std::vector<const run::CaseResult*> cases;
    for (const run::CaseResult& result : record_.cases)
      if (result.baselined) cases.push_back(&result);
    if (cases.empty()) return;
    line("Known", counted(cases.size(), "case breaks", "cases break") +
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
    for (const run::CaseResult& result : record_.cases)
      for (const std::string& note : result.notes) add_shared(notes, note, result);
    shared_section("Remarks", "worth knowing", notes);
  }

  void not_applicable() {
    std::vector<Shared> reasons;
    for (const run::CaseResult* result : cases_with(record_, Verdict::kNotApplicable))
      add_shared(reasons, result->reason, *result);
    shared_section("Not applicable", "nothing here applies to this target", reasons);
  }

  // A line a reason.
  void inconclusive() {
    const auto cases = cases_with(record_, Verdict::kInconclusive);
    if (cases.empty()) return;
    std::map<std::string, std::size_t> affordances;
    std::size_t provoked = 0;
    for (const run::CaseResult* result : cases)
      if (const std::string name = affordance_in(result->remedy); !name.empty())
        ++affordances[name], ++provoked;
    if (options_.verbose) affordances.clear();
    std::vector<Shared> reasons;
    for (const run::CaseResult* result : cases)
      if (!affordances.contains(affordance_in(result->remedy)))
        add_shared(reasons, result->remedy.empty() ? result->reason : "add " + result->remedy,
                   *result);
    if (options_.verbose)
      return shared_section("Inconclusive", "these could not be tested", reasons);
    if (provoked > 0)
      line("Inconclusive", counted(provoked, "case asks", "cases ask") + " for affordances: " +
                               most_first(affordances) + " (`rpcspec inspect` lists them)");
    for (const Shared& one : reasons)
      line("Inconclusive", counted(one.cases.size(), "case", "cases") + ": " +
                               (one.text.empty() ? "no reason was given" : one.text));
  }

  // "tool.task" of "affordances: {tool.task: {…}}"; "" of any other remedy.
  static std::string affordance_in(std::string_view remedy) {
    constexpr std::string_view kBegin = "affordances: {", kEnd = ": {…}}";
    if (!remedy.starts_with(kBegin) || !remedy.ends_with(kEnd)) return "";
    return std::string(remedy.substr(kBegin.size(), remedy.size() - kBegin.size() - kEnd.size()));
  }

  // "tool.task (19), tool.roots (5), prompt.image and 2 more"
  static std::string most_first(const std::map<std::string, std::size_t>& counts) {
    std::vector<std::pair<std::string, std::size_t>> order(counts.begin(), counts.end());
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string out;
    for (std::size_t i = 0; i < order.size() && i < kMostInLine; ++i)
      out += fmt::format("{}{}{}", i == 0 ? "" : ", ", order[i].first,
                         order[i].second > 1 ? fmt::format(" ({})", order[i].second) : "");
    return order.size() > kMostInLine
               ? out + fmt::format(" and {} more", order.size() - kMostInLine)
               : out;
  }

  void shared_section(const std::string& name, const std::string& explanation,
                      const std::vector<Shared>& groups) {
    if (groups.empty()) return;
    section(name, explanation);
    list_shared(groups);
  }

  void list_shared(const std::vector<Shared>& groups) {
    for (const Shared& shared : groups) {
      page_.paragraph(2,
                      fmt::format("{}: {}", counted(shared.cases.size(), "case", "cases"),
                                  shared.text.empty() ? "(no reason was given)" : shared.text),
                      Ink::kPlain, 3);
      if (options_.verbose) list_ids(shared.cases);
    }
  }

  void stale() {
    if (record_.finished.stale.empty()) return;
    section("Stale", "listed in the baseline, but not seen in this run");
    for (const std::string& entry : record_.finished.stale) page_.paragraph(4, entry, Ink::kYellow);
  }

  // "12 cases in 4.2 s: 1 passed, 5 failed (1 known)"
  std::string counts() const {
    const run::RunFinished& finished = record_.finished;
    const auto known_failures = std::count_if(
        record_.cases.begin(), record_.cases.end(), [](const run::CaseResult& result) {
          return result.baselined && result.verdict == Verdict::kFail;
        });
    std::string out;
    const auto add = [&](Verdict verdict, const std::string& words) {
      const auto found = finished.summary.find(verdict_name(verdict));
      if (found == finished.summary.end() || found->second == 0) return;
      out += fmt::format("{}{} {}", out.empty() ? "" : ", ", found->second, words);
    };
    for (const auto& [verdict, word] : kWords)
      add(verdict, verdict == Verdict::kFail && known_failures > 0
                       ? fmt::format("failed ({} known)", known_failures)
                       : word);
    add(Verdict::kNotApplicable, "not applicable");
    return fmt::format("{} in {}: {}{}", counted(record_.cases.size(), "case", "cases"),
                       duration_text(finished.duration_ms),
                       out.empty() ? "nothing was played" : out,
                       finished.interrupted ? " (interrupted)" : "");
  }

  void summary() {
    const run::RunFinished& finished = record_.finished;
    page_.blank();
    page_.paragraph(0, counts());
    if (!finished.unjudged.empty()) page_.paragraph(0, unjudged_text(finished), Ink::kDim);
    if (!finished.contract.empty()) page_.paragraph(0, finished.contract, Ink::kDim, 2);
    if (!finished.not_called.empty()) page_.paragraph(0, not_called_text(finished), Ink::kDim, 2);
    partial();
    for (const run::SurfaceChange& one : finished.surface)
      if (one.grade != Grade::kMetadata || options_.verbose)
        page_.paragraph(0, surface_line(one), one.grade == Grade::kBreaking ? Ink::kRed : Ink::kDim,
                        2);
    gate();
  }

  void gate() {
    const run::RunFinished& finished = record_.finished;
    // What a process printed stands on stderr.
    page_.paragraph(0,
                    "gate " + finished.gate.substr(0, finished.gate.find("; its stderr ends with")),
                    finished.gate_passed ? Ink::kGreen : Ink::kRed);
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
