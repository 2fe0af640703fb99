// SPDX-License-Identifier: Apache-2.0
#include "harness/falsify/said.h"

#include <map>

#include "harness/reference/edits.h"
#include "harness/wire/message.h"

namespace harness::falsify {
namespace {

using reference::Sent;

// The part of a message that paths of rows begin at, and what it is of.
struct Body {
  Sent sent;
  std::string of;
  json::Value value;
};

std::optional<Body> body_of(const json::Value& message,
                            const std::map<std::string, std::string>& asked) {
  const json::Value* method = message.find("method");
  const json::Value* id = message.find("id");
  if (method != nullptr && method->is_string()) {
    const json::Value* params = message.find("params");
    return Body{id == nullptr ? Sent::kNotification : Sent::kRequest, method->text,
                params == nullptr ? json::null() : *params};
  }
  const json::Value* result = message.find("result");
  const auto request = id == nullptr ? asked.end() : asked.find(wire::id_key(*id));
  if (result != nullptr && request != asked.end())
    return Body{Sent::kResult, request->second, *result};
  const json::Value* code = json::at(message, "/error/code");
  if (code == nullptr) return std::nullopt;
  return Body{Sent::kError, code->text, *message.find("error")};
}

}  // namespace

std::set<std::string> shapes_in(const wire::Transcript& transcript, const spec::Profile& profile) {
  std::set<std::string> names;
  const std::string_view version =
      profile.tutorial ? std::string_view("tutorial") : std::string_view(profile.revision);
  std::map<std::string, std::string> asked;
  for (const wire::Frame& frame : transcript.frames) {
    if (!wire::carries_message(frame)) continue;
    const wire::MessagePtr read = wire::read_shared(frame.bytes);
    if (!read->value.is_object()) continue;
    if (frame.direction == wire::Direction::kSent) {
      const json::Value* method = read->value.find("method");
      const json::Value* id = read->value.find("id");
      if (method != nullptr && id != nullptr) asked[wire::id_key(*id)] = method->text;
      continue;
    }
    const std::optional<Body> body = body_of(read->value, asked);
    if (!body) continue;
    for (const reference::FaultRow* fault : reference::shape_faults()) {
      const reference::Edit& edit = fault->edits.front();
      const bool of_it = edit.sent == body->sent && edit.of == body->of;
      const bool inside = edit.sent == Sent::kRequest && body->sent == Sent::kResult;
      if (!of_it && !inside) continue;  // before anything is copied
      json::Value copy = body->value;
      if (apply(*fault, {body->sent, body->of, version, copy})) names.insert(fault->name);
    }
  }
  return names;
}

}  // namespace harness::falsify
