// SPDX-License-Identifier: Apache-2.0
// Message: a Frame read as JSON-RPC 2.0. Reading is shape only; matchers and oracles decide whether
// the shape is lawful.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/json/read.h"
#include "harness/json/value.h"
#include "harness/wire/frame.h"

namespace harness::wire {

enum class MessageKind {
  kRequest,        // has method and id
  kNotification,   // has method, no id
  kResponse,       // has result, no method
  kErrorResponse,  // has error, no method
  kBatch,          // a JSON array
  kMalformed,      // not JSON, not an object or array, or an object that is none of the above
};

struct Message {
  MessageKind kind = MessageKind::kMalformed;
  json::Value value;  // the whole JSON value; null when the text is not JSON
  bool is_json = false;
  std::string key;             // id_key() of the id; "" if there is none
  std::string duplicate_name;  // see json::Reading
  bool lone_surrogate = false;
  std::size_t values = 0;  // in the tree below `value`: the cost of keeping it
  json::ReadError error;   // why it is not JSON

  const json::Value* id() const { return value.is_object() ? value.find("id") : nullptr; }
  const json::Value* method() const { return value.is_object() ? value.find("method") : nullptr; }
  bool is_reply() const {
    return kind == MessageKind::kResponse || kind == MessageKind::kErrorResponse;
  }
};

Message read_message(std::string_view bytes);

// Each text is read once and shared.
using MessagePtr = std::shared_ptr<const Message>;
MessagePtr read_shared(std::string_view bytes);

// Those of some frames, in order; a default Message stands for a frame without one.
class Messages {
 public:
  explicit Messages(std::size_t count = 0) : all_(count, none()) {}

  std::size_t size() const { return all_.size(); }
  const Message& operator[](std::size_t i) const { return *all_[i]; }
  void set(std::size_t i, MessagePtr message) { all_[i] = std::move(message); }
  void push_back(MessagePtr message) { all_.push_back(std::move(message)); }

 private:
  static const MessagePtr& none();
  std::vector<MessagePtr> all_;
};
MessageKind kind_of(const json::Value& value);

// The outcome that a reply (an object) holds, as clients read it: a null in one of the two members
// counts as absent if the other is there. Only the envelope is at fault if both are there.
const json::Value* result_in(const json::Value& reply);
const json::Value* error_in(const json::Value& reply);

// A key under which ids compare as JSON-RPC ids do: type and value, 1 equals 1.0, "1" is another.
// Strings are keyed by their decoded text.
std::string id_key(const json::Value& id);

// True if the frame carries a message (stdin, stdout, sse, or an http body).
bool carries_message(const Frame& frame);

}  // namespace harness::wire
