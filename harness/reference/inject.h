// SPDX-License-Identifier: Apache-2.0
// Faults of the envelope, in the order a message meets them: its text, the message itself, the
// batch, the reply, the reply's written form. None of this runs in a server without Faults.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/json/value.h"
#include "harness/reference/session.h"

namespace harness::reference {

// What to do with the text of a message.
struct FaultyInput {
  std::vector<std::string> texts;  // what is read instead, usually the text itself
  bool drop = false;               // say nothing
  bool refuse = false;             // answer -32700
  bool lone_surrogate = false;
};
FaultyInput inject_input(Session& session, std::string_view bytes);

class FaultInjector {
 public:
  explicit FaultInjector(Session& session) : session_(session), faults_(session.server.faults) {}

  // A message before its rules are checked; true if the Fault has handled it.
  bool take_message(json::Value& value, int exchange, const std::shared_ptr<Batch>& batch);
  // A batch as a whole; true if the Fault has handled it.
  bool take_batch(json::Value& value, int exchange);
  // A batch's replies instead of the correct array; true if they were sent.
  bool send_batch(Batch& batch);
  // Replaces a call; nothing lets the dialect answer.
  std::optional<Outcome> instead_of(const CallPtr& call);
  // What rows answer in place of the outcome.
  void react(const Call& call, Outcome& outcome);
  // The outcome of a call before it becomes a reply.
  void outcome(Call& call, Outcome& outcome);
  // Messages that come before and after the reply to a call.
  void around(const Call& call, bool before);
  // A reply before it is written; false drops it. `call` is null if no method was looked up.
  bool reply(const Call* call, json::Value& reply);
  // Params of a notification or request before it is written; `call`: the call it belongs to.
  void notification(const Call* call, std::string_view method, std::optional<json::Value>& params);
  void request(const Call& call, std::string_view method, json::Value& params);
  // What an error leaves behind.
  void wear(const Call* call, json::Value& reply);
  // The written reply, just before it is sent.
  void written(const Call* call, Outgoing& outgoing);
  // A text that is not JSON; true if the Fault has handled it.
  bool take_garbage(std::string_view text, int exchange);

 private:
  using BatchPtr = std::shared_ptr<Batch>;
  void toil(const Call& call) const;
  bool repair_envelope(json::Value& value);
  bool odd_request(json::Value& value, int exchange, const BatchPtr& batch);
  bool odd_notification(json::Value& value, int exchange, const BatchPtr& batch);
  bool answer(json::Value id, json::Value result, int exchange, const BatchPtr& batch);
  bool refuse(json::Value id, int code, int exchange, const BatchPtr& batch);
  bool ignore(int exchange, const BatchPtr& batch);
  std::optional<int> complaint_about(const json::Value& message);
  std::optional<Outcome> odd_meta(Call& call);
  std::optional<Outcome> odd_input(Call& call);
  std::optional<Outcome> odd_stateless(Call& call);
  std::optional<Outcome> odd_lifecycle(Call& call, bool stateless);
  std::optional<Outcome> odd_initialize(Call& call, bool stateless);
  std::optional<Outcome> odd_tools(Call& call);
  std::optional<Outcome> odd_narrow(Call& call);
  std::optional<Outcome> odd_subscription(const Call& call);
  void misspell(std::string& bytes) const;
  void inject_handshake(const Call& call, json::Value& result);
  void inject_discovery(json::Value& result);
  void inject_undeclared(json::Value& capabilities) const;
  void inject_tool_result(const Call& call, json::Value& result);
  void inject_input(json::Value& result);
  void inject_tool_list(const Call& call, json::Value& result);
  void inject_tool_set(const Call& call, json::Value& tools);
  void inject_tool_outcome(const Call& call, Outcome& outcome);
  void inject_batch_call(const Call& call, json::Value& result);
  void inject_failure(const Call& call, Outcome& outcome);
  void inject_shape(const Call* call, json::Value& reply);
  void inject_rows(const Call* call, Sent sent, std::string_view of, json::Value& body) const;
  void inject_id(const Call* call, json::Value& reply);
  void inject_error(const Call* call, json::Value& reply, bool& dropped);

  Session& session_;
  const Faults& faults_;
};

// Text and values that pass through the echo methods.
std::string inject_echo(const Faults& faults, std::string text);
json::Value inject_echo(const Faults& faults, json::Value value);

// With this Fault: whether such a change was notified before.
bool told_before(Server& server, FaultName fault, const std::string& what);

// Methods and notifications of every profile.
bool is_known_method(std::string_view name);
bool is_known_notification(std::string_view name);

// Calls `visit` for every value inside, the value itself included.
template <class Visit>
void each_value(json::Value& value, const Visit& visit) {
  visit(value);
  for (json::Value& item : value.items) each_value(item, visit);
  for (json::Member& member : value.members) each_value(member.value, visit);
}

}  // namespace harness::reference
