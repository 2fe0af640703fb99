// SPDX-License-Identifier: Apache-2.0
// notifications/cancelled: what is in flight under exactly this id ends without a reply; anything
// else is passed over.
#include <algorithm>

#include "harness/reference/mcp_dialect.h"
#include "harness/reference/mcp_tasks.h"
#include "harness/wire/message.h"

namespace harness::reference {

using json::Value;

// Faults': whether that is all that becomes of it.
bool Mcp::cancels_oddly(Session& session, const Value& params, const Value& id) {
  if (id.is_number() && faults().has("cancel-number-ignored")) return true;
  if (id.is_number() && id.text == "0" && faults().has("cancel-zero-ignored")) return true;
  if (id.is_string() && id.text.empty() && faults().has("cancel-empty-id-ignored")) return true;
  if (params.find("_meta") != nullptr && faults().has("cancel-with-meta-ignored")) return true;
  const CallPtr call = session.under_way(id);
  if (call != nullptr && session.waits_for_client(*call)) {
    if (faults().has("cancel-while-asking-kills")) session.exit_status = 1;
    if (faults().has("cancel-while-asking-answered")) return true;
  }
  if (call != nullptr && faults().has("task-cancelled-with-its-result"))
    for (const auto& task : session.tasks)
      if (std::ranges::find(task->waiting, call) != task->waiting.end()) task->status = "cancelled";
  int& times = server_.memory.tally["cancelled " + wire::id_key(id)];
  if (call != nullptr) ++times;
  if (call == nullptr && times > 0 && faults().has("cancel-twice-kills")) session.exit_status = 1;
  const auto live = live_listeners();
  if (call != nullptr && faults().has("cancelled-call-reports-on")) {
    server_.memory.tally["reports on " + call->key] = 1;
    return true;
  }
  const bool listens = std::any_of(live.begin(), live.end(), [&](const Listener& one) {
    return one.session == &session && one.call->key == wire::id_key(id);
  });
  if (listens && faults().has("listen-cancel-ends-others"))
    for (const Listener& one : live) one.session->cancel(one.call->id);
  return false;
}

void Mcp::hear_cancelled(Session& session, const Value& params) {
  const Value* id = params.is_object() ? params.find("requestId") : nullptr;
  const Value* reason = params.is_object() ? params.find("reason") : nullptr;
  if (reason == nullptr && id != nullptr && faults().has("cancel-needs-reason")) return;
  if (reason != nullptr && reason->is_object() && faults().has("cancel-reason-object-kills"))
    session.exit_status = 1;
  if (params.members.empty() && faults().has("cancel-without-params-kills"))
    session.exit_status = 1;
  if (id != nullptr && id->is_array() && faults().has("cancel-id-array-kills"))
    session.exit_status = 1;
  if (id == nullptr || !(id->is_string() || id->is_number())) {
    if (faults().has("malformed-cancel-kills")) session.exit_status = 1;
    return;
  }
  if (faults().has("cancel-ignored") || keeps_listening(*id)) return;
  if (faults().any() && cancels_oddly(session, params, *id)) return;
  if (faults().has("task-ext-cancelled-by-notification"))
    for (const auto& task : extension_tasks_)
      if (task->request == wire::id_key(*id)) task->cancelled = true;
  if (const CallPtr call = session.under_way(*id);
      call && faults().has("cancelled-call-answered-twice")) {
    const CallPtr twin = std::make_shared<Call>(*call);
    return session.finish(twin, RpcError{-32800, "Request cancelled"});
  }
  if (faults().has("cancel-ends-all")) return session.cancel_all();
  if (faults().has("cancel-fails-all")) {
    while (const CallPtr open = session.any_under_way())
      session.finish(open, RpcError{-32800, "Request cancelled"});
    return;
  }
  if (faults().has("cancel-crosses-sessions")) {
    for (Session* other : server_.sessions) other->cancel(*id);
    return;
  }
  if (session.cancel(*id)) return;
  const Value other = id->is_string() ? json::number(0) : json::string(id->text);
  const bool told = faults().has("cancel-any-id-type-told");
  if (told || faults().has("cancel-any-id-type")) {
    Value number = other;
    if (id->is_string()) number.text = id->text;
    if (const CallPtr mistaken = session.under_way(number); told && mistaken)
      return session.finish(mistaken, RpcError{-32800, "Request cancelled"});
    if (!told && session.cancel(number)) return;
  }
  if (id->is_number() && faults().has("cancel-number-for-text") &&
      session.cancel(json::string(id->text)))
    return;
  if (faults().has("unknown-cancel-kills")) session.exit_status = 1;
  if (faults().has("late-cancel-of-call-kills") &&
      server_.memory.tally.contains("called " + wire::id_key(*id)))
    session.exit_status = 1;
  if (faults().has("cancel-remembered")) cancelled_ahead_.insert(wire::id_key(*id));
}

}  // namespace harness::reference
