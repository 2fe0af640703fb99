// SPDX-License-Identifier: Apache-2.0
// HTTP+SSE of 2024-11-05: the stream begins with the endpoint event, is of its type, carries
// messages as `message` events, and nothing that belongs there comes in the body of a POST.
#include <algorithm>

#include "harness/base/ascii.h"
#include "harness/base/text.h"
#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"

namespace harness::oracle {
namespace {

std::string event_name(const wire::Frame& frame) {
  const std::string* name = frame.head ? frame.head->header("event") : nullptr;
  return name == nullptr || name->empty() ? "message" : *name;
}

// "scheme://host:port" of an absolute address, "" of a relative one.
std::string origin(std::string_view address) {
  const std::size_t colon = address.find("://");
  if (colon == std::string_view::npos || address.find_first_of("/?#") < colon) return "";
  const std::size_t end = std::min(address.find_first_of("/?#", colon + 3), address.size());
  std::string text = ascii::lower(address.substr(0, end));
  for (const std::string_view usual : {"http://:80", "https://:443"}) {
    const std::size_t port = usual.rfind(':');
    if (text.starts_with(usual.substr(0, port)) && text.ends_with(usual.substr(port)))
      text.resize(text.size() - (usual.size() - port));
  }
  return text;
}

void judge_head(const Evidence& evidence, Sink& sink, const wire::Frame& frame) {
  if (!frame.head || frame.head->status != 200) return;
  const std::string* given = frame.head->header("Content-Type");
  std::string type = given == nullptr ? "" : ascii::lower(given->substr(0, given->find(';')));
  while (!type.empty() && (type.back() == ' ' || type.back() == '\t')) type.pop_back();
  if (type == "text/event-stream") return;
  report_best(evidence, sink, {"mcp.sse.content-type"},
              {"Content-Type text/event-stream",
               given == nullptr ? "no Content-Type" : "Content-Type " + shown(*given),
               {frame.seq}});
}

void judge_endpoint(const Evidence& evidence, Sink& sink, const wire::Frame& frame,
                    const wire::Frame* before, const std::string& connected_to) {
  const auto breach = [&](std::string expected, std::string seen, const char* flaw) {
    report_best(evidence, sink, {"mcp.sse.endpoint-event"},
                {std::move(expected), std::move(seen), {frame.seq}, flaw});
  };
  if (before != nullptr) {
    breach("the endpoint event before any other",
           "an event " + printable(event_name(*before)) + " before it: " + shown(before->bytes),
           "late");
  }
  const bool usable = !frame.bytes.empty() && frame.bytes.front() != '{' &&
                      frame.bytes.front() != '"' &&
                      frame.bytes.find_first_of(" \t\r\n") == std::string::npos;
  if (!usable) return breach("a URI as data of the endpoint event", shown(frame.bytes), "data");
  const std::string own = origin(frame.bytes);
  if (own.empty() || connected_to.empty() || own == connected_to) return;
  report_best(evidence, sink, {"mcp.sse.endpoint-same-origin"},
              {"an address on " + printable(connected_to), shown(frame.bytes), {frame.seq}});
}

void judge_stream_event(const Evidence& evidence, Sink& sink, std::size_t i) {
  const wire::Frame& frame = evidence.transcript.frames[i];
  const wire::Message& message = evidence.messages[i];
  if (frame.unframed || frame.size > frame.bytes.size()) return;
  if (!wire::carries_message(frame) ||
      frame.bytes.find_first_not_of(" \t\r\n") == std::string::npos)
    return;
  if (event_name(frame) != "message") {
    if (!message.value.is_object() || message.value.find("jsonrpc") == nullptr) return;
    report_best(evidence, sink, {"mcp.sse.message-events"},
                {"a message in an event of type message",
                 "one of type " + shown(event_name(frame)),
                 {frame.seq},
                 "type"});
    return;
  }
  if (message.is_json || message.error.fault == json::ReadFault::kTooDeep) return;
  if (report_broken_json(evidence, sink, frame, message.error)) return;
  report_best(evidence, sink, {"mcp.sse.message-events", "mcp.base.jsonrpc-conformance"},
              {"JSON as data of a message event", shown(frame.bytes), {frame.seq}});
}

// A client of this revision reads the stream, so what comes in a body is lost.
void judge_stream(const Evidence& evidence, Sink& sink, const Requests& requests,
                  const Item& item) {
  const wire::Frame& frame = evidence.transcript.frames[item.frame];
  const int status = frame.head ? frame.head->status : 0;
  if (status / 100 != 2 || item.array != 0 || !is_reply(item)) return;
  const Item* asked = request_of(requests, item);
  if (asked == nullptr || evidence.transcript.frames[asked->frame].exchange != frame.exchange)
    return;
  report_best(evidence, sink, {"mcp.sse.response-on-stream"},
              {"the response on the event stream",
               "a response in the body of the POST: " + shown(item.text),
               {asked->seq, frame.seq},
               "in-body"});
}

}  // namespace

void judge_sse(const Evidence& evidence, Sink& sink) {
  if (evidence.transcript.transport != wire::TransportKind::kHttpSse) return;
  const wire::Frame* before = nullptr;  // the first event of the stream, unless it is the endpoint
  bool from_head = false;
  bool announced = false;
  std::string connected_to;
  for (std::size_t i = 0; i < evidence.transcript.frames.size(); ++i) {
    const wire::Frame& frame = evidence.transcript.frames[i];
    if (frame.direction != wire::Direction::kReceived || frame.exchange != 0) continue;
    if (frame.channel == wire::Channel::kHttp) {
      judge_head(evidence, sink, frame);
      from_head = true;
      if (frame.head) connected_to = origin(frame.head->target);
    }
    if (frame.channel != wire::Channel::kSse) continue;
    if (event_name(frame) == "endpoint") {
      if (!announced) judge_endpoint(evidence, sink, frame, before, connected_to);
      announced = true;
      continue;
    }
    if (from_head && !announced && before == nullptr) before = &frame;
    judge_stream_event(evidence, sink, i);
  }
  const Requests& requests = sent_requests(evidence);
  for (const Item& item : evidence.items) {
    const wire::Frame& frame = evidence.transcript.frames[item.frame];
    if (!item.sent && frame.channel == wire::Channel::kHttp)
      judge_stream(evidence, sink, requests, item);
  }
}

}  // namespace harness::oracle
