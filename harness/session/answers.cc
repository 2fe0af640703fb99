// SPDX-License-Identifier: Apache-2.0
#include "harness/session/answers.h"

#include <utility>

#include "harness/json/write.h"
#include "harness/session/dialect.h"

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
  if (own->is_object())
    for (const json::Member& member : own->members) reply.set(member.name, member.value);
  out.now.push_back(std::move(reply));
  return out;
}

}  // namespace harness::session
