// SPDX-License-Identifier: Apache-2.0
// The written form of a Transcript, for eyes, jq and `judge`: what is UTF-8 stands there as text,
// what is not as base64. Members that say nothing are left out; unknown ones are ignored, so that
// a later version may add some.
#include <limits>
#include <utility>

#include "harness/base/base64.h"
#include "harness/base/text.h"
#include "harness/json/escaped.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/wire/frame.h"

namespace harness::wire {
namespace {

constexpr std::string_view kFormat = "rpcspec-transcript/1";
constexpr Channel kChannels[] = {
    Channel::kStdin,  Channel::kStdout, Channel::kStderr, Channel::kHttp, Channel::kSse,
    Channel::kSocket, Channel::kPing,   Channel::kPong,   Channel::kExit, Channel::kClose};

// Text from the wire: a string, or {"base64": …} when it is not UTF-8.
json::Value wire_text(std::string_view bytes) {
  if (is_utf8(bytes)) return json::string(bytes);
  return json::object({{"base64", json::string(to_base64(bytes))}});
}

json::Value head_value(const HttpHead& head) {
  json::Value out = json::object();
  if (head.status != 0) out.set("status", json::number(head.status));
  if (!head.method.empty()) out.set("method", wire_text(head.method));
  if (!head.target.empty()) out.set("target", wire_text(head.target));
  json::Value headers = json::array();
  for (const Header& header : head.headers)
    headers.items.push_back(json::array({wire_text(header.name), wire_text(header.value)}));
  out.set("headers", std::move(headers));
  return out;
}

json::Value frame_value(const Frame& frame) {
  json::Value out = json::object();
  out.set("seq", json::number_spelled(std::to_string(frame.seq)));
  out.set("time_us", json::number(frame.time_us));
  out.set("direction", json::string(frame.direction == Direction::kSent ? "sent" : "received"));
  out.set("channel", json::string(channel_name(frame.channel)));
  if (frame.exchange != 0) out.set("exchange", json::number(frame.exchange));
  if (frame.head) out.set("head", head_value(*frame.head));
  if (frame.size != frame.bytes.size())
    out.set("size", json::number_spelled(std::to_string(frame.size)));
  if (frame.unframed) out.set("unframed", json::boolean(true));
  if (is_utf8(frame.bytes))
    out.set("text", json::string(frame.bytes));
  else
    out.set("base64", json::string(to_base64(frame.bytes)));
  return out;
}

constexpr std::int64_t kLargestInt = std::numeric_limits<int>::max();

// Thrown inside this file only; where is known to the caller.
struct Complaint {
  std::string what;
};

const json::Value& member(const json::Value& object, std::string_view name) {
  if (const json::Value* found = object.find(name)) return *found;
  throw Complaint{"the member '" + std::string(name) + "' is missing"};
}

std::string text_member(const json::Value& object, std::string_view name) {
  const json::Value& value = member(object, name);
  if (!value.is_string()) throw Complaint{"'" + std::string(name) + "' is not a string"};
  return value.text;
}

std::int64_t integer(const json::Value& value, std::string_view name,
                     std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
  const std::optional<std::int64_t> number = json::as_integer(value);
  if (!number || *number < 0 || *number > most) {
    throw Complaint{"'" + std::string(name) + "' is not a whole number from 0 to " +
                    std::to_string(most)};
  }
  return *number;
}

std::string decoded(const json::Value& value, std::string_view name) {
  if (value.is_string()) {
    if (std::optional<std::string> bytes = from_base64(value.text)) return std::move(*bytes);
  }
  throw Complaint{"'" + std::string(name) + "' is not base64"};
}

std::string wire_text_of(const json::Value& value, std::string_view name) {
  if (value.is_string()) return value.text;
  if (const json::Value* base64 = value.find("base64")) return decoded(*base64, name);
  throw Complaint{"'" + std::string(name) + "' is neither a string nor {\"base64\": …}"};
}

HttpHead head_of(const json::Value& value) {
  if (!value.is_object()) throw Complaint{"'head' is not an object"};
  HttpHead head;
  if (const auto* status = value.find("status"))
    head.status = static_cast<int>(integer(*status, "status", kLargestInt));
  if (const auto* method = value.find("method")) head.method = wire_text_of(*method, "method");
  if (const auto* target = value.find("target")) head.target = wire_text_of(*target, "target");
  if (const auto* headers = value.find("headers")) {
    if (!headers->is_array()) throw Complaint{"'headers' is not an array"};
    for (const json::Value& pair : headers->items) {
      if (!pair.is_array() || pair.items.size() != 2)
        throw Complaint{"a header is not a pair of name and value"};
      head.headers.push_back(
          {wire_text_of(pair.items[0], "header name"), wire_text_of(pair.items[1], "header")});
    }
  }
  return head;
}

Direction direction_of(const std::string& name) {
  if (name == "sent") return Direction::kSent;
  if (name == "received") return Direction::kReceived;
  throw Complaint{"the direction '" + printable(name) + "' is neither sent nor received"};
}

Channel channel_of(const std::string& name) {
  for (const Channel channel : kChannels)
    if (name == channel_name(channel)) return channel;
  throw Complaint{"there is no channel '" + printable(name) + "'"};
}

Frame frame_of(const json::Value& value) {
  if (value.is_object() && value.find("left_out"))
    throw Complaint{"too many frames: some were left out here, so the rest cannot be judged"};
  Frame frame;
  frame.seq = static_cast<std::uint64_t>(integer(member(value, "seq"), "seq"));
  frame.time_us = integer(member(value, "time_us"), "time_us");
  frame.direction = direction_of(text_member(value, "direction"));
  frame.channel = channel_of(text_member(value, "channel"));
  if (const auto* exchange = value.find("exchange"))
    frame.exchange = static_cast<int>(integer(*exchange, "exchange", kLargestInt));
  if (const auto* head = value.find("head")) frame.head = head_of(*head);
  if (const auto* unframed = value.find("unframed")) {
    if (!unframed->is_boolean()) throw Complaint{"'unframed' is neither true nor false"};
    frame.unframed = unframed->boolean;
  }
  const json::Value* base64 = value.find("base64");
  frame.bytes = base64 != nullptr ? decoded(*base64, "base64") : text_member(value, "text");
  const json::Value* size = value.find("size");
  frame.size =
      size == nullptr ? frame.bytes.size() : static_cast<std::uint64_t>(integer(*size, "size"));
  return frame;
}

json::Value object_in(std::string_view line) {
  auto outcome = json::read(line);
  if (const auto* error = std::get_if<json::ReadError>(&outcome)) {
    throw Complaint{"the line is not JSON: " + error->reason + " (byte " +
                    std::to_string(error->offset) + ")"};
  }
  json::Value value = std::move(std::get<json::Reading>(outcome).value);
  if (!value.is_object()) throw Complaint{"the line is not a JSON object"};
  return value;
}

void read_header(const json::Value& value, Transcript& out) {
  const std::string format = text_member(value, "format");
  if (format != kFormat) {
    throw Complaint{"the format is '" + printable(format) + "', not '" + std::string(kFormat) +
                    "'"};
  }
  out.profile = text_member(value, "profile");
  const std::string transport = text_member(value, "transport");
  const auto kind = transport_named(transport);
  if (!kind) throw Complaint{"there is no transport '" + printable(transport) + "'"};
  out.transport = *kind;
  out.target = wire_text_of(member(value, "target"), "target");
  if (value.find("framing") != nullptr) out.framing = text_member(value, "framing");
  out.behind_handshake = value.find("behind_handshake") != nullptr;
}

}  // namespace

std::string to_json_lines(const Transcript& transcript) {
  json::Value header = json::object({
      {"format", json::string(kFormat)},
      {"profile", json::string(transcript.profile)},
      {"transport", json::string(transport_name(transcript.transport))},
      {"target", wire_text(transcript.target)},
  });
  if (!transcript.framing.empty()) header.set("framing", json::string(transcript.framing));
  if (transcript.behind_handshake) header.set("behind_handshake", json::boolean(true));
  std::string out = json::escaped_for_eyes(json::write(header));
  out += '\n';
  for (const Frame& frame : transcript.frames) {
    out += json::escaped_for_eyes(json::write(frame_value(frame)));
    out += '\n';
  }
  return out;
}

Result<Transcript> from_json_lines(std::string_view text, const std::string& name) {
  Transcript out;
  bool header_seen = false;
  for (int line_number = 1; !text.empty(); ++line_number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      const json::Value value = object_in(line);
      if (header_seen) {
        out.frames.push_back(frame_of(value));
      } else {
        read_header(value, out);
        header_seen = true;
      }
    } catch (const Complaint& complaint) {
      return Error{name + ":" + std::to_string(line_number), complaint.what,
                   "give a transcript written by rpcspec"};
    }
  }
  if (!header_seen)
    return Error{name, "the transcript is empty", "give a transcript written by rpcspec"};
  return out;
}

}  // namespace harness::wire
