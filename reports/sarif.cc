// SPDX-License-Identifier: Apache-2.0
// Code scanning wants a file of the repository for each result: the one that stands for the server;
// where none is known, the case does ("rpcspec/mcp/tools/list"). What could not be exercised is no
// result; what went wrong besides is a notification.
#include <fmt/format.h>

#include <map>
#include <set>

#include "harness/base/text.h"
#include "harness/json/escaped.h"
#include "harness/json/write.h"
#include "harness/spec/source_link.h"
#include "reports/breaches.h"
#include "reports/evidence.h"
#include "reports/formats.h"

namespace reports {
namespace {

namespace json = harness::json;
namespace oracle = harness::oracle;
namespace run = harness::run;
using harness::printable;
using json::Value;

constexpr std::size_t kSarifColumns = 200;
constexpr std::size_t kMaxSarifText = 2000;

Value sarif_text(const std::string& bytes) { return json::string(printable(bytes, kMaxSarifText)); }
Value message(const std::string& bytes) { return json::object({{"text", sarif_text(bytes)}}); }

// A reference that URIs allow: what else a name holds is %XX.
std::string as_uri(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '/';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// FNV-1a: the same on every machine, which is all that is asked of it.
std::string fingerprint(const std::string& of) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : of) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return fmt::format("{:016x}", hash);
}

const char* level_of(run::Verdict verdict) {
  return verdict == run::Verdict::kFail ? "error" : "warning";
}

class Log {
 public:
  Log(const Record& record, const ReportOptions& options) : record_(record), options_(options) {}

  Value render() {
    Value results = json::array(), notifications = json::array();
    std::map<std::string, int> marks;
    for (const run::Cause& cause : all_causes())
      if (is_told(cause)) results.items.push_back(result_of_cause(cause, marks));
    for (const run::CaseResult& result : record_.cases) {
      if (result.verdict == run::Verdict::kError)
        notifications.items.push_back(notification("error", result.id + ": " + result.reason));
      if (result.verdict == run::Verdict::kFlaky)
        notifications.items.push_back(notification("note", result.id + ": " + result.reason));
    }
    for (const std::string& entry : record_.finished.stale)
      notifications.items.push_back(notification("warning", "stale baseline entry: " + entry));
    const run::RunStarted& started = record_.started;
    Value run = json::object({
        {"tool", json::object({{"driver", driver()}})},
        {"automationDetails", json::object({{"id", sarif_text("rpcspec/" + started.profile + "/" +
                                                              started.transport + "/")}})},
        {"invocations", json::array({invocation(std::move(notifications))})},
        {"results", std::move(results)},
        {"columnKind", json::string("utf16CodeUnits")},
        {"properties", properties()},
    });
    return json::object({
        {"$schema", json::string("https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/"
                                 "schemas/sarif-schema-2.1.0.json")},
        {"version", json::string("2.1.0")},
        {"runs", json::array({std::move(run)})},
    });
  }

 private:
  static Value notification(const char* level, const std::string& of) {
    return json::object({{"level", json::string(level)}, {"message", message(of)}});
  }

  Value invocation(Value notifications) const {
    return json::object({
        {"executionSuccessful", json::boolean(!record_.finished.interrupted)},
        {"exitCodeDescription", sarif_text(record_.finished.gate)},
        {"toolExecutionNotifications", std::move(notifications)},
    });
  }

  Value properties() const {
    const run::RunStarted& started = record_.started;
    Value summary = json::object();
    for (const auto& [verdict, count] : record_.finished.summary)
      summary.set(verdict, json::number(static_cast<std::int64_t>(count)));
    return json::object({
        {"target", sarif_text(started.target)},
        {"profile", sarif_text(started.profile)},
        {"transport", sarif_text(started.transport)},
        {"gatePassed", json::boolean(record_.finished.gate_passed)},
        {"summary", std::move(summary)},
    });
  }

  // After the results, which say what rules there are.
  Value driver() {
    Value rules = json::array();
    rules.items = std::move(rules_);
    return json::object({
        {"name", json::string("rpcspec")},
        {"version", sarif_text(record_.started.version)},
        {"rules", std::move(rules)},
    });
  }

  std::int64_t rule_of(const run::Cause& cause) {
    const auto [place, is_new] =
        indices_.emplace(cause.requirement, static_cast<std::int64_t>(rules_.size()));
    if (!is_new) return place->second;
    const Clause clause =
        clause_of(cause.requirement, profile_of(record_, cause.findings.front().case_id), options_);
    const std::string statement = clause.statement.empty() ? clause.id : clause.statement;
    Value rule = json::object({
        {"id", sarif_text(cause.requirement)},
        {"shortDescription", message(statement)},
        {"defaultConfiguration", json::object({{"level", json::string(level_of(cause.verdict))}})},
    });
    std::string help = statement;
    if (!clause.level.empty()) help = level_text(clause) + ": " + help;
    if (!clause.source.empty()) help += " (" + clause.source + ")";
    rule.set("help", message(help + " `rpcspec explain " + clause.id +
                             "` says why servers break it, and what to change."));
    for (const harness::spec::SourceLink& link : harness::spec::links_of(clause.source))
      if (!link.url.empty()) {
        rule.set("helpUri", json::string(link.url));
        break;
      }
    if (!clause.level.empty())
      rule.set("properties", json::object({{"tags", json::array({sarif_text(clause.level)})}}));
    rules_.push_back(std::move(rule));
    return place->second;
  }

  // Those of the run, then one for each breach that none of them has: a run that ended early has no
  // causes.
  std::vector<run::Cause> all_causes() const {
    std::vector<run::Cause> out = record_.finished.causes;
    std::set<std::pair<std::string, std::size_t>> told;
    for (const run::Cause& cause : out)
      for (const run::FindingRef& ref : cause.findings) told.emplace(ref.case_id, ref.finding);
    for (const run::CaseResult& result : record_.cases)
      for (const Breach& breach : breaches_of(result)) {
        const auto at = static_cast<std::size_t>(breach.finding - result.findings.data());
        if (breach.finding->severity == oracle::Severity::kInfo || told.contains({result.id, at}))
          continue;
        const bool fails = breach.finding->severity == oracle::Severity::kFail &&
                           result.verdict == run::Verdict::kFail;
        out.push_back({.requirement = breach.finding->requirement,
                       .verdict = fails ? run::Verdict::kFail : run::Verdict::kWarn,
                       .title = result.title,
                       .findings = {{result.id, at}},
                       .replay = result.replay,
                       .baselined = result.baselined});
      }
    return out;
  }

  // What gates, known failures among it; warnings where they were asked for.
  bool is_told(const run::Cause& cause) const {
    return cause.verdict == run::Verdict::kFail || record_.finished.level_should ||
           options_.warnings;
  }

  // `marks`: how many there are of one clause and title.
  Value result_of_cause(const run::Cause& cause, std::map<std::string, int>& marks) {
    const std::string same = cause.requirement + "\n" + cause.title;
    const std::string mark = fingerprint(same + "\n" + std::to_string(++marks[same]));
    Value cases = json::array();
    std::set<std::string> ids;
    for (const run::FindingRef& ref : cause.findings)
      if (ids.insert(ref.case_id).second) cases.items.push_back(sarif_text(ref.case_id));
    Value out = json::object({
        {"ruleId", sarif_text(cause.requirement)},
        {"ruleIndex", json::number(rule_of(cause))},
        {"level", json::string(level_of(cause.verdict))},
        {"message", message(story(cause))},
        {"locations", json::array({location(cause.findings.front().case_id)})},
        {"partialFingerprints",
         json::object({{"primaryLocationLineHash", json::string(mark + ":1")}})},
        {"occurrenceCount", json::number(static_cast<std::int64_t>(cause.findings.size()))},
    });
    if (cause.baselined)
      out.set("suppressions",
              json::array({json::object(
                  {{"kind", json::string("external")},
                   {"justification", json::string("a known failure, in the baseline")}})}));
    out.set("properties",
            json::object({{"cases", std::move(cases)}, {"replay", sarif_text(cause.replay)}}));
    return out;
  }

  Value location(const std::string& case_id) const {
    const std::string name = printable(case_id, kMaxSarifText);
    const std::string& read = record_.origin.file;
    const std::string& file = read.empty() ? options_.origin.file : read;
    return json::object({
        {"physicalLocation",
         json::object({{"artifactLocation",
                        json::object({{"uri", json::string(as_uri(file.empty() ? "rpcspec/" + name
                                                                               : file))}})},
                       {"region", json::object({{"startLine", json::number(1)}})}})},
        {"logicalLocations", json::array({json::object({{"fullyQualifiedName", json::string(name)},
                                                        {"kind", json::string("function")}})})},
    });
  }

  std::string story(const run::Cause& cause) const {
    const auto full_stop = [](const std::string& text) {
      return printable(text, kMaxSarifText) + (text.ends_with('.') ? "" : ".");
    };
    std::string out = full_stop(cause.title);
    const Clause clause =
        clause_of(cause.requirement, profile_of(record_, cause.findings.front().case_id), options_);
    if (const std::string sentence = sentence_of(cause, clause); !sentence.empty())
      out += " " + full_stop(sentence);
    const run::CaseResult* result = result_of(record_, cause.findings.front());
    if (result == nullptr) return out;
    const oracle::Finding& finding = result->findings[cause.findings.front().finding];
    out +=
        fmt::format(" Expected {}; seen {}.", printable(finding.expected), printable(finding.seen));
    constexpr std::size_t kMostFrames = 4;
    std::string proof;
    std::size_t shown = 0;
    for (const harness::wire::Frame* frame : frames_of(*result, finding)) {
      if (++shown > kMostFrames) break;
      proof += " " + frame_line(*frame, cause, finding, kSarifColumns);
    }
    return proof.empty() ? out : out + " Frames:" + proof;
  }

  const Record& record_;
  const ReportOptions& options_;
  std::vector<Value> rules_;
  std::map<std::string, std::int64_t> indices_;
};

}  // namespace

std::string render_sarif(const Record& record, const ReportOptions& options) {
  std::string out = json::escaped_for_eyes(json::write_pretty(Log(record, options).render()));
  if (out.empty() || out.back() != '\n') out += '\n';
  return out;
}

}  // namespace reports
