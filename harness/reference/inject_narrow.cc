// SPDX-License-Identifier: Apache-2.0
// Faults that show for one method, one name or one value alone: what a server does well everywhere
// but there.
#include <algorithm>

#include "harness/json/read.h"
#include "harness/reference/edits.h"
#include "harness/reference/inject.h"
#include "harness/reference/mcp_dialect.h"
#include "harness/reference/mcp_fixtures.h"
#include "harness/reference/mcp_tools.h"

namespace harness::reference {
namespace {

using json::Value;

Outcome narrow_refusal(int code) { return RpcError{code, "The request is refused"}; }
// Whether an edit leaves something of an object out.
bool is_cut(const Faults& faults, const std::string& part, Value object) {
  const std::size_t before = object.members.size();
  edit(faults, part, object);
  return object.members.size() != before;
}

// Members and keys that nobody knows, refused by one method alone.
bool refuses_the_unknown(const Faults& faults, const Call& call) {
  if (is_cut(faults, "members of " + call.method, call.params)) return true;
  const Value* meta = call.params.find("_meta");
  if (meta == nullptr || !meta->is_object()) return false;
  Value others = *meta;
  std::erase_if(others.members, [](const json::Member& key) {
    return key.name.starts_with(kMeta) || key.name == "progressToken";
  });
  return is_cut(faults, "keys of " + call.method, std::move(others));
}

}  // namespace

std::optional<Outcome> FaultInjector::odd_subscription(const Call& call) {
  const Value* uri = string_member(call.params, "uri");
  if (uri == nullptr) return std::nullopt;
  auto& held = session_.subscriptions;
  auto& tally = session_.server.memory.tally;
  if (call.method == "resources/subscribe") {
    if (held.count(uri->text) > 0 && faults_.has("subscribe-again-refused"))
      return narrow_refusal(kInternalError);
    if (faults_.has("subscribe-replaces-others")) held.clear();
    if (tally.count("left " + uri->text) > 0 && faults_.has("subscribe-after-unsubscribe-lost"))
      return Outcome(json::object());
    if (faults_.has("subscriptions-counted")) ++tally["held " + uri->text];
  }
  if (call.method == "resources/unsubscribe") {
    if (faults_.has("unsubscribe-ends-all")) held.clear();
    if (faults_.has("unsubscribe-for-all-clients"))
      for (Session* other : session_.server.sessions) other->subscriptions.erase(uri->text);
    if (faults_.has("subscribe-after-unsubscribe-lost")) ++tally["left " + uri->text];
    if (faults_.has("subscriptions-counted") && --tally["held " + uri->text] > 0)
      return Outcome(json::object());
  }
  return std::nullopt;
}

// What a server may take and may refuse, and some do neither.
bool dies_of(const Faults& faults, const Call& call) {
  const Value* arguments = call.params.find("arguments");
  const auto has_other = [&](const auto& knows) {
    return arguments != nullptr && arguments->is_object() &&
           std::ranges::any_of(arguments->members,
                               [&](const json::Member& one) { return !knows(one.name); });
  };
  const Value* name = string_member(call.params, "name");
  if (call.method == "tools/call" && name != nullptr && faults.has("tool-argument-unknown-kills")) {
    const Tool* tool = find_tool(name->text, call.version);
    if (tool == nullptr) return false;
    const Value* known = tool->input_schema.find("properties");
    return has_other(
        [&](const std::string& one) { return known != nullptr && known->find(one) != nullptr; });
  }
  if (name != nullptr && name->text == "test_simple_text" && faults.has("unasked-answers-kill"))
    return call.params.find("inputResponses") != nullptr;
  if (call.method == "prompts/get" && name != nullptr &&
      faults.has("prompt-argument-unknown-kills")) {
    for (const Prompt& prompt : prompts())
      if (name->text == prompt.name)
        return has_other([&](const std::string& one) {
          return std::ranges::any_of(
              prompt.arguments, [&](const PromptArgument& known) { return one == known.name; });
        });
  }
  return call.method.ends_with("/list") && call.params.find("requestState") != nullptr &&
         faults.has("list-with-state-kills");
}

std::optional<Outcome> FaultInjector::odd_narrow(Call& call) {
  if (!call.params.is_object()) return std::nullopt;
  if (dies_of(faults_, call)) session_.exit_status = 1;
  if (refuses_the_unknown(faults_, call)) return narrow_refusal(kInvalidParams);
  if (call.method.starts_with("resources/")) return odd_subscription(call);
  return std::nullopt;
}

// A change that is told to those who hear of it for the first time alone.
bool told_before(Server& server, FaultName fault, const std::string& what) {
  return server.faults.has(fault) && ++server.memory.tally["told " + what] > 1;
}

}  // namespace harness::reference
