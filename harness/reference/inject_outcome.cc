// SPDX-License-Identifier: Apache-2.0
// Faults of results and errors that know which method they belong to.
#include <algorithm>
#include <regex>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/reference/edits.h"
#include "harness/reference/inject.h"
#include "harness/reference/mcp_dialect.h"

namespace harness::reference {
namespace {

using json::Value;

void erase_member(Value& object, std::string_view name) {
  std::erase_if(object.members, [&](const json::Member& member) { return member.name == name; });
}

Value text_result(std::string_view text, bool failed) {
  const Value block = json::object({{"type", json::string("text")}, {"text", json::string(text)}});
  Value result = json::object({{"content", json::array({block})}});
  if (failed) result.set("isError", json::boolean(true));
  return result;
}

const Value* member(const Call& call, std::string_view name) {
  return call.params.is_object() ? call.params.find(name) : nullptr;
}

}  // namespace

void FaultInjector::inject_handshake(const Call&, Value& result) {
  FaultMemory& memory = session_.server.memory;
  if (memory.echoed_version)
    result.set("protocolVersion", *std::exchange(memory.echoed_version, std::nullopt));
  edit(faults_, "handshake", result);
  if (Value* capabilities = result.find("capabilities")) inject_undeclared(*capabilities);
}

void FaultInjector::inject_undeclared(Value& capabilities) const {
  if (faults_.has("undeclared-feature-served") || faults_.has("undeclared-feature-other-code"))
    erase_member(capabilities, session_.version == "2024-11-05" ? "logging" : "completions");
}

void FaultInjector::inject_discovery(Value& result) {
  if (session_.server.memory.tally["discovered"] % 2 == 0)
    edit(faults_, "second-discovery", result);
  edit(faults_, "discovery", result);
  if (faults_.has("discover-lists-unusable-version")) {
    Value* versions = result.find("supportedVersions");
    versions->items.insert(versions->items.begin(), json::string("2027-01-01"));
  }
  if (Value* capabilities = result.find("capabilities")) inject_undeclared(*capabilities);
}

void FaultInjector::inject_tool_list(const Call& call, Value& result) {
  Value* tools = result.find("tools");
  if (tools == nullptr || !tools->is_array() || tools->items.empty()) return;
  if (faults_.has("error-loses-tool") && session_.server.memory.tally.contains("lost tool")) {
    tools->items.pop_back();
    if (tools->items.empty()) return;
  }
  if (call.params.find("cut") != nullptr && faults_.has("list-cut-for-other-order"))
    tools->items.resize(1);
  inject_tool_set(call, *tools);
  edit(faults_, "first-tool", tools->items[0]);
  if (Value* icons = tools->items[0].find("icons")) edit(faults_, "icons", *icons);
  if (faults_.has("next-cursor-null") && result.find("nextCursor") == nullptr) {
    result.set("nextCursor", json::null());
    tools = result.find("tools");
  }
  edit(faults_, "tools", *tools);
}

void FaultInjector::inject_tool_result(const Call&, Value& result) {
  Value* failed = result.find("isError");
  if (failed != nullptr && failed->boolean && faults_.has("tool-failure-as-success"))
    *failed = json::boolean(false);
  edit(faults_, "call-result", result);
}

void FaultInjector::inject_batch_call(const Call& call, Value& result) {
  Value* results = result.find("results");
  if (results == nullptr) return;
  auto& items = results->items;
  for (Value& item : items) {
    Value* failed = item.find("isError");
    const Value* text = json::at(item, "/content/0/text");
    const bool unknown = text != nullptr && text->text.find("-32000") != std::string::npos;
    if (failed != nullptr && (faults_.has("batch-call-failure-as-success") ||
                              (unknown && faults_.has("batch-call-unknown-tool-succeeds"))))
      *failed = json::boolean(false);
    edit(faults_, "batch-entry", item);
  }
  if (faults_.has("batch-call-drops-last") && items.size() > 1) items.pop_back();
  if (faults_.has("batch-call-order-reversed")) std::reverse(items.begin(), items.end());
  if (faults_.has("batch-call-order-by-completion")) {
    // Only slow tools finish later than the others.
    const Value* calls = member(call, "calls");
    std::vector<Value> quick;
    std::vector<Value> slow;
    for (std::size_t i = 0; i < items.size() && i < calls->items.size(); ++i) {
      const std::string& name = calls->items[i].find("name")->text;
      const bool late = name == "slow_report" || name == "analyze_data";
      (late ? slow : quick).push_back(items[i]);
    }
    items = quick;
    items.insert(items.end(), slow.begin(), slow.end());
  }
  if (faults_.has("batch-call-results-object")) {
    Value object = json::object();
    for (std::size_t i = 0; i < items.size(); ++i) object.set(std::to_string(i), items[i]);
    *results = std::move(object);
  }
}

namespace {

bool is_named(const std::string& pattern, std::string_view method) {
  if (pattern.ends_with('*')) return method.starts_with(pattern.substr(0, pattern.size() - 1));
  return pattern.starts_with('*') ? method.ends_with(pattern.substr(1)) : method == pattern;
}

bool holds(const std::string& condition, const Value* value) {
  if (condition == "missing") return value == nullptr;
  if (condition == "lacking") return value == nullptr || !value->is_string();
  if (value == nullptr) return false;
  if (condition == "present") return true;
  if (condition == "number") return value->is_number();
  if (condition == "object") return value->is_object();
  if (condition == "other") return !value->is_string();
  constexpr std::size_t kMostRead = 1000;
  return value->is_string() &&
         (condition == "string" ||
          std::regex_search(value->text.substr(0, kMostRead), std::regex(condition)));
}

bool is_about(const Reaction& reaction, const Call& call, const Outcome& outcome) {
  const auto* error = std::get_if<RpcError>(&outcome);
  return std::ranges::any_of(reaction.methods,
                             [&](const std::string& one) { return is_named(one, call.method); }) &&
         (reaction.refused.empty() ||
          (error != nullptr && std::ranges::any_of(reaction.refused, [&](const std::string& one) {
             return error->message.find(one) != std::string::npos;
           }))) &&
         std::ranges::all_of(reaction.when, [&](const auto& one) {
           return holds(one.second, json::at(call.params, one.first));
         });
}

}  // namespace

void FaultInjector::react(const Call& call, Outcome& outcome) {
  for (const FaultRow& fault : faults_.edits()) {
    const bool other_revision =
        !call.version.empty() && (call.version < fault.since || call.version > fault.until);
    if (!fault.reaction || other_revision || !is_about(*fault.reaction, call, outcome)) continue;
    const Value& answer = fault.reaction->answer;
    if (answer.is_number()) {
      RpcError error{0, "Out of order"};
      if (const auto* before = std::get_if<RpcError>(&outcome)) error = *before;
      error.code = static_cast<int>(*json::as_integer(answer));
      outcome = error;
    } else if (const Value* code = answer.find("error")) {
      outcome = RpcError{static_cast<int>(*json::as_integer(*code)), answer.find("message")->text};
    } else if (answer.text == "silent") {
      outcome = Silent{};
    } else if (answer.text == "exit") {
      session_.exit_status = 1;
    } else {
      Value result = *answer.find("result");
      each_value(result, [&](Value& one) {
        if (one.is_string() && one.text.starts_with("$/"))
          if (const Value* given = json::at(call.params, one.text.substr(1))) one = Value(*given);
      });
      if (call.stateless && result.find("contents") != nullptr) {
        result.set("ttlMs", json::number(60000));
        result.set("cacheScope", json::string("private"));
      }
      outcome = std::move(result);
    }
  }
}

void FaultInjector::inject_failure(const Call& call, Outcome& outcome) {
  RpcError& error = std::get<RpcError>(outcome);
  const bool tutorial = session_.server.profile.tutorial;
  const std::string& method = call.method;
  const bool unknown_method = error.code == kMethodNotFound;
  const bool unknown_tool =
      method == "tools/call" &&
      (error.message.rfind("Unknown tool", 0) == 0 || (tutorial && error.code == -32000));
  if (!unknown_tool && method == "tools/call" &&
      (error.message.find("is required") != std::string::npos || error.code == -32005)) {
    const bool missing =
        error.message.find("is required") != std::string::npos ||
        (error.data && json::write(*error.data).find("is required") != std::string::npos);
    if (missing && faults_.has("required-argument-unchecked")) outcome = text_result("", false);
  }
  if (method == "tools/call" && std::holds_alternative<RpcError>(outcome)) {
    const std::string text = error.message + (error.data ? json::write(*error.data) : "");
    if (text.find("has to be one of") != std::string::npos && faults_.has("enum-unchecked"))
      outcome = text_result("Done", false);
    else if (text.find("has to be of type") != std::string::npos &&
             faults_.has("argument-types-coerced"))
      outcome = text_result("Done", false);
  }
  if (!std::holds_alternative<RpcError>(outcome)) return;
  if (Value* errors = error.data ? error.data->find("validation_errors") : nullptr)
    for (Value& one : errors->items) edit(faults_, "validation-error", one);
  if (unknown_method && call.stateless && !session_.server.over_http &&
      faults_.has("error-code-header-on-stdio"))
    error.code = kHeaderMismatch;
}

void FaultInjector::outcome(Call& call, Outcome& outcome) {
  const std::string& method = call.method;
  if (std::holds_alternative<RpcError>(outcome)) inject_failure(call, outcome);
  Value* result = std::get_if<Value>(&outcome);
  if (result == nullptr) return;
  if (method == "initialize") {
    inject_handshake(call, *result);
  } else if (method == "server/discover") {
    inject_discovery(*result);
  } else if (method == "tools/list") {
    inject_tool_list(call, *result);
    if (call.stateless) edit(faults_, "stateless-tools", *result);
  } else if (method == "tools/call") {
    const Value* failed = result->find("isError");
    if (failed != nullptr && failed->boolean && faults_.has("tool-failure-as-protocol-error")) {
      outcome = RpcError{kInternalError, "The tool failed"};
      return;
    }
    inject_tool_result(call, *result);
    inject_input(*result);
    inject_tool_outcome(call, outcome);
  } else if (method == "tools/batch_call") {
    const std::string text = json::write(*result);
    if (text.find("\"isError\":true") != std::string::npos &&
        faults_.has("batch-call-fails-as-a-whole")) {
      outcome = RpcError{kInternalError, "A call failed"};
      return;
    }
    if (text.find("-32000") != std::string::npos && faults_.has("batch-call-unknown-tool-silent")) {
      outcome = Silent{};
      return;
    }
    inject_batch_call(call, *result);
  } else if (method == "ping") {
    edit(faults_, "pong", *result);
  }
  const Value* client = json::at(call.params, "/_meta");
  client = client == nullptr ? nullptr : client->find(meta_name("clientInfo"));
  if (client != nullptr && client->find("name") != nullptr &&
      client->find("name")->text == "admin" && faults_.has("client-name-changes-tools")) {
    if (Value* tools = result->find("tools")) tools->items.pop_back();
    if (Value* capabilities = result->find("capabilities")) erase_member(*capabilities, "prompts");
  }
  if (!result->is_object() || session_.server.profile.plain) return;
  if (call.stateless) {
    if (faults_.has("result-type-missing") ||
        (faults_.has("modern-request-under-session-legacy-shape") && !session_.version.empty()))
      erase_member(*result, "resultType");
    if (method.ends_with("/list")) edit(faults_, "stateless-list", *result);
    edit(faults_, "stateless-result", *result);
  }
  const Value* meta = result->find("_meta");
  Value keys = meta == nullptr ? json::object() : *meta;
  if (edit(faults_, "meta", keys)) result->set("_meta", std::move(keys));
  edit(faults_, "object-result", *result);
}

namespace {

constexpr const char* kListChanged =
    R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})";

void notify_around(const Faults& faults, Session& session, const Call& call) {
  if (faults.has("cancels-request-of-client") && call.method == "tools/call")
    session.notify("notifications/cancelled", json::object({{"requestId", call.id}}), &call);
  if (faults.has("cancels-request-of-nobody") && call.method == "tools/list") {
    session.notify("notifications/cancelled", json::object({{"requestId", json::string("nobody")}}),
                   &call);
  }
  if (faults.has("log-of-subscription-upper-case") && call.method == "resources/subscribe") {
    session.notify(
        "notifications/message",
        json::object({{"level", json::string("INFO")}, {"data", json::string("subscribed")}}),
        nullptr);
  }
  if (faults.has("log-of-reads-at-any-level") && call.method == "resources/read") {
    session.notify("notifications/message",
                   json::object({{"level", json::string("debug")}, {"data", json::string("read")}}),
                   &call);
  }
}

}  // namespace

void FaultInjector::around(const Call& call, bool before) {
  const auto send = [&](std::string text) { session_.push({std::move(text), call.exchange}); };
  // A request of the server, sound but for its being sent at all: its id is new each time.
  const auto ask = [&](std::string_view method, std::string_view params) {
    const int number = ++session_.server.memory.tally["asked"];
    send(R"({"jsonrpc":"2.0","id":"asked-)" + std::to_string(number) + R"(","method":")" +
         std::string(method) + R"(","params":)" + std::string(params) + "}");
  };
  const auto& capabilities = session_.client_capabilities;
  const auto declares = [&](const char* name) {
    return capabilities.is_object() && capabilities.find(name) != nullptr;
  };
  const bool open = session_.server.profile.plain || call.stateless ||
                    (!session_.version.empty() && call.method != "initialize");
  if (!before) {
    if (call.method == "initialize" && (faults_.has("server-request-before-initialized") ||
                                        faults_.has("server-request-too-early")))
      ask("roots/list", "{}");
    const auto is_add = [&] {
      const Value* name = json::at(call.params, "/name");
      return call.method == "tools/call" && name && name->text == "add";
    };
    if (call.progress_token && (faults_.has("progress-after-reply") ||
                                (faults_.has("progress-after-add") && is_add()))) {
      session_.notify(
          "notifications/progress",
          json::object({{"progressToken", *call.progress_token}, {"progress", json::number(1000)}}),
          &call);
    }
    return;
  }
  if (!open) return;
  Value sent = json::array();
  edit(faults_, "sent-before-reply", sent);
  for (const Value& message : sent.items) send(json::write(message));
  const std::string& version = session_.version;
  if (faults_.has("server-request-unknown-method")) ask("tools/list", "{}");
  if (faults_.has("server-request-later-revision") && !version.empty() && version < "2025-06-18") {
    ask("elicitation/create",
        R"({"message":"x","requestedSchema":{"type":"object","properties":{}}})");
  }
  if (faults_.has("server-request-undeclared") && !version.empty() && !declares("roots"))
    ask("roots/list", "{}");
  if (faults_.has("server-elicits-url-undeclared") && declares("elicitation") &&
      capabilities.find("elicitation")->find("url") == nullptr) {
    ask("elicitation/create",
        R"({"mode":"url","message":"x","url":"https://example.com/","elicitationId":"e"})");
  }
  if (faults_.has("notification-of-other-revision") && !version.empty() && version < "2025-11-25") {
    send(R"({"jsonrpc":"2.0","method":"notifications/elicitation/complete",)"
         R"("params":{"elicitationId":"x"}})");
  }
  if (!version.empty()) {
    Value asked = json::array();
    edit(faults_, "asked-before-reply", asked);
    for (const Value& one : asked.items)
      ask(one.find("method")->text, json::write(*one.find("params")));
    if (faults_.has("cancel-reason-number")) {
      ask("ping", "{}");
      const int number = session_.server.memory.tally["asked"];
      send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"asked-)" +
           std::to_string(number) + R"(","reason":5}})");
    }
    notify_around(faults_, session_, call);
  }
  if (call.stateless) {
    if (faults_.has("server-request-stateless")) ask("ping", "{}");
    if (faults_.has("log-without-log-level") || faults_.has("log-without-level")) {
      send(R"({"jsonrpc":"2.0","method":"notifications/message",)"
           R"("params":{"level":"error","data":"x"}})");
    }
    if (faults_.has("stateless-server-request") && call.method == "tools/call") ask("ping", "{}");
    if (faults_.has("list-changed-without-listen")) send(kListChanged);
    if (faults_.has("cancels-ordinary-request") && call.method == "tools/call")
      session_.notify("notifications/cancelled", json::object({{"requestId", call.id}}), &call);
  }
  if (!call.progress_token && faults_.has("progress-without-token") &&
      call.method == "tools/call") {
    send(R"({"jsonrpc":"2.0","method":"notifications/progress",)"
         R"("params":{"progressToken":"mine","progress":1}})");
  }
  if (call.progress_token && faults_.has("progress-falls")) {
    for (const int progress : {2, 1}) {
      session_.notify("notifications/progress",
                      json::object({{"progressToken", *call.progress_token},
                                    {"progress", json::number(progress)}}),
                      &call);
    }
  }
}

}  // namespace harness::reference
