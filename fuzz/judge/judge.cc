// SPDX-License-Identifier: Apache-2.0
#include "fuzz/judge/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "harness/base/text.h"
#include "harness/oracle/oracle.h"

namespace fuzz {
namespace {

using harness::oracle::Evidence;
using harness::oracle::Finding;
using harness::oracle::Severity;
namespace wire = harness::wire;

constexpr std::size_t kMostSignature = 160;
constexpr int kFunctions = 3;  // of a stack that tell two crashes apart

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The last thing we sent that a reply could have come to, by its kind.
const harness::oracle::Item* last_question(const Evidence& evidence) {
  const harness::oracle::Item* last = nullptr;
  const harness::oracle::Item* sentinel = nullptr;
  for (const auto& item : evidence.items) {
    if (!item.sent || item.array != 0) continue;
    last = sentinel;
    sentinel = &item;
  }
  return last != nullptr ? last : sentinel;
}

// The clause that a server breaks which answers nothing any more.
const char* clause_of_silence(const Evidence& evidence) {
  const harness::oracle::Item* last = last_question(evidence);
  if (last == nullptr) return "jsonrpc.request.reply-exactly-one";
  if (last->value == nullptr) return "jsonrpc.robust.survives-parse-error";
  if (last->kind == wire::MessageKind::kMalformed) return "jsonrpc.robust.survives-invalid-request";
  return "jsonrpc.request.reply-exactly-one";
}

void judge_silence(const Played& played, const Evidence& evidence, std::vector<Finding>& out) {
  if (played.ending != Ending::kSilent || evidence.transcript.frames.empty()) return;
  const auto sent = std::find_if(
      evidence.transcript.frames.rbegin(), evidence.transcript.frames.rend(),
      [](const wire::Frame& frame) { return frame.direction == wire::Direction::kSent; });
  if (sent == evidence.transcript.frames.rend()) return;
  harness::oracle::report(evidence, out, clause_of_silence(evidence),
                          "an answer to a request that is known to be answered",
                          "silence, on a connection that is still open", {sent->seq});
  if (!out.empty() && out.back().oracle.empty()) out.back().oracle = "sentinel";
}

// What ended is told by oracle `process` for stdio; a crash elsewhere is known by its reset.
std::string signature_of(const Finding& finding, const Played& played) {
  std::string out = finding.oracle + "|" + finding.requirement;
  if (played.ending == Ending::kGone &&
      (finding.oracle == "process" || finding.oracle == "sentinel")) {
    const std::string kind = crash_class(played.stderr_tail);
    return out + "|" + played.how + (kind.empty() ? "" : "|" + kind);
  }
  return out + "|" + squeezed(finding.expected) + "|" + squeezed(finding.seen);
}

}  // namespace

std::string squeezed(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size() && out.size() < kMostSignature;) {
    const char c = text[i];
    const bool opens = i + 1 < text.size() && (text[i + 1] == '{' || text[i + 1] == '[');
    if ((c == '"' || c == '`') && opens) return out;  // a message
    if (c == '"' || c == '`') {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != c) end += text[end] == '\\' ? 2 : 1;
      out += c;
      out += c;
      i = std::min(end, text.size()) + 1;
    } else if (c == '{' || c == '[') {
      return out + c;  // a message, or a piece of one
    } else if (is_digit(c) && (i == 0 || !is_word(text[i - 1]))) {
      std::size_t end = i;
      while (end < text.size() && (is_word(text[end]) || text[end] == '.')) ++end;
      const std::string_view number = text.substr(i, end - i);
      const bool code =
          number.size() == 5 && number.starts_with("32") && i > 0 && text[i - 1] == '-';
      out += code ? std::string(number) : "#";
      i = end;
    } else {
      out += c;
      ++i;
    }
  }
  return out;
}

std::string crash_class(std::string_view text) {
  std::string out;
  for (const std::string_view mark :
       {"ERROR: AddressSanitizer: ", "ERROR: LeakSanitizer: ", "WARNING: ThreadSanitizer: ",
        "WARNING: MemorySanitizer: ", "runtime error: ", "terminate called ", "panicked at ",
        "Assertion `", "Assertion failed"}) {
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = text.substr(at, text.find('\n', at) - at);
    out = squeezed(rest.substr(0, rest.find(" on ")));
    break;
  }
  int functions = 0;
  for (std::size_t at = text.find(" in "); at != std::string_view::npos && functions < kFunctions;
       at = text.find(" in ", at + 1)) {
    const std::size_t line = text.rfind('\n', at) + 1;
    const std::size_t hash = text.find_first_not_of(' ', line);
    if (hash == std::string_view::npos || text[hash] != '#') continue;
    const std::string_view name = text.substr(at + 4, text.find_first_of(" (\n", at + 4) - at - 4);
    if (name.starts_with("__") || name.starts_with("std::")) continue;
    out += (out.empty() ? "" : " ") + std::string(name);
    ++functions;
  }
  return out;
}

std::vector<Problem> judge(const Played& played, const harness::spec::Profile& profile,
                           const harness::spec::Registry& registry) {
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < played.stretches.size(); ++i) {
    const Played::Stretch& stretch = played.stretches[i];
    Evidence evidence(*stretch.transcript, profile, registry);
    evidence.earlier_ids = stretch.earlier_ids;
    evidence.server_capabilities = stretch.server_capabilities;
    evidence.client_capabilities = stretch.client_capabilities;
    std::vector<Finding> findings = harness::oracle::judge(evidence);
    if (i + 1 == played.stretches.size()) judge_silence(played, evidence, findings);
    for (Finding& finding : findings) {
      if (finding.severity == Severity::kInfo) continue;
      std::string signature = signature_of(finding, played);
      const bool known = std::any_of(problems.begin(), problems.end(), [&](const Problem& one) {
        return one.signature == signature;
      });
      if (!known) problems.push_back({std::move(finding), std::move(signature), i});
    }
  }
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    return a.finding.severity > b.finding.severity;
  });
  return problems;
}

}  // namespace fuzz
