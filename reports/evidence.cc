// SPDX-License-Identifier: Apache-2.0
#include "reports/evidence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <variant>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/spec/profile.h"
#include "harness/spec/source_link.h"
#include "harness/wire/message.h"
#include "reports/layout.h"
#include "reports/record.h"

namespace reports {

namespace json = harness::json;
namespace spec = harness::spec;
namespace wire = harness::wire;
using harness::printable;

Clause clause_of(const std::string& requirement, const std::string& profile,
                 const ReportOptions& options) {
  Clause clause;
  clause.id = printable(requirement);
  const spec::Requirement* entry = options.requirement ? options.requirement(requirement) : nullptr;
  if (entry == nullptr) return clause;
  clause.level = spec::level_name(entry->level);
  if (const spec::Profile* known = spec::find_profile(profile)) {
    const char* counted = spec::level_name(spec::level_in(*entry, *known));
    if (clause.level != counted) clause.written = clause.level;
    clause.level = counted;
    clause.here = spec::source_in(entry->source, known->revision);
  }
  clause.statement = entry->statement;
  clause.source = entry->source;
  return clause;
}

std::string sentence_of(const harness::run::Cause& cause, const Clause& clause) {
  if (!cause.by_clause) return cause.sentence.empty() ? "" : cause.sentence + ".";
  return clause.statement.empty() || (cause.title + ".").ends_with(clause.statement)
             ? ""
             : clause.statement;
}

std::string level_text(const Clause& clause) {
  if (clause.written.empty()) return clause.level;
  const bool of_layer = clause.source.starts_with("JSON-RPC") || clause.source.starts_with("RFC");
  if (!of_layer) return clause.level + " (derived)";
  return clause.level + " here (" + clause.written + " in " +
         clause.source.substr(0, clause.source.find(" §")) + ")";
}

std::string graver_clause(const Record& record, const harness::run::Cause& cause,
                          const ReportOptions& options) {
  const std::string profile = profile_of(record, cause.findings.front().case_id);
  const auto is_must = [&](const std::string& id) {
    return clause_of(id, profile, options).level.starts_with("MUST");
  };
  if (cause.verdict != harness::run::Verdict::kFail || is_must(cause.requirement)) return "";
  std::map<std::string, std::size_t> broken;
  for (const harness::run::FindingRef& ref : cause.findings)
    if (const harness::run::CaseResult* result = result_of(record, ref))
      if (const std::string& id = result->findings[ref.finding].requirement; is_must(id))
        ++broken[id];
  const auto most =
      std::max_element(broken.begin(), broken.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == broken.end() ? "" : most->first;
}

namespace {

// The message that `reply` answers, in its exchange or under its id; null if it is not kept.
const wire::Frame* answered_by(const std::vector<wire::Frame>& frames, const wire::Frame& reply) {
  const auto id_of = [](const wire::Frame& frame) {
    const wire::Message message = wire::read_message(frame.bytes);
    const json::Value* id = message.id();
    return id != nullptr && !id->is_null() ? wire::id_key(*id) : std::string();
  };
  const std::string id = reply.exchange == 0 ? id_of(reply) : "";
  const wire::Frame* found = nullptr;
  for (const wire::Frame& frame : frames) {
    if (frame.seq >= reply.seq) break;
    if (frame.direction != wire::Direction::kSent || frame.exchange != reply.exchange) continue;
    if (reply.exchange != 0 || (!id.empty() && id_of(frame) == id)) found = &frame;
  }
  return found;
}

}  // namespace

std::vector<const wire::Frame*> frames_of(const harness::run::CaseResult& result,
                                          const harness::oracle::Finding& finding) {
  std::vector<const wire::Frame*> out;
  if (!result.transcript) return out;
  const std::vector<wire::Frame>& frames = result.transcript->frames;
  for (const std::uint64_t seq : finding.frames) {
    const auto found = std::find_if(frames.begin(), frames.end(),
                                    [&](const wire::Frame& frame) { return frame.seq == seq; });
    if (found != frames.end()) out.push_back(&*found);
  }
  // A value of a reply says little without its request.
  const bool replies = std::none_of(out.begin(), out.end(), [](const wire::Frame* frame) {
    return frame->direction == wire::Direction::kSent;
  });
  if (out.size() == 1 && replies && !result.id.starts_with("oracle/"))
    if (const wire::Frame* request = answered_by(frames, *out.front()))
      out.insert(out.begin(), request);
  return out;
}

std::vector<const wire::Frame*> conversation_of(const harness::run::CaseResult& result,
                                                const harness::oracle::Finding& finding) {
  constexpr std::size_t kNear = 4, kMost = 40;
  // What proves the findings of an oracle is from many conversations.
  if (result.id.starts_with("oracle/")) return frames_of(result, finding);
  std::vector<const wire::Frame*> out;
  if (!result.transcript) return out;
  const std::vector<wire::Frame>& frames = result.transcript->frames;
  std::size_t first = frames.size(), last = 0;
  for (std::size_t i = 0; i < frames.size(); ++i)
    if (std::find(finding.frames.begin(), finding.frames.end(), frames[i].seq) !=
        finding.frames.end()) {
      first = std::min(first, i);
      last = i;
    }
  if (first == frames.size()) return out;
  // Each session of a case has a clock of its own, and of some frames only those near a finding
  // are kept.
  const auto follows = [&](std::size_t i) {
    return frames[i - 1].time_us <= frames[i].time_us && frames[i - 1].seq + 1 == frames[i].seq;
  };
  for (std::size_t near = 0; near < kNear && first > 0 && follows(first); ++near) --first;
  for (std::size_t i = first; i < frames.size() && i <= last + kNear && out.size() < kMost; ++i) {
    if (i > last && !follows(i)) break;
    out.push_back(&frames[i]);
  }
  return out;
}

std::string frame_label(const wire::Frame& frame) {
  return fmt::format("{} {:<6} {:>4}", frame.direction == wire::Direction::kSent ? "→" : "←",
                     wire::channel_name(frame.channel), fmt::format("#{}", frame.seq));
}

std::string frame_head(const wire::Frame& frame, std::size_t columns) {
  std::string head;
  if (frame.head) {
    if (frame.head->status != 0) {
      head = std::to_string(frame.head->status);
      if (const std::string* type = frame.head->header("content-type")) head += " " + *type;
    } else if (!frame.head->method.empty()) {
      head = frame.head->method + " " + frame.head->target;
    } else if (frame.direction == wire::Direction::kSent) {
      for (const wire::Header& field : frame.head->headers)
        head += (head.empty() ? "" : "; ") + field.name + ": " + field.value;
    }
    head = fit(head, columns / 2);
    if (!frame.bytes.empty()) head += "  ";
  }
  return head;
}

std::string frame_text(const wire::Frame& frame, std::size_t columns) {
  const std::string head = frame_head(frame, columns);
  const std::size_t left = columns - std::min(columns, width_of(head));
  return head + fit(frame.bytes, left, frame.size);
}

std::string deciding_headers(const wire::Frame& frame, const harness::run::Cause& cause,
                             const harness::oracle::Finding& finding) {
  const bool request =
      frame.direction == wire::Direction::kSent && frame.head && !frame.head->method.empty();
  if (!request) return "";
  const std::string said =
      harness::ascii::lower(cause.title + " " + cause.sentence + " " + cause.requirement + " " +
                            finding.expected + " " + finding.row);
  // A clause about the upgrade names such a field by its last word: "missing-key".
  constexpr std::string_view kOfUpgrade = "sec-websocket-";
  const auto decides = [&](const std::string& name) {
    const bool of_upgrade =
        name.starts_with(kOfUpgrade) && cause.requirement.starts_with("ws.handshake.");
    return name != "authorization" &&
           said.find(of_upgrade ? name.substr(kOfUpgrade.size()) : name) != std::string::npos;
  };
  std::string out;
  for (const wire::Header& field : frame.head->headers)
    if (decides(harness::ascii::lower(field.name)))
      out += (out.empty() ? "" : "; ") + field.name + ": " + field.value;
  return out;
}

std::string frame_line(const wire::Frame& frame, const harness::run::Cause& cause,
                       const harness::oracle::Finding& finding, std::size_t columns) {
  const std::string headers = fit(deciding_headers(frame, cause, finding), columns);
  return frame_label(frame) + "  " + headers + (headers.empty() ? "" : "  ") +
         frame_text(frame, columns);
}

std::optional<WrongByte> wrong_byte(const wire::Frame& frame) {
  const std::string& text = frame.bytes;
  if (!wire::carries_message(frame) || frame.size > text.size()) return std::nullopt;
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return std::nullopt;
  const auto read = json::read(text);
  const auto* error = std::get_if<json::ReadError>(&read);
  if (error == nullptr || error->fault == json::ReadFault::kTooDeep) return std::nullopt;
  // Of what is no JSON from its first letter there is nothing to point at.
  const bool binary = error->offset < text.size() && (text[error->offset] & 0x80) != 0;
  if (text.find_first_not_of(" \t\r\n") == error->offset && !binary) return std::nullopt;
  return WrongByte{error->offset, error->reason};
}

std::vector<std::string> known_from(const std::string& requirement, const ReportOptions& options) {
  return options.known_from ? options.known_from(requirement) : std::vector<std::string>();
}

std::string sdk_of(const harness::run::Cause& cause, const Record& record,
                   const ReportOptions& options) {
  if (!cause.sdk.empty() || !options.sdk) return cause.sdk;
  const harness::run::FindingRef& first = cause.findings.front();
  const harness::run::CaseResult* result = result_of(record, first);
  if (result == nullptr) return "";
  std::string received;
  for (const wire::Frame* frame : frames_of(*result, result->findings[first.finding]))
    if (frame->direction == wire::Direction::kReceived) received += frame->bytes + "\n";
  return options.sdk(profile_of(record, result->id), cause.requirement, result->id, received);
}

std::string unjudged_text(const harness::run::RunFinished& finished) {
  std::string names;
  for (const std::string& profile : finished.unjudged)
    names += (names.empty() ? "" : ", ") + printable(profile, 40);
  if (names.empty()) return "";
  return "not judged: " + names + ", which it also speaks; --profile all judges every revision";
}

std::string not_called_text(const harness::run::RunFinished& finished) {
  constexpr std::size_t kMostTools = 8;  // by their names
  constexpr std::string_view kNoArguments = "no arguments can be made: ";
  std::map<std::string, std::vector<std::string>> tools;
  for (const harness::run::NotCalled& one : finished.not_called)
    tools[one.reason].push_back(printable(one.tool, 60));
  std::string out, invalid;
  bool may_be = false;
  for (const auto& [reason, names] : tools) {
    const bool no_arguments = reason.starts_with(kNoArguments);
    // What the server does not have needs no permission.
    may_be |= !no_arguments && reason.find("lists no such") == std::string::npos;
    const std::size_t shown = std::min(names.size(), kMostTools);
    std::string& text = no_arguments ? invalid : out;
    text += fmt::format(
        "{} {}", text.empty() ? "" : ";",
        fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
    if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
    text += fmt::format(" ({})", no_arguments ? reason.substr(kNoArguments.size()) : reason);
  }
  if (!out.empty()) out = "not called:" + out;
  if (may_be) out += "; allow with --allow-tools NAME,… or any";
  if (!invalid.empty())
    out += (out.empty() ? "" : ". ") + ("not called with valid arguments:" + invalid);
  return out;
}

Marks official_marks(const std::string& requirement, const ReportOptions& options) {
  Marks out;
  const auto* marks = options.official ? options.official(requirement) : nullptr;
  if (marks == nullptr) return out;
  for (const int number : marks->seps) out.seps.push_back("SEP-" + std::to_string(number));
  out.checks = marks->checks;
  return out;
}

std::string marks_text(const Marks& marks) {
  std::string out;
  for (const std::string& sep : marks.seps) out += (out.empty() ? "" : ", ") + sep;
  const std::size_t before = out.size();
  for (const std::string& check : marks.checks)
    out += (out.size() == before ? (before == 0 ? "official checks: " : "; official checks: ")
                                 : ", ") +
           check;
  return out;
}

const char* severity_name(harness::oracle::Severity severity) {
  switch (severity) {
    case harness::oracle::Severity::kInfo: return "info";
    case harness::oracle::Severity::kWarn: return "warn";
    case harness::oracle::Severity::kFail: return "fail";
  }
  return "fail";
}

}  // namespace reports
