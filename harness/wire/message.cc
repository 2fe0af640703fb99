// SPDX-License-Identifier: Apache-2.0
// The kind of a message follows from which members are there, never from what they hold: a Target
// that answers with "id": {} has still answered.
#include "harness/wire/message.h"

#include <functional>

#include "harness/json/number.h"
#include "harness/json/write.h"

namespace harness::wire {

MessageKind kind_of(const json::Value& value) {
  if (value.is_array()) return MessageKind::kBatch;
  if (!value.is_object()) return MessageKind::kMalformed;
  if (value.find("method") != nullptr) {
    return value.find("id") != nullptr ? MessageKind::kRequest : MessageKind::kNotification;
  }
  if (result_in(value) != nullptr) return MessageKind::kResponse;
  if (error_in(value) != nullptr) return MessageKind::kErrorResponse;
  return MessageKind::kMalformed;
}

const json::Value* result_in(const json::Value& reply) {
  const json::Value *result = reply.find("result"), *error = reply.find("error");
  return result && result->is_null() && error && !error->is_null() ? nullptr : result;
}

const json::Value* error_in(const json::Value& reply) {
  const json::Value* error = reply.find("error");
  return error && error->is_null() && reply.find("result") ? nullptr : error;
}

Message read_message(std::string_view bytes) {
  Message message;
  auto outcome = json::read(bytes);
  if (auto* error = std::get_if<json::ReadError>(&outcome)) {
    message.error = std::move(*error);
    return message;
  }
  auto& reading = std::get<json::Reading>(outcome);
  message.is_json = true;
  message.value = std::move(reading.value);
  message.duplicate_name = std::move(reading.duplicate_name);
  message.lone_surrogate = reading.lone_surrogate;
  message.values = reading.values;
  message.kind = kind_of(message.value);
  if (const json::Value* id = message.id()) message.key = id_key(*id);
  return message;
}

MessagePtr read_shared(std::string_view bytes) {
  return std::make_shared<const Message>(read_message(bytes));
}

const MessagePtr& Messages::none() {
  static const auto empty = std::make_shared<const Message>();
  return empty;
}

namespace {

// Keys are kept for as long as a session lives, and those of a server may be of any length.
std::string bounded(std::string key) {
  constexpr std::size_t kLongest = 1024;
  if (key.size() <= kLongest) return key;
  const std::size_t hash = std::hash<std::string>()(key);
  std::string out = key.substr(0, kLongest / 2);
  out += "#" + std::to_string(key.size()) + "#" + std::to_string(hash);
  return out;
}

}  // namespace

namespace {

// As most readers have it: of members with one name, the last.
json::Value without_repeated(const json::Value& value) {
  json::Value out = value;
  for (json::Value& item : out.items) item = without_repeated(item);
  out.members.clear();
  for (const json::Member& member : value.members)
    out.set(member.name, without_repeated(member.value));
  return out;
}

}  // namespace

std::string id_key(const json::Value& id) {
  switch (id.kind) {
    case json::Kind::kString: return bounded("s:" + id.text);
    case json::Kind::kNumber: return bounded("n:" + json::canonical(id.text));
    case json::Kind::kNull: return "null";
    default: return bounded("?" + json::write(without_repeated(id)));
  }
}

namespace {

// The event that announces an address, and one of another type than `message`, unless a message is
// in it all the same; what a stream that answers one POST carries may lack a member.
bool is_other_event(const Frame& frame) {
  const std::string* name = frame.head ? frame.head->header("event") : nullptr;
  if (name == nullptr || name->empty() || *name == "message") return false;
  if (*name == "endpoint") return true;
  const auto lacks = [&](const char* word) { return frame.bytes.find(word) == std::string::npos; };
  return lacks("\"jsonrpc\"") && (frame.exchange == 0 || (lacks("\"id\"") && lacks("\"method\"")));
}

}  // namespace

bool carries_message(const Frame& frame) {
  switch (frame.channel) {
    case Channel::kStdin:
    case Channel::kStdout:
    case Channel::kSocket: return frame.bytes.find_first_not_of(" \t\r\n") != std::string::npos;
    case Channel::kHttp:
      // An answer of which not all has come is none.
      return !frame.bytes.empty() && !(frame.unframed && frame.direction == Direction::kReceived);
    case Channel::kSse:
      // Where the stream broke off in an event there was none, as its standard has it.
      return !frame.bytes.empty() && !frame.unframed && !is_other_event(frame);
    default: return false;
  }
}

}  // namespace harness::wire
