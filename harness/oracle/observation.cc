// SPDX-License-Identifier: Apache-2.0
#include "harness/oracle/observation.h"

#include <algorithm>
#include <string_view>

#include "harness/base/text.h"
#include "harness/json/write.h"

namespace harness::oracle {
namespace {

constexpr std::size_t kLongest = 300;  // bytes of a message in words

void add_method(const json::Value* method, std::vector<std::string>& out) {
  if (method && method->is_string() && std::find(out.begin(), out.end(), method->text) == out.end())
    out.push_back(method->text);
}

bool is_number(const json::Value* value) { return value && value->is_number(); }

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
  const json::Value* result = message.find("result");
  if (const json::Value* error = message.find("error"); error && !(error->is_null() && result)) {
    const json::Value* code = error->is_object() ? error->find("code") : nullptr;
    return ErrorCame{is_number(code) ? json::write(*code) : ""};
  }
  if (result) return result_in(*result);
  if (const json::Value* method = message.find("method"))
    return ServerMessageCame{method->is_string() ? method->text : ""};
  return OtherMessageCame{};
}

}  // namespace

Observation observed(const wire::Message& message) {
  Observation out;
  out.messages = 1;
  if (!message.is_json) {
    out.came = NotAMessage{};
    return out;
  }
  const json::Value& value = message.value;
  out.came = what_is(value);
  out.texts.push_back(printable(json::write(value), kLongest));
  if (!value.is_object()) return out;
  const json::Value* id = value.find("id");
  out.under_null = id && id->is_null();
  if (id) add_method(value.find("method"), out.asks);
  const json::Value* asked = json::at(value, "/result/inputRequests");
  if (asked && asked->is_object())
    for (const json::Member& one : asked->members)
      if (one.value.is_object()) add_method(one.value.find("method"), out.asks);
  return out;
}

}  // namespace harness::oracle
