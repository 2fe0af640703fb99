// SPDX-License-Identifier: Apache-2.0
// Code scanning wants a file of the repository for each result: the one that stands for the server;
// where none is known, the case does ("rpcspec/mcp/tools/list"). What could not be exercised is no
// result; what went wrong besides is a notification.
#include <fmt/format.h>

#include <map>

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

const char* level_of(oracle::Severity severity) {
  switch (severity) {
    case oracle::Severity::kFail: return "error";
    case oracle::Severity::kWarn: return "warning";
    case oracle::Severity::kInfo: break;
  }
  return "note";
}

class Log {
 public:
  Log(const Record& record, const ReportOptions& options) : record_(record), options_(options) {
    for (const run::Cause& cause : record.finished.causes)
      for (const run::FindingRef& ref : cause.findings)
        titles_.emplace(std::pair(ref.case_id, ref.finding), cause.title);
  }

  Value render() {
    Value results = json::array(), notifications = json::array();
    for (const run::CaseResult& result : record_.cases) {
      add_results(results, result);
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

  std::int64_t rule_of(const oracle::Finding& finding) {
    const auto [place, is_new] =
        indices_.emplace(finding.requirement, static_cast<std::int64_t>(rules_.size()));
    if (!is_new) return place->second;
    const Clause clause = clause_of(finding.requirement, record_.started.profile, options_);
    const std::string statement = clause.statement.empty() ? clause.id : clause.statement;
    Value rule = json::object({
        {"id", sarif_text(finding.requirement)},
        {"shortDescription", message(statement)},
        {"defaultConfiguration",
         json::object({{"level", json::string(level_of(finding.severity))}})},
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

  void add_results(Value& results, const run::CaseResult& result) {
    std::map<std::string, int> counts;  // breaches of one clause in one case
    for (const Breach& breach : breaches_of(result)) {
      const oracle::Finding& finding = *breach.finding;
      if (!is_told(result, finding)) continue;
      const std::string same = finding.requirement + "\n" + result.id;
      const std::string mark = fingerprint(same + "\n" + std::to_string(++counts[same]));
      Value out = json::object({
          {"ruleId", sarif_text(finding.requirement)},
          {"ruleIndex", json::number(rule_of(finding))},
          {"level", json::string(level_of(finding.severity))},
          {"message", message(story(result, breach))},
          {"locations", json::array({location(result)})},
          {"partialFingerprints",
           json::object({{"primaryLocationLineHash", json::string(mark + ":1")}})},
      });
      if (result.baselined)
        out.set("suppressions",
                json::array({json::object(
                    {{"kind", json::string("external")},
                     {"justification", json::string("a known failure, in the baseline")}})}));
      Value more =
          json::object({{"case", sarif_text(result.id)}, {"replay", sarif_text(result.replay)}});
      if (!finding.oracle.empty()) more.set("oracle", sarif_text(finding.oracle));
      out.set("properties", std::move(more));
      results.items.push_back(std::move(out));
    }
  }

  // What gates, known failures among it; warnings where they were asked for.
  bool is_told(const run::CaseResult& result, const oracle::Finding& finding) const {
    if (finding.severity == oracle::Severity::kInfo) return false;
    const bool fails =
        finding.severity == oracle::Severity::kFail && result.verdict == run::Verdict::kFail;
    return fails || record_.finished.level_should || options_.warnings;
  }

  Value location(const run::CaseResult& result) const {
    const std::string name = printable(result.id, kMaxSarifText);
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

  // The title of its cause; where there is none, of its case.
  std::string headline(const run::CaseResult& result, const oracle::Finding& finding) const {
    const auto at = static_cast<std::size_t>(&finding - result.findings.data());
    const auto cause = titles_.find({result.id, at});
    return printable(cause == titles_.end() ? result.title : cause->second, kMaxSarifText);
  }

  std::string story(const run::CaseResult& result, const Breach& breach) const {
    const oracle::Finding& finding = *breach.finding;
    std::string out = fmt::format("{}: expected {}; seen {}.", headline(result, finding),
                                  printable(finding.expected), printable(finding.seen));
    if (breach.count > 1) out += fmt::format(" {} times.", breach.count);
    return out + proof(result, finding);
  }

  std::string proof(const run::CaseResult& result, const oracle::Finding& finding) const {
    constexpr std::size_t kMostFrames = 4;
    std::string out;
    std::size_t shown = 0;
    run::Cause cause;
    cause.title = headline(result, finding);
    for (const harness::wire::Frame* frame : frames_of(result, finding)) {
      if (++shown > kMostFrames) break;
      out += " " + frame_line(*frame, cause, finding, kSarifColumns);
    }
    return out.empty() ? out : " Frames:" + out;
  }

  const Record& record_;
  const ReportOptions& options_;
  std::vector<Value> rules_;
  std::map<std::string, std::int64_t> indices_;
  std::map<std::pair<std::string, std::size_t>, std::string> titles_;  // of causes, by finding
};

}  // namespace

std::string render_sarif(const Record& record, const ReportOptions& options) {
  std::string out = json::escaped_for_eyes(json::write_pretty(Log(record, options).render()));
  if (out.empty() || out.back() != '\n') out += '\n';
  return out;
}

}  // namespace reports
