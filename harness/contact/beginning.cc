// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/beginning.h"

#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/json/value.h"
#include "harness/wire/message.h"

namespace harness::run {
namespace {

constexpr std::size_t kMostShown = 300;

// The handshake of one contact.
struct Opening {
  const wire::Frame* asked = nullptr;     // initialize
  const wire::Frame* answered = nullptr;  // the reply under its id
  wire::Message reply;
  bool gave_up = false;  // we had closed its input before
  bool pushed = false;   // or only said something else, which nobody does who has no answer yet
  // It stands in an event that the stream broke off in, which is none.
  bool in_no_event() const {
    return answered && answered->unframed && answered->channel == wire::Channel::kSse;
  }
  bool accepted() const {
    return !in_no_event() && (json::at(reply.value, "/result/protocolVersion") != nullptr ||
                              json::at(reply.value, "/result/capabilities") != nullptr);
  }
};

Opening opening_of(const Contact& contact) {
  Opening out;
  std::string key;
  bool closed = false, pushed = false;
  for (const wire::Frame& frame : contact.transcript->frames) {
    const bool sent = frame.direction == wire::Direction::kSent;
    if (sent && frame.channel == wire::Channel::kClose) closed = true;
    const bool broken_event = frame.channel == wire::Channel::kSse && frame.unframed;
    if ((!wire::carries_message(frame) && !broken_event) || out.answered) continue;
    wire::Message message = wire::read_message(frame.bytes);
    const json::Value* method = message.method();
    if (sent && !out.asked && method && method->text == "initialize") {
      out.asked = &frame;
      key = message.key;
    } else if (sent && out.asked) {
      pushed = true;
    } else if (!sent && out.asked && message.key == key &&
               (message.is_reply() || message.kind == wire::MessageKind::kRequest)) {
      out.answered = &frame;
      out.reply = std::move(message);
      out.gave_up = closed;
      out.pushed = pushed;
    }
  }
  return out;
}

Beginning beginning(std::string title, const char* requirement, std::string expected,
                    const Opening& opening, const Contact& contact) {
  Beginning out{std::move(title), {}, contact};
  out.finding.requirement = requirement;
  out.finding.expected = std::move(expected);
  out.finding.seen = printable(opening.answered->bytes, kMostShown);
  out.finding.frames = {opening.asked->seq, opening.answered->seq};
  return out;
}

// WebSocket: what the transport found wrong with the answer to the opening handshake.
std::optional<Beginning> broken_upgrade(const Contact& contact) {
  for (const wire::Frame& frame : contact.transcript->frames) {
    const bool answer = frame.channel == wire::Channel::kHttp && frame.unframed && frame.head &&
                        contact.transcript->transport == wire::TransportKind::kWebSocket;
    const std::string* right = answer ? frame.head->header("reason") : nullptr;
    if (!right) continue;
    Beginning out{"The reply to the WebSocket handshake does not match its key", {}, contact};
    out.finding.requirement = "ws.handshake.accept-key";
    out.finding.expected = printable(*right, kMostShown);
    out.finding.seen = printable(frame.bytes, kMostShown);
    out.finding.frames = {frame.seq};
    return out;
  }
  return std::nullopt;
}

}  // namespace

bool accepts_initialize(const Contact& contact) { return opening_of(contact).accepted(); }

std::optional<Beginning> refused_initialize(const Contact& contact, int status) {
  const wire::Frame* asked = nullptr;
  for (const wire::Frame& frame : contact.transcript->frames) {
    const bool sent = frame.direction == wire::Direction::kSent;
    const wire::Message message = wire::read_message(frame.bytes);
    if (sent && message.method() && message.method()->text == "initialize") asked = &frame;
    if (sent || !asked || frame.exchange != asked->exchange || !frame.head) continue;
    if (frame.head->status != status) return std::nullopt;
    Beginning out{"", {}, contact};
    out.finding.seen = fmt::format("HTTP {} {}", status, printable(frame.bytes, kMostShown));
    out.finding.frames = {asked->seq, frame.seq};
    return out;
  }
  return std::nullopt;
}

std::optional<Beginning> broken_beginning(const std::vector<Contact>& contacts) {
  bool accepted = false;
  for (const Contact& contact : contacts) {
    if (std::optional<Beginning> upgrade = broken_upgrade(contact)) return upgrade;
    const Opening opening = opening_of(contact);
    if (!opening.answered) continue;
    if (opening.in_no_event())
      return beginning("The event with the response to initialize does not end with a blank line",
                       "mcp.http.sse-syntax", "a blank line after each event", opening, contact);
    if (opening.answered->unframed && opening.answered->channel == wire::Channel::kStdout)
      return beginning("The response to initialize ends without a line feed",
                       "mcp.stdio.newline-delimited", "a line feed after each message", opening,
                       contact);
    if (opening.reply.kind == wire::MessageKind::kRequest)
      return beginning("A request is sent in place of the response to initialize",
                       "mcp.base.result-or-error", "a response, with a result or an error", opening,
                       contact);
    if (opening.gave_up)
      return beginning(
          "The server writes its output only when its input ends: it holds it back in a buffer",
          "mcp.stdio.flush", "each message to be flushed when it is ready", opening, contact);
    if (opening.pushed)
      return beginning("A response is flushed only with the next one", "mcp.stdio.flush",
                       "each message to be flushed when it is ready", opening, contact);
    if (accepted && opening.reply.kind == wire::MessageKind::kErrorResponse)
      return beginning("The server serves only one session", kOneSession,
                       "initialize to be answered on a second session as well", opening, contact);
    accepted |= opening.accepted();
  }
  return std::nullopt;
}

}  // namespace harness::run
