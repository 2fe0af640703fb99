// SPDX-License-Identifier: Apache-2.0
// The methods of a contract as rows of the protocol: behind them is what judges all others.
#include <algorithm>

#include "harness/contract/in_use.h"

namespace harness::contract {
namespace {

json::Value texts(std::initializer_list<std::string_view> all) {
  json::Value out = json::array();
  for (const std::string_view one : all) out.items.push_back(json::string(one));
  return out;
}

json::Value row_of(const Method& method) {
  json::Value row = json::object({{"from", json::string("client")}});
  row.set("kind", json::string(method.result ? "request" : "notification"));
  const bool sound =
      !method.twice && std::all_of(method.params.begin(), method.params.end(),
                                   [](const Param& one) { return one.schema.doubt().empty(); });
  // What in doubt is not judged.
  row.set("params?",
          sound ? json::object({{"$schema", method.params_schema()}}) : json::string("$any"));
  row.set("safe", json::boolean(effect_of(method.name) == Effect::kReads));
  if (method.result) {
    const bool judged = sound && method.result->doubt().empty();
    const json::Value is =
        judged ? json::object({{"$schema", method.result->bundled()}}) : json::string("$any");
    row.set("result",
            json::object({{"is", is}, {"covers", texts({"openrpc.method.result-valid"})}}));
  }
  json::Value positions = json::array(), errors = json::array();
  for (const Param& param : method.params) positions.items.push_back(json::string(param.name));
  for (const std::int64_t code : method.errors) errors.items.push_back(json::number(code));
  row.set("positions", std::move(positions));
  if (!errors.items.empty()) {
    row.set("errors", std::move(errors));
    row.set("other_error", texts({"openrpc.method.error-declared"}));
  }
  return row;
}

}  // namespace

Result<spec::Protocol> rows_of(const Contract& contract) {
  json::Value rows = json::object({{"$dialect", json::string("contract")}});
  for (const Method& method : contract.methods)
    if (method.name != "$dialect")
      rows.members.push_back({method.name, row_of(method), method.place.value->mark});
  return spec::read_protocol({{contract.document.name(), std::move(rows)}});
}

}  // namespace harness::contract
