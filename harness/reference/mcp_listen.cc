// SPDX-License-Identifier: Apache-2.0
// Who is told of changes: sessions of the handshake revisions, and subscriptions of 2026-07-28,
// which are calls of subscriptions/listen that are never answered.
#include <algorithm>

#include "harness/json/write.h"
#include "harness/reference/inject.h"
#include "harness/reference/mcp_dialect.h"
#include "harness/wire/message.h"

namespace harness::reference {

using json::Value;

namespace {

constexpr const char* kFlags[] = {"toolsListChanged", "promptsListChanged", "resourcesListChanged"};
constexpr int kLeakyListens = 12;
constexpr std::size_t kKeptOfSubscription = 8192;  // bytes of what a subscription leaves behind

}  // namespace

Value Mcp::tagged(Value params, const Call& listen, bool change) {
  if (change && faults().has("listen-changes-untagged")) return params;
  if (!change && faults().has("listen-ack-untagged")) return params;
  Value id = listen.id;
  if (id.is_number() && faults().has("listen-id-as-text")) id = json::string(id.text);
  if (id.is_string() && !id.text.empty() && faults().has("listen-text-id-as-number") &&
      id.text.find_first_not_of("0123456789") == id.text.npos)
    id = json::number_spelled(id.text);
  if (change && faults().has("listen-tags-mixed")) id = live_listeners().front().call->id;
  params.set("_meta", json::object({{std::string(kMeta) + "subscriptionId", id}}));
  return params;
}

bool Mcp::wants(const Value& filter, const std::string& flag) const {
  const Value* value = filter.find(flag);
  if (faults().has("listen-changes-lost")) return false;
  if (faults().has("listen-sends-unrequested")) return true;
  if (value != nullptr && faults().has("listen-false-subscribes")) return true;
  if (flag == "promptsListChanged" && faults().has("listen-tells-prompts-unasked")) return true;
  if (flag == "resourcesListChanged" && faults().has("listen-tells-resources-unasked")) return true;
  return value != nullptr && value->is_boolean() && value->boolean;
}

std::vector<Mcp::Listener> Mcp::live_listeners() {
  std::vector<Listener> live;
  std::erase_if(listeners_, [&](const auto& entry) {
    const CallPtr call = entry.second.lock();
    const bool gone = !call || call->cancelled || call->done;
    if (!gone) {
      const Value* wanted = call->params.find("notifications");
      live.push_back({entry.first, call, wanted == nullptr ? json::object() : *wanted});
    }
    if (gone && faults().has("ended-listen-keeps-memory")) server_.memory.lose(kKeptOfSubscription);
    return gone;
  });
  return live;
}

bool Mcp::keeps_listening(const Value& id) {
  if (!faults().has("listen-cancel-ignored")) return false;
  const std::string key = wire::id_key(id);
  const auto live = live_listeners();
  return std::any_of(live.begin(), live.end(),
                     [&](const Listener& one) { return one.call->key == key; });
}

void Mcp::tell_listeners_too(const std::string& method, const Value& params) {
  if (!faults().has("listen-carries-calls")) return;
  for (const Listener& one : live_listeners())
    one.session->notify(method, tagged(params, *one.call, true), one.call.get());
}

void Mcp::announce_on_call(Session& session, const Call& call, const std::string& method) {
  if (!faults().has("changes-on-call-stream") || !call.stateless) return;
  session.notify(method, json::object({{"uri", json::string("test://watched-resource")}}), &call);
}

void Mcp::announce_list(std::string_view kind) {
  const std::string method = "notifications/" + std::string(kind) + "/list_changed";
  const FaultName once = kind == "tools"     ? FaultName("tools-change-told-once")
                         : kind == "prompts" ? FaultName("prompts-change-told-once")
                                             : FaultName("resources-change-told-once");
  const bool again = told_before(server_, once, method);
  for (Session* session : server_.sessions) {
    if (session->version.empty() || faults().has("list-changes-untold") || again) continue;
    tell(*session, method, json::object());
  }
  const auto live = live_listeners();
  for (const Listener& one : live) {
    if (&one != &live.front() && faults().has("listen-tells-first-only")) break;
    if (&one != &live.back() && faults().has("listen-tells-newest-only")) continue;
    if (told_before(server_, "listen-change-told-once", method + one.call->key)) continue;
    if (wants(one.wanted, std::string(kind) + "ListChanged"))
      one.session->notify(method, tagged(json::object(), *one.call, true), one.call.get());
  }
}

void Mcp::announce_update(const std::string& uri) {
  const std::string method = "notifications/resources/updated";
  const Value params = json::object({{"uri", json::string(uri)}});
  const bool again = told_before(server_, "resource-update-told-once", uri);
  for (Session* session : server_.sessions) {
    if (session->version.empty() || faults().has("resource-updates-untold") || again) continue;
    const bool told =
        session->subscriptions.count(uri) > 0 || faults().has("updates-to-everyone") ||
        (!session->subscriptions.empty() && faults().has("updates-to-any-subscriber"));
    if (told) tell(*session, method, params);
  }
  for (const Listener& one : live_listeners()) {
    const Value* uris = one.wanted.find("resourceSubscriptions");
    if (uris == nullptr || !uris->is_array()) continue;
    const bool any = faults().has("listen-any-resource");
    const bool first = faults().has("listen-first-resource-alone") && !uris->items.empty();
    const auto end = first ? uris->items.begin() + 1 : uris->items.end();
    const bool wanted = std::any_of(uris->items.begin(), end,
                                    [&](const Value& item) { return any || item.text == uri; });
    if (wanted && !faults().has("listen-changes-lost"))
      one.session->notify(method, tagged(params, *one.call, true), one.call.get());
  }
}

Outcome Mcp::listen(Session& session, const CallPtr& call) {
  if (faults().has("listen-unknown")) return RpcError{kMethodNotFound, "Method not found"};
  const bool unchecked = faults().has("listen-filter-unchecked");
  const Value* given = call->params.find("notifications");
  if (!unchecked && (given == nullptr || !given->is_object()))
    return bad_params("notifications has to be a filter");
  const Value filter = given != nullptr && given->is_object() ? *given : json::object();
  Value agreed = json::object();
  for (const char* flag : kFlags) {
    const Value* value = filter.find(flag);
    if (value == nullptr) continue;
    if (!value->is_boolean() && !unchecked)
      return bad_params(std::string(flag) + " has to be a boolean");
    if (value->boolean) agreed.set(flag, *value);
  }
  if (const Value* uris = filter.find("resourceSubscriptions")) {
    const bool strings =
        uris->is_array() && std::all_of(uris->items.begin(), uris->items.end(),
                                        [](const Value& item) { return item.is_string(); });
    if (!strings && !unchecked) return bad_params("resourceSubscriptions has to be a list of URIs");
    if (strings && !uris->items.empty()) agreed.set("resourceSubscriptions", *uris);
    if (strings && faults().has("listen-acknowledges-other-resource"))
      agreed.set("resourceSubscriptions", json::parse(R"(["test://static-text","test://more"])"));
  }
  if (auto error = listen_to_tasks(*call, filter, agreed)) return *error;
  if (faults().has("listen-acknowledges-more"))
    for (const char* flag : kFlags) agreed.set(flag, json::boolean(true));
  if (faults().has("listen-ack-echoes-filter")) agreed = filter;
  if (faults().has("listen-one-at-a-time") && !live_listeners().empty())
    return RpcError{kInternalError, "There is a subscription already"};
  if (++listens_ > kLeakyListens && faults().has("listen-leaks"))
    return RpcError{kInternalError, "Too many subscriptions"};
  live_listeners();  // those that ended are forgotten
  listeners_.emplace_back(&session, call);
  if (faults().has("listen-change-before-ack")) {
    session.notify("notifications/tools/list_changed", tagged(json::object(), *call, true),
                   call.get());
  }
  Value acknowledged = json::object();
  if (!faults().has("listen-ack-without-filter")) acknowledged.set("notifications", agreed);
  if (!faults().has("listen-ack-missing")) {
    session.notify("notifications/subscriptions/acknowledged",
                   tagged(std::move(acknowledged), *call, false), call.get());
  }
  begin_to_tell_of_tasks(session, call);
  if (faults().has("listen-blocks-others")) server_.memory.deaf = true;
  if (faults().has("listen-answered-at-once")) return json::object();
  if (agreed.members.empty() && faults().has("listen-empty-ended-untagged")) return json::object();
  return Later{};
}

}  // namespace harness::reference
