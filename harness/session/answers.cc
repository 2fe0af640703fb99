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

ServerAnswer in_words(suite::AnswerWord word, const json::Value& request,
                      const json::Value& client_capabilities) {
  using enum suite::AnswerWord;
  ServerAnswer out;
  if (word == kNone) return out;
  if (word == kGarbage) {
    out.text = "{\"jsonrpc\":\"2.0\",\"id\":";
    return out;
  }
  json::Value usual = default_answer(request, client_capabilities);
  if (word == kWrongId) usual.set("id", json::string("nobody asked this"));
  if (word == kLate) {
    out.late = std::move(usual);
    return out;
  }
  out.now.assign(word == kTwice ? 2 : 1, usual);
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

// The user fills in the form. A page is just consented to. Nothing when the form gives no such
// content.
std::optional<json::Value> accepted(const suite::FormAnswer& how, const json::Value& request) {
  json::Value result = json::object({{"action", json::string("accept")}});
  const json::Value* mode = json::at(request, "/params/mode");
  if (mode && mode->text == "url") return result;
  const json::Value* schema = json::at(request, "/params/requestedSchema");
  if (!schema) return std::nullopt;
  const auto kind = target::arguments_kind(how.accept);
  for (target::Instance& one : target::synthesise(*schema, kind).instances) {
    const bool fits =
        how.of.empty() || std::find(how.of.begin(), how.of.end(), one.keyword) != how.of.end();
    if (!fits || !one.value.is_object()) continue;
    result.set("content", std::move(one.value));
    return result;
  }
  return std::nullopt;
}

suite::Answer answer_of(const json::Value& request, const suite::Answers& answers) {
  const json::Value* method = request.find("method");
  auto own = method && method->is_string() ? answers.find(method->text) : answers.end();
  if (own == answers.end()) own = answers.find("*");
  return own == answers.end() ? suite::AnswerWord::kUsual : own->second;
}

}  // namespace

ServerAnswer answer_to(const json::Value& request, const SessionOptions& options) {
  const suite::Answer how = answer_of(request, options.answers);
  ServerAnswer out;
  json::Value reply = json::object({{"jsonrpc", json::string("2.0")}});
  const json::Value* id = request.find("id");
  reply.set("id", id ? *id : json::null());
  if (const auto* own = std::get_if<suite::OwnAnswer>(&how)) {
    if (own->raw) {
      out.text = filled(*own->raw, request);
      return out;
    }
    if (own->result) reply.set("result", *own->result);
    if (own->error) reply.set("error", *own->error);
  } else if (const auto* form = std::get_if<suite::FormAnswer>(&how)) {
    std::optional<json::Value> result = accepted(*form, request);
    out.made = result.has_value();
    reply.set("result",
              result ? std::move(*result) : json::object({{"action", json::string("decline")}}));
  } else {
    const auto* word = std::get_if<suite::AnswerWord>(&how);
    return in_words(word ? *word : suite::AnswerWord::kUsual, request, options.client_capabilities);
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
