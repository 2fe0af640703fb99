// SPDX-License-Identifier: Apache-2.0
// The document is somebody's file: what is missing or of another kind reads as empty, what a report
// cannot do without (its format, ids, verdicts) is an Error.
#include "reports/read_json.h"

#include <algorithm>
#include <optional>

#include "harness/base/base64.h"
#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/oracle/finding_json.h"
#include "reports/surface.h"

namespace reports {
namespace {

namespace json = harness::json;
namespace oracle = harness::oracle;
namespace run = harness::run;
namespace wire = harness::wire;
using harness::Error;
using harness::Result;
using json::Value;

constexpr std::size_t kMostValues = 20'000'000;

std::string text(const Value& object, const char* name) {
  const Value* found = object.find(name);
  return found != nullptr && found->is_string() ? found->text : "";
}

bool flag(const Value& object, const char* name) {
  const Value* found = object.find(name);
  return found != nullptr && found->is_boolean() && found->boolean;
}

std::int64_t number(const Value& object, const char* name) {
  const Value* found = object.find(name);
  return found == nullptr ? 0 : json::as_integer(*found).value_or(0);
}

std::uint64_t natural(const Value& object, const char* name) {
  const Value* found = object.find(name);
  if (found == nullptr || !found->is_number()) return 0;
  // A seed has 64 bits.
  if (found->text.find_first_not_of("0123456789") == std::string::npos && found->text.size() <= 20)
    return std::strtoull(found->text.c_str(), nullptr, 10);
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, number(object, name)));
}

const std::vector<Value>& list(const Value& object, const char* name) {
  static const std::vector<Value> kNone;
  const Value* found = object.find(name);
  return found != nullptr && found->is_array() ? found->items : kNone;
}

std::vector<std::string> texts(const Value& object, const char* name) {
  std::vector<std::string> out;
  for (const Value& item : list(object, name))
    if (item.is_string()) out.push_back(item.text);
  return out;
}

std::optional<run::Verdict> verdict_of(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(run::Verdict::kError); ++i)
    if (name == run::verdict_name(static_cast<run::Verdict>(i)))
      return static_cast<run::Verdict>(i);
  return std::nullopt;
}

wire::Channel channel_of(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(wire::Channel::kClose); ++i)
    if (name == wire::channel_name(static_cast<wire::Channel>(i)))
      return static_cast<wire::Channel>(i);
  return wire::Channel::kStdout;
}

wire::Frame frame_of(const Value& value) {
  wire::Frame frame;
  frame.seq = natural(value, "seq");
  frame.time_us = number(value, "time_us");
  frame.direction =
      text(value, "direction") == "sent" ? wire::Direction::kSent : wire::Direction::kReceived;
  frame.channel = channel_of(text(value, "channel"));
  frame.bytes = text(value, "text");
  if (value.find("base64") != nullptr)
    frame.bytes = harness::from_base64(text(value, "base64")).value_or("");
  frame.size = value.find("size") != nullptr ? natural(value, "size") : frame.bytes.size();
  if (const int status = static_cast<int>(number(value, "status")); status != 0) {
    frame.head = wire::HttpHead{status, "", "", {}};
    if (const std::string type = text(value, "content_type"); !type.empty())
      frame.head->headers.push_back({"content-type", type});
  } else if (const std::string http = text(value, "http"); !http.empty()) {
    const std::size_t blank = http.find(' ');
    frame.head = wire::HttpHead{
        0, http.substr(0, blank), blank == std::string::npos ? "" : http.substr(blank + 1), {}};
  } else if (const Value* header = value.find("header"); header != nullptr) {
    frame.head = wire::HttpHead{};
    for (const json::Member& field : header->members)
      frame.head->headers.push_back({field.name, field.value.text});
  }
  return frame;
}

// Frames of a case by their numbers; the longest text there is of each.
class Frames {
 public:
  std::uint64_t add(const Value& value) {
    wire::Frame frame = frame_of(value);
    const auto [place, is_new] = frames_.emplace(frame.seq, frame);
    if (!is_new && place->second.bytes.size() < frame.bytes.size()) place->second = frame;
    return frame.seq;
  }
  std::shared_ptr<const wire::Transcript> transcript() const {
    if (frames_.empty()) return nullptr;
    auto out = std::make_shared<wire::Transcript>();
    for (const auto& [seq, frame] : frames_) out->frames.push_back(frame);
    return out;
  }

 private:
  std::map<std::uint64_t, wire::Frame> frames_;
};

oracle::Finding finding_of(const Value& value, Frames& frames) {
  oracle::Finding finding;
  finding.requirement = text(value, "requirement");
  const std::string severity = text(value, "severity");
  finding.severity = severity == "info"   ? oracle::Severity::kInfo
                     : severity == "warn" ? oracle::Severity::kWarn
                                          : oracle::Severity::kFail;
  finding.expected = text(value, "expected");
  finding.seen = text(value, "seen");
  finding.row = text(value, "row");
  finding.oracle = text(value, "oracle");
  oracle::read_values(value, finding);
  for (const Value& frame : list(value, "frames")) finding.frames.push_back(frames.add(frame));
  return finding;
}

Result<run::CaseResult> case_of(const Value& value, Frames& frames, const std::string& where) {
  run::CaseResult result;
  result.id = text(value, "id");
  const std::string verdict = text(value, "verdict");
  if (result.id.empty()) return Error{where, "there is a case without an id", ""};
  if (!verdict_of(verdict))
    return Error{where,
                 "the case " + harness::printable(result.id, 100) + " has an unknown verdict",
                 "use an rpcspec as new as the one that wrote it"};
  result.verdict = *verdict_of(verdict);
  result.title = text(value, "title");
  result.level = text(value, "level");
  result.requirements = texts(value, "requirements");
  result.duration_ms = number(value, "duration_ms");
  result.reason = text(value, "reason");
  result.rows = static_cast<std::size_t>(number(value, "rows"));
  result.remedy = text(value, "remedy");
  result.notes = texts(value, "notes");
  result.replay = text(value, "replay");
  result.baselined = flag(value, "baselined");
  for (const Value& finding : list(value, "findings"))
    result.findings.push_back(finding_of(finding, frames));
  return result;
}

run::Cause cause_of(const Value& value) {
  run::Cause cause;
  cause.requirement = text(value, "requirement");
  cause.level = text(value, "level");
  cause.verdict = verdict_of(text(value, "verdict")).value_or(run::Verdict::kFail);
  cause.title = text(value, "title");
  cause.sentence = text(value, "sentence");
  cause.replay = text(value, "replay");
  cause.replay_note = text(value, "replay_note");
  cause.curl = text(value, "curl");
  cause.sdk = text(value, "sdk");
  cause.baselined = flag(value, "baselined");
  cause.by_clause = flag(value, "by_clause");
  for (const Value& ref : list(value, "findings"))
    cause.findings.push_back(
        {text(ref, "case"), static_cast<std::size_t>(natural(ref, "finding"))});
  return cause;
}

run::RunStarted started_of(const Value& value) {
  run::RunStarted started;
  started.version = text(value, "rpcspec");
  started.target = text(value, "target");
  started.profile = text(value, "profile");
  started.transport = text(value, "transport");
  started.seed = natural(value, "seed");
  started.cases = static_cast<std::size_t>(natural(value, "cases"));
  return started;
}

std::map<std::string, std::size_t> summary_of(const Value& holder) {
  std::map<std::string, std::size_t> out;
  const Value* summary = holder.find("summary");
  if (summary == nullptr) return out;
  for (const json::Member& member : summary->members)
    if (verdict_of(member.name) && natural(*summary, member.name.c_str()) > 0)
      out[member.name] = natural(*summary, member.name.c_str());
  return out;
}

Part read_part(const Value& value) {
  Part part{text(value, "name"), started_of(value), number(value, "duration_ms"), "", true,
            summary_of(value)};
  if (const Value* gate = value.find("gate")) {
    part.gate = text(*gate, "reason");
    part.gate_passed = flag(*gate, "passed");
  }
  return part;
}

std::shared_ptr<const Campaign> campaign_of(const Value& value) {
  auto campaign = std::make_shared<Campaign>();
  for (const Value& point : list(value, "curve"))
    campaign->curve.push_back({number(point, "time_ms"), natural(point, "execs"),
                               natural(point, "frames"), natural(point, "behaviours"),
                               natural(point, "edges"), natural(point, "corpus"),
                               natural(point, "findings")});
  for (const Value& script : list(value, "scripts"))
    campaign->scripts[text(script, "case")] = text(script, "text");
  return campaign;
}

void read_finish(const Value& document, run::RunFinished& finished) {
  finished.summary = summary_of(document);
  if (const Value* summary = document.find("summary"))
    finished.duration_ms = number(*summary, "duration_ms");
  if (const Value* gate = document.find("gate")) {
    finished.gate = text(*gate, "reason");
    finished.gate_passed = flag(*gate, "passed");
    finished.partial = text(*gate, "partial");
    finished.interrupted = flag(*gate, "interrupted");
    finished.level_should = text(*gate, "level") == "should";
  }
  for (const Value& row : list(document, "coverage"))
    finished.coverage.push_back(
        {text(row, "requirement"), text(row, "level"), text(row, "status"), texts(row, "cases")});
  for (const Value& tool : list(document, "not_called"))
    finished.not_called.push_back({text(tool, "tool"), text(tool, "reason")});
  finished.contract = text(document, "contract");
  for (const Value& method : list(document, "methods")) {
    run::DescribedMethod one{
        text(method, "name"),        flag(method, "called"),
        text(method, "why"),         static_cast<std::size_t>(number(method, "examples")),
        texts(method, "not_judged"), {}};
    if (const Value* clauses = method.find("clauses"))
      for (const json::Member& clause : clauses->members)
        one.clauses[clause.name] = clause.value.text;
    finished.methods.push_back(std::move(one));
  }
  finished.surface = read_changes(list(document, "surface"));
  finished.stale = texts(document, "stale");
  finished.unjudged = texts(document, "unjudged");
}

}  // namespace

Result<Record> read_json(std::string_view bytes, const std::string& name) {
  const std::string where = harness::printable(name);
  const auto read = json::read(bytes, {64, kMostValues});
  if (const auto* error = std::get_if<json::ReadError>(&read))
    return Error{where, "this is not JSON: " + error->reason,
                 "`rpcspec run --report json=FILE` writes such files"};
  const Value& document = std::get<json::Reading>(read).value;
  const std::string format = document.is_object() ? text(document, "format") : "";
  if (format != "rpcspec-report/1")
    return Error{where,
                 format.empty() ? "this is JSON, but not a report of rpcspec"
                                : "the format is " + harness::printable(format, 60),
                 "`rpcspec run --report json=FILE` writes rpcspec-report/1"};
  Record record;
  record.started = started_of(document);
  std::map<std::string, Frames> frames;  // by case
  for (const Value& value : list(document, "cases")) {
    Result<run::CaseResult> result = case_of(value, frames[text(value, "id")], where);
    if (!result) return result.error();
    record.cases.push_back(std::move(*result));
  }
  record.started.cases = record.cases.size();
  run::RunFinished finished;
  for (const Value& value : list(document, "causes")) {
    run::Cause cause = cause_of(value);
    if (cause.findings.empty()) continue;
    for (const Value& frame : list(value, "conversation"))
      frames[cause.findings.front().case_id].add(frame);
    finished.causes.push_back(std::move(cause));
  }
  for (run::CaseResult& result : record.cases) result.transcript = frames[result.id].transcript();
  read_finish(document, finished);
  for (const Value& row : list(document, "latency")) {
    RoundTrips& trips = record.latencies[text(row, "method")];
    trips.count = natural(row, "count");
    for (const Value& time : list(row, "times_us"))
      trips.times_us.push_back(json::as_integer(time).value_or(0));
  }
  if (const Value* ci = document.find("ci"))
    record.origin = {text(*ci, "repository"),
                     text(*ci, "commit"),
                     text(*ci, "branch"),
                     text(*ci, "run"),
                     {},
                     {}};
  record.origin.time = text(document, "time");
  record.origin.file = text(document, "file");
  if (const Value* campaign = document.find("campaign")) record.campaign = campaign_of(*campaign);
  for (const Value& part : list(document, "runs")) record.parts.push_back(read_part(part));
  for (const Value& row : list(document, "coverage"))
    if (const Value* runs = row.find("runs"))
      for (const json::Member& one : runs->members)
        if (one.value.is_string())
          record.by_part[text(row, "requirement")][one.name] = one.value.text;
  finish(record, finished);
  return record;
}

}  // namespace reports
