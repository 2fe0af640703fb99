// SPDX-License-Identifier: Apache-2.0
#include "harness/trace/trigger.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string_view>

#include "harness/base/text.h"
#include "harness/json/read.h"
#include "harness/json/write.h"

namespace harness::trace {
namespace {

constexpr std::size_t kMostMembers = 64;   // of a message
constexpr std::size_t kDeep = 64;          // arrays and objects in each other
constexpr std::size_t kLongestText = 200;  // of a member, and of an answer
// The characters of an id that nobody trips over.
constexpr const char* kPlainText =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_";

using wire::Channel;
using wire::MessageKind;

bool is_text(const json::Value* value) { return value && value->is_string(); }

void add_members(const json::Value& value, const std::string& path,
                 std::map<std::string, std::string>& out) {
  if (out.size() >= kMostMembers) return;
  const bool empty = value.items.empty() && value.members.empty();
  if (value.is_object() && !empty) {
    for (const json::Member& member : value.members)
      add_members(member.value, path.empty() ? member.name : path + "." + member.name, out);
  } else if (value.is_array() && !empty) {
    for (std::size_t i = 0; i < value.items.size() && i < 4; ++i)
      add_members(value.items[i], path + "[" + std::to_string(i) + "]", out);
  } else {
    out.emplace(path, printable(json::write(value), kLongestText));
    if (value.is_number() && !std::isfinite(json::as_double(value)))
      out.emplace(kHugeNumber, "beyond a double");
  }
}

// What implementers take for no id, cannot keep, or may trip over; "" for any other.
std::string special_id(const json::Value& id) {
  const bool plain = id.text.find_first_not_of(kPlainText) == std::string::npos && !id.text.empty();
  if (id.is_string()) return plain ? "" : printable(json::write(id), kLongestText);
  if (!id.is_number()) return "";
  const std::string text = json::write(id);
  if (text == "0" || text == "-0") return text;
  return text.starts_with("-") && text.find_first_of(".eE") == std::string::npos
             ? "a negative number"
             : "";
}

// HTTP: the length of the body as its header states it; else how long it is.
std::uint64_t stated_length(const wire::Frame& frame) {
  const bool http = frame.head && frame.channel == Channel::kHttp;
  const std::string* length = http ? frame.head->header("content-length") : nullptr;
  return length ? std::strtoull(length->c_str(), nullptr, 10) : frame.size;
}

std::string flaw_of(const wire::Message& message, bool utf8) {
  if (!utf8) return "text that is not UTF-8";
  if (!message.is_json) return "text that is not JSON";
  const json::Value& value = message.value;
  if (value.is_array()) {
    if (value.items.empty()) return "an empty batch";
    const auto named = [](const json::Value& one) { return one.is_object() && one.find("method"); };
    const bool sound = std::all_of(value.items.begin(), value.items.end(), named);
    return sound ? "" : "a batch with an invalid element";
  }
  if (!value.is_object()) return "JSON that is not an object";
  std::vector<std::string> flaws;
  const auto note = [&](bool wrong, const char* text) {
    if (wrong) flaws.emplace_back(text);
  };
  const json::Value *method = value.find("method"), *id = value.find("id"),
                    *params = value.find("params"), *version = value.find("jsonrpc");
  note(!method, "a message without a method");
  note(method && !method->is_string(), "a message whose method is not a string");
  note(!version, "a message without jsonrpc");
  note(version && !(version->is_string() && version->text == "2.0"),
       "a message whose jsonrpc is not \"2.0\"");
  note(id && !id->is_string() && !id->is_number(), "a message whose id is of a wrong type");
  note(params && !params->is_object() && !params->is_array(),
       "a message whose params are of a wrong type");
  note(!message.duplicate_name.empty(), "a message with a member that occurs twice");
  return flaws.size() == 1 ? flaws.front() : "";
}

}  // namespace

std::string without_digits(std::string text) {
  std::erase_if(text, [](char c) { return (c >= '0' && c <= '9') || c == ' '; });
  return text;
}

std::string method_of(const wire::Message& message) {
  const json::Value* method = message.method();
  return method && method->is_string() ? printable(method->text, kLongestText) : "";
}

bool is_valid(const wire::Message& message) {
  const json::Value* version = message.value.is_object() ? message.value.find("jsonrpc") : nullptr;
  if (message.is_reply()) return is_text(version) && version->text == "2.0";
  if (message.kind != MessageKind::kRequest && message.kind != MessageKind::kNotification)
    return false;
  const json::Value* params = message.value.find("params");
  const json::Value* id = message.id();
  return is_text(version) && version->text == "2.0" && is_text(message.method()) &&
         (!params || params->is_object() || params->is_array()) &&
         (!id || id->is_string() || id->is_number()) && message.duplicate_name.empty();
}

// An id differs from message to message, but for its kind.
std::map<std::string, std::string> members_of(const wire::Message& message) {
  std::map<std::string, std::string> out;
  if (message.is_json) add_members(message.value, "", out);
  const json::Value* id = message.id();
  if (const std::string value = id ? special_id(*id) : ""; !value.empty()) out[kIdValue] = value;
  if (id)
    out["id"] = id->is_string() ? "a string" : id->is_number() ? "a number" : "something else";
  // Who refuses it refuses it whatever it holds.
  const json::Value* meta = json::at(message.value, "/params/_meta");
  if (meta && meta->is_object()) out["params._meta"] = "an object";
  return out;
}

bool has_own_header(const wire::Frame& frame) {
  if (frame.channel != Channel::kStdin && frame.channel != Channel::kSocket) return false;
  const std::string_view line = std::string_view(frame.bytes).substr(0, frame.bytes.find("\r\n"));
  const std::string_view name = line.substr(0, line.find(": "));
  const bool raw = frame.unframed && line.size() < frame.bytes.size() &&
                   name.size() < line.size() && name.find_first_of(" {}[]\",") == name.npos;
  return frame.head || raw;
}

Trigger trigger_at(const Reading& reading, std::size_t i) {
  const wire::Frame& frame = reading.frame(i);
  const wire::Message& message = reading.message(i);
  Trigger out;
  out.seq = frame.seq;
  out.bytes = std::max<std::uint64_t>(frame.size, frame.bytes.size());
  out.cut = out.bytes > frame.bytes.size();
  // What is too long to be kept may be cut within a character.
  const bool text = out.cut || is_utf8(frame.bytes);
  out.is_json = (message.is_json && text) || out.cut;
  // Of what was cut off no more is known than how it begins.
  out.deep = out.cut ? json::opens(frame.bytes, kDeep)
                     : !out.is_json && message.error.fault == json::ReadFault::kTooDeep;
  out.valid = is_valid(message) && text;
  out.unfinished = stated_length(frame) > frame.size;
  out.overfull = stated_length(frame) < frame.size;
  out.own_header = has_own_header(frame);
  out.raw_frames = reading.over_websocket() && frame.unframed;
  out.odd = std::any_of(frame.bytes.begin(), frame.bytes.end(),
                        [](char c) { return c < ' ' || c > '~' || c == '\\'; });
  out.kind = message.kind;
  if (!out.valid && !out.cut && !out.deep) out.flaw = flaw_of(message, text);
  out.method = method_of(message);
  out.names_session = frame.head && frame.head->header("mcp-session-id") != nullptr;
  out.members = members_of(message);
  // Where the reader puts U+FFFD for it.
  const auto id = out.members.find(kIdValue);
  if (id != out.members.end() && id->second.find("\xEF\xBF\xBD") != std::string::npos && out.odd &&
      std::all_of(frame.bytes.begin(), frame.bytes.end(), [](char c) { return (c & 0x80) == 0; }))
    id->second = "an unpaired surrogate";
  return out;
}

Came came_at(const Reading& reading, std::size_t i) {
  const wire::Frame& frame = reading.frame(i);
  Came out;
  if (frame.head) out.status = frame.head->status;
  const auto& items = reading.message(i).value.items;
  out.array = reading.message(i).value.is_array();
  out.null_inside = std::any_of(items.begin(), items.end(),
                                [](const json::Value& item) { return item.is_null(); });
  const json::Value& value = reading.message(i).value;
  const json::Value* error = value.is_object() ? value.find("error") : nullptr;
  if (const json::Value* result = value.is_object() ? value.find("result") : nullptr) {
    out.result = printable(json::write(*result), kLongestText);
    const bool only = result->is_object() && result->members.size() == 1;
    const json::Value* inner = only ? result->find("error") : nullptr;
    out.error_inside = inner && inner->is_object() && inner->find("code") != nullptr;
  }
  if (error && error->is_object()) {
    if (const json::Value* code = error->find("code")) out.code = json::write(*code);
    if (const json::Value* text = error->find("message"); is_text(text))
      out.text = printable(text->text, kLongestText);
  } else if (error && !error->is_null()) {
    out.text = printable(json::write(*error), kLongestText);
  } else if (out.status >= 400) {
    out.text = printable(frame.bytes, kLongestText);
  }
  return out;
}

CallsAt calls_at(const Reading& reading, std::size_t end) {
  std::set<std::string> calls, asked_of_us;
  for (std::size_t i = 0; i <= end && i < reading.size(); ++i) {
    const wire::Message& message = reading.message(i);
    const bool sent = reading.frame(i).direction == wire::Direction::kSent;
    if (reading.ends(i)) calls.clear();
    if (message.kind == MessageKind::kRequest) {
      if (sent && method_of(message) == "tools/call") calls.insert(message.key);
      if (!sent) asked_of_us.insert(message.key);
    } else if (message.is_reply()) {
      (sent ? asked_of_us : calls).erase(message.key);
    }
  }
  return {calls.size(), !asked_of_us.empty()};
}

}  // namespace harness::trace
