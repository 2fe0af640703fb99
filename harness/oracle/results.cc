// SPDX-License-Identifier: Apache-2.0
// What MCP asks of every result, whatever the method: an object and, in the stateless revision,
// one that says its type.
#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"

namespace harness::oracle {
namespace {

bool has_extensions(const json::Value& capabilities) {
  const json::Value* extensions =
      capabilities.is_object() ? capabilities.find("extensions") : nullptr;
  return extensions != nullptr && extensions->is_object() && !extensions->members.empty();
}

// Extensions may define more result types; which, we do not know.
bool extensions_in_play(const Evidence& evidence, const Item& request) {
  if (has_extensions(evidence.client_capabilities)) return true;
  const json::Value* meta = json::at(*request.value, "/params/_meta");
  const json::Value* declared =
      meta == nullptr ? nullptr : meta->find("io.modelcontextprotocol/clientCapabilities");
  return declared != nullptr && has_extensions(*declared);
}

void judge_type(const Evidence& evidence, Sink& sink, const Item& request, const Item& reply,
                const json::Value& result) {
  const json::Value* type = result.find("resultType");
  if (type == nullptr || !type->is_string()) {
    report_best(
        evidence, sink, {"mcp.base.result-type-required"},
        {"a string resultType in every result",
         type == nullptr ? "no resultType in " + shown(reply.text) : "resultType " + shown(*type),
         {request.seq, reply.seq}});
    return;
  }
  if (extensions_in_play(evidence, request)) return;
  if (type->text != "complete" && type->text != "input_required") {
    report_best(evidence, sink, {"mcp.base.result-type-known"},
                {"resultType complete or input_required",
                 "resultType " + shown(*type),
                 {request.seq, reply.seq}});
    return;
  }
  const std::string_view method = method_of(request);
  if (type->text == "input_required" && method != "tools/call" && method != "resources/read" &&
      method != "prompts/get") {
    report_best(evidence, sink, {"mcp.mrtr.only-three-methods"},
                {"a complete result for " + shown(method),
                 "resultType input_required",
                 {request.seq, reply.seq}});
  }
}

}  // namespace

void judge_results(const Evidence& evidence, Sink& sink) {
  if (!evidence.profile.mcp) return;
  const Requests& requests = sent_requests(evidence);
  for (const Item& item : evidence.items) {
    if (item.sent || item.kind != wire::MessageKind::kResponse) continue;
    if (item.member("error") != nullptr) continue;  // neither one nor the other
    const json::Value& result = *item.member("result");
    const Item* request = request_of(requests, item);
    if (!result.is_object()) {
      report_best(evidence, sink, {"mcp.base.result-is-object", "mcp.shape.result-is-object"},
                  {"an object as result", shown(item.text), {item.seq}});
      continue;
    }
    if (request != nullptr && is_stateless_request(evidence, *request)) {
      judge_type(evidence, sink, *request, item, result);
    }
  }
}

}  // namespace harness::oracle
