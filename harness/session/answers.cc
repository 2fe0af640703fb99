// SPDX-License-Identifier: Apache-2.0
#include "harness/session/answers.h"

#include <algorithm>
#include <utility>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/session/dialect.h"
#include "harness/target/synthesis.h"

namespace harness::session {
namespace {

ServerAnswer in_words(const std::string& word, const json::Value& request,
                      const json::Value& client_capabilities) {
  ServerAnswer out;
  if (word == "none") return out;
  if (word == "garbage") {
    out.text = "{\"jsonrpc\":\"2.0\",\"id\":";
    return out;
  }
  json::Value usual = default_answer(request, client_capabilities);
  if (word == "wrong-id") usual.set("id", json::string("nobody asked this"));
  if (word == "late") {
    out.late = std::move(usual);
    return out;
  }
  out.now.assign(word == "twice" ? 2 : 1, usual);
  return out;
}

// `${request.id}` filled in.
std::string filled(std::string text, const json::Value& request) {
  constexpr std::string_view kId = "${request.id}";
  const json::Value* asked = request.find("id");
  const std::string id = asked ? json::write(*asked) : "null";
  for (auto at = text.find(kId); at != text.npos; at = text.find(kId, at + id.size()))
    text.replace(at, kId.size(), id);
  return text;
}

// The user fills in the form: `how` is {accept: KIND, of: [KEYWORD]}. A page is just consented to.
// Nothing when the form gives no such content.
std::optional<json::Value> accepted(const json::Value& how, const json::Value& request) {
  json::Value result = json::object({{"action", json::string("accept")}});
  const json::Value* mode = json::at(request, "/params/mode");
  if (mode && mode->text == "url") return result;
  const json::Value* schema = json::at(request, "/params/requestedSchema");
  if (!schema) return std::nullopt;
  const json::Value* of = how.find("of");
  const auto kind = target::arguments_kind(how.find("accept")->text);
  for (target::Instance& one : target::synthesise(*schema, kind).instances) {
    const bool fits = !of || std::any_of(of->items.begin(), of->items.end(), [&](const auto& word) {
      return word.text == one.keyword;
    });
    if (!fits || !one.value.is_object()) continue;
    result.set("content", std::move(one.value));
    return result;
  }
  return std::nullopt;
}

const json::Value* own_answer(const json::Value& request, const json::Value& answers) {
  if (!answers.is_object()) return nullptr;
  const json::Value* method = request.find("method");
  const json::Value* own = method && method->is_string() ? answers.find(method->text) : nullptr;
  return own ? own : answers.find("*");
}

}  // namespace

ServerAnswer answer_to(const json::Value& request, const SessionOptions& options) {
  const json::Value* own = own_answer(request, options.answers);
  if (!own || own->is_string())
    return in_words(own ? own->text : "usual", request, options.client_capabilities);
  ServerAnswer out;
  if (const json::Value* raw = own->find("raw"); own->is_object() && raw) {
    out.text = filled(raw->text, request);
    return out;
  }
  json::Value reply = json::object({{"jsonrpc", json::string("2.0")}});
  const json::Value* id = request.find("id");
  reply.set("id", id ? *id : json::null());
  if (own->is_object() && own->find("accept")) {
    std::optional<json::Value> result = accepted(*own, request);
    out.made = result.has_value();
    reply.set("result",
              result ? std::move(*result) : json::object({{"action", json::string("decline")}}));
  } else if (own->is_object()) {
    for (const json::Member& member : own->members) reply.set(member.name, member.value);
  }
  out.now.push_back(std::move(reply));
  return out;
}

std::optional<json::Value> repeated_with_answers(json::Value request, const json::Value& asked,
                                                 const SessionOptions& options, bool& made) {
  json::Value* params = request.find("params");
  if (!params || !params->is_object()) return std::nullopt;
  json::Value responses = json::object();
  if (const json::Value* requests = asked.find("inputRequests")) {
    for (const json::Member& one : requests->members) {
      const ServerAnswer answer = answer_to(one.value, options);
      made &= answer.made;
      const json::Value* result = answer.now.empty() ? nullptr : answer.now.front().find("result");
      if (!result) return std::nullopt;
      responses.set(one.name, *result);
    }
    params->set("inputResponses", std::move(responses));
  }
  if (const json::Value* state = asked.find("requestState")) params->set("requestState", *state);
  return request;
}

}  // namespace harness::session
