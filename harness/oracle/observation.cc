// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/observation.h"

#include <algorithm>
#include <utility>

#include "harness/base/text.h"
#include "harness/json/write.h"

namespace harness::oracle {
namespace {

constexpr std::size_t kLongest = 300;  // bytes of a message in words

void add_method(const json::Value* method, std::vector<std::string>& out) {
  if (method && method->is_string() && std::find(out.begin(), out.end(), method->text) == out.end())
    out.push_back(method->text);
}

ResultCame result_in(const json::Value& result) {
  ResultCame out;
  const json::Value* failed = result.is_object() ? result.find("isError") : nullptr;
  out.failed = failed && failed->kind == json::Kind::kBoolean && failed->boolean;
  const json::Value* type = result.is_object() ? result.find("resultType") : nullptr;
  if (!type || type->text != "complete") return out;
  const json::Value* requests = result.find("inputRequests");
  const json::Value* state = result.find("requestState");
  out.asks_as_complete = (requests && requests->is_object()) || (state && state->is_string());
  return out;
}

What what_is(const json::Value& message) {
  // Of an array the first that answers anything.
  for (const json::Value& item : message.items)
    if (item.is_object() && (item.find("result") || item.find("error"))) return what_is(item);
  if (!message.is_object()) return OtherMessageCame{};
  // Of both the one that is named first.
  for (const json::Member& member : message.members) {
    if (member.name == "result") return result_in(member.value);
    if (member.name != "error" || (member.value.is_null() && message.find("result"))) continue;
    const json::Value* code = member.value.is_object() ? member.value.find("code") : nullptr;
    return ErrorCame{code && code->is_number() ? json::write(*code) : ""};
  }
  if (const json::Value* method = message.find("method"))
    return ServerMessageCame{method->is_string() ? method->text : ""};
  return OtherMessageCame{};
}

}  // namespace

Observation told(std::string detail) {
  Observation out;
  out.detail = std::move(detail);
  return out;
}

Observation observed(const json::Value& message) {
  Observation out;
  out.came = what_is(message);
  out.messages = 1;
  out.texts.push_back(printable(json::write(message), kLongest));
  if (!message.is_object()) return out;
  const json::Value* id = message.find("id");
  out.unnamed = id ? id->is_null() : message.find("result") != nullptr;
  if (id) add_method(message.find("method"), out.asks);
  const json::Value* asked = json::at(message, "/result/inputRequests");
  if (asked && asked->is_object())
    for (const json::Member& one : asked->members)
      if (one.value.is_object()) add_method(one.value.find("method"), out.asks);
  return out;
}

Observation observed(const wire::Message& message) {
  if (message.is_json) return observed(message.value);
  Observation out;
  out.came = NotAMessage{};
  out.messages = 1;
  return out;
}

}  // namespace harness::oracle
