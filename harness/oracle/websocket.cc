// SPDX-License-Identifier: Apache-2.0
// How messages come over WebSocket: as text, and not masked. The transport marks what is otherwise.
#include "harness/base/text.h"
#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"

namespace harness::oracle {

void judge_websocket(const Evidence& evidence, Sink& sink) {
  if (evidence.transcript.transport != "websocket") return;
  for (const wire::Frame& frame : evidence.transcript.frames) {
    if (frame.direction != wire::Direction::kReceived || !frame.head) continue;
    if (frame.channel != wire::Channel::kSocket) continue;
    if (const std::string* reason = frame.head->header("reason")) {
      report_best(evidence, sink, {"ws.frame.server-unmasked"},
                  {"frames that are not masked",
                   reason->empty() ? "a masked one" : printable(*reason),
                   {frame.seq}});
    }
    if (frame.head->header("opcode") != nullptr) {
      report_best(evidence, sink,
                  {"ws.message.json-text", "tutorial.websocket.one-message-per-frame"},
                  {"a text message",
                   "a binary message: " + shown(frame.bytes),
                   {frame.seq},
                   Severity::kWarn});
    }
  }
}

}  // namespace harness::oracle
