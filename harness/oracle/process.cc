// SPDX-License-Identifier: Apache-2.0
// The end of the process (stdio) or of a connection: a server may leave when it has nothing to do,
// but not with a request unanswered; a process not because of a bad line, and never by a crash.
#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "harness/base/text.h"
#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"
#include "harness/spec/model.h"

namespace harness::oracle {
namespace {

constexpr int kKill = 9;
constexpr std::size_t kFlood = 20000;      // frames; beyond, the harness ends the process itself
constexpr std::size_t kLarge = 64 * 1024;  // bytes of a message that a server may refuse to read

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
    if (frame.bytes.compare(0, 7, "signal ") == 0) {
      std::from_chars(frame.bytes.data() + 7, frame.bytes.data() + frame.bytes.size(), end.signal);
    }
    break;
  }
  return end;
}

// What the server was doing when it ended.
struct Business {
  const Item* unanswered = nullptr;  // the first proper request without a reply
  const Item* bad_input = nullptr;   // the last improper input with no reply after it
  const Item* last_sent = nullptr;
};

Business business_at(const Evidence& evidence, const wire::Frame& exit) {
  Business business;
  std::map<std::string, std::vector<const Item*>> open;
  for (const Item& item : evidence.items) {
    if (item.seq > exit.seq) break;
    if (!item.sent) {
      if (!is_reply(item)) continue;
      business.bad_input = nullptr;
      const json::Value* id = item.member("id");
      if (id == nullptr || id->is_null()) continue;
      auto& waiting = open[std::string(item.key)];
      if (!waiting.empty()) waiting.erase(waiting.begin());
      continue;
    }
    business.last_sent = &item;
    const bool reply_of_ours =
        item.kind == wire::MessageKind::kResponse || item.kind == wire::MessageKind::kErrorResponse;
    if (!is_proper(evidence, item)) {
      if (!reply_of_ours && item.array == 0) business.bad_input = &item;
      continue;
    }
    if (item.kind == wire::MessageKind::kNotification) {
      const json::Value* cancelled = json::at(*item.value, "/params/requestId");
      if (cancelled != nullptr) open[wire::id_key(*cancelled)].clear();
    } else if (method_of(item) != "subscriptions/listen") {
      open[std::string(item.key)].push_back(&item);
    }
  }
  for (const auto& [key, waiting] : open) {
    for (const Item* item : waiting) {
      if (business.unanswered == nullptr || item->seq < business.unanswered->seq) {
        business.unanswered = item;
      }
    }
  }
  return business;
}

void report_after_bad_input(const Evidence& evidence, Sink& sink, const End& end, const Item& bad) {
  Breach breach{"the server to go on after input it cannot use",
                "it ended (" + printable(end.exit->bytes) + ") after " + shown(bad.text),
                {bad.seq, end.exit->seq},
                Severity::kFail,
                Severity::kFail};
  if (bad.value == nullptr) {
    report_best(evidence, sink,
                {"jsonrpc.robust.survives-parse-error", "mcp.stdio.invalid-line-survival"},
                std::move(breach));
  } else {
    report_best(evidence, sink, {"jsonrpc.robust.survives-invalid-request"}, std::move(breach));
  }
}

// Of the words a transport has for the end of a connection, those of one that the server ended.
bool is_plain_end(std::string_view how) {
  return how.starts_with("eof") || how.starts_with("reset") || how.starts_with("close 1011");
}

// Nor to its size.
bool is_beyond_objection(const Evidence& evidence, const Item& item) {
  if (item.text.size() > kLarge) return false;
  const bool array = item.kind == wire::MessageKind::kBatch && item.array == 0;
  if (!array) return is_proper(evidence, item);
  return spec::batches_in(evidence.profile) == spec::Batches::kServed && !item.value->items.empty();
}

}  // namespace

void judge_process(const Evidence& evidence, Sink& sink) {
  if (!evidence.process() || evidence.transcript.frames.size() > kFlood) return;
  const End end = find_end(evidence);
  if (end.exit == nullptr || end.we_signalled || end.output_closed) return;
  const bool crash = is_crash(end.signal) || (end.signal == kKill && !end.input_closed);
  if (end.torn && !crash) return;  // it had nothing left to read
  const Business business = business_at(evidence, *end.exit);
  if (!end.input_closed && business.bad_input != nullptr) {
    return report_after_bad_input(evidence, sink, end, *business.bad_input);
  }
  const bool left_request = business.unanswered != nullptr && !end.input_closed;
  if (!crash && !left_request) return;
  Breach breach{"the process to live on",
                "it ended (" + printable(end.exit->bytes) + ")",
                {end.exit->seq},
                Severity::kFail,
                Severity::kFail};
  if (left_request) {
    breach.expected = "a reply to " + shown_id(business.unanswered->member("id"));
    breach.frames.insert(breach.frames.begin(), business.unanswered->seq);
  } else if (business.last_sent != nullptr) {
    breach.frames.insert(breach.frames.begin(), business.last_sent->seq);
  }
  // Fails whatever the level of the clause: leaving in idle is allowed, this is not that.
  const bool closes = evidence.profile.mcp && end.signal == 0;
  report_best(evidence, sink,
              {closes ? "mcp.stdio.server-closes" : "jsonrpc.request.reply-exactly-one"},
              std::move(breach));
}

// Whoever is sent only what nobody can object to has no reason to leave before it is answered.
void judge_connection(const Evidence& evidence, Sink& sink) {
  const auto& frames = evidence.transcript.frames;
  const bool socket = evidence.transcript.transport == "websocket" || evidence.stream();
  if (evidence.process() || !socket || frames.size() > kFlood) return;
  const wire::Frame* close = nullptr;
  for (const wire::Frame& frame : frames) {
    const bool ours = frame.direction == wire::Direction::kSent;
    if (ours && (frame.channel == wire::Channel::kClose || frame.unframed)) return;
    if (ours || frame.channel != wire::Channel::kClose || frame.exchange != 0) continue;
    close = &frame;
    break;
  }
  if (close == nullptr || !is_plain_end(close->bytes)) return;
  bool opened = !evidence.from_start();  // a session, which nobody does twice
  for (const Item& item : evidence.items) {
    if (!item.sent) continue;
    const bool opens = method_of(item) == "initialize";
    if (!is_beyond_objection(evidence, item) || (opens && std::exchange(opened, true))) return;
  }
  const Business business = business_at(evidence, *close);
  if (business.unanswered == nullptr || method_of(*business.unanswered) == "initialize") return;
  report_best(evidence, sink, {"jsonrpc.request.reply-exactly-one"},
              {"a reply to " + shown_id(business.unanswered->member("id")),
               "the connection was closed (" + printable(close->bytes) + ")",
               {business.unanswered->seq, close->seq},
               Severity::kFail,
               Severity::kFail});
}

}  // namespace harness::oracle
