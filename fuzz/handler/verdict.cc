// SPDX-License-Identifier: Apache-2.0
#include "fuzz/handler/verdict.h"

#include <algorithm>
#include <map>
#include <set>

#include "fuzz/judge/stack_trace.h"
#include "harness/base/text.h"
#include "harness/oracle/families.h"
#include "harness/oracle/json_scan.h"
#include "harness/oracle/oracle.h"
#include "harness/oracle/traffic.h"
#include "harness/spec/model.h"

namespace fuzz {
namespace {

namespace oracle = harness::oracle;
namespace wire = harness::wire;
using harness::printable;
using oracle::Finding;
using oracle::Severity;

constexpr std::size_t kShown = 400;        // bytes of a message
constexpr std::ptrdiff_t kMostTold = 4;    // findings
constexpr std::size_t kMostListed = 60;    // messages
constexpr std::size_t kMostScript = 8192;  // bytes

// Text that nobody meant as JSON, or two messages on a line: who frames messages sees that on a
// stream; here nobody else does.
void judge_texts(const oracle::Evidence& evidence, std::vector<Finding>& out) {
  for (std::size_t i = 0; i < evidence.messages.size(); ++i) {
    const wire::Frame& frame = evidence.transcript.frames[i];
    if (frame.direction != wire::Direction::kReceived || evidence.messages[i].is_json) continue;
    const std::string_view text = frame.bytes;
    const bool two = oracle::two_texts(text);
    if (!two && (oracle::attempts_json(text) || !harness::is_utf8(text) ||
                 text.starts_with(oracle::kByteOrderMark))) {
      continue;  // broken JSON: its oracle has said so
    }
    oracle::report_best(
        evidence, out,
        {"json.output.grammar", "mcp.base.jsonrpc-conformance", "tutorial.stdio.line-delimited"},
        {two ? "each message on a line of its own" : "JSON-RPC messages and nothing else",
         oracle::shown(text),
         {frame.seq},
         Severity::kFail,
         Severity::kFail});
    if (!out.empty() && out.back().oracle.empty()) out.back().oracle = "texts";
  }
}

const char* const kNoReply[] = {"jsonrpc.request.reply-exactly-one", "mcp.base.jsonrpc-conformance",
                                "tutorial.jsonrpc.concurrent-requests"};

void report_silence(const oracle::Evidence& evidence, std::vector<Finding>& out,
                    oracle::Breach breach, const char* oracle) {
  const std::size_t before = out.size();
  breach.at_least = Severity::kFail;
  oracle::report_best(evidence, out, kNoReply, std::move(breach));
  for (std::size_t i = before; i < out.size(); ++i) out[i].oracle = oracle;
}

// What a handler returns is its reply: a sound request to which it returned nothing has none. Whose
// server asks questions of its own may be waiting for an answer, and is not judged.
void judge_unanswered(const oracle::Evidence& evidence, std::vector<Finding>& out) {
  const harness::spec::Profile& profile = evidence.profile;
  if (profile.era == harness::spec::Era::kHandshake && evidence.server_capabilities.is_null())
    return;
  const bool always = profile.era != harness::spec::Era::kHandshake;
  bool ready = always;
  std::map<std::string, int> uses;
  std::set<std::string> replied;
  std::set<std::string> cancelled;
  for (const oracle::Item& item : evidence.items) {
    if (!item.sent && item.kind == wire::MessageKind::kRequest) return;
    const harness::json::Value* id = item.member("id");
    if (id != nullptr) {
      if (item.sent) ++uses[wire::id_key(*id)];
      if (!item.sent && oracle::is_reply(item)) replied.insert(wire::id_key(*id));
    }
    const bool cancels = item.sent && oracle::method_of(item) == "notifications/cancelled";
    const harness::json::Value* which =
        cancels ? harness::json::at(*item.value, "/params/requestId") : nullptr;
    if (which != nullptr) cancelled.insert(wire::id_key(*which));
  }
  for (std::size_t i = 0; i < evidence.items.size(); ++i) {
    const oracle::Item& item = evidence.items[i];
    if (!item.sent) continue;
    const std::string_view method = oracle::method_of(item);
    if (method == "initialize") ready = always;
    ready |= method == "notifications/initialized" &&
             item.kind == wire::MessageKind::kNotification && oracle::is_proper(evidence, item);
    const bool silent =
        item.frame + 1 >= evidence.messages.size() ||
        evidence.transcript.frames[item.frame + 1].direction == wire::Direction::kSent;
    if (!silent || item.array != 0 || item.kind != wire::MessageKind::kRequest) continue;
    const std::string key = wire::id_key(*item.member("id"));
    if (uses[key] > 1 || replied.contains(key) || cancelled.contains(key)) continue;
    if (!ready || method == "subscriptions/listen" || !oracle::is_proper(evidence, item)) continue;
    const harness::spec::Situation situation{&profile, evidence.transcript.transport,
                                             harness::spec::Phase::kReady};
    if (!harness::spec::expect(situation, *item.text_message, item.text).sound()) continue;
    report_silence(
        evidence, out,
        {"the reply to a sound request: " + oracle::shown(item.text), "nothing", {item.seq}},
        "unanswered");
    return;
  }
}

void judge_deafness(const Stretch& stretch, const oracle::Evidence& evidence,
                    std::vector<Finding>& out) {
  if (!stretch.deaf) return;
  const auto& frames = stretch.transcript.frames;
  const auto last = std::find_if(frames.rbegin(), frames.rend(), [](const wire::Frame& frame) {
    return frame.direction == wire::Direction::kSent;
  });
  if (last == frames.rend()) return;
  report_silence(evidence, out,
                 {"an answer to a request that is known to be answered",
                  "nothing, each of three times",
                  {last->seq}},
                 "canary");
}

}  // namespace

std::vector<Finding> judge_stretch(const Stretch& stretch, const harness::spec::Profile& profile,
                                   const harness::spec::Registry& registry, Severity at_least) {
  if (stretch.flood) return {};
  oracle::Evidence evidence(stretch.transcript, stretch.messages, profile, registry);
  evidence.server_capabilities = stretch.server_capabilities;
  evidence.client_capabilities = stretch.client_capabilities;
  std::vector<Finding> findings = oracle::judge(evidence);
  judge_stack_traces(evidence, findings);
  judge_texts(evidence, findings);
  judge_unanswered(evidence, findings);
  judge_deafness(stretch, evidence, findings);
  std::erase_if(findings, [&](const Finding& one) { return one.severity < at_least; });
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  return findings;
}

std::string listed(const Stretch& stretch, const std::vector<std::uint64_t>& proof) {
  const auto& frames = stretch.transcript.frames;
  std::string out;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const wire::Frame& frame = frames[i];
    const bool proves = std::find(proof.begin(), proof.end(), frame.seq) != proof.end();
    // The last ones, and whatever proves something.
    if (!proves && frames.size() - i > kMostListed) continue;
    if (++shown > 2 * kMostListed) break;
    std::string number = std::to_string(frame.seq);
    number.insert(0, number.size() < 4 ? 4 - number.size() : 0, ' ');
    out += proves ? "  *" : "   ";
    out += number;
    out += frame.direction == wire::Direction::kSent ? " → " : " ← ";
    out += printable(frame.bytes, kShown) + "\n";
  }
  if (frames.size() > kMostListed) out += "    (of " + std::to_string(frames.size()) + ")\n";
  return out;
}

std::string listed(std::string_view script) {
  std::string out;
  const bool whole = script.size() <= kMostScript;
  std::string_view rest = script.substr(0, kMostScript);
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    out += "    " + printable(line, kMostScript) + "\n";
  }
  if (!whole) out += "    … (" + std::to_string(script.size()) + " bytes)\n";
  return out;
}

std::string told(const std::vector<Finding>& findings, const Stretch& stretch,
                 const harness::spec::Profile& profile, const harness::spec::Registry& registry) {
  std::string out;
  std::vector<std::uint64_t> proof;
  for (const Finding& finding : findings) {
    if (&finding - findings.data() == kMostTold) {
      out += "and " + std::to_string(findings.size() - static_cast<std::size_t>(kMostTold)) +
             " more\n";
      break;
    }
    proof.insert(proof.end(), finding.frames.begin(), finding.frames.end());
    out += finding.requirement;
    if (const harness::spec::Requirement* clause = registry.find(finding.requirement))
      out += std::string(" (") +
             harness::spec::level_name(harness::spec::level_in(*clause, profile)) + ", " +
             clause->source + ")\n  " + clause->statement;
    out += "\n  expected: " + printable(finding.expected, kShown) +
           "\n  seen:     " + printable(finding.seen, kShown) + "\n";
  }
  if (findings.empty()) return out;
  return out + "  what was said, under " + profile.name + " (* proves it):\n" +
         listed(stretch, proof);
}

}  // namespace fuzz
