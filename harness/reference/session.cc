// SPDX-License-Identifier: Apache-2.0
// Envelope rules of JSON-RPC 2.0 and the bookkeeping of calls in flight.
#include "harness/reference/session.h"

#include <algorithm>
#include <utility>

#include "harness/json/read.h"
#include "harness/json/write.h"
#include "harness/reference/edits.h"
#include "harness/reference/inject.h"
#include "harness/reference/planted.h"
#include "harness/wire/message.h"

namespace harness::reference {
namespace {

using json::Value;

constexpr std::size_t kMaxDepth = 512;
constexpr Micros kTogether = 20000;

// Of members with the same name the last one counts, so that an echoed value has each name once.
void drop_repeated_names(Value& value) {
  for (Value& item : value.items) drop_repeated_names(item);
  std::vector<json::Member> kept;
  std::unordered_map<std::string, std::size_t> place;
  for (json::Member& member : value.members) {
    drop_repeated_names(member.value);
    auto [found, fresh] = place.emplace(member.name, kept.size());
    if (fresh)
      kept.push_back(std::move(member));
    else
      kept[found->second] = std::move(member);
  }
  value.members = std::move(kept);
}

// The message as a reader sees it for whom the first of two ids counts.
Value with_first_id(Value message) {
  const auto first = std::find_if(message.members.begin(), message.members.end(),
                                  [](const json::Member& member) { return member.name == "id"; });
  if (first == message.members.end()) return message;
  const Value id = first->value;
  drop_repeated_names(message);
  message.set("id", id);
  return message;
}

Value reply_shell(Value id) {
  Value reply = json::object();
  reply.members.reserve(3);
  reply.members.push_back({"jsonrpc", json::string("2.0"), {}});
  reply.members.push_back({"id", std::move(id), {}});
  return reply;
}

Value error_object(const RpcError& error) {
  Value object = json::object();
  object.set("code", json::number(error.code));
  object.set("message", json::string(error.message));
  if (error.data) object.set("data", *error.data);
  return object;
}

std::optional<int> code_of(const Value& reply) {
  const Value* code = json::at(reply, "/error/code");
  if (code == nullptr || !json::as_integer(*code)) return std::nullopt;
  return static_cast<int>(*json::as_integer(*code));
}

}  // namespace

Value notification(std::string_view method, std::optional<Value> params) {
  Value message = json::object();
  message.set("jsonrpc", json::string("2.0"));
  message.set("method", json::string(method));
  if (params) message.set("params", std::move(*params));
  return message;
}

Server::Server(ServerProfile server_profile, Faults named_faults)
    : profile(std::move(server_profile)), faults(named_faults) {
  dialect = profile.plain      ? make_plain_dialect()
            : profile.tutorial ? make_tutorial_dialect(*this)
            : profile.lsp      ? make_lsp_dialect(*this)
            : profile.acp      ? make_acp_dialect(*this)
                               : make_mcp_dialect(*this);
}

Session::Session(Server& owner) : server(owner) { server.sessions.insert(this); }
Session::~Session() { server.sessions.erase(this); }

void Session::receive(std::string_view bytes, int exchange, Micros when) {
  // Messages of one read have one time on stdio; over HTTP they come in connections of their own.
  same_read_ = server.over_http ? when - last_receipt_ < kTogether : when == last_receipt_;
  last_receipt_ = when;
  now = when;
  if (!server.faults.any()) return receive_text(bytes, exchange);
  Planted(*this).take_text(bytes);
  const FaultyInput input = inject_input(*this, bytes);
  if (server.memory.deaf || exit_status) return;
  if (input.drop) return silence(exchange, nullptr);
  if (input.refuse) return refuse(json::null(), kParseError, "Parse error", exchange, nullptr);
  for (const std::string& text : input.texts) receive_text(text, exchange);
}

void Session::receive_text(std::string_view text, int exchange) {
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  const Faults& faults = server.faults;
  std::string read;
  if (faults.any()) text = read = edited(faults, "text", text);
  auto outcome = json::read(text, {.max_depth = kMaxDepth});
  if (const auto* error = std::get_if<json::ReadError>(&outcome)) {
    if (faults.any()) Planted(*this).take_garbage();
    if (faults.any() && FaultInjector(*this).take_garbage(text, exchange)) return;
    return refuse(json::null(), kParseError,
                  "Parse error: " + error->reason + " at byte " + std::to_string(error->offset),
                  exchange, nullptr);
  }
  json::Reading& reading = std::get<json::Reading>(outcome);
  server.memory.lone_surrogate = reading.lone_surrogate;
  if (faults.any()) Planted(*this).take_value(reading.value, text);
  if (reading.lone_surrogate && faults.has("lone-surrogate-silent"))
    return silence(exchange, nullptr);
  if (!reading.duplicate_name.empty()) {
    if (faults.has("duplicate-names-silent")) return silence(exchange, nullptr);
    if (faults.has("duplicate-ids-both-answered"))
      receive_value(with_first_id(reading.value), exchange);
    drop_repeated_names(reading.value);
  }
  receive_value(std::move(reading.value), exchange);
}

void Session::receive_value(Value value, int exchange) {
  if (value.is_array())
    receive_batch(std::move(value), exchange);
  else
    receive_object(std::move(value), exchange, nullptr);
}

void Session::receive_batch(Value value, int exchange) {
  if (server.faults.any() && FaultInjector(*this).take_batch(value, exchange)) return;
  if (!server.dialect->takes_batches(*this)) {
    refuse(json::null(), kInvalidRequest, "Invalid Request: batches are not supported", exchange,
           nullptr);
    return;
  }
  if (value.items.empty()) {
    refuse(json::null(), kInvalidRequest, "Invalid Request: the batch is empty", exchange, nullptr);
    return;
  }
  auto batch = std::make_shared<Batch>();
  batch->open = static_cast<int>(value.items.size());
  batch->exchange = exchange;
  for (Value& item : value.items) receive_object(std::move(item), exchange, batch);
}

void Session::receive_object(Value value, int exchange, const std::shared_ptr<Batch>& batch) {
  if (server.faults.any() && FaultInjector(*this).take_message(value, exchange, batch)) return;
  const auto invalid = [&](Value id, const char* why) {
    refuse(std::move(id), kInvalidRequest, std::string("Invalid Request: ") + why, exchange, batch);
  };
  if (!value.is_object()) return invalid(json::null(), "a message is an object");
  Value* id = value.find("id");
  const bool id_allowed =
      id != nullptr && (server.dialect->allows_id(*id) || server.faults.has("id-invalid-echoed"));
  const Value shown_id = id_allowed ? *id : json::null();
  const Value* jsonrpc = value.find("jsonrpc");
  const bool version_fits = jsonrpc != nullptr && jsonrpc->is_string() && jsonrpc->text == "2.0";
  if (!version_fits) return invalid(shown_id, "jsonrpc has to be \"2.0\"");
  Value* method = value.find("method");
  if (method == nullptr) {
    const bool has_result = value.find("result") != nullptr;
    const bool has_error = value.find("error") != nullptr;
    if ((has_result || has_error) &&
        (server.dialect->ignores_stray_responses() || (id_allowed && has_result != has_error)))
      return receive_response(value, exchange, batch);
    return invalid(shown_id, "there is no method");
  }
  if (!method->is_string()) return invalid(shown_id, "method has to be a string");
  Value* params = value.find("params");
  if (params != nullptr && !params->is_array() && !params->is_object())
    return invalid(shown_id, "params have to be an array or an object");
  if (id != nullptr && !id_allowed) return invalid(json::null(), "the id has a wrong type");
  if (batch && id != nullptr && !server.dialect->allows_in_batch(method->text))
    return invalid(shown_id, "this method cannot be called in a batch");
  if (id == nullptr) {
    if (server.faults.any() && Planted(*this).take_notification())
      return refuse(json::null(), kMethodNotFound, "Method not found", exchange, batch);
    server.dialect->hear(*this, method->text, params != nullptr ? *params : json::object());
    return silence(exchange, batch);
  }
  auto call = std::make_shared<Call>();
  call->faults = &server.faults;
  call->user = user;
  call->key = wire::id_key(*id);
  call->id = std::move(*id);
  call->method = std::move(method->text);
  call->has_params = params != nullptr;
  call->params = params != nullptr ? std::move(*params) : json::object();
  call->exchange = exchange;
  call->batch = batch;
  start(call);
}

void Session::receive_response(const Value& response, int exchange,
                               const std::shared_ptr<Batch>& batch) {
  const Value* id = response.find("id");
  auto waiting = id == nullptr ? waiting_.end() : waiting_.find(wire::id_key(*id));
  if (waiting == waiting_.end() && server.faults.has("stray-response-kills")) exit_status = 1;
  if (waiting != waiting_.end() && server.faults.has("client-answers-taken-in-order"))
    waiting =
        std::ranges::min_element(waiting_, {}, [](const auto& one) { return one.second.number; });
  if (waiting != waiting_.end()) {
    const Waiting asked = std::move(waiting->second);
    waiting_.erase(waiting);
    if (server.faults.any()) Planted(*this).answered(*asked.call, asked.number);
    if (server.faults.has("late-answer-ends-call-again")) asked.call->done = false;
    if (asked.call->asks) asked.call->asks(*this, false);
    if (!asked.call->done && !asked.call->cancelled) asked.answered(*this, asked.call, response);
    if (server.faults.has("client-response-refused"))
      return refuse(*id, kInvalidRequest, "there is no method", exchange, batch);
  }
  silence(exchange, batch);
}

void Session::start(const CallPtr& call) {
  std::optional<Outcome> instead;
  call->began = now;
  if (server.faults.any()) {
    if (!waiting_.empty() && server.faults.has("own-request-blocks"))
      return silence(call->exchange, call->batch);
    if (Planted(*this).loses(*call, in_flight_.size())) return silence(call->exchange, call->batch);
    instead = Planted(*this).instead_of(*call);
    if (!instead) instead = FaultInjector(*this).instead_of(call);
    if (exit_status) return;
  }
  Outcome outcome = instead ? std::move(*instead) : server.dialect->answer(*this, call);
  if (std::holds_alternative<Later>(outcome)) {
    call->deferred = true;
    if (!call->done && !call->cancelled) in_flight_[call->key] = call;
    return;
  }
  finish(call, std::move(outcome));
}

void Session::finish(const CallPtr& call, Outcome outcome) {
  if (call->done || call->cancelled) return;
  call->done = true;
  if (call->deferred) {
    auto found = in_flight_.find(call->key);
    if (found != in_flight_.end() && found->second == call) in_flight_.erase(found);
    std::erase_if(timers_, [&](const auto& timer) { return timer.second.call == call; });
    if (server.faults.any()) Planted(*this).ended(in_flight_.size());
  }
  if (call->taken) return call->taken(*this, std::move(outcome));
  if (server.faults.any()) FaultInjector(*this).react(*call, outcome);
  if (auto* result = std::get_if<Value>(&outcome)) server.dialect->dress(*call, *result);
  if (server.faults.any()) FaultInjector(*this).outcome(*call, outcome);
  if (std::holds_alternative<Silent>(outcome)) return silence(call->exchange, call->batch);
  if (server.faults.any()) FaultInjector(*this).around(*call, true);
  Value reply = reply_shell(call->id);
  bool refused = false;
  if (auto* result = std::get_if<Value>(&outcome)) {
    reply.members.push_back({"result", std::move(*result), {}});
  } else {
    const RpcError& error = std::get<RpcError>(outcome);
    refused = error.refused;
    reply.members.push_back({"error", error_object(error), {}});
  }
  deliver(std::move(reply), call.get(), call->exchange, call->batch, refused);
  if (server.faults.any()) FaultInjector(*this).around(*call, false);
}

void Session::refuse(Value id, int code, const std::string& message, int exchange,
                     const std::shared_ptr<Batch>& batch) {
  Value reply = reply_shell(std::move(id));
  reply.members.push_back({"error", error_object({code, message}), {}});
  deliver(std::move(reply), nullptr, exchange, batch, true);
}

void Session::deliver(Value reply, const Call* call, int exchange,
                      const std::shared_ptr<Batch>& batch, bool refused) {
  if (server.faults.any() && !FaultInjector(*this).reply(call, reply))
    return silence(exchange, batch);
  if (server.faults.any()) Planted(*this).reply(reply, batch != nullptr);
  if (batch) {
    batch->replies.push_back(std::move(reply));
    if (--batch->open == 0) deliver_batch(*batch);
    return;
  }
  Outgoing outgoing{json::write(reply), exchange, true, refused, code_of(reply)};
  if (server.faults.any()) {
    FaultInjector(*this).written(call, outgoing);
    if (Planted(*this).mixes(call) && !outbox_.empty() && outbox_.back().final &&
        !outbox_.back().bytes.empty()) {
      const Value before = json::parse(outbox_.back().bytes);
      if (const Value* id = before.find("id")) {
        Value mixed = json::parse(outgoing.bytes);
        mixed.set("id", *id);
        outgoing.bytes = json::write(mixed);
      }
    }
  }
  push(std::move(outgoing));
}

void Session::deliver_batch(Batch& batch) {
  if (batch.outer) {
    batch.outer->replies.push_back(json::array(std::move(batch.replies)));
    if (--batch.outer->open == 0) deliver_batch(*batch.outer);
    return;
  }
  if (server.faults.any() && FaultInjector(*this).send_batch(batch)) return;
  if (batch.replies.empty()) return push({"", batch.exchange, true});
  Value array = json::array();
  array.items = std::move(batch.replies);
  Outgoing outgoing{json::write(array), batch.exchange, true};
  if (server.faults.any()) FaultInjector(*this).written(nullptr, outgoing);
  push(std::move(outgoing));
}

void Session::silence(int exchange, const std::shared_ptr<Batch>& batch) {
  if (!batch) return push({"", exchange, true});
  if (--batch->open == 0) deliver_batch(*batch);
}

void Session::push(Outgoing outgoing) { outbox_.push_back(std::move(outgoing)); }

std::vector<Outgoing> Session::take_outbox() { return std::exchange(outbox_, {}); }

void Session::after(const CallPtr& call, Micros delay, Step step) {
  timers_.emplace(now + delay, Timer{call, std::move(step)});
}

void Session::advance(Micros when) {
  now = when;
  while (!timers_.empty() && timers_.begin()->first <= when) {
    const Timer due = std::move(timers_.extract(timers_.begin()).mapped());
    if (!due.call->done && !due.call->cancelled) due.step(*this, due.call);
  }
}

std::optional<Micros> Session::next_due() const {
  if (timers_.empty()) return std::nullopt;
  return timers_.begin()->first;
}

bool Session::waits_for_client(const Call& call) const {
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [&](const auto& one) { return one.second.call.get() == &call; });
}

void Session::ask(const CallPtr& call, std::string_view method, Value params, Answered answered) {
  const int serial = next_server_id_++;
  const bool ends_call = server.faults.has("own-request-ends-call");
  const Value id =
      ends_call ? json::number(serial) : json::string("server-" + std::to_string(serial));
  waiting_[wire::id_key(id)] = {call, answered, -1, next_server_id_ - 1};
  const bool mcp = !server.profile.lsp && !server.profile.acp;
  if (mcp) params.set("_meta", json::object({{"progressToken", id}}));
  if (!call->task_id.empty() && !server.faults.has("task-request-untied"))
    add_related_task(params, call->task_id);
  if (call->asks) call->asks(*this, true);
  if (server.faults.has("task-for-client-undeclared"))
    params.set("task", json::object({{"ttl", json::number(60000)}}));
  if (server.faults.any()) FaultInjector(*this).request(*call, method, params);
  Value request = json::object();
  request.set("jsonrpc", json::string("2.0"));
  request.set("id", id);
  request.set("method", json::string(method));
  request.set("params", std::move(params));
  Outgoing outgoing{json::write(request), call->exchange};
  push(std::move(outgoing));
  if (ends_call && wire::id_key(id) == call->key) {
    call->done = true;
    return silence(call->exchange, call->batch);
  }
  // A language server waits, and an agent; their client may ask the user.
  if (!mcp || server.faults.has("own-request-never-times-out")) return;
  after(call, server.request_timeout, [id, answered](Session& session, const CallPtr& late) {
    const Faults& faults = session.server.faults;
    const auto waiting = session.waiting_.find(wire::id_key(id));
    if (waiting == session.waiting_.end()) return;  // the client has answered
    if (!faults.has("late-answer-ends-call-again")) session.waiting_.erase(waiting);
    if (!faults.has("own-timeout-not-cancelled"))
      session.notify("notifications/cancelled",
                     json::object({{"requestId", id}, {"reason", json::string("timeout")}}),
                     late.get());
    answered(session, late, json::null());
  });
}

void Session::notify(std::string_view method, std::optional<Value> params, const Call* call) {
  if (call != nullptr && call->cancelled) return;
  if (call != nullptr && !call->task_id.empty()) {
    if (!params) params = json::object();
    add_related_task(*params, call->task_id);
  }
  if (server.faults.any()) FaultInjector(*this).notification(call, method, params);
  const int exchange = call != nullptr ? call->exchange : 0;
  push({json::write(notification(method, std::move(params))), exchange});
}

void answer_notification(Session& session) {
  auto call = std::make_shared<Call>();
  call->id = json::null();
  call->faults = &session.server.faults;
  session.finish(call, RpcError{kInvalidParams, "Invalid params"});
}

void add_related_task(Value& message, const std::string& task_id) {
  Value meta = json::object();
  if (const Value* given = message.find("_meta")) meta = *given;
  meta.set("io.modelcontextprotocol/related-task",
           json::object({{"taskId", json::string(task_id)}}));
  message.set("_meta", std::move(meta));
}

void Session::leave(const Call& call) {
  Outgoing outgoing{"", call.exchange};
  outgoing.leaves = true;
  push(std::move(outgoing));
}

bool Session::cancel(const Value& request_id) {
  auto found = in_flight_.find(wire::id_key(request_id));
  if (found == in_flight_.end()) return false;
  const CallPtr call = found->second;
  if (server.faults.any()) Planted(*this).cancelled(*call);
  ++server.memory.tally["slots kept"];
  in_flight_.erase(found);
  call->cancelled = true;
  std::erase_if(timers_, [&](const auto& timer) { return timer.second.call == call; });
  silence(call->exchange, call->batch);
  return true;
}

CallPtr Session::under_way(const Value& request_id) const {
  const auto found = in_flight_.find(wire::id_key(request_id));
  return found == in_flight_.end() ? nullptr : found->second;
}

CallPtr Session::any_under_way() const {
  return in_flight_.empty() ? nullptr : in_flight_.begin()->second;
}

void Session::cancel_all() {
  while (!in_flight_.empty()) {
    const Value id = in_flight_.begin()->second->id;
    cancel(id);
  }
}

bool Session::is_in_flight(const Value& id) const { return in_flight_.count(wire::id_key(id)) > 0; }

void Session::weigh_progress(const Value& params) {
  const Value* token = params.find("progressToken");
  const Value* progress = params.find("progress");
  if (token == nullptr || progress == nullptr) return;
  const auto waiting = waiting_.find(wire::id_key(*token));  // the token is the id
  if (waiting == waiting_.end()) return;
  const double reached = json::as_double(*progress);
  double& last = waiting->second.progress;
  if (reached <= last) exit_status = 1;
  last = reached;
}

bool Session::is_under_way(std::string_view method) const {
  return std::any_of(in_flight_.begin(), in_flight_.end(),
                     [&](const auto& one) { return one.second->method == method; });
}

// The reply takes the id of another call in flight, or of the reply written just before it.
void Session::swap_ids(const Call& call, Outgoing& outgoing, bool of_one_method) {
  const auto with_id = [](const std::string& bytes, const Value& id) {
    Value reply = json::parse(bytes);
    reply.set("id", id);
    return json::write(reply);
  };
  if (call.swapped_id) {
    outgoing.bytes = with_id(outgoing.bytes, *call.swapped_id);
    return;
  }
  for (const auto& [key, other] : in_flight_) {
    if (other->swapped_id || other.get() == &call) continue;
    if (of_one_method && other->method != call.method) continue;
    other->swapped_id = call.id;
    outgoing.bytes = with_id(outgoing.bytes, other->id);
    return;
  }
  const bool wanted = !of_one_method || call.method == written_;
  written_ = call.method;
  if (!wanted || !same_read_ || outbox_.empty() || !outbox_.back().final ||
      outbox_.back().bytes.empty())
    return;
  const Value before = *json::parse(outbox_.back().bytes).find("id");
  outbox_.back().bytes = with_id(outbox_.back().bytes, call.id);
  outgoing.bytes = with_id(outgoing.bytes, before);
}

void Session::abandon(int exchange) {
  for (auto it = in_flight_.begin(); it != in_flight_.end();) {
    const CallPtr call = it->second;
    if (call->exchange != exchange) {
      ++it;
      continue;
    }
    it = in_flight_.erase(it);
    call->cancelled = true;
    std::erase_if(timers_, [&](const auto& timer) { return timer.second.call == call; });
  }
}

}  // namespace harness::reference
