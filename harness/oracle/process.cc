// SPDX-License-Identifier: Apache-2.0
// The end of the process (stdio): a server may leave when it has nothing to do, but not with a
// request unanswered, not because of a bad line, and never by a crash.
#include <algorithm>
#include <charconv>

#include "harness/base/text.h"
#include "harness/oracle/business.h"
#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"
#include "harness/spec/known.h"

namespace harness::oracle {
namespace {

constexpr int kKill = 9;

// Signals a process sends itself by a mistake in memory or arithmetic, or by abort().
bool is_crash(int signal) {
  return signal == 4 || signal == 5 || signal == 6 || signal == 7 || signal == 8 || signal == 11;
}

struct End {
  const wire::Frame* exit = nullptr;
  int signal = 0;
  bool we_signalled = false;
  bool output_closed = false;  // by us: however it ends then, it was no use going on
  bool input_closed = false;   // by us, before the end
  bool told = false;           // by `exit`, which language servers obey
  bool torn = false;           // where the next message begins was not known to it any more
};

End find_end(const Evidence& evidence) {
  End end;
  for (const wire::Frame& frame : evidence.transcript.frames) {
    if (frame.channel == wire::Channel::kClose && frame.direction == wire::Direction::kSent) {
      if (frame.bytes.compare(0, 6, "signal") == 0) end.we_signalled = true;
      if (frame.bytes == "stdin") end.input_closed = true;
      if (frame.bytes == "stdout") end.output_closed = true;
    }
    end.torn |= breaks_framing(evidence, frame);
    if (frame.channel != wire::Channel::kExit) continue;
    end.exit = &frame;
    if (frame.bytes.compare(0, 7, "signal ") == 0)
      std::from_chars(frame.bytes.data() + 7, frame.bytes.data() + frame.bytes.size(), end.signal);
    break;
  }
  end.told = evidence.profile.lsp &&
             std::any_of(evidence.items.begin(), evidence.items.end(),
                         [](const Item& item) { return item.sent && method_of(item) == "exit"; });
  return end;
}

Observation ended(const End& end) { return {Ended{printable(end.exit->bytes), true}}; }

void report_after_bad_input(const Evidence& evidence, Sink& sink, const End& end, const Item& bad) {
  Breach breach{"the server to continue after input it cannot use",
                "it ended (" + printable(end.exit->bytes) + ") after " + shown(bad.text),
                {bad.seq, end.exit->seq},
                "",
                Severity::kFail,
                Severity::kFail};
  breach.came = ended(end);
  if (evidence.profile.lsp) {
    // An orderly end is a choice that some libraries make.
    breach.at_most = breach.at_least = end.signal == 0 ? Severity::kWarn : Severity::kFail;
    const bool array = bad.value != nullptr && bad.value->is_array();
    report_best(evidence, sink, {array ? "lsp.batch.survived" : "lsp.errors.survives-bad-content"},
                std::move(breach));
  } else if (bad.value == nullptr) {
    report_best(evidence, sink,
                {"jsonrpc.robust.survives-parse-error", "mcp.stdio.invalid-line-survival"},
                std::move(breach));
  } else {
    report_best(evidence, sink, {"jsonrpc.robust.survives-invalid-request"}, std::move(breach));
  }
}

}  // namespace

void judge_process(const Evidence& evidence, Sink& sink) {
  if (!evidence.process() || evidence.transcript.frames.size() > kFlood) return;
  const End end = find_end(evidence);
  if (end.exit == nullptr || end.we_signalled || end.output_closed) return;
  const bool crash = is_crash(end.signal) || (end.signal == kKill && !end.input_closed);
  if (end.torn && !crash) return;  // it had nothing left to read
  const Business business = business_at(evidence, *end.exit);
  if (end.told && !crash) return;
  if (!end.input_closed && business.bad_input != nullptr)
    return report_after_bad_input(evidence, sink, end, *business.bad_input);
  const bool left_request = business.unanswered != nullptr && !end.input_closed;
  if (!crash && !left_request) return;
  Breach breach{"the process to keep running",
                "it ended (" + printable(end.exit->bytes) + ")",
                {end.exit->seq},
                "",
                Severity::kFail,
                Severity::kFail};
  breach.came = ended(end);
  const bool provoked = std::any_of(
      evidence.items.begin(), evidence.items.end(),
      [&](const Item& item) { return item.sent && item.array == 0 && !is_proper(evidence, item); });
  if (evidence.profile.lsp && end.signal == 0 && provoked) {
    breach.at_most = breach.at_least = Severity::kWarn;
    return report_best(evidence, sink, {"lsp.errors.survives-bad-content"}, std::move(breach));
  }
  // Who has lost the place where messages begin may end as it likes, and had better do so in order.
  if (evidence.profile.lsp && end.torn) breach.at_most = breach.at_least = Severity::kWarn;
  if (left_request) {
    breach.expected = "a reply to " + shown_id(business.unanswered->member("id"));
    breach.frames.insert(breach.frames.begin(), business.unanswered->seq);
  } else if (business.last_sent != nullptr) {
    breach.frames.insert(breach.frames.begin(), business.last_sent->seq);
  }
  // Leaving in idle is allowed, this is not that: it fails whatever the level of the clause.
  const std::string clause = spec::canary_requirement(evidence.profile, evidence.known.get());
  report_best(evidence, sink, {clause.c_str()}, std::move(breach));
}

}  // namespace harness::oracle
