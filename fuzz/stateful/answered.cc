// SPDX-License-Identifier: Apache-2.0
#include "fuzz/stateful/answered.h"

#include <algorithm>
#include <map>
#include <set>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/wire/message.h"

namespace fuzz {
namespace {

namespace json = harness::json;
namespace wire = harness::wire;

// Calls `see` with every message that came.
template <class See>
void each_received(const Execution& execution, const See& see) {
  for (const harness::trace::Slice& slice : execution.slices) {
    for (std::size_t i = 0; i < slice.messages.size(); ++i) {
      const wire::Frame& frame = slice.transcript->frames[i];
      if (frame.direction == wire::Direction::kSent || !wire::carries_message(frame)) continue;
      const wire::Message& message = slice.messages[i];
      if (message.kind != wire::MessageKind::kBatch) {
        see(message.value);
        continue;
      }
      for (const json::Value& item : message.value.items) see(item);
    }
  }
}

const json::Value* id_of(const json::Value& message) {
  return message.is_object() ? message.find("id") : nullptr;
}

// By id: whether there was a reply, and nothing but errors.
std::map<std::string, bool> refusals_in(const Execution& execution) {
  std::map<std::string, bool> out;
  each_received(execution, [&](const json::Value& message) {
    const json::Value* id = id_of(message);
    if (id == nullptr || message.find("method") != nullptr) return;
    const bool error = message.find("error") != nullptr;
    const auto [place, fresh] = out.emplace(wire::id_key(*id), error);
    place->second = place->second && error;
  });
  return out;
}

bool is_refused(const std::map<std::string, bool>& refusals, const json::Value& id) {
  const auto found = refusals.find(wire::id_key(id));
  return found != refusals.end() && found->second;
}

// Whether a lenient reader may serve what is no request: late, and under whatever id it reads.
bool may_be_served(const Frame& frame) {
  return frame.bytes.find("method") != std::string::npos ||
         frame.bytes.find("\\u") != std::string::npos;
}

// Ids that somebody may read in it.
void ids_in(const json::Value& value, std::set<std::string>& out) {
  if (value.is_object())
    for (const json::Member& member : value.members)
      if (member.name == "id") out.insert(wire::id_key(member.value));
  for (const json::Value& item : value.items) ids_in(item, out);
}

}  // namespace

std::optional<json::Value> request_in(const Frame& frame) {
  const auto reading = json::read(frame.bytes);
  const auto* good = std::get_if<json::Reading>(&reading);
  if (good == nullptr || !good->duplicate_name.empty() || good->lone_surrogate) return std::nullopt;
  if (wire::kind_of(good->value) != wire::MessageKind::kRequest) return std::nullopt;
  const json::Value* id = good->value.find("id");
  const json::Value* method = good->value.find("method");
  if (!method->is_string() || (!id->is_string() && !json::is_integer(*id))) return std::nullopt;
  // One that is written with an escape becomes a reference when it is written anew.
  for (const std::string& text : {frame.bytes, json::write(good->value)})
    if (text.find("${") != std::string::npos) return std::nullopt;
  return good->value;
}

bool usually_sent(const Frame& frame) {
  const Delivery& how = frame.delivery;
  return how.headers.empty() && how.http_method.empty() && !how.length && how.eol == Eol::kLf &&
         how.opcode == 1 && frame.bytes.find('\n') == std::string::npos;
}

std::vector<json::Value> replies_to(const Execution& execution, const json::Value& id) {
  std::vector<json::Value> out;
  const std::string key = wire::id_key(id);
  each_received(execution, [&](const json::Value& message) {
    const json::Value* own = id_of(message);
    if (own != nullptr && message.find("method") == nullptr && wire::id_key(*own) == key)
      out.push_back(message);
  });
  return out;
}

std::string class_of(const std::vector<json::Value>& replies) {
  if (replies.empty()) return "nothing";
  if (replies.size() > 1) return "several replies";
  const json::Value& reply = replies.front();
  if (const json::Value* code = json::at(reply, "/error/code")) return "error " + code->text;
  if (reply.find("error") != nullptr) return "error";
  const json::Value* failed = json::at(reply, "/result/isError");
  return failed != nullptr && failed->boolean ? "result that failed" : "result";
}

Script refused_part(const Script& script, const Execution& execution) {
  Script out{script.profile, script.transport, {}};
  const std::map<std::string, bool> refusals = refusals_in(execution);
  for (const Step& step : script.steps) {
    const auto* frame = std::get_if<Frame>(&step);
    if (frame == nullptr || !usually_sent(*frame)) continue;
    if (frame->bytes.find("${") != std::string::npos) continue;
    const wire::Message message = wire::read_message(frame->bytes);
    bool refused = !message.is_json || !message.value.is_object() ||
                   (message.kind == wire::MessageKind::kMalformed);
    if (message.kind == wire::MessageKind::kRequest) refused = is_refused(refusals, *message.id());
    // Arrays hold what was served as well.
    if (refused && message.kind != wire::MessageKind::kBatch) out.steps.push_back(*frame);
  }
  return out;
}

bool all_refused(const Script& script, const Execution& execution) {
  if (execution.ending != Ending::kAnswered || execution.withheld > 0) return false;
  std::set<std::string> ours;
  std::size_t errors = 0, asked = 0;
  const std::map<std::string, bool> refusals = refusals_in(execution);
  for (const Step& step : script.steps) {
    const auto* frame = std::get_if<Frame>(&step);
    if (frame == nullptr) return false;
    const wire::Message message = wire::read_message(frame->bytes);
    if (message.kind == wire::MessageKind::kNotification ||
        message.kind == wire::MessageKind::kBatch || message.is_reply())
      return false;
    ids_in(message.value, ours);
    const bool request = message.kind == wire::MessageKind::kRequest;
    if (request && !is_refused(refusals, *message.id())) return false;
    asked += request || may_be_served(*frame);
  }
  bool refused = true;
  each_received(execution, [&](const json::Value& message) {
    const json::Value* id = id_of(message);
    errors += message.is_object() && message.find("error") != nullptr;
    if (message.is_object() && message.find("method") != nullptr) {
      const json::Value& method = *message.find("method");
      refused &= method.text.find("list_changed") == std::string::npos;
    } else if (id != nullptr && message.find("result") != nullptr) {
      refused &= !ours.contains(wire::id_key(*id));
    }
  });
  return refused && errors >= asked;
}

}  // namespace fuzz
