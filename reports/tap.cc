// SPDX-License-Identifier: Apache-2.0
// https://testanything.org/tap-version-14-specification.html. What stands in a YAML block is
// written as JSON strings, which YAML reads as what they are.
#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/json/escaped.h"
#include "harness/json/write.h"
#include "reports/breaches.h"
#include "reports/evidence.h"
#include "reports/formats.h"

namespace reports {
namespace {

namespace run = harness::run;
using harness::printable;
using run::Verdict;

constexpr std::size_t kTapColumns = 200;
constexpr std::size_t kMaxTapText = 1000;

// In a description a backslash escapes, and # begins a directive.
std::string description(const std::string& bytes) {
  std::string out;
  for (const char c : printable(bytes, kMaxTapText)) {
    if (c == '\\' || c == '#') out += '\\';
    out += c;
  }
  return out;
}

// A directive and a comment end with their line.
std::string one_line(const std::string& bytes) { return printable(bytes, kMaxTapText); }

std::string quoted(const std::string& bytes) {
  return harness::json::escaped_for_eyes(harness::json::quoted(printable(bytes, kMaxTapText)));
}

std::string directive(const run::CaseResult& result) {
  switch (result.verdict) {
    case Verdict::kInconclusive:
    case Verdict::kNotApplicable: return " # SKIP " + one_line(result.reason);
    case Verdict::kFail:
      return result.baselined ? " # TODO known failure, listed in the baseline" : "";
    default: return "";
  }
}

void add_field(std::string& out, const char* name, const std::string& value) {
  if (!value.empty()) out += fmt::format("  {}: {}\n", name, quoted(value));
}

std::string finding_text(const run::CaseResult& result, const Breach& breach,
                         const std::string& level) {
  const harness::oracle::Finding& finding = *breach.finding;
  std::string out = "    - requirement: " + quoted(finding.requirement) + "\n";
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) out += fmt::format("      {}: {}\n", name, quoted(value));
  };
  add("level", level);
  add("expected", finding.expected);
  add("seen", finding.seen);
  add("oracle", finding.oracle);
  if (breach.count > 1) out += fmt::format("      times: {}\n", breach.count);
  const auto frames = frames_of(result, finding);
  if (!frames.empty()) out += "      frames:\n";
  for (const harness::wire::Frame* frame : frames)
    out +=
        "        - " + quoted(frame_label(*frame) + "  " + frame_text(*frame, kTapColumns)) + "\n";
  return out;
}

std::string block(const run::CaseResult& result, const Record& record,
                  const ReportOptions& options) {
  std::string out = "  ---\n";
  add_field(out, "message", result.title);
  add_field(out, "verdict", run::verdict_name(result.verdict));
  add_field(out, "reason", result.reason);
  out += fmt::format("  duration_ms: {}\n", result.duration_ms);
  const std::vector<Breach> breaches = breaches_of(result);
  if (!breaches.empty()) out += "  findings:\n";
  for (const Breach& breach : breaches)
    out += finding_text(
        result, breach,
        clause_of(breach.finding->requirement, profile_of(record, result.id), options).level);
  add_field(out, "replay", result.replay);
  return out + "  ...\n";
}

}  // namespace

std::string render_tap(const Record& record, const ReportOptions& options) {
  const run::RunStarted& started = record.started;
  std::string out = fmt::format("TAP version 14\n1..{}", record.cases.size());
  if (record.cases.empty()) out += " # SKIP nothing was played";
  out += "\n# rpcspec " + one_line(started.version) + " " + one_line(started.target) + "\n# " +
         one_line(started.profile) + " over " + one_line(started.transport) +
         fmt::format(", seed {}\n", started.seed);
  std::size_t number = 0;
  for (const run::CaseResult& result : record.cases) {
    const bool ok = result.verdict != Verdict::kFail && result.verdict != Verdict::kError;
    out += fmt::format("{} {} - {}{}\n", ok ? "ok" : "not ok", ++number, description(result.id),
                       directive(result));
    if (!ok || result.verdict == Verdict::kWarn || result.verdict == Verdict::kFlaky)
      out += block(result, record, options);
  }
  for (const std::string& entry : record.finished.stale)
    out += "# stale baseline entry: " + one_line(entry) + "\n";
  out += "# gate " + one_line(record.finished.gate) + "\n";
  if (record.finished.interrupted) out += "Bail out! interrupted\n";
  return out;
}

}  // namespace reports
