// SPDX-License-Identifier: Apache-2.0
// How messages come over WebSocket: as text, one each, and not masked. The transport marks what is
// otherwise.
#include "harness/base/text.h"
#include "harness/oracle/families.h"
#include "harness/oracle/json_scan.h"
#include "harness/oracle/traffic.h"

namespace harness::oracle {

namespace {

// Nothing is wrong with the text as JSON, but for what else is there; that is for others to say.
void judge_text(const Evidence& evidence, Sink& sink, const wire::Frame& frame) {
  if (frame.unframed || frame.size > frame.bytes.size() || !wire::carries_message(frame)) return;
  Breach breach{"one JSON text per message", shown(frame.bytes), {frame.seq}};
  if (two_texts(frame.bytes)) {
    report_best(evidence, sink,
                {"ws.message.json-text", "tutorial.websocket.one-message-per-frame"},
                std::move(breach));
  } else if (!attempts_json(frame.bytes)) {
    report_best(evidence, sink, {"tutorial.websocket.one-message-per-frame"}, std::move(breach));
  }
}

}  // namespace

void judge_websocket(const Evidence& evidence, Sink& sink) {
  if (!evidence.traits().frames) return;
  for (std::size_t i = 0; i < evidence.messages.size(); ++i) {
    const wire::Frame& frame = evidence.transcript.frames[i];
    if (frame.direction != wire::Direction::kReceived) continue;
    // We close the connection then, as RFC 6455 demands.
    if (frame.channel == wire::Channel::kClose && frame.bytes.starts_with("protocol error: a ")) {
      report_best(evidence, sink, {"ws.frame.server-valid"},
                  {"valid frames", printable(frame.bytes.substr(16)), {frame.seq}});
    }
    if (frame.channel != wire::Channel::kSocket) continue;
    const auto mark = [&](const char* name) {
      return frame.head ? frame.head->header(name) : nullptr;
    };
    if (const std::string* reason = mark("reason")) {
      report_best(
          evidence, sink, {"ws.frame.server-unmasked"},
          {"unmasked frames", reason->empty() ? "a masked one" : printable(*reason), {frame.seq}});
    }
    if (mark("opcode") != nullptr) {
      report_best(evidence, sink,
                  {"ws.message.json-text", "tutorial.websocket.one-message-per-frame"},
                  {"a text message",
                   "a binary message: " + shown(frame.bytes),
                   {frame.seq},
                   "binary",
                   Severity::kWarn});
    } else if (!evidence.messages[i].is_json) {
      judge_text(evidence, sink, frame);
    }
  }
}

}  // namespace harness::oracle
