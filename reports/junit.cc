// SPDX-License-Identifier: Apache-2.0
// One testsuite an area, one testcase a case. What CI servers disagree about is left out: no
// properties inside a testcase, no timestamp, at most one failure a testcase. Every string goes
// through `xml`, because XML 1.0 has no way to write most control characters.
#include <fmt/format.h>

#include <map>
#include <pugixml.hpp>
#include <sstream>
#include <utility>
#include <vector>

#include "harness/base/text.h"
#include "reports/breaches.h"
#include "reports/evidence.h"
#include "reports/formats.h"
#include "reports/layout.h"

namespace reports {
namespace {

namespace run = harness::run;
using run::Verdict;

constexpr std::size_t kJUnitColumns = 200;
constexpr std::size_t kMaxJUnitText = 4096;

// Printable, and without the two code points that are UTF-8 but not XML.
std::string xml(std::string_view bytes, std::size_t limit = kMaxJUnitText) {
  const std::string safe = harness::printable(bytes, limit);
  std::string out;
  out.reserve(safe.size());
  for (std::size_t i = 0; i < safe.size();) {
    const CodePoint point = code_point_at(safe, i);
    if (point.value == 0xfffe || point.value == 0xffff)
      out += fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(point.value));
    else
      out += safe.substr(i, point.next - i);
    i = point.next;
  }
  return out;
}

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(value.c_str());
}

void set_text(pugi::xml_node node, const std::string& lines) {
  node.append_child(pugi::node_pcdata).set_value(lines.c_str());
}

std::string seconds(std::int64_t milliseconds) {
  return fmt::format("{}.{:03}", milliseconds / 1000, milliseconds % 1000);
}

void property(pugi::xml_node properties, const char* name, const std::string& value) {
  pugi::xml_node node = properties.append_child("property");
  set(node, "name", name);
  set(node, "value", xml(value));
}

class Document {
 public:
  Document(const Record& record, const ReportOptions& options)
      : record_(record), options_(options) {}

  std::string render() {
    pugi::xml_document document;
    pugi::xml_node declaration = document.append_child(pugi::node_declaration);
    set(declaration, "version", "1.0");
    set(declaration, "encoding", "UTF-8");
    pugi::xml_node suites = document.append_child("testsuites");
    set(suites, "name", "rpcspec");
    std::map<std::string, Results> areas;
    Results all;
    for (const run::CaseResult& result : record_.cases) {
      all.push_back(&result);
      areas[area_of(record_, result.id)].push_back(&result);
    }
    set_totals(suites, all, record_.finished.duration_ms);
    if (areas.empty()) areas[record_.started.profile];
    bool first = true;
    for (const auto& [area, results] : areas) {
      std::int64_t milliseconds = 0;
      for (const run::CaseResult* result : results) milliseconds += result->duration_ms;
      pugi::xml_node suite = suites.append_child("testsuite");
      set(suite, "name", area.empty() ? "rpcspec" : xml(area));
      set_totals(suite, results, milliseconds);
      add_properties(suite.append_child("properties"), results);
      for (const run::CaseResult* result : results)
        add_testcase(suite.append_child("testcase"), *result);
      if (std::exchange(first, false)) add_run_output(suite);
    }
    std::ostringstream out;
    document.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
    return out.str();
  }

 private:
  // How a CI server counts the case. A known failure is not news: it is skipped, with the reason.
  enum class Outcome { kPassed, kFailed, kError, kSkipped };
  static Outcome outcome_of(const run::CaseResult& result) {
    switch (result.verdict) {
      case Verdict::kFail: return result.baselined ? Outcome::kSkipped : Outcome::kFailed;
      case Verdict::kError: return Outcome::kError;
      case Verdict::kInconclusive:
      case Verdict::kNotApplicable: return Outcome::kSkipped;
      case Verdict::kPass:
      case Verdict::kWarn:
      case Verdict::kFlaky: break;
    }
    return Outcome::kPassed;
  }

  using Results = std::vector<const run::CaseResult*>;

  static std::size_t count(const Results& results, Outcome outcome) {
    std::size_t n = 0;
    for (const run::CaseResult* result : results) n += outcome_of(*result) == outcome;
    return n;
  }

  static void set_totals(pugi::xml_node node, const Results& results, std::int64_t milliseconds) {
    set(node, "tests", std::to_string(results.size()));
    set(node, "failures", std::to_string(count(results, Outcome::kFailed)));
    set(node, "errors", std::to_string(count(results, Outcome::kError)));
    set(node, "skipped", std::to_string(count(results, Outcome::kSkipped)));
    set(node, "time", seconds(milliseconds));
  }

  void add_properties(pugi::xml_node properties, const Results& results) const {
    const Part* part = results.empty() ? nullptr : part_of(record_, results.front()->id);
    const run::RunStarted& started = part != nullptr ? part->started : record_.started;
    property(properties, "rpcspec", started.version);
    property(properties, "target", started.target);
    property(properties, "profile", started.profile);
    property(properties, "transport", started.transport);
    property(properties, "seed", std::to_string(started.seed));
    property(properties, "gate", part != nullptr ? part->gate : record_.finished.gate);
    for (const run::CaseResult* result : results)
      if (result->verdict == Verdict::kFlaky) property(properties, "flaky", result->id);
  }

  void add_testcase(pugi::xml_node node, const run::CaseResult& result) const {
    const std::size_t slash = result.id.rfind('/');
    std::string folder = slash == std::string::npos ? "rpcspec" : result.id.substr(0, slash);
    for (char& c : folder) c = c == '/' ? '.' : c;
    set(node, "classname", xml(folder));
    set(node, "name", xml(slash == std::string::npos ? result.id : result.id.substr(slash + 1)));
    set(node, "time", seconds(result.duration_ms));
    switch (outcome_of(result)) {
      case Outcome::kFailed:
        add_verdict(node, "failure", headline(result), level_of_worst(result), story(result));
        break;
      case Outcome::kError:
        add_verdict(node, "error", xml(result.reason), "error", story(result));
        break;
      case Outcome::kSkipped:
        set(node.append_child("skipped"), "message", skip_message(result));
        break;
      case Outcome::kPassed: break;
    }
    const std::string output = remarks(result);
    if (!output.empty()) set_text(node.append_child("system-out"), output);
  }

  static void add_verdict(pugi::xml_node node, const char* element, const std::string& message,
                          const std::string& type, const std::string& text) {
    pugi::xml_node verdict = node.append_child(element);
    set(verdict, "message", message);
    set(verdict, "type", xml(type));
    set_text(verdict, text);
  }

  // The level of the clause that the headline names.
  std::string level_of_worst(const run::CaseResult& result) const {
    const std::vector<Breach> breaches = breaches_of(result);
    if (breaches.empty()) return result.level;
    const std::string level =
        clause_of(breaches.front().finding->requirement, profile_of(record_, result.id), options_)
            .level;
    return level.empty() ? result.level : level;
  }

  // One line for lists: the worst breach.
  static std::string headline(const run::CaseResult& result) {
    const std::vector<Breach> breaches = breaches_of(result);
    if (breaches.empty()) return xml(result.reason.empty() ? result.title : result.reason);
    const harness::oracle::Finding& worst = *breaches.front().finding;
    return xml(worst.requirement) + ": expected " + xml(worst.expected, 200) + "; seen " +
           xml(worst.seen, 200);
  }

  static std::string skip_message(const run::CaseResult& result) {
    if (result.baselined) return "known failure, listed in the baseline: " + headline(result);
    std::string message =
        std::string(run::verdict_name(result.verdict)) + ": " + xml(result.reason);
    if (!result.remedy.empty()) message += "; add to the target description: " + xml(result.remedy);
    return message;
  }

  // What a person needs to believe the verdict and to see it again.
  std::string story(const run::CaseResult& result) const {
    std::string out = xml(result.title) + "\n" + xml(result.id) + "\n";
    if (!result.reason.empty()) out += xml(result.reason) + "\n";
    for (const Breach& breach : breaches_of(result)) {
      const harness::oracle::Finding& finding = *breach.finding;
      const Clause clause =
          clause_of(finding.requirement, profile_of(record_, result.id), options_);
      out += "\n" + (clause.level.empty() ? "" : level_text(clause) + " ") + xml(clause.id);
      if (!clause.source.empty()) out += " (" + xml(clause.source) + ")";
      out += "\n";
      if (!clause.statement.empty()) out += xml(clause.statement) + "\n";
      if (const Marks marks = official_marks(finding.requirement, options_); marks.any())
        out += xml(marks_text(marks)) + "\n";
      out += "expected: " + xml(finding.expected) + "\n";
      out += "seen: " + xml(finding.seen) + "\n";
      for (const std::string& row : breach.rows) out += "row: " + xml(row) + "\n";
      if (!finding.oracle.empty()) out += "oracle: " + xml(finding.oracle) + "\n";
      run::Cause cause;
      cause.title = clause.statement;
      for (const harness::wire::Frame* frame : frames_of(result, finding))
        out += xml(frame_line(*frame, cause, finding, kJUnitColumns)) + "\n";
    }
    if (!result.replay.empty())
      out += "\nreplay: " + xml(result.replay, result.replay.size()) + "\n";
    return out;
  }

  std::string remarks(const run::CaseResult& result) const {
    std::string out;
    if (result.verdict == Verdict::kFlaky) out += "flaky: " + xml(result.reason) + "\n";
    if (result.verdict == Verdict::kWarn) out += "warning\n";
    if (result.verdict == Verdict::kFlaky || result.verdict == Verdict::kWarn || result.baselined)
      out += story(result);
    for (const std::string& note : result.notes) out += "note: " + xml(note) + "\n";
    return out;
  }

  void add_run_output(pugi::xml_node suite) const {
    std::string out = "gate " + xml(record_.finished.gate) + "\n";
    if (!record_.finished.unjudged.empty()) out += xml(unjudged_text(record_.finished)) + "\n";
    for (const std::string& entry : record_.finished.stale)
      out += "stale baseline entry: " + xml(entry) + "\n";
    set_text(suite.append_child("system-out"), out);
  }

  const Record& record_;
  const ReportOptions& options_;
};

}  // namespace

std::string render_junit(const Record& record, const ReportOptions& options) {
  return Document(record, options).render();
}

}  // namespace reports
