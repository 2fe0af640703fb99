// SPDX-License-Identifier: Apache-2.0
// Faults of tools: of their list, their schemas, what a call is refused for, and what it returns.
#include <algorithm>
#include <atomic>

#include "harness/base/ascii.h"
#include "harness/reference/edits.h"
#include "harness/reference/inject.h"
#include "harness/reference/mcp_tools.h"

namespace harness::reference {
namespace {

using json::Value;

Outcome refused(int code) { return RpcError{code, "The request is refused"}; }

}  // namespace

std::optional<Outcome> FaultInjector::odd_tools(Call& call) {
  if (call.method == "tools/list") {
    const bool empty = call.params.is_object() && call.params.members.empty();
    if (!call.has_params && faults_.has("tools-list-params-demanded"))
      return refused(kInvalidParams);
    if (call.has_params && empty && faults_.has("tools-list-empty-params-refused"))
      return refused(kInvalidParams);
  }
  if (call.method != "tools/call") return std::nullopt;
  const Value* name = call.params.is_object() ? call.params.find("name") : nullptr;
  const Outcome done = tool_text("Done");
  if (!call.has_params && faults_.has("tool-call-without-params-served")) return done;
  if (name != nullptr && name->is_string() && faults_.has("tool-names-in-any-case")) {
    for (const Tool& tool : tools())
      if (offered(tool, call.version) && ascii::equal_ignoring_case(name->text, tool.name))
        call.params.set("name", json::string(tool.name));
  }
  const bool as_task = call.params.is_object() && call.params.find("task") != nullptr;
  if (as_task && (faults_.has("task-param-refused") || faults_.has("task-param-without-tasks")))
    return refused(kInvalidParams);
  ++session_.server.memory.tally["tools called"];
  return std::nullopt;
}

// What a list holds depends on what it must not depend on.
void FaultInjector::inject_tool_set(const Call& call, Value& tools) {
  auto& tally = session_.server.memory.tally;
  const bool first_page = call.params.find("cursor") == nullptr;
  if (first_page) ++tally["tool lists"];
  if (faults_.has("tools-order-changes") && tally["tool lists"] % 2 == 0)
    std::reverse(tools.items.begin(), tools.items.end());
  if (faults_.has("call-loses-tool") && tally["tools called"] > 0 && first_page)
    tools.items.pop_back();
  if (!faults_.has("tools-differ-by-connection")) return;
  // What a session has done is remembered where it is forgotten with it; tests have a server for
  // each in one process.
  static std::atomic<int> connections = 0;
  if (session_.subscriptions.insert("urn:listed").second && ++connections % 2 == 0)
    session_.subscriptions.insert("urn:fewer");
  if (session_.subscriptions.count("urn:fewer") != 0 && first_page) tools.items.pop_back();
}

void FaultInjector::inject_tool_outcome(const Call& call, Outcome& outcome) {
  Value* result = std::get_if<Value>(&outcome);
  if (result == nullptr || call.method != "tools/call") return;
  Value* structured = result->find("structuredContent");
  if (structured != nullptr) {
    if (faults_.has("structured-content-of-other-kind"))
      structured->set("sum", json::string(structured->find("sum")->text));
    edit(faults_, "structured-result", *result);
  }
  const Value* failed = result->find("isError");
  if (failed != nullptr && failed->boolean) edit(faults_, "failed-result", *result);
}

}  // namespace harness::reference
