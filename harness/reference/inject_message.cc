// SPDX-License-Identifier: Apache-2.0
// Faults between reading a message and looking up its method, and those of batches.
#include <algorithm>

#include "harness/base/ascii.h"
#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/reference/edits.h"
#include "harness/reference/inject.h"
#include "harness/reference/text_facts.h"
#include "harness/wire/message.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr std::string_view kMethods[] = {
    // MCP and the tutorial dialect
    "initialize", "ping", "server/discover", "subscriptions/listen", "logging/setLevel",
    "tools/list", "tools/call", "tools/batch_call", "resources/list", "resources/templates/list",
    "resources/read", "resources/subscribe", "resources/unsubscribe", "prompts/list", "prompts/get",
    "completion/complete", "tasks/get", "tasks/result", "tasks/cancel", "tasks/list",
    // plain
    "subtract", "sum", "get_data", "echo", "sleep", "fail"};
constexpr std::string_view kNotifications[] = {
    // MCP and the tutorial dialect
    "notifications/initialized", "notifications/cancelled", "notifications/progress",
    "notifications/roots/list_changed", "notifications/logging/setLevel",
    // plain
    "update", "notify_hello", "notify_sum"};

void lower_names(Value& object) {
  for (json::Member& member : object.members) member.name = ascii::lower(member.name);
}

void erase(Value& object, std::string_view name) {
  std::erase_if(object.members, [&](const json::Member& member) { return member.name == name; });
}

bool is_zero(const Value* id) {
  return id != nullptr && id->is_number() && json::equal_numbers(id->text, "0");
}

Value id_of(const Value& message) {
  const Value* id = message.is_object() ? message.find("id") : nullptr;
  return id == nullptr ? json::null() : *id;
}

bool is_two(const Value* version) {
  return version != nullptr && version->is_string() && version->text == "2.0";
}

// An object whose envelope has what a request or notification needs.
bool is_well_formed(const Value& message) {
  const Value* method = message.is_object() ? message.find("method") : nullptr;
  const Value* params = message.is_object() ? message.find("params") : nullptr;
  return method != nullptr && method->is_string() && is_two(message.find("jsonrpc")) &&
         (params == nullptr || params->is_array() || params->is_object());
}

bool has_wrong_types(const Value& message) {
  const Value* id = message.find("id");
  const Value* version = message.find("jsonrpc");
  const Value* method = message.find("method");
  const Value* params = message.find("params");
  return (id != nullptr && !id->is_string() && !id->is_number() && !id->is_null()) ||
         (version != nullptr && !version->is_string()) ||
         (method != nullptr && !method->is_string()) ||
         (params != nullptr && !params->is_array() && !params->is_object());
}

}  // namespace

bool is_known_method(std::string_view name) {
  return std::find(std::begin(kMethods), std::end(kMethods), name) != std::end(kMethods);
}
bool is_known_notification(std::string_view name) {
  return std::find(std::begin(kNotifications), std::end(kNotifications), name) !=
         std::end(kNotifications);
}

bool FaultInjector::ignore(int exchange, const BatchPtr& batch) {
  session_.silence(exchange, batch);
  return true;
}

bool FaultInjector::answer(Value id, Value result, int exchange, const BatchPtr& batch) {
  Value reply = json::object({{"jsonrpc", json::string("2.0")}});
  reply.set("id", std::move(id));
  reply.set("result", std::move(result));
  session_.deliver(std::move(reply), nullptr, exchange, batch, false);
  return true;
}

bool FaultInjector::refuse(Value id, int code, int exchange, const BatchPtr& batch) {
  session_.refuse(std::move(id), code, "Refused", exchange, batch);
  return true;
}

bool FaultInjector::take_garbage(std::string_view text, int exchange) {
  if (faults_.has("exits-on-parse-error")) session_.exit_status = 1;
  if (faults_.has("exits-after-ten-bad-lines") && ++session_.server.memory.tally["garbage"] == 10)
    session_.exit_status = 1;
  if (faults_.has("deaf-after-garbage")) session_.server.memory.deaf = true;
  if (session_.exit_status || session_.server.memory.deaf) return true;
  session_.server.memory.garbage = text;
  if (faults_.has("parse-error-silent")) return ignore(exchange, nullptr);
  if (faults_.has("empty-body-silent") && text.empty()) return ignore(exchange, nullptr);
  if (faults_.has("broken-batch-half-served") && !text.empty() && text[0] == '[') {
    // The longest beginning that is an element decides where the batch was cut.
    for (std::size_t end = text.find('}'); end != std::string_view::npos;
         end = text.find('}', end + 1)) {
      auto first = json::read(text.substr(1, end));
      if (auto* reading = std::get_if<json::Reading>(&first)) {
        session_.receive_batch(json::array({std::move(reading->value)}), exchange);
        return true;
      }
    }
  }
  return false;
}

// Makes lawful what the Fault takes for lawful; true when something is to be ignored.
bool FaultInjector::repair_envelope(Value& value) {
  if (faults_.has("member-names-case-ignored")) lower_names(value);
  const Value* version = value.find("jsonrpc");
  const bool prefix = version != nullptr && version->is_string() && !version->text.empty() &&
                      version->text[0] == '2';
  const bool number =
      version != nullptr && version->is_number() && json::equal_numbers(version->text, "2");
  if (!is_two(version) && (faults_.has("jsonrpc-member-unchecked") ||
                           (prefix && faults_.has("version-compared-by-prefix")) ||
                           (number && faults_.has("version-number-accepted"))))
    value.set("jsonrpc", json::string("2.0"));
  Value* params = value.find("params");
  const bool structured = params == nullptr || params->is_array() || params->is_object();
  const bool positional = params != nullptr && params->is_array() && !session_.server.profile.plain;
  if ((!structured || positional) && faults_.has("params-type-unchecked")) {
    erase(value, "params");
    params = nullptr;
  }
  Value* method = value.find("method");
  if (method != nullptr && method->is_string()) {
    edit(faults_, "method", *method);
    if (faults_.has("method-trimmed")) method->text = std::string(trimmed(method->text));
    if (faults_.has("method-case-ignored") && !is_known_method(method->text)) {
      for (const std::string_view name : kMethods)
        if (ascii::lower(name) == ascii::lower(method->text)) method->text = name;
    }
    if (params != nullptr && faults_.has("param-names-case-ignored")) {
      if (session_.server.profile.plain || method->text == "tools/call") lower_names(*params);
    }
    if (params != nullptr && params->is_object() && method->text == "subtract" &&
        faults_.has("named-params-taken-in-order")) {
      Value list = json::array();
      for (json::Member& member : params->members) list.items.push_back(member.value);
      *params = std::move(list);
    }
    if (params != nullptr && faults_.has("param-keys-reach-into-server")) {
      if (const Value* proto = params->find("__proto__"); proto != nullptr && proto->is_object())
        session_.server.memory.prototype = *proto;
    }
  }
  const Value* id = value.find("id");
  if (id == nullptr) return false;
  if ((faults_.has("id-zero-dropped") && is_zero(id)) ||
      (faults_.has("id-empty-string-dropped") && id->is_string() && id->text.empty()) ||
      (faults_.has("id-null-dropped") && id->is_null() && session_.server.profile.plain))
    erase(value, "id");
  else if (faults_.has("minus-zero-refused-silently") && is_zero(id) && id->text[0] == '-')
    return true;
  return false;
}

bool FaultInjector::take_message(Value& value, int exchange, const BatchPtr& batch) {
  if (!value.is_object()) {
    if (faults_.has("exits-on-invalid-request") && value.is_null()) session_.exit_status = 1;
    if (batch && value.is_array() && faults_.has("nested-batch-served")) {
      auto inner = std::make_shared<Batch>();
      inner->open = static_cast<int>(value.items.size());
      inner->exchange = exchange;
      inner->outer = batch;
      for (Value& item : value.items) session_.receive_object(std::move(item), exchange, inner);
      return true;
    }
    if (!batch && faults_.has("primitive-message-code-32700"))
      return refuse(json::null(), kParseError, exchange, batch);
    return false;
  }
  if (faults_.has("exits-on-invalid-request") && has_wrong_types(value)) session_.exit_status = 1;
  if (repair_envelope(value)) return ignore(exchange, batch);
  if (value.find("id") != nullptr) return odd_request(value, exchange, batch);
  return odd_notification(value, exchange, batch);
}

bool FaultInjector::odd_request(Value& value, int exchange, const BatchPtr& batch) {
  const Value id = id_of(value);
  const Value* method = value.find("method");
  const Value* params = value.find("params");
  const bool has_outcome = value.find("result") != nullptr || value.find("error") != nullptr;
  if (method == nullptr) {
    if (has_outcome && faults_.has("stray-response-answered"))
      return answer(id, json::object(), exchange, batch);
    if (!has_outcome && is_two(value.find("jsonrpc")) && faults_.has("missing-method-served"))
      return answer(id, json::object(), exchange, batch);
    return false;
  }
  if (!method->is_string()) {
    if (!faults_.has("method-type-unchecked")) return false;
    return answer(id, json::object(), exchange, batch);
  }
  const std::string& name = method->text;
  if (has_outcome && faults_.has("hybrid-answered-twice")) {
    refuse(id, kInvalidRequest, exchange, batch);
    return answer(id, json::object(), exchange, nullptr);
  }
  if ((name.empty() && faults_.has("empty-method-served")) ||
      (name.rfind("rpc.", 0) == 0 && faults_.has("rpc-prefix-served")) ||
      ((name == "__proto__" || name == "constructor" || name == "toString" ||
        name == "__class__") &&
       faults_.has("method-looked-up-as-attribute")))
    return answer(id, json::object(), exchange, batch);
  const bool extra =
      std::any_of(value.members.begin(), value.members.end(), [](const json::Member& member) {
        return member.name != "jsonrpc" && member.name != "id" && member.name != "method" &&
               member.name != "params";
      });
  if ((name.size() > 1024 && faults_.has("long-method-name-silent")) ||
      (params != nullptr && params->is_null() && faults_.has("params-null-dropped")) ||
      (params != nullptr && !params->is_null() && !params->is_array() && !params->is_object() &&
       faults_.has("params-primitive-dropped")) ||
      (params != nullptr && params->is_array() && session_.server.profile.plain &&
       is_known_method(name) && faults_.has("positional-params-reversed-silent")) ||
      (extra && faults_.has("extra-members-dropped")))
    return ignore(exchange, batch);
  if (value.members.front().name != "jsonrpc" && faults_.has("member-order-matters"))
    return refuse(id, kInvalidRequest, exchange, batch);
  const Value* inner = params != nullptr && params < value.find("id") ? params->find("id") : nullptr;
  if (inner != nullptr && faults_.has("inner-id-taken"))
    return answer(*inner, json::object(), exchange, batch);
  if (params == nullptr && faults_.has("params-required"))
    return refuse(id, kInvalidParams, exchange, batch);
  if (!is_well_formed(value)) return false;
  FaultMemory& memory = session_.server.memory;
  const bool same_read = session_.in_same_read();
  if (faults_.has("one-message-per-read") && same_read && !batch) return ignore(exchange, batch);
  if (faults_.has("duplicate-id-merged") && same_read && !batch &&
      memory.ids_of_read.count(wire::id_key(id)) > 0)
    return ignore(exchange, batch);
  if (!same_read) memory.ids_of_read.clear();
  memory.ids_of_read.insert(wire::id_key(id));
  if (faults_.has("every-seventh-request-dropped") && ++memory.tally["seventh"] % 7 == 0)
    return ignore(exchange, batch);
  return false;
}

// The error code a careless server would answer a notification with; nothing when it is fine.
std::optional<int> FaultInjector::complaint_about(const Value& message) {
  const std::string& name = message.find("method")->text;
  const Value* params = message.find("params");
  if (params != nullptr && !params->is_object() && !params->is_array()) return kInvalidParams;
  if (session_.server.profile.plain) {
    if (name == "sleep") return std::nullopt;
    auto call = std::make_shared<Call>();
    call->method = name;
    call->params = params == nullptr ? json::object() : *params;
    const Outcome outcome = session_.server.dialect->answer(session_, call);
    const auto* error = std::get_if<RpcError>(&outcome);
    if (error == nullptr || error->code == kMethodNotFound) return std::nullopt;
    return error->code == kInvalidParams ? kInvalidParams : kInternalError;
  }
  if (params != nullptr && params->is_array()) return kInvalidParams;
  const auto member = [&](std::string_view wanted) {
    return params == nullptr ? nullptr : params->find(wanted);
  };
  if (name == "notifications/cancelled") {
    const Value* id = member("requestId");
    if (id == nullptr || (!id->is_string() && !id->is_number())) return kInvalidParams;
    if (!session_.is_in_flight(*id)) return kInternalError;
  }
  if (name == "notifications/progress" && member("progressToken") == nullptr) return kInvalidParams;
  if (name == "notifications/logging/setLevel" && member("level") == nullptr) return kInvalidParams;
  if (name == "tools/call") {
    const Value* tool = member("name");
    if (tool == nullptr || !tool->is_string()) return kInvalidParams;
  }
  return std::nullopt;
}

bool FaultInjector::odd_notification(Value& value, int exchange, const BatchPtr& batch) {
  const Value* method = value.find("method");
  const bool named = method != nullptr && method->is_string() && is_two(value.find("jsonrpc"));
  const bool is_response = value.find("result") != nullptr || value.find("error") != nullptr;
  if (!is_well_formed(value) && !is_response && faults_.has("malformed-notification-answered-ok"))
    return answer(json::null(), json::boolean(true), exchange, batch);
  if (!named) return false;
  if (!is_known_notification(method->text) && !is_known_method(method->text) &&
      faults_.has("unknown-notification-kills"))
    session_.exit_status = 1;
  const auto hear = [&] {
    const Value* params = value.find("params");
    if (params == nullptr || params->is_array() || params->is_object())
      session_.server.dialect->hear(session_, method->text,
                                    params == nullptr ? json::object() : *params);
  };
  if (method->text == "notifications/initialized" && faults_.has("initialized-answered")) {
    hear();
    return refuse(json::null(), kMethodNotFound, exchange, batch);
  }
  if (faults_.has("notification-answered") ||
      (batch && faults_.has("batch-notification-answered"))) {
    hear();
    return answer(json::null(), json::object(), exchange, batch);
  }
  if (faults_.has("unknown-notification-answered") && !is_known_notification(method->text) &&
      !is_known_method(method->text))
    return refuse(json::null(), kMethodNotFound, exchange, batch);
  const auto complaint = complaint_about(value);
  if ((complaint == kInvalidParams && faults_.has("notification-bad-params-answered")) ||
      (complaint == kInternalError && faults_.has("notification-failure-answered"))) {
    hear();
    return refuse(json::null(), *complaint, exchange, batch);
  }
  return false;
}

bool FaultInjector::take_batch(Value& value, int exchange) {
  const auto refuse_all = [&] { return refuse(json::null(), kInvalidRequest, exchange, nullptr); };
  const auto send = [&](std::string text) {
    session_.push({std::move(text), exchange, true});
    return true;
  };
  const bool responses = !value.items.empty() &&
                         std::all_of(value.items.begin(), value.items.end(), [](const Value& item) {
                           return item.is_object() && item.find("method") == nullptr &&
                                  (item.find("result") != nullptr || item.find("error") != nullptr);
                         });
  if (faults_.has("batch-kills") || (responses && faults_.has("batch-of-responses-kills")))
    session_.exit_status = 1;
  if (responses && faults_.has("batch-of-responses-answered")) {
    auto batch = std::make_shared<Batch>();
    batch->open = static_cast<int>(value.items.size());
    batch->exchange = exchange;
    for (const Value& item : value.items) refuse(id_of(item), kInvalidRequest, exchange, batch);
    return true;
  }
  if (faults_.has("batch-silent")) return ignore(exchange, nullptr);
  if (faults_.has("batch-refused")) return refuse_all();
  if (value.items.empty()) {
    if (faults_.has("empty-batch-answered-with-array") || faults_.has("batch-empty-reply"))
      return send("[]");
    if (faults_.has("empty-batch-served"))
      return answer(json::null(), json::object(), exchange, nullptr);
    if (faults_.has("empty-batch-silent")) return ignore(exchange, nullptr);
    return false;
  }
  const auto is_invalid = [&](const Value& item) {
    const Value* id = item.is_object() ? item.find("id") : nullptr;
    const bool response = item.is_object() && item.find("method") == nullptr &&
                          (item.find("result") != nullptr || item.find("error") != nullptr);
    return !response &&
           (!is_well_formed(item) || (id != nullptr && !session_.server.dialect->allows_id(*id)));
  };
  const auto invalid = std::count_if(value.items.begin(), value.items.end(), is_invalid);
  if (faults_.has("batch-invalid-element-unwrapped") && value.items.size() == 1 && invalid == 1)
    return refuse_all();
  if (faults_.has("batch-one-failure-refuses-all") && invalid > 0) return refuse_all();
  if (faults_.has("nested-batch-silent") &&
      std::any_of(value.items.begin(), value.items.end(),
                  [](const Value& item) { return item.is_array(); }))
    return ignore(exchange, nullptr);
  if (faults_.has("batch-invalid-elements-dropped")) {
    std::erase_if(value.items, is_invalid);
    if (value.items.empty()) return ignore(exchange, nullptr);
  }
  if (faults_.has("batch-invalid-elements-merged") && invalid > 1) {
    bool seen = false;
    std::erase_if(value.items,
                  [&](const Value& item) { return is_invalid(item) && std::exchange(seen, true); });
  }
  if (faults_.has("batch-duplicate-ids-merged")) {
    std::set<std::string> seen;
    std::erase_if(value.items, [&](const Value& item) {
      const Value* id = item.is_object() ? item.find("id") : nullptr;
      return id != nullptr && !seen.insert(wire::id_key(*id)).second;
    });
  }
  if (faults_.has("batch-limit-internal-error") && value.items.size() > 100)
    return refuse(json::null(), kInternalError, exchange, nullptr);
  if (faults_.has("batch-cut-at-500") && value.items.size() > 500) value.items.resize(500);
  return false;
}

bool FaultInjector::send_batch(Batch& batch) {
  const auto send = [&](const Value& value, bool final) {
    session_.push({json::write(value), batch.exchange, final});
  };
  if (batch.replies.empty()) {
    if (!faults_.has("batch-empty-reply")) return false;
    send(json::array(), true);
    return true;
  }
  if (faults_.has("batch-last-response-missing")) batch.replies.pop_back();
  if (batch.replies.empty()) {
    session_.push({"", batch.exchange, true});
    return true;
  }
  if (faults_.has("batch-of-one-unwrapped") && batch.replies.size() == 1) {
    send(batch.replies[0], true);
    return true;
  }
  if (faults_.has("batch-reply-repeated-alone")) send(json::array(batch.replies), false);
  if (faults_.has("batch-answered-one-by-one") || faults_.has("batch-reply-repeated-alone")) {
    for (std::size_t i = 0; i < batch.replies.size(); ++i)
      send(batch.replies[i], i + 1 == batch.replies.size());
    return true;
  }
  return false;
}

}  // namespace harness::reference
