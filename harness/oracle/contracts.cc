// SPDX-License-Identifier: Apache-2.0
// Replies of a server with a contract, held against its own rows: results against their schemas,
// codes of errors against those that the method declares. Only calls that the contract has nothing
// against are looked into: what a lenient server makes of another is described nowhere.
#include <algorithm>
#include <string>

#include "harness/oracle/families.h"
#include "harness/oracle/traffic.h"
#include "harness/spec/type_check.h"

namespace harness::oracle {
namespace {

// What JSON-RPC has for every method, and what it leaves to servers.
bool is_of_json_rpc(std::int64_t code) {
  return (code >= -32603 && code <= -32600) || code == -32700 || (code >= -32099 && code <= -32000);
}

void tell(const Evidence& evidence, Sink& sink, const spec::Clauses& clauses, Breach breach) {
  std::vector<const char*> ids;
  for (const std::string& clause : clauses) ids.push_back(clause.c_str());
  report_best(evidence, sink, ids, std::move(breach));
}

}  // namespace

void judge_contract(const Evidence& evidence, Sink& sink) {
  const spec::Protocol& rows = evidence.profile.protocol();
  const Requests& requests = sent_requests(evidence);
  for (const Item& item : evidence.items) {
    if (item.sent || item.value == nullptr || !is_reply(item)) continue;
    const Item* request = request_of(requests, item);
    if (request == nullptr || !is_proper(evidence, *request)) continue;
    const spec::MessageRow* row = rows.find(method_of(*request), evidence.profile);
    if (row == nullptr || row->notification) continue;
    const std::vector<std::uint64_t> frames = {item.seq, request->seq};
    if (const json::Value* error = item.error(); error != nullptr) {
      const json::Value* code = error->is_object() ? error->find("code") : nullptr;
      const auto number = code != nullptr ? json::as_integer(*code) : std::nullopt;
      const bool declared =
          !number || is_of_json_rpc(*number) ||
          std::find(row->errors.begin(), row->errors.end(), *number) != row->errors.end();
      if (!declared && !row->other_error.empty())
        tell(evidence, sink, row->other_error,
             {"an error that the document declares for " + row->name + ", or a JSON-RPC error",
              shown(item.text), frames, row->name + " " + std::to_string(*number)});
      continue;
    }
    const auto params = spec::named_params(*row, request->member("params"));
    if (!params || !spec::check_member(evidence.profile, row->params, &*params, "").empty())
      continue;
    for (const spec::TypeBreach& one :
         spec::check_member(evidence.profile, row->result, item.member("result"), "/result")) {
      if (one.clauses == nullptr) continue;
      tell(evidence, sink, *one.clauses,
           {row->name + ": " + one.expected + " at " + one.place, shown(*one.seen), frames,
            row->name + " " + one.place});
    }
  }
}

}  // namespace harness::oracle
