// SPDX-License-Identifier: Apache-2.0
#include "harness/contact/oddity.h"

#include <utility>

#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/wire/message.h"

namespace harness::run {
namespace {

using session::Handshake;
using session::Session;
using wire::Direction;

constexpr std::size_t kMostShown = 300;

// The messages of a session: the first that was sent, and what came last.
std::vector<std::uint64_t> ends_of(const wire::Transcript& transcript) {
  std::vector<std::uint64_t> out;
  std::uint64_t last = 0;
  for (const wire::Frame& frame : transcript.frames) {
    if (!wire::carries_message(frame)) continue;
    if (frame.direction == Direction::kSent && out.empty()) out.push_back(frame.seq);
    if (frame.direction == Direction::kReceived) last = frame.seq;
  }
  if (last > 0) out.push_back(last);
  return out;
}

Oddity odd(const char* name, std::string title, std::vector<const char*> clauses,
           const Session& session) {
  Oddity out{name, std::move(title), std::move(clauses), {}, nullptr};
  out.transcript = std::make_shared<wire::Transcript>(session.transcript());
  out.transport = session.wire().kind();
  out.finding.frames = ends_of(*out.transcript);
  return out;
}

// One JSON object or array.
bool is_whole_text(std::string_view bytes) {
  const auto read = json::read(bytes);
  const auto* reading = std::get_if<json::Reading>(&read);
  return reading && (reading->value.is_object() || reading->value.is_array());
}

// What has come of a message that has no end stands behind all that was said.
std::shared_ptr<const wire::Transcript> with_begun(const Session& session) {
  auto said = std::make_shared<wire::Transcript>(session.transcript());
  wire::Frame begun;
  if (!said->frames.empty()) {
    begun.seq = said->frames.back().seq;
    begun.time_us = said->frames.back().time_us;
  }
  ++begun.seq;
  begun.direction = Direction::kReceived;
  begun.channel = session.wire().traits().process ? wire::Channel::kStdout : wire::Channel::kSocket;
  begun.bytes = session.wire().begun();
  begun.size = begun.bytes.size();
  begun.unframed = true;
  said->frames.push_back(std::move(begun));
  return said;
}

std::string version_in(const Handshake& shaken) {
  const json::Value* version = json::at(shaken.reply, "/result/protocolVersion");
  return version ? printable(json::write(*version), kMostShown) : "no version";
}

}  // namespace

Oddity unknown_version(const Session& session, const Handshake& shaken) {
  Oddity out =
      odd(kOddVersion, "initialize is answered with a protocol version that does not exist",
          {"mcp.lifecycle.version-negotiation-fallback"}, session);
  out.finding.expected = "the requested version, " + session.profile().revision +
                         ", or another version that has a handshake";
  out.finding.seen = "protocolVersion " + version_in(shaken);
  return out;
}

Oddity unsteady_version(const Session& session, const Handshake& shaken) {
  Oddity out = odd(kOddVersion, "A version that the server offered is answered with another",
                   {"mcp.lifecycle.version-fallback-usable"}, session);
  out.finding.expected = "protocolVersion \"" + session.profile().revision +
                         "\", which the server itself offered when a newer one was requested";
  out.finding.seen = "protocolVersion " + version_in(shaken);
  return out;
}

Oddity without_handshake(const Session& session, const Handshake& shaken,
                         const std::string& served) {
  const bool refused = wire::error_in(shaken.reply) != nullptr;
  const json::Value* version = json::at(shaken.reply, "/result/protocolVersion");
  const bool number = version && version->is_number();
  const std::string how = !shaken.answered ? "not answered"
                          : refused        ? "refused"
                          : number         ? "answered with a number as protocolVersion"
                          : version        ? "answered with a protocolVersion that is no string"
                                           : "answered without a version";
  Oddity out = odd(kNoHandshake, "initialize is " + how + ", although " + served + " is served",
                   {"mcp.lifecycle.initialize-result"}, session);
  out.finding.expected =
      "protocolVersion, capabilities and serverInfo in the response to "
      "initialize";
  out.finding.seen =
      shaken.answered ? printable(json::write(shaken.reply), kMostShown) : std::string("nothing");
  return out;
}

Oddity serves_one_by_one(const Session& waiting) {
  Oddity out = odd(kOneEach, "A client that is connected keeps all others waiting",
                   {"robust.connections-beside"}, waiting);
  out.finding.expected = "a response on a second connection while the first is open";
  out.finding.seen = "none until the first was closed; everything else was judged on one at a time";
  return out;
}

Oddity answers_elsewhere(const Session& idle, const json::Value& reply, bool own) {
  Oddity out =
      odd(kOneEach,
          own ? "Responses are sent to all connections"
              : "Responses are sent to another connection than the one that asked",
          own ? std::vector<const char*>{"mcp.sse.client-isolation", "mcp.base.response-same-id",
                                         "robust.connections-apart"}
              : std::vector<const char*>{"mcp.sse.response-on-stream", "mcp.base.response-same-id",
                                         "jsonrpc.request.reply-exactly-one"},
          idle);
  out.breaks_text = !own;
  out.finding.expected = "the response on the connection of its request, and on no other";
  out.finding.seen = std::string("on a connection that did not ask") +
                     (own ? ", too: " : ", and not on its own: ") +
                     printable(json::write(reply), 160);
  return out;
}

Oddity closes_each(const Session& session) {
  Oddity out = odd(kOneEach, "The connection is closed after one message",
                   {"jsonrpc.request.pipelined", "jsonrpc.request.reply-exactly-one"}, session);
  out.finding.expected = "a connection that stays open for the next request";
  out.finding.seen = "the connection is closed right after the response to one request";
  return out;
}

Oddity speaks_in_headers(const Session& silent, const Session& answer) {
  Oddity out =
      odd(kOddFraming, "Messages have Content-Length headers instead of one line each",
          {"mcp.stdio.newline-delimited", "mcp.custom.stdio-framing-on-byte-streams"}, answer);
  out.transport = silent.wire().kind();
  out.finding.expected =
      "messages delimited by newlines: an initialize on a line to be answered by a line";
  out.finding.seen =
      "no answer to the line; initialize after a Content-Length header is answered with such a "
      "header";
  return out;
}

std::optional<Oddity> without_newline(const Session& session) {
  if (!is_whole_text(session.wire().begun())) return std::nullopt;
  Oddity out =
      odd(kOddFraming, "Messages are written without a newline at the end",
          {"mcp.stdio.newline-delimited", "mcp.custom.message-format",
           "mcp.custom.stdio-framing-on-byte-streams", "jsonrpc.request.reply-exactly-one"},
          session);
  out.finding.expected = "a newline after each message";
  out.finding.seen = "no newline after " + printable(session.wire().begun(), kMostShown);
  out.transcript = with_begun(session);
  out.finding.frames = ends_of(*out.transcript);
  return out;
}

const wire::Frame* cut_off_answer(const Session& session, const session::Sent& sent) {
  for (const wire::Frame& frame : session.transcript().frames) {
    const bool cut =
        frame.direction == Direction::kReceived && frame.unframed &&
        (frame.channel == wire::Channel::kSse || frame.channel == wire::Channel::kHttp);
    if (cut && wire::read_message(frame.bytes).key == sent.id_key) return &frame;
  }
  return nullptr;
}

Oddity without_end(const Session& session, const wire::Frame& answer) {
  const bool event = answer.channel == wire::Channel::kSse;
  Oddity out =
      odd(kCutOff, event ? "Events do not end with a blank line" : "Response bodies have no end",
          {event ? "mcp.http.sse-syntax" : "mcp.http.response-eventually",
           "mcp.http26.response-ends-stream", "jsonrpc.request.reply-exactly-one"},
          session);
  out.finding.expected = event ? "a blank line after each event"
                               : "a body that ends with its Content-Length, its last chunk or "
                                 "the connection";
  out.finding.seen = "no end after " + printable(answer.bytes, kMostShown);
  out.finding.frames = {out.finding.frames.front(), answer.seq};
  return out;
}

}  // namespace harness::run
