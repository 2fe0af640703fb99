// SPDX-License-Identifier: Apache-2.0
#include "fuzz/judge/judge.h"

#include <algorithm>
#include <array>

#include "fuzz/judge/oddity.h"
#include "fuzz/judge/squeeze.h"
#include "fuzz/judge/stack_trace.h"
#include "harness/base/text.h"
#include "harness/json/write.h"
#include "harness/oracle/traffic.h"

namespace fuzz {
namespace {

constexpr std::size_t kMostSeen = 120;  // bytes of a reply
const std::string kEnded = "ended|";
const std::string kSilent = "silent|";
constexpr const char* kClientGone = "robust.client-gone";

using harness::oracle::Evidence;
using harness::oracle::Finding;
using harness::oracle::Severity;
namespace json = harness::json;
namespace wire = harness::wire;

// The last thing we sent that a reply could have come to, by its kind.
const harness::oracle::Item* last_question(const Evidence& evidence) {
  const harness::oracle::Item* last = nullptr;
  const harness::oracle::Item* canary = nullptr;
  for (const auto& item : evidence.items) {
    if (!item.sent || item.array != 0) continue;
    last = canary;
    canary = &item;
  }
  return last != nullptr ? last : canary;
}

// HTTP: we ended its connection before the end of its body, and a clause is about that.
bool hung_up_within(const Evidence& evidence, const harness::oracle::Item& item) {
  const auto& frames = evidence.transcript.frames;
  const wire::Frame& whole = frames[item.frame];
  if (!whole.unframed || whole.exchange == 0 ||
      harness::spec::strongest(std::array{kClientGone}, evidence.registry, evidence.profile,
                               evidence.transcript.transport) == nullptr)
    return false;
  return std::any_of(frames.begin(), frames.end(), [&](const wire::Frame& frame) {
    return frame.direction == wire::Direction::kSent && frame.channel == wire::Channel::kClose &&
           frame.exchange == whole.exchange;
  });
}

// The clause that a server breaks which answers nothing any more.
const char* clause_of_silence(const Evidence& evidence) {
  const harness::oracle::Item* last = last_question(evidence);
  if (last == nullptr) return "jsonrpc.request.reply-exactly-one";
  if (hung_up_within(evidence, *last)) return kClientGone;
  if (last->value == nullptr) return "jsonrpc.robust.survives-parse-error";
  if (last->kind == wire::MessageKind::kMalformed ||
      harness::trace::is_bad_input(evidence, *last))
    return "jsonrpc.robust.survives-invalid-request";
  return "jsonrpc.request.reply-exactly-one";
}

// We ended the session ourselves, so a refusal of what came after it is sound.
bool ends_session(const Evidence& evidence) {
  const auto& frames = evidence.transcript.frames;
  return evidence.http() && std::any_of(frames.begin(), frames.end(), [](const wire::Frame& frame) {
           return frame.direction == wire::Direction::kSent && frame.head &&
                  frame.head->method == "DELETE";
         });
}

bool has_no_id(const json::Value& reply) {
  if (reply.is_array()) return std::any_of(reply.items.begin(), reply.items.end(), has_no_id);
  const json::Value* id = reply.find("id");
  return reply.is_object() && (id == nullptr || id->is_null());
}

void judge_silence(const Execution& execution, const Evidence& evidence,
                   std::vector<Finding>& out) {
  if (execution.ending != Ending::kSilent || evidence.transcript.frames.empty()) return;
  if (ends_session(evidence)) return;
  const auto sent = std::find_if(
      evidence.transcript.frames.rbegin(), evidence.transcript.frames.rend(),
      [](const wire::Frame& frame) { return frame.direction == wire::Direction::kSent; });
  if (sent == evidence.transcript.frames.rend()) return;
  // An error without an id may be that to something unreadable, a result is a reply.
  const auto unnamed = std::find_if(
      evidence.items.begin(), evidence.items.end(), [&](const harness::oracle::Item& item) {
        return !item.sent && item.seq > sent->seq && item.result() && has_no_id(*item.value);
      });
  if (unnamed != evidence.items.end()) {
    harness::oracle::report(evidence, out, "jsonrpc.request.reply-exactly-one",
                            "a reply under the id of the request",
                            "a result without it: " + harness::printable(unnamed->text, kMostSeen),
                            {sent->seq, unnamed->seq});
    if (!out.empty() && out.back().oracle.empty()) out.back().oracle = "replies";
    return;
  }
  harness::oracle::report(evidence, out, clause_of_silence(evidence),
                          "a reply to a request that is known to be answered",
                          "silence, on a connection that is still open",
                          {last_question(evidence) ? last_question(evidence)->seq : sent->seq});
  if (out.empty() || !out.back().oracle.empty()) return;
  out.back().oracle = "canary";
  out.back().came = {harness::oracle::Nothing{}};
}

// The server that we started and reach by url is no more.
void judge_end(const Execution& execution, const Evidence& evidence, std::vector<Finding>& out) {
  if (!execution.served_ended || evidence.transcript.frames.empty()) return;
  // Its connections closed because of that.
  std::erase_if(out, [](const Finding& finding) { return finding.oracle == "connection"; });
  std::vector<std::uint64_t> proof;
  std::string seen = "it ended (" + execution.how + ")";
  if (const harness::oracle::Item* last = last_question(evidence)) {
    proof.push_back(last->seq);
    if (!last->text.empty()) seen += " after " + harness::oracle::shown(last->text);
  }
  const std::size_t before = out.size();
  harness::oracle::report(evidence, out, clause_of_silence(evidence), "the process to keep running",
                          std::move(seen), proof);
  for (std::size_t i = before; i < out.size(); ++i) {
    out[i].oracle = "process";
    out[i].came = {harness::oracle::Ended{execution.how, true}};
    out[i].severity = Severity::kFail;
  }
}

// With any character in place of what is none, and without NULs.
std::string mended(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view good = text.substr(0, harness::first_invalid_utf8(text));
    out += good;
    text.remove_prefix(good.size());
    if (text.empty()) break;
    out += '?';
    text.remove_prefix(1);
  }
  std::erase(out, '\0');
  return out;
}

// What is odd about the bytes of a text that is JSON but for them: whether a server reads over that
// is a question of its own.
std::string_view odd_in(const Finding& finding, const Evidence& evidence) {
  for (const auto& item : evidence.items) {
    const bool proof =
        item.sent && item.value == nullptr && item.array == 0 &&
        std::find(finding.frames.begin(), finding.frames.end(), item.seq) != finding.frames.end();
    if (!proof) continue;
    const std::string_view odd = oddity_of(item.text);
    if ((odd == "nul" || odd == "utf-8") && wire::read_message(mended(item.text)).is_json)
      return odd;
  }
  return "";
}

// The bug behind the end of a process is known by what it said before it died, not by the clause
// that happens to fit what was sent last.
std::string signature_of(const Finding& finding, const Execution& execution,
                         const Evidence& evidence) {
  if (finding.oracle == "process") {
    const auto* ended = harness::oracle::came_as<harness::oracle::Ended>(finding.came);
    return signature_of_end(ended ? ended->how : "", execution.stderr_tail);
  }
  if (finding.oracle == "canary") return kSilent;  // likewise
  if (finding.oracle == kLostReply) return signature_of_lost(finding);
  const std::string signature = harness::oracle::signature_of(finding);
  const std::string_view odd = odd_in(finding, evidence);
  return odd.empty() || is_absence(signature) ? signature : signature + "|" + std::string(odd);
}

bool is_unnamed(const Finding& finding, const Evidence& evidence) {
  return !finding.frames.empty() &&
         std::any_of(evidence.items.begin(), evidence.items.end(), [&](const auto& item) {
           return !item.sent && item.seq == finding.frames.back() && item.value != nullptr &&
                  item.array == 0 && has_no_id(*item.value);
         });
}

}  // namespace

namespace {

// A message came under its id that is no response, or one that is no JSON: another finding is about
// that, and "nothing" would be untrue.
bool got_something(const Finding& finding, const Evidence& evidence) {
  if (!harness::oracle::came_as<harness::oracle::Nothing>(finding.came)) return false;
  const auto id_of = [](const auto& item) {
    const json::Value* id = item.member("id");
    return id ? json::write(*id) : "";
  };
  const auto asked = std::find_if(evidence.items.begin(), evidence.items.end(), [&](auto& item) {
    return item.sent && item.array == 0 && !finding.frames.empty() &&
           item.seq == finding.frames.front();
  });
  if (asked == evidence.items.end()) return false;
  const auto& frames = evidence.transcript.frames;
  for (std::size_t i = asked->frame + 1; i < frames.size(); ++i)
    if (frames[i].direction == wire::Direction::kReceived && !evidence.messages[i].is_json &&
        frames[i].bytes.find("\"jsonrpc\"") != std::string::npos)
      return true;
  return std::any_of(asked, evidence.items.end(), [&](auto& item) {
    const bool odd = item.kind == wire::MessageKind::kMalformed && item.value != nullptr;
    return !item.sent && odd && id_of(item) == id_of(*asked);
  });
}

// What ended the process: a notification or response, and not the canary behind it; and whatever
// that was, the clause about the canary says nothing of it.
void blame_culprit(const Evidence& evidence, Finding& finding) {
  const auto sent = [](const auto& item) { return item.sent && item.array == 0; };
  const auto canary = std::find_if(evidence.items.rbegin(), evidence.items.rend(), sent);
  if (finding.oracle != "process" || finding.frames.empty() || canary == evidence.items.rend())
    return;
  const auto before = std::find_if(canary + 1, evidence.items.rend(), sent);
  const bool unanswerable = before != evidence.items.rend() &&
                            finding.frames.front() == canary->seq &&
                            (before->kind == wire::MessageKind::kNotification ||
                             before->kind == wire::MessageKind::kResponse ||
                             before->kind == wire::MessageKind::kErrorResponse);
  if (unanswerable) {
    finding.frames.front() = before->seq;
    finding.expected = before->kind == wire::MessageKind::kNotification
                           ? "the process to keep running after a notification"
                           : "the process to keep running after a response to no request";
  }
  if (finding.requirement == "mcp.ping.result" && finding.frames.front() != canary->seq)
    finding.requirement = "jsonrpc.request.reply-exactly-one";
}

}  // namespace

std::vector<Problem> judge(const Execution& execution, const harness::spec::Profile& profile,
                           const harness::spec::Registry& registry, const harness::Secrets* secrets,
                           const Look& look, const Due& due) {
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < execution.slices.size(); ++i) {
    const harness::trace::Slice& slice = execution.slices[i];
    const Evidence evidence(slice, profile, registry, secrets);
    if (look) look(evidence);
    std::vector<Finding> findings = harness::oracle::judge(evidence);
    judge_stack_traces(evidence, findings);
    judge_lost(evidence, due, findings);
    if (i + 1 == execution.slices.size()) {
      judge_silence(execution, evidence, findings);
      judge_end(execution, evidence, findings);
    }
    for (Finding& finding : findings) {
      // Sent without what else was sent, the message will show it.
      if (finding.severity == Severity::kInfo || !finding.sure) continue;
      if (got_something(finding, evidence)) continue;
      blame_culprit(evidence, finding);
      std::string signature = signature_of(finding, execution, evidence);
      const bool known = std::any_of(problems.begin(), problems.end(), [&](const Problem& one) {
        return one.signature == signature;
      });
      if (known) continue;
      const bool unnamed = is_unnamed(finding, evidence);
      problems.push_back({std::move(finding), std::move(signature), i, unnamed});
    }
  }
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    const bool first = is_of_process(a.signature), second = is_of_process(b.signature);
    return first != second ? first : a.finding.severity > b.finding.severity;
  });
  return problems;
}

std::string signature_of_end(const std::string& how, std::string_view stderr_text) {
  const std::string what = crash_class(stderr_text);
  // Perl ends with the number of the last error of the system, whatever that was.
  return kEnded + (how.starts_with("exit") && !what.empty() ? "exit" : how) + "|" + what;
}

bool has_unnamed_reply(const Execution& execution) {
  for (const harness::trace::Slice& slice : execution.slices)
    for (std::size_t i = 0; i < slice.messages.size(); ++i) {
      const auto& message = slice.messages[i];
      const bool came = slice.transcript->frames[i].direction == wire::Direction::kReceived;
      if (came && message.is_reply() && has_no_id(message.value)) return true;
    }
  return false;
}

bool is_silence(const std::string& signature) { return signature.starts_with(kSilent); }

bool is_absence(const std::string& signature) {
  return is_unheard(signature) ||
         (signature.starts_with("model|") && signature.ends_with("|no reply"));
}

bool is_close(const std::string& signature) { return signature.starts_with("connection|"); }

bool is_of_process(const std::string& signature) {
  return is_silence(signature) || signature.starts_with(kEnded);
}

bool is_coarse(const std::string& signature) {
  return signature == kSilent || (signature.starts_with(kEnded) && signature.ends_with("|"));
}

}  // namespace fuzz
