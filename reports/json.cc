// SPDX-License-Identifier: Apache-2.0
// Field by field in the order of README.md. The document is ASCII where it matters: characters
// that a terminal or editor would act on are \u escapes, although JSON allows them raw.
#include <algorithm>
#include <optional>

#include "harness/base/base64.h"
#include "harness/base/text.h"
#include "harness/json/escaped.h"
#include "harness/json/value.h"
#include "harness/json/write.h"
#include "harness/oracle/finding_json.h"
#include "reports/caveats.h"
#include "reports/evidence.h"
#include "reports/formats.h"
#include "reports/surface.h"

namespace reports {
namespace {

namespace json = harness::json;
namespace oracle = harness::oracle;
namespace run = harness::run;
namespace wire = harness::wire;
using json::Value;

// A string that is JSON text whatever it holds: bytes that are not UTF-8 are shown as \xNN.
// A target that floods us gets a beginning, not the document.
Value text(const std::string& bytes) {
  if (bytes.size() > kMaxFrameBytes) return json::string(harness::printable(bytes, kMaxFrameBytes));
  return json::string(harness::is_utf8(bytes) ? bytes : harness::printable(bytes, bytes.size()));
}

Value texts(const std::vector<std::string>& list) {
  Value out = json::array();
  for (const std::string& item : list) out.items.push_back(text(item));
  return out;
}

Value count(std::uint64_t number) { return json::number_spelled(std::to_string(number)); }

// The first bytes of a huge frame, without cutting a character in two.
std::string_view beginning(std::string_view bytes) {
  if (bytes.size() <= kMaxFrameBytes) return bytes;
  std::size_t end = kMaxFrameBytes;
  while (end > kMaxFrameBytes - 4 && (static_cast<unsigned char>(bytes[end]) & 0xc0) == 0x80) --end;
  return bytes.substr(0, end);
}

Value frame_value(const wire::Frame& frame) {
  Value out = json::object({
      {"seq", count(frame.seq)},
      {"direction", json::string(frame.direction == wire::Direction::kSent ? "sent" : "received")},
      {"channel", json::string(wire::channel_name(frame.channel))},
      {"time_us", json::number(frame.time_us)},
  });
  if (frame.head && frame.head->status != 0) out.set("status", json::number(frame.head->status));
  if (frame.head && frame.head->status != 0)
    if (const std::string* type = frame.head->header("content-type"))
      out.set("content_type", text(*type));
  if (frame.head && !frame.head->method.empty()) {
    out.set("http", text(frame.head->method + " " + frame.head->target));
  } else if (frame.head && frame.direction == wire::Direction::kSent) {
    Value header = json::object();
    for (const wire::Header& field : frame.head->headers) header.set(field.name, text(field.value));
    out.set("header", std::move(header));
  }
  const std::string_view shown = beginning(frame.bytes);
  if (harness::is_utf8(shown))
    out.set("text", json::string(shown));
  else
    out.set("base64", json::string(harness::to_base64(shown)));
  const std::uint64_t size = std::max<std::uint64_t>(frame.size, frame.bytes.size());
  if (size != shown.size()) out.set("size", count(size));
  if (const std::optional<WrongByte> wrong = wrong_byte(frame)) {
    out.set("wrong_byte", count(wrong->offset));
    out.set("why", text(wrong->reason));
  }
  return out;
}

Value finding_value(const run::CaseResult& result, const oracle::Finding& finding,
                    const std::string& profile, const ReportOptions& options) {
  Value out = json::object({
      {"requirement", text(finding.requirement)},
      {"level", text(clause_of(finding.requirement, profile, options).level)},
      {"severity", json::string(severity_name(finding.severity))},
      {"expected", text(finding.expected)},
      {"seen", text(finding.seen)},
  });
  if (!finding.row.empty()) out.set("row", text(finding.row));
  if (!finding.oracle.empty()) out.set("oracle", text(finding.oracle));
  oracle::write_values(finding, out);
  Value frames = json::array();
  for (const wire::Frame* frame : frames_of(result, finding))
    frames.items.push_back(frame_value(*frame));
  out.set("frames", std::move(frames));
  return out;
}

Value case_value(const run::CaseResult& result, const std::string& profile,
                 const ReportOptions& options) {
  Value out = json::object({
      {"id", text(result.id)},
      {"title", text(result.title)},
      {"verdict", json::string(run::verdict_name(result.verdict))},
      {"level", text(result.level)},
      {"requirements", texts(result.requirements)},
      {"duration_ms", json::number(result.duration_ms)},
      {"reason", text(result.reason)},
  });
  if (result.rows > 1) out.set("rows", json::number(static_cast<std::int64_t>(result.rows)));
  if (!result.remedy.empty()) out.set("remedy", text(result.remedy));
  if (!result.notes.empty()) out.set("notes", texts(result.notes));
  Value findings = json::array();
  for (const oracle::Finding& finding : result.findings)
    findings.items.push_back(finding_value(result, finding, profile, options));
  out.set("findings", std::move(findings));
  out.set("replay", text(result.replay));
  out.set("baselined", json::boolean(result.baselined));
  return out;
}

// A frame in short: with those around it it tells how a conversation went.
Value short_frame_value(const wire::Frame& frame) {
  constexpr std::size_t kShort = 512;
  if (frame.bytes.size() <= kShort) return frame_value(frame);
  wire::Frame cut = frame;
  cut.size = std::max<std::uint64_t>(frame.size, frame.bytes.size());
  cut.bytes.resize(kShort);
  while (!cut.bytes.empty() && (static_cast<unsigned char>(cut.bytes.back()) & 0x80) != 0)
    cut.bytes.pop_back();  // a character may be cut in two
  return frame_value(cut);
}

// The frames are those of the finding that shows it.
Value cause_value(const run::Cause& cause, const Record& record, const ReportOptions& options) {
  Value findings = json::array(), frames = json::array(), conversation = json::array();
  for (const run::FindingRef& ref : cause.findings)
    findings.items.push_back(
        json::object({{"case", text(ref.case_id)}, {"finding", count(ref.finding)}}));
  if (const run::CaseResult* result = result_of(record, cause.findings.front())) {
    const oracle::Finding& finding = result->findings[cause.findings.front().finding];
    for (const wire::Frame* frame : frames_of(*result, finding))
      frames.items.push_back(frame_value(*frame));
    if (result->transcript)
      for (const wire::Frame* frame : conversation_of(*result, finding))
        conversation.items.push_back(short_frame_value(*frame));
  }
  Value out = json::object({
      {"requirement", text(cause.requirement)},
      {"level", text(cause.level)},
      {"verdict", json::string(run::verdict_name(cause.verdict))},
      {"title", text(cause.title)},
      {"sentence", text(cause.sentence)},
      {"findings", std::move(findings)},
      {"frames", std::move(frames)},
      {"conversation", std::move(conversation)},
      {"replay", text(cause.replay)},
      {"baselined", json::boolean(cause.baselined)},
      {"by_clause", json::boolean(cause.by_clause)},
  });
  if (!cause.replay_note.empty()) out.set("replay_note", text(cause.replay_note));
  if (!cause.curl.empty()) out.set("curl", text(cause.curl));
  if (const std::string graver = graver_clause(record, cause, options); !graver.empty())
    out.set("breaks", text(graver));
  if (const std::string sdk = sdk_of(cause, record, options); !sdk.empty())
    out.set("sdk", text(sdk));
  if (const auto known = known_from(cause.requirement, options); !known.empty())
    out.set("known_from", texts(known));
  return out;
}

Value summary_value(const std::map<std::string, std::size_t>& summary, std::int64_t duration_ms) {
  Value out = json::object();
  for (const run::Verdict verdict :
       {run::Verdict::kPass, run::Verdict::kFail, run::Verdict::kWarn, run::Verdict::kInconclusive,
        run::Verdict::kNotApplicable, run::Verdict::kFlaky, run::Verdict::kError}) {
    const auto found = summary.find(run::verdict_name(verdict));
    out.set(run::verdict_name(verdict), count(found == summary.end() ? 0 : found->second));
  }
  out.set("duration_ms", json::number(duration_ms));
  return out;
}

Value not_called_value(const std::vector<run::NotCalled>& tools) {
  Value out = json::array();
  for (const run::NotCalled& one : tools)
    out.items.push_back(json::object({{"tool", text(one.tool)}, {"reason", text(one.reason)}}));
  return out;
}

Value coverage_value(const Record& record, const ReportOptions& options) {
  Value out = json::array();
  for (const run::CoverageRow& row : record.finished.coverage) {
    Value value = json::object({
        {"requirement", text(row.requirement)},
        {"level", text(row.level)},
        {"status", text(row.status)},
        {"cases", texts(row.cases)},
    });
    const auto statuses = record.by_part.find(row.requirement);
    if (side_by_side(record) && statuses != record.by_part.end()) {
      Value runs = json::object();
      for (const auto& [part, status] : statuses->second) runs.set(part, text(status));
      value.set("runs", std::move(runs));
    }
    const Marks marks = official_marks(row.requirement, options);
    if (!marks.seps.empty()) value.set("sep", texts(marks.seps));
    if (!marks.checks.empty()) value.set("checks", texts(marks.checks));
    out.items.push_back(std::move(value));
  }
  return out;
}

Value latency_value(const Latencies& latencies) {
  Value out = json::array();
  for (const auto& [method, trips] : latencies) {
    Value times = json::array();
    for (const std::int64_t time : thinned(trips.times_us))
      times.items.push_back(json::number(time));
    out.items.push_back(json::object(
        {{"method", text(method)}, {"count", count(trips.count)}, {"times_us", std::move(times)}}));
  }
  return out;
}

Value campaign_value(const Campaign& campaign) {
  Value curve = json::array(), scripts = json::array();
  for (const CampaignPoint& point : campaign.curve)
    curve.items.push_back(json::object({{"time_ms", json::number(point.time_ms)},
                                        {"execs", count(point.execs)},
                                        {"frames", count(point.frames)},
                                        {"behaviours", count(point.behaviours)},
                                        {"edges", count(point.edges)},
                                        {"corpus", count(point.corpus)},
                                        {"findings", count(point.findings)}}));
  for (const auto& [name, script] : campaign.scripts)
    scripts.items.push_back(json::object({{"case", text(name)}, {"text", text(script)}}));
  return json::object({{"curve", std::move(curve)}, {"scripts", std::move(scripts)}});
}

// What is not known is left out.
Value origin_value(const Origin& origin) {
  Value out = json::object();
  const std::pair<const char*, const std::string*> fields[] = {{"repository", &origin.repository},
                                                               {"commit", &origin.commit},
                                                               {"branch", &origin.branch},
                                                               {"run", &origin.run}};
  for (const auto& [name, value] : fields)
    if (!value->empty()) out.set(name, text(*value));
  return out;
}

Value runs_value(const std::vector<Part>& parts) {
  Value out = json::array();
  for (const Part& part : parts)
    out.items.push_back(json::object({
        {"name", text(part.name)},
        {"rpcspec", text(part.started.version)},
        {"target", text(part.started.target)},
        {"profile", text(part.started.profile)},
        {"transport", text(part.started.transport)},
        {"seed", count(part.started.seed)},
        {"cases", count(part.started.cases)},
        {"duration_ms", json::number(part.duration_ms)},
        {"summary", summary_value(part.summary, part.duration_ms)},
        {"gate",
         json::object({{"passed", json::boolean(part.gate_passed)}, {"reason", text(part.gate)}})},
    }));
  return out;
}

}  // namespace

Value json_value(const Record& record, const ReportOptions& options) {
  const run::RunStarted& started = record.started;
  const run::RunFinished& finished = record.finished;
  Value cases = json::array();
  for (const run::CaseResult& result : record.cases)
    cases.items.push_back(case_value(result, profile_of(record, result.id), options));
  Value causes = json::array();
  for (const run::Cause& cause : finished.causes)
    causes.items.push_back(cause_value(cause, record, options));
  Value gate = json::object({
      {"passed", json::boolean(finished.gate_passed)},
      {"reason", text(finished.gate)},
  });
  if (!finished.partial.empty()) gate.set("partial", text(finished.partial));
  if (finished.interrupted) gate.set("interrupted", json::boolean(true));
  if (finished.level_should) gate.set("level", json::string("should"));
  Value document = json::object({
      {"format", json::string("rpcspec-report/1")},
      {"rpcspec", text(started.version)},
      {"target", text(started.target)},
      {"profile", text(started.profile)},
      {"transport", text(started.transport)},
      {"seed", count(started.seed)},
      {"summary", summary_value(finished.summary, finished.duration_ms)},
      {"gate", std::move(gate)},
      {"causes", std::move(causes)},
      {"cases", std::move(cases)},
      {"not_called", not_called_value(finished.not_called)},
      {"stale", texts(finished.stale)},
      {"unjudged", texts(finished.unjudged)},
      {"coverage", coverage_value(record, options)},
      {"latency", latency_value(record.latencies)},
  });
  if (!finished.surface.empty())
    document.set("surface", *surface_json(finished.surface).find("changes"));
  if (!finished.contract.empty()) {
    document.set("contract", text(finished.contract));
    document.set("methods", methods_value(finished.methods));
  }
  const bool was_read = record.origin.of_ci() || !record.origin.time.empty();
  const Origin& origin = was_read ? record.origin : options.origin;
  if (!origin.time.empty()) document.set("time", text(origin.time));
  if (!origin.file.empty()) document.set("file", text(origin.file));
  if (origin.of_ci()) document.set("ci", origin_value(origin));
  if (const std::vector<std::string> caveats = caveats_of(record); !caveats.empty())
    document.set("caveats", texts(caveats));
  if (record.campaign) document.set("campaign", campaign_value(*record.campaign));
  if (!record.parts.empty()) document.set("runs", runs_value(record.parts));
  return document;
}

// Each method of the contract: by what right it is called, what each clause came to, what is not
// judged.
Value methods_value(const std::vector<run::DescribedMethod>& methods) {
  Value out = json::array();
  for (const run::DescribedMethod& one : methods) {
    Value clauses = json::object();
    for (const auto& [clause, verdict] : one.clauses) clauses.set(clause, text(verdict));
    out.items.push_back(json::object({{"name", text(one.name)},
                                      {"called", json::boolean(one.called)},
                                      {"why", text(one.why)},
                                      {"examples", count(one.examples)},
                                      {"clauses", std::move(clauses)},
                                      {"not_judged", texts(one.not_judged)}}));
  }
  return out;
}

std::string render_json(const Record& record, const ReportOptions& options) {
  std::string out = json::escaped_for_eyes(json::write_pretty(json_value(record, options)));
  if (out.empty() || out.back() != '\n') out += '\n';
  return out;
}

}  // namespace reports
