// SPDX-License-Identifier: Apache-2.0
// Asks only what the client said it can answer, and takes only answers that fit the question.
#include "harness/reference/mcp_inputs.h"

#include <algorithm>
#include <cstdio>

#include "harness/json/read.h"
#include "harness/reference/argument_check.h"
#include "harness/reference/edits.h"
#include "harness/reference/mcp_dialect.h"

namespace harness::reference {
namespace {

using json::Value;

const Faults& faults_of(const Call& call) {
  static const Faults kNone;
  return call.faults == nullptr ? kNone : *call.faults;
}

RpcError lacking(Value capabilities) {
  return RpcError{kMissingCapability, "A required client capability is missing",
                  json::object({{"requiredCapabilities", std::move(capabilities)}})};
}

std::string digest(std::string_view text) {
  // FNV-1a with a salt: enough to notice a changed token; nothing here is worth forging.
  std::uint64_t hash = 14695981039346656037ull ^ 0x72706373706563ull;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(hash));
  return hex;
}

}  // namespace

// The blocks a model may answer with.
namespace {
bool is_block(const Value& block) {
  const Value* type = block.is_object() ? block.find("type") : nullptr;
  if (type == nullptr || !type->is_string()) return false;
  const Value* text = block.find("text");
  if (type->text == "text") return text != nullptr && text->is_string();
  return type->text == "image" || type->text == "audio" || type->text == "tool_use";
}
}  // namespace

std::string capability_for(std::string_view method) {
  if (method == "elicitation/create") return "elicitation";
  if (method == "sampling/createMessage") return "sampling";
  return "roots";
}

bool fits(const Question& question, const Value& answer) {
  if (!answer.is_object()) return false;
  if (question.method == "roots/list") {
    const Value* list = answer.find("roots");
    return list != nullptr && list->is_array();
  }
  if (question.method == "sampling/createMessage") {
    const Value* model = answer.find("model");
    const Value* role = answer.find("role");
    const Value* content = answer.find("content");
    if (model == nullptr || !model->is_string() || content == nullptr || role == nullptr ||
        role->text != "assistant")
      return false;
    return content->is_array() ? std::all_of(content->items.begin(), content->items.end(), is_block)
                               : is_block(*content);
  }
  const Value* action = answer.find("action");
  if (action == nullptr || !action->is_string()) return false;
  if (action->text == "decline" || action->text == "cancel") return true;
  const Value* content = answer.find("content");
  const Value* schema = question.params.find("requestedSchema");
  if (schema == nullptr) return action->text == "accept";  // a page
  return action->text == "accept" && content != nullptr && problems_of(*schema, *content).empty();
}

Question elicitation(std::string key, std::string_view message, std::string_view field,
                     std::string_view type) {
  Value properties = json::object();
  properties.set(field, json::object({{"type", json::string(type)}}));
  return {std::move(key), "elicitation/create",
          json::object({{"message", json::string(message)},
                        {"requestedSchema",
                         json::object({{"type", json::string("object")},
                                       {"properties", properties},
                                       {"required", json::array({json::string(field)})}})}})};
}

Question sampling(std::string key, std::string_view prompt) {
  const Value content =
      json::object({{"type", json::string("text")}, {"text", json::string(prompt)}});
  const Value message = json::object({{"role", json::string("user")}, {"content", content}});
  return {std::move(key), "sampling/createMessage",
          json::object({{"messages", json::array({message})}, {"maxTokens", json::number(100)}})};
}

Question roots(std::string key) { return {std::move(key), "roots/list", json::object()}; }

// What Faults make of the questions.
namespace {
Value with_faults(Value requests, const Faults& faults) {
  for (json::Member& one : requests.members) edit(faults, "input-request", one.value);
  if (!faults.has("input-requests-array")) return requests;
  Value list = json::array();
  for (json::Member& one : requests.members) list.items.push_back(std::move(one.value));
  return list;
}
}  // namespace

std::string sealed(const std::string& text) {
  std::string token;
  for (const char c : text) {
    char hex[3];
    std::snprintf(hex, sizeof hex, "%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    token += hex;
  }
  return token + "." + digest(text);
}

std::optional<std::string> opened(const std::string& token, bool unsealed_too) {
  const std::size_t dot = token.find('.');
  if (dot == std::string::npos || dot % 2 != 0) return std::nullopt;
  std::string text;
  for (std::size_t i = 0; i < dot; i += 2) {
    unsigned byte = 0;
    if (std::sscanf(token.substr(i, 2).c_str(), "%2x", &byte) != 1) return std::nullopt;
    text += static_cast<char>(byte);
  }
  if (sealed(text) != token && !unsealed_too) return std::nullopt;
  return text;
}

std::string state_for(const Call& call, const std::string& text) {
  return sealed(call.user.empty() ? text : call.user + "\n" + text);
}

std::optional<std::string> state_of_user(const Call& call, const std::string& token,
                                         bool unsealed_too) {
  auto text = opened(token, unsealed_too);
  if (!text || call.user.empty()) return text;
  const std::size_t end = text->find('\n');
  const bool own = text->substr(0, end) == call.user;
  if (end == std::string::npos || (!own && !faults_of(call).has("input-state-for-any-user")))
    return std::nullopt;
  return text->substr(end + 1);
}

std::optional<RpcError> check_inputs(const Call& call) {
  if (!call.stateless) return std::nullopt;
  const Value* responses = call.params.find("inputResponses");
  const Faults& faults = faults_of(call);
  if (responses != nullptr && responses->is_object()) {
    if (faults.has("input-retry-refused")) return RpcError{kInvalidRequest, "Asked before"};
    if (responses->find("nobody-asked") != nullptr && faults.has("input-extra-answers-refused"))
      return bad_params("nobody asked");
  }
  if (responses != nullptr && !responses->is_object()) {
    if (faults.has("input-responses-internal-error")) return RpcError{kInternalError, "No object"};
    return bad_params("inputResponses has to be an object");
  }
  const Value* state = call.params.find("requestState");
  if (state != nullptr && !state->is_string()) return bad_params("requestState has to be a string");
  return std::nullopt;
}

std::optional<RpcError> missing_capabilities(const Call& call, std::vector<std::string> needed) {
  Value missing = json::object();
  for (const std::string& name : needed) {
    const Value* declared = call.client_capabilities.find(name);
    if (declared == nullptr || !declared->is_object()) missing.set(name, json::object());
  }
  if (missing.members.empty()) return std::nullopt;
  return lacking(std::move(missing));
}

namespace {
// A client that opens pages need not fill in forms.
std::optional<RpcError> missing_forms(const Call& call, const Question& question) {
  const Value* elicitation = call.client_capabilities.find("elicitation");
  if (question.params.find("requestedSchema") == nullptr || elicitation == nullptr ||
      elicitation->find("url") == nullptr || elicitation->find("form") != nullptr)
    return std::nullopt;
  return lacking(json::parse(R"({"elicitation":{"form":{}}})"));
}
}  // namespace

const Value* answer_to(const Call& call, std::string_view key) {
  const Value* responses = call.params.find("inputResponses");
  if (responses == nullptr) return nullptr;
  const Faults& faults = faults_of(call);
  const bool more = responses->find("nobody-asked") != nullptr;
  if (faults.has("input-retry-asks-again") || (more && faults.has("input-extra-answers-ask-again")))
    return nullptr;
  return responses->find(key);
}

std::optional<Outcome> unanswered(const Call& call, const std::vector<Question>& questions,
                                  const std::string& state) {
  std::vector<std::string> needed;
  for (const Question& one : questions) needed.push_back(capability_for(one.method));
  if (auto error = missing_capabilities(call, needed)) return Outcome(*error);
  for (const Question& one : questions)
    if (auto error = missing_forms(call, one)) return Outcome(*error);
  Value requests = json::object();
  for (const Question& one : questions) {
    const Value* answer = answer_to(call, one.key);
    const Value* action = answer != nullptr ? json::at(*answer, "/action") : nullptr;
    const bool insists = action != nullptr && action->text == "decline" &&
                         faults_of(call).has("input-decline-asks-again");
    if (answer != nullptr && !insists && fits(one, *answer)) continue;
    if (answer != nullptr && faults_of(call).has("input-answers-unchecked")) continue;
    requests.set(one.key,
                 json::object({{"method", json::string(one.method)}, {"params", one.params}}));
  }
  if (requests.members.empty()) return std::nullopt;
  if (faults_of(call).any()) {
    const Faults& faults = faults_of(call);
    const bool retried = call.params.find("inputResponses") != nullptr;
    if (retried && faults.has("input-missing-answers-fail"))
      return Outcome(bad_params("no answer"));
    if (faults.has("input-required-typed-complete")) {
      return Outcome(json::object(
          {{"resultType", json::string("complete")}, {"inputRequests", std::move(requests)}}));
    }
    if (faults.has("input-required-empty"))
      return Outcome(json::object({{"resultType", json::string("input_required")}}));
    requests = with_faults(std::move(requests), faults);
  }
  Value result = json::object(
      {{"resultType", json::string("input_required")}, {"inputRequests", std::move(requests)}});
  if (!state.empty()) result.set("requestState", json::string(state_for(call, state)));
  if (!state.empty() && faults_of(call).has("input-state-number"))
    result.set("requestState", json::number(7));
  return Outcome(std::move(result));
}

std::string said_by_user(const Call& call, std::string_view key, std::string_view field) {
  const Value* answer = answer_to(call, key);
  if (answer == nullptr || !answer->is_object()) return "(nothing)";
  const Value* content = answer->find("content");
  const Value* said = content == nullptr ? nullptr : content->find(field);
  const Value* action = answer->find("action");
  if (action == nullptr) return "(nothing)";
  if (said != nullptr && action->text == "accept") return said->text;
  return "(" + action->text + ")";
}

}  // namespace harness::reference
