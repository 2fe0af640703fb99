// SPDX-License-Identifier: Apache-2.0
#include "fuzz/handler/verdict.h"

#include <algorithm>

#include "fuzz/judge/stack_trace.h"
#include "harness/base/text.h"
#include "harness/oracle/families.h"
#include "harness/oracle/json_scan.h"
#include "harness/oracle/oracle.h"
#include "harness/oracle/traffic.h"
#include "harness/trace/attribution.h"
#include "harness/trace/traffic.h"

namespace fuzz {
namespace {

namespace oracle = harness::oracle;
namespace trace = harness::trace;
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
        {two ? "each message on its own line" : "only JSON-RPC messages",
         oracle::shown(text),
         {frame.seq},
         two ? "two" : "",
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
  breach.came = oracle::Observation{oracle::Nothing{}};
  oracle::report_best(evidence, out, kNoReply, std::move(breach));
  for (std::size_t i = before; i < out.size(); ++i) out[i].oracle = oracle;
}

// What a handler returns is its reply: a sound request to which it returned nothing has none. Whose
// server asks questions of its own may be waiting for an answer, and is not judged.
void judge_unanswered(const oracle::Evidence& evidence, std::vector<Finding>& out) {
  const harness::spec::Profile& profile = evidence.profile;
  if (profile.era == harness::spec::Era::kHandshake && evidence.server_capabilities.is_null())
    return;
  const auto asks = [](const oracle::Item& item) {
    return !item.sent && item.kind == wire::MessageKind::kRequest;
  };
  if (std::any_of(evidence.items.begin(), evidence.items.end(), asks)) return;
  for (const trace::Asked& asked : trace::attribution_of(evidence).pairing().asked()) {
    const oracle::Item& item = *asked.item;
    const bool silent =
        item.frame + 1 >= evidence.messages.size() ||
        evidence.transcript.frames[item.frame + 1].direction == wire::Direction::kSent;
    if (!silent || item.array != 0 || item.kind != wire::MessageKind::kRequest) continue;
    if (asked.answered || asked.muted || asked.expected.open() || !asked.expected.sound()) continue;
    if (trace::method_of(item) == "subscriptions/listen" || !trace::is_proper(evidence, item))
      continue;
    report_silence(
        evidence, out,
        {"the reply to a valid request: " + oracle::shown(item.text), "nothing", {item.seq}},
        "unanswered");
    return;
  }
}

void judge_deafness(const HandlerSlice& slice, const oracle::Evidence& evidence,
                    std::vector<Finding>& out) {
  if (!slice.deaf) return;
  const auto& frames = slice.transcript->frames;
  const auto last = std::find_if(frames.rbegin(), frames.rend(), [](const wire::Frame& frame) {
    return frame.direction == wire::Direction::kSent;
  });
  if (last == frames.rend()) return;
  report_silence(evidence, out,
                 {"a reply to a request that is known to be answered",
                  "nothing, three times in a row",
                  {last->seq}},
                 "canary");
}

// A function returns its replies: what a later call returned is no reply to a message whose own
// call returned something, whatever ids say. So a finding about such a pair is none.
bool is_of_another_call(const Finding& finding, const wire::Transcript& transcript) {
  const auto& frames = transcript.frames;
  if (finding.frames.size() != 2) return false;
  const auto place = [&](std::uint64_t seq) {
    return std::find_if(frames.begin(), frames.end(),
                        [&](const wire::Frame& frame) { return frame.seq == seq; });
  };
  const auto is_sent = [](const wire::Frame& frame) {
    return frame.direction == wire::Direction::kSent;
  };
  const auto sent = place(std::min(finding.frames[0], finding.frames[1]));
  const auto came = place(std::max(finding.frames[0], finding.frames[1]));
  if (sent == frames.end() || came == frames.end() || !is_sent(*sent) || is_sent(*came))
    return false;
  return !is_sent(*(sent + 1)) && std::any_of(sent + 1, came, is_sent);
}

// Two replies of two calls are none to one request where the second carries the number of its own
// request as a double holds it: 1.0 for 1.0000000000000001.
bool is_rounded_echo(const Finding& finding, const oracle::Evidence& evidence) {
  if (finding.frames.size() != 3) return false;  // a request, its reply, another one
  const std::uint64_t first = finding.frames[1], last = finding.frames[2];
  const harness::json::Value* asked = nullptr;  // the id of the call under way, behind the first
  for (const oracle::Item& item : evidence.items) {
    if (item.array != 0) continue;
    const harness::json::Value* id = item.member("id");
    if (item.sent && item.seq > first) asked = id;
    if (item.seq != last) continue;
    return !item.sent && asked && id && asked->is_number() && id->is_number() &&
           harness::json::as_double(*asked) == harness::json::as_double(*id);
  }
  return false;
}

}  // namespace

std::vector<Finding> judge_slice(const HandlerSlice& slice, const harness::spec::Profile& profile,
                                 const harness::spec::Registry& registry, Severity at_least) {
  if (slice.flood) return {};
  const oracle::Evidence evidence(slice, profile, registry);
  std::vector<Finding> findings = oracle::judge(evidence);
  judge_stack_traces(evidence, findings);
  judge_texts(evidence, findings);
  judge_unanswered(evidence, findings);
  judge_deafness(slice, evidence, findings);
  std::erase_if(findings, [&](const Finding& one) {
    return one.severity < at_least || is_of_another_call(one, *slice.transcript) ||
           is_rounded_echo(one, evidence);
  });
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  return findings;
}

std::string listed(const HandlerSlice& slice, const std::vector<std::uint64_t>& proof) {
  const auto& frames = slice.transcript->frames;
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

std::string told(const std::vector<Finding>& findings, const HandlerSlice& slice,
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
  return out + "  transcript, under " + profile.name + " (* proves it):\n" + listed(slice, proof);
}

}  // namespace fuzz
