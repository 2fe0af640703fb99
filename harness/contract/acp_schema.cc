// SPDX-License-Identifier: Apache-2.0
// The schema of ACP: a type with `x-method` is the request, the response or the notification of
// that method, by the end of its name; `x-side` is who serves it. Methods that our rows know are
// held to it as well, behind our rows.
#include <algorithm>
#include <utility>

#include "harness/contract/document.h"
#include "harness/contract/meta_model.h"
#include "harness/contract/schemas.h"

namespace harness::contract {
namespace {

using json::Value;

constexpr const char* kSchemaClause = "acp.schema.described-shape";
constexpr const char* kOwnFile = "acp.yaml";

// What an expression says and the schema as well. Unstable features break it without harm.
Value also_held(Value row, Value schema) {
  const bool bare =
      !row.is_object() || (row.members.size() == 1 && row.members[0].name.starts_with('$'));
  if (bare) row = json::object({{"is", std::move(row)}});
  Value also = json::array();
  if (const Value* own = row.find("also")) also.items.push_back(*own);
  also.items.push_back(json::object({{"is", std::move(schema)},
                                     {"covers", json::string(kSchemaClause)},
                                     {"at_most", json::string("warn")}}));
  row.set("also", std::move(also));
  return row;
}

}  // namespace

bool is_acp_schema(const Value& model) {
  const Value* types = model.is_object() ? model.find("$defs") : nullptr;
  return types != nullptr && types->is_object() &&
         std::any_of(types->members.begin(), types->members.end(), [](const json::Member& one) {
           return !Place{&one.value, ""}.text("x-method").empty();
         });
}

std::vector<spec::ProtocolFile> with_acp_schema(const Value& model, const std::string& name,
                                                std::vector<spec::ProtocolFile> files) {
  const auto own = std::find_if(files.begin(), files.end(),
                                [](const auto& file) { return file.name.ends_with(kOwnFile); });
  check(own != files.end(), "the protocol has no rows of agents");
  const Document document(model, name);
  const Place types = document.top().member("$defs");
  for (const json::Member& type : types.value->members) {
    const Place place = types.member(type.name);
    const std::string &method = place.text("x-method"), &side = place.text("x-side");
    const bool result = type.name.ends_with("Response");
    const bool notification = type.name.ends_with("Notification");
    // What a client sends is not judged.
    const bool of_agent = result ? side == "agent" : side == "client";
    if (method.empty() || (side != "agent" && side != "client")) continue;
    const HeldSchema held(document, place);
    if (!held.doubt().empty()) continue;
    Value* row = own->rows.find(method);
    if (row == nullptr) {
      own->rows.set(method,
                    json::object({{"from", json::string(side == "agent" ? "client" : "server")},
                                  {"params?", json::string("$any")}}));
      row = own->rows.find(method);
      row->set(notification ? "kind" : "result",
               json::string(notification ? "notification" : "$any"));
    }
    const char* part = result ? "result" : row->find("params") != nullptr ? "params" : "params?";
    if (of_agent)
      row->set(part, also_held(*row->find(part), json::object({{"$schema", held.bundled()}})));
  }
  return files;
}

}  // namespace harness::contract
