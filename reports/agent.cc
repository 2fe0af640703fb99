// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/base/text.h"
#include "reports/evidence.h"
#include "reports/formats.h"
#include "reports/layout.h"
#include "reports/surface.h"

namespace reports {
namespace {

namespace json = harness::json;
namespace run = harness::run;
using harness::printable;
using json::Value;

constexpr std::size_t kAgentCauses = 20, kAgentFrames = 12, kAgentColumns = 2000;
constexpr std::size_t kFramesAsText = 6, kColumnsAsText = 300;  // an agent reads all of it

Value safe_string(const std::string& bytes) {
  return json::string(harness::is_utf8(bytes) ? bytes : printable(bytes, bytes.size()));
}

Value agent_cause(const run::Cause& cause, std::size_t number, const Record& record,
                  const ReportOptions& options) {
  const Clause clause =
      clause_of(cause.requirement, profile_of(record, cause.findings.front().case_id), options);
  Value out = json::object({{"number", json::number(static_cast<std::int64_t>(number))},
                            {"verdict", json::string(run::verdict_name(cause.verdict))},
                            {"level", safe_string(cause.level)},
                            {"clause", safe_string(cause.requirement)},
                            {"statement", safe_string(clause.statement)},
                            {"title", safe_string(cause.title)},
                            {"sentence", safe_string(cause.sentence)},
                            {"case", safe_string(cause.findings.front().case_id)},
                            {"replay", safe_string(cause.replay)}});
  if (const run::CaseResult* result = result_of(record, cause.findings.front())) {
    const harness::oracle::Finding& finding = result->findings[cause.findings.front().finding];
    out.set("expected", safe_string(finding.expected));
    out.set("seen", safe_string(finding.seen));
    Value frames = json::array();
    for (const harness::wire::Frame* frame : frames_of(*result, finding)) {
      if (frames.items.size() == kAgentFrames) break;
      frames.items.push_back(safe_string(frame_line(*frame, cause, finding, kAgentColumns)));
    }
    out.set("frames", std::move(frames));
  }
  const harness::spec::Advice* advice =
      options.advice ? options.advice(cause.requirement) : nullptr;
  if (advice != nullptr) out.set("advice", safe_string(advice->cause));
  return out;
}

// A member of a cause, fit for a terminal.
std::string text_in(const Value& cause, const char* name) {
  const Value* member = cause.find(name);
  return member == nullptr ? "" : printable(member->text, member->text.size());
}

std::string cause_text(const Value& cause) {
  std::string out =
      fmt::format("\n{}. {} {} {}\n", cause.find("number")->text, text_in(cause, "verdict"),
                  text_in(cause, "level"), text_in(cause, "clause"));
  for (const char* name : {"title", "sentence", "statement", "expected", "seen", "advice", "case"})
    if (const std::string text = text_in(cause, name); !text.empty())
      out += fmt::format("   {}: {}\n", name, text);
  if (const Value* frames = cause.find("frames"))
    for (std::size_t i = 0; i < std::min(frames->items.size(), kFramesAsText); ++i)
      out += "   " + fit(frames->items[i].text, kColumnsAsText) + "\n";
  if (const std::string replay = text_in(cause, "replay"); !replay.empty())
    out += "   replay: " + replay + "\n";
  return out;
}

}  // namespace

Value agent_value(const Record& record, const ReportOptions& options) {
  Value summary = json::object(), causes = json::array();
  for (const auto& [verdict, count] : record.finished.summary)
    summary.set(verdict, json::number(static_cast<std::int64_t>(count)));
  std::int64_t more = 0;
  for (const run::Cause& cause : record.finished.causes) {
    if (cause.baselined) continue;
    if (causes.items.size() == kAgentCauses)
      ++more;
    else
      causes.items.push_back(agent_cause(cause, causes.items.size() + 1, record, options));
  }
  return json::object({{"passed", json::boolean(record.finished.gate_passed)},
                       {"gate", safe_string(record.finished.gate)},
                       {"target", safe_string(record.started.target)},
                       {"profile", safe_string(record.started.profile)},
                       {"summary", std::move(summary)},
                       {"causes", std::move(causes)},
                       {"more_causes", json::number(more)}});
}

std::string render_agent(const Record& record, const ReportOptions& options) {
  const Value all = agent_value(record, options);
  std::string out =
      fmt::format("gate {}\n{} as {}:", printable(record.finished.gate),
                  printable(record.started.target), printable(record.started.profile));
  for (const json::Member& one : all.find("summary")->members)
    out += fmt::format(" {} {}", one.value.text, one.name);
  out += "\n";
  const bool in_full = record.finished.level_should || options.warnings || options.verbose;
  std::string warnings;
  const Value* first = nullptr;
  for (const Value& cause : all.find("causes")->items) {
    if (!in_full && text_in(cause, "verdict") == run::verdict_name(run::Verdict::kWarn)) {
      warnings += fmt::format("   {} {}\n", text_in(cause, "clause"), text_in(cause, "title"));
      continue;
    }
    if (first == nullptr) first = &cause;
    out += cause_text(cause);
  }
  for (const run::SurfaceChange& one : record.finished.surface)
    if (one.grade == Grade::kBreaking) out += "\n" + printable(surface_line(one), 500) + "\n";
  for (const std::string& entry : record.finished.stale)
    out += "\nstale baseline entry: " + printable(entry) + "\n";
  const std::string more = all.find("more_causes")->text;
  if (more != "0") out += "\n" + more + " more causes: fix these first\n";
  if (!warnings.empty()) out += "\nwarnings, which do not fail the gate:\n" + warnings;
  if (!record.finished.not_called.empty()) {
    const std::string not_called = not_called_text(record.finished);  // its reasons are raw
    out += "\n" + printable(not_called, not_called.size()) + "\n";
  }
  if (first != nullptr)
    out += fmt::format(
        "\nnext: fix cause {} and run its replay, then run all again; "
        "`rpcspec explain {}` says more\n",
        first->find("number")->text, text_in(*first, "clause"));
  return out;
}

}  // namespace reports
