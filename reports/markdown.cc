// SPDX-License-Identifier: Apache-2.0
// Where it is shown, Markdown is turned into a page that people trust: what a target said stands
// only where nothing in it can be a link, a mention, a picture or HTML.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/base/text.h"
#include "harness/spec/source_link.h"
#include "reports/caveats.h"
#include "reports/evidence.h"
#include "reports/formats.h"
#include "reports/layout.h"
#include "reports/surface.h"

namespace reports {
namespace {

namespace run = harness::run;
using harness::printable;
using run::Verdict;

constexpr std::size_t kMaxMarkdownText = 600;
constexpr std::size_t kMarkdownColumns = 160;
constexpr std::size_t kMostCauses = 40;  // in full; a step summary may have a megabyte
constexpr std::size_t kMostListed = 200;
constexpr std::size_t kFramesShown = 8;

// Prose that says what it says and does nothing else.
std::string plain(const std::string& bytes) {
  std::string out;
  for (const char c : printable(bytes, kMaxMarkdownText)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '@':  // a mention
        out += "&#64;";
        break;
      case ':':  // an address
        out +=
            out.ends_with("http") || out.ends_with("https") || out.ends_with("ftp") ? "&#58;" : ":";
        break;
      case '.': out += out.ends_with("www") ? "&#46;" : "."; break;
      default:
        if (std::string_view("\\`*_{}[]()>#|~!").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
  }
  return out;
}

// `code` in a line, whatever it holds.
std::string code(const std::string& bytes, bool in_table = false) {
  const std::string safe = printable(bytes, kMaxMarkdownText);
  std::size_t longest = 0, ticks = 0;
  for (const char c : safe) longest = std::max(longest, ticks = c == '`' ? ticks + 1 : 0);
  const std::string fence(longest + 1, '`');
  std::string inside = longest > 0 ? " " + safe + " " : safe;
  if (in_table)
    for (std::size_t at = 0; (at = inside.find('|', at)) != std::string::npos; at += 2)
      inside.insert(at, "\\");
  return safe.empty() ? "" : fence + inside + fence;
}

std::string code_block(const std::string& safe_lines, const char* language) {
  std::size_t longest = 2, ticks = 0;
  for (const char c : safe_lines) longest = std::max(longest, ticks = c == '`' ? ticks + 1 : 0);
  const std::string fence(longest + 1, '`');
  return fence + language + "\n" + safe_lines + fence + "\n";
}

class Text {
 public:
  Text(const Record& record, const ReportOptions& options) : record_(record), options_(options) {}

  std::string render() {
    head();
    runs();
    areas();
    causes("What to fix", Verdict::kFail);
    warnings();
    results("In error", Verdict::kError);
    results("Flaky", Verdict::kFlaky);
    inconclusive();
    surface();
    methods();
    known();
    return out_;
  }

 private:
  std::size_t count(Verdict verdict) const {
    const auto found = record_.finished.summary.find(run::verdict_name(verdict));
    return found == record_.finished.summary.end() ? 0 : found->second;
  }

  void head() {
    const run::RunStarted& started = record_.started;
    const run::RunFinished& finished = record_.finished;
    out_ += fmt::format("# rpcspec: {}\n\n", finished.gate_passed ? "passed" : "failed");
    out_ +=
        fmt::format("{} as {} over {}, {} in {}\n\n", code(started.target), code(started.profile),
                    plain(started.transport), counted(record_.cases.size(), "case", "cases"),
                    duration_text(finished.duration_ms));
    if (!finished.gate_passed || !finished.partial.empty())
      out_ += "**" + plain(finished.gate) + "**\n\n";
    out_ += "| passed | failed | warned | inconclusive | not applicable | flaky | in error |\n";
    out_ += "|--:|--:|--:|--:|--:|--:|--:|\n|";
    for (const Verdict verdict :
         {Verdict::kPass, Verdict::kFail, Verdict::kWarn, Verdict::kInconclusive,
          Verdict::kNotApplicable, Verdict::kFlaky, Verdict::kError})
      out_ += fmt::format(" {} |", count(verdict));
    out_ += "\n\n";
    const std::vector<std::string> caveats = caveats_of(record_);
    for (const std::string& one : caveats) out_ += "- " + plain(one) + "\n";
    if (!caveats.empty()) out_ += "\n";
    if (!finished.unjudged.empty() && caveats.empty())
      out_ += plain(unjudged_text(finished)) + "\n\n";
    for (const std::string& entry : finished.stale)
      out_ += "- stale baseline entry: " + plain(entry) + "\n";
    if (!finished.stale.empty()) out_ += "\n";
  }

  // Of several runs: a row for each.
  void runs() {
    if (!side_by_side(record_)) return;
    out_ += "| run | gate | passed | failed | warned | inconclusive | flaky or in error |\n";
    out_ += "|:--|:--|--:|--:|--:|--:|--:|\n";
    for (const Part& part : record_.parts) {
      const auto of = [&](Verdict verdict) {
        const auto found = part.summary.find(run::verdict_name(verdict));
        return found == part.summary.end() ? std::size_t{0} : found->second;
      };
      out_ += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", code(part.name, true),
                          part.gate_passed ? "passed" : "failed", of(Verdict::kPass),
                          of(Verdict::kFail), of(Verdict::kWarn), of(Verdict::kInconclusive),
                          of(Verdict::kFlaky) + of(Verdict::kError));
    }
    out_ += "\n";
  }

  // A row for each area in which not all is well.
  void areas() {
    std::map<std::string, std::map<Verdict, std::size_t>> counts;
    for (const run::CaseResult& result : record_.cases)
      ++counts[area_of(record_, result.id)][result.verdict];
    std::string rows;
    for (auto& [area, verdicts] : counts) {
      const std::size_t bad = verdicts[Verdict::kFail] + verdicts[Verdict::kWarn] +
                              verdicts[Verdict::kInconclusive] + verdicts[Verdict::kFlaky] +
                              verdicts[Verdict::kError];
      if (bad == 0 || (verdicts[Verdict::kFail] == 0 && !options_.warnings && !options_.verbose))
        continue;
      rows += fmt::format(
          "| {} | {} | {} | {} | {} | {} |\n", code(area, true), verdicts[Verdict::kFail],
          verdicts[Verdict::kWarn], verdicts[Verdict::kInconclusive],
          verdicts[Verdict::kFlaky] + verdicts[Verdict::kError], verdicts[Verdict::kPass]);
    }
    if (rows.empty() || counts.size() < 2) return;
    out_ += "| area | failed | warned | inconclusive | flaky or in error | passed |\n";
    out_ += "|:--|--:|--:|--:|--:|--:|\n" + rows + "\n";
  }

  void causes(const char* heading, Verdict verdict) {
    std::vector<const run::Cause*> found;
    for (const run::Cause& cause : record_.finished.causes)
      if (cause.verdict == verdict && !cause.baselined) found.push_back(&cause);
    if (found.empty()) return;
    out_ += fmt::format("## {}\n\n", heading);
    std::size_t shown = 0;
    for (const run::Cause* one : found) {
      if (++shown > kMostCauses) break;
      cause(*one);
    }
    if (found.size() > kMostCauses)
      out_ += fmt::format("{} more are in the other reports.\n\n", found.size() - kMostCauses);
  }

  void warnings() {
    if (record_.finished.level_should || options_.warnings || options_.verbose)
      return causes("Warnings", Verdict::kWarn);
    const auto& all = record_.finished.causes;
    const auto count = std::count_if(all.begin(), all.end(), [](const run::Cause& cause) {
      return cause.verdict == Verdict::kWarn && !cause.baselined;
    });
    if (count > 0)
      out_ += counted(static_cast<std::size_t>(count), "warning does", "warnings do") +
              " not fail the gate (`--warnings` lists them).\n\n";
  }

  void cause(const run::Cause& cause) {
    const Clause clause =
        clause_of(cause.requirement, profile_of(record_, cause.findings.front().case_id), options_);
    out_ += "### " + plain(cause.title) + "\n\n";
    if (const std::string graver = graver_clause(record_, cause, options_); !graver.empty())
      out_ += "MUST " + code(graver) + ", and ";
    out_ += fmt::format("{} {}", plain(level_text(clause)), code(clause.id));
    sources(clause.source);
    if (const std::string page = options_.page ? options_.page(clause.id) : ""; !page.empty())
      out_ += "; [more](" + page + ")";
    out_ += "\n\n";
    if (const std::string sentence = sentence_of(cause, clause); !sentence.empty())
      out_ += plain(sentence) + "\n\n";
    if (const run::CaseResult* result = result_of(record_, cause.findings.front())) {
      const harness::oracle::Finding& finding = result->findings[cause.findings.front().finding];
      out_ += "- expected " + plain(finding.expected) + "\n- seen " + plain(finding.seen) + "\n";
      out_ += "- in " + code(result->id);
      if (cause.findings.size() > 1)
        out_ += ", and " + counted(cause.findings.size() - 1, "more finding", "more findings");
      out_ += "\n\n";
      frames(*result, finding, cause);
    }
    if (!cause.replay.empty())
      out_ += code_block(printable(cause.replay, cause.replay.size()) + "\n", "sh") + "\n";
  }

  void sources(const std::string& source) {
    bool first = true;
    for (const harness::spec::SourceLink& link : harness::spec::links_of(source)) {
      out_ += first ? " · " : "; ";
      first = false;
      out_ += link.url.empty() ? plain(link.text) : "[" + plain(link.text) + "](" + link.url + ")";
    }
  }

  void frames(const run::CaseResult& result, const harness::oracle::Finding& finding,
              const run::Cause& cause) {
    std::string lines;
    std::size_t shown = 0;
    for (const harness::wire::Frame* frame : frames_of(result, finding)) {
      if (++shown > kFramesShown) break;
      lines += printable(frame_line(*frame, cause, finding, kMarkdownColumns)) + "\n";
    }
    if (!lines.empty()) out_ += code_block(lines, "") + "\n";
  }

  void results(const char* heading, Verdict verdict) {
    std::string rows;
    for (const run::CaseResult& result : record_.cases)
      if (result.verdict == verdict &&
          (verdict != Verdict::kFlaky || !is_told_by_failures(record_, result)))
        rows += fmt::format("- {}: {}\n", code(result.id), plain(result.reason));
    if (!rows.empty()) out_ += fmt::format("## {}\n\n{}\n", heading, rows);
  }

  void surface() {
    const std::vector<run::SurfaceChange>& changes = record_.finished.surface;
    if (changes.empty()) return;
    out_ += "## Surface\n\n";
    for (std::size_t i = 0; i < changes.size() && i < kMostListed; ++i)
      out_ += "- " + plain(surface_line(changes[i])) + "\n";
    out_ += "\n";
  }

  // In a fold: what the clauses about described methods came to, method by method.
  void methods() {
    const run::RunFinished& finished = record_.finished;
    if (finished.contract.empty()) return;
    out_ += "<details><summary>" + plain(finished.contract) + "</summary>\n\n";
    out_ += "| method | called | examples | clauses tried | broken | not judged |\n";
    out_ += "|:--|:--|--:|--:|:--|:--|\n";
    std::size_t shown = 0;
    for (const run::DescribedMethod& one : finished.methods) {
      if (++shown > kMostListed) break;

      std::string broken, doubts;
      for (const auto& [clause, verdict] : one.clauses) {
        if (verdict != "tried") broken += (broken.empty() ? "" : ", ") + code(clause, true);
      }
      for (const std::string& doubt : one.not_judged)
        doubts += (doubts.empty() ? "" : "; ") + plain(doubt);
      out_ += fmt::format("| {} | {} | {} | {} | {} | {} |\n", code(one.name, true),
                          one.called ? plain(one.why) : "no: " + plain(one.why), one.examples,
                          one.clauses.size(), broken, doubts);
    }
    out_ += "\n</details>\n\n";
  }

  // In a fold: what to add to the target description, and for how many cases.
  void inconclusive() {
    std::map<std::string, std::size_t> remedies;
    std::size_t cases = 0;
    for (const run::CaseResult& result : record_.cases) {
      if (result.verdict != Verdict::kInconclusive) continue;
      ++cases;
      ++remedies[result.remedy.empty() ? result.reason : result.remedy];
    }
    if (cases == 0) return;
    out_ += fmt::format("<details><summary>{} could not be tested</summary>\n\n",
                        counted(cases, "case", "cases"));
    std::size_t shown = 0;
    for (const auto& [remedy, times] : remedies) {
      if (++shown > kMostListed) break;
      out_ += fmt::format("- {}: {}\n", code(remedy), counted(times, "case", "cases"));
    }
    out_ += "\n</details>\n\n";
  }

  void known() {
    const auto known = std::count_if(record_.cases.begin(), record_.cases.end(),
                                     [](const run::CaseResult& one) { return one.baselined; });
    if (known > 0)
      out_ += counted(static_cast<std::size_t>(known), "case fails", "cases fail") +
              " as the baseline says.\n";
  }

  const Record& record_;
  const ReportOptions& options_;
  std::string out_;
};

}  // namespace

std::string render_markdown(const Record& record, const ReportOptions& options) {
  return Text(record, options).render();
}

}  // namespace reports
