// SPDX-License-Identifier: Apache-2.0
// Error codes by themselves: the ranges JSON-RPC, MCP 2026-07-28 and the tutorial dialect reserve,
// and codes that mean something which cannot have happened. Which code a fault deserves is for
// cases to say.
#include <set>

#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"

namespace harness::oracle {
namespace {

bool is_standard(std::int64_t code) { return code == -32700 || (code >= -32603 && code <= -32600); }

struct Context {
  const Evidence& evidence;
  Sink& sink;
  const Item& reply;
  std::int64_t code;

  void breach(std::initializer_list<const char*> requirements, std::string expected) const {
    report_best(evidence, sink, requirements,
                {std::move(expected),
                 "code " + std::to_string(code) + " in " + shown(reply.text),
                 {reply.seq},
                 std::to_string(code)});
  }
};

// Some request with the version of this revision got a result, so the version is supported.
bool version_works(const Evidence& evidence) {
  const Requests& requests = sent_requests(evidence);
  for (const Item& item : evidence.items) {
    if (item.sent || item.kind != wire::MessageKind::kResponse) continue;
    const Item* request = request_of(requests, item);
    if (request != nullptr && is_stateless_request(evidence, *request)) return true;
  }
  return false;
}

void judge_stateless(const Context& c, bool version_is_known) {
  if (c.code == -32002) {
    c.breach({"mcp.errors.retired-32002"}, "no -32002, which this revision retired");
  } else if (c.code == -32042) {
    c.breach({"mcp.errors.retired-32042", "mcp.elicitation.url-required-removed"},
             "no -32042, which this revision retired");
  } else if (c.code == -32020) {
    if (!c.evidence.http()) {
      c.breach({"mcp.errors.defined-meaning"}, "-32020 only for HTTP headers");
    }
  } else if (c.code == -32022) {
    if (!c.evidence.http() && version_is_known) {
      c.breach({"mcp.errors.defined-meaning"},
               "-32022 only for a version the server does not have");
    }
  } else if (c.code == -32021) {
    return;
  } else if (c.code >= -32099 && c.code <= -32020) {
    c.breach({"mcp.errors.reserved-band"}, "no undefined code from -32099 to -32020");
  } else if (c.code >= -32019 && c.code <= -32000) {
    c.breach({"mcp.errors.legacy-band-avoid"}, "no code from -32019 to -32000");
  }
}

}  // namespace

void judge_error_codes(const Evidence& evidence, Sink& sink) {
  const bool stateless = evidence.profile.era == spec::Era::kStateless;
  const bool version_is_known = stateless && version_works(evidence);
  std::set<std::int64_t> told;
  for (const Item& item : evidence.items) {
    if (item.sent || item.kind != wire::MessageKind::kErrorResponse) continue;
    const json::Value* error = item.error();
    const json::Value* code = error->is_object() ? error->find("code") : nullptr;
    const auto number = code == nullptr ? std::nullopt : json::as_integer(*code);
    if (!number || is_standard(*number)) continue;
    const Context context{evidence, sink, item, *number};
    // LSP has codes of its own there, which the oracle `lsp` looks at; ACP one, of what is
    // cancelled.
    if (evidence.profile.lsp && *number >= -32899 && *number <= -32800) continue;
    if (evidence.profile.acp && *number == -32800) continue;
    if (*number >= -32768 && *number <= -32100) {
      if (!told.insert(*number).second) continue;
      context.breach({"jsonrpc.error.reserved-range", "mcp.errors.own-codes-outside-reserved",
                      "tutorial.jsonrpc.reserved-code-range"},
                     "no code of the reserved range except the defined ones");
    } else if (evidence.profile.tutorial && *number >= -32099 && *number < -32005) {
      if (!told.insert(*number).second) continue;
      context.breach({"tutorial.jsonrpc.reserved-code-range"},
                     "a code of one of the two tables, or one outside the reserved range");
    } else if (stateless) {
      // A server of both eras may answer a request without this revision's _meta the old way.
      const Item* request = request_of(sent_requests(evidence), item);
      if (request == nullptr || !is_stateless_request(evidence, *request)) continue;
      if (told.insert(*number).second) judge_stateless(context, version_is_known);
    }
  }
}

}  // namespace harness::oracle
