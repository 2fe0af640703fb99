// SPDX-License-Identifier: Apache-2.0
// What an HTTP answer or an event of a stream holds: one JSON-RPC message. Status and header rules
// are judged by cases, which know what they provoked.
#include <string>
#include <variant>

#include "harness/base/ascii.h"
#include "harness/json/read.h"
#include "harness/oracle/families.h"
#include "harness/oracle/json_scan.h"
#include "harness/oracle/traffic.h"

namespace harness::oracle {
namespace {

std::string media_type(const wire::Frame& frame) {
  const std::string* header = frame.head ? frame.head->header("Content-Type") : nullptr;
  if (header == nullptr) return {};
  std::string type = ascii::lower(std::string_view(*header).substr(0, header->find(';')));
  while (!type.empty() && type.back() == ' ') type.pop_back();
  return type;
}

bool is_json_type(std::string_view type) {
  return type == "application/json" || (type.size() > 5 && type.substr(type.size() - 5) == "+json");
}

bool posts_request(const Evidence& evidence, const wire::Frame* request) {
  if (request == nullptr || !request->head || request->head->method == "GET") return false;
  for (const Item& item : evidence.items)
    if (item.seq == request->seq && item.kind == wire::MessageKind::kRequest) return true;
  return false;
}

// What the head of a response says of its end.
std::string stated_end(const wire::HttpHead& head) {
  if (const std::string* length = head.header("Content-Length"))
    return "the " + *length + " bytes that Content-Length states";
  if (head.header("Transfer-Encoding")) return "an empty chunk at its end";
  return "an end of the response: a length in Content-Length, chunks with an empty last one, or "
         "the "
         "end of the connection";
}

// A response that does not come to its end. Where its JSON is whole, no client can tell that
// nothing more will come. Where it is not, it broke off, unless it was our patience that ended.
void judge_end(const Evidence& evidence, Sink& sink, std::size_t i) {
  const wire::Transcript& transcript = evidence.transcript;
  const wire::Frame& frame = transcript.frames[i];
  if (frame.size > frame.bytes.size()) return;
  const bool whole = std::holds_alternative<json::Reading>(json::read(frame.bytes));
  for (std::size_t k = i + 1; k < transcript.frames.size(); ++k) {
    const wire::Frame& end = transcript.frames[k];
    if (end.channel != wire::Channel::kClose || end.exchange != frame.exchange) continue;
    const bool peers = end.bytes == "eof" || end.bytes == (whole ? "timeout" : "reset");
    if (!peers) return;
    const bool length = frame.head->header("Content-Length") != nullptr;
    const bool chunks = !length && frame.head->header("Transfer-Encoding") != nullptr;
    report_best(
        evidence, sink,
        {"mcp.http.json-one-object", "mcp.base.jsonrpc-conformance",
         "jsonrpc.request.reply-exactly-one"},
        {stated_end(*frame.head),
         std::to_string(frame.size) + " bytes, and nothing after them: " + shown(frame.bytes),
         {frame.seq},
         !whole   ? "cut off"
         : length ? "short"
         : chunks ? "no last chunk"
                  : "no end"});
    return;
  }
}

void judge_body(const Evidence& evidence, Sink& sink, std::size_t i) {
  const wire::Frame& frame = evidence.transcript.frames[i];
  const int status = frame.head ? frame.head->status : 0;
  if (evidence.messages[i].is_json || frame.bytes.empty() || status < 200 || status > 299) return;
  if (!is_json_type(media_type(frame))) return;
  if (!posts_request(evidence, http_request_of(evidence, frame))) return;
  if (frame.unframed) return judge_end(evidence, sink, i);
  if (report_broken_json(evidence, sink, frame, evidence.messages[i].error)) return;
  if (frame.size > frame.bytes.size() ||
      evidence.messages[i].error.fault == json::ReadFault::kTooDeep)
    return;
  report_best(evidence, sink,
              {"mcp.http.json-one-object", "mcp.base.jsonrpc-conformance", "json.output.grammar"},
              {"one JSON text as body", shown(frame.bytes), {frame.seq}});
}

// What comes behind the end of an answer, where nothing was asked yet.
bool judge_surplus(const Evidence& evidence, Sink& sink, const wire::Frame& frame) {
  if (!frame.unframed || !frame.head || frame.head->status != 0) return false;
  report_best(
      evidence, sink,
      {"mcp.http.json-one-object", "mcp.base.jsonrpc-conformance",
       "jsonrpc.request.reply-exactly-one"},
      {"one response, and nothing after its end", shown(frame.bytes), {frame.seq}, "surplus"});
  return true;
}

// Streams opened by GET may carry the endpoint event of 2024-11-05, whose data is an address.
void judge_event(const Evidence& evidence, Sink& sink, std::size_t i) {
  const wire::Frame& frame = evidence.transcript.frames[i];
  const wire::Message& message = evidence.messages[i];
  if (frame.bytes.find_first_not_of(" \t\r\n") == std::string::npos) return;
  // What was never ended is no event.
  if (frame.unframed || frame.size > frame.bytes.size()) return;
  if (message.is_json && message.kind != wire::MessageKind::kMalformed) {
    const std::string* name = frame.head ? frame.head->header("event") : nullptr;
    if (name != nullptr && !name->empty() && *name != "message")
      report_best(evidence, sink, {"robust.sse-event-name"},
                  {"an event without a name, or with the name message",
                   "an event named " + shown(*name) + ": " + shown(frame.bytes),
                   {frame.seq}});
  }
  if (message.is_json) {
    if (message.kind != wire::MessageKind::kMalformed) return;  // arrays have their own oracle
    if (message.value.is_object()) return;                      // so has the envelope
  } else if (message.error.fault == json::ReadFault::kTooDeep) {
    return;
  } else {
    const wire::Frame* request = http_request_of(evidence, frame);
    if (request == nullptr || !request->head || request->head->method == "GET") return;
    if (report_broken_json(evidence, sink, frame, message.error)) return;
  }
  report_best(evidence, sink,
              {"mcp.http.sse-event-data-is-message", "mcp.base.jsonrpc-conformance"},
              {"one message as data of an event", shown(frame.bytes), {frame.seq}});
}

}  // namespace

void judge_http(const Evidence& evidence, Sink& sink) {
  if (!evidence.http()) return;
  for (std::size_t i = 0; i < evidence.transcript.frames.size(); ++i) {
    const wire::Frame& frame = evidence.transcript.frames[i];
    if (frame.direction != wire::Direction::kReceived) continue;
    if (frame.channel == wire::Channel::kHttp && !judge_surplus(evidence, sink, frame))
      judge_body(evidence, sink, i);
    if (frame.channel == wire::Channel::kSse) judge_event(evidence, sink, i);
  }
}

}  // namespace harness::oracle
